// SPDX-License-Identifier: Apache-2.0
#include "ptx.h"

#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "fault.h"

namespace machine {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%' || c == '.';
}

// Words (opcodes with their dots, names, numbers), strings, and single characters.
class Words {
 public:
  Words(std::string_view text, int line) : text_(text), line_(line) { take(); }
  std::string_view now() const { return now_; }
  int line() const { return line_of_now_; }
  bool at_end() const { return now_.empty(); }
  const char* begin() const { return now_.data(); }

  std::string_view take() {
    const std::string_view was = now_;
    end_ = at_;
    skip();
    line_of_now_ = line_;
    const size_t from = at_;
    if (at_ < text_.size()) {
      if (text_[at_] == '"') {
        at_ = end_of("\"", at_ + 1);
      } else if (is_word(text_[at_])) {
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        if (at_ + 1 < text_.size() && text_[at_] == ':' && text_[at_ + 1] == ':')
          fail("has a :: in a word");
      } else {
        ++at_;
      }
    }
    now_ = text_.substr(from, at_ - from);
    return was;
  }
  bool accept(std::string_view word) { return now_ == word && (take(), true); }
  void expect(std::string_view word) {
    if (!accept(word)) fail("wants '" + std::string(word) + "' before '" + std::string(now_) + "'");
  }
  // What was taken from `from` on.
  std::string_view since(const char* from) const {
    return {from, static_cast<size_t>(text_.data() + end_ - from)};
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Fault(kIllegalInstruction, "PTX, line " + std::to_string(line_of_now_) + ": " + what);
  }
  // Goes on behind the } that belongs to the { before.
  void skip_body() {
    for (int depth = 1; depth > 0; take()) {
      if (at_end()) fail("ends within a function");
      depth += now_ == "{" ? 1 : now_ == "}" ? -1 : 0;
    }
  }

 private:
  // Behind the mark that ends a string or a comment.
  size_t end_of(std::string_view mark, size_t from) const {
    const size_t at = text_.find(mark, from);
    return at == text_.npos ? text_.size() : at + mark.size();
  }
  void skip() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
      } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '*') {
        for (const size_t to = end_of("*/", at_ + 2) - 1; at_ < to; ++at_)
          line_ += text_[at_] == '\n';
      } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
        return;
      }
    }
  }
  std::string_view text_, now_;
  size_t at_ = 0, end_ = 0;
  int line_ = 1, line_of_now_ = 1;
};

uint64_t integer(const Words& at, std::string_view word) {
  uint64_t value = 0;
  const bool hex = word.starts_with("0x") || word.starts_with("0X");
  const char* first = word.data() + (hex ? 2 : 0);
  const char* last = word.data() + word.size();
  if (last > first && last[-1] == 'U') --last;
  const auto [end, error] = std::from_chars(first, last, value, hex ? 16 : 10);
  if (error != std::errc{} || end != last)
    at.fail("wants a number instead of '" + std::string(word) + "'");
  return value;
}

// A count, a size or an alignment in a declaration.
uint32_t small(Words& at) {
  constexpr uint64_t kMost = 1 << 24;
  const uint64_t n = integer(at, at.now());
  if (n > kMost) at.fail("has a size that the machine does not hold: " + std::string(at.now()));
  at.take();
  return static_cast<uint32_t>(n);
}

std::optional<uint8_t> bytes_of(std::string_view type) {
  if (type == ".pred") return 0;
  for (const auto& [letters, bytes] : {std::pair{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}})
    if (type.size() > 2 && type.substr(2) == letters && std::strchr("busf", type[1]))
      return static_cast<uint8_t>(bytes);
  return std::nullopt;
}

// .align 8 .b8 name[40] = {1, 2}: the words behind the state space.
Variable variable(Words& at) {
  Variable v;
  if (at.accept(".align")) v.align = std::bit_ceil(small(at));
  const auto bytes = bytes_of(at.now());
  if (!bytes)
    at.fail("declares a variable of a type that the machine does not know: " +
            std::string(at.now()));
  at.take();
  v.bytes = *bytes;
  if (v.align < *bytes) v.align = *bytes;
  v.name = at.take();
  if (at.accept("[")) {
    v.bytes = at.now() == "]" ? 0 : *bytes * small(at);
    at.expect("]");
  }
  if (!at.accept("=")) return v;
  const bool list = at.accept("{");
  do {
    const uint64_t n = integer(at, at.take());
    for (uint8_t k = 0; k < *bytes; ++k) v.initial.push_back(static_cast<uint8_t>(n >> 8 * k));
  } while (list && at.accept(","));
  if (list) at.expect("}");
  return v;
}

std::vector<Variable> parameters(Words& at) {
  std::vector<Variable> list;
  if (!at.accept("(")) return list;
  while (!at.accept(")")) {
    at.expect(".param");
    list.push_back(variable(at));
    at.accept(",");
  }
  return list;
}

class Parser {
 public:
  Parser(const Place& place) : at_(place.text, place.line) { f_.name = place.name; }

  Function function() {
    f_.results = parameters(at_);
    if (at_.accept(f_.name))
      f_.parameters = parameters(at_);
    else
      std::swap(f_.parameters, f_.results);  // an entry, which has no results
    while (!at_.accept("{")) directive();
    scopes_.emplace_back();
    body();
    return std::move(f_);
  }

 private:
  void directive() {
    const std::string_view word = at_.take();
    if (word == ".maxntid" || word == ".reqntid") {
      f_.max_threads = 1;
      do f_.max_threads *= small(at_);
      while (at_.accept(","));
    } else if (word == ".minnctapersm") {
      at_.take();
    } else {
      at_.fail("has a directive that the machine does not know: " + std::string(word));
    }
  }

  void body() {
    uint64_t used_bytes = ~uint64_t{0};
    for (;;) {
      if (at_.accept("}")) {
        scopes_.pop_back();
        if (scopes_.empty()) return;
      } else if (at_.accept("{")) {
        scopes_.emplace_back();
      } else if (at_.accept(".reg")) {
        registers();
      } else if (at_.accept(".local")) {
        declare(f_.local);
      } else if (at_.accept(".shared")) {
        declare(f_.shared);
      } else if (at_.accept(".param")) {
        declare(f_.scratch);
      } else if (at_.accept(".pragma")) {
        const std::string_view text = at_.take();
        constexpr std::string_view kUsed = "\"used_bytes_mask ";
        if (text.starts_with(kUsed))
          used_bytes = integer(at_, text.substr(kUsed.size(), text.size() - kUsed.size() - 1));
        at_.expect(";");
      } else if (at_.at_end()) {
        at_.fail("ends within a function");
      } else {
        statement(used_bytes);
      }
    }
  }

  void declare(std::vector<Variable>& where) {
    where.push_back(variable(at_));
    at_.expect(";");
  }

  void registers() {
    const auto bytes = bytes_of(at_.take());
    if (!bytes) at_.fail("declares registers of a type that the machine does not know");
    do {
      const std::string_view name = at_.take();
      uint64_t count = 1;
      const bool many = at_.accept("<");
      if (many) {
        count = small(at_);
        at_.expect(">");
      }
      const auto first = static_cast<int>(f_.registers.size());
      f_.registers.insert(f_.registers.end(), count, *bytes);
      if (many)
        scopes_.back().ranges[name] = {first, static_cast<int>(count)};
      else
        scopes_.back().names[name] = first;
    } while (at_.accept(","));
    at_.expect(";");
  }

  int find_register(std::string_view name) const {
    size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto it = scope->names.find(name); it != scope->names.end()) return it->second;
      const auto it = scope->ranges.find(name.substr(0, digits));
      if (it == scope->ranges.end() || digits == name.size()) continue;
      const auto k = static_cast<int>(integer(at_, name.substr(digits)));
      if (k < it->second.second) return it->second.first + k;
    }
    return -1;
  }

  Operand number(bool minus) {
    Operand o;
    const std::string_view word = at_.take();
    if (word.size() > 2 && word[0] == '0' && std::strchr("fFdD", word[1])) {
      o.real = word[1] == 'f' || word[1] == 'F' ? 4 : 8;
      const auto [end, error] =
          std::from_chars(word.data() + 2, word.data() + word.size(), o.bits, 16);
      if (error != std::errc{} || word.size() != size_t{2} + 2 * static_cast<size_t>(o.real) ||
          minus)
        at_.fail("has a number that cannot be read: " + std::string(word));
    } else {
      o.bits = integer(at_, word);
      if (minus) o.bits = -o.bits;
    }
    return o;
  }

  Operand simple() {
    if (at_.accept("!")) {
      Operand o = simple();
      o.negated = true;
      return o;
    }
    if (at_.accept("-")) return number(/*minus=*/true);
    if (!at_.now().empty() && at_.now()[0] >= '0' && at_.now()[0] <= '9')
      return number(/*minus=*/false);
    Operand o;
    o.name = at_.take();
    o.reg = find_register(o.name);
    o.kind = o.reg >= 0 ? Operand::kRegister : Operand::kSymbol;
    if (o.name.empty() || !is_word(o.name[0]))
      at_.fail("wants an operand instead of '" + std::string(o.name) + "'");
    return o;
  }

  Operand operand() {
    Operand o;
    if (at_.accept("[")) {
      o = simple();
      o.kind = Operand::kAddress;
      if (at_.accept("+")) o.bits = number(at_.accept("-")).bits;
      at_.expect("]");
      return o;
    }
    for (const auto& [open, close] : {std::pair{"{", "}"}, {"(", ")"}}) {
      if (!at_.accept(open)) continue;
      o.kind = Operand::kList;
      while (!at_.accept(close)) {
        o.items.push_back(simple());
        at_.accept(",");
      }
      return o;
    }
    o = simple();
    if (!at_.accept("|")) return o;
    Operand pair;
    pair.kind = Operand::kList;
    pair.items = {o, simple()};
    return pair;
  }

  void statement(uint64_t& used_bytes) {
    Statement s;
    s.line = at_.line();
    const char* from = at_.begin();
    if (at_.accept("@")) {
      s.guard_negated = at_.accept("!");
      s.guard = find_register(at_.take());
      if (s.guard < 0) at_.fail("has a guard that is no register");
    }
    s.opcode = at_.take();
    if (at_.accept(":")) {
      f_.labels[s.opcode] = static_cast<uint32_t>(f_.statements.size());
      return;
    }
    while (!at_.accept(";")) {
      s.operands.push_back(operand());
      at_.accept(",");
    }
    s.text = at_.since(from);
    s.used_bytes = std::exchange(used_bytes, ~uint64_t{0});
    f_.statements.push_back(std::move(s));
  }

  struct Scope {
    std::map<std::string_view, int> names;
    std::map<std::string_view, std::pair<int, int>> ranges;  // %r<10>: the first of them, how many
  };
  Words at_;
  Function f_;
  std::vector<Scope> scopes_;
};

}  // namespace

Source index(std::string_view text) {
  Source source;
  Words at(text, 1);
  const auto rest = [&](std::string_view name, const char* from, int line) {
    return Place{name, text.substr(static_cast<size_t>(from - text.data())), line};
  };
  while (!at.at_end()) {
    const std::string_view word = at.take();
    if (word == ".version" || word == ".target" || word == ".address_size") {
      do at.take();
      while (at.accept(","));
    } else if (word == ".entry" || word == ".func") {
      const char* from = at.begin();
      const int line = at.line();
      parameters(at);  // the results of a function
      const std::string_view name = at.take();
      const Place place =
          word == ".entry" ? rest(name, at.begin(), at.line()) : rest(name, from, line);
      while (at.now() != "{" && at.now() != ";" && !at.at_end()) at.take();
      if (at.accept(";")) continue;  // a declaration
      at.expect("{");
      at.skip_body();
      (word == ".entry" ? source.entries : source.functions)[name] = place;
    } else if (word == ".global" || word == ".const") {
      source.global.push_back(variable(at));
      at.expect(";");
    } else if (word == ".extern") {
      at.expect(".shared");
      source.shared_arrays.push_back(variable(at));
      at.expect(";");
    } else if (word != ".visible" && word != ".weak") {
      at.fail("has a directive that the machine does not know: " + std::string(word));
    }
  }
  return source;
}

Function parse(const Place& place) { return Parser(place).function(); }

}  // namespace machine
