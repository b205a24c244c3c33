// SPDX-License-Identifier: Apache-2.0
// faults.cc: a refusal is a negative status and a sentence, in which no exception leaves the
// plugin; what comes after it works. See parts.h.
#include <fmt/format.h>

#include "verify/parts.h"
#include "verify/slots.h"

namespace verifier {
namespace {

constexpr uint64_t kTooMuch = uint64_t{1} << 60;

void expect_refusal(const char* what, Findings& findings,
                    const std::function<bp_status(bp_error**)>& call) {
  findings.begin(what);
  const Said said = ask(call);
  findings.check(!said.threw && said.status < 0 && !said.text.empty(), [&] {
    return said.threw || said.status < 0
               ? said.sentence()
               : fmt::format("{}, expected a refusal with a sentence", bp_status_name(said.status));
  });
  const Said silent = ask([&](bp_error**) { return call(nullptr); });
  findings.check(!silent.threw && silent.status == said.status, [&] {
    return fmt::format("without a place for the error it is {}, with one {}", silent.sentence(),
                       bp_status_name(said.status));
  });
}

void refuse(const Slots& slots, Findings& findings) {
  const bp_plugin_api& api = slots.api();
  bp_pdev* device = slots.open(0);
  expect_refusal("mem_alloc of 2^60 bytes", findings, [&](bp_error** e) {
    void* block = nullptr;
    return api.mem_alloc(device, kTooMuch, &block, e);
  });
  findings.begin("mem_alloc of 64 bytes after one that was refused");
  void* block = nullptr;
  const Said after = ask([&](bp_error** e) { return api.mem_alloc(device, 64, &block, e); });
  if (findings.check(after.good(), [&] { return after.sentence(); }))
    api.mem_free(device, block, 64);
  api.device_close(device);
  if (!api.extension) return;
  findings.begin("extension");
  const void* table = &api;
  const Said said = ask([&](bp_error**) {
    table = api.extension(slots.plugin(), "bp.no_such/1");
    return BP_OK;
  });
  findings.check(said.good() && !table, [&] {
    return said.threw ? said.sentence() : "it has a table of an id that nobody gave: bp.no_such/1";
  });
}

// The same through the library, where the program goes on.
void go_on(const Subject& subject, Findings& findings) {
  const Runtime runtime(subject, findings);
  findings.begin("a tensor of 2^60 bytes");
  const auto works = [&] {
    const std::vector<float> sent{1, 2, 3};
    const std::vector<float> got = bp::tensor(sent, runtime.device()).read<float>();
    findings.check(got == sent, [&] {
      return fmt::format("after it, 3 floats came back as {}", fmt::join(got, ", "));
    });
  };
  bp_tensor* huge = nullptr;
  const std::int64_t shape = std::int64_t{1} << 58;
  const Said said = ask([&](bp_error** e) {
    return bp_tensor_empty(1, &shape, BP_F32, runtime.device().value(), &huge, e);
  });
  bp_tensor_release(huge);
  findings.check(
      said.status == BP_OUT_OF_DEVICE_MEMORY || said.status == BP_OUT_OF_HOST_MEMORY,
      [&] { return fmt::format("{}, expected BP_OUT_OF_DEVICE_MEMORY", said.sentence()); });
  works();
  findings.begin("an attribute that no op has");
  const bp_attr attribute{"no_such_attribute", BP_ATTR_I64, 1, {1}, 0};
  const bp::Tensor x = bp::tensor(std::vector<float>{1, 2}, runtime.device());
  std::uint32_t op = 0;
  bp::detail::call([&](bp_error** e) { return bp_op_find("copy", &op, e); });
  const Said bad = ask([&](bp_error** e) {
    bp_tensor* out = nullptr;
    return bp_invoke(op, bp::Value(x), 1, &attribute, 1, &out, 1, e);
  });
  findings.check(bad.status == BP_NOT_FOUND && !bad.text.empty(), [&] { return bad.sentence(); });
  works();
}

}  // namespace

void faults(const Subject& subject, Findings& findings) {
  {
    const Library library(subject.file);
    CountingHost host(subject.kind);
    const Slots slots(library, host);
    refuse(slots, findings);
  }
  go_on(subject, findings);
}

}  // namespace verifier
