// SPDX-License-Identifier: Apache-2.0
// ordered_map.h: names to values, in the order in which the names came. It has no lock of its own.
//
//   OrderedMap<int> m;
//   m.set("b", 1); m.set("a", 2); m.set("b", 3);   // at(0) is b, 3
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bp {

template <class V>
class OrderedMap {
 public:
  struct Entry {
    std::string name;
    V value;
  };

  // Returns the value that the name had before: where that one dies may matter to the caller.
  std::optional<V> set(std::string_view name, V value) {
    if (V* there = find(name)) return std::exchange(*there, std::move(value));
    entries_.push_back({std::string(name), std::move(value)});
    try {
      places_.emplace(name, entries_.size() - 1);
    } catch (...) {
      entries_.pop_back();
      throw;
    }
    return std::nullopt;
  }
  V* find(std::string_view name) {
    const auto it = places_.find(name);
    return it == places_.end() ? nullptr : &entries_[it->second].value;
  }
  const V* find(std::string_view name) const { return const_cast<OrderedMap*>(this)->find(name); }
  std::optional<V> remove(std::string_view name) {
    const auto it = places_.find(name);
    if (it == places_.end()) return std::nullopt;
    const size_t place = it->second;
    std::optional<V> gone = std::move(entries_[place].value);
    places_.erase(it);
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(place));
    for (auto& [key, p] : places_) p -= p > place;
    return gone;
  }
  const Entry& at(size_t i) const { return entries_[i]; }
  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> all;
    all.reserve(size());
    for (const Entry& e : entries_) all.push_back(e.name);
    return all;
  }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::vector<Entry> entries_;
  std::unordered_map<std::string, size_t, Hash, std::equal_to<>> places_;
};

}  // namespace bp
