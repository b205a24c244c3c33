# SPDX-License-Identifier: Apache-2.0
# backplane_plugins.cmake: what find_package(backplane) and this tree give to whoever builds a backend, or a program with the
# core inside.
#
#   backplane_add_plugin(<kind> <sources>...)
#     The target backplane_<kind>: libbackplane_<kind>.so, which exports bp_plugin_query alone, sees the headers for plugins,
#     links nothing of Backplane's, libm where it calls it, and carries no search path. `cmake --install` puts it into
#     <libdir>/backplane, unless BP_INSTALL is OFF.
#
#   backplane_place_plugins(<target> [KINDS <kind>...])
#     Links to the plugins of these kinds, or of all that there are, in the folder backplane/ beside the target's file. There a
#     core looks that is inside the program or library (backplane::static). Building the target builds the plugins.
set(BP_PLUGIN_MAP ${CMAKE_CURRENT_LIST_DIR}/plugin.map)

function(backplane_add_plugin kind)
  string(LENGTH "${kind}" length)
  if(NOT kind MATCHES "^[a-zA-Z_]+$" OR length GREATER 31)
    message(FATAL_ERROR "backplane_add_plugin: '${kind}' can be no kind of device: 1 to 31 letters and '_'")
  endif()
  if(NOT ARGN)
    message(FATAL_ERROR "backplane_add_plugin(${kind}): it has no sources")
  endif()
  add_library(backplane_${kind} MODULE ${ARGN})
  target_link_libraries(backplane_${kind} PRIVATE backplane::plugin m)
  target_link_options(backplane_${kind} PRIVATE -Wl,--version-script=${BP_PLUGIN_MAP}
    -Wl,--exclude-libs,ALL -Wl,--as-needed)
  if(NOT BP_SANITIZE AND NOT "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize=")  # whose runtime the program brings
    target_link_options(backplane_${kind} PRIVATE -Wl,-z,defs)
  endif()
  set_target_properties(backplane_${kind} PROPERTIES
    PREFIX lib SUFFIX .so  # by its name the file is found
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH ""  # in the build tree neither
    LINK_DEPENDS ${BP_PLUGIN_MAP})
  foreach(configuration IN LISTS CMAKE_CONFIGURATION_TYPES CMAKE_BUILD_TYPE)
    string(TOUPPER ${configuration} configuration)
    set_target_properties(backplane_${kind} PROPERTIES ${configuration}_POSTFIX "")
  endforeach()
  get_property(output GLOBAL PROPERTY BP_PLUGIN_OUTPUT)
  if(output)  # with the core in one build: beside it, where it looks
    set_target_properties(backplane_${kind} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${output})
  endif()
  if(NOT DEFINED BP_INSTALL OR BP_INSTALL)
    include(GNUInstallDirs)
    install(TARGETS backplane_${kind} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/backplane COMPONENT Backplane_Runtime)
  endif()
endfunction()

function(backplane_place_plugins target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" KINDS)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "backplane_place_plugins(${target}): '${arg_UNPARSED_ARGUMENTS}' is neither KINDS nor one of them")
  endif()
  get_property(built GLOBAL PROPERTY BP_PLUGIN_KINDS)
  if(NOT arg_KINDS)
    set(arg_KINDS ${built})
    set(files "")
    if(backplane_PLUGIN_DIR)
      file(GLOB files ${backplane_PLUGIN_DIR}/libbackplane_*.so)
    endif()
    foreach(file IN LISTS files)
      string(REGEX REPLACE ".*/libbackplane_(.*)\\.so$" "\\1" kind ${file})
      list(APPEND arg_KINDS ${kind})
    endforeach()
  endif()
  if(NOT arg_KINDS)
    message(FATAL_ERROR "backplane_place_plugins(${target}): there is no plugin, neither built here nor in '${backplane_PLUGIN_DIR}'")
  endif()
  set(links "")
  foreach(kind IN LISTS arg_KINDS)
    set(file ${backplane_PLUGIN_DIR}/libbackplane_${kind}.so)
    if(TARGET backplane_${kind})
      set(file $<TARGET_FILE:backplane_${kind}>)
      add_dependencies(${target} backplane_${kind})
    elseif(NOT EXISTS ${file})
      message(FATAL_ERROR "backplane_place_plugins(${target}): there is no plugin for '${kind}': neither a target "
        "backplane_${kind} nor a file ${file}")
    endif()
    list(APPEND links COMMAND ${CMAKE_COMMAND} -E create_symlink ${file}
      $<TARGET_FILE_DIR:${target}>/backplane/libbackplane_${kind}.so)
  endforeach()
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory $<TARGET_FILE_DIR:${target}>/backplane ${links} VERBATIM)
endfunction()
