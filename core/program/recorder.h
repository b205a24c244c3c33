// SPDX-License-Identifier: Apache-2.0
// recorder.h: makes a program of what a thread's calls tell its tape (tensor/tape.h). Memory that
// the calls make is kept until nobody else has it, so that its address names it; what eager calls
// would have needed at most is counted meanwhile.
//
//   Recorder::begin(tensors, /*flags=*/0);
//   const Ref<Program> p = Recorder::end(tensors, {});
#pragma once
#include <memory>
#include <optional>
#include <unordered_map>

#include "core/program/program.h"
#include "core/program/way_back.h"

namespace bp {

class Recorder final : public Tape {
 public:
  // Throws BP_BAD_STATE when this thread records already, and for two inputs that share memory.
  // flags are BP_PROGRAM_*: with GOES_ON what cannot be recorded is no error of its call: end
  // throws it; with GRADIENTS end records a way back too.
  static void begin(std::span<Tensor* const> inputs, uint32_t flags);
  // Ends this thread's recording, also when it throws.
  static Ref<Program> end(std::span<Tensor* const> outputs, const Planning& how);
  static bool records() noexcept;
  static void abandon() noexcept;  // ends it without a program, if there is one

  Recorder(std::span<Tensor* const> inputs, uint32_t flags);
  ~Recorder();

  void made(Storage& s) override;
  void launched(const Launch& call) override;
  void transferred(Tensor& dst, Tensor& src) override;
  void drew(Device& device, int64_t n, uint64_t seed, uint64_t offset) override;
  void host_touches(Tensor& t, std::string_view what) override;
  bool keeps(const Storage& s) const noexcept override;
  void refresh_next(const OpRow& row, Refresh refresh) override;
  void refuse(std::string_view what, std::string_view why) override;

 private:
  struct Known {
    uint32_t buffer;
    Ref<Storage> held;  // of what the calls made
  };
  template <class F>
  void note(F&& entry);
  void add_launch(const Launch& call);
  void add_transfer(Tensor& dst, Tensor& src);
  void give_up(const std::string& sentence);
  void add_inputs(std::span<Tensor* const> inputs);
  // Records the way back from outputs that want a gradient, if there are any.
  std::optional<Trail> go_back(std::span<Tensor* const> outputs,
                               std::vector<Ref<Tensor>>& gradients);
  Ref<Program> finish(std::span<Tensor* const> outputs);
  uint32_t buffer_of(const Tensor& t, bool reads, bool writes);
  void add(Step& step, const Tensor& t, bool reads, bool writes);
  void copy_attrs(Step& step, const bp_launch& launch);
  void match_draw(Step& step);
  void sweep();
  void refuse_overlaps() const;

  Ref<Program> program_;
  std::unordered_map<const Storage*, Known> known_;
  std::unordered_map<Device*, bp_pstream*> streams_;
  std::vector<Ref<Storage>> inputs_;
  std::vector<Ref<Tensor>> given_;  // the inputs as begin got them
  const OpRow* awaited_ = nullptr;
  Refresh refresh_;
  bool goes_on_, gradients_;
  std::string refused_;  // why there will be no program
  uint64_t live_ = 0;    // bytes of what the calls made and somebody has
  size_t unswept_ = 0;   // calls since the last sweep
};

}  // namespace bp
