# SPDX-License-Identifier: Apache-2.0
# bp_add_plugin(<kind> <sources>...): backplane_add_plugin() for the plugins of this tree, with its warnings. With
# BP_PLUGIN_ON_DEMAND set the plugin is built only when its target is asked for, and in a folder apart from the others; with
# BP_PLUGIN_FOR_TESTS set to a folder it is built there, and not installed.
include(${CMAKE_CURRENT_LIST_DIR}/backplane_plugins.cmake)
# Backends see headers and nothing else.
add_library(backplane_plugin INTERFACE)
set_target_properties(backplane_plugin PROPERTIES EXPORT_NAME plugin)
target_include_directories(backplane_plugin INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/backplane>)
add_library(backplane::plugin ALIAS backplane_plugin)

add_custom_target(backplane_plugins)  # all of them
if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(plugins DEPENDS backplane_plugins)
endif()
set_property(GLOBAL PROPERTY BP_PLUGIN_OUTPUT ${BP_PLUGIN_OUTPUT})

function(bp_add_plugin kind)
  if(BP_PLUGIN_ON_DEMAND OR BP_PLUGIN_FOR_TESTS)
    set(BP_INSTALL OFF)
  endif()
  backplane_add_plugin(${kind} ${ARGN})
  bp_own_plugin(${kind})
endfunction()
# bp_own_plugin(<kind>): what a plugin of this tree has beyond those of others.
function(bp_own_plugin kind)
  target_link_libraries(backplane_${kind} PRIVATE bp_options)
  if(BP_PLUGIN_ON_DEMAND)
    set_target_properties(backplane_${kind} PROPERTIES EXCLUDE_FROM_ALL ON
      LIBRARY_OUTPUT_DIRECTORY ${BP_OUTPUT}/lib/on_demand)
  elseif(BP_PLUGIN_FOR_TESTS)
    set_target_properties(backplane_${kind} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${BP_PLUGIN_FOR_TESTS})
  else()
    set_property(GLOBAL APPEND PROPERTY BP_PLUGIN_KINDS ${kind})
    add_dependencies(backplane_plugins backplane_${kind})
  endif()
endfunction()
