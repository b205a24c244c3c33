// SPDX-License-Identifier: Apache-2.0
// throwing.cc: what C cannot do: it throws, and no std::exception.
extern "C" void throw_seven();
void throw_seven() { throw 7; }
