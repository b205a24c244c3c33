// SPDX-License-Identifier: Apache-2.0
#include "kernels.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>
#include <vector>

#include "runtime.h"

namespace bp_gpu {
namespace {

struct Kernel {
  const void* run;    // what the host launches it by
  const void* image;  // of its source file, for all architectures
  const char* name;
};

// What hipcc's host code registers while the plugin is being opened; constant after that. Like the
// cards it is never given back: a thread may launch while the process ends.
struct Registered {
  std::vector<const void*> images;
  std::vector<Kernel> kernels;  // sorted by prepare_cards
};
bool launched_before(const Kernel& a, const Kernel& b) { return std::less<>()(a.run, b.run); }
Registered& registered() {
  static auto* all = new Registered;  // there before any file's own registration runs
  return *all;
}

// ---- bundles: clang's "offload bundle", docs/ClangOffloadBundler.rst ----

struct Entry {
  std::string_view id;  // "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+"
  const void* code;
  // "gfx90a:xnack+"; "" of the host's entry.
  std::string_view target() const {
    const size_t at = id.rfind("gfx");
    return id.substr(0, 3) == "hip" && at != id.npos ? id.substr(at) : std::string_view{};
  }
};

// Calls fn(entry) until it is true. Returns false when it never is, or the image is compressed.
template <class F>
bool any_entry(const void* image, const F& fn) {
  constexpr std::string_view kMagic = "__CLANG_OFFLOAD_BUNDLE__";
  const auto* bytes = static_cast<const char*>(image);
  if (std::memcmp(bytes, kMagic.data(), kMagic.size()) != 0) return false;
  const char* at = bytes + kMagic.size();
  const auto next = [&at] {
    uint64_t value;
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
  };
  for (uint64_t left = next(); left > 0; --left) {
    const uint64_t offset = next();
    next();  // the code's size, which it knows itself
    const uint64_t length = next();
    if (fn(Entry{{at, length}, bytes + offset})) return true;
    at += length;
  }
  return false;
}

// Whether code for `target` runs on a card: it has the same processor, and no feature differs.
bool fits(std::string_view target, std::string_view card) {
  const auto processor = [](std::string_view s) { return s.substr(0, s.find(':')); };
  if (target.empty() || processor(target) != processor(card)) return false;
  for (size_t at = target.find(':'); at != target.npos; at = target.find(':', at + 1)) {
    const std::string_view feature = target.substr(at, target.find(':', at + 1) - at);  // ":xnack+"
    if (card.find(feature) == card.npos) return false;
  }
  return true;
}

// What hipModuleLoadData is to load on the card, or nullptr when there is no code for it.
const void* code_for(const void* image, std::string_view card) {
  const void* code = nullptr;
  bool bundle = false;
  any_entry(image, [&](const Entry& e) {
    bundle = true;
    if (fits(e.target(), card)) code = e.code;
    // A generic target, "gfx11-generic", is the runtime's to understand.
    if (!code && e.target().find("-generic") != std::string_view::npos) code = image;
    return code && code != image;
  });
  return bundle ? code : image;
}

// ---- cards ----

struct Card {
  std::mutex mutex;  // of everything but `functions`
  Architecture architecture{};
  std::unique_ptr<hipModule_t[]> modules;                   // by image
  std::unique_ptr<std::atomic<hipFunction_t>[]> functions;  // by kernel
};
Card* cards = nullptr;

hipError_t load(Card* card, size_t kernel, hipFunction_t* out) {
  const std::lock_guard lock(card->mutex);
  const auto& [images, kernels] = registered();
  const Kernel& k = kernels[kernel];
  hipModule_t& module = card->modules[static_cast<size_t>(
      std::find(images.begin(), images.end(), k.image) - images.begin())];
  if (!module) {
    const void* code = code_for(k.image, card->architecture.name);
    if (!code) return hipErrorNoBinaryForGpu;
    if (const hipError_t e = hipModuleLoadData(&module, code)) {
      module = nullptr;
      return e;
    }
  }
  if (const hipError_t e = hipModuleGetFunction(out, module, k.name)) return e;
  card->functions[kernel].store(*out, std::memory_order_release);
  return hipSuccess;
}

}  // namespace

Architecture architecture(int card) {
  // hipDeviceProp_t changed its layout between versions, and two functions fill two layouts. Its
  // first 256 bytes have always been the name; the one text after it that begins so is this.
  using Properties = hipError_t (*)(void*, int);
  auto properties = reinterpret_cast<Properties>(runtime_function("hipGetDevicePropertiesR0600"));
  if (!properties)
    properties = reinterpret_cast<Properties>(runtime_function("hipGetDeviceProperties"));
  constexpr size_t kName = 256;
  alignas(16) char bytes[8192] = {};
  Architecture a{};
  if (!properties || properties(bytes, card) != hipSuccess) return a;
  const std::string_view rest(bytes + kName, sizeof bytes - kName - sizeof a.name);
  if (const size_t at = rest.find("gfx"); at != rest.npos)
    std::strncpy(a.name, rest.data() + at, sizeof a.name - 1);
  return a;
}

bool prepare_cards(uint32_t n) {
  if (cards) return true;  // under another kind's name, or by an earlier host
  auto& [images, kernels] = registered();
  std::sort(kernels.begin(), kernels.end(), launched_before);
  std::unique_ptr<Card[]> made(new (std::nothrow) Card[n]);
  if (!made) return false;
  for (uint32_t i = 0; i < n; ++i) {
    made[i].modules.reset(new (std::nothrow) hipModule_t[images.size()]());
    made[i].functions.reset(new (std::nothrow) std::atomic<hipFunction_t>[kernels.size()]());
    if (!made[i].modules || !made[i].functions) return false;
    made[i].architecture = architecture(static_cast<int>(i));
  }
  cards = made.release();
  return true;
}

bool has_kernels(const Architecture& a, char* built, size_t room) {
  *built = '\0';
  const void* image = registered().images.front();  // all have the same architectures
  any_entry(image, [&](const Entry& e) {
    const std::string_view target = e.target();
    const size_t used = std::strlen(built);
    if (!target.empty())
      std::snprintf(built + used, room - used, "%s%.*s", used ? ", " : "",
                    static_cast<int>(target.size()), target.data());
    return false;
  });
  return code_for(image, a.name) != nullptr;
}

}  // namespace bp_gpu

// ---- what hipcc's host code calls ----

extern "C" {

void** __hipRegisterFatBinary(const void* wrapper) {
  struct Wrapper {
    uint32_t magic, version;
    const void* image;
  };
  const void* image = static_cast<const Wrapper*>(wrapper)->image;
  bp_gpu::registered().images.push_back(image);
  return static_cast<void**>(const_cast<void*>(image));
}

// The compiler also passes dimensions, as NULL.
void __hipRegisterFunction(void** image, const void* run, char*, const char* name, unsigned, void*,
                           void*, void*, void*, int*) {
  bp_gpu::registered().kernels.push_back({run, image, name});
}

void __hipUnregisterFatBinary(void**) {}

// A kernel's stub calls it, but nobody calls the stub: hipLaunchKernel launches kernels.
hipError_t __hipPopCallConfiguration(dim3*, dim3*, size_t*, hipStream_t*) {
  return hipErrorNotSupported;
}

}  // extern "C"

hipError_t hipLaunchKernel(const void* run, dim3 blocks, dim3 threads, void** parameters,
                           size_t shared_bytes, hipStream_t stream) {
  using namespace bp_gpu;
  int device = 0;
  if (const hipError_t e = hipGetDevice(&device)) return e;
  const auto& kernels = registered().kernels;
  const auto k = std::lower_bound(kernels.begin(), kernels.end(), Kernel{run, nullptr, nullptr},
                                  launched_before);
  if (k == kernels.end() || k->run != run) return hipErrorInvalidDeviceFunction;
  const auto kernel = static_cast<size_t>(k - kernels.begin());
  Card& card = cards[static_cast<uint32_t>(device)];
  hipFunction_t function = card.functions[kernel].load(std::memory_order_acquire);
  if (!function)
    if (const hipError_t e = load(&card, kernel, &function)) return e;
  return hipModuleLaunchKernel(function, blocks.x, blocks.y, blocks.z, threads.x, threads.y,
                               threads.z, static_cast<unsigned>(shared_bytes), stream, parameters,
                               nullptr);
}
