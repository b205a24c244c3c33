// SPDX-License-Identifier: Apache-2.0
// parts.h: the parts of the verification, each a row of the table and a process. The first is the
// handshake; when it fails the others are not run.
#pragma once
#include "verify/runtime.h"

namespace verifier {

// handshake.cc: the file, its stages in the loader, its table and its devices. Tells the parent
// `file`, `version`, `device` and `name`.
void handshake(const Subject& subject, Findings& findings);
// records.cc: every op and dtype that the backend serves, against its oracle and the bound of its
// error: contiguous operands; operands and outputs of every other layout.
void records(const Subject& subject, Findings& findings);
void strides(const Subject& subject, Findings& findings);
// copies.cc
void copies(const Subject& subject, Findings& findings);
// streams.cc: order within and between streams; what events say, and of which stream.
void streams(const Subject& subject, Findings& findings);
void events(const Subject& subject, Findings& findings);
// threads.cc: four threads, each with a stream of its own.
void threads(const Subject& subject, Findings& findings);
// faults.cc: what cannot be served is refused with a sentence, and what comes after works.
void faults(const Subject& subject, Findings& findings);
// memory.cc: blocks are aligned and apart; what is given back is back.
void memory(const Subject& subject, Findings& findings);
// memory.cc: the library ends and starts again, also with tensors left.
void shutdown(const Subject& subject, Findings& findings);

struct Part {
  const char* name;
  void (*run)(const Subject& subject, Findings& findings);
  const char* what;
};
inline constexpr Part kParts[] = {
    {"handshake", handshake, "the file, its answers and its devices"},
    {"records", records, "every op and dtype against its oracle, within the bound of its error"},
    {"strides", strides, "the same with operands and outputs of every other layout"},
    {"copies", copies, "to, from, within and between devices"},
    {"streams", streams, "order within streams, waits between them"},
    {"events", events, "they tell of their own stream and their last record"},
    {"threads", threads, "four threads at once"},
    {"faults", faults, "refusals are statuses with a sentence; work goes on"},
    {"memory", memory, "alignment, and no leaks"},
    {"shutdown", shutdown, "the library ends and starts again"},
};

}  // namespace verifier
