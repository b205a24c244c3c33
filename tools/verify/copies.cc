// SPDX-License-Identifier: Apache-2.0
// copies.cc: bytes to the device and back, within it, to another one, through pinned memory. See
// parts.h.
#include <fmt/format.h>

#include "verify/parts.h"

namespace verifier {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::int64_t kSizes[] = {0, 1, 2, 3, 7, 63, 64, 65, 4097, (1 << 20) + 3, (8 << 20) + 1};
constexpr std::int64_t kAround = 16;  // bytes on either side of a copy that must stay

// Different at each place, and for each seed.
Bytes pattern(std::int64_t n, unsigned seed) {
  Bytes bytes(static_cast<size_t>(n));
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<unsigned char>((i * 131 + (i >> 8) * 7 + seed * 29) % 251);
  return bytes;
}

void compare(const Bytes& got, const Bytes& want, Findings& findings) {
  size_t wrong = 0, first = 0;
  for (size_t i = 0; i < want.size(); ++i)
    if (got.size() != want.size() || got[i] != want[i]) {
      if (wrong++ == 0) first = i;
      if (got.size() != want.size()) break;
    }
  findings.check(wrong == 0, [&] {
    if (got.size() != want.size())
      return fmt::format("{} bytes came, expected {}", got.size(), want.size());
    return fmt::format("{} of {} bytes differ, the first at {}: got {}, expected {}", wrong,
                       want.size(), first, got[first], want[first]);
  });
}

// Runs a copy. False for one that the backend does not serve, which is a skip.
template <class F>
bool step(Findings& findings, const std::string& what, F&& copy) {
  findings.begin(what);
  try {
    copy();
  } catch (const bp::Error& e) {
    if (e.status() == BP_UNSUPPORTED) {
      findings.skip(e.what());
      return false;
    }
    findings.fail(fmt::format("{}: {}", e.status_name(), e.what()));
  }
  return true;
}

// n bytes into the middle of `into`, from the middle of `from`.
void copy_inside(const bp::Tensor& from, const bp::Tensor& into, std::int64_t n, const Bytes& sent,
                 const Bytes& there, Findings& findings) {
  bp::Tensor middle = into.narrow(0, kAround + 1, n);
  middle.copy_(from.narrow(0, 3, n));
  Bytes want = there;
  std::copy_n(sent.begin() + 3, n, want.begin() + kAround + 1);
  compare(into.read<unsigned char>(), want, findings);
}

void pass_through_pinned(const Bytes& sent, bp::Device device, Findings& findings) {
  const bp::Device cpu = bp::Device::make(BP_KIND_CPU, -1);
  bp::Tensor pinned = bp::empty_pinned({static_cast<std::int64_t>(sent.size())}, BP_U8, device);
  pinned.write(sent);
  const bp::Tensor x = pinned.to(device, BP_DTYPE_NONE, /*copy=*/true, /*non_blocking=*/true);
  const bp::Tensor back = x.to(cpu, BP_DTYPE_NONE, /*copy=*/true, /*non_blocking=*/true);
  compare(back.read<unsigned char>(), sent, findings);
}

}  // namespace

void copies(const Subject& subject, Findings& findings) {
  const Runtime runtime(subject, findings);
  const bp::Device device = runtime.device(), cpu = bp::Device::make(BP_KIND_CPU, -1);
  for (const std::int64_t n : kSizes) {
    const Bytes sent = pattern(n, 1), more = pattern(n + 2 * kAround, 2),
                there = pattern(n + 2 * kAround, 3);
    const auto bytes_on = [&](const Bytes& bytes, bp::Device d) {
      return bp::from_data(bytes.empty() ? more.data() : bytes.data(),
                           {static_cast<std::int64_t>(bytes.size())}, BP_U8, d);
    };
    step(findings, fmt::format("{} bytes to the device and back", n),
         [&] { compare(bytes_on(sent, device).read<unsigned char>(), sent, findings); });
    step(findings, fmt::format("{} bytes from odd places of the host to odd ones of the device", n),
         [&] {
           copy_inside(bytes_on(more, cpu), bytes_on(there, device), n, more, there, findings);
         });
    step(findings, fmt::format("{} bytes from odd places of the device to odd ones of the host", n),
         [&] {
           copy_inside(bytes_on(more, device), bytes_on(there, cpu), n, more, there, findings);
         });
    step(findings, fmt::format("{} bytes within the device", n), [&] {
      copy_inside(bytes_on(more, device), bytes_on(there, device), n, more, there, findings);
    });
    if (runtime.other() != device)
      step(findings, fmt::format("{} bytes to {} and back", n, runtime.other().str()), [&] {
        const bp::Tensor away = bytes_on(sent, device).to(runtime.other());
        compare(away.read<unsigned char>(), sent, findings);
        compare(away.to(device).read<unsigned char>(), sent, findings);
      });
  }
  if (device.kind() == BP_KIND_CPU) return;
  for (const std::int64_t n : kSizes) {
    const std::string what = fmt::format("{} bytes through pinned memory", n);
    if (!step(findings, what, [&] { pass_through_pinned(pattern(n, 1), device, findings); })) break;
  }
  findings.begin("");
  if (runtime.other() == device) findings.skip("between devices: there is one device");
}

}  // namespace verifier
