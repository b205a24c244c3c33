// SPDX-License-Identifier: Apache-2.0
#include "verify/runtime.h"

namespace verifier {

Runtime::Runtime(const Subject& subject, Findings& findings) : findings_(findings) {
  const std::string folder = subject.file.substr(0, subject.file.rfind('/'));
  const std::string allow = "cpu," + subject.kind;
  bp_init_desc desc{};
  desc.struct_size = sizeof desc;
  if (subject.named) {
    desc.plugin_dirs = folder.c_str();
    desc.allow = allow.c_str();
    desc.alias = "";
  }
  desc.log = [](void* user, int32_t level, const char* text, uint64_t length) {
    if (level == 3) static_cast<Findings*>(user)->fail("logged: " + std::string(text, length));
  };
  desc.log_user = &findings_;
  bp::detail::call([&](bp_error** e) { return bp_init(&desc, e); });
  const bp_kind kind = bp::Device(subject.kind).kind();
  std::int32_t count = 0;
  bp::detail::call([&](bp_error** e) { return bp_kind_require(kind, &count, e); });
  if (kind == BP_KIND_CPU) {
    device_ = other_ = bp::Device::make(kind, -1);
    return;
  }
  if (subject.index >= count)
    throw bp::Error(BP_INDEX_OUT_OF_RANGE, "there is no device " + subject.kind + ":" +
                                               std::to_string(subject.index) + " among " +
                                               std::to_string(count));
  device_ = bp::Device::make(kind, subject.index);
  other_ = bp::Device::make(kind, (subject.index + 1) % count);
}

Runtime::~Runtime() {
  bp_error* err = nullptr;
  if (bp_shutdown(-1, &err) < 0)
    findings_.fail(std::string("shutdown: ") + bp_error_message(err, nullptr));
  bp_error_release(err);
}

bool Runtime::is_host() const {
  return (bp::device_info(device_).flags & BP_DEVICE_HOST_MEMORY) != 0;
}

bool Runtime::serves(const char* op, bp_dtype dtype) const {
  std::uint32_t id = 0, yes = 0;
  bp::detail::call([&](bp_error** e) { return bp_op_find(op, &id, e); });
  bp::detail::call(
      [&](bp_error** e) { return bp_op_supported(id, dtype, device_.kind(), &yes, e); });
  return yes != 0;
}

}  // namespace verifier
