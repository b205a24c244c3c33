/* SPDX-License-Identifier: Apache-2.0 */
// The names that the examples of plugins/kit and plugins/gpu use, with sim's vendor.h. What means
// something else in one header's example stands in that header's namespace.
#include <memory>
#include <vector>

#include "c_plugin_wide.h"

namespace examples {

using namespace bp_gpu;
using namespace bp_kit;

extern const bp_host* host;
extern const bp_launch& l;
extern bp_error** err;
extern int64_t i, n;
extern const Opened& file;
bp_status run_fill(const bp_launch* launch, bp_error** err);

namespace plugins_gpu_add_places {
extern const uint32_t* keys;
extern const float *values, *x;
extern float* out;
extern int64_t places;
extern uint64_t* bytes;
}  // namespace plugins_gpu_add_places
namespace plugins_gpu_attention {
extern int64_t batch, item_bytes;
int64_t offset(const Attention& a, const Attention::Operand& operand, int64_t batch);
}  // namespace plugins_gpu_attention
namespace plugins_gpu_attention_tiles {
using T = float;
constexpr int32_t kWide = 2;
extern const Place& at;
extern const Patches& grid;
extern const Side<T>&queries, &keys, &values;
extern float *slabs, *tile, (&patch)[kSide][kSide], (&sums)[kWide][kSide][kSide];
extern int64_t from, to;
}  // namespace plugins_gpu_attention_tiles
namespace plugins_gpu_blas {
extern const Factors& factors;
}
namespace plugins_gpu_blas_library {
extern void* stream;
extern const Gemm& g;
}  // namespace plugins_gpu_blas_library
namespace plugins_gpu_block {
using A = double;
extern const Place& at;
A of(int32_t lane);
A join(A a, A b);
}  // namespace plugins_gpu_block
namespace plugins_gpu_collective_library {
extern std::vector<int> ordinals;
extern std::vector<void*> data, streams;
}  // namespace plugins_gpu_collective_library
namespace plugins_gpu_divider {
extern uint32_t n_columns, row, i;
}
namespace plugins_gpu_dnn_library {
extern void* stream;
extern Convolution* c;
}  // namespace plugins_gpu_dnn_library
namespace plugins_gpu_fill {
extern int64_t* out;
}
namespace plugins_gpu_fourier {
extern int64_t order, p;
}
namespace plugins_gpu_kernel {
extern float* out;
}
namespace plugins_gpu_lt_library {
extern void* stream;
extern FusedGemm* g;
}  // namespace plugins_gpu_lt_library
namespace plugins_gpu_offsets {
extern const bp_arg& out;
}
namespace plugins_gpu_sort_items {
extern const uint32_t* x;
extern const Narrow* sorted;
extern int32_t n_before, n;
}  // namespace plugins_gpu_sort_items
namespace plugins_gpu_sort_pairs {
bp_status sort_runs_instead(const bp_launch& l, bp_error** err);
}
namespace plugins_gpu_sort_places {
extern const uint32_t* keys;
extern int64_t places;
extern uint64_t* bytes;
}  // namespace plugins_gpu_sort_places
namespace plugins_gpu_sort_runs {
extern int64_t rows, k;
extern uint64_t* bytes;
extern const uint32_t* keys;
extern int64_t* positions;
}  // namespace plugins_gpu_sort_runs
namespace plugins_gpu_tiles {
using S = float;
extern const Place& at;
extern const Side<S>&a, &b;
extern float* c;
extern int64_t row, column;
void store(float* to, int64_t row, int64_t column, const S (&sums)[kSide][kSide]);
}  // namespace plugins_gpu_tiles
namespace plugins_gpu_fused_rules {
extern const bp_fused& group;
extern uint32_t first;
}  // namespace plugins_gpu_fused_rules
namespace plugins_kit_fused_body {
extern const bp_fused& group;
extern const BodyRules& rules;
extern uint32_t first;
std::unique_ptr<int> make_loop(const Body& body, uint32_t* fits);
}  // namespace plugins_kit_fused_body
namespace plugins_kit_fused_space {
extern const bp_fused& group;
}
namespace plugins_gpu_wide {
extern const CollectiveLibrary& library;
extern const bp_wide_id& id;
extern uint32_t rank, n;
extern const bp_exchange& what;
extern void* stream;
}  // namespace plugins_gpu_wide
namespace plugins_gpu_windows {
extern const bp_arg &x, &y;
extern const Windows<int32_t>& w;
template <class N>
bp_status run_of(const Windows<N>& w);
}  // namespace plugins_gpu_windows
namespace plugins_kit_element {
extern Registry& r;
extern uint32_t op;
template <class T>
bp_status run(const bp_launch* launch, bp_error** err);
template <class T>
bp_status run_of(const bp_launch& l, bp_error** err);
}  // namespace plugins_kit_element
namespace plugins_kit_error {
extern long long i, n;
}
namespace plugins_kit_optimizer_steps {
extern const bp_launch& launch;
extern float p, g, a, b, c;
}  // namespace plugins_kit_optimizer_steps
namespace plugins_kit_optimizers {
extern const bp_launch& launch;
template <class Op>
bp_status run(const Op& op, const bp_launch& launch);
}  // namespace plugins_kit_optimizers
namespace plugins_kit_parameters {
extern const bp_launch &launch, &loops;
void run_elementwise(const bp_launch& launch, const bp_launch& loops);
}  // namespace plugins_kit_parameters

}  // namespace examples
