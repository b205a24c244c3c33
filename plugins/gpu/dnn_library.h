// SPDX-License-Identifier: Apache-2.0
// dnn_library.h: cuDNN, opened at run time, and its handles, one for each stream, with plans: what
// the library chose for a convolution that was met before, so that a repeated call makes nothing.
//
//   DnnLibrary dnn;                                            // of the plugin
//   const std::string why = dnn.open(host, "cuda", file);      // at its first convolution
//   DnnHandle handle;                                          // of a stream
//   return handle.convolve(dnn, stream, c, err);               // the stream's device is the current one
//   handle.close();                                            // before the stream goes
#pragma once
#include <cstdint>
#include <vector>

#include "c_plugin.h"
#include "gpu/convolution.h"
#include "gpu/dnn_numbers.h"
#include "gpu/library.h"

namespace bp_gpu {

// Descriptors of either version are pointers, numbers of an enumeration are ints.
class DnnLibrary {
 public:
  // Returns "", or why there is no library, as what follows the name in a sentence. Throws
  // std::bad_alloc only.
  std::string open(const bp_host* host, const char* kind, const Opened& file);
  bool is_open() const { return is_open_; }

 private:
  friend class DnnHandle;
  friend struct DnnPlan;
  using MakeFn = int (*)(void** out);
  using DropFn = int (*)(void* what);
  using TextFn = const char* (*)(int status);
  using SetStreamFn = int (*)(void* handle, void* stream);
  using SetTensorFn = int (*)(void* tensor, int type, int rank, const int* sizes,
                              const int* strides);
  using SetFilterFn = int (*)(void* filter, int type, int format, int rank, const int* sizes);
  using SetConvolutionFn = int (*)(void* convolution, int dims, const int* padding,
                                   const int* strides, const int* dilation, int mode, int sum_type);
  using SetNumberFn = int (*)(void* convolution, int number);
  // A convolution and its two gradients differ in what the operands are.
  using ChooseFn = int (*)(void* handle, void* first, void* second, void* convolution, void* out,
                           int wanted, int* found, Dnn::Performance* results);
  using WorkspaceFn = int (*)(void* handle, void* first, void* second, void* convolution, void* out,
                              int algorithm, size_t* bytes);
  using RunFn = int (*)(void* handle, const void* alpha, void* first, const void* first_data,
                        void* second, const void* second_data, void* convolution, int algorithm,
                        void* workspace, size_t workspace_bytes, const void* beta, void* out,
                        void* out_data);
  struct Row {
    ChooseFn choose = nullptr;
    WorkspaceFn workspace = nullptr;
    RunFn run = nullptr;
  };

  // Returns the first function that is missing, or nullptr when none is.
  const char* resolve(void* file);
  const Row& row(uint32_t op) const;
  bp_status fail(int status, uint32_t op, bp_error** err) const;

  bool is_open_ = false;
  const bp_host* host_ = nullptr;
  const char* kind_ = "";
  MakeFn create_ = nullptr;
  DropFn destroy_ = nullptr;
  SetStreamFn set_stream_ = nullptr;
  TextFn text_ = nullptr;
  MakeFn make_tensor_ = nullptr, make_filter_ = nullptr, make_convolution_ = nullptr;
  DropFn drop_tensor_ = nullptr, drop_filter_ = nullptr, drop_convolution_ = nullptr;
  SetTensorFn set_tensor_ = nullptr;
  SetFilterFn set_filter_ = nullptr;
  SetConvolutionFn set_convolution_ = nullptr;
  SetNumberFn set_math_ = nullptr, set_groups_ = nullptr;
  Row rows_[3];
};

// How the library computes one convolution, or that it does not.
struct DnnPlan {
  ConvolutionShape shape{};
  bool serves = false;
  void* operand[3] = {};  // descriptors, as ConvolutionShape::size has them
  void* convolution = nullptr;
  int algorithm = 0;
  size_t workspace_bytes = 0;

  // Returns 0 for success, or the status of what failed.
  int make(const DnnLibrary& library, void* handle);
  void drop(const DnnLibrary& library);

 private:
  int describe(const DnnLibrary& library);
  int choose(const DnnLibrary& library, void* handle, int math);
};

// It is made at the stream's first convolution and, like the stream, used by one thread at a time.
class DnnHandle {
 public:
  // As VendorInfo::convolve. Where no handle can be had, the log says so once and the stream's
  // convolutions are refused.
  bp_status convolve(const DnnLibrary& library, void* stream, Convolution* c, bp_error** err);
  void close();

 private:
  bool make(const DnnLibrary& library, void* stream);
  const DnnPlan& plan(const ConvolutionShape& shape);

  const DnnLibrary* library_ = nullptr;  // the one that made it
  void* handle_ = nullptr;
  bool refused_ = false;
  std::vector<DnnPlan> plans_;
  size_t last_ = 0, oldest_ = 0;  // the plan that was used last; the one that gives way next
};

}  // namespace bp_gpu
