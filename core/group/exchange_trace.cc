// SPDX-License-Identifier: Apache-2.0
#include "core/group/exchange_trace.h"

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

#include "core/value/dtype.h"

namespace bp {
namespace {

std::string lane_name(const Membership& m) {
  std::string name = "group " + m.about.kind;
  if (m.number > 1)
    name += fmt::format(" {} (rank {} of {})", m.number, m.about.rank, m.about.size);
  return name;
}
std::string lane_name(const Membership& m, uint32_t lane) {
  std::string name = lane_name(m);
  if (lane) name += ", messages";
  if (lane > 1) name += fmt::format(" {}", lane);
  return name;
}

// Members of a JSON object.
std::string says_of(const Work& w) {
  const Claim& c = w.claim;
  std::string says = fmt::format(R"("members":{})", w.member->about.size);
  if (c.number) says += fmt::format(R"(,"number":{})", c.number);
  if (const char* operation = operation_name(c))
    says += fmt::format(R"(,"operation":"{}")", operation);
  if (const char* peer = peer_name(c)) says += fmt::format(R"(,"{}":{})", peer, c.peer);
  if (c.kind == BP_EXCHANGE_SEND || c.kind == BP_EXCHANGE_RECEIVE)
    says += fmt::format(R"(,"tag":{})", w.what.tag);
  if (const std::string shape = shape_text(c); !shape.empty())
    says += fmt::format(R"(,"in":["{}"])", shape);
  if (w.what.kind != BP_EXCHANGE_BARRIER)
    says += fmt::format(R"(,"bytes":{})",
                        w.what.count * static_cast<uint64_t>(dtype_bytes(w.what.dtype)));
  return says;
}

}  // namespace

void ExchangeSpan::hand_in(const Work& w, bool failed) noexcept {
  try {
    TraceRecord r;
    r.sort = TraceSort::kExchange;
    r.failed = failed;
    r.begin = std::exchange(began_, 0);
    r.name = exchange_name(w.claim.kind);
    if (w.claim.on_device) r.name += " (check)";  // the members' claims, before it
    r.says = says_of(w);
    keep_beside(lane_name(*w.member, lane_), std::move(r));
  } catch (const std::exception&) {
    count_dropped(/*spans=*/1, /*blocks=*/0);
  }
}

std::shared_ptr<QueueNote> note_of(const Work& w, const Device& d) {
  auto note = std::make_shared<QueueNote>();
  note->lane = fmt::format("{}, {}", lane_name(*w.member), d.label);
  note->says = says_of(w);
  return note;
}

}  // namespace bp
