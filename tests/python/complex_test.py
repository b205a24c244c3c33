# SPDX-License-Identifier: Apache-2.0
"""complex64 and complex128 against NumPy and Python's own complex numbers."""

import math
from typing import Any

import backplane as bp
import backplane.torch as torch
import numpy as np
import pytest

DTYPES = ["complex64", "complex128"]
RANDOM = np.random.default_rng(7)


def draw(dtype, *shape):
    return (RANDOM.normal(size=shape) + 1j * RANDOM.normal(size=shape)).astype(dtype)


def close(got, wanted, units=16):
    wanted = np.asarray(wanted)
    assert got.dtype.name == wanted.dtype.name and got.shape == wanted.shape
    np.testing.assert_allclose(got.cpu().numpy(), wanted, rtol=units * np.finfo(wanted.dtype).eps)


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_signs_of_zeros_are_the_standards(device, dtype):
    z = bp.asarray([complex(a, b) for a in (0.0, -0.0) for b in (0.0, -0.0)], dtype=getattr(bp, dtype), device=device)
    assert list(map(str, bp.sign(z).tolist())) == ["0j"] * 4
    assert list(map(str, bp.expm1(z).tolist())) == [str(complex(0.0, 0.0)), str(complex(0.0, -0.0))] * 2
    at_infinity = bp.asarray([complex(a, b) for a in (math.inf, -math.inf) for b in (1, 2, -2)], dtype=getattr(bp, dtype), device=device)
    assert list(map(str, bp.tanh(at_infinity).tolist())) == [str(complex(a, b)) for a in (1, -1) for b in (0.0, 0.0, -0.0)]


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_functions_do_as_numpys(device, dtype):
    a, b = draw(dtype, 5, 7), draw(dtype, 5, 7)
    x, y = bp.asarray(a, device=device), bp.asarray(b, device=device)
    for name in ("add", "subtract", "multiply", "divide"):
        close(getattr(bp, name)(x, y), getattr(np, name)(a, b))
    for name in ("exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "square", "sin", "cos", "tan", "sinh", "cosh", "tanh",
                 "abs", "conj", "real", "imag", "reciprocal"):
        close(getattr(bp, name)(x), getattr(np, name)(a), 64)
    for name, of in (("asin", "arcsin"), ("acos", "arccos"), ("atan", "arctan"), ("asinh", "arcsinh"), ("atanh", "arctanh")):
        close(getattr(bp, name)(x), getattr(np, of)(a), 64)
    close(bp.sum(x, axis=0), a.sum(0), 64)
    close(bp.prod(x, axis=1), a.prod(1), 256)
    close(x @ y.mT, a @ b.T, 4096)
    close(bp.mean(x), a.mean(), 256)
    for name in ("var", "std"):
        close(getattr(bp, name)(x, axis=1, correction=1), getattr(np, name)(a, axis=1, ddof=1), 64)
    for own, axis in ((bp.vecdot, 0), (bp.ops.vecdot, -1), (torch.linalg.vecdot, -1)):
        got = own(x, y, **{"dim" if own is torch.linalg.vecdot else "axis": axis})
        close(got, np.vecdot(a, b, axis=axis), 4096)  # type: ignore[call-overload]  # NumPy's stub has no axis
    assert torch.std(x).dtype is bp.abs(x).dtype
    assert bool(bp.all(bp.equal(x, x))) and not bool(bp.any(bp.isnan(x)))


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
def test_numbers_are_operands(device):
    x = bp.asarray([1, 2], dtype=bp.float32, device=device)
    numpys: Any = np.complex64(1j)
    assert (x * 2j).dtype is bp.complex64 and (x * 2j).tolist() == [2j, 4j]
    assert (1j - x).tolist() == [-1 + 1j, -2 + 1j] and (x + numpys).tolist() == [1 + 1j, 2 + 1j]
    assert (bp.asarray([1], dtype=bp.float64, device=device) * 1j).dtype is bp.complex128
    z = bp.full((2,), 1 - 1j, device=device)
    assert z.dtype is bp.complex64 and z[0].item() == 1 - 1j and complex(z[1]) == 1 - 1j and bool(z[0])
    z[0] = 3j
    assert z.tolist() == [3j, 1 - 1j]


def test_what_has_no_order_or_no_room_is_refused():
    z = bp.asarray([1 + 1j])
    for wrong in (lambda: z < z, lambda: bp.floor(z), lambda: bp.max(z), lambda: bp.sort(z), lambda: z // 2, lambda: z % 2,
                  lambda: bp.maximum(z, z)):
        with pytest.raises((TypeError, RuntimeError)):
            wrong()
    for number in (float, int):
        with pytest.raises(TypeError, match="complex"):
            number(z)
    with pytest.raises((TypeError, ValueError, RuntimeError), match="without overflow"):
        bp.zeros(2).fill_(1j)


def test_parts_are_views():
    z = torch.tensor([1 + 2j, 3 + 4j])
    z.real = 7
    z.imag[1] = -1
    assert z.tolist() == [7 + 2j, 7 - 1j] and torch.view_as_real(z).shape == (2, 2)
    assert torch.view_as_complex(torch.view_as_real(z)).tolist() == z.tolist()
    assert torch.complex(torch.tensor([1.0]), torch.tensor([2.0])).tolist() == [1 + 2j]
    assert torch.polar(torch.tensor([2.0]), torch.tensor([0.0])).tolist() == [2 + 0j]
    assert torch.angle(torch.tensor([1j, -1.0])).tolist() == pytest.approx([np.pi / 2, np.pi])
    with pytest.raises(RuntimeError, match="non-complex"):
        torch.tensor([1.0]).imag


@pytest.mark.parametrize("dtype", DTYPES)
def test_interchange_shares_memory(dtype):
    a = draw(dtype, 3)
    for z in (bp.asarray(a), bp.from_dlpack(a)):
        z[0] = 5j
        assert a[0] == 5j
    back = np.from_dlpack(bp.asarray(a))
    assert back.dtype == a.dtype and np.shares_memory(back, a)
    assert np.asarray(bp.asarray(a)).dtype == a.dtype


def test_printing_is_pytorchs():
    assert repr(bp.asarray([1 + 2j, 3.5])) == "tensor([1.0000+2.j, 3.5000+0.j])"
    assert repr(bp.asarray([1j], dtype=bp.complex128)) == "tensor([0.+1.j], dtype=backplane.complex128)"
