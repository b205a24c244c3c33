# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where. Everything is found relative to where it lies, so the tree may be moved:
#   include/backplane/   the public headers               lib/libbackplane.so.1   lib/backplane/  the plugins
#   lib/cmake/backplane/ find_package(backplane)          lib/pkgconfig/backplane{,-cpp,-static,-plugin}.pc
#   lib/libbackplane.a   the core to be linked in (BP_STATIC)
#   bin/backplane        the command                      share/backplane/examples/, plugin-template/, gdb/
#   share/man/man1/      its manual                       share/{bash-completion,zsh,fish}/ what completes it in shells
#   share/doc/backplane/ the licence and the notices, and the ops for who writes a backend
# (backplane_add_plugin installs each plugin.) The component Backplane_Runtime is what programs run with, Backplane_Development
# the rest; `cmake --install <build> --component Backplane_Runtime` installs the former alone.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME Backplane_Development)
set(BP_CMAKE_INSTALL ${CMAKE_INSTALL_LIBDIR}/cmake/backplane)

file(GLOB BP_CPP_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bindings/cpp/*.hpp)
file(GLOB BP_C_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/c_*.h)
install(FILES ${BP_C_HEADERS} ${BP_CPP_HEADERS}
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/backplane)
install(FILES bindings/cpp/gdb/backplane_printers.py DESTINATION ${CMAKE_INSTALL_DATADIR}/backplane/gdb)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/backplane/examples)
install(DIRECTORY plugins/null/ DESTINATION ${CMAKE_INSTALL_DATADIR}/backplane/plugin-template)
install(FILES docs/ops.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE NOTICE THIRD_PARTY_NOTICES.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT Backplane_Runtime)

# <backplane/c_api.h> and <c_api.h> both mean ours.
foreach(core backplane backplane_static)
  if(TARGET ${core})
    target_include_directories(${core} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  endif()
endforeach()
install(TARGETS backplane_cpp backplane_plugin EXPORT backplane)
if(BP_CORE STREQUAL "backplane")
  install(TARGETS backplane EXPORT backplane LIBRARY COMPONENT Backplane_Runtime NAMELINK_COMPONENT Backplane_Development)
endif()
if(TARGET backplane_static)
  install(TARGETS backplane_static backplane_cpp_static EXPORT backplane)
endif()
if(TARGET backplane_cli)
  set_target_properties(backplane_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS backplane_cli COMPONENT Backplane_Runtime)
  set(pages ${PROJECT_BINARY_DIR}/pages)  # tools/CMakeLists.txt has them printed
  install(FILES ${pages}/backplane.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL COMPONENT Backplane_Runtime)
  install(FILES ${pages}/backplane DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL COMPONENT Backplane_Runtime)
  install(FILES ${pages}/_backplane DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL COMPONENT Backplane_Runtime)
  install(FILES ${pages}/backplane.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL COMPONENT Backplane_Runtime)
endif()
install(EXPORT backplane FILE backplaneTargets.cmake NAMESPACE backplane:: DESTINATION ${BP_CMAKE_INSTALL})

configure_package_config_file(cmake/backplaneConfig.cmake.in backplaneConfig.cmake
  INSTALL_DESTINATION ${BP_CMAKE_INSTALL} PATH_VARS BP_PLUGIN_INSTALL)
write_basic_package_version_file(backplaneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/backplaneConfig.cmake ${PROJECT_BINARY_DIR}/backplaneConfigVersion.cmake
  cmake/backplane_plugins.cmake cmake/plugin.map
  DESTINATION ${BP_CMAKE_INSTALL})

file(RELATIVE_PATH BP_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" BP_PC_TO_PREFIX ${BP_PC_TO_PREFIX})
# bp_pkg_config(<name> <description> <requires> <libs> <private>)
function(bp_pkg_config name description requires libs private)
  configure_file(cmake/backplane.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
if(TARGET backplane_static)
  list(TRANSFORM BP_STATIC_LIBRARIES PREPEND -l OUTPUT_VARIABLE private)
  list(JOIN private " " private)
  string(PREPEND private "-Wl,-z,nodelete ")
  set(inside "\${libdir}/libbackplane.a ${private}")
  bp_pkg_config(backplane-static "The core of Backplane, to be linked into a program or library" "" "${inside}" "")
endif()
set(core "Tensor runtime into which device backends plug as shared libraries")
if(BP_CORE STREQUAL "backplane")
  bp_pkg_config(backplane "${core}" "" "-L\${libdir} -lbackplane" "${private}")
else()
  bp_pkg_config(backplane "${core}" "" "${inside}" "")
endif()
bp_pkg_config(backplane-cpp "The header-only C++ binding of Backplane" backplane "" "")
bp_pkg_config(backplane-plugin "What a backend of Backplane is compiled against: headers, and plugin_map for the linker" "" "-lm" "")

# c_api.ffi.h: c_api.h after the preprocessor, without the system's stdint.h, for cffi, LuaJIT and their like.
# They know int32_t and the rest by themselves.
set(BP_READ_HEADERS ${BP_C_HEADERS})
list(FILTER BP_READ_HEADERS EXCLUDE REGEX "c_plugin|c_collective")
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/c_api.ffi.h
  COMMAND ${CMAKE_COMMAND} -DCC=${CMAKE_C_COMPILER} -DROOT=${PROJECT_SOURCE_DIR}
    -DOUT=${PROJECT_BINARY_DIR}/c_api.ffi.h -P ${PROJECT_SOURCE_DIR}/cmake/ffi.cmake
  DEPENDS cmake/ffi.cmake ${BP_READ_HEADERS}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
add_custom_target(backplane_ffi_header ALL DEPENDS ${PROJECT_BINARY_DIR}/c_api.ffi.h)
install(FILES ${PROJECT_BINARY_DIR}/c_api.ffi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/backplane)
