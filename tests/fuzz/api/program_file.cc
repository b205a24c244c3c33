// SPDX-License-Identifier: Apache-2.0
// Bytes as the file of a recorded program: refused with one line, or a program, which saved and
// loaded again is the same, and which runs where its tensors are small.
#include <vector>

#include "tests/fuzz/fuzz.h"

namespace {

using Program = std::unique_ptr<bp_program, fuzz::ReleasedBy<bp_program, bp_program_release>>;

Program loaded(const std::string& path) {
  bp_program* p = nullptr;
  const bool ok = fuzz::attempt(bp_program_load, path.c_str(), &fuzz::kCpu, 1u,
                                static_cast<const bp_program_options*>(nullptr), &p);
  if (ok != (p != nullptr)) fuzz::die(p ? "an error and a program" : "BP_OK and no program");
  return Program(p);
}

std::string text_of(const Program& p) {
  uint64_t n = 0;
  if (bp_program_format(p.get(), nullptr, 0, &n, nullptr) != BP_OK) fuzz::die("no text");
  std::string text(n + 1, '\0');
  if (bp_program_format(p.get(), text.data(), text.size(), nullptr, nullptr) != BP_OK)
    fuzz::die("no text");
  text.resize(n);
  return text;
}

// No number of the text has more than four digits, so that no size of the program has.
bool is_small(const std::string& text) {
  size_t digits = 0;
  for (const char c : text)
    if ((digits = c >= '0' && c <= '9' ? digits + 1 : 0) > 4) return false;
  return text.size() < 4000;
}

// The lines that begin with "in0: ".
std::vector<fuzz::Tensor> inputs_of(const std::string& text, uint32_t n) {
  std::vector<fuzz::Tensor> inputs;
  size_t line = 0;
  for (uint32_t i = 0; i < n; ++i, line = text.find('\n', line) + 1) {
    const size_t name = text.find(' ', line) + 1, shape = text.find(' ', name) + 1;
    const std::string dtype = text.substr(name, shape - 1 - name);
    bp_dtype t = 0;
    while (t < BP_DTYPE_COUNT && dtype != bp_dtype_name(t)) ++t;
    std::vector<int64_t> sizes;
    for (size_t at = shape + 1; text[at - 1] != ']';) {
      if (text[at] == ']') break;
      size_t used = 0;
      sizes.push_back(std::stoll(text.substr(at), &used));
      at += used + (text[at + used] == ',' ? 2 : 1);
    }
    bp_tensor* made = nullptr;
    if (bp_tensor_zeros(static_cast<int32_t>(sizes.size()), sizes.data(), t, fuzz::kCpu, &made,
                        nullptr) != BP_OK)
      fuzz::die("no input like " + text.substr(line, 80));
    inputs.emplace_back(made);
  }
  return inputs;
}

void run(const Program& p, const std::string& text) {
  bp_program_facts facts{};
  facts.struct_size = sizeof facts;
  if (bp_program_info(p.get(), &facts, nullptr) != BP_OK) fuzz::die("no facts");
  const std::vector<fuzz::Tensor> inputs = inputs_of(text, facts.n_inputs);
  std::vector<bp_tensor*> in, out(facts.n_outputs);
  for (const fuzz::Tensor& t : inputs) in.push_back(t.get());
  fuzz::attempt(bp_program_run, p.get(), in.data(), facts.n_inputs, out.data(), facts.n_outputs);
  for (bp_tensor* t : out) bp_tensor_release(t);
}

}  // namespace

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::change(fuzz::mutate_safetensors, data, size, most, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::NothingLeft nothing_left;
  const fuzz::File file(data, size);
  const Program first = loaded(file.path());
  if (!first) return 0;
  const std::string text = text_of(first), path = "/dev/shm/backplane-fuzz-program";
  if (!fuzz::attempt(bp_program_save, first.get(), path.c_str()))
    fuzz::die("what was loaded cannot be saved");
  const Program second = loaded(path);
  if (!second) fuzz::die("what was saved cannot be loaded");
  // Buffers may have other numbers in the first.
  if (!fuzz::attempt(bp_program_save, second.get(), path.c_str())) fuzz::die("saved only once");
  const Program third = loaded(path);
  if (!third || text_of(third) != text_of(second)) fuzz::die("it is not the same when it was read");
  if (is_small(text)) run(first, text);
  return 0;
}
