# SPDX-License-Identifier: Apache-2.0
"""ffi.py ctypes|cffi <libbackplane.so> <c_api.ffi.h>: another language over the C API, with nothing of ours between:
list the devices, add, copy, and read an error."""
import ctypes
import sys

OK, INVALID_ARGUMENT, F32, CPU = 0, -1, 11, 1


def through_ctypes(path):
    lib = ctypes.CDLL(path)
    handle, out = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
    lib.bp_version.restype = ctypes.c_char_p
    lib.bp_error_message.restype = ctypes.c_char_p
    lib.bp_error_message.argtypes = [handle, handle]
    lib.bp_device_make.restype = ctypes.c_int64
    lib.bp_device_make.argtypes = [ctypes.c_int32, ctypes.c_int32]
    shape_type = ctypes.POINTER(ctypes.c_int64)
    lib.bp_tensor_from_data.argtypes = [handle, ctypes.c_int32, shape_type, ctypes.c_int32, ctypes.c_int64, out, out]
    lib.bp_add.argtypes = [handle, handle, out, out]
    lib.bp_tensor_to.argtypes = [handle, ctypes.c_int64, ctypes.c_int32, ctypes.c_uint32, ctypes.c_uint32, out, out]
    lib.bp_tensor_read.argtypes = [handle, handle, ctypes.c_uint64, out]
    lib.bp_tensor_release.argtypes = lib.bp_error_release.argtypes = [handle]
    lib.bp_kind_name.restype = ctypes.c_char_p

    n = ctypes.c_uint32()
    assert lib.bp_kind_count(ctypes.byref(n), None) == OK and n.value >= 1
    for i in range(n.value):
        kind, count = ctypes.c_int32(), ctypes.c_int32()
        assert lib.bp_kind_at(i, ctypes.byref(kind), None) == OK
        assert lib.bp_device_count(kind, ctypes.byref(count), None) == OK
        print(lib.bp_kind_name(kind).decode(), count.value)
        assert count.value >= 1 or i > 0  # index 0 is the cpu

    err, a, b, total, copy = (handle() for _ in range(5))
    shape = (ctypes.c_int64 * 1)(3)
    cpu = lib.bp_device_make(CPU, -1)
    data = (ctypes.c_float * 3)(1, 2, 3)
    for tensor in (a, b):
        assert lib.bp_tensor_from_data(data, 1, shape, F32, cpu, ctypes.byref(tensor), ctypes.byref(err)) == OK
    assert lib.bp_add(a, b, ctypes.byref(total), ctypes.byref(err)) == OK
    assert lib.bp_tensor_to(total, cpu, -1, 1, 0, ctypes.byref(copy), ctypes.byref(err)) == OK
    assert copy.value != total.value
    result = (ctypes.c_float * 3)()
    assert lib.bp_tensor_read(copy, result, 12, ctypes.byref(err)) == OK
    assert list(result) == [2, 4, 6], list(result)

    assert lib.bp_tensor_read(copy, result, 11, ctypes.byref(err)) == INVALID_ARGUMENT
    text = lib.bp_error_message(err, None).decode()
    assert "11" in text and "12" in text, text
    print(text)
    lib.bp_error_release(err)
    for tensor in (a, b, total, copy):
        lib.bp_tensor_release(tensor)


def through_cffi(path, header):
    import cffi

    ffi = cffi.FFI()
    ffi.cdef(open(header).read())
    lib = ffi.dlopen(path)
    n, kind, count = ffi.new("uint32_t *"), ffi.new("bp_kind *"), ffi.new("int32_t *")
    assert lib.bp_kind_count(n, ffi.NULL) == lib.BP_OK and n[0] >= 1
    for i in range(n[0]):
        assert lib.bp_kind_at(i, kind, ffi.NULL) == lib.BP_OK
        assert lib.bp_device_count(kind[0], count, ffi.NULL) == lib.BP_OK
        print(ffi.string(lib.bp_kind_name(kind[0])).decode(), count[0])

    err = ffi.new("bp_error **")
    cpu = lib.bp_device_make(lib.BP_KIND_CPU, -1)
    shape, data = ffi.new("int64_t[]", [3]), ffi.new("float[]", [1, 2, 3])
    a, total, copy = (ffi.new("bp_tensor **") for _ in range(3))
    assert lib.bp_tensor_from_data(data, 1, shape, lib.BP_F32, cpu, a, err) == lib.BP_OK
    assert lib.bp_add(a[0], a[0], total, err) == lib.BP_OK
    assert lib.bp_tensor_to(total[0], cpu, lib.BP_DTYPE_NONE, 1, 0, copy, err) == lib.BP_OK
    result = ffi.new("float[]", 3)
    assert lib.bp_tensor_read(copy[0], result, 12, err) == lib.BP_OK
    assert list(result) == [2, 4, 6], list(result)

    assert lib.bp_tensor_read(copy[0], result, 11, err) == lib.BP_INVALID_ARGUMENT
    print(ffi.string(lib.bp_error_message(err[0], ffi.NULL)).decode())
    lib.bp_error_release(err[0])
    for tensor in (a, total, copy):
        lib.bp_tensor_release(tensor[0])


if __name__ == "__main__":
    way, library, ffi_header = sys.argv[1:]
    if way == "ctypes":
        through_ctypes(library)
    else:
        through_cffi(library, ffi_header)
