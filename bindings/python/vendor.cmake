# vendor.cmake: at installation, what the CPU backend opens goes into backplane.libs/ beside the package, so that the
# wheel is whole: oneDNN, OpenBLAS, OpenMP and what these need, each with its licence. Search paths relative to the files
# themselves ($ORIGIN) lead from the backend there. What this machine has not got is left out; the backend does without.
#   VENDOR: the libraries   PATCHELF: the program    BACKEND, LIBS: below CMAKE_INSTALL_PREFIX
set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(everywhere "^(lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s)|ld-linux[a-z0-9_-]*)\\.so")

set(found "")
foreach(file ${VENDOR})
  if(EXISTS ${file})
    list(APPEND found ${file})
  else()
    message(STATUS "not packed: ${file}")
  endif()
endforeach()
file(GET_RUNTIME_DEPENDENCIES LIBRARIES ${found} ${root}/${BACKEND} RESOLVED_DEPENDENCIES_VAR needed
  PRE_EXCLUDE_REGEXES ${everywhere})

foreach(file ${found} ${needed})
  cmake_path(GET file FILENAME name)
  file(REAL_PATH ${file} real)
  execute_process(COMMAND dpkg-query -S ${real} OUTPUT_VARIABLE package ERROR_QUIET)
  string(REGEX REPLACE ":.*" "" package "${package}")
  set(licence /usr/share/doc/${package}/copyright)
  if(NOT package OR NOT EXISTS ${licence})
    message(STATUS "not packed, for its licence is not known: ${name}")
    continue()
  endif()
  file(COPY_FILE ${real} ${root}/${LIBS}/${name})
  file(CHMOD ${root}/${LIBS}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
  file(COPY_FILE ${licence} ${root}/${LIBS}/licenses/${name}.txt)
  execute_process(COMMAND ${PATCHELF} --set-rpath "$ORIGIN" ${root}/${LIBS}/${name} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
cmake_path(GET BACKEND PARENT_PATH folder)
cmake_path(RELATIVE_PATH LIBS BASE_DIRECTORY ${folder} OUTPUT_VARIABLE way)
execute_process(COMMAND ${PATCHELF} --set-rpath "$ORIGIN/${way}" ${root}/${BACKEND} COMMAND_ERROR_IS_FATAL ANY)
