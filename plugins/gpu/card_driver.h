// SPDX-License-Identifier: Apache-2.0
// card_driver.h: what card.cu, the table of real cards, asks of a vendor besides vendor.h. A
// vendor's driver may be missing.
#pragma once
#include "gpu/library.h"
#include "vendor.h"

namespace bp_gpu {

// Opens the driver and counts the cards, none included. BP_UNAVAILABLE: says which part is missing
// and the remedy.
bp_status start(const bp_host* host, uint32_t* n_cards, bp_error** err);

// Makes a counted card ready for this process, and says if there are no kernels for it. It is the
// calling thread's current one.
bp_status open_card(const bp_host* host, int card, bp_error** err);

// Fills everything but struct_size and flags; makes no context.
GPU(Error_t) describe(int card, bp_device_props* out);

// Host memory that every card of the process copies to and from by itself.
GPU(Error_t) pin(void** out, size_t bytes);
void unpin(void* p);

// The card whose memory p is in; an error or -1 for memory that no card's kernels read.
GPU(Error_t) card_of(const void* p, int* card);

// Of the errors that card.cu does not know, most of which leave the card unusable; BP_INTERNAL when
// neither knows.
bp_status status_of_own(GPU(Error_t) e);

// A library of the vendor's: what it is called, and what open_library needs. No names: there is
// none.
struct LibraryFiles {
  const char* name = "";
  Words names, folders;
};
LibraryFiles blas_files();  // of a name in blas_dialect.h
LibraryFiles collective_files();

// BP_OK and BP_NOT_READY say nothing. card.cu has it.
bp_status say(const bp_host* host, bp_error** err, GPU(Error_t) e, const char* what);

}  // namespace bp_gpu
