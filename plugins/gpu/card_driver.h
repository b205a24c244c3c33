// SPDX-License-Identifier: Apache-2.0
// card_driver.h: what card.cu, the table of real cards, asks of a vendor besides vendor.h. A
// vendor's driver may be missing.
#pragma once
#include "gpu/attention.h"
#include "gpu/library.h"
#include "gpu/sort_pairs.h"
#include "vendor.h"

namespace bp_gpu {

// Opens the driver and counts the cards, which may be none. Returns BP_UNAVAILABLE, and says which
// part is missing and the remedy.
bp_status start(const bp_host* host, uint32_t* n_cards, bp_error** err);

// Makes a counted card, the calling thread's current one, ready for this process. Fails when there
// are no kernels for it.
bp_status open_card(const bp_host* host, int card, bp_error** err);

// Fills in everything but struct_size and flags, without making a context.
GPU(Error_t) describe(int card, bp_device_props* out);

// Host memory that every card of the process copies to and from by itself.
GPU(Error_t) pin(void** out, size_t bytes);
void unpin(void* p);

// Sets *card to the card whose memory p is in; -1, or an error, for what no card's kernels read.
GPU(Error_t) card_of(const void* p, int* card);

// The status of an error that card.cu does not know, most of which leave the card unusable;
// BP_INTERNAL when neither knows it.
bp_status status_of_own(GPU(Error_t) e);

// A library of the vendor's: its name, and what open_library needs. No names mean no library.
struct LibraryFiles {
  const char* name = "";
  Words names, folders;
};
LibraryFiles blas_files();  // of a name in blas_dialect.h
LibraryFiles collective_files();
LibraryFiles dnn_files();  // where kHasDnn
LibraryFiles lt_files();   // where kHasLt

// A sort that the plugin was compiled with, as VendorInfo::sort_pairs, for the calling thread's
// current card. nullptr: there is none.
using PairSort = GPU(Error_t) (*)(SortPairs* s, GPU(Stream_t) stream);
PairSort pair_sort();

// Attention that the plugin was compiled with, for the calling thread's current card, which answers
// GPU(ErrorNotSupported) where it has no kernel for a call. nullptr: there is none.
using CardAttention = GPU(Error_t) (*)(const Attention& a, GPU(Stream_t) stream);
CardAttention card_attention();

// Returns e's status and, when it is negative, says `what` failed. card.cu defines it.
bp_status say(const bp_host* host, bp_error** err, GPU(Error_t) e, const char* what);

}  // namespace bp_gpu
