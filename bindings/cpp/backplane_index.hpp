// SPDX-License-Identifier: Apache-2.0
// backplane_index.hpp: what stands in the brackets: integers, Slice, None, Ellipsis, tensors.
// Include backplane.hpp.
//
//   x.index({bp::Slice(0, 2), bp::None, 1});      // as x[0:2, None, 1] in Python: a view
//   x.index({bp::Ellipsis, bp::Slice(bp::None, bp::None, -1)});
//   x.index({x[0] > 0});                          // a mask selects: a copy
//   x.index_put_({bp::Slice(), 1}, 7);            // x[:, 1] = 7
#ifndef BACKPLANE_INDEX_HPP
#define BACKPLANE_INDEX_HPP

#include "backplane_tensor.hpp"

namespace backplane {

// A bound that is not given, or a new dimension of size 1.
struct NoneType {
  constexpr operator std::int64_t() const noexcept { return BP_SLICE_NONE; }
};
inline constexpr NoneType None{};
// As many whole dimensions as are left.
struct EllipsisType {};
inline constexpr EllipsisType Ellipsis{};

// Part of a dimension by Python's rules: negative bounds count from the end, and step is not 0.
struct Slice {
  explicit Slice(std::int64_t from = None, std::int64_t to = None, std::int64_t by = 1)
      : start(from), stop(to), step(by) {}
  std::int64_t start, stop, step;
};

class Index {
 public:
  enum class Kind { kInteger, kSlice, kNone, kEllipsis, kTensor };
  template <class T,
            class = std::enable_if_t<std::is_integral<T>::value && !std::is_same<T, bool>::value>>
  Index(T at) : kind_(Kind::kInteger), slice_(static_cast<std::int64_t>(at)) {}
  Index(const Slice& slice) : kind_(Kind::kSlice), slice_(slice) {}
  Index(NoneType) : kind_(Kind::kNone) {}
  Index(EllipsisType) : kind_(Kind::kEllipsis) {}
  // Integers or a mask; an empty tensor selects the whole dimension.
  Index(Tensor at) : kind_(at.defined() ? Kind::kTensor : Kind::kSlice), tensor_(std::move(at)) {}

  Kind kind() const noexcept { return kind_; }
  const Slice& slice() const noexcept { return slice_; }  // of an integer: its start
  const Tensor& tensor() const noexcept { return tensor_; }
  // Returns how many dimensions it stands for; of an Ellipsis 0.
  std::int32_t dims() const noexcept {
    if (kind_ == Kind::kNone || kind_ == Kind::kEllipsis) return 0;
    return kind_ == Kind::kTensor && tensor_.dtype() == BP_BOOL ? tensor_.rank() : 1;
  }

 private:
  Kind kind_;
  Slice slice_{};
  Tensor tensor_;
};

namespace detail {

// What indices make of a tensor: a view by all that are no tensors, and the tensors, each at its
// place, with NULL for the dimensions between them.
struct Indexed {
  Tensor view;
  std::vector<bp_tensor*> at;

  Indexed(const Tensor& x, const Index* begin, const Index* end) : view(x) {
    std::int32_t used = 0, ellipses = 0;
    for (const Index* i = begin; i != end; ++i) {
      used += i->dims();
      ellipses += i->kind() == Index::Kind::kEllipsis;
    }
    if (used > x.rank())
      throw Error(BP_INDEX_OUT_OF_RANGE, "too many indices for tensor of dimension " +
                                             std::to_string(x.rank()) + ": " +
                                             std::to_string(used));
    if (ellipses > 1)
      throw Error(BP_INVALID_ARGUMENT,
                  "an index has one Ellipsis, not " + std::to_string(ellipses));
    std::int64_t dim = 0, covered = 0;  // covered: the dimensions for which `at` stands
    for (const Index* i = begin; i != end; ++i) switch (i->kind()) {
        case Index::Kind::kInteger: view = view.select(dim, i->slice().start); break;
        case Index::Kind::kSlice: {
          const Slice& s = i->slice();
          if (s.start != None || s.stop != None || s.step != 1)
            view = view.slice(dim, s.start, s.stop, s.step);
          ++dim;
          break;
        }
        case Index::Kind::kNone: view = view.unsqueeze(dim++); break;
        case Index::Kind::kEllipsis: dim += x.rank() - used; break;
        case Index::Kind::kTensor:
          for (; covered < dim; ++covered) at.push_back(nullptr);
          at.push_back(i->tensor().get());
          dim += i->dims();
          covered = dim;
      }
  }
};
inline Tensor indexed(const Tensor& x, const Index* begin, const Index* end) {
  const Indexed i(x, begin, end);
  if (i.at.empty()) return i.view.is(x) ? x.alias() : i.view;
  Call c;
  return c.made(bp_tensor_index(i.view.get(), i.at.data(), length(i.at), &c.out, &c.err));
}
inline void index_put(const Tensor& x, const Index* begin, const Index* end, const Value& values,
                      bool accumulate) {
  Indexed i(x, begin, end);
  Tensor given;
  if (values.is_tensor())
    given = Tensor::share(values.tensor());
  else {
    Call c;
    given =
        c.made(bp_tensor_full(0, nullptr, values, x.dtype(), x.device().value(), &c.out, &c.err));
  }
  if (i.at.empty()) {
    const Value sum[2] = {i.view, given};
    const bp_value in[2] = {sum[0].get(), sum[1].get()};
    bp_tensor* out = i.view.get();
    Call c;
    c.done(accumulate ? bp_invoke(BP_OP_ADD, in, 2, nullptr, 0, &out, 1, &c.err)
                      : bp_tensor_copy_(out, given.get(), 0, &c.err));
    return;
  }
  Call c;
  c.done(bp_tensor_index_put(i.view.get(), i.at.data(), length(i.at), given.get(), accumulate,
                             &c.err));
}

}  // namespace detail

inline Tensor Tensor::operator[](const Index& i) const {
  return detail::indexed(*this, &i, &i + 1);
}
inline Tensor Tensor::index(std::initializer_list<Index> list) const {
  return detail::indexed(*this, list.begin(), list.end());
}
inline Tensor Tensor::index(const std::vector<Index>& list) const {
  return detail::indexed(*this, list.data(), list.data() + list.size());
}
inline Tensor Tensor::index(const std::vector<Tensor>& list) const {
  return index(std::vector<Index>(list.begin(), list.end()));
}
inline Tensor& Tensor::index_put_(std::initializer_list<Index> list, const Value& values,
                                  bool accumulate) {
  detail::index_put(*this, list.begin(), list.end(), values, accumulate);
  return *this;
}
inline Tensor& Tensor::index_put_(const std::vector<Index>& list, const Value& values,
                                  bool accumulate) {
  detail::index_put(*this, list.data(), list.data() + list.size(), values, accumulate);
  return *this;
}
inline Tensor& Tensor::index_put_(const std::vector<Tensor>& list, const Value& values,
                                  bool accumulate) {
  return index_put_(std::vector<Index>(list.begin(), list.end()), values, accumulate);
}

}  // namespace backplane
#endif
