// SPDX-License-Identifier: Apache-2.0
#include "core/call/rehearsal.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <tuple>

#include "core/base/locks.h"
#include "core/call/invoke.h"
#include "core/call/recording.h"
#include "core/process/context.h"
#include "core/process/trace.h"
#include "core/tensor/tape.h"
#include "core/value/attr_values.h"
#include "core/value/dtype.h"

namespace bp {
namespace {

// ---- the stand-in ----

// Makes numbers 1 and bools false, so that what a composition reads back is a plausible count or
// place, and nothing is at fault.
template <class T>
void fill_ones(void* to, uint64_t n) {
  std::fill_n(static_cast<T*>(to), n, T{1});
}
void put_ones(bp_dtype dtype, void* to, uint64_t n) {
  if (n == 0) return;
  if (dtype == BP_I32) return fill_ones<int32_t>(to, n);
  if (dtype == BP_I64) return fill_ones<int64_t>(to, n);
  if (dtype == BP_F32) return fill_ones<float>(to, n);
  if (dtype == BP_F64) return fill_ones<double>(to, n);
  std::memset(to, 0, n * static_cast<uint64_t>(dtype_bytes(dtype)));
}
// Writes the dense results of a kernel; others keep what they have.
bp_status write_ones(const bp_launch* launch, bp_error**) {
  for (uint32_t i = launch->n_in; i < launch->n_in + launch->n_out; ++i) {
    const bp_arg& out = launch->args[i];
    uint64_t n = 1;
    for (int32_t d = 0; d < out.rank; ++d) n *= static_cast<uint64_t>(out.shape[d]);
    if (out.flags & BP_ARG_CONTIGUOUS) put_ones(static_cast<bp_dtype>(out.dtype), out.data, n);
  }
  return BP_OK;
}

constexpr uint64_t kAlignment = 64;
// Any address will do for a handle that nobody looks behind.
template <class Handle>
Handle* some_handle() {
  static char it;
  return reinterpret_cast<Handle*>(&it);
}
template <class Handle, class... A>
bp_status give_handle(A..., Handle** out, bp_error**) {
  *out = some_handle<Handle>();
  return BP_OK;
}
template <class... A>
void nothing(A...) {}
template <class... A>
bp_status done(A...) {
  return BP_OK;
}

bp_plugin_api stand_in_api() {
  bp_plugin_api api{};
  api.struct_size = sizeof api;
  api.close = nothing;
  api.probe = done;
  api.device_props = done;
  api.device_open = give_handle<bp_pdev, bp_plugin*, uint32_t, uint64_t>;
  api.device_close = nothing;
  api.memory_info = done;
  api.mem_alloc = [](bp_pdev*, uint64_t bytes, void** out, bp_error**) -> bp_status {
    const uint64_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    *out = std::aligned_alloc(kAlignment, std::max(whole, kAlignment));
    return *out ? BP_OK : BP_OUT_OF_HOST_MEMORY;
  };
  api.mem_free = [](bp_pdev*, void* p, uint64_t) { std::free(p); };
  api.stream_open = give_handle<bp_pstream, bp_pdev*, int32_t>;
  api.stream_close = nothing;
  api.stream_query = done;
  api.stream_sync = done;
  api.stream_wait = done;
  api.event_open = give_handle<bp_pevent, bp_pdev*>;
  api.event_close = nothing;
  api.event_record = done;
  api.event_query = done;
  api.event_sync = done;
  api.event_elapsed = done;
  api.copy = [](bp_pstream*, void* to, const void* from, uint64_t bytes, int32_t,
                bp_error**) -> bp_status {
    std::memcpy(to, from, bytes);
    return BP_OK;
  };
  api.host_func = done;
  api.kernels = done;
  api.extension = [](bp_plugin*, const char*) -> const void* { return nullptr; };
  return api;
}

// Memory of the host, kernels that compute nothing, and a device that no registry knows.
class StandIn {
 public:
  explicit StandIn(const Backend& real) : kernels_(new KernelTable) {
    kernels_->records.reserve(real.kernels->records.size());
    for (const bp_kernel& k : real.kernels->records) {
      kernels_->records.push_back(k);
      kernels_->records.back().run = write_ones;
      kernels_->records.back().workspace = nullptr;
      kernels_->records.back().small = 0;
    }
    for (size_t i = 0; i < kernels_->at.size(); ++i)
      if (const bp_kernel* k = real.kernels->at[i])
        kernels_->at[i] = &kernels_->records[static_cast<size_t>(k - real.kernels->records.data())];
    backend_.kind = real.kind;
    backend_.name = real.name;
    backend_.api = stand_in_api();
    backend_.plugin = some_handle<bp_plugin>();
    backend_.kernels = kernels_.get();
    backend_.devices.push_back(std::make_unique<Device>());
    device().backend = &backend_;
    device().index = 1;  // of the first cpu alone do threads keep tensors
    device().flags = BP_DEVICE_HOST_MEMORY;
    device().label = real.name;
    open_device(device());
  }
  ~StandIn() { close_devices(backend_); }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;
  Device& device() { return *backend_.devices[0]; }

 private:
  std::unique_ptr<KernelTable> kernels_;
  Backend backend_;
};

// ---- the least call ----

constexpr size_t kMostDims = 5;

// What is tried, in this order, until the rules take it.
struct Trial {
  size_t rank[3] = {1, 1, 1};    // of the first operands; later ones are as the last
  int64_t size = 3;              // of their dims
  int64_t last = 3;              // of the last dim of the operands but the first
  int64_t later = 3;             // of the last dim of those after the second
  size_t ints = 1;               // how many numbers a list has
  int64_t number = 2;            // each of them, and a number that is required
  size_t listed = 2;             // tensors of a list
  bool whole = false;            // whether what is optional is there
  bp_dtype own = BP_DTYPE_NONE;  // of operands but the first that keep a dtype of their own
};

struct LeastCall {
  SmallVec<bp_value, 4> in;
  SmallVec<bp_attr, 8> attrs;
  std::vector<Ref<Tensor>> held;
  Dims list;
};

// Whether an operand has the dtype that is asked about. Others are indices and masks.
bool has_values(const OpRow& row) {
  const auto is_value = [](const InputSpec& s) {
    return s.role == Role::kValue || s.role == Role::kAny || s.role == Role::kList;
  };
  return std::any_of(row.inputs.begin(), row.inputs.begin() + row.n_inputs(), is_value);
}

// Attributes point into the call.
void make(LeastCall& call, const OpRow& row, bp_dtype dtype, const Trial& trial, Device& device) {
  call.list = Dims(static_cast<uint32_t>(trial.ints), trial.number);
  const bool of_values = has_values(row);
  const auto add_tensor = [&](bp_dtype t, size_t i) {
    Dims shape(static_cast<uint32_t>(trial.rank[std::min<size_t>(i, 2)]), trial.size);
    if (i > 0 && !shape.empty()) shape.back() = i == 1 ? trial.last : trial.later;
    call.held.push_back(new_tensor(shape, t, device));
    put_ones(t, call.held.back()->data(), static_cast<uint64_t>(call.held.back()->count));
    call.in.push_back(tensor_value(*call.held.back()));
  };
  for (size_t i = 0; i < row.n_inputs(); ++i) {
    const InputSpec& s = row.inputs[i];
    if (s.role == Role::kScalar)
      call.in.push_back(number(static_cast<int64_t>(i)));
    else if (s.optional && !trial.whole)
      call.in.push_back(bp_value{});
    else if (s.role == Role::kList)
      for (size_t k = 0; k < trial.listed; ++k) add_tensor(dtype, 0);
    else if (s.role == Role::kCondition)
      add_tensor(of_values ? BP_BOOL : dtype, i);
    else if (s.role == Role::kIndex)
      add_tensor(of_values && (i > 0 || !is_integer(dtype)) ? BP_I64 : dtype, i);
    else
      add_tensor(i > 0 && s.role == Role::kAny && trial.own != BP_DTYPE_NONE ? trial.own : dtype,
                 i);
  }
  for (const AttrSpec& a : row.attrs) {
    bp_attr v = default_attr(a);
    const std::string_view name = a.name;
    if (a.kind == BP_ATTR_DTYPE && (a.required || (row.flags & kCreates))) v = dtype_value(dtype);
    if (a.kind == BP_ATTR_INTS && (a.required || (row.flags & kCreates) || (trial.whole && a.none)))
      v = ints_value(call.list);
    if (a.kind == BP_ATTR_I64 && a.required) v = int_value(trial.number);
    if (a.kind == BP_ATTR_STR && a.required) v = str_value("i,i->i");
    if (name == "training") v = flag_value(true);
    if ((row.flags & kRandom) && (name == "seed" || name == "offset")) v = int_value(0);
    call.attrs.push_back(v);
  }
}

std::vector<Trial> trials_of(const OpRow& row) {
  std::vector<Trial> all;
  const auto add = [&](Trial t) {
    for (const bool whole : {false, true})
      for (const int64_t number : {2, 1, 3, 0})
        for (const size_t ints : {1, 2, 3}) {
          t.whole = whole;
          t.number = number;
          t.ints = ints;
          all.push_back(t);
        }
  };
  for (const int64_t size : {3, 4, 2})
    for (size_t rank = 1; rank <= kMostDims; ++rank)
      add({.rank = {rank, rank, rank}, .size = size, .last = size, .later = size});
  if (row.takes_list())
    for (size_t n = 3; n <= kMostDims; ++n) add({.listed = n});
  for (size_t a = 1; a <= kMostDims; ++a)
    for (size_t b = 0; b <= std::min<size_t>(a, 3); ++b)
      for (size_t c = 0; c <= 2; ++c)
        for (const int64_t last : {4, 2, 1})
          add({.rank = {a, b, c}, .size = 4, .last = last, .later = last});
  // Gates of a recurrent layer, as many for each number of its state.
  for (const int64_t gates : {3, 4}) add({.size = gates, .last = gates, .later = 1});
  return all;
}

// What the cpu would run instead does not count.
class Refusing {
 public:
  Refusing() : token_(push_fallback(BP_FALLBACK_REFUSE)) {}
  ~Refusing() { pop_fallback(token_); }
  Refusing(const Refusing&) = delete;
  Refusing& operator=(const Refusing&) = delete;

 private:
  uint64_t token_;
};

enum class Outcome { kRuns, kLacks, kRefused, kOther };

Outcome outcome_of(const OpRow& row, LeastCall& call, Device& device) {
  Ref<Tensor> out[kMaxOutputs];
  try {
    if (row.flags & kCreates) {
      const Inference plan = infer(row, call.in, call.attrs);
      out[0] = new_tensor(plan.out_shape[0], plan.out_dtype[0], device);
    }
    invoke(row, call.in, call.attrs, {out, row.n_outputs()});
  } catch (const MissingKernel&) {
    return Outcome::kLacks;
  } catch (const Error& e) {
    if (e.status() == BP_OUT_OF_HOST_MEMORY) throw;
    return e.status() == BP_UNSUPPORTED      ? Outcome::kLacks
           : e.status() == BP_DTYPE_MISMATCH ? Outcome::kRefused
                                             : Outcome::kOther;
  }
  return Outcome::kRuns;
}

// `found` is the trial that the row took last.
bool try_all(const OpRow& row, bp_dtype dtype, Device& device, const std::vector<Trial>& trials,
             size_t& found) {
  bool is_refused = false;
  for (const bp_dtype own : {BP_DTYPE_NONE, BP_I64, BP_F32}) {
    for (size_t i = 0; i < trials.size(); ++i) {
      Trial trial = trials[(found + i) % trials.size()];
      trial.own = own;
      LeastCall call;
      make(call, row, dtype, trial, device);
      const Outcome outcome = outcome_of(row, call, device);
      is_refused = outcome == Outcome::kRefused;
      if (is_refused) break;
      if (outcome == Outcome::kOther) continue;
      found = (found + i) % trials.size();
      return outcome == Outcome::kRuns;
    }
    if (!is_refused) break;
  }
  return false;
}

}  // namespace

uint64_t runs_for(const Backend& backend, const OpRow& row) {
  // A plugin that is loaded again has the table that it had.
  using Key = std::tuple<const KernelTable*, uint32_t, bp_dtype>;
  static std::map<Key, uint64_t>& known = *new std::map<Key, uint64_t>;
  const Key key{backend.kernels, row.id, default_dtype()};
  {
    const std::lock_guard lock(leaf_mutexes.of(&known));
    if (const auto at = known.find(key); at != known.end()) return at->second;
  }
  const RecordGuard unrecorded(false);
  const TraceMute unseen;
  const TapePause untaped;  // the stand-in's calls are no part of a program, and it goes
  const Refusing as_at_first;
  StandIn stand_in(backend);
  const std::vector<Trial> trials = trials_of(row);
  uint64_t mask = 0;
  size_t found = 0;
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t)
    if (try_all(row, t, stand_in.device(), trials, found)) mask |= uint64_t{1} << t;
  const std::lock_guard lock(leaf_mutexes.of(&known));
  known.emplace(key, mask);
  return mask;
}

}  // namespace bp
