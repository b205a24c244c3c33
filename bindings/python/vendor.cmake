# SPDX-License-Identifier: Apache-2.0
# vendor.cmake: at installation, what the CPU backend opens or needs goes into backplane.libs/ beside the package, so that the
# wheel is whole: OpenBLAS, which PyPI's package scipy-openblas32 has, and OpenMP, which the machine has, each with its licence
# and a line that says where it is from. Search paths relative to the files themselves ($ORIGIN) lead from the backend there.
#   OPENBLAS: the folder of the library; its version   PATCHELF, STRIP: the programs   BACKEND, LIBS: below CMAKE_INSTALL_PREFIX
set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(licences ${root}/${LIBS}/licenses)
set(everywhere "^(lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s)|ld-linux[a-z0-9_-]*)\\.so")

# pack(<file> <name>): with a search path that leads to its neighbours.
function(pack file name)
  file(REAL_PATH ${file} real)
  file(COPY_FILE ${real} ${root}/${LIBS}/${name})
  file(CHMOD ${root}/${LIBS}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
  execute_process(COMMAND ${STRIP} --strip-unneeded ${root}/${LIBS}/${name} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${PATCHELF} --set-rpath "$ORIGIN" ${root}/${LIBS}/${name} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# pack_licence(<library> <package> <its copyright file>): with the texts that this file only names.
function(pack_licence name package licence)
  execute_process(COMMAND dpkg-query -W -f "\${Package} \${Version}, source \${source:Package} \${source:Version}" ${package}
    OUTPUT_VARIABLE origin COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${licence} text)
  file(WRITE ${licences}/${name}.txt "${name} is from Debian's ${origin}; its search path alone was changed.\n\n${text}")
  string(REGEX MATCHALL "/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]" named "${text}")
  list(REMOVE_DUPLICATES named)
  foreach(path ${named})
    file(REAL_PATH ${path} real)
    cmake_path(GET path FILENAME common)
    file(MAKE_DIRECTORY ${licences}/common-licenses)
    cmake_path(GET real FILENAME own)
    file(COPY_FILE ${real} ${licences}/common-licenses/${own})
    if(NOT own STREQUAL common)  # "GPL" is the newest of them
      file(WRITE ${licences}/common-licenses/${common} "This is ${own}, which lies beside it.\n")
    endif()
  endforeach()
endfunction()

list(GET OPENBLAS 0 folder)
list(GET OPENBLAS 1 version)
set(name libscipy_openblas.so)
pack(${folder}/${name} ${name})
file(GLOB licence ${folder}/../../scipy_openblas32-${version}.dist-info/licenses/LICENSE*)
file(READ ${licence} text)  # without it nothing is packed
file(WRITE ${licences}/${name}.txt "${name} is from PyPI's scipy-openblas32 ${version}, source \
https://github.com/MacPython/openblas-libs ${version}; its search path was changed, and names for debuggers were left out.\n\n${text}")

file(GET_RUNTIME_DEPENDENCIES LIBRARIES ${root}/${BACKEND} RESOLVED_DEPENDENCIES_VAR needed PRE_EXCLUDE_REGEXES ${everywhere})
foreach(file ${needed})
  cmake_path(GET file FILENAME name)
  file(REAL_PATH ${file} real)
  execute_process(COMMAND dpkg-query -S ${real} OUTPUT_VARIABLE package ERROR_QUIET)
  string(REGEX REPLACE ":.*" "" package "${package}")
  set(licence /usr/share/doc/${package}/copyright)
  if(NOT package OR NOT EXISTS ${licence})
    message(STATUS "not packed, for its licence is not known: ${name}")
    continue()
  endif()
  pack(${file} ${name})
  pack_licence(${name} ${package} ${licence})
endforeach()

# What an install(PROGRAMS) copied has names for debuggers still.
file(GLOB_RECURSE binaries ${root}/backplane/lib/*.so* ${root}/backplane/bin/*)
foreach(binary ${binaries})
  execute_process(COMMAND ${STRIP} --strip-unneeded ${binary} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
cmake_path(GET BACKEND PARENT_PATH folder)
cmake_path(RELATIVE_PATH LIBS BASE_DIRECTORY ${folder} OUTPUT_VARIABLE way)
execute_process(COMMAND ${PATCHELF} --set-rpath "$ORIGIN/${way}" ${root}/${BACKEND} COMMAND_ERROR_IS_FATAL ANY)
