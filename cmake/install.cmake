# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where. Everything is found relative to where it lies, so the tree may be moved:
#   include/backplane/   the public headers               lib/libbackplane.so.1   lib/backplane/  the plugins
#   lib/cmake/backplane/ find_package(backplane)          lib/pkgconfig/backplane.pc
#   lib/libbackplane.a   the core to be linked in (BP_STATIC), which lib/pkgconfig/backplane-static.pc names
#   bin/backplane        the command                      share/backplane/examples/
#   share/man/man1/      its manual                       share/{bash-completion,zsh,fish}/ what completes it in shells
#   share/doc/backplane/ the licence and the notices
# (bp_add_plugin installs each plugin.)
include(CMakePackageConfigHelpers)
set(BP_CMAKE_INSTALL ${CMAKE_INSTALL_LIBDIR}/cmake/backplane)

file(GLOB BP_CPP_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bindings/cpp/*.hpp)
file(GLOB BP_C_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/c_*.h)
install(FILES ${BP_C_HEADERS} ${BP_CPP_HEADERS}
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/backplane)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/backplane/examples)
install(FILES LICENSE NOTICE THIRD_PARTY_NOTICES.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# <backplane/c_api.h> and <c_api.h> both mean ours.
foreach(core backplane backplane_static)
  if(TARGET ${core})
    target_include_directories(${core} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  endif()
endforeach()
# Backends see headers and nothing else.
add_library(backplane_plugin INTERFACE)
set_target_properties(backplane_plugin PROPERTIES EXPORT_NAME plugin)
target_include_directories(backplane_plugin INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/backplane>)
add_library(backplane::plugin ALIAS backplane_plugin)

install(TARGETS backplane backplane_cpp backplane_plugin EXPORT backplane)
if(TARGET backplane_static)
  install(TARGETS backplane_static backplane_cpp_static EXPORT backplane)
endif()
if(TARGET backplane_cli)
  set_target_properties(backplane_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS backplane_cli)
  set(pages ${PROJECT_BINARY_DIR}/pages)  # tools/CMakeLists.txt has them printed
  install(FILES ${pages}/backplane.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
  install(FILES ${pages}/backplane DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
  install(FILES ${pages}/_backplane DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
  install(FILES ${pages}/backplane.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
endif()
install(EXPORT backplane FILE backplaneTargets.cmake NAMESPACE backplane:: DESTINATION ${BP_CMAKE_INSTALL})

configure_package_config_file(cmake/backplaneConfig.cmake.in backplaneConfig.cmake
  INSTALL_DESTINATION ${BP_CMAKE_INSTALL} PATH_VARS BP_PLUGIN_INSTALL)
write_basic_package_version_file(backplaneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/backplaneConfig.cmake ${PROJECT_BINARY_DIR}/backplaneConfigVersion.cmake
  DESTINATION ${BP_CMAKE_INSTALL})

file(RELATIVE_PATH BP_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" BP_PC_TO_PREFIX ${BP_PC_TO_PREFIX})
set(BP_PC_PRIVATE "")
if(TARGET backplane_static)
  list(TRANSFORM BP_STATIC_LIBRARIES PREPEND -l OUTPUT_VARIABLE BP_PC_PRIVATE)
  list(JOIN BP_PC_PRIVATE " " BP_PC_PRIVATE)
  string(PREPEND BP_PC_PRIVATE "-Wl,-z,nodelete ")
endif()
foreach(name backplane backplane-static)
  if(name STREQUAL backplane OR TARGET backplane_static)
    configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endforeach()

# c_api.ffi.h: c_api.h after the preprocessor, without the system's stdint.h, for cffi, LuaJIT and their like.
# They know int32_t and the rest by themselves.
set(BP_READ_HEADERS ${BP_C_HEADERS})
list(FILTER BP_READ_HEADERS EXCLUDE REGEX "c_plugin|c_collective")
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/c_api.ffi.h
  COMMAND ${CMAKE_COMMAND} -DCC=${CMAKE_C_COMPILER} -DROOT=${PROJECT_SOURCE_DIR}
    -DOUT=${PROJECT_BINARY_DIR}/c_api.ffi.h -P ${PROJECT_SOURCE_DIR}/cmake/ffi.cmake
  DEPENDS cmake/ffi.cmake ${BP_READ_HEADERS}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
add_custom_target(ffi_header ALL DEPENDS ${PROJECT_BINARY_DIR}/c_api.ffi.h)
install(FILES ${PROJECT_BINARY_DIR}/c_api.ffi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/backplane)
