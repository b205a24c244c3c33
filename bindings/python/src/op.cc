// SPDX-License-Identifier: Apache-2.0
#include "op.h"

#include <structmember.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "device.h"
#include "dtype.h"
#include "invoke.h"

namespace bp_py {
namespace {

constexpr uint32_t kPositional = 1u << 31;  // ours: the operands have no keywords

struct Attr {
  PyObject* name;  // interned, as those below
  bp_attr value;   // the default; its name is what the C API wants
  bool required;
};

struct OpObject {
  PyObject ob_base;
  vectorcallfunc vectorcall;
  uint32_t id, flags, n_outputs;
  uint64_t optional;  // inputs that may be None
  std::vector<PyObject*>* inputs;
  std::vector<Attr>* attrs;
  PyObject *name, *doc, *signature, *outputs;
};

PyTypeObject* op_type = nullptr;
PyObject *out_name, *device_name;
std::vector<std::vector<PyObject*>> synonyms;

bool same(PyObject* a, PyObject* b) { return a == b || PyUnicode_Compare(a, b) == 0; }

bool means(PyObject* given, PyObject* name) {
  if (same(given, name)) return true;
  for (const auto& group : synonyms) {
    bool has_given = false, has_name = false;
    for (PyObject* word : group) {
      has_given |= same(given, word);
      has_name |= same(name, word);
    }
    if (has_given && has_name) return true;
  }
  return false;
}

// The arguments of one call.
struct Call {
  const OpObject& op;
  bp_value few[5]{};
  std::vector<bp_value> list;   // a list op's tensors
  PyObject* tensors = nullptr;  // what list borrows from
  bp_attr attrs[BP_MAX_ATTRS];
  uint32_t n_in = 0, n_attrs = 0;
  int64_t ints[2 * BP_MAX_RANK];  // of all attributes that are lists
  uint32_t n_ints = 0;
  uint64_t given_inputs = 0, given_attrs = 0;
  PyTypeObject* type = nullptr;  // of the results
  PyObject* out = nullptr;
  bp_device device = 0;
  struct Beyond {
    PyObject* number;
    bp_value& operand;
    Held kept;
  };
  struct Rare {
    std::vector<Beyond> beyond;  // no int64_t holds them: placed when all other operands are known
    std::vector<Held> taken;     // over the memory of other libraries' arrays
  };
  std::unique_ptr<Rare> rare;

  explicit Call(const OpObject& o) : op(o) {}
  ~Call() { Py_XDECREF(tensors); }
  const bp_value* in() const { return op.flags & BP_OP_FLAG_LIST ? list.data() : few; }

  const char* name() const { return PyUnicode_AsUTF8(op.name); }

  Rare& rarely() {
    if (!rare) rare = std::make_unique<Rare>();
    return *rare;
  }

  bool wrong(PyObject* o, PyObject* parameter, const char* wanted) {
    PyErr_Format(PyExc_TypeError, "%U(): %U must be %s, not %s", op.name, parameter, wanted,
                 Py_TYPE(o)->tp_name);
    return false;
  }

  bool operand(PyObject* o, PyObject* parameter, bp_value& v) {
    if (o == Py_None) {
      v = {};
      return true;
    }
    Took took = to_value(o, v);
    if (took == Took::kNo) {
      Held kept;
      took = foreign_array(o, v, kept);
      rarely().taken.push_back(std::move(kept));
      if (took == Took::kYes) return true;
    }
    if (took == Took::kNo) return wrong(o, parameter, "a tensor, an array or a number");
    if (took == Took::kError && &v >= few && &v < std::end(few) &&
        PyErr_ExceptionMatches(PyExc_OverflowError)) {
      PyErr_Clear();
      rarely().beyond.push_back({o, v, Held()});
      return true;
    }
    if (took == Took::kYes && v.kind == BP_VALUE_TENSOR) type = result_class(type, Py_TYPE(o));
    return took == Took::kYes;
  }

  bool input(size_t i, PyObject* o) {
    PyObject* parameter = (*op.inputs)[i];
    given_inputs |= uint64_t{1} << i;
    if (!(op.flags & BP_OP_FLAG_LIST)) return operand(o, parameter, few[i]);
    if (is_tensor(o)) return wrong(o, parameter, "a list of tensors");
    tensors = PySequence_Fast(o, "expected a list of tensors");
    if (!tensors) return false;
    n_in = static_cast<uint32_t>(PySequence_Fast_GET_SIZE(tensors));
    list.resize(n_in);
    for (uint32_t k = 0; k < n_in; ++k) {
      PyObject* item = PySequence_Fast_GET_ITEM(tensors, k);
      if (!operand(item, parameter, list[k])) return false;
      if (list[k].kind != BP_VALUE_TENSOR) return wrong(item, parameter, "a list of tensors");
    }
    return true;
  }

  // Refuses a bool: sum(True) is a mistake, and not a sum over axis 1.
  bool integer(PyObject* o, PyObject* parameter, int64_t& out) {
    if (PyBool_Check(o)) {
      PyErr_Format(PyExc_TypeError, "%U(): argument '%U' must be int, not bool", op.name,
                   parameter);
      return false;
    }
    PyObject* i = PyNumber_Index(o);
    if (!i) return false;
    out = PyLong_AsLongLong(i);
    Py_DECREF(i);
    return out != -1 || !PyErr_Occurred();
  }

  bool integers(PyObject* o, PyObject* parameter, bp_attr& a) {
    a.value.ints = ints + n_ints;
    a.count = 0;
    const bool single = PyIndex_Check(o);
    PyObject* sequence =
        single ? PyTuple_Pack(1, o) : PySequence_Fast(o, "expected an integer or a list of them");
    if (!sequence) return false;
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(sequence);
    bool fine = static_cast<uint64_t>(n) + n_ints <= std::size(ints);
    if (!fine)
      PyErr_Format(PyExc_ValueError, "%U(): %zd values, at most %d are possible", op.name, n,
                   +BP_MAX_RANK);
    for (Py_ssize_t k = 0; fine && k < n; ++k)
      fine = integer(PySequence_Fast_GET_ITEM(sequence, k), parameter, ints[n_ints++]);
    a.count = static_cast<uint32_t>(n);
    Py_DECREF(sequence);
    return fine;
  }

  bool attribute(size_t i, PyObject* o) {
    const Attr& spec = (*op.attrs)[i];
    given_attrs |= uint64_t{1} << i;
    if (o == Py_None && !spec.required) return true;  // the default
    bp_attr a = spec.value;
    bool fine = true;
    switch (a.kind) {
      case BP_ATTR_INTS: fine = integers(o, spec.name, a); break;
      case BP_ATTR_F64: a.value.f64 = PyFloat_AsDouble(o), fine = !PyErr_Occurred(); break;
      case BP_ATTR_BOOL: a.value.i64 = PyObject_IsTrue(o), fine = a.value.i64 >= 0; break;
      case BP_ATTR_DTYPE: a.value.i64 = parse_dtype(o), fine = a.value.i64 != -2; break;
      case BP_ATTR_STR: {
        Py_ssize_t size = 0;
        a.value.str = PyUnicode_AsUTF8AndSize(o, &size);
        a.count = static_cast<uint32_t>(size);
        fine = a.value.str != nullptr;
        break;
      }
      default: fine = integer(o, spec.name, a.value.i64);
    }
    if (fine) attrs[n_attrs++] = a;
    return fine;
  }

  bool positional(Py_ssize_t k, PyObject* o) {
    const auto i = static_cast<size_t>(k);
    if (i < op.inputs->size()) return input(i, o);
    if (i - op.inputs->size() < op.attrs->size()) return attribute(i - op.inputs->size(), o);
    PyErr_Format(PyExc_TypeError, "%U() takes at most %zu positional arguments", op.name,
                 op.inputs->size() + op.attrs->size());
    return false;
  }

  bool keyword(PyObject* word, PyObject* o) {
    if (word == out_name && op.n_outputs == 1) return result(word, o);
    for (size_t i = 0; i < op.attrs->size(); ++i) {
      if (!means(word, (*op.attrs)[i].name)) continue;
      return given_attrs >> i & 1 ? twice(word) : attribute(i, o);
    }
    for (size_t i = 0; i < op.inputs->size() && !(op.flags & kPositional); ++i) {
      if (!same(word, (*op.inputs)[i])) continue;
      return given_inputs >> i & 1 ? twice(word) : input(i, o);
    }
    if (same(word, out_name) && op.n_outputs == 1) return result(word, o);
    if (same(word, device_name) && op.flags & BP_OP_FLAG_CREATES) return parse_device(o, device);
    PyErr_Format(PyExc_TypeError, "%U() got an unexpected keyword argument '%U'", op.name, word);
    return false;
  }

  bool result(PyObject* word, PyObject* o) {
    if (o != Py_None && !is_tensor(o)) return wrong(o, word, "a tensor");
    out = o == Py_None ? nullptr : o;
    return true;
  }

  bool twice(PyObject* word) {
    PyErr_Format(PyExc_TypeError, "%U() got multiple values for argument '%U'", op.name, word);
    return false;
  }

  bool complete() {
    const size_t n = op.inputs->size();
    if (!(op.flags & BP_OP_FLAG_LIST)) n_in = static_cast<uint32_t>(n);
    for (size_t i = 0; i < n; ++i) {
      if ((given_inputs | op.optional) >> i & 1) continue;
      PyErr_Format(PyExc_TypeError, "%U() missing required argument '%U'", op.name,
                   (*op.inputs)[i]);
      return false;
    }
    for (size_t i = 0; i < op.attrs->size(); ++i) {
      if (given_attrs >> i & 1 || !(*op.attrs)[i].required) continue;
      PyErr_Format(PyExc_TypeError, "%U() missing required argument '%U'", op.name,
                   (*op.attrs)[i].name);
      return false;
    }
    return true;
  }

  // Places them beside a tensor of uint64, or else of floats or complex numbers.
  bool place_beyond() {
    const bp_tensor* beside = nullptr;
    for (uint32_t i = 0; i < n_in; ++i) {
      const bp_tensor* t = few[i].kind == BP_VALUE_TENSOR ? few[i].as.tensor : nullptr;
      if (t && (!beside || bp_tensor_dtype(t) == BP_U64 ||
                bp_dtype_kind(bp_tensor_dtype(beside)) < BP_DTYPE_KIND_FLOAT))
        beside = t;
    }
    for (Beyond& b : rare->beyond) {
      to_value(b.number, b.operand);  // fails again, which is the exception if it has no place
      if (!beyond_int64(b.number, beside, b.operand, b.kept)) return false;
    }
    return true;
  }

  PyObject* run() {
    if (rare && !place_beyond()) return nullptr;
    bp_tensor* outputs[BP_MAX_OUTPUTS] = {out ? handle_of(out) : nullptr};
    bp_error* err = nullptr;
    const bool standard = op.flags & kPositional && !(op.flags & BP_OP_FLAG_LIST);
    const StandardPromotion promoted(few, standard && n_in > 1 ? n_in : 0, type);
    uint64_t token = 0;
    bp_status status = device ? bp_default_push(device, &token, &err) : BP_OK;
    if (status >= 0) {
      const bool unlocked = any_may_block(in(), n_in) || op.flags & BP_OP_FLAG_CREATES ||
                            (out && may_block(handle_of(out)));
      status = invoke(op.id, in(), n_in, attrs, n_attrs, outputs, op.n_outputs, unlocked, &err);
      if (device) bp_default_pop(token, nullptr);
    }
    if (status < 0) return raise(status, err);
    if (out) return Py_NewRef(out);
    PyTypeObject* result = type ? type : tensor_class;
    if (op.n_outputs == 1) return wrap(outputs[0], result);
    PyObject* tuple = PyTuple_New(op.n_outputs);
    for (uint32_t i = 0; i < op.n_outputs; ++i) {
      // Called without a tuple too, because it takes over the reference to the tensor.
      PyObject* o = wrap(outputs[i], result);
      if (tuple && o)
        PyTuple_SET_ITEM(tuple, i, o);
      else
        Py_CLEAR(tuple);
    }
    return tuple;
  }
};

PyObject* call_op(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* keywords) {
  const auto& op = *reinterpret_cast<OpObject*>(self);
  Call c(op);
  const Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  for (Py_ssize_t i = 0; i < n; ++i)
    if (!c.positional(i, args[i])) return nullptr;
  if (keywords)
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); ++i)
      if (!c.keyword(PyTuple_GET_ITEM(keywords, i), args[n + i])) return nullptr;
  return c.complete() ? c.run() : nullptr;
}

PyObject* bind(PyObject* op, PyObject* object, PyObject*) {
  return object ? PyMethod_New(op, object) : Py_NewRef(op);
}

PyObject* repr(PyObject* self) {
  const auto* op = reinterpret_cast<OpObject*>(self);
  return PyUnicode_FromFormat("<op %U%U>", op->name, op->signature);
}

PyObject* get_signature(PyObject* self, void*) {
  return Py_NewRef(reinterpret_cast<OpObject*>(self)->signature);
}
// What backplane/_op_docs.py, which is imported here first, says of the op beside the table's text:
// a new reference to a string, or nullptr if it says nothing, as of a user's op.
PyObject* more_doc(const OpObject& op) {
  bp_op_info info{};
  info.struct_size = sizeof info;
  PyObject* more = nullptr;
  PyObject* module = PyImport_ImportModule("backplane._op_docs");
  PyObject* docs = module ? PyObject_GetAttrString(module, "DOCS") : nullptr;
  if (docs && bp_op_get_info(op.id, &info, nullptr) >= 0)
    more = Py_XNewRef(PyDict_GetItemString(docs, info.name));
  Py_XDECREF(docs);
  Py_XDECREF(module);
  return more;
}
PyObject* get_doc(PyObject* self, void*) {
  const auto* op = reinterpret_cast<OpObject*>(self);
  PyObject* more = more_doc(*op);
  if (!more && PyErr_Occurred()) return nullptr;
  PyObject* text = PyUnicode_FromFormat(more ? "%U%U\n\n%U\n\n%U" : "%U%U\n\n%U", op->name,
                                        op->signature, op->doc, more);
  Py_XDECREF(more);
  return text;
}
PyObject* get_inputs(PyObject* self, void*) {
  const auto& names = *reinterpret_cast<OpObject*>(self)->inputs;
  PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(names.size()));
  for (size_t i = 0; tuple && i < names.size(); ++i)
    PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), Py_NewRef(names[i]));
  return tuple;
}
PyObject* get_attrs(PyObject* self, void*) {
  const auto& attrs = *reinterpret_cast<OpObject*>(self)->attrs;
  PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(attrs.size()));
  for (size_t i = 0; tuple && i < attrs.size(); ++i)
    PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), Py_NewRef(attrs[i].name));
  return tuple;
}
template <uint32_t flag>
PyObject* get_flag(PyObject* self, void*) {
  return PyBool_FromLong((reinterpret_cast<OpObject*>(self)->flags & flag) != 0);
}

PyGetSetDef properties[] = {
    {"__text_signature__", get_signature, nullptr, nullptr, nullptr},
    {"__doc__", get_doc, nullptr, nullptr, nullptr},
    {"inputs", get_inputs, nullptr, "Names of the operands.", nullptr},
    {"attrs", get_attrs, nullptr, "Names of the attributes.", nullptr},
    {"takes_list", get_flag<BP_OP_FLAG_LIST>, nullptr, "The operand is a list of tensors.",
     nullptr},
    {"elementwise", get_flag<BP_OP_FLAG_ELEMENTWISE>, nullptr, "An op of each element.", nullptr},
    {"creates", get_flag<BP_OP_FLAG_CREATES>, nullptr, "Makes data without an operand.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMemberDef members[] = {
    {"table_doc", T_OBJECT, offsetof(OpObject, doc), READONLY, "What the op table says of the op."},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(OpObject, vectorcall), READONLY, nullptr},
    {"__name__", T_OBJECT, offsetof(OpObject, name), READONLY, nullptr},
    {"outputs", T_OBJECT, offsetof(OpObject, outputs), READONLY, "Names of the results."},
    {"id", T_UINT, offsetof(OpObject, id), READONLY, "Stable number of the op."},
    {nullptr, 0, 0, 0, nullptr},
};

std::string default_text(const Attr& a) {
  switch (a.value.kind) {
    case BP_ATTR_BOOL: return a.value.value.i64 ? "True" : "False";
    case BP_ATTR_F64: {
      if (!std::isfinite(a.value.value.f64)) return "None";  // is no literal, and means "not given"
      PyObject* f = PyFloat_FromDouble(a.value.value.f64);
      nb::str text = nb::str(nb::steal(f));
      return text.c_str();
    }
    case BP_ATTR_I64: return std::to_string(a.value.value.i64);
    case BP_ATTR_STR: return "'" + std::string(a.value.value.str, a.value.count) + "'";
    default: return "None";
  }
}

std::string signature(const OpObject& op) {
  std::string s;
  const auto add = [&s](const std::string& parameter) { s += (s.empty() ? "" : ", ") + parameter; };
  for (size_t i = 0; i < op.inputs->size(); ++i)
    add(PyUnicode_AsUTF8((*op.inputs)[i]) + std::string(op.optional >> i & 1 ? "=None" : ""));
  if (op.flags & kPositional) add("/");
  const auto add_required = [&] {
    for (const Attr& a : *op.attrs)
      if (a.required) add(PyUnicode_AsUTF8(a.name));
  };
  if (!op.optional) add_required();
  if (op.n_outputs == 1 || op.flags & BP_OP_FLAG_CREATES || !op.attrs->empty()) add("*");
  if (op.optional) add_required();  // nothing without a default may stand after one
  for (const Attr& a : *op.attrs)
    if (!a.required) add(std::string(PyUnicode_AsUTF8(a.name)) + "=" + default_text(a));
  if (op.flags & BP_OP_FLAG_CREATES) add("device=None");
  if (op.n_outputs == 1) add("out=None");
  return "(" + s + ")";
}

PyObject* interned(const char* s) { return PyUnicode_InternFromString(s); }

// The names of a user's op's operands are not known.
std::string operand_name(uint32_t op, uint32_t i) {
  const char* name = nullptr;
  return bp_op_input_name(op, i, &name, nullptr) < 0 ? "x" + std::to_string(i) : name;
}
std::string output_name(uint32_t op, uint32_t i) {
  const char* name = nullptr;
  return bp_op_output_name(op, i, &name, nullptr) < 0 ? "out" + std::to_string(i) : name;
}

nb::object make_op(uint32_t id) {
  bp_op_info info{};
  info.struct_size = sizeof info;
  call([&](bp_error** err) { return bp_op_get_info(id, &info, err); });
  nb::object object = nb::steal(op_type->tp_alloc(op_type, 0));
  if (!object) throw nb::python_error();
  auto& op = *reinterpret_cast<OpObject*>(object.ptr());
  op.vectorcall = call_op;
  op.id = id;
  op.flags = info.flags;
  op.n_outputs = info.n_outputs;
  op.optional = info.optional_inputs;
  op.name = interned(info.name);
  op.doc = PyUnicode_FromString(info.doc ? info.doc : "");
  op.inputs = new std::vector<PyObject*>;
  op.attrs = new std::vector<Attr>;
  for (uint32_t i = 0; i < info.n_inputs; ++i)
    op.inputs->push_back(interned(operand_name(id, i).c_str()));
  for (uint32_t i = 0; i < info.n_attrs; ++i) {
    bp_attr_info a{};
    a.struct_size = sizeof a;
    call([&](bp_error** err) { return bp_op_attr(id, i, &a, err); });
    op.attrs->push_back(
        {interned(a.default_value.name), a.default_value, (a.flags & BP_ATTR_FLAG_REQUIRED) != 0});
  }
  op.outputs = PyTuple_New(info.n_outputs);
  for (uint32_t i = 0; i < info.n_outputs; ++i)
    PyTuple_SET_ITEM(op.outputs, i, interned(output_name(id, i).c_str()));
  op.signature = PyUnicode_FromString(signature(op).c_str());
  return object;
}

// Returns the same op under another name, whose operands have positions only.
nb::object renamed(nb::handle original, const char* name, nb::list inputs) {
  if (Py_TYPE(original.ptr()) != op_type) fail(PyExc_TypeError, "expected an op");
  nb::object object = make_op(reinterpret_cast<OpObject*>(original.ptr())->id);
  auto& op = *reinterpret_cast<OpObject*>(object.ptr());
  if (nb::len(inputs) != op.inputs->size())
    fail(PyExc_ValueError, "%U has %zu operands", op.name, op.inputs->size());
  for (size_t i = 0; i < op.inputs->size(); ++i)
    Py_SETREF((*op.inputs)[i], interned(nb::cast<const char*>(inputs[i])));
  Py_SETREF(op.name, interned(name));
  op.flags |= kPositional;
  Py_SETREF(op.signature, PyUnicode_FromString(signature(op).c_str()));
  return object;
}

void dealloc(PyObject* self) {
  auto* op = reinterpret_cast<OpObject*>(self);
  for (PyObject* name : *op->inputs) Py_DECREF(name);
  for (const Attr& a : *op->attrs) Py_DECREF(a.name);
  delete op->inputs;
  delete op->attrs;
  for (PyObject* o : {op->name, op->doc, op->signature, op->outputs}) Py_XDECREF(o);
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

void make_type(nb::module_& m) {
  PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
      {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
      {Py_tp_descr_get, reinterpret_cast<void*>(bind)},
      {Py_tp_repr, reinterpret_cast<void*>(repr)},
      {Py_tp_getset, properties},
      {Py_tp_members, members},
      {0, nullptr},
  };
  constexpr unsigned kNoNew = 1u << 7;  // Py_TPFLAGS_DISALLOW_INSTANTIATION
  PyType_Spec spec{
      "backplane._core.Op", sizeof(OpObject), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR | kNoNew,
      slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (!type) throw nb::python_error();
  op_type = reinterpret_cast<PyTypeObject*>(type);
  m.attr("Op") = nb::borrow(type);
}

}  // namespace

void bind_ops(nb::module_& m) {
  make_type(m);
  out_name = interned("out");
  device_name = interned("device");
  for (const auto& group :
       std::vector<std::vector<const char*>>{{"axis", "axes", "dim"}, {"keepdims", "keepdim"}}) {
    synonyms.emplace_back();
    for (const char* word : group) synonyms.back().push_back(interned(word));
  }
  m.def("renamed", renamed);
  m.def(
      "ops",
      [] {
        nb::list all;
        for (uint32_t i = 0; i < bp_op_count(); ++i) {
          uint32_t id = 0;
          call([&](bp_error** err) { return bp_op_at(i, &id, err); });
          bp_op_info info{};
          info.struct_size = sizeof info;
          call([&](bp_error** err) { return bp_op_get_info(id, &info, err); });
          if (info.flags & BP_OP_FLAG_FOREACH) continue;  // what optimisers are made of
          all.append(make_op(id));
        }
        return all;
      },
      "Every op that the library has now, users' own included.");
}

}  // namespace bp_py
