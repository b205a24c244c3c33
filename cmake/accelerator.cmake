# SPDX-License-Identifier: Apache-2.0
# bp_accelerator_families(<file>): families.h, the list of kernel families that gpu/plugin.cc expands, from the file names.
function(bp_accelerator_families file)
  set(families "")
  foreach(source ${BP_GPU_KERNELS})
    cmake_path(GET source STEM family)
    string(APPEND families " X(${family})")
  endforeach()
  file(CONFIGURE OUTPUT ${file} CONTENT "#define BP_GPU_FAMILIES(X)${families}\n")
endfunction()
file(GLOB BP_GPU_KERNELS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/plugins/gpu/kernels/*.cu)
file(GLOB BP_GPU_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/plugins/gpu/*.cc ${PROJECT_SOURCE_DIR}/plugins/kit/*.cc)
set(BP_GPU_CARD ${PROJECT_SOURCE_DIR}/plugins/gpu/card.cu)  # the table of vendors of real cards
