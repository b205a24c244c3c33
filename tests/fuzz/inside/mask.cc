// SPDX-License-Identifier: Apache-2.0
// Texts as masks of devices: the kind's own variable, BACKPLANE_VISIBLE_DEVICES and aliases, a line
// each behind a byte that says how many devices there are. What is visible and what is hidden must
// fit each other.
#include <algorithm>

#include "core/backend/discovery.h"
#include "core/base/error.h"
#include "core/process/visibility.h"
#include "tests/fuzz/fuzz.h"

namespace {

const std::string kUuids[] = {"GPU-9942190a-aa31", "GPU-9e8d35e3-a134",         "MIG-89c850dc-1111",
                              "GPU-9942190a-bb42", "MIG-GPU-8932f937-d72c/1/0", ""};

// Calls f, which may refuse its text with one line.
template <class F>
bool accepted(const F& f) {
  bp_error* refusal = nullptr;
  try {
    f();
  } catch (const bp::Error& e) {
    if (e.status() != BP_INVALID_ARGUMENT) fuzz::die(e.message());
    refusal = bp::make_error(e);
  }
  return fuzz::expect_error_or_ok(refusal ? BP_INVALID_ARGUMENT : BP_OK, refusal);
}

void check(const bp::Visibility& v, size_t n) {
  if (v.fates.size() != n) fuzz::die("a device without a fate");
  for (size_t i = 0; i < v.physical.size(); ++i) {
    const auto at = static_cast<size_t>(v.physical[i]);
    if (at >= n || v.fates[at].logical != static_cast<int32_t>(i))
      fuzz::die("a visible device that does not know its place");
  }
  size_t visible = 0;
  for (const auto& fate : v.fates) {
    visible += fate.logical >= 0;
    if ((fate.logical >= 0) != fate.reason.empty()) fuzz::die("a reason too many or too few");
  }
  if (visible != v.physical.size()) fuzz::die("two devices of one place");
}

std::string next_line(std::string& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string line = text.substr(0, end);
  text.erase(0, end + 1);
  return line;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  const uint8_t how = in.byte();
  std::string text = in.rest();
  const std::string mask = next_line(text), spec = next_line(text), alias = next_line(text);
  const size_t n = std::min<size_t>(how & 7, std::size(kUuids));
  bp::VisibleQuery query{.kind = BP_KIND_CUDA, .name = how & 8 ? "acme" : "cuda"};
  if (how & 8) query.kind = BP_KIND_DYNAMIC;
  query.uuids = {kUuids, n};
  if (how & 16) query.driver_masks = "CUDA_VISIBLE_DEVICES";
  if (how & 32) query.env = [&](const std::string&) { return std::optional(mask); };
  if (how & 64) query.spec = spec;
  accepted([&] { check(resolve_visibility(query), n); });

  std::string why_not;
  const std::vector<int32_t> shown = bp::apply_mask(mask, query.uuids, &why_not);
  for (const int32_t i : shown)
    if (i < 0 || static_cast<size_t>(i) >= n || std::count(shown.begin(), shown.end(), i) != 1)
      fuzz::die("a mask shows what is not there, or twice");
  const std::string known[] = {"cpu", "cuda", "acme"};
  const auto ids = [](std::string_view) { return std::string("cuda:0"); };
  if (accepted([&] { bp::check_visible_spec(spec, "spec", known, ids); }))
    for (const std::string& kind : bp::visible_spec_kinds(spec))
      if (std::count(std::begin(known), std::end(known), kind) != 1) fuzz::die("kind " + kind);
  accepted([&] { bp::parse_aliases(alias, "alias"); });
  bp::allowed(alias, "cuda");
  return 0;
}
