/* SPDX-License-Identifier: Apache-2.0 */
// The names that the examples of core/ use. What means something else in one header's example
// stands in that header's namespace.
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "c_plugin.h"

namespace examples {

using namespace bp;

extern Tensor& t;
extern Tensor *x, *y;
extern Device &device, &d;
extern Stream& stream;
extern Backend& backend;
extern std::string path, name, text;
extern Dims shape, strides;
extern std::vector<bp_attr> attrs, given;
extern std::vector<bp_value> in;
extern std::vector<Ref<Tensor>> out;
extern const OpRow& row;
extern std::vector<Tensor*> params, tensors;
extern std::vector<bp_device> devices;
extern Ref<Tensor> images, labels;
extern Ref<Dataset> dataset;
extern bp_kind kind;
extern uint64_t bytes;
extern uint32_t n;

namespace core_backend_handshake {
extern bp_plugin_query_fn query;
}
namespace core_base_guard {
void give(bp_tensor** out, Ref<Tensor> t);
Ref<Tensor> f(Tensor& t);
}  // namespace core_base_guard
namespace core_base_shown {
extern std::string name_from_a_file;
}
namespace core_c_api_lifecycle {
extern int64_t timeout_ns;
}
namespace core_c_api_lists {
extern bp_tensor* const* tensors;
}
namespace core_call_foreach {
extern bp_value p0, p1, g0, g1;
}
namespace core_call_kept {
extern Compose how;
extern Composer& c;
}  // namespace core_call_kept
namespace core_device_collective {
struct Run {
  Device* device;
  void* data;
};
extern Run a, b;
}  // namespace core_device_collective
namespace core_program_group {
extern Program& program;
}
namespace core_program_file {
extern Program& program;
}
namespace core_program_saved {
extern Program& program;
extern std::vector<Ref<Tensor>> held;
extern std::vector<Device*> devices;
}  // namespace core_program_saved
namespace core_program_way_back {
extern Program& whole;
extern std::optional<Trail> trail;
extern std::vector<Tensor*> in;
}  // namespace core_program_way_back
namespace core_tensor_tape {
extern const bp_kernel& kernel;
extern bp_launch launch;
}  // namespace core_tensor_tape
namespace core_device_pinned {
extern Stream& s;
}
namespace core_grad_autograd {
extern Tensor* loss;
extern BackwardOptions options;
}  // namespace core_grad_autograd
namespace core_io_dict {
extern Ref<Tensor> w;
}
namespace core_io_file {
extern const char* p;
}
namespace core_io_inflate {
extern std::string packed_bytes;
extern char* into;
}  // namespace core_io_inflate
namespace core_io_safetensors {
extern Ref<Dict> dict;
}
namespace core_io_zip {
extern std::span<const char> bytes, header, data;
extern char* p;
extern Sink& sink;
}  // namespace core_io_zip
namespace core_module_initialiser {
extern Ref<Tensor> weight;
}
namespace core_module_kinds_recurrence {
using namespace bp::nn;
extern Ref<Tensor> x, w, u, h0;
}  // namespace core_module_kinds_recurrence
namespace core_module_listed {
using namespace bp;
extern bp_module* module;
}  // namespace core_module_listed
namespace core_module_kind {
void relu(ForwardCall& c);
}
namespace core_ops_gradients {
using namespace bp::ops;
void sin_back(GradCall& c);
}  // namespace core_ops_gradients
namespace core_ops_index_advanced_index {
extern Tensor *rows, &x;
}
namespace core_ops_made_of {
using namespace bp::ops;
extern Composer& c;
extern Ref<Tensor> x;
extern Dims axes;
}  // namespace core_ops_made_of
namespace core_ops_network_recurrent {
using namespace bp::ops;
}
namespace core_ops_network_window {
using namespace bp::ops;
extern Spatial before, after, kernel, step, dilation;
extern Dims out;
extern bp_value zero;
}  // namespace core_ops_network_window
namespace core_optim_schedule {
extern Optimizer& optimizer;
}
namespace core_process_context {
extern bp_device device;
}
namespace core_process_generator {
extern bp_generator* g;
extern int64_t numel;
}  // namespace core_process_generator
namespace core_process_visibility {
extern std::vector<std::string> uuids;
extern EnvLookup lookup;
}  // namespace core_process_visibility
namespace core_value_attr_spec {
extern Composer& c;
}
namespace core_value_attr_values {
inline constexpr AttrSpecs kStep{required_int_attr("step_size")};
}
namespace core_value_element {
extern uint16_t bits;
}
namespace core_value_op_def {
void sqrt_back(GradCall& c);
}
namespace core_group_device_way {
extern ProcessGroup& g;
extern Ref<Work> work;
}  // namespace core_group_device_way
namespace core_group_use_device {
extern ProcessGroup& g;
}
namespace core_group_driver {
extern std::shared_ptr<Membership> membership;
}
namespace core_group_engine {
extern std::shared_ptr<Membership> membership;
}
namespace core_group_exchange_trace {
extern Ref<Work> work;
}
namespace core_group_membership {
extern Backend& backend;
extern Ref<Work> work;
}  // namespace core_group_membership
namespace core_train_dataset {
extern std::vector<int64_t> indices;
}
namespace core_train_feed {
extern LoaderOptions options;
extern Place place;
}  // namespace core_train_feed
namespace core_train_loader {
extern LoaderOptions options;
}
namespace core_train_metric {
extern Tensor &logits, &labels;
}
namespace core_train_replicas {
std::vector<Tensor*> raw(const std::vector<Ref<Tensor>>& all);
}
namespace core_train_checkpoint {
extern Dict index, part;
extern ProcessGroup& group;
}  // namespace core_train_checkpoint
namespace core_train_shards {
extern std::vector<Optimizer*> optimizers;
extern Ref<ProcessGroup> group;
}  // namespace core_train_shards
namespace core_train_trainer {
extern bp_trainer_desc desc;
}
}  // namespace examples
