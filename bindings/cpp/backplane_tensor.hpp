// SPDX-License-Identifier: Apache-2.0
// backplane_tensor.hpp: Tensor, numbers as operands (Value), operators. Include backplane.hpp.
#ifndef BACKPLANE_TENSOR_HPP
#define BACKPLANE_TENSOR_HPP

#include "backplane_base.hpp"

namespace backplane {

class Value;

class Tensor {
 public:
  Tensor() noexcept = default;  // empty: only assignment, bool and get() work
  static Tensor adopt(bp_tensor* owned) noexcept {
    Tensor t;
    t.handle_ = owned;
    return t;
  }
  Tensor(const Tensor& o) noexcept : handle_(o.handle_ ? bp_tensor_retain(o.handle_) : nullptr) {}
  Tensor(Tensor&& o) noexcept : handle_(std::exchange(o.handle_, nullptr)) {}
  Tensor& operator=(Tensor o) noexcept {
    std::swap(handle_, o.handle_);
    return *this;
  }
  ~Tensor() { bp_tensor_release(handle_); }

  explicit operator bool() const noexcept { return handle_ != nullptr; }
  bp_tensor* get() const noexcept { return handle_; }                        // borrowed
  bp_tensor* release() noexcept { return std::exchange(handle_, nullptr); }  // now the caller's
  bool is(const Tensor& o) const noexcept { return handle_ == o.handle_; }   // the very same handle
  bool shares_storage(const Tensor& o) const noexcept {
    return bp_tensor_same_storage(handle_, o.handle_) != 0;
  }

  bp_dtype dtype() const noexcept { return bp_tensor_dtype(handle_); }
  std::int32_t rank() const noexcept { return bp_tensor_rank(handle_); }
  Shape shape() const { return list(bp_tensor_shape(handle_)); }
  Shape strides() const { return list(bp_tensor_strides(handle_)); }
  std::int64_t numel() const noexcept { return bp_tensor_numel(handle_); }
  Device device() const noexcept { return Device::from_value(bp_tensor_device(handle_)); }
  bool is_pinned() const noexcept { return bp_tensor_is_pinned(handle_) != 0; }
  bool is_contiguous() const noexcept { return bp_tensor_is_contiguous(handle_) != 0; }
  std::uint64_t version() const noexcept { return bp_tensor_version(handle_); }
  // Returns the size of a dimension; a negative one counts from the end.
  std::int64_t size(std::int32_t dim) const;

  // ---- data on the host ----
  template <class T>
  T item() const;
  template <class T>
  std::vector<T> read() const;  // row-major; T must be the dtype's type
  template <class T>
  void write(const std::vector<T>& values);
  // Waits for pending writes and returns the address of the first element in the device's memory.
  void* data() const {
    void* out = nullptr;
    detail::call([&](bp_error** e) { return bp_tensor_data(handle_, &out, e); });
    return out;
  }
  std::string str(const bp_print_options* options = nullptr) const {
    return detail::text([&](char* buf, std::uint64_t n, std::uint64_t* needed, bp_error** e) {
      return bp_tensor_format(handle_, options, buf, n, needed, e);
    });
  }

  // ---- views: no data moves, but for a reshape that must copy ----
  Tensor reshape(const Shape& shape) const;
  Tensor view(const Shape& shape) const;
  Tensor permute(const Shape& dims) const;
  Tensor transpose(std::int64_t dim0, std::int64_t dim1) const;
  Tensor t() const { return transpose(-2, -1); }
  Tensor slice(std::int64_t dim, std::int64_t start = BP_SLICE_NONE,
               std::int64_t end = BP_SLICE_NONE, std::int64_t step = 1) const;
  Tensor narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const;
  Tensor select(std::int64_t dim, std::int64_t index) const;
  Tensor operator[](std::int64_t index) const { return select(0, index); }
  Tensor expand(const Shape& shape) const;
  Tensor squeeze(const Shape& dims = {}) const;
  Tensor unsqueeze(std::int64_t dim) const;
  Tensor flatten(std::int64_t first = 0, std::int64_t last = -1) const;
  Tensor diagonal(std::int64_t offset = 0, std::int64_t dim1 = 0, std::int64_t dim2 = 1) const;
  Tensor flip(const Shape& dims) const;

  // Copies what tensors of integers or masks of bools select, as bp_tensor_index does. An empty
  // Tensor{} selects the whole dimension.
  Tensor index(const std::vector<Tensor>& indices) const;
  Tensor& index_put_(const std::vector<Tensor>& indices, const Tensor& values,
                     bool accumulate = false);

  // ---- copies; `to` returns the same tensor when nothing new is asked for ----
  Tensor to(Device device, bp_dtype dtype = BP_DTYPE_NONE, bool copy = false,
            bool non_blocking = false) const;
  Tensor to(bp_dtype dtype) const { return to(Device(), dtype); }
  Tensor cpu() const { return to(Device::make(BP_KIND_CPU, -1)); }
  // Returns a copy on the CPU in pinned memory, which the accelerator's backend copies to and from
  // while the program works.
  Tensor pin_memory(Device device) const;
  Tensor clone() const;
  Tensor contiguous() const;
  Tensor& copy_(const Tensor& src, bool non_blocking = false);
  Tensor& fill_(const Value& value);

  // ---- gradients; see backplane_autograd.hpp ----
  bool requires_grad() const noexcept;
  Tensor& set_requires_grad(bool on = true);
  Tensor grad() const;                             // empty if none has arrived
  void set_grad(const Tensor& grad);               // an empty one removes it
  Tensor detach() const;                           // the same data without a history
  void backward(bool retain_graph = false) const;  // of one element

  // Returns DLPack 1.x's struct over this memory, which it keeps alive. The caller owns it. See
  // c_dlpack.h.
  DLManagedTensorVersioned* to_dlpack() const {
    DLManagedTensorVersioned* out = nullptr;
    detail::call([&](bp_error** e) { return bp_tensor_to_dlpack(handle_, 0, &out, e); });
    return out;
  }

  // ---- in place: this tensor keeps its dtype, shape and device ----
  Tensor& operator+=(const Value& b);
  Tensor& operator-=(const Value& b);
  Tensor& operator*=(const Value& b);
  Tensor& operator/=(const Value& b);

 private:
  Shape list(const std::int64_t* p) const { return p ? Shape(p, p + rank()) : Shape(); }
  bp_tensor* handle_ = nullptr;
};

// An operand: a tensor (borrowed) or a number, which promotes as PyTorch's numbers do.
class Value {
 public:
  Value(const Tensor& t) noexcept {
    value_.kind = BP_VALUE_TENSOR;
    value_.as.tensor = t.get();
  }
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
  Value(T number) {
    if (std::is_floating_point<T>::value) {
      value_.kind = BP_VALUE_F64;
      value_.as.f64 = static_cast<double>(number);
      return;
    }
    value_.kind = std::is_same<T, bool>::value ? BP_VALUE_BOOL : BP_VALUE_I64;
    value_.as.i64 = static_cast<std::int64_t>(number);
    if (std::is_unsigned<T>::value && value_.as.i64 < 0)
      throw Error(BP_INVALID_ARGUMENT,
                  "the number " + std::to_string(number) + " does not fit in int64");
  }
  template <class T>
  Value(const std::complex<T>& number) noexcept {
    value_.kind = BP_VALUE_C128;
    value_.as.c128[0] = static_cast<double>(number.real());
    value_.as.c128[1] = static_cast<double>(number.imag());
  }
  const bp_value& get() const noexcept { return value_; }
  operator const bp_value*() const noexcept { return &value_; }

 private:
  bp_value value_{};
};

namespace detail {

// Calls f(bp_tensor** out, bp_error** err) and returns the tensor it made.
template <class F>
Tensor make(F&& f) {
  bp_tensor* out = nullptr;
  call([&](bp_error** e) { return f(&out, e); });
  return Tensor::adopt(out);
}
// Returns the n owned tensors that f(bp_tensor**, err) makes.
template <class F>
std::vector<Tensor> adopted(std::uint32_t n, F&& f) {
  std::vector<bp_tensor*> made(n);
  call([&](bp_error** e) { return f(made.data(), e); });
  std::vector<Tensor> out;
  for (bp_tensor* t : made) out.push_back(Tensor::adopt(t));
  return out;
}
// Returns borrowed handles: the caller keeps its own references.
inline std::vector<Tensor> shared(bp_tensor* const* list, std::uint32_t n) {
  std::vector<Tensor> out;
  for (std::uint32_t i = 0; i < n; ++i) out.push_back(Tensor::adopt(bp_tensor_retain(list[i])));
  return out;
}
// Calls f(bp_tensor** const out[n], bp_error** err) and returns a pair of tensors, or a tuple of
// more.
template <std::size_t n, class F>
auto make_several(F&& f) {
  bp_tensor *made[n] = {}, **out[n];
  for (std::size_t i = 0; i < n; ++i) out[i] = &made[i];
  call([&](bp_error** e) { return f(out, e); });
  if constexpr (n == 2)
    return std::make_pair(Tensor::adopt(made[0]), Tensor::adopt(made[1]));
  else if constexpr (n == 3)
    return std::make_tuple(Tensor::adopt(made[0]), Tensor::adopt(made[1]), Tensor::adopt(made[2]));
  else
    return std::make_tuple(Tensor::adopt(made[0]), Tensor::adopt(made[1]), Tensor::adopt(made[2]),
                           Tensor::adopt(made[3]));
}

inline Tensor binary(std::uint32_t op, const Value& a, const Value& b) {
  const bp_value in[2] = {a.get(), b.get()};
  return make(
      [&](bp_tensor** out, bp_error** e) { return bp_invoke(op, in, 2, nullptr, 0, out, 1, e); });
}
inline void binary_into(std::uint32_t op, const Tensor& a, const Value& b) {
  const bp_value in[2] = {Value(a).get(), b.get()};
  bp_tensor* out = a.get();
  call([&](bp_error** e) { return bp_invoke(op, in, 2, nullptr, 0, &out, 1, e); });
}

}  // namespace detail

// Any op may be called by its id, which find_op says for a name; a user's own op too. Attributes go
// by name, and those that are not given have their defaults.
inline std::uint32_t find_op(const std::string& name) {
  std::uint32_t op = 0;
  detail::call([&](bp_error** e) { return bp_op_find(detail::c_text(name), &op, e); });
  return op;
}
inline std::vector<Tensor> invoke(std::uint32_t op, const std::vector<Value>& in,
                                  const Attrs& attrs = {}, std::uint32_t n_out = 1) {
  const auto values = detail::borrowed(in);
  const auto given = detail::borrowed(attrs);
  std::vector<bp_tensor*> out(n_out);
  detail::call([&](bp_error** e) {
    return bp_invoke(op, values.data(), detail::length(values), given.data(), detail::length(given),
                     out.data(), n_out, e);
  });
  std::vector<Tensor> made;
  for (bp_tensor* t : out) made.push_back(Tensor::adopt(t));
  return made;
}

inline Tensor operator+(const Value& a, const Value& b) { return detail::binary(BP_OP_ADD, a, b); }
inline Tensor operator-(const Value& a, const Value& b) { return detail::binary(BP_OP_SUB, a, b); }
inline Tensor operator*(const Value& a, const Value& b) { return detail::binary(BP_OP_MUL, a, b); }
inline Tensor operator/(const Value& a, const Value& b) { return detail::binary(BP_OP_DIV, a, b); }
inline Tensor operator%(const Value& a, const Value& b) {
  return detail::binary(BP_OP_REMAINDER, a, b);
}
inline Tensor operator<(const Value& a, const Value& b) { return detail::binary(BP_OP_LT, a, b); }
inline Tensor operator<=(const Value& a, const Value& b) { return detail::binary(BP_OP_LE, a, b); }
inline Tensor operator>(const Value& a, const Value& b) { return detail::binary(BP_OP_GT, a, b); }
inline Tensor operator>=(const Value& a, const Value& b) { return detail::binary(BP_OP_GE, a, b); }
inline Tensor operator-(const Tensor& x) { return invoke(BP_OP_NEG, {x})[0]; }
inline std::ostream& operator<<(std::ostream& out, const Tensor& t) { return out << t.str(); }

// ---- members of Tensor ----
inline std::int64_t Tensor::size(std::int32_t dim) const {
  const std::int32_t n = rank();
  if (dim < -n || dim >= n)
    throw Error(BP_INDEX_OUT_OF_RANGE, "Dimension out of range (expected to be in range of [" +
                                           std::to_string(-n) + ", " + std::to_string(n - 1) +
                                           "], but got " + std::to_string(dim) + ")");
  return bp_tensor_shape(handle_)[dim < 0 ? dim + n : dim];
}

template <class T>
std::vector<T> Tensor::read() const {
  if (dtype() != dtype_of<T>())
    throw Error(BP_DTYPE_MISMATCH, std::string("read: the tensor is ") + bp_dtype_name(dtype()) +
                                       ", the C++ type " + bp_dtype_name(dtype_of<T>()) +
                                       "; convert it with to(dtype) first");
  // vector<bool> has no bytes; a bool tensor has one for each element.
  using Byte = std::conditional_t<std::is_same<T, bool>::value, unsigned char, T>;
  std::vector<Byte> out(static_cast<std::size_t>(numel()));
  detail::call([&](bp_error** e) {
    return bp_tensor_read(handle_, out.data(), out.size() * sizeof(Byte), e);
  });
  if constexpr (std::is_same<T, bool>::value)
    return std::vector<bool>(out.begin(), out.end());
  else
    return out;
}

template <class T>
void Tensor::write(const std::vector<T>& values) {
  static_assert(!std::is_same<T, bool>::value, "write bools as std::vector<unsigned char>");
  if (dtype() != dtype_of<T>() && !(dtype() == BP_BOOL && sizeof(T) == 1))
    throw Error(BP_DTYPE_MISMATCH, std::string("write: the tensor is ") + bp_dtype_name(dtype()) +
                                       ", the C++ type " + bp_dtype_name(dtype_of<T>()));
  detail::call([&](bp_error** e) {
    return bp_tensor_write(handle_, values.data(), values.size() * sizeof(T), e);
  });
}

template <class T>
T Tensor::item() const {
  if constexpr (detail::IsComplex<T>::value) {
    using Part = typename T::value_type;
    bp_value v{};
    detail::call([&](bp_error** e) { return bp_tensor_item(handle_, &v, e); });
    if (v.kind == BP_VALUE_C128)
      return T(static_cast<Part>(v.as.c128[0]), static_cast<Part>(v.as.c128[1]));
    return T(v.kind == BP_VALUE_F64 ? static_cast<Part>(v.as.f64) : static_cast<Part>(v.as.i64));
  } else {
    bp_value v{};
    detail::call([&](bp_error** e) { return bp_tensor_item(handle_, &v, e); });
    if (v.kind == BP_VALUE_C128)
      throw Error(BP_DTYPE_MISMATCH, "item: a complex number does not fit in a real one");
    return v.kind == BP_VALUE_F64 ? static_cast<T>(v.as.f64) : static_cast<T>(v.as.i64);
  }
}

inline Tensor Tensor::reshape(const Shape& shape) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_reshape(handle_, detail::rank(shape), shape.data(), out, e);
  });
}
inline Tensor Tensor::view(const Shape& shape) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_view(handle_, detail::rank(shape), shape.data(), out, e);
  });
}
inline Tensor Tensor::permute(const Shape& dims) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_permute(handle_, detail::rank(dims), dims.data(), out, e);
  });
}
inline Tensor Tensor::transpose(std::int64_t dim0, std::int64_t dim1) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_transpose(handle_, dim0, dim1, out, e);
  });
}
inline Tensor Tensor::slice(std::int64_t dim, std::int64_t start, std::int64_t end,
                            std::int64_t step) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_slice(handle_, dim, start, end, step, out, e);
  });
}
inline Tensor Tensor::narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_narrow(handle_, dim, start, length, out, e);
  });
}
inline Tensor Tensor::select(std::int64_t dim, std::int64_t index) const {
  return detail::make(
      [&](bp_tensor** out, bp_error** e) { return bp_tensor_select(handle_, dim, index, out, e); });
}
inline Tensor Tensor::index(const std::vector<Tensor>& indices) const {
  std::vector<bp_tensor*> at;
  for (const Tensor& i : indices) at.push_back(i.get());
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_index(handle_, at.data(), static_cast<std::uint32_t>(at.size()), out, e);
  });
}
inline Tensor& Tensor::index_put_(const std::vector<Tensor>& indices, const Tensor& values,
                                  bool accumulate) {
  std::vector<bp_tensor*> at;
  for (const Tensor& i : indices) at.push_back(i.get());
  detail::call([&](bp_error** e) {
    return bp_tensor_index_put(handle_, at.data(), static_cast<std::uint32_t>(at.size()),
                               values.get(), accumulate, e);
  });
  return *this;
}
inline Tensor Tensor::expand(const Shape& shape) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_expand(handle_, detail::rank(shape), shape.data(), out, e);
  });
}
inline Tensor Tensor::squeeze(const Shape& dims) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_squeeze(handle_, dims.data(), static_cast<std::uint32_t>(dims.size()), out, e);
  });
}
inline Tensor Tensor::unsqueeze(std::int64_t dim) const {
  return detail::make(
      [&](bp_tensor** out, bp_error** e) { return bp_tensor_unsqueeze(handle_, dim, out, e); });
}
inline Tensor Tensor::flatten(std::int64_t first, std::int64_t last) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_flatten(handle_, first, last, out, e);
  });
}
inline Tensor Tensor::diagonal(std::int64_t offset, std::int64_t dim1, std::int64_t dim2) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_diagonal(handle_, offset, dim1, dim2, out, e);
  });
}
inline Tensor Tensor::flip(const Shape& dims) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_flip(handle_, dims.data(), static_cast<std::uint32_t>(dims.size()), out, e);
  });
}
inline Tensor Tensor::to(Device device, bp_dtype dtype, bool copy, bool non_blocking) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_to(handle_, device.value(), dtype, copy, non_blocking, out, e);
  });
}
inline Tensor Tensor::pin_memory(Device device) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_pin_memory(handle_, device.value(), out, e);
  });
}
inline Tensor Tensor::clone() const {
  return detail::make(
      [&](bp_tensor** out, bp_error** e) { return bp_tensor_clone(handle_, out, e); });
}
inline Tensor Tensor::contiguous() const {
  return detail::make(
      [&](bp_tensor** out, bp_error** e) { return bp_tensor_contiguous(handle_, out, e); });
}
inline Tensor& Tensor::copy_(const Tensor& src, bool non_blocking) {
  detail::call([&](bp_error** e) { return bp_tensor_copy_(handle_, src.get(), non_blocking, e); });
  return *this;
}
inline Tensor& Tensor::fill_(const Value& value) {
  detail::call([&](bp_error** e) { return bp_tensor_fill_(handle_, value, e); });
  return *this;
}
inline Tensor& Tensor::operator+=(const Value& b) {
  return detail::binary_into(BP_OP_ADD, *this, b), *this;
}
inline Tensor& Tensor::operator-=(const Value& b) {
  return detail::binary_into(BP_OP_SUB, *this, b), *this;
}
inline Tensor& Tensor::operator*=(const Value& b) {
  return detail::binary_into(BP_OP_MUL, *this, b), *this;
}
inline Tensor& Tensor::operator/=(const Value& b) {
  return detail::binary_into(BP_OP_DIV, *this, b), *this;
}

}  // namespace backplane
#endif
