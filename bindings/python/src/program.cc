// SPDX-License-Identifier: Apache-2.0
// program.cc: recorded programs, as backplane/programs.py sees them. A run lets other Python
// threads work.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <vector>

#include "bind.h"
#include "device.h"
#include "dict.h"
#include "handles.h"

namespace bp_py {
namespace {

struct ProgramHandle : Handle<bp_program, bp_program_release> {
  std::vector<PyTypeObject*> types;  // of the results; nullptr: as the inputs
};

std::vector<bp_tensor*> handles_of(const std::vector<Tensor>& list) {
  std::vector<bp_tensor*> out;
  out.reserve(list.size());
  for (const Tensor& t : list) out.push_back(t);
  return out;
}
uint32_t size_of(const std::vector<bp_tensor*>& v) { return static_cast<uint32_t>(v.size()); }

void begin(const std::vector<Tensor>& inputs, bool goes_on, bool gradients) {
  const std::vector<bp_tensor*> in = handles_of(inputs);
  const uint32_t flags = (goes_on ? uint32_t{BP_PROGRAM_GOES_ON} : 0) |
                         (gradients ? uint32_t{BP_PROGRAM_GRADIENTS} : 0);
  call([&](bp_error** err) { return bp_program_begin(in.data(), size_of(in), flags, err); });
}

nb::object end(const std::vector<Tensor>& outputs, uint32_t without) {
  const std::vector<bp_tensor*> out = handles_of(outputs);
  bp_program_options options{sizeof options, without, 0};
  auto p = std::make_unique<ProgramHandle>();
  for (const Tensor& t : outputs) {
    PyTypeObject* type = t.type();
    p->types.push_back(torch_class && PyType_IsSubtype(type, torch_class) ? torch_class
                                                                          : tensor_class);
  }
  call([&](bp_error** err) {
    return bp_program_end(out.data(), size_of(out), &options, &p->handle, err);
  });
  return nb::cast(p.release(), nb::rv_policy::take_ownership);
}

nb::list run(ProgramHandle& p, const std::vector<Tensor>& inputs) {
  const std::vector<bp_tensor*> in = handles_of(inputs);
  std::vector<bp_tensor*> out(p.types.size());
  call_unlocked([&](bp_error** err) {
    return bp_program_run(p.handle, in.data(), size_of(in), out.data(), size_of(out), err);
  });
  const bool torch = std::any_of(inputs.begin(), inputs.end(), [](const Tensor& t) {
    return torch_class && PyType_IsSubtype(t.type(), torch_class);
  });
  nb::list results;
  for (size_t i = 0; i < out.size(); ++i) {
    PyObject* o = wrap(out[i], p.types[i] ? p.types[i] : torch ? torch_class : tensor_class);
    if (!o) {
      for (size_t k = i + 1; k < out.size(); ++k) bp_tensor_release(out[k]);
      throw nb::python_error();
    }
    results.append(nb::steal(o));
  }
  return results;
}

std::string text(ProgramHandle& p) {
  uint64_t needed = 0;
  call([&](bp_error** err) { return bp_program_format(p.handle, nullptr, 0, &needed, err); });
  std::string s(needed + 1, '\0');
  call([&](bp_error** err) {
    return bp_program_format(p.handle, s.data(), s.size(), &needed, err);
  });
  s.resize(needed);
  return s;
}

nb::dict facts(ProgramHandle& p) {
  bp_program_facts f{};
  f.struct_size = sizeof f;
  call([&](bp_error** err) { return bp_program_info(p.handle, &f, err); });
  nb::dict d;
  d["inputs"] = f.n_inputs;
  d["outputs"] = f.n_outputs;
  d["recorded"] = f.n_recorded;
  d["steps"] = f.n_steps;
  d["launches"] = f.n_launches;
  d["dead"] = f.n_dead;
  d["equal"] = f.n_equal;
  d["joined"] = f.n_joined;
  d["arena_bytes"] = f.arena_bytes;
  d["eager_peak_bytes"] = f.eager_peak_bytes;
  d["held_bytes"] = f.held_bytes;
  d["moved_bytes"] = f.moved_bytes;
  return d;
}

// As os.fsencode.
nb::bytes fs_encoded(const nb::object& path) {
  PyObject* bytes = nullptr;
  if (!PyUnicode_FSConverter(path.ptr(), &bytes)) throw nb::python_error();
  return nb::steal<nb::bytes>(bytes);
}

void save(ProgramHandle& p, nb::object path) {
  const std::string file = path_of(fs_encoded(path));
  call_unlocked([&](bp_error** err) { return bp_program_save(p.handle, file.c_str(), err); });
}

nb::object load(nb::object path, nb::list devices) {
  const std::string file = path_of(fs_encoded(path));
  std::vector<bp_device> on;
  for (nb::handle d : devices) on.push_back(device_of(d));
  auto p = std::make_unique<ProgramHandle>();
  call_unlocked([&](bp_error** err) {
    return bp_program_load(file.c_str(), on.data(), static_cast<uint32_t>(on.size()), nullptr,
                           &p->handle, err);
  });
  bp_program_facts f{};
  f.struct_size = sizeof f;
  call([&](bp_error** err) { return bp_program_info(p->handle, &f, err); });
  p->types.resize(f.n_outputs);
  return nb::cast(p.release(), nb::rv_policy::take_ownership);
}

}  // namespace

void bind_programs(nb::module_& m) {
  nb::class_<ProgramHandle>(m, "Program")
      .def("run", run)
      .def("text", text)
      .def("facts", facts)
      .def("save", save);
  m.def("program_load", load);
  m.def("program_begin", begin);
  m.def("program_end", end);
  m.def("program_abandon", bp_program_abandon);
  m.def("program_recording", [] { return bp_program_recording() != 0; });
}

}  // namespace bp_py
