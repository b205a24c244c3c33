# SPDX-License-Identifier: Apache-2.0
"""What Backplane's C++ handles stand for, in gdb. In gdb, or in ~/.gdbinit:

    source <prefix>/share/backplane/gdb/backplane_printers.py

The printers call the C API in the program, which must therefore be running; without it a handle's address is shown. Elements are read
from the host's memory alone, as many as `set print elements` allows.
"""

import itertools
import operator
import struct

import gdb
import gdb.printing

CPU = 1  # BP_KIND_CPU
# How an element of a dtype is read: struct's format of its parts.
FORMATS = {
    "bool": "?", "uint8": "B", "int8": "b", "uint16": "H", "int16": "h", "uint32": "I", "int32": "i", "uint64": "Q", "int64": "q",
    "float16": "e", "bfloat16": "H", "float32": "f", "float64": "d", "complex64": "ff", "complex128": "dd",
}  # fmt: skip
TEXT_BYTES = 65536


def call(name, result, *args):
    """name(args...) in the program. Integers and addresses go as 64 bits, which the calling convention lets int32_t be."""
    types = ", ".join(["long"] * len(args))
    values = ", ".join(str(int(a)) for a in args)
    return gdb.parse_and_eval(f"(({result} (*)({types})){name})({values})")


def c_string(value):
    return value.string("utf-8", "replace") if int(value) else ""


class Scratch:
    """Memory in the program while a printer needs it."""

    def __enter__(self):
        self.address = int(call("malloc", "long", TEXT_BYTES))
        return self.address

    def __exit__(self, *_):
        call("free", "void", self.address)


def text(function, *subject):
    """The text that function(subject..., buf, capacity, needed, err) gives."""
    with Scratch() as at:
        status = int(call(function, "int", *subject, at, TEXT_BYTES, 0, 0))
        return c_string(gdb.Value(at).cast(gdb.lookup_type("char").pointer())) if status == 0 else f"<{function}: status {status}>"


def int64s(address, n):
    return struct.unpack(f"={n}q", gdb.selected_inferior().read_memory(address, 8 * n)) if n else ()


def shown(dtype, parts):
    if dtype == "bfloat16":
        parts = struct.unpack("=f", struct.pack("=I", parts[0] << 16))
    if len(parts) == 2:
        return f"{parts[0]:g}{parts[1]:+g}j"
    return f"{parts[0]:g}" if isinstance(parts[0], float) else str(parts[0]).lower()


def elements(handle, dtype, shape, limit):
    """The first elements in row-major order, as text."""
    strides = int64s(int(call("bp_tensor_strides", "long", handle)), len(shape))
    with Scratch() as at:
        if int(call("bp_tensor_data", "int", handle, at, 0)) != 0:
            return "{...}"
        first = int64s(at, 1)[0]
    layout = "=" + FORMATS[dtype]
    size = struct.calcsize(layout)
    numel = int(call("bp_tensor_numel", "long", handle))
    found = []
    for place in itertools.islice(itertools.product(*map(range, shape)), limit):
        address = first + size * sum(map(operator.mul, place, strides))
        found.append(shown(dtype, struct.unpack(layout, gdb.selected_inferior().read_memory(address, size))))
    return "{" + ", ".join(found) + ("..." if numel > limit else "") + "}"


def tensor(value):
    handle = int(value["handle_"])
    if not handle:
        return "Tensor (empty)"
    dtype = c_string(call("bp_dtype_name", "char *", call("bp_tensor_dtype", "int", handle)))
    shape = int64s(int(call("bp_tensor_shape", "long", handle)), int(call("bp_tensor_rank", "int", handle)))
    device = int(call("bp_tensor_device", "long", handle))
    head = f"Tensor {dtype} {list(shape)} {text('bp_device_format', device)}"
    if device >> 32 != CPU:
        return head
    return f"{head} {elements(handle, dtype, shape, gdb.parameter('print elements') or 10**4)}"


def optimizer(value):
    with Scratch() as at:
        call("bp_optimizer_kind", "int", owned(value), at, 0)
        name = c_string(gdb.Value(int64s(at, 1)[0]).cast(gdb.lookup_type("char").pointer()))
    return f"{name} of {int(call('bp_optimizer_group_count', 'int', owned(value)))} groups"


def owned(value):
    return int(value["handle_"]["object_"])


PRINTERS = {
    "backplane::Tensor": tensor,
    "backplane::Module": lambda v: text("bp_module_format", owned(v)) if owned(v) else "Module (empty)",
    "backplane::Optimizer": optimizer,
    "backplane::Dict": lambda v: f"Dict of {int(call('bp_dict_size', 'long', owned(v)))} tensors",
    "backplane::Device": lambda v: text("bp_device_format", v["value_"]) if int(v["value_"]) else "the default device",
    "backplane::Dtype": lambda v: c_string(call("bp_dtype_name", "char *", v["value_"])),
    "backplane::Error": lambda v: c_string(call("bp_error_message", "char *", v["object_"]["object_"], 0)),
}


class Printer:
    def __init__(self, function, value):
        self.function, self.value = function, value

    def to_string(self):
        try:
            return self.function(self.value)
        except (gdb.error, gdb.MemoryError) as e:
            return f"{self.value.type.unqualified()} at {hex(int(self.value.address or 0))} ({e})"


def lookup(value):
    """The printer of a value's class, or of the class from which it is derived: nn::Linear is a Module."""
    kind = value.type.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        kind = kind.target().strip_typedefs()
        value = value.referenced_value()
    while kind.code == gdb.TYPE_CODE_STRUCT:
        if kind.unqualified().name in PRINTERS:
            return Printer(PRINTERS[kind.unqualified().name], value.cast(kind))
        bases = [field.type for field in kind.fields() if field.is_base_class]
        if not bases:
            return None
        kind = bases[0].strip_typedefs()
    return None


lookup.name, lookup.enabled = "backplane", True
gdb.printing.register_pretty_printer(gdb.current_objfile(), lookup, replace=True)
