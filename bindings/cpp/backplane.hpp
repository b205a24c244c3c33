// SPDX-License-Identifier: Apache-2.0
// backplane.hpp: Backplane for C++17 and later. Header only; everything goes through c_api.h, so it
// needs nothing of the library but its C symbols. Failures throw backplane::Error, which carries
// the status and the sentence. docs/cpp.md is a tour, with a table for whoever comes from libtorch.
//
// A Tensor is a counted handle: copying shares it, moving hands it over, the last one gives it
// back. Arithmetic makes new tensors; +=, -=, *=, /= write in place. Comparisons are elementwise,
// == and != too. Every op is a function (sum, matmul, topk ...), and a method where it reads as
// one. Threads: as c_api.h says; guards belong to the thread that made them.
//
//   namespace bp = backplane;
//   bp::Tensor x = bp::tensor({{1.0, 2.0}, {3.0, 4.0}});
//   bp::Tensor y = x.matmul(x) + 1;
//   std::cout << y << '\n';                    // tensor([[ 8., 11.], ...
//   float corner = y[0][0].item<float>();
#ifndef BACKPLANE_HPP
#define BACKPLANE_HPP

#include "backplane_attr.hpp"        // Attr: {"lr", 1e-3}
#include "backplane_autograd.hpp"    // backward, grad, NoGradGuard, hooks
#include "backplane_base.hpp"        // Error, Device, Dtype, Ints
#include "backplane_data.hpp"        // Dataset, Loader, Metric
#include "backplane_group.hpp"       // ProcessGroup, Work, Reduce
#include "backplane_index.hpp"       // Slice, None, Ellipsis, index
#include "backplane_init.hpp"        // nn::init: initialisers
#include "backplane_io.hpp"          // Dict, safetensors, .npz
#include "backplane_layers.hpp"      // printed: nn::Linear, nn::Conv2d ...
#include "backplane_make.hpp"        // zeros, ones, full, tensor, borrow ...
#include "backplane_nn.hpp"          // Module, linear, sequential
#include "backplane_operators.hpp"   // + == ...; cat, rand, arange ...
#include "backplane_ops.hpp"         // printed: functions for each op
#include "backplane_optim.hpp"       // Optimizer, Schedule, clip_grad_norm
#include "backplane_optimizers.hpp"  // printed: optim::Adam, optim::StepLR ...
#include "backplane_parallel.hpp"    // Replicas, replicate, scatter, all_reduce
#include "backplane_profile.hpp"     // Profile, ProfileRange
#include "backplane_program.hpp"     // Program, record
#include "backplane_reflect.hpp"     // ops(), module_kinds(); ops of the program's own
#include "backplane_runtime.hpp"     // init, guards, devices(), report(), generators, memory
#include "backplane_stream.hpp"      // Stream, Event, StreamGuard
#include "backplane_tensor.hpp"      // Tensor, Value
#include "backplane_train.hpp"       // Trainer

#endif
