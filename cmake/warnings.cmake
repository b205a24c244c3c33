# SPDX-License-Identifier: Apache-2.0
# Warnings and sanitizers for every target of this project, which links `bp_options`. Where not all sanitizers are worth
# their compile time, the target's property BP_SANITIZE names those that are: checks of undefined behaviour at each access
# double the time that the address sanitizer takes for a kernel's hundreds of instances. "none" stands for none of them.
add_library(bp_options INTERFACE)
# We need no signalling compares and never read libm's errno: without them loops vectorise.
set(BP_OPTIONS -Wall -Wextra -Wpedantic $<$<BOOL:${BP_WERROR}>:-Werror> -fno-math-errno -fno-trapping-math)
target_compile_options(bp_options INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:${BP_OPTIONS}>")
# nvcc's host code is generated, and pedantry about it is of no use.
target_compile_options(bp_options INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra$<$<BOOL:${BP_WERROR}>:,-Werror> $<$<BOOL:${BP_WERROR}>:-Werror=all-warnings>>)
# GCC 12 warns falsely on "text" + std::string (GCC bug 105651).
target_compile_options(bp_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
string(REPLACE ",undefined" "" BP_SANITIZE_TESTS "${BP_SANITIZE}")
string(REPLACE ",undefined" ",signed-integer-overflow,shift,integer-divide-by-zero" BP_SANITIZE_KERNELS "${BP_SANITIZE}")
if(BP_SANITIZE)
  set(of_target "$<TARGET_PROPERTY:BP_SANITIZE>")
  string(REPLACE "," "$<COMMA>" all "${BP_SANITIZE}")
  target_compile_options(bp_options INTERFACE "$<$<NOT:$<STREQUAL:${of_target},none>>:-fsanitize=$<IF:$<BOOL:${of_target}>,${of_target},${all}>>" -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  if(BP_SANITIZE MATCHES undefined)  # they check each access, and the address sanitizer sees what they find
    target_compile_options(bp_options INTERFACE -fno-sanitize=null,object-size,vptr,pointer-overflow,returns-nonnull-attribute)
  endif()
  # GCC 12 sees uninitialised values in std::variant when it is sanitised (GCC bug 105562).
  target_compile_options(bp_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_link_options(bp_options INTERFACE -fsanitize=${BP_SANITIZE})
  target_compile_definitions(bp_options INTERFACE BP_SANITIZED=1)
  if(BP_SANITIZE MATCHES address)
    target_compile_definitions(bp_options INTERFACE BP_ASAN=1 BP_DEBUG_ALLOCATOR=1)  # guard bytes see what asan cannot
  endif()
  if(BP_SANITIZE MATCHES thread)
    target_compile_definitions(bp_options INTERFACE BP_TSAN=1)
  endif()
endif()
if(BP_COVERAGE)  # clang counts regions of the source, so that optimised code is counted rightly; tests are not asked for
  set(counted $<NOT:$<BOOL:$<TARGET_PROPERTY:BP_IS_TEST>>>)
  target_compile_options(bp_options INTERFACE
    "$<$<AND:${counted},$<COMPILE_LANGUAGE:C,CXX>>:-fprofile-instr-generate;-fcoverage-mapping>")
  target_link_options(bp_options INTERFACE -fprofile-instr-generate)
endif()
if(BP_FUZZ)
  target_compile_options(bp_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
