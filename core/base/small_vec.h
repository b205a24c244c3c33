// SPDX-License-Identifier: Apache-2.0
// small_vec.h: a vector of plain values that keeps the first N inside itself, so that copies and
// moves are cheap for the ranks that occur. It grows on the heap beyond.
#pragma once
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
#include <span>
#include <type_traits>

namespace bp {

template <class T, uint32_t N>
class SmallVec {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // Not defaulted, for then {} would write zeros over all of it.
  SmallVec() noexcept {}  // NOLINT(modernize-use-equals-default)
  explicit SmallVec(uint32_t n, T value = {}) { assign(n, value); }
  SmallVec(std::initializer_list<T> values) { append(values.begin(), values.end()); }
  explicit SmallVec(std::span<const T> values) {
    append(values.data(), values.data() + values.size());
  }
  SmallVec(const SmallVec& o) { copy(o); }
  SmallVec(SmallVec&& o) noexcept { steal(o); }
  SmallVec& operator=(const SmallVec& o) {
    if (this != &o) copy(o);
    return *this;
  }
  SmallVec& operator=(SmallVec&& o) noexcept {
    if (this != &o) {
      if (data_ != inline_) delete[] data_;
      steal(o);
    }
    return *this;
  }
  ~SmallVec() {
    if (data_ != inline_) delete[] data_;
  }

  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  uint32_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T& operator[](size_t i) noexcept { return data_[i]; }
  const T& operator[](size_t i) const noexcept { return data_[i]; }
  T& back() noexcept { return data_[size_ - 1]; }
  const T& back() const noexcept { return data_[size_ - 1]; }
  operator std::span<const T>() const noexcept { return {data_, size_}; }
  std::span<const T> span() const noexcept { return {data_, size_}; }

  // Copies another one whose size is at most N. It copies all N values, used or not, because a
  // length known here needs no call; there is room for N wherever the values are.
  [[gnu::always_inline]] void copy_short(const SmallVec& o) noexcept {
    std::memcpy(data_, o.data_, sizeof inline_);
    size_ = o.size_;
  }

  void push_back(T v) {
    reserve(size_ + 1);
    data_[size_++] = v;
  }
  T& emplace_back() {
    reserve(size_ + 1);
    return *::new (static_cast<void*>(data_ + size_++)) T();
  }
  void pop_back() noexcept { --size_; }
  void clear() noexcept { size_ = 0; }
  void assign(uint32_t n, T value) {
    reserve(n);
    for (uint32_t i = 0; i < n; ++i) data_[i] = value;
    size_ = n;
  }
  void assign(std::span<const T> values) {
    size_ = 0;
    append(values.data(), values.data() + values.size());
  }
  void resize(uint32_t n, T value = {}) {
    reserve(n);
    for (uint32_t i = size_; i < n; ++i) data_[i] = value;
    size_ = n;
  }
  // What is beyond the old size has no values yet: the caller writes them.
  void resize_for_overwrite(uint32_t n) {
    reserve(n);
    size_ = n;
  }
  void insert(uint32_t at, T v) {
    reserve(size_ + 1);
    std::memmove(data_ + at + 1, data_ + at, (size_ - at) * sizeof(T));
    data_[at] = v;
    ++size_;
  }
  void erase(uint32_t at) noexcept {
    std::memmove(data_ + at, data_ + at + 1, (size_ - at - 1) * sizeof(T));
    --size_;
  }
  void append(const T* from, const T* to) {
    const auto n = static_cast<uint32_t>(to - from);
    reserve(size_ + n);
    if (n) std::memcpy(data_ + size_, from, n * sizeof(T));
    size_ += n;
  }
  friend bool operator==(const SmallVec& a, const SmallVec& b) noexcept {
    if (a.size_ != b.size_) return false;
    for (uint32_t i = 0; i < a.size_; ++i)
      if (!(a.data_[i] == b.data_[i])) return false;
    return true;
  }

 private:
  void reserve(uint32_t n) {
    if (n <= capacity_) return;
    const uint32_t capacity = n > 2 * capacity_ ? n : 2 * capacity_;
    T* bigger = new T[capacity];
    std::memcpy(bigger, data_, size_ * sizeof(T));
    if (data_ != inline_) delete[] data_;
    data_ = bigger;
    capacity_ = capacity;
  }
  [[gnu::always_inline]] void copy(const SmallVec& o) {
    if (o.size_ <= N)
      copy_short(o);
    else
      copy_long(o);
  }
  [[gnu::noinline]] void copy_long(const SmallVec& o) {
    size_ = 0;
    append(o.begin(), o.end());
  }
  void steal(SmallVec& o) noexcept {
    size_ = o.size_;
    if (o.data_ == o.inline_) {
      data_ = inline_;
      capacity_ = N;
      std::memcpy(inline_, o.inline_, size_ * sizeof(T));
    } else {
      data_ = o.data_;
      capacity_ = o.capacity_;
    }
    o.data_ = o.inline_;
    o.capacity_ = N;
    o.size_ = 0;
  }

  T* data_ = inline_;
  uint32_t size_ = 0, capacity_ = N;
  union {  // so that no value is written before there is one
    T inline_[N];
  };
};

}  // namespace bp
