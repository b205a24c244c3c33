// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include <cuda_runtime_api.h>

#include "runtime.h"

namespace cuda_machine {
namespace {

struct Row {
  int code;
  const char *name, *text;
};
// As CUDA 13's runtime says them.
constexpr Row kRows[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {3, "cudaErrorInitializationError", "initialization error"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {35, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {46, "cudaErrorDevicesUnavailable", "CUDA-capable device(s) is/are busy or unavailable"},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {200, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    {209, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {214, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    {217, "cudaErrorPeerAccessUnsupported",
     "peer access is not supported between these two devices"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {600, "cudaErrorNotReady", "device not ready"},
    {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {705, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled"},
    {709, "cudaErrorContextIsDestroyed", "context is destroyed"},
    {710, "cudaErrorAssert", "device-side assert triggered"},
    {714, "cudaErrorHardwareStackError", "hardware stack error"},
    {715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    {716, "cudaErrorMisalignedAddress", "misaligned address"},
    {717, "cudaErrorInvalidAddressSpace", "operation not supported on global/shared address space"},
    {718, "cudaErrorInvalidPc", "invalid program counter"},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {800, "cudaErrorNotPermitted", "operation not permitted"},
    {801, "cudaErrorNotSupported", "operation not supported"},
    {999, "cudaErrorUnknown", "unknown error"},
};

const Row& row(int code) {
  static constexpr Row unknown = {-1, "unrecognized error code", "unrecognized error code"};
  for (const Row& r : kRows)
    if (r.code == code) return r;
  return unknown;
}

}  // namespace

LastError& last_error() {
  static thread_local LastError last;
  return last;
}

cudaError_t remember(const Error& error) {
  LastError& last = last_error();
  if (error.code != cudaErrorNotReady) last.code = error.code;  // an H200's runtime forgets it too
  last.reason_of = error.code;
  last.reason = error.why;
  return error.code;
}

}  // namespace cuda_machine

using namespace cuda_machine;

extern "C" {

const char* cudaGetErrorName(cudaError_t e) { return row(e).name; }

const char* cudaGetErrorString(cudaError_t e) {
  LastError& last = last_error();
  if (e == cudaSuccess || e != last.reason_of || last.reason.empty()) return row(e).text;
  last.text = std::string(row(e).text) + ": " + last.reason;
  return last.text.c_str();
}

cudaError_t cudaPeekAtLastError() { return last_error().code; }

// What leaves a device of no use, or every call, stays.
cudaError_t cudaGetLastError() {
  const cudaError_t e = last_error().code;
  if (!stays(e)) last_error().code = cudaSuccess;
  return e;
}
}
