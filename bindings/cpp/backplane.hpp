// SPDX-License-Identifier: Apache-2.0
// backplane.hpp: Backplane for C++17 and later. Header only; everything goes through c_api.h, so it
// needs nothing of the library but its C symbols. Failures throw backplane::Error, which carries
// the status and the sentence.
//
// A Tensor is a counted handle: copying shares it, moving hands it over, the last one gives it
// back. Arithmetic makes new tensors; +=, -=, *=, /= write in place. Comparisons are elementwise:
// the operators for less and greater, eq() and ne() by name. backplane_ops.hpp, printed from the op
// table, has a function for every op (sum, matmul, topk ...). Threads: as c_api.h says; guards
// belong to the thread that made them.
//
//   namespace bp = backplane;
//   bp::Tensor x = bp::tensor<float>({1, 2, 3, 4}, {2, 2});
//   bp::Tensor y = bp::matmul(x, x) + 1;
//   std::cout << y << '\n';                    // tensor([[ 8., 11.], ...
//   float corner = y.select(0, 0).select(0, 0).item<float>();
#ifndef BACKPLANE_HPP
#define BACKPLANE_HPP

#include "backplane_attr.hpp"      // Attr: {"lr", 1e-3}
#include "backplane_autograd.hpp"  // backward, grad, NoGradGuard
#include "backplane_base.hpp"      // Error, Device, dtype_of
#include "backplane_data.hpp"      // Dataset, Loader, Metric
#include "backplane_io.hpp"        // Dict, safetensors, .npz
#include "backplane_make.hpp"      // zeros, ones, full, tensor, borrow ...
#include "backplane_nn.hpp"        // Module, linear, sequential
#include "backplane_ops.hpp"       // printed: one function per op
#include "backplane_optim.hpp"     // Optimizer, Schedule, clip_grad_norm
#include "backplane_parallel.hpp"  // Replicas, replicate, scatter, all_reduce
#include "backplane_runtime.hpp"   // guards, devices(), report(), seeds, memory
#include "backplane_stream.hpp"    // Stream, Event, StreamGuard
#include "backplane_tensor.hpp"    // Tensor, Value, operators
#include "backplane_train.hpp"     // Trainer

#endif
