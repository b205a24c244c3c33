// SPDX-License-Identifier: Apache-2.0
// backplane_program.hpp: calls that are recorded once and run again; what that means is in
// c_program.h. Include backplane.hpp.
//
//   bp::Program gelu = bp::record({x}, [&](const std::vector<bp::Tensor>& in) {
//     return std::vector<bp::Tensor>{0.5 * in[0] * (1 + (0.797885 * in[0]).tanh())};
//   });
//   bp::Tensor z = gelu({y})[0];
#ifndef BACKPLANE_PROGRAM_HPP
#define BACKPLANE_PROGRAM_HPP

#include <string>
#include <utility>
#include <vector>

#include "backplane_base.hpp"
#include "backplane_tensor.hpp"

namespace backplane {

// Records this thread's calls until end() makes a program of them; without end() the recording is
// abandoned.
class Recording {
 public:
  // `flags` are BP_PROGRAM_*.
  explicit Recording(const std::vector<Tensor>& inputs, std::uint32_t flags = 0) {
    const auto list = detail::handles(inputs);
    detail::call([&](bp_error** e) {
      return bp_program_begin(list.data(), detail::length(list), flags, e);
    });
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() {
    if (!ended_) bp_program_abandon();
  }
  // Whether this thread records.
  static bool is_open() noexcept { return bp_program_recording() != 0; }

 private:
  friend class Program;
  bool ended_ = false;
};

// A counted handle: copies share it.
class Program {
 public:
  // Ends the recording. `without` is BP_PASS_* flags of what is not to be done.
  Program(Recording& recording, const std::vector<Tensor>& outputs, std::uint32_t without = 0)
      : n_outputs_(static_cast<std::uint32_t>(outputs.size())) {
    const auto list = detail::handles(outputs);
    const bp_program_options options{sizeof options, without, 0};
    recording.ended_ = true;
    bp_program* p = nullptr;
    detail::call([&](bp_error** e) {
      return bp_program_end(list.data(), detail::length(list), &options, &p, e);
    });
    handle_.reset(p);
  }
  // A program that save wrote: on the devices that the file names; all of it on one; or on as many
  // as it names, in its order.
  static Program load(const std::string& path, const std::vector<Device>& devices = {}) {
    std::vector<bp_device> values;
    for (const Device d : devices) values.push_back(d.value());
    bp_program* p = nullptr;
    detail::call([&](bp_error** e) {
      return bp_program_load(detail::c_text(path), values.data(), detail::length(values), nullptr,
                             &p, e);
    });
    return Program(p);
  }
  // Writes it into a file, with the values now of what it holds.
  void save(const std::string& path) const {
    detail::call([&](bp_error** e) { return bp_program_save(get(), detail::c_text(path), e); });
  }
  bp_program* get() const noexcept { return handle_.get(); }
  std::vector<Tensor> operator()(const std::vector<Tensor>& inputs) const {
    const auto in = detail::handles(inputs);
    return detail::adopted(n_outputs_, [&](bp_tensor** outs, bp_error** e) {
      return bp_program_run(get(), in.data(), detail::length(in), outs, n_outputs_, e);
    });
  }
  // Writes the results into tensors that are there.
  void into(const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs) const {
    const auto in = detail::handles(inputs);
    auto out = detail::handles(outputs);
    detail::call([&](bp_error** e) {
      return bp_program_run(get(), in.data(), detail::length(in), out.data(), detail::length(out),
                            e);
    });
  }
  bp_program_facts facts() const {
    bp_program_facts f{};
    f.struct_size = sizeof f;
    detail::call([&](bp_error** e) { return bp_program_info(get(), &f, e); });
    return f;
  }
  // The steps, a line for each.
  std::string text() const {
    return detail::text(
        [&](char* buf, std::uint64_t capacity, std::uint64_t* needed, bp_error** e) {
          return bp_program_format(get(), buf, capacity, needed, e);
        });
  }

 private:
  explicit Program(bp_program* p) : n_outputs_(0) {
    handle_.reset(p);
    n_outputs_ = facts().n_outputs;
  }

  std::uint32_t n_outputs_;
  detail::Handle<bp_program, bp_program_retain, bp_program_release> handle_;
};

// Records f over the inputs: f(inputs) returns the outputs. `without` are BP_PASS_*, which are then
// not done, and `flags` BP_PROGRAM_*.
template <class F>
Program record(const std::vector<Tensor>& inputs, F&& f, std::uint32_t without = 0,
               std::uint32_t flags = 0) {
  Recording recording(inputs, flags);
  const std::vector<Tensor> outputs = std::forward<F>(f)(inputs);
  return Program(recording, outputs, without);
}

}  // namespace backplane
#endif
