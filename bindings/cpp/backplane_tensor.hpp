// SPDX-License-Identifier: Apache-2.0
// backplane_tensor.hpp: Tensor, and numbers as operands (Value). Include backplane.hpp.
//
//   for (bp::Tensor row : x) row[0] = 3;  // a view that is assigned to is written
//   float* first = x.data<float>();
//   float corner = x[0][0].item<float>();
#ifndef BACKPLANE_TENSOR_HPP
#define BACKPLANE_TENSOR_HPP

#include <cstddef>
#include <functional>
#include <iterator>
#if __cplusplus >= 202002L && __has_include(<span>)
#include <span>
#endif

#include "backplane_attr.hpp"
#include "backplane_base.hpp"
#include "backplane_methods.hpp"

namespace backplane {

class Index;

// A counted handle: copies share the tensor. The ops that read as methods are inherited, from the
// op table.
class Tensor : public detail::OpMethods {
 public:
  Tensor() noexcept = default;  // empty: only assignment, defined() and get() work
  static Tensor adopt(bp_tensor* owned) noexcept {
    Tensor t;
    t.handle_ = owned;
    return t;
  }
  Tensor(const Tensor& o) noexcept : handle_(o.handle_ ? bp_tensor_retain(o.handle_) : nullptr) {}
  Tensor(Tensor&& o) noexcept : handle_(std::exchange(o.handle_, nullptr)) {}
  Tensor& operator=(Tensor o) & noexcept {
    std::swap(handle_, o.handle_);
    return *this;
  }
  // To assign to what an expression gives writes its elements: x[0][1] = 3; x[2] = row;
  Tensor& operator=(const Value& value) &&;
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): a copy of a tensor to itself does nothing.
  Tensor& operator=(const Tensor& values) && { return copy_(values); }
  static Tensor share(bp_tensor* borrowed) noexcept {
    return adopt(borrowed ? bp_tensor_retain(borrowed) : nullptr);
  }
  ~Tensor() { bp_tensor_release(handle_); }

  bool defined() const noexcept { return handle_ != nullptr; }  // false: the tensor is empty
  // No tensor is a condition: `x == y` is a tensor too. Ask defined(), or item<bool>().
  explicit operator bool() const = delete;
  bp_tensor* get() const noexcept { return handle_; }                        // borrowed
  bp_tensor* release() noexcept { return std::exchange(handle_, nullptr); }  // now the caller's
  bool is(const Tensor& o) const noexcept { return handle_ == o.handle_; }   // the very same handle
  bool shares_storage(const Tensor& o) const noexcept {
    return bp_tensor_same_storage(handle_, o.handle_) != 0;
  }

  Dtype dtype() const noexcept { return Dtype(bp_tensor_dtype(handle_)); }
  std::int32_t rank() const noexcept { return bp_tensor_rank(handle_); }
  std::int64_t dim() const noexcept { return rank(); }
  Shape shape() const { return list(bp_tensor_shape(handle_)); }
  Shape sizes() const { return shape(); }
  Shape strides() const { return list(bp_tensor_strides(handle_)); }  // in elements
  // The distance of the first element from the start of the storage, in elements.
  std::int64_t offset() const noexcept { return bp_tensor_offset(handle_); }
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
  // The same as a T*. Throws BP_DTYPE_MISMATCH if T is not the dtype's type.
  template <class T>
  T* data() const {
    need_dtype<std::remove_const_t<T>>("data");
    return static_cast<T*>(data());
  }
#ifdef __cpp_lib_span
  // The elements of a contiguous tensor of the CPU, while the tensor lives. Throws
  // BP_DEVICE_MISMATCH on another device, and BP_INVALID_ARGUMENT if there are gaps.
  template <class T>
  std::span<T> span() const {
    need_host_row("span");
    return {data<T>(), static_cast<std::size_t>(numel())};
  }
#endif
  std::string str(const bp_print_options* options = nullptr) const {
    return detail::text([&](char* buf, std::uint64_t n, std::uint64_t* needed, bp_error** e) {
      return bp_tensor_format(handle_, options, buf, n, needed, e);
    });
  }

  // ---- views: no data moves, but for a reshape that must copy ----
  Tensor reshape(const Ints& shape) const;
  Tensor view(const Ints& shape) const;
  Tensor permute(const Ints& dims) const;
  Tensor transpose(std::int64_t dim0, std::int64_t dim1) const;
  Tensor t() const { return transpose(-2, -1); }
  Tensor slice(std::int64_t dim, std::int64_t start = BP_SLICE_NONE,
               std::int64_t end = BP_SLICE_NONE, std::int64_t step = 1) const;
  Tensor narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const;
  Tensor select(std::int64_t dim, std::int64_t index) const;
  Tensor expand(const Ints& shape) const;
  Tensor squeeze(const Ints& dims = {}) const;
  Tensor unsqueeze(std::int64_t dim) const;
  Tensor flatten(std::int64_t first = 0, std::int64_t last = -1) const;
  Tensor diagonal(std::int64_t offset = 0, std::int64_t dim1 = 0, std::int64_t dim2 = 1) const;
  Tensor flip(const Ints& dims) const;
  // Any view of the storage; strides and offset count elements.
  Tensor as_strided(const Ints& shape, const Ints& strides, std::int64_t offset = 0) const;
  Tensor view_as_real() const;     // [..., 2] of a complex tensor
  Tensor view_as_complex() const;  // the way back
  Tensor alias() const;            // the same data, a handle of its own
  // Makes this tensor a view of from's data. It keeps its handle, history and requires_grad().
  void set_data(const Tensor& from) {
    detail::call([&](bp_error** e) { return bp_tensor_set_data(handle_, from.get(), e); });
  }

  // Rows, views along the first dimension: for (bp::Tensor row : x) ...
  class Rows {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Tensor;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Tensor;
    Rows(const Tensor& of, std::int64_t at) noexcept : of_(&of), at_(at) {}
    Tensor operator*() const { return of_->select(0, at_); }
    Rows& operator++() noexcept { return ++at_, *this; }
    friend bool operator==(const Rows& a, const Rows& b) noexcept { return a.at_ == b.at_; }
    friend bool operator!=(const Rows& a, const Rows& b) noexcept { return a.at_ != b.at_; }

   private:
    const Tensor* of_;
    std::int64_t at_;
  };
  Rows begin() const noexcept { return {*this, 0}; }
  Rows end() const {
    if (rank() == 0) throw Error(BP_INVALID_ARGUMENT, "iteration over a 0-d tensor");
    return {*this, size(0)};
  }

  // ---- indexing; see backplane_index.hpp ----
  // x[2] is a row, x[mask] a copy of what the mask selects.
  Tensor operator[](const Index& index) const;
  // Integers, Slice, None and Ellipsis make views; a tensor of integers or a mask copies what it
  // selects, as bp_tensor_index does. An empty Tensor{} selects the whole dimension.
  Tensor index(std::initializer_list<Index> indices) const;
  Tensor index(const std::vector<Index>& indices) const;
  Tensor index(const std::vector<Tensor>& indices) const;
  // Writes there. A number, or values that broadcast to what index() gives; with accumulate they
  // are added.
  Tensor& index_put_(std::initializer_list<Index> indices, const Value& values,
                     bool accumulate = false);
  Tensor& index_put_(const std::vector<Index>& indices, const Value& values,
                     bool accumulate = false);
  Tensor& index_put_(const std::vector<Tensor>& indices, const Value& values,
                     bool accumulate = false);

  // ---- copies; `to` returns the same tensor when nothing new is asked for ----
  Tensor to(Device device, bp_dtype dtype = BP_DTYPE_NONE, bool copy = false,
            bool non_blocking = false) const;
  Tensor to(bp_dtype dtype) const { return to(Device(), dtype); }
  Tensor to(const TensorOptions& o) const { return to(o.device, o.dtype); }
  Tensor cpu() const { return to(Device::make(BP_KIND_CPU, -1)); }
  // Returns a copy on the CPU in pinned memory, which the accelerator's backend copies to and from
  // while the program works.
  Tensor pin_memory(Device device) const;
  Tensor clone() const;
  Tensor contiguous() const;
  Tensor& copy_(const Tensor& src, bool non_blocking = false);
  Tensor& fill_(const Value& value);
  Tensor& zero_();

  // ---- tensors of another shape, and of this one's dtype and device where none is given ----
  Tensor new_empty(const Ints& shape, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) const;
  Tensor new_zeros(const Ints& shape, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) const;
  Tensor new_ones(const Ints& shape, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) const;
  Tensor new_full(const Ints& shape, const Value& value, bp_dtype dtype = BP_DTYPE_NONE,
                  Device device = {}) const;

  // ---- other names for ops ----
  Tensor mm(const Tensor& b) const;   // two matrices
  Tensor bmm(const Tensor& b) const;  // [n, i, j] and [n, j, k]
  Tensor clamp(const Value& min, const Value& max) const;
  Tensor norm() const;  // the square root of the sum of squares

  // ---- gradients; see backplane_autograd.hpp ----
  bool requires_grad() const noexcept;
  Tensor& set_requires_grad(bool on = true);
  Tensor& requires_grad_(bool on = true) { return set_requires_grad(on); }
  bool is_leaf() const noexcept { return bp_tensor_is_leaf(handle_) != 0; }
  std::string grad_fn() const;                     // what made it, "AddBackward0"; "" for a leaf
  void retain_grad();                              // of one that is no leaf
  Tensor grad() const;                             // empty if none has arrived
  void set_grad(const Tensor& grad);               // an empty one removes it
  Tensor detach() const;                           // the same data without a history
  void backward(bool retain_graph = false) const;  // of one element
  // Calls hook(gradient) when a gradient comes by on its way to this tensor; what it returns takes
  // the gradient's place, unless it is empty or the hook returns nothing. Returns the hook's id.
  template <class F>
  std::uint64_t register_hook(F hook);
  // Calls hook(leaf) when a backward has added to this leaf's gradient.
  std::uint64_t register_accumulated_hook(std::function<void(const Tensor&)> hook);
  void remove_hook(std::uint64_t id);

  // ---- DLPack: structs over this memory, which they keep alive; see c_dlpack.h ----
  // The caller owns the struct. flags are BP_DLPACK_*.
  DLManagedTensorVersioned* to_dlpack(std::uint32_t flags = 0) const;
  DLManagedTensor* to_dlpack_unversioned(std::uint32_t flags = 0) const;
  std::pair<std::int32_t, std::int32_t> dlpack_device() const;  // DLDevice's type and id

  // ---- in place: this tensor keeps its dtype, shape and device ----
  Tensor& operator+=(const Value& b);
  Tensor& operator-=(const Value& b);
  Tensor& operator*=(const Value& b);
  Tensor& operator/=(const Value& b);

 private:
  Shape list(const std::int64_t* p) const { return p ? Shape(p, p + rank()) : Shape(); }
  template <class T>
  void need_dtype(const char* what) const;
  void need_host_row(const char* what) const;
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
  bool is_tensor() const noexcept { return value_.kind == BP_VALUE_TENSOR; }
  bp_tensor* tensor() const noexcept { return value_.as.tensor; }  // borrowed; if it is one

 private:
  bp_value value_{};
};

namespace detail {

// What a C function of one output fills in. Names no lambda, which printed functions would pay for
// in compile time.
struct Call {
  bp_tensor* out = nullptr;
  bp_error* err = nullptr;
  Tensor made(bp_status status) {
    checked(status, err);
    return Tensor::adopt(out);
  }
  void done(bp_status status) { checked(status, err); }
};
// The same of n outputs: a pair, or a tuple of more.
template <std::size_t n>
struct CallOf {
  bp_tensor* out[n] = {};
  bp_error* err = nullptr;
  auto made(bp_status status) {
    checked(status, err);
    return tupled(std::make_index_sequence<n>());
  }

 private:
  template <std::size_t... i>
  auto tupled(std::index_sequence<i...>) {
    if constexpr (n == 2)
      return std::make_pair(Tensor::adopt(out[0]), Tensor::adopt(out[1]));
    else
      return std::make_tuple(Tensor::adopt(out[i])...);
  }
};

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
  for (std::uint32_t i = 0; i < n; ++i) out.push_back(Tensor::share(list[i]));
  return out;
}
inline std::vector<bp_tensor*> handles(const std::vector<Tensor>& tensors) {
  return borrowed(tensors);
}

// The functions of an op of two operands.
struct Binary {
  std::uint32_t op;
  bp_status (*tensors)(bp_tensor*, bp_tensor*, bp_tensor**, bp_error**);
  bp_status (*number)(bp_tensor*, const bp_value*, bp_tensor**, bp_error**);
};
struct BinaryOut {
  std::uint32_t op;
  bp_status (*into)(bp_tensor*, bp_tensor*, bp_tensor*, bp_error**);
};
inline Tensor binary(const Binary& op, const Value& a, const Value& b) {
  Call c;
  if (a.is_tensor())
    return c.made(b.is_tensor() ? op.tensors(a.tensor(), b.tensor(), &c.out, &c.err)
                                : op.number(a.tensor(), b, &c.out, &c.err));
  const bp_value in[2] = {a.get(), b.get()};
  return c.made(bp_invoke(op.op, in, 2, nullptr, 0, &c.out, 1, &c.err));
}
// Writes into `out`, which may be one of the operands.
inline const Tensor& binary_out(const BinaryOut& op, const Tensor& out, const Value& a,
                                const Value& b) {
  Call c;
  const bp_value in[2] = {a.get(), b.get()};
  bp_tensor* into = out.get();
  c.done(a.is_tensor() && b.is_tensor() ? op.into(a.tensor(), b.tensor(), into, &c.err)
                                        : bp_invoke(op.op, in, 2, nullptr, 0, &into, 1, &c.err));
  return out;
}
inline const Tensor& invoke_out(std::uint32_t op, const Tensor& out,
                                std::initializer_list<Value> operands) {
  std::vector<bp_value> in;
  for (const Value& v : operands) in.push_back(v.get());
  bp_tensor* into = out.get();
  Call c;
  c.done(bp_invoke(op, in.data(), length(in), nullptr, 0, &into, 1, &c.err));
  return out;
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
void Tensor::need_dtype(const char* what) const {
  if (dtype() != dtype_of<T>())
    throw Error(BP_DTYPE_MISMATCH, std::string(what) + ": the tensor is " + dtype().name() +
                                       ", the C++ type " + bp_dtype_name(dtype_of<T>()) +
                                       "; convert it with to(dtype) first");
}
inline void Tensor::need_host_row(const char* what) const {
  if (device().kind() != BP_KIND_CPU)
    throw Error(BP_DEVICE_MISMATCH,
                std::string(what) + ": the tensor is on " + device().str() +
                    ", whose memory the program does not see; take cpu() first");
  if (!is_contiguous())
    throw Error(BP_INVALID_ARGUMENT,
                std::string(what) +
                    ": the tensor's elements do not lie in row-major order without gaps; "
                    "take contiguous() first");
}

template <class T>
std::vector<T> Tensor::read() const {
  need_dtype<T>("read");
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

inline Tensor Tensor::reshape(const Ints& shape) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_reshape(handle_, shape.rank(), shape.data(), out, e);
  });
}
inline Tensor Tensor::view(const Ints& shape) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_view(handle_, shape.rank(), shape.data(), out, e);
  });
}
inline Tensor Tensor::permute(const Ints& dims) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_permute(handle_, dims.rank(), dims.data(), out, e);
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
inline Tensor Tensor::expand(const Ints& shape) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_expand(handle_, shape.rank(), shape.data(), out, e);
  });
}
inline Tensor Tensor::squeeze(const Ints& dims) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_squeeze(handle_, dims.data(), dims.size(), out, e);
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
inline Tensor Tensor::flip(const Ints& dims) const {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_flip(handle_, dims.data(), dims.size(), out, e);
  });
}
inline Tensor Tensor::as_strided(const Ints& shape, const Ints& strides,
                                 std::int64_t offset) const {
  if (shape.size() != strides.size())
    throw Error(BP_INVALID_ARGUMENT, "as_strided: " + std::to_string(shape.size()) + " sizes and " +
                                         std::to_string(strides.size()) + " strides");
  detail::Call c;
  return c.made(bp_tensor_as_strided(handle_, shape.rank(), shape.data(), strides.data(), offset,
                                     &c.out, &c.err));
}
inline Tensor Tensor::view_as_real() const {
  detail::Call c;
  return c.made(bp_tensor_view_as_real(handle_, &c.out, &c.err));
}
inline Tensor Tensor::view_as_complex() const {
  detail::Call c;
  return c.made(bp_tensor_view_as_complex(handle_, &c.out, &c.err));
}
inline Tensor Tensor::alias() const {
  detail::Call c;
  return c.made(bp_tensor_alias(handle_, &c.out, &c.err));
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
inline Tensor& Tensor::zero_() { return fill_(0); }
inline Tensor& Tensor::operator=(const Value& value) && { return fill_(value); }

}  // namespace backplane
#endif
