// SPDX-License-Identifier: Apache-2.0
// infer.h: the dtype and shape rules that rows name. They are pure: they read operands and
// attributes and fill compute, out_dtype and out_shape, or throw with the values. Promotion is
// PyTorch's; shapes follow its broadcasting.
#pragma once
#include "core/value/op_def.h"

namespace bp::rule {

// ---- dtypes ----
// A rule refuses complex operands unless its comment says otherwise or the row has kComplexToo.
void promoted(Inference& f);     // out = compute = promotion; takes complex operands
void arithmetic(Inference& f);   // promoted; refuses bool
void floating(Inference& f);     // promoted; integers become the default float dtype
void ordered(Inference& f);      // promoted
void magnitude(Inference& f);    // promoted; a complex dtype gives that of its parts
void angle_dtype(Inference& f);  // as magnitude; integers become the default float dtype
void imaginary(Inference& f);    // as magnitude; takes only complex operands
void from_parts(Inference& f);   // f32 -> c64, f64 -> c128; tensors of two dtypes are refused
void predicate(Inference& f);    // compute = promotion, of complex operands too; out = bool
void comparison(Inference& f);   // predicate
void bits(Inference& f);         // promoted; takes only bool and integers
void whole(Inference& f);        // promoted; takes only integers
void power(Inference& f);        // promoted; refuses an integer to the power of a negative number
// Attr "dtype", else i64 for bool and integers (u64 for u64), else the input's.
void accumulated(Inference& f);
void averaged(Inference& f);      // attr "dtype", else the input's; takes only floating ones
void deviation(Inference& f);     // as averaged; out = the real dtype of it
void index_result(Inference& f);  // compute = the input's, out = i64
void with_indices(Inference& f);  // out 0 = the input's, out 1 = i64
void one_hot_dtype(Inference& f);
void given_float(Inference& f);  // attr "dtype", else the default dtype; takes only floating ones
void given_or_number(Inference& f);  // attr "dtype", else by the numbers: i64, bool, default float
void given_or_i64(Inference& f);
void cast_to(Inference& f);       // attr "dtype"
void matmul_dtype(Inference& f);  // equal dtypes, without promotion, as in PyTorch

// ---- shapes ----
void broadcast(Inference& f);
void reduce(Inference& f);           // attr "axes" or "axis", "keepdims"
void reduce_nonempty(Inference& f);  // as reduce; an empty reduction is an error
// Every output has input 0's shape; attr "axis" is checked when there is one.
void same(Inference& f);
void matmul_shape(Inference& f);
void concat_shape(Inference& f);
void stack_shape(Inference& f);
void gather_shape(Inference& f);
void index_select_shape(Inference& f);
void take_along_shape(Inference& f);
void one_hot_shape(Inference& f);
void arange_shape(Inference& f);
void steps_shape(Inference& f);
void given_shape(Inference& f);  // attr "shape"
void topk_shape(Inference& f);
void kthvalue_shape(Inference& f);

// x and index broadcast against each other everywhere but on axis, where the result is 1.
Dims off_axis(Span x, Span index, int64_t axis);

}  // namespace bp::rule
