# SPDX-License-Identifier: Apache-2.0
# package.cmake: the package as ./dev py imports it, python/backplane in the build tree: links to the sources and to what the
# tree builds, so that an edited file is there at once. The target python_package builds what the links lead to.
set(package ${CMAKE_BINARY_DIR}/python/backplane)
file(REMOVE_RECURSE ${package})  # and with it the links to files that are gone
file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/backplane
  backplane/*.py backplane/*.pyi backplane/py.typed)
foreach(file ${files})
  cmake_path(GET file PARENT_PATH folder)
  file(MAKE_DIRECTORY ${package}/${folder})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/backplane/${file} ${package}/${file} SYMBOLIC)
endforeach()
file(CREATE_LINK ${tree}/include ${package}/include SYMBOLIC)
file(CREATE_LINK ${CMAKE_BINARY_DIR}/lib ${package}/lib SYMBOLIC)
file(CREATE_LINK ${CMAKE_BINARY_DIR}/bin ${package}/bin SYMBOLIC)

set_target_properties(_core PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
get_target_property(suffix _core SUFFIX)
file(CREATE_LINK ${CMAKE_CURRENT_BINARY_DIR}/_core${suffix} ${package}/_core${suffix} SYMBOLIC)
add_custom_target(python_package DEPENDS _core backplane backplane_cpu backplane_sim)
