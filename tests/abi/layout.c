/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c: the size of every public struct and the offset of every field, as 64-bit targets lay
 * them out. It compiles or it does not. A line of this file is never changed, except the size of a
 * struct that starts with struct_size and has got a field at its end (docs/abi.md). */
#include <stddef.h>

#include "c_api.h"
#include "c_collective.h"
#include "c_plugin.h"
#include "c_plugin_foreign.h"
#include "c_plugin_fuse.h"
#include "c_plugin_group.h"
#include "c_plugin_wide.h"

#define SIZE(type, bytes) _Static_assert(sizeof(type) == bytes, "the size of " #type " changed")
#define AT(type, field, offset) \
  _Static_assert(offsetof(type, field) == offset, #type "." #field " moved")

SIZE(bp_attr, 32);
AT(bp_attr, name, 0);
AT(bp_attr, kind, 8);
AT(bp_attr, count, 12);
AT(bp_attr, value, 16);
AT(bp_attr, reserved, 24);

SIZE(bp_value, 24);
AT(bp_value, kind, 0);
AT(bp_value, reserved, 4);
AT(bp_value, as, 8);

SIZE(bp_arg, 64);
AT(bp_arg, kind, 0);
AT(bp_arg, dtype, 4);
AT(bp_arg, rank, 8);
AT(bp_arg, flags, 12);
AT(bp_arg, data, 16);
AT(bp_arg, shape, 24);
AT(bp_arg, strides, 32);
AT(bp_arg, i64, 40);
AT(bp_arg, f64, 48);
AT(bp_arg, owner, 56);

SIZE(bp_launch, 64);
AT(bp_launch, struct_size, 0);
AT(bp_launch, op, 4);
AT(bp_launch, args, 8);
AT(bp_launch, n_in, 16);
AT(bp_launch, n_out, 20);
AT(bp_launch, attrs, 24);
AT(bp_launch, n_attr, 32);
AT(bp_launch, flags, 36);
AT(bp_launch, stream, 40);
AT(bp_launch, workspace, 48);
AT(bp_launch, workspace_bytes, 56);

SIZE(bp_init_desc, 64);
AT(bp_init_desc, struct_size, 0);
AT(bp_init_desc, flags, 4);
AT(bp_init_desc, plugin_dirs, 8);
AT(bp_init_desc, allow, 16);
AT(bp_init_desc, options, 24);
AT(bp_init_desc, visible_devices, 32);
AT(bp_init_desc, alias, 40);
AT(bp_init_desc, log, 48);
AT(bp_init_desc, log_user, 56);

SIZE(bp_report_entry, 64);
AT(bp_report_entry, struct_size, 0);
AT(bp_report_entry, stage, 4);
AT(bp_report_entry, status, 8);
AT(bp_report_entry, n_devices, 12);
AT(bp_report_entry, nanoseconds, 16);
AT(bp_report_entry, kind, 24);
AT(bp_report_entry, path, 32);
AT(bp_report_entry, version, 40);
AT(bp_report_entry, cause, 48);
AT(bp_report_entry, remedy, 56);

SIZE(bp_device_info, 336);
AT(bp_device_info, struct_size, 0);
AT(bp_device_info, flags, 4);
AT(bp_device_info, device, 8);
AT(bp_device_info, physical, 16);
AT(bp_device_info, n_units, 20);
AT(bp_device_info, memory_total, 24);
AT(bp_device_info, memory_used, 32);
AT(bp_device_info, compute_major, 40);
AT(bp_device_info, compute_minor, 44);
AT(bp_device_info, name, 48);
AT(bp_device_info, uuid, 176);
AT(bp_device_info, pci, 240);
AT(bp_device_info, driver, 272);

SIZE(bp_physical_info, 432);
AT(bp_physical_info, struct_size, 0);
AT(bp_physical_info, physical, 4);
AT(bp_physical_info, logical, 8);
AT(bp_physical_info, reserved, 12);
AT(bp_physical_info, name, 16);
AT(bp_physical_info, uuid, 144);
AT(bp_physical_info, pci, 208);
AT(bp_physical_info, reason, 240);

SIZE(bp_memory_stats, 112);
AT(bp_memory_stats, struct_size, 0);
AT(bp_memory_stats, reserved, 4);
AT(bp_memory_stats, allocated_bytes, 8);
AT(bp_memory_stats, peak_allocated_bytes, 16);
AT(bp_memory_stats, cached_bytes, 24);
AT(bp_memory_stats, limit_bytes, 32);
AT(bp_memory_stats, n_allocations, 40);
AT(bp_memory_stats, n_frees, 48);
AT(bp_memory_stats, n_backend_allocations, 56);
AT(bp_memory_stats, n_backend_frees, 64);
AT(bp_memory_stats, n_live, 72);
AT(bp_memory_stats, n_guard_faults, 80);
AT(bp_memory_stats, reserved_bytes, 88);
AT(bp_memory_stats, pinned_bytes, 96);
AT(bp_memory_stats, pinned_cached_bytes, 104);

SIZE(bp_transfer_stats, 40);
AT(bp_transfer_stats, struct_size, 0);
AT(bp_transfer_stats, reserved, 4);
AT(bp_transfer_stats, bytes, 8);
AT(bp_transfer_stats, n_copies, 16);
AT(bp_transfer_stats, n_waits, 24);
AT(bp_transfer_stats, n_fallbacks, 32);

SIZE(bp_print_options, 32);
AT(bp_print_options, struct_size, 0);
AT(bp_print_options, precision, 4);
AT(bp_print_options, threshold, 8);
AT(bp_print_options, edge_items, 16);
AT(bp_print_options, line_width, 20);
AT(bp_print_options, sci_mode, 24);
AT(bp_print_options, reserved, 28);

SIZE(bp_attr_info, 48);
AT(bp_attr_info, struct_size, 0);
AT(bp_attr_info, flags, 4);
AT(bp_attr_info, doc, 8);
AT(bp_attr_info, default_value, 16);

SIZE(bp_op_info, 72);
AT(bp_op_info, struct_size, 0);
AT(bp_op_info, op, 4);
AT(bp_op_info, name, 8);
AT(bp_op_info, doc, 16);
AT(bp_op_info, n_inputs, 24);
AT(bp_op_info, n_outputs, 28);
AT(bp_op_info, n_attrs, 32);
AT(bp_op_info, flags, 36);
AT(bp_op_info, max_ulp, 40);
AT(bp_op_info, domain_low, 48);
AT(bp_op_info, domain_high, 56);
AT(bp_op_info, optional_inputs, 64);

SIZE(bp_tensor_spec, 520);
AT(bp_tensor_spec, dtype, 0);
AT(bp_tensor_spec, rank, 4);
AT(bp_tensor_spec, shape, 8);

SIZE(bp_op_desc, 64);
AT(bp_op_desc, struct_size, 0);
AT(bp_op_desc, flags, 4);
AT(bp_op_desc, name, 8);
AT(bp_op_desc, doc, 16);
AT(bp_op_desc, n_inputs, 24);
AT(bp_op_desc, n_outputs, 28);
AT(bp_op_desc, infer, 32);
AT(bp_op_desc, compose, 40);
AT(bp_op_desc, user, 48);
AT(bp_op_desc, destroy, 56);

SIZE(bp_module_kind_info, 48);
AT(bp_module_kind_info, struct_size, 0);
AT(bp_module_kind_info, n_attrs, 4);
AT(bp_module_kind_info, name, 8);
AT(bp_module_kind_info, title, 16);
AT(bp_module_kind_info, doc, 24);
AT(bp_module_kind_info, min_inputs, 32);
AT(bp_module_kind_info, max_inputs, 36);
AT(bp_module_kind_info, n_outputs, 40);
AT(bp_module_kind_info, reserved, 44);

SIZE(bp_module_desc, 40);
AT(bp_module_desc, struct_size, 0);
AT(bp_module_desc, flags, 4);
AT(bp_module_desc, title, 8);
AT(bp_module_desc, forward, 16);
AT(bp_module_desc, user, 24);
AT(bp_module_desc, destroy, 32);

SIZE(bp_grad_function_desc, 48);
AT(bp_grad_function_desc, struct_size, 0);
AT(bp_grad_function_desc, n_saved, 4);
AT(bp_grad_function_desc, name, 8);
AT(bp_grad_function_desc, backward, 16);
AT(bp_grad_function_desc, saved, 24);
AT(bp_grad_function_desc, user, 32);
AT(bp_grad_function_desc, destroy, 40);

SIZE(bp_host, 72);
AT(bp_host, struct_size, 0);
AT(bp_host, abi, 4);
AT(bp_host, self, 8);
AT(bp_host, fail, 16);
AT(bp_host, alloc, 24);
AT(bp_host, free, 32);
AT(bp_host, log, 40);
AT(bp_host, option, 48);
AT(bp_host, num_threads, 56);
AT(bp_host, extension, 64);

SIZE(bp_device_props, 320);
AT(bp_device_props, struct_size, 0);
AT(bp_device_props, flags, 4);
AT(bp_device_props, memory_bytes, 8);
AT(bp_device_props, compute_major, 16);
AT(bp_device_props, compute_minor, 20);
AT(bp_device_props, n_units, 24);
AT(bp_device_props, reserved, 28);
AT(bp_device_props, name, 32);
AT(bp_device_props, uuid, 160);
AT(bp_device_props, pci, 224);
AT(bp_device_props, driver, 256);

SIZE(bp_kernel, 40);
AT(bp_kernel, struct_size, 0);
AT(bp_kernel, op, 4);
AT(bp_kernel, dtypes, 8);
AT(bp_kernel, flags, 16);
AT(bp_kernel, small, 20);
AT(bp_kernel, run, 24);
AT(bp_kernel, workspace, 32);

SIZE(bp_peer_api, 16);
AT(bp_peer_api, struct_size, 0);
AT(bp_peer_api, reserved, 4);
AT(bp_peer_api, reaches, 8);

SIZE(bp_pinned_api, 24);
AT(bp_pinned_api, struct_size, 0);
AT(bp_pinned_api, reserved, 4);
AT(bp_pinned_api, alloc, 8);
AT(bp_pinned_api, free, 16);

SIZE(bp_wide_id, 128);
AT(bp_wide_id, bytes, 0);

SIZE(bp_wide_api, 80);
AT(bp_wide_api, struct_size, 0);
AT(bp_wide_api, reserved, 4);
AT(bp_wide_api, library, 8);
AT(bp_wide_api, make_id, 16);
AT(bp_wide_api, open, 24);
AT(bp_wide_api, ready, 32);
AT(bp_wide_api, dtypes, 40);
AT(bp_wide_api, exchange, 48);
AT(bp_wide_api, check, 56);
AT(bp_wide_api, abort, 64);
AT(bp_wide_api, close, 72);

SIZE(bp_collective_api, 64);
AT(bp_collective_api, struct_size, 0);
AT(bp_collective_api, reserved, 4);
AT(bp_collective_api, open, 8);
AT(bp_collective_api, close, 16);
AT(bp_collective_api, abort, 24);
AT(bp_collective_api, name, 32);
AT(bp_collective_api, dtypes, 40);
AT(bp_collective_api, all_reduce, 48);
AT(bp_collective_api, check, 56);

SIZE(bp_foreign_api, 24);
AT(bp_foreign_api, struct_size, 0);
AT(bp_foreign_api, reserved, 4);
AT(bp_foreign_api, owns, 8);
AT(bp_foreign_api, sync, 16);

SIZE(bp_fused_launch, 48);
AT(bp_fused_launch, run, 0);
AT(bp_fused_launch, launch, 8);
AT(bp_fused_launch, dim_per_unit, 16);
AT(bp_fused_launch, unit_bytes, 24);
AT(bp_fused_launch, in_scratch, 32);
AT(bp_fused_launch, memory, 40);

SIZE(bp_fused, 56);
AT(bp_fused, struct_size, 0);
AT(bp_fused, n_launches, 4);
AT(bp_fused, launches, 8);
AT(bp_fused, units, 16);
AT(bp_fused, block, 24);
AT(bp_fused, scratch, 32);
AT(bp_fused, scratch_bytes, 40);
AT(bp_fused, code, 48);

SIZE(bp_fuse_api, 32);
AT(bp_fuse_api, struct_size, 0);
AT(bp_fuse_api, flags, 4);
AT(bp_fuse_api, run, 8);
AT(bp_fuse_api, make, 16);
AT(bp_fuse_api, drop, 24);

SIZE(bp_profile_options, 16);
AT(bp_profile_options, struct_size, 0);
AT(bp_profile_options, flags, 4);
AT(bp_profile_options, most_spans, 8);
SIZE(bp_exchange, 48);
AT(bp_exchange, struct_size, 0);
AT(bp_exchange, kind, 4);
AT(bp_exchange, operation, 8);
AT(bp_exchange, dtype, 12);
AT(bp_exchange, peer, 16);
AT(bp_exchange, tag, 20);
AT(bp_exchange, count, 24);
AT(bp_exchange, from, 32);
AT(bp_exchange, to, 40);

SIZE(bp_group_api, 88);
AT(bp_group_api, struct_size, 0);
AT(bp_group_api, reserved, 4);
AT(bp_group_api, join, 8);
AT(bp_group_api, split, 16);
AT(bp_group_api, ready, 24);
AT(bp_group_api, leave, 32);
AT(bp_group_api, about, 40);
AT(bp_group_api, dtypes, 48);
AT(bp_group_api, begin, 56);
AT(bp_group_api, test, 64);
AT(bp_group_api, drop, 72);
AT(bp_group_api, native, 80);

SIZE(bp_group_desc, 32);
AT(bp_group_desc, struct_size, 0);
AT(bp_group_desc, flags, 4);
AT(bp_group_desc, kind, 8);
AT(bp_group_desc, timeout_ns, 16);
AT(bp_group_desc, native, 24);

SIZE(bp_group_info, 152);
AT(bp_group_info, struct_size, 0);
AT(bp_group_info, rank, 4);
AT(bp_group_info, size, 8);
AT(bp_group_info, local_rank, 12);
AT(bp_group_info, local_size, 16);
AT(bp_group_info, checks, 20);
AT(bp_group_info, timeout_ns, 24);
AT(bp_group_info, n_exchanges, 32);
AT(bp_group_info, exchanged_bytes, 40);
AT(bp_group_info, native, 48);
AT(bp_group_info, kind, 56);
AT(bp_group_info, device_library, 88);

SIZE(bp_program_options, 16);
AT(bp_program_options, struct_size, 0);
AT(bp_program_options, without, 4);
AT(bp_program_options, block_bytes, 8);

SIZE(bp_program_facts, 72);
AT(bp_program_facts, struct_size, 0);
AT(bp_program_facts, n_inputs, 4);
AT(bp_program_facts, n_outputs, 8);
AT(bp_program_facts, n_recorded, 12);
AT(bp_program_facts, n_steps, 16);
AT(bp_program_facts, n_launches, 20);
AT(bp_program_facts, n_dead, 24);
AT(bp_program_facts, n_equal, 28);
AT(bp_program_facts, arena_bytes, 32);
AT(bp_program_facts, eager_peak_bytes, 40);
AT(bp_program_facts, held_bytes, 48);
AT(bp_program_facts, moved_bytes, 56);
AT(bp_program_facts, n_joined, 64);

SIZE(bp_plugin_api, 192);
AT(bp_plugin_api, struct_size, 0);
AT(bp_plugin_api, abi, 4);
AT(bp_plugin_api, close, 8);
AT(bp_plugin_api, probe, 16);
AT(bp_plugin_api, device_props, 24);
AT(bp_plugin_api, device_open, 32);
AT(bp_plugin_api, device_close, 40);
AT(bp_plugin_api, memory_info, 48);
AT(bp_plugin_api, mem_alloc, 56);
AT(bp_plugin_api, mem_free, 64);
AT(bp_plugin_api, stream_open, 72);
AT(bp_plugin_api, stream_close, 80);
AT(bp_plugin_api, stream_query, 88);
AT(bp_plugin_api, stream_sync, 96);
AT(bp_plugin_api, stream_wait, 104);
AT(bp_plugin_api, event_open, 112);
AT(bp_plugin_api, event_close, 120);
AT(bp_plugin_api, event_record, 128);
AT(bp_plugin_api, event_query, 136);
AT(bp_plugin_api, event_sync, 144);
AT(bp_plugin_api, event_elapsed, 152);
AT(bp_plugin_api, copy, 160);
AT(bp_plugin_api, host_func, 168);
AT(bp_plugin_api, kernels, 176);
AT(bp_plugin_api, extension, 184);

SIZE(bp_plugin_info, 88);
AT(bp_plugin_info, struct_size, 0);
AT(bp_plugin_info, abi_min, 4);
AT(bp_plugin_info, abi_max, 8);
AT(bp_plugin_info, abi_chosen, 12);
AT(bp_plugin_info, flags, 16);
AT(bp_plugin_info, reserved, 20);
AT(bp_plugin_info, api_size, 24);
AT(bp_plugin_info, kernel_size, 28);
AT(bp_plugin_info, launch_size, 32);
AT(bp_plugin_info, host_size, 36);
AT(bp_plugin_info, kind, 40);
AT(bp_plugin_info, version, 48);
AT(bp_plugin_info, build, 56);
AT(bp_plugin_info, reason, 64);
AT(bp_plugin_info, mask_variable, 72);
AT(bp_plugin_info, open, 80);

SIZE(bp_dataset_desc, 40);
AT(bp_dataset_desc, struct_size, 0);
AT(bp_dataset_desc, n_tensors, 4);
AT(bp_dataset_desc, length, 8);
AT(bp_dataset_desc, get, 16);
AT(bp_dataset_desc, user, 24);
AT(bp_dataset_desc, destroy, 32);

SIZE(bp_loader_desc, 48);
AT(bp_loader_desc, struct_size, 0);
AT(bp_loader_desc, flags, 4);
AT(bp_loader_desc, batch_size, 8);
AT(bp_loader_desc, device, 16);
AT(bp_loader_desc, prefetch, 24);
AT(bp_loader_desc, reserved, 28);
AT(bp_loader_desc, seed, 32);
AT(bp_loader_desc, part, 40);
AT(bp_loader_desc, n_parts, 44);

SIZE(bp_train_figures, 72);
AT(bp_train_figures, struct_size, 0);
AT(bp_train_figures, reserved, 4);
AT(bp_train_figures, epoch, 8);
AT(bp_train_figures, batch, 16);
AT(bp_train_figures, n_batches, 24);
AT(bp_train_figures, loss, 32);
AT(bp_train_figures, train_loss, 40);
AT(bp_train_figures, train_accuracy, 48);
AT(bp_train_figures, val_loss, 56);
AT(bp_train_figures, val_accuracy, 64);

SIZE(bp_trainer_desc, 128);
AT(bp_trainer_desc, struct_size, 0);
AT(bp_trainer_desc, flags, 4);
AT(bp_trainer_desc, n_devices, 8);
AT(bp_trainer_desc, reserved, 12);
AT(bp_trainer_desc, modules, 16);
AT(bp_trainer_desc, optimizers, 24);
AT(bp_trainer_desc, schedules, 32);
AT(bp_trainer_desc, loss, 40);
AT(bp_trainer_desc, loader, 48);
AT(bp_trainer_desc, val_loader, 56);
AT(bp_trainer_desc, compute_loss, 64);
AT(bp_trainer_desc, prepare_batch, 72);
AT(bp_trainer_desc, on_batch, 80);
AT(bp_trainer_desc, on_epoch, 88);
AT(bp_trainer_desc, user, 96);
AT(bp_trainer_desc, destroy, 104);
AT(bp_trainer_desc, group, 112);
AT(bp_trainer_desc, csv, 120);

SIZE(bp_fit_desc, 32);
AT(bp_fit_desc, struct_size, 0);
AT(bp_fit_desc, reserved, 4);
AT(bp_fit_desc, max_epochs, 8);
AT(bp_fit_desc, gradient_clip_val, 16);
AT(bp_fit_desc, checkpoint, 24);
