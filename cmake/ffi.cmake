# SPDX-License-Identifier: Apache-2.0
# cmake -DCC=<C compiler> -DROOT=<source tree> -DOUT=<file> -P ffi.cmake: writes c_api.h as c_api.ffi.h.
# An empty stdint.h stands in for the system's, whose text differs between machines; and an `extern` before each
# function makes gcc and clang print the same bytes.
file(WRITE ${OUT}.d/stdint.h "")
execute_process(COMMAND ${CC} -E -P -std=c99 -nostdinc -isystem ${OUT}.d -DBP_API=extern -x c ${ROOT}/include/c_api.h
  OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n\n+" "\n" text "${text}")
string(REGEX REPLACE "^\n+" "" text "${text}")
file(WRITE ${OUT} "/* SPDX-License-Identifier: Apache-2.0 */\n/* Made from c_api.h when the library was built: what cffi, LuaJIT and their like read. */\n${text}")
