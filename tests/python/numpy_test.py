# SPDX-License-Identifier: Apache-2.0
"""NumPy and the buffer protocol: memory is shared both ways."""

import array
import operator
from typing import Any

import backplane as bp
import backplane.torch as torch
import numpy as np
import pytest

DTYPES = [t for t in bp._core.dtypes if hasattr(np, t.name)]


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: t.name)
def test_memory_is_shared_both_ways(dtype):
    a = np.zeros((2, 3), dtype.name)
    x = bp.asarray(a)
    assert x.dtype is dtype and x.shape == (2, 3)
    x[0, 1] = 1
    assert a[0, 1] == 1
    b = np.asarray(x)
    assert b.dtype == a.dtype and np.shares_memory(a, b) and np.shares_memory(x.T.numpy(), a)
    b[1, 2] = 1
    assert x[1, 2].item() == 1
    assert np.shares_memory(x.numpy(), a) and x.T.numpy().strides == a.T.strides


@pytest.mark.parametrize("make", [lambda a: a.T, lambda a: a[::2], lambda a: a[:, ::-1], lambda a: a[:0],
                                  lambda a: np.broadcast_to(a[:1], (4, 6)).copy(), lambda a: a[1, 2]])
def test_every_layout_keeps_its_values(make):
    a = make(np.arange(24.0).reshape(4, 6))
    assert np.array_equal(np.asarray(bp.asarray(a)), a) and bp.tensor(a).shape == a.shape


def test_what_cannot_be_shared_is_copied():
    a = np.arange(3.0)
    a.flags.writeable = False
    assert not np.shares_memory(bp.asarray(a).numpy(), a)
    with pytest.raises(ValueError, match="read-only"):
        bp.asarray(a, copy=False)
    packed = np.zeros(2, dtype=[("x", "i1"), ("y", "<f4")])["y"]
    assert bp.asarray(packed).tolist() == [0, 0]
    b = np.arange(3.0)
    assert not np.shares_memory(bp.asarray(b, copy=True).numpy(), b) and not np.shares_memory(bp.tensor(b).numpy(), b)
    with pytest.raises(TypeError):
        bp.asarray(np.array(["a"]))
    with pytest.raises(TypeError):
        bp.asarray(np.arange(3, dtype=">i4"))


def test_other_buffers():
    assert bp.asarray(array.array("d", [1, 2])).tolist() == [1, 2] and bp.asarray(b"ab").dtype is bp.uint8
    assert bytes(bp.asarray([1, 2], dtype=bp.uint8)) == b"\x01\x02"
    rows: Any = memoryview(bp.ones((2, 2))).tolist()
    assert rows == [[1.0, 1.0], [1.0, 1.0]]


def test_the_memory_lives_as_long_as_anybody_uses_it():
    a = np.arange(1000.0)
    x = bp.asarray(a)[10:]
    del a
    b = np.asarray(x)
    del x
    assert b[0] == 10 and b.sum() == 499500 - 45


def test_other_devices_are_copied_only_when_asked():
    x = bp.ones(2, device="sim:1")
    with pytest.raises(TypeError, match=r"can't convert sim:1 device type tensor to numpy\. Use Tensor\.cpu\(\) to copy the "
                                        r"tensor to host memory first\."):
        x.numpy()
    with pytest.raises(TypeError):
        np.asarray(x)
    assert x.numpy(force=True).tolist() == [1, 1]


def test_numpys_scalars_are_numbers(device):
    x = bp.ones(2, dtype=bp.float32, device=device)
    scalars: Any = (np.float64(2), np.float32(2), np.int32(2), np.uint8(2))
    for scalar in scalars:
        for y in (x * scalar, scalar * x):
            assert type(y) is bp.Tensor and y.tolist() == [2, 2] and y.dtype is bp.float32
    assert bp.asarray([np.float32(1.5), np.int64(2), np.bool_(True)]).tolist() == [1.5, 2, 1]
    assert bp.asarray([np.arange(2), np.arange(2)]).tolist() == [[0, 1], [0, 1]]
    x[np.int64(0)] = np.float64(7)
    assert x.tolist() == [7, 1]


def test_numpys_unsigned_scalars_beyond_int64_keep_their_value():
    big: Any = np.uint64(2**63 + 1)
    assert bp.asarray([big]).dtype is bp.asarray(big).dtype is bp.uint64
    assert bp.asarray([big]).tolist() == [2**63 + 1]
    assert (bp.asarray([1], dtype=bp.uint64) + big).tolist() == [2**63 + 2]


@pytest.mark.parametrize("namespace", [bp, torch], ids=["backplane", "torch"])
def test_operators_with_arrays_give_tensors_on_either_side(namespace):
    kind, x = namespace.Tensor, namespace.asarray(np.array([1.0, 2.0, 4.0]))
    array = np.array([3.0, 0.5, 2.0])
    for op in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "eq", "ne", "matmul"):
        f = getattr(operator, op)
        for got, want in ((f(x, array), f(x.numpy(), array)), (f(array, x), f(array, x.numpy()))):
            assert type(got) is kind and got.numpy().dtype == np.asarray(want).dtype, op
            np.testing.assert_allclose(got.numpy(), want, rtol=1e-15)
    assert (x.to(namespace.float32) + array).dtype is namespace.float64 and (x + np.array(1)).tolist() == [2, 3, 5]
    with pytest.raises(TypeError, match="format"):
        x + np.array(["text"])
