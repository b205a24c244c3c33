// SPDX-License-Identifier: Apache-2.0
// trace_file.h: a profile as a file in the Trace Event Format, which chrome://tracing and Perfetto
// show: an object with "traceEvents"
// (docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU). Times are microseconds
// since the profile began, with three decimals. The host is the first process of the picture, and
// each device is one more. Of a member of a group they are named after its rank: "rank 1 of 4
// (python3)", "rank 1 of 4, cuda:0", and "process" and "part" say the two halves of such a name.
#pragma once
#include <string>

#include "core/process/trace.h"

namespace bp {

// Replaces the file as a whole or not at all; throws what replace_file does.
void write_trace(const Profile& p, const std::string& path);

}  // namespace bp
