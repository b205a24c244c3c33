// SPDX-License-Identifier: Apache-2.0
// rows_access.cc: ld, st, atom, and addresses of one space in another. Each lane's access is
// judged: it lies in memory that is there, at a multiple of its width, reads what was written, and
// meets no other thread's.
#include <algorithm>
#include <cstring>

#include "lanes.h"
#include "rows.h"

namespace machine {
namespace {

constexpr std::string_view kMove = "9.7.9 Data Movement and Conversion",
                           kTogether = "9.7.13 Parallel Synchronization and Communication";
// Where a generic address is of shared or local memory. A device's own addresses lie below.
constexpr uint64_t kSharedWindow = uint64_t{1} << 48, kLocalWindow = uint64_t{1} << 49,
                   kWindow = uint64_t{1} << 32;

std::string hex(uint64_t n) {
  char text[20];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(n));
  return text;
}

// One lane's access to kN bytes, with what becomes of it.
template <uint64_t kN>
struct Reach {
  Warp& w;
  const Instruction& i;
  int lane;
  bool writes, atomic;

  [[noreturn]] void wrong(Code code, const std::string& text) const {
    throw Wrong{code, lane, text};
  }

  void align(uint64_t address, const char* space) const {
    if ((address & (kN - 1)) != 0)  // widths are powers of two
      wrong(kMisalignedAddress, std::to_string(kN) + " bytes at " + hex(address) + " of " + space +
                                    " memory: not a multiple of its width");
  }
  // Whether the bytes were written that this reads, by their marks.
  bool all_written(const uint8_t* written) const {
    constexpr uint64_t kAll = 0x0101010101010101;
    static_assert(kN <= 32);
    uint64_t marks[4] = {kAll, kAll, kAll, kAll};
    std::memcpy(marks, written, kN);
    return (marks[0] & marks[1] & marks[2] & marks[3]) == kAll;
  }
  void judge(uint8_t* written, uint64_t address, const char* space) const {
    if ((!writes || atomic) && !all_written(written))
      for (uint64_t k = 0; k < kN; ++k)
        if (!written[k] && (i.used_bytes >> k & 1))
          wrong(kLaunchFailure, std::to_string(kN) + " bytes at " + hex(address) + " of " + space +
                                    " memory are read, and byte " + std::to_string(k) +
                                    " of them was never written");
    if (writes) std::memset(written, 1, kN);
  }

  std::byte* global(uint64_t address) const {
    align(address, "global");
    Block& b = w.team->reach(address, kN, lane, i);
    judge(b.written + (address - b.begin), address, "global");
    w.team->touch(b, address, kN, writes);
    return b.bytes + (address - b.begin);
  }
  std::byte* shared(uint64_t address) const {
    align(address, "shared");
    Team& t = *w.team;
    if (address > t.shared.size() || kN > t.shared.size() - address)
      wrong(kIllegalAddress, std::to_string(kN) + " bytes at " + hex(address) +
                                 " of shared memory, of which there are " +
                                 std::to_string(t.shared.size()) + " bytes");
    judge(t.shared_written.data() + address, address, "shared");
    bool other_wrote = false;
    const uint32_t thread = w.index * kLanes + static_cast<uint32_t>(lane);
    const int other = t.races.touch(address, kN, thread, w.phase, writes, atomic, &other_wrote);
    if (other >= 0)
      wrong(kLaunchFailure, std::string(writes ? "writes " : "reads ") + std::to_string(kN) +
                                " bytes at " + hex(address) + " of shared memory, which thread " +
                                std::to_string(other) + (other_wrote ? " wrote" : " read") +
                                " with no barrier between (a race)");
    return t.shared.data() + address;
  }
  std::byte* local(uint64_t address) const {
    align(address, "local");
    Team& t = *w.team;
    const uint64_t each = t.program.local_bytes;
    if (address > each || kN > each - address)
      wrong(kIllegalAddress, std::to_string(kN) + " bytes at " + hex(address) +
                                 " of local memory, of which there are " + std::to_string(each) +
                                 " bytes");
    const uint64_t at = each * (w.index * kLanes + static_cast<uint32_t>(lane)) + address;
    judge(t.local_written.data() + at, address, "local");
    return t.local.data() + at;
  }
  std::byte* parameter(uint64_t address) const {
    align(address, "parameter");
    const uint64_t size = w.team->program.parameter_bytes;
    if (writes) wrong(kIllegalAddress, "writes a parameter of the kernel");
    if (address > size || kN > size - address)
      wrong(kIllegalAddress, std::to_string(kN) + " bytes at " + hex(address) +
                                 " of the parameters, which are " + std::to_string(size) +
                                 " bytes");
    return const_cast<std::byte*>(w.team->launch.parameters) + address;
  }
  std::byte* generic(uint64_t address) const {
    if (address - kSharedWindow < kWindow) return shared(address - kSharedWindow);
    if (address - kLocalWindow < kWindow) return local(address - kLocalWindow);
    return global(address);
  }
};

template <Space kSpace, uint64_t kN>
std::byte* reach(Warp& w, const Instruction& i, int lane, bool writes, bool atomic) {
  const Reach<kN> r{w, i, lane, writes, atomic};
  if constexpr (kSpace == Space::kScratch)
    return w.file + i.at[kMostOperands - 2] +
           static_cast<uint32_t>(lane) * i.at[kMostOperands - 1] + i.offset;
  uint64_t address = static_cast<uint64_t>(i.offset);
  if (i.base_bytes == 8) address += w.lanes<uint64_t>(i.at[kMostOperands - 2])[lane];
  if (i.base_bytes == 4) address += w.lanes<uint32_t>(i.at[kMostOperands - 2])[lane];
  if constexpr (kSpace == Space::kGlobal) return r.global(address);
  if constexpr (kSpace == Space::kShared) return r.shared(address);
  if constexpr (kSpace == Space::kLocal) return r.local(address);
  if constexpr (kSpace == Space::kEntryParameter) return r.parameter(address);
  return r.generic(address);
}

template <class T, int kElements, Space kSpace>
void run_load(Warp& w, const Instruction& i, uint32_t mask) {
  T got[kElements][kLanes];
  if (kSpace == Space::kEntryParameter && i.base_bytes == 0) {  // the same for all
    const std::byte* from =
        reach<kSpace, sizeof(T) * kElements>(w, i, std::countr_zero(mask),
                                             /*writes=*/false, /*atomic=*/false);
    for (int e = 0; e < kElements; ++e) {
      std::memcpy(&got[e][0], from + sizeof(T) * static_cast<size_t>(e), sizeof(T));
      std::fill_n(&got[e][1], kLanes - 1, got[e][0]);
    }
  } else
    for (uint32_t left = mask; left; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const std::byte* from =
          reach<kSpace, sizeof(T) * kElements>(w, i, lane, /*writes=*/false, /*atomic=*/false);
      for (int e = 0; e < kElements; ++e)
        std::memcpy(&got[e][lane], from + sizeof(T) * static_cast<size_t>(e), sizeof(T));
    }
  const auto put = [&]<class R>(R*) {
    if constexpr (sizeof(R) >= sizeof(T))
      for (int e = 0; e < kElements; ++e)
        for (uint32_t left = mask; left; left &= left - 1)
          w.lanes<R>(i.at[e])[std::countr_zero(left)] =
              static_cast<R>(got[e][std::countr_zero(left)]);
  };
  switch (i.register_bytes) {
    case 2: return put(static_cast<uint16_t*>(nullptr));
    case 4: return put(static_cast<uint32_t*>(nullptr));
    case 8: return put(static_cast<uint64_t*>(nullptr));
    default: return put(static_cast<uint8_t*>(nullptr));
  }
}

template <class T, int kElements, Space kSpace>
void run_store(Warp& w, const Instruction& i, uint32_t mask) {
  for (uint32_t left = mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::byte* to =
        reach<kSpace, sizeof(T) * kElements>(w, i, lane, /*writes=*/true, /*atomic=*/false);
    for (int e = 0; e < kElements; ++e)  // the lower bytes of the register
      std::memcpy(to + sizeof(T) * static_cast<size_t>(e),
                  w.file + i.at[e] + static_cast<uint32_t>(lane) * i.register_bytes, sizeof(T));
  }
}

// Calls f with a null pointer of the access's element type.
template <class F>
Run with_type(const Access& a, F f) {
  switch (a.bytes * 2 + (a.is_signed && !a.stores)) {
    case 2: return f(static_cast<uint8_t*>(nullptr));
    case 3: return f(static_cast<int8_t*>(nullptr));
    case 4: return f(static_cast<uint16_t*>(nullptr));
    case 5: return f(static_cast<int16_t*>(nullptr));
    case 8: return f(static_cast<uint32_t*>(nullptr));
    case 9: return f(static_cast<int32_t*>(nullptr));
    default: return f(static_cast<uint64_t*>(nullptr));
  }
}
template <Space kSpace>
Run run_in(const Access& a) {
  return with_type(a, [&]<class T>(T*) -> Run {
    if (a.stores)
      return a.elements == 1   ? run_store<T, 1, kSpace>
             : a.elements == 2 ? run_store<T, 2, kSpace>
                               : run_store<T, 4, kSpace>;
    return a.elements == 1   ? run_load<T, 1, kSpace>
           : a.elements == 2 ? run_load<T, 2, kSpace>
                             : run_load<T, 4, kSpace>;
  });
}

void add_loads(Rows& rows, const std::string& name, const Access& access) {
  static constexpr struct {
    const char* type;
    uint8_t bytes;
    bool is_signed;
  } kTypes[] = {{"u8", 1, false},  {"s8", 1, true},   {"b8", 1, false},  {"u16", 2, false},
                {"s16", 2, true},  {"b16", 2, false}, {"u32", 4, false}, {"s32", 4, true},
                {"b32", 4, false}, {"f32", 4, false}, {"u64", 8, false}, {"s64", 8, true},
                {"b64", 8, false}, {"f64", 8, false}};
  for (const auto& t : kTypes) {
    for (const uint8_t elements : {1, 2, 4}) {
      if (elements * t.bytes > 16) continue;
      Row row{kMove, access.stores ? "av" : "va"};
      row.access = access;
      row.access.bytes = t.bytes;
      row.access.is_signed = t.is_signed;
      row.access.elements = elements;
      rows[name + (elements == 1 ? "." : elements == 2 ? ".v2." : ".v4.") + t.type] = row;
    }
  }
}

template <class T, class F, Space kSpace>
void run_atomic(Warp& w, const Instruction& i, uint32_t mask) {
  for (uint32_t left = mask; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    auto* at = reinterpret_cast<T*>(
        reach<kSpace, sizeof(T)>(w, i, lane, /*writes=*/true, /*atomic=*/true));
    const T b = w.lanes<T>(i.at[1])[lane];
    T was = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(at, &was, F{}(was, b), false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED)) {
    }
    w.lanes<T>(i.at[0])[lane] = was;
  }
}
template <class T, class F>
void add_atomic(Rows& rows, const std::string& name, F) {
  const char letter = static_cast<char>('0' + sizeof(T));
  rows["atom.global." + name] = {kTogether,
                                 {letter, 'a', letter},
                                 run_atomic<T, F, Space::kGlobal>,
                                 Row::kOn,
                                 {Space::kGlobal}};
  rows["atom.shared." + name] = {kTogether,
                                 {letter, 'a', letter},
                                 run_atomic<T, F, Space::kShared>,
                                 Row::kOn,
                                 {Space::kShared}};
}

}  // namespace

Run access_run(const Access& a) {
  switch (a.space) {
    case Space::kGeneric: return run_in<Space::kGeneric>(a);
    case Space::kGlobal: return run_in<Space::kGlobal>(a);
    case Space::kShared: return run_in<Space::kShared>(a);
    case Space::kLocal: return run_in<Space::kLocal>(a);
    case Space::kEntryParameter: return run_in<Space::kEntryParameter>(a);
    case Space::kScratch: return run_in<Space::kScratch>(a);
  }
  return nullptr;
}

const std::byte* read_shared_row(Warp& w, const Instruction& i, int lane) {
  return reach<Space::kShared, 16>(w, i, lane, /*writes=*/false, /*atomic=*/false);
}

void add_access_rows(Rows& rows) {
  add_loads(rows, "ld", {Space::kGeneric});
  add_loads(rows, "ld.global", {Space::kGlobal});
  add_loads(rows, "ld.global.nc", {Space::kGlobal});
  add_loads(rows, "ld.volatile.global", {Space::kGlobal});
  add_loads(rows, "ld.const", {Space::kGlobal});
  add_loads(rows, "ld.shared", {Space::kShared});
  add_loads(rows, "ld.local", {Space::kLocal});
  add_loads(rows, "ld.param", {Space::kEntryParameter});
  add_loads(rows, "st", {Space::kGeneric, /*stores=*/true});
  add_loads(rows, "st.global", {Space::kGlobal, /*stores=*/true});
  add_loads(rows, "st.volatile.global", {Space::kGlobal, /*stores=*/true});
  add_loads(rows, "st.shared", {Space::kShared, /*stores=*/true});
  add_loads(rows, "st.local", {Space::kLocal, /*stores=*/true});
  add_loads(rows, "st.param", {Space::kEntryParameter, /*stores=*/true});
  add_atomic<uint32_t>(rows, "add.u32", [](uint32_t a, uint32_t b) { return a + b; });
  add_atomic<uint64_t>(rows, "add.u64", [](uint64_t a, uint64_t b) { return a + b; });
  add_atomic<uint32_t>(rows, "max.u32", [](uint32_t a, uint32_t b) { return a > b ? a : b; });
  add_atomic<uint64_t>(rows, "max.u64", [](uint64_t a, uint64_t b) { return a > b ? a : b; });
  const auto shift = [&](const std::string& name, auto f) {
    rows[name] = {kMove, "88", map<uint64_t(uint64_t)>(f)};
  };
  shift("cvta.global.u64", [](uint64_t a) { return a; });
  shift("cvta.to.global.u64", [](uint64_t a) { return a; });
  shift("cvta.shared.u64", [](uint64_t a) { return a + kSharedWindow; });
  shift("cvta.to.shared.u64", [](uint64_t a) { return a - kSharedWindow; });
  shift("cvta.local.u64", [](uint64_t a) { return a + kLocalWindow; });
  shift("cvta.to.local.u64", [](uint64_t a) { return a - kLocalWindow; });
}

}  // namespace machine
