# SPDX-License-Identifier: Apache-2.0
# bp_add_plugin(<kind> <sources>...): the shared library libbackplane_<kind>.so with one exported symbol. With
# BP_PLUGIN_ON_DEMAND set it is built only when its target is asked for, and in a folder apart from the others; with
# BP_PLUGIN_FOR_TESTS set to a folder it is built there, and not installed.
add_custom_target(plugins)  # all of them
set(BP_PLUGIN_MAP ${CMAKE_CURRENT_LIST_DIR}/plugin.map)
function(bp_add_plugin kind)
  add_library(backplane_${kind} MODULE ${ARGN})
  target_include_directories(backplane_${kind} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(backplane_${kind} PRIVATE bp_options)
  target_link_options(backplane_${kind} PRIVATE -Wl,--version-script=${BP_PLUGIN_MAP}
    -Wl,--exclude-libs,ALL -Wl,--as-needed)
  if(NOT BP_SANITIZE)
    target_link_options(backplane_${kind} PRIVATE -Wl,-z,defs)
  endif()
  if(BP_PLUGIN_ON_DEMAND)
    set_target_properties(backplane_${kind} PROPERTIES EXCLUDE_FROM_ALL ON
      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/on_demand)
  elseif(BP_PLUGIN_FOR_TESTS)
    set_target_properties(backplane_${kind} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${BP_PLUGIN_FOR_TESTS})
  else()
    set_target_properties(backplane_${kind} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${BP_PLUGIN_OUTPUT})
    add_dependencies(plugins backplane_${kind})
    install(TARGETS backplane_${kind} LIBRARY DESTINATION ${BP_PLUGIN_INSTALL})
  endif()
  set_target_properties(backplane_${kind} PROPERTIES
    BUILD_WITH_INSTALL_RPATH ON  # and that is empty: a plugin carries no search path, in the build tree neither
    LINK_DEPENDS ${BP_PLUGIN_MAP})
endfunction()
