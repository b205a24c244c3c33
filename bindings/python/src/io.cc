// SPDX-License-Identifier: Apache-2.0
// io.cc: files of named tensors; backplane/io.py is what Python programs see of them.
#include <string>

#include "device.h"
#include "dict.h"

namespace bp_py {
namespace {

// Calls f, which may wait for a disk or a device, for a dict.
template <class F>
Dict loaded(F&& f) {
  bp_dict* d = nullptr;
  call_unlocked([&](bp_error** err) { return f(&d, err); });
  return Dict(d);
}

nb::bytes format(nb::dict tensors, nb::handle texts) {
  const Dict d = dict_of(tensors, texts);
  uint64_t n = 0;
  call([&](bp_error** err) { return bp_safetensors_format(d.get(), nullptr, 0, &n, err); });
  nb::bytes out =
      nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(n)));
  if (!out) throw nb::python_error();
  char* p = PyBytes_AS_STRING(out.ptr());
  call_unlocked([&](bp_error** err) { return bp_safetensors_format(d.get(), p, n, &n, err); });
  return out;
}

nb::dict parse(nb::handle data, nb::handle device) {
  const bp_device d = device_of(device);
  struct View {
    Py_buffer buffer = {};
    ~View() { PyBuffer_Release(&buffer); }
  } view;
  if (PyObject_GetBuffer(data.ptr(), &view.buffer, PyBUF_SIMPLE) != 0) throw nb::python_error();
  return python_dict(loaded([&](bp_dict** out, bp_error** err) {
    return bp_safetensors_parse(view.buffer.buf, static_cast<uint64_t>(view.buffer.len), d, out,
                                err);
  }));
}

template <auto kLoad>
nb::tuple load_with(nb::bytes path, nb::handle device) {
  const std::string file = path_of(path);
  const bp_device where = device_of(device);
  const Dict d =
      loaded([&](bp_dict** out, bp_error** err) { return kLoad(file.c_str(), where, out, err); });
  return nb::make_tuple(python_dict(d), python_texts(d));
}

}  // namespace

std::string path_of(nb::bytes path) {
  std::string text(path.c_str(), path.size());
  refuse_zero_byte(text, "a path");
  return text;
}

void bind_io(nb::module_& m) {
  m.def(
      "save_safetensors",
      [](nb::dict tensors, nb::bytes path, nb::handle texts) {
        const Dict d = dict_of(tensors, texts);
        const std::string file = path_of(path);
        call_unlocked(
            [&](bp_error** err) { return bp_safetensors_save(d.get(), file.c_str(), err); });
      },
      nb::arg(), nb::arg(), nb::arg().none());
  // Both return the tensors and the texts.
  m.def("load_safetensors", load_with<bp_safetensors_load>, nb::arg(), nb::arg().none());
  m.def("load_checkpoint", load_with<bp_checkpoint_load>, nb::arg(), nb::arg().none());
  m.def("format_safetensors", format, nb::arg(), nb::arg().none());
  m.def("parse_safetensors", parse, nb::arg(), nb::arg().none());
  m.def("save_npz", [](nb::dict tensors, nb::bytes path) {
    const Dict d = dict_of(tensors, nb::none());
    const std::string file = path_of(path);
    call_unlocked([&](bp_error** err) { return bp_npz_save(d.get(), file.c_str(), err); });
  });
  m.def(
      "load_npz",
      [](nb::bytes path, nb::handle device) {
        const std::string file = path_of(path);
        const bp_device where = device_of(device);
        return python_dict(loaded([&](bp_dict** out, bp_error** err) {
          return bp_npz_load(file.c_str(), where, out, err);
        }));
      },
      nb::arg(), nb::arg().none());
}

}  // namespace bp_py
