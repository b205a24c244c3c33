// SPDX-License-Identifier: Apache-2.0
// trace.h: a profile that bp_profile_save wrote, read again: its lanes, its spans and how they lie
// within each other; tables and a picture of it (tables.cc, picture.cc, memory.cc), and several
// made one (merge.cc).
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cli {

struct Trace {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Lane {
    std::int64_t process = 0, number = 0;
    std::string group, name;  // "host", "main thread"; "cuda:0", "default stream"
    // "rank 1 of 4, cuda:0" is of the owner "rank 1 of 4", and the part "cuda:0". Without ranks and
    // other processes the owner is "", and the part the group.
    std::string owner, part;
  };
  // Times are in microseconds since the beginning.
  struct Span {
    std::size_t lane = 0;
    std::string category, name;
    double begin = 0, length = 0;
    double own = 0;              // without the spans that lie within it
    std::size_t around = kNone;  // the span that it lies in
    std::size_t depth = 0;       // how many lie around it
    nlohmann::json says;         // an object, or null
    double end() const { return begin + length; }
    std::string text(const char* key) const;  // "" where it does not say that
    std::uint64_t bytes() const;
  };
  struct Use {
    std::string device;
    double at = 0;
    std::uint64_t bytes = 0;
  };
  // Memory that a tensor held.
  struct Block {
    std::string device, op, module;  // op and module made it; "" where there was none
    std::uint64_t bytes = 0;
    double begin = 0, end = 0;  // end: that of the trace, where it lives
    bool lives = true;
  };
  std::string program;  // "backplane 0.1.0"
  double length = 0;
  std::uint64_t dropped = 0;
  std::vector<Lane> lanes;  // the host's first, then by device
  std::vector<Span> spans;  // by lane, then by begin; one that lies in another comes after it
  std::vector<Use> uses;
  std::vector<Block> blocks;
};

// Throws std::runtime_error with the path and what is wrong there.
nlohmann::json read_json(const std::string& path);
Trace read_trace(const std::string& path);

enum class By : std::uint8_t { kOp, kModule, kWait, kCopy, kRange, kExchange };
// The owners of its lanes, in their order.
std::vector<std::string> owners_of(const Trace& trace);
// The rows of one owner's table and its head, the longest first; a time is a text such as "1.25
// ms".
std::vector<std::vector<std::string>> table_of(const Trace& trace, By by, const std::string& owner);
// The tables of all owners as an array of objects, with numbers: microseconds and bytes. Where
// there are several, an object has its "process".
nlohmann::json json_of(const Trace& trace, By by);
// "12.5 ms in 2 lanes; 3.1 ms waited", a line for each lane.
std::string heading_of(const Trace& trace);

// Who held a device's memory at the time when blocks held the most of it.
struct Holders {
  struct Row {
    std::string op, module;
    std::size_t blocks = 0;
    std::uint64_t bytes = 0;
  };
  std::string device;
  double at = 0;             // microseconds
  std::uint64_t bytes = 0;   // of all rows
  std::uint64_t in_use = 0;  // of the device at most, with what no row has; 0: not known
  std::vector<Row> rows;     // the largest first
};
std::vector<Holders> holders_of(const Trace& trace);
// Draws for each device what its largest holders have over time, one above the other.
std::string memory_picture_of(const Trace& trace, double width);

// Draws the lanes below each other over time.
std::string picture_of(const Trace& trace, double width);

// One trace of several, each with its own processes, members of a group by their ranks; they are
// put at the times at which they began.
nlohmann::json merged(const std::vector<std::string>& paths);

}  // namespace cli
