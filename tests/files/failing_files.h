// SPDX-License-Identifier: Apache-2.0
// failing_files.h: the system's calls about files, which fail when a test says so. This program's
// open, write, fsync and so on, which the libraries share, take the place of the C library's.
//
//   {
//     const FailingFiles now(EIO, 3, FailingFiles::kOnce);   // the fourth call that EIO may meet
//     status = bp_safetensors_save(d, "net.safetensors", &err);
//   }
#pragma once
#include <string>

class FailingFiles {
 public:
  // What a call does instead of its work: a number of errno, with which it fails, or one of these.
  enum Faults {
    kShort = -1,    // it reads or writes one byte
    kNothing = -2,  // it writes no byte, and says so
    kKilled = -3    // the process ends
  };
  // Whether, after the first that fails, each later call fails too, or each of the same function.
  enum Manner { kOnce, kThatFunction, kForEver };

  // Of the calls that the fault may meet, the first `granted` do their work. At most one of these
  // at a time; it is about all threads.
  FailingFiles(int fault, long granted, Manner manner);
  ~FailingFiles();
  FailingFiles(const FailingFiles&) = delete;
  FailingFiles& operator=(const FailingFiles&) = delete;
  // Whether a call failed; which one was the first; and whether one of this name did.
  static bool struck();
  static std::string first();
  static bool failed(const char* function);
  // How many descriptors were closed that were not open, since the process started.
  static long wrong_closes();
};
