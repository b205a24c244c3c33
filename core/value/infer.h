// infer.h: the dtype and shape rules that rows name. Pure: they read operands and attributes, fill
// compute, out_dtype and out_shape, or throw with the values. Promotion as PyTorch's; shapes as its
// broadcasting.
#pragma once
#include "core/value/op_def.h"

namespace bp::rule {

// ---- dtypes ----
// Complex operands are refused where nothing else is said, unless the row's flag is kComplexToo.
void promoted(Inference& f);     // out = compute = promotion, complex too
void arithmetic(Inference& f);   // promoted; bool is refused ("neg: bool is not supported")
void floating(Inference& f);     // promoted; integers become the default float dtype
void ordered(Inference& f);      // promoted
void magnitude(Inference& f);    // promoted; of complex the real dtype of its parts
void angle_dtype(Inference& f);  // as magnitude; integers become the default float dtype
void imaginary(Inference& f);    // as magnitude; only complex
void from_parts(Inference& f);   // f32 -> c64, f64 -> c128
void predicate(Inference& f);    // compute = promotion, complex too; out = bool
void comparison(Inference& f);   // predicate
void bits(Inference& f);         // promoted; only bool and integers
void whole(Inference& f);        // promoted; only integers
void power(Inference& f);        // promoted; integer ** negative number is refused
// attr "dtype" or: bool and integers -> i64 (u64 -> u64), else the same
void accumulated(Inference& f);
void averaged(Inference& f);      // attr "dtype" or the input's; floating only
void deviation(Inference& f);     // the same, out = its real dtype
void index_result(Inference& f);  // compute = input's, out = i64
void with_indices(Inference& f);  // out 0 = input's, out 1 = i64
void one_hot_dtype(Inference& f);
void given_float(Inference& f);      // attr "dtype" or the default dtype; floating only
void given_or_number(Inference& f);  // attr "dtype" or by the numbers: i64, bool, default float
void given_or_i64(Inference& f);
void cast_to(Inference& f);       // attr "dtype"
void matmul_dtype(Inference& f);  // equal dtypes: no promotion, as PyTorch

// ---- shapes ----
void broadcast(Inference& f);
void reduce(Inference& f);           // attr "axes" or "axis", "keepdims"
void reduce_nonempty(Inference& f);  // reduce; an empty reduction is an error
// every output as input 0; attr "axis" checked when there is one
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

// x and index broadcast against each other everywhere but on axis, where the result is 1.
Dims off_axis(Span x, Span index, int64_t axis);

}  // namespace bp::rule
