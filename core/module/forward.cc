// SPDX-License-Identifier: Apache-2.0
// forward.cc: running a module (module.h). A lazy module gets its shapes first, hooks run before
// and after, and errors name the path of the modules that this thread is inside.
#include <algorithm>
#include <memory>
#include <new>

#include "core/base/thread_end.h"
#include "core/module/kind.h"
#include "core/process/trace.h"

namespace bp {
namespace {

struct ThreadPath {
  // The modules this thread is inside, outermost first. They are held, because a callback may
  // release the module that runs it.
  std::vector<Ref<Module>> entered;
  std::vector<uint64_t> spans;  // of these in a profile: as many, or fewer
  // The last message that got its path. A callback may pass it on without the flag that says so.
  std::string located;
};
constinit thread_local ThreadPath* thread_path = nullptr;  // nullptr: it has been in no module yet
constinit thread_local Watcher* watcher = nullptr;

ThreadPath& own_path() {
  if (!thread_path) {
    static const ThreadEnd at_end([](void* path) {
      thread_path = nullptr;
      delete static_cast<ThreadPath*>(path);
    });
    auto made = std::make_unique<ThreadPath>();
    if (!at_end.note(made.get())) throw std::bad_alloc();
    thread_path = made.release();
  }
  return *thread_path;
}

// Returns m's name as seen from an outer module, such as "encoder.layers.1", or its title if m is
// not inside that module.
std::string relative_name(Module& outer, Module& m) {
  for (const Module::Child& c : outer.children)
    if (c.module.get() == &m) return c.name;
  for (const NamedModule& n : list_modules(outer, BP_MODULE_RECURSE))
    if (n.module == &m) return n.name;
  return m.title;
}

[[noreturn]] void rethrow_with_path(const Error& e) {
  std::string& located = own_path().located;
  const bool has_path = !located.empty() && e.message().find(located) != std::string::npos;
  if (!has_path) located = where() + ": " + e.message();
  throw Error(e.status(), has_path ? e.message() : located, e.flags() | BP_ERROR_IN_MODULE);
}

bool is_lazy(const Module& m) { return m.kind && m.kind->materialize; }

void call_back(Module& m, Inputs in, std::span<Ref<Tensor>> out) {
  const Callback<bp_module_forward_fn> f = m.forward;
  std::vector<bp_tensor*> made(out.size());
  std::vector<Ref<Tensor>> owned;
  owned.reserve(made.size());  // nothing is lost for want of memory afterwards
  bp_error* err = nullptr;
  const bp_status status = f.call(f.user.get(), &m, in.data(), static_cast<uint32_t>(in.size()),
                                  made.data(), static_cast<uint32_t>(made.size()), &err);
  for (bp_tensor* t : made) owned.push_back(Ref<Tensor>::adopt(t));
  if (status < 0)
    throw_taken(status, err, 0, fmt::format("forward failed with {}", status).c_str());
  for (size_t i = 0; i < out.size(); ++i) {
    if (!owned[i]) fail(BP_CALLBACK, "forward left output {} empty", i);
    checked(owned[i].get(), "an output of forward");
    out[i] = std::move(owned[i]);
  }
}

// Hooks may replace `tensors`: the inputs before forward, the results after it.
void run_hooks(Module& m, bool before, Inputs in, std::vector<Ref<Tensor>>& tensors) {
  const std::vector<Module::Hook> hooks = m.hooks;  // one may remove itself
  for (const Module::Hook& h : hooks) {
    if (h.before != before) continue;
    std::vector<bp_tensor*> seen;
    seen.reserve(tensors.size());
    for (Ref<Tensor>& t : tensors) seen.push_back(t.release());
    bp_error* err = nullptr;
    const bp_status status =
        h.callback.call(h.callback.user.get(), &m, in.data(), static_cast<uint32_t>(in.size()),
                        seen.data(), static_cast<uint32_t>(seen.size()), &err);
    for (size_t i = 0; i < seen.size(); ++i) tensors[i] = Ref<Tensor>::adopt(seen[i]);
    if (status < 0)
      throw_taken(status, err, 0, fmt::format("a hook failed with {}", status).c_str());
  }
}

void run_with_hooks(Module& m, Inputs in, std::span<Ref<Tensor>> out) {
  std::vector<Ref<Tensor>> given;
  for (Tensor* t : in) given.push_back(Ref<Tensor>::share(t));
  run_hooks(m, true, in, given);
  std::vector<Tensor*> seen;
  for (const Ref<Tensor>& t : given) {
    if (t) checked(t.get(), "an input after a hook");
    seen.push_back(t.get());
  }
  if (m.forward)
    call_back(m, seen, out);
  else
    kind_forward(m, seen, out);
  std::vector<Ref<Tensor>> made(std::make_move_iterator(out.begin()),
                                std::make_move_iterator(out.end()));
  run_hooks(m, false, seen, made);
  for (size_t i = 0; i < out.size(); ++i) {
    checked(made[i].get(), "an output after a hook");
    out[i] = std::move(made[i]);
  }
}

}  // namespace

std::string where() {
  const std::vector<Ref<Module>>& entered = own_path().entered;
  if (entered.empty()) return "";
  std::string path = entered[0]->name.empty() ? "net" : entered[0]->name;
  for (size_t i = 1; i < entered.size(); ++i)
    if (entered[i].get() != entered[i - 1].get())
      path += "." + relative_name(*entered[i - 1], *entered[i]);
  return path + " (" + entered.back()->title + ")";
}

namespace {

// For want of memory the module that was entered last has none.
[[gnu::noinline]] void begin_span(const Module& m) noexcept {
  ThreadPath& path = *thread_path;
  try {
    path.spans.resize(path.entered.size());
    path.spans.back() = push_module(m.title, where());
  } catch (const std::bad_alloc&) {
  }
}

void pop_newest() noexcept {
  ThreadPath& path = *thread_path;
  if (path.spans.size() == path.entered.size()) [[unlikely]] {
    pop_module(path.spans.back());
    path.spans.pop_back();
  }
  path.entered.pop_back();
}

}  // namespace

uint64_t enter(Module& m) {
  std::vector<Ref<Module>>& entered = own_path().entered;
  if (entered.size() >= 1000)
    fail(BP_INVALID_ARGUMENT, "modules run inside each other {} deep", entered.size());
  entered.push_back(Ref<Module>::share(&m));
  if (traces()) [[unlikely]]
    begin_span(m);
  return entered.size();
}
void leave(uint64_t token) {
  std::vector<Ref<Module>>& entered = own_path().entered;
  if (token == 0 || token != entered.size())
    fail(BP_BAD_STATE, "token {} is not the newest of this thread, which is {}", token,
         entered.size());
  pop_newest();
}
Inside::Inside(Module& m) : depth_(enter(m)) {}
Inside::~Inside() {  // leaves also what a callback entered and did not leave
  while (thread_path->entered.size() >= depth_) pop_newest();
}

Watching::Watching(Watcher w)
    : watcher_(std::move(w)), before_(std::exchange(watcher, &watcher_)) {}
Watching::~Watching() { watcher = before_; }

void kind_forward(Module& m, Inputs in, std::span<Ref<Tensor>> out) {
  if (!m.kind || !m.kind->forward)
    fail(BP_UNSUPPORTED, "Module [{}] is missing the required \"forward\" function", m.title);
  if (is_lazy(m)) {
    if (in.empty() || !in[0]) fail(BP_INVALID_ARGUMENT, "input must not be NULL");
    m.kind->materialize(m, in[0]->shape);
  }
  const ModuleKind& kind = *m.kind;
  if (in.size() < kind.min_inputs || in.size() > kind.max_inputs)
    fail(BP_INVALID_ARGUMENT, "expected {} to {} inputs, got {}", kind.min_inputs, kind.max_inputs,
         in.size());
  if (out.size() > kind.n_outputs)
    fail(BP_INVALID_ARGUMENT, "{} outputs are wanted, there are {}", out.size(), kind.n_outputs);
  SmallVec<Tensor*, 6> all;
  for (size_t i = 0; i < kind.max_inputs; ++i) {
    all.push_back(i < in.size() ? in[i] : nullptr);
    if (i < kind.min_inputs && !all[i]) fail(BP_INVALID_ARGUMENT, "input {} must not be NULL", i);
  }
  ForwardCall call{m, {all.data(), all.size()}, out};
  kind.forward(call);
}

void forward(Module& m, Inputs in, std::span<Ref<Tensor>> out) {
  const Inside path(m);
  if (ThreadPath& here = *thread_path; here.entered.size() == 1) here.located.clear();
  try {
    if (!m.hooks.empty())
      run_with_hooks(m, in, out);
    else if (m.forward)
      call_back(m, in, out);
    else
      kind_forward(m, in, out);
    if (watcher) (*watcher)(m, out);
  } catch (const Error& e) {
    if (e.flags() & BP_ERROR_IN_MODULE) throw;
    rethrow_with_path(e);
  }
}

Ref<Tensor> forward_one(Module& m, Tensor& x) {
  Tensor* in[] = {&x};
  Ref<Tensor> out[1];
  forward(m, in, out);
  return std::move(out[0]);
}

}  // namespace bp
