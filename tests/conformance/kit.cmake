# SPDX-License-Identifier: Apache-2.0
# conformance_kit: the oracles, the cases and the judge, without the test framework. The conformance tests link it, and so
# does `backplane verify`, which is built where tests are not.
set(here ${CMAKE_CURRENT_LIST_DIR})
file(GLOB BP_KIT_SOURCES CONFIGURE_DEPENDS ${here}/*.cc ${here}/oracle/*.cc ${here}/cases/*.cc)
list(FILTER BP_KIT_SOURCES EXCLUDE REGEX "_test\\.cc$")
add_library(conformance_kit STATIC ${BP_KIT_SOURCES})
# Oracles would take most of a sanitizer's time, and are not what it is to judge.
set_target_properties(conformance_kit PROPERTIES UNITY_BUILD ${BP_UNITY} BP_SANITIZE none BP_IS_TEST ON)
target_compile_options(conformance_kit PRIVATE $<$<CONFIG:Release>:-Os>)  # part of the command
if(BP_SANITIZE)
  target_compile_options(conformance_kit PRIVATE -O2)
endif()
target_include_directories(conformance_kit PUBLIC ${here} ${here}/..)  # "judge.h", "kit/..."
target_link_libraries(conformance_kit PUBLIC bp_options backplane::backplane)
