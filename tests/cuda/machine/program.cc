// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <cxxabi.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "fault.h"
#include "rows.h"

namespace machine {
namespace {

constexpr uint32_t kBaseAt = kMostOperands - 2, kStrideAt = kMostOperands - 1;  // of an address

uint32_t round_up(uint32_t n, uint32_t step) { return (n + step - 1) / step * step; }

std::string demangled(std::string_view name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), std::free);
  return text ? text.get() : std::string(name);
}

// Where a variable of a function is: of a .param, the place of its lanes' cells in the file.
struct Home {
  Space space;
  uint32_t at = 0, bytes = 0;
};
using Homes = std::map<std::string_view, Home>;

class Decoder {
 public:
  Decoder(const Names& names, const Function& entry) : names_(names) {
    p_.name = demangled(entry.name);
    Homes homes;
    for (const Variable& v : entry.parameters) {
      p_.parameter_bytes = round_up(p_.parameter_bytes, v.align);
      homes[v.name] = {Space::kEntryParameter, p_.parameter_bytes, v.bytes};
      p_.parameter_bytes += v.bytes;
    }
    sink_ = take(8);
    add(entry, std::move(homes), /*called=*/false);
  }

  Program take_program() {
    // What is declared without a size begins behind all that has one.
    p_.shared_bytes = shared_;
    if (shared_arrays_) p_.shared_bytes = round_up(shared_, 16);
    p_.file.resize(round_up(file_, 64));
    for (const auto& [number, at] : numbers_)
      for (uint32_t lane = 0; lane < kLanes; ++lane)
        std::memcpy(p_.file.data() + at + lane * number.second, &number.first, number.second);
    return std::move(p_);
  }

 private:
  struct Frame {
    const Function& function;
    Homes homes;
    std::vector<uint32_t> registers;  // places in the file
    bool called;
  };

  [[noreturn]] static void refuse(const Frame& f, const Statement& s, const std::string& why) {
    throw Fault(kIllegalInstruction, "kernel " + demangled(f.function.name) + ", PTX line " +
                                         std::to_string(s.line) + ": `" + std::string(s.text) +
                                         "`: " + why);
  }

  // Room in the file for a value of each lane.
  uint32_t take(uint32_t bytes) {
    const uint32_t at = file_;
    file_ += round_up(bytes ? bytes * kLanes : 4, 64);
    return at;
  }
  uint32_t number(uint64_t bits, uint32_t bytes) {
    if (bytes < 8) bits &= (uint64_t{1} << 8 * bytes) - 1;
    const auto [it, fresh] = numbers_.try_emplace({bits, bytes}, 0);
    if (fresh) it->second = take(bytes);
    return it->second;
  }

  static void place(const std::vector<Variable>& variables, Space space, uint32_t* end,
                    Homes& homes) {
    for (const Variable& v : variables) {
      *end = round_up(*end, v.align);
      homes[v.name] = {space, *end, v.bytes};
      *end += v.bytes;
    }
  }

  void add(const Function& function, Homes homes, bool called) {
    Frame f{function, std::move(homes), {}, called};
    for (const uint8_t bytes : function.registers) f.registers.push_back(take(bytes));
    place(function.local, Space::kLocal, &p_.local_bytes, f.homes);
    if (shared_arrays_ && !function.shared.empty())
      throw Fault(kIllegalInstruction, "function " + demangled(function.name) +
                                           ": its shared memory would move the launch's");
    place(function.shared, Space::kShared, &shared_, f.homes);
    for (const Variable& v : function.scratch)
      f.homes[v.name] = {Space::kScratch, take(round_up(v.bytes, 8)), round_up(v.bytes, 8)};

    std::vector<uint32_t> first;  // instruction of each statement
    const size_t from = p_.instructions.size();
    for (const Statement& s : function.statements) {
      first.push_back(static_cast<uint32_t>(p_.instructions.size()));
      statement(f, s);
    }
    first.push_back(static_cast<uint32_t>(p_.instructions.size()));
    for (auto it = branches_.begin(); it != branches_.end();) {
      Instruction& i = p_.instructions[it->first];
      if (it->first < from || i.target != kOpen) {
        ++it;
        continue;
      }
      if (it->second.empty()) {  // back to the caller
        i.target = first.back();
      } else {
        const auto label = function.labels.find(it->second);
        if (label == function.labels.end())
          refuse(f, p_.statements[i.statement], "there is no such label");
        i.target = first[label->second];
      }
      it = branches_.erase(it);
    }
  }

  void statement(Frame& f, const Statement& s) {
    const Row* row = find_row(variant(s));
    if (!row) refuse(f, s, "the machine has no row for " + variant(s));
    if (row->flow == Row::kCall) return call(f, s);
    Instruction i;
    i.row = row;
    i.run = row->run;
    i.statement = static_cast<uint32_t>(p_.statements.size());
    i.used_bytes = s.used_bytes;
    if (s.guard >= 0) {
      if (f.function.registers[static_cast<size_t>(s.guard)] != 0)
        refuse(f, s, "the guard is no predicate");
      i.guard = static_cast<int32_t>(f.registers[static_cast<size_t>(s.guard)]);
      i.guard_negated = s.guard_negated ? ~0u : 0;
    }
    operands(f, s, *row, i);
    const auto here = static_cast<uint32_t>(p_.instructions.size());
    if (row->flow == Row::kEnd && f.called) {  // goes on behind the call
      i.row = find_row("bra");
      branches_[here] = {};
      i.target = kOpen;
    } else if (row->flow == Row::kBranch) {
      branches_[here] = s.operands[0].name;
      i.target = kOpen;
    }
    p_.statements.push_back(s);
    p_.instructions.push_back(i);
  }

  // An opcode that makes or takes apart a list has a row of its own: "mov.b64 {2}, d" and "mov.b64
  // d, {2}".
  static std::string variant(const Statement& s) {
    std::string name(s.opcode);
    if (!name.starts_with("mov.") || s.operands.size() != 2) return name;
    const auto part = [](const Operand& o) {
      return o.kind == Operand::kList ? "{" + std::to_string(o.items.size()) + "}"
                                      : std::string("d");
    };
    if (s.operands[0].kind == Operand::kList || s.operands[1].kind == Operand::kList)
      name += " " + part(s.operands[0]) + ", " + part(s.operands[1]);
    return name;
  }

  // Results are registers, or "_", which is nothing else.
  static void check_results(const Frame& f, const Statement& s, const Row& row,
                            const std::vector<const Operand*>& given) {
    const bool none = row.access.stores || row.flow == Row::kBranch || row.members == 0 ||
                      row.operands.empty() || row.operands[0] == '-' || row.operands[0] == 'f';
    size_t results = 0;
    if (!none && !s.operands.empty())
      results = s.operands[0].kind == Operand::kList ? s.operands[0].items.size() : 1;
    for (size_t k = 0; k < given.size(); ++k) {
      const bool nothing = given[k]->kind == Operand::kSymbol && given[k]->name == "_";
      if (k < results && !nothing && given[k]->kind != Operand::kRegister)
        refuse(f, s, "a result is no register");
      if (k >= results && nothing) refuse(f, s, "_ is no operand that can be read");
    }
  }

  void operands(Frame& f, const Statement& s, const Row& row, Instruction& i) {
    std::vector<const Operand*> given;
    for (const Operand& o : s.operands) {
      if (o.kind != Operand::kList) given.push_back(&o);
      for (const Operand& item : o.items) given.push_back(&item);
    }
    check_results(f, s, row, given);
    uint32_t to = 0;
    size_t k = 0;
    for (size_t letter = 0; letter < row.operands.size(); ++letter) {
      const char what = row.operands[letter];
      if (what == '?') {  // d|p: the list came first if it was there
        const bool there = s.operands[0].kind == Operand::kList && k < given.size();
        i.at[to++] = there ? reg(f, s, *given[k++], 0) : sink_;
        continue;
      }
      const int elements = what == 'v' ? row.access.elements : 1;
      for (int e = 0; e < elements; ++e, ++k) {
        if (k >= given.size()) refuse(f, s, "operands are missing: wants " + row.operands);
        const Operand& o = *given[k];
        switch (what) {
          case 'a': address(f, s, row, o, i); break;
          case 'v': i.at[to++] = wide(f, s, o, row.access.bytes, &i.register_bytes); break;
          case 'w': cvt(f, s, row, o, to++, i); break;
          case 'p': i.at[to++] = reg(f, s, o, 0); break;
          case '-': ++to; break;
          case 'l': break;
          default: i.at[to++] = reg(f, s, o, static_cast<uint8_t>(what - '0')); break;
        }
      }
    }
    if (k != given.size()) refuse(f, s, "has operands too many: wants " + row.operands);
    if (row.wide[0])
      i.run = row.by_width[std::countr_zero(i.at[kBaseAt])][std::countr_zero(i.at[kStrideAt])];
  }

  // The place of an operand of exactly so many bytes.
  uint32_t reg(Frame& f, const Statement& s, const Operand& o, uint8_t bytes) {
    if (o.kind == Operand::kRegister) {
      if (o.negated) refuse(f, s, "a negated operand is not known");
      const uint8_t has = f.function.registers[static_cast<size_t>(o.reg)];
      if (has != bytes)
        refuse(f, s,
               std::string(o.name) + " has " + std::to_string(8 * has) + " bits, not " +
                   std::to_string(8 * bytes));
      return f.registers[static_cast<size_t>(o.reg)];
    }
    if (o.kind == Operand::kNumber) {
      if (bytes == 0) {
        const uint32_t at = number(o.bits ? ~uint64_t{0} : 0, 4);  // a predicate in all lanes
        return at;
      }
      if (o.real != 0 && o.real != bytes)
        refuse(f, s, "a number has another width than its operand");
      return number(o.bits, bytes);
    }
    if (o.kind != Operand::kSymbol) refuse(f, s, "wants a register");
    if (o.name == "_") return sink_;
    if (o.name[0] == '%') return special(f, s, o.name, bytes);
    Home home;
    return number(symbol(f, s, o.name, &home), bytes);
  }

  uint64_t symbol(Frame& f, const Statement& s, std::string_view name, Home* home) {
    if (const auto it = f.homes.find(name); it != f.homes.end()) return (*home = it->second).at;
    for (const Variable& v : names_.source.shared_arrays) {
      if (v.name != name) continue;
      shared_arrays_ = true;
      return (*home = {Space::kShared, round_up(shared_, 16), 0}).at;
    }
    const auto it = names_.variables.find(name);
    if (it == names_.variables.end()) refuse(f, s, "nobody knows " + std::string(name));
    home->space = Space::kGlobal;
    return it->second;
  }

  uint32_t special(Frame& f, const Statement& s, std::string_view name, uint8_t bytes) {
    struct Known {
      std::string_view name;
      Special::Kind kind;
    };
    static constexpr Known kKnown[] = {{"%tid", Special::kTid},
                                       {"%ntid", Special::kBlockThreads},
                                       {"%ctaid", Special::kBlock},
                                       {"%nctaid", Special::kBlocks},
                                       {"%laneid", Special::kLane},
                                       {"%lanemask_le", Special::kLanesUpTo},
                                       {"%lanemask_lt", Special::kLanesBelow},
                                       {"%warpid", Special::kWarp}};
    const size_t dot = name.find('.');
    const int axis = dot == name.npos ? 0 : name[dot + 1] - 'x';
    const bool has_axes =
        name.starts_with("%tid") || name.find("cta") != name.npos || name.starts_with("%ntid");
    const bool right = has_axes
                           ? dot != name.npos && dot + 2 == name.size() && axis >= 0 && axis < 3
                           : dot == name.npos;
    for (const Known& k : kKnown) {
      if (k.name != name.substr(0, dot) || bytes != 4 || !right) continue;
      for (const Special& known : p_.specials)
        if (known.kind == k.kind && known.axis == axis) return known.at;
      p_.specials.push_back({k.kind, axis, take(4)});
      return p_.specials.back().at;
    }
    refuse(f, s, "the machine has no special register " + std::string(name));
  }

  void address(Frame& f, const Statement& s, const Row& row, const Operand& o, Instruction& i) {
    Access access = row.access;
    i.offset = static_cast<int64_t>(o.bits);
    if (o.reg >= 0) {
      i.base_bytes = f.function.registers[static_cast<size_t>(o.reg)];
      if (i.base_bytes < 4) refuse(f, s, "an address has 32 or 64 bits");
      i.at[kBaseAt] = f.registers[static_cast<size_t>(o.reg)];
    } else if (o.kind == Operand::kAddress && !o.name.empty()) {
      Home home{access.space};
      i.offset += static_cast<int64_t>(symbol(f, s, o.name, &home));
      if (access.space == Space::kEntryParameter && home.space == Space::kScratch) {
        access.space = Space::kScratch;
        i.at[kBaseAt] = home.at;
        i.at[kStrideAt] = home.bytes;
        i.offset -= home.at;
        if (i.offset < 0 || i.offset + access.bytes * access.elements > home.bytes)
          refuse(f, s, "lies outside of the parameter");
      } else if (home.space != access.space) {
        refuse(f, s, std::string(o.name) + " lies in another space");
      }
    } else if (o.kind != Operand::kAddress) {
      refuse(f, s, "wants an address");
    }
    if (!i.run) i.run = access_run(access);
  }

  // A register of at least so many bytes, which are told.
  uint32_t wide(Frame& f, const Statement& s, const Operand& o, uint8_t least, uint8_t* bytes) {
    if (o.kind == Operand::kRegister) {
      const uint8_t has = f.function.registers[static_cast<size_t>(o.reg)];
      if (has < least) refuse(f, s, std::string(o.name) + " is too narrow");
      if (*bytes != 0 && *bytes != has) refuse(f, s, "registers of one list differ in width");
      *bytes = has;
      return f.registers[static_cast<size_t>(o.reg)];
    }
    if (o.kind == Operand::kSymbol && o.name == "_") return sink_;
    if (o.kind != Operand::kNumber) refuse(f, s, "wants a register");
    if (*bytes == 0) *bytes = least;
    return number(o.bits, *bytes);
  }

  void cvt(Frame& f, const Statement& s, const Row& row, const Operand& o, uint32_t to,
           Instruction& i) {
    uint8_t bytes = 0;
    i.at[to] = wide(f, s, o, row.wide[to], &bytes);
    i.at[to == 0 ? kBaseAt : kStrideAt] = bytes;
  }

  void call(Frame& f, const Statement& s) {
    if (s.guard >= 0) refuse(f, s, "a call with a guard is not known");
    if (++depth_ > 16) refuse(f, s, "calls go too deep");
    static const Operand kNone = [] {
      Operand o;
      o.kind = Operand::kList;
      return o;
    }();
    if (s.operands.empty() || (s.operands[0].kind == Operand::kList && s.operands.size() < 2))
      refuse(f, s, "calls nothing");
    const bool returns = s.operands[0].kind == Operand::kList;
    const std::string_view name = s.operands.at(returns ? 1 : 0).name;
    const size_t after = returns ? 2 : 1;
    const Operand& results = returns ? s.operands[0] : kNone;
    const Operand& given = s.operands.size() > after ? s.operands[after] : kNone;
    const auto it = names_.source.functions.find(name);
    if (it == names_.source.functions.end())
      refuse(f, s, "there is no function " + std::string(name));
    const Function callee = parse(it->second);
    Homes homes;
    const auto bind = [&](const std::vector<Variable>& wanted, const std::vector<Operand>& has) {
      if (wanted.size() != has.size())
        refuse(f, s, "wants " + std::to_string(wanted.size()) + " parameters");
      for (size_t k = 0; k < wanted.size(); ++k) {
        const auto home = f.homes.find(has[k].name);
        if (home == f.homes.end() || home->second.space != Space::kScratch ||
            home->second.bytes < wanted[k].bytes)
          refuse(f, s, "a parameter is no variable of a call");
        homes[wanted[k].name] = home->second;
      }
    };
    bind(callee.results, results.items);
    bind(callee.parameters, given.items);
    add(callee, std::move(homes), /*called=*/true);
    --depth_;
  }

  static constexpr uint32_t kOpen = ~0u;
  const Names& names_;
  Program p_;
  uint32_t file_ = 0, shared_ = 0, sink_ = 0;
  bool shared_arrays_ = false;
  int depth_ = 0;
  std::map<std::pair<uint64_t, uint32_t>, uint32_t> numbers_;  // bits, bytes -> place
  std::map<uint32_t, std::string_view>
      branches_;  // instruction -> label, empty: the end of the function
};

}  // namespace

Program decode(const Names& names, const Function& entry) {
  return Decoder(names, entry).take_program();
}

}  // namespace machine
