# SPDX-License-Identifier: Apache-2.0
"""misuse_calls.py <c_api.ffi.h> <out>: prints one C function and one table row for every function of the API.

Each function takes the index of a value for each parameter (misuse_values.h) and makes the call. A parameter type that
is not in the tables below stops the build: new kinds of parameters need values of their own.
"""
import re
import sys

# (type, regular expression for the name): the array of values
ARRAYS = [
    (r"int32_t", r"rank", "ranks"),
    (r"int32_t", r".*", "ints"),
    (r"uint32_t", r"op", "op_ids"),
    (r"uint32_t", r"n_params", "param_counts"),
    (r"uint32_t", r".*", "uints"),
    (r"int64_t", r".*", "longs"),
    (r"uint64_t", r"capacity", "capacities"),
    (r"uint64_t", r"n_bytes", "byte_counts"),
    (r"uint64_t", r".*", "bytes_values"),
    (r"double", r".*", "doubles"),
    (r"bp_dtype", r".*", "dtypes"),
    (r"bp_precision", r".*", "precisions"),
    (r"bp_fallback", r".*", "fallbacks"),
    (r"bp_status", r".*", "statuses"),
    (r"bp_kind", r".*", "kinds"),
    (r"bp_device", r".*", "devices"),
    (r"const char \*", r"path", "paths"),
    (r"const char \*", r".*", "texts"),
    (r"const int64_t \*", r"shape", "shapes"),
    (r"const int64_t \*", r".*", "int_arrays"),
    (r"(const )?bp_tensor \*", r".*", "tensors"),
    (r"(const )?bp_generator \*", r".*", "generators"),
    (r"(const )?bp_context \*", r".*", "contexts"),
    (r"(const )?bp_stream \*", r".*", "streams"),
    (r"(const )?bp_event \*", r".*", "events"),
    (r"(const )?bp_report \*", r".*", "reports"),
    (r"(const )?bp_error \*", r".*", "errors"),
    (r"(const )?bp_dict \*", r".*", "dicts"),
    (r"(const )?bp_module \*", r".*", "modules"),
    (r"(const )?bp_dataset \*", r".*", "datasets"),
    (r"(const )?bp_loader \*", r".*", "loaders"),
    (r"(const )?bp_metric \*", r".*", "metrics"),
    (r"(const )?bp_group \*", r".*", "groups"),
    (r"(const )?bp_work \*", r".*", "works"),
    (r"const bp_group_desc \*", r".*", "group_descs"),
    (r"bp_reduce_op", r".*", "reduces"),
    (r"bp_metric_kind", r".*", "metric_kinds"),
    (r"const bp_dataset_desc \*", r".*", "dataset_descs"),
    (r"const bp_loader_desc \*", r".*", "loader_descs"),
    (r"(const )?bp_optimizer \*", r".*", "optimizers"),
    (r"(const )?bp_schedule \*", r".*", "schedules"),
    (r"bp_schedule \*const \*", r".*", "schedule_arrays"),
    (r"(const )?bp_replicas \*", r".*", "replicas"),
    (r"(const )?bp_trainer \*", r".*", "trainers"),
    (r"(const )?bp_program \*", r".*", "programs"),
    (r"const bp_program_options \*", r".*", "program_options"),
    (r"const bp_profile_options \*", r".*", "profile_options"),
    (r"const bp_trainer_desc \*", r".*", "trainer_descs"),
    (r"const bp_fit_desc \*", r".*", "fit_descs"),
    (r"const bp_device \*", r".*", "device_arrays"),
    (r"bp_schedule_factor_fn", r".*", "factor_fns"),
    (r"const bp_value \*", r"(inputs|tensors|values|xs)", "input_arrays"),
    (r"const bp_value \*", r".*", "value_pointers"),
    (r"bp_tensor \*const \*", r".*", "tensor_arrays"),
    (r"const bp_attr \*", r".*", "attr_arrays"),
    (r"const bp_print_options \*", r".*", "print_options"),
    (r"const bp_init_desc \*", r".*", "init_descs"),
    (r"const bp_op_desc \*", r".*", "op_descs"),
    (r"const bp_grad_function_desc \*", r".*", "grad_function_descs"),
    (r"bp_grad_hook_fn", r".*", "grad_hooks"),
    (r"bp_context_visit_fn", r".*", "context_fns"),
    (r"bp_wait_fn", r".*", "wait_fns"),
    (r"(const )?void \*", r".*", "buffers"),
    (r"char \*", r".*", "text_buffers"),
    (r"bp_op_kernel_fn", r".*", "kernel_fns"),
    (r"const bp_module_desc \*", r".*", "module_descs"),
    (r"bp_module_forward_fn", r".*", "forward_fns"),
    (r"bp_module_hook_fn", r".*", "hook_fns"),
    (r"bp_module_visit_fn", r".*", "visit_fns"),
    (r"void \(\*\)\(void \*user\)", r".*", "release_fns"),
    (r"struct DLManagedTensor \*", r".*", "unversioned"),
    (r"struct DLManagedTensorVersioned \*", r".*", "versioned"),
]
OWNED = {"struct DLManagedTensor **": "unversioned_kind", "struct DLManagedTensorVersioned **": "versioned_kind"}
HANDLES = ("tensor", "generator", "context", "stream", "event", "report", "error", "dict", "module", "dataset", "loader", "metric", "optimizer",
           "schedule", "replicas", "trainer", "program", "group", "work")
# What undoes a call that succeeded, so that thousands of them leave the thread as it was.
UNDO = {
    "bp_default_push": "bp_default_pop",
    "bp_current_push": "bp_current_pop",
    "bp_device_push": "bp_device_pop",
    "bp_stream_push": "bp_stream_pop",
    "bp_fallback_push": "bp_fallback_pop",
    "bp_context_enter": "bp_context_leave",
    "bp_module_enter": "bp_module_leave",
    "bp_profile_push": "bp_profile_pop",
}
RESTORE = ("bp_grad_set_enabled",)


def split_parameters(text):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p.strip() for p in parts + [text[start:]] if p.strip() not in ("", "void")]


def type_and_name(parameter):
    pointer_to_function = re.fullmatch(r"(.*\(\*)(\w+)(\)\(.*\))", parameter)
    if pointer_to_function:
        return pointer_to_function[1] + pointer_to_function[3], pointer_to_function[2]
    found = re.fullmatch(r"(.*[ *])(\w+)", parameter)
    return found[1].strip(), found[2]


def argument(index, kind, name, sized):
    """The C expression for a parameter, and how many values it has."""
    pick = f"p[{index}]"
    for handle in HANDLES:
        if kind == f"bp_{handle} **":
            return f"handle_slot({index}, {pick}, &{handle}_kind)", "N_HANDLE_SLOTS"
    if kind in OWNED:
        return f"handle_slot({index}, {pick}, &{OWNED[kind]})", "N_HANDLE_SLOTS"
    if kind.endswith("*") and not kind.startswith("const") and kind[:-1].strip() in sized:
        return f"struct_slot({index}, {pick}, sizeof({kind[:-1].strip()}))", "N_STRUCT_SLOTS"
    for kind_pattern, name_pattern, array in ARRAYS:
        if re.fullmatch(kind_pattern, kind) and re.fullmatch(name_pattern, name):
            cast = f"(const bp_{array[:-1]} *)" if kind.startswith("const bp_") and array[:-1] in HANDLES else ""
            return f"{cast}{array}[{pick}]", "n_op_ids" if array == "op_ids" else f"N({array})"
    if kind.endswith("*") and (not kind.startswith("const") or kind.endswith("* *") or kind.endswith("**")):
        return f"slot({index}, {pick})", "N_SLOTS"
    sys.exit(f"misuse_calls.py: no values for a parameter `{kind} {name}`")


def main(header, out):
    text = re.sub(r"\s+", " ", open(header).read())
    sized = set(re.findall(r"typedef struct (\w+) \{ uint32_t struct_size", text))
    functions = re.findall(r"extern ([^;()]*?)(bp_\w+)\((.*?)\);", text)
    lines, rows = ["/* Printed by misuse_calls.py. */"], []
    for returns, name, parameters in functions:
        parameters = [type_and_name(p) for p in split_parameters(parameters)]
        has_err = bool(parameters) and parameters[-1] == ("bp_error **", "err")
        if has_err:
            parameters.pop()
        chosen = [argument(i, kind, n, sized) for i, (kind, n) in enumerate(parameters)]
        arguments = ", ".join([c[0] for c in chosen] + (["err"] if has_err else []))
        counts = ", ".join(c[1] for c in chosen) or "1"
        lines.append(f"static bp_status call_{name}(const uint32_t *p, bp_error **err) {{")
        lines.append("  (void)p, (void)err;")
        released = re.fullmatch(r"bp_(\w+)_(release|retain)", name)
        if released and released[1] in HANDLES:  # a pair, so that the handle outlives it
            noun = released[1]
            lines.append(f"  bp_{noun}_release(bp_{noun}_retain({arguments}));\n  return BP_OK;")
        elif has_err:
            lines.append(f"  const bp_status status = {name}({arguments});")
            if name in UNDO:
                lines.append(f"  if (status == BP_OK) {UNDO[name]}(*(uint64_t *)slot_room({len(chosen) - 1}), NULL);")
            if name == "bp_program_begin":
                lines.append("  bp_program_abandon();")
            if name == "bp_profile_start":
                lines.append("  bp_profile_stop(NULL);")
            lines.append("  return status;")
        elif name in RESTORE:  # gives what was before
            lines.append(f"  (void){name}({name}({arguments}));\n  return BP_OK;")
        else:
            lines.append(f"  (void){name}({arguments});\n  return BP_OK;")
        lines.append("}")
        rows.append(f'    {{"{name}", call_{name}, {int(has_err)}, {len(chosen)}, {{{counts}}}}},')
    lines.append("static void fill_calls(void) {\n  const call all[] = {")
    lines += rows
    lines.append("  };\n  memcpy(calls, all, sizeof all);\n  n_calls = N(all);\n}")
    open(out, "w").write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
