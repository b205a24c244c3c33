# SPDX-License-Identifier: Apache-2.0
# What every target of this project is compiled with, and where it is put. All of it is set in this folder's scope, so that a
# project that takes this one in keeps its own settings; and what that one set for its own targets is taken back here where
# ours would break: the kernels, the static library and the plugins' names do not stand it.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# By these NaN, infinity and the order of additions go, and a library that is linked with them changes the floating-point mode of
# its whole process.
get_directory_property(inherited COMPILE_OPTIONS)
string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
foreach(flags "${CMAKE_C_FLAGS}" "${CMAKE_CXX_FLAGS}" "${CMAKE_C_FLAGS_${configuration}}" "${CMAKE_CXX_FLAGS_${configuration}}" "${inherited}")
  if(flags MATCHES "-(Ofast|ffast-math|funsafe-math-optimizations|ffinite-math-only|fassociative-math)")
    message(FATAL_ERROR "Backplane's kernels are wrong with ${CMAKE_MATCH_0}, which all targets are to be compiled with ('${flags}'): "
      "give it to your own targets by target_compile_options")
  endif()
endforeach()

# The build tree has the installed layout, so that the core finds its plugins in both.
set(BP_OUTPUT ${PROJECT_BINARY_DIR})
get_property(several_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(several_configurations)
  string(APPEND BP_OUTPUT /$<CONFIG>)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${BP_OUTPUT}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${BP_OUTPUT}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${BP_OUTPUT}/lib)
set(BP_PLUGIN_OUTPUT ${BP_OUTPUT}/lib/backplane)
set(BP_REFERENCE_OUTPUT ${BP_OUTPUT}/lib/reference)  # apart, so that only tests that name it find it
set(BP_PLUGIN_INSTALL ${CMAKE_INSTALL_LIBDIR}/backplane)

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(BP_CCACHE ccache)
  if(BP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER ${BP_CCACHE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${BP_CCACHE})
  endif()
else()
  foreach(setting UNITY_BUILD INTERPROCEDURAL_OPTIMIZATION C_CLANG_TIDY CXX_CLANG_TIDY C_CPPCHECK CXX_CPPCHECK CXX_CPPLINT
      C_INCLUDE_WHAT_YOU_USE CXX_INCLUDE_WHAT_YOU_USE LINK_WHAT_YOU_USE INSTALL_RPATH)
    set(CMAKE_${setting} "")
  endforeach()
  foreach(configuration IN LISTS CMAKE_CONFIGURATION_TYPES CMAKE_BUILD_TYPE)
    string(TOUPPER ${configuration} configuration)
    set(CMAKE_${configuration}_POSTFIX "")
  endforeach()
endif()

# BUILD_SHARED_LIBS=OFF makes backplane::backplane the core that is linked in; without a word it is the shared library.
set(BP_CORE backplane)
if(DEFINED BUILD_SHARED_LIBS AND NOT BUILD_SHARED_LIBS)
  if(NOT BP_STATIC OR BP_SANITIZE OR BP_FUZZ OR BP_COVERAGE)
    message(FATAL_ERROR "BUILD_SHARED_LIBS is OFF, and there is no static core with BP_STATIC=${BP_STATIC}, "
      "BP_SANITIZE='${BP_SANITIZE}', BP_FUZZ=${BP_FUZZ}, BP_COVERAGE=${BP_COVERAGE}")
  endif()
  set(BP_CORE backplane_static)
endif()
if(BP_BUILD_TESTS)  # they run over all of it
  foreach(part BUILD_TOOLS BUILD_EXAMPLES BUILD_SIM BUILD_NULL INSTALL)
    if(NOT BP_${part})
      message(FATAL_ERROR "BP_BUILD_TESTS is ON and BP_${part} is OFF: the tests use the command, the examples, sim, null and "
        "what is installed")
    endif()
  endforeach()
endif()
