# SPDX-License-Identifier: Apache-2.0
"""The array API standard beside its functions' results (property_test.py): operators, promotion, dtypes, errors, what the
namespace says of itself."""

import operator

import backplane as bp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from property_table import INTS, REALS, array, pairs_of, shapes, values
from property_test import equal

ARITHMETIC, BITS = ["add", "sub", "mul"], ["and_", "or_", "xor"]
COMPARISONS = ["lt", "le", "gt", "ge", "eq", "ne"]


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
@pytest.mark.parametrize("name", ARITHMETIC + BITS + COMPARISONS + ["floordiv", "mod", "lshift", "rshift"])
@given(data=st.data())
def test_operators_do_as_numpys(name, device, data):
    if name.endswith("shift") and not hasattr(bp, "bitwise_left_shift"):
        pytest.xfail("not there yet")
    f = getattr(operator, name)
    kinds = INTS if name in BITS or name.endswith("shift") else REALS
    a, b = data.draw(st.sampled_from(pairs_of(kinds)))
    shape = data.draw(shapes())
    x, y = array(data.draw, a, shape, values(a, 0, 5, special=False)), array(data.draw, b, shape, values(b, 1, 5, special=False))
    ours, theirs = (bp.asarray(v, device=device) for v in (x, y))
    equal(f(ours, theirs), f(x, y), 0)
    number = data.draw(st.integers(1, 5))
    equal(f(ours, number), f(x, number), 0)
    if name not in COMPARISONS:
        equal(f(number, ours + 1), f(number, x + np.ones((), a)), 0)
        in_place = getattr(operator, "i" + name.rstrip("_"))
        same, like = bp.asarray(x, device=device, copy=True), array(data.draw, a, shape, values(a, 1, 5, special=False))
        kept = same
        same = in_place(same, bp.asarray(like, device=device))
        assert same is kept
        equal(same, f(x, like).astype(a), 0)


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
def test_a_product_in_place_keeps_object_and_memory(device):
    x = kept = bp.asarray([[1.0, 2.0], [3.0, 4.0]], device=device)
    view = x[0]
    x @= bp.asarray([[0.0, 1.0], [1.0, 0.0]], device=device)
    assert x is kept and x.tolist() == [[2, 1], [4, 3]] and view.tolist() == [2, 1]
    with pytest.raises(ValueError, match="another shape"):
        x @= bp.ones(2, device=device)
    assert x.tolist() == [[2, 1], [4, 3]]


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
def test_0d_arrays_promote_as_any_others_but_not_in_backplane_torch(device):
    import backplane.torch as torch

    x, one = bp.ones(2, dtype=bp.int8, device=device), bp.asarray(1, dtype=bp.int16, device=device)
    for y in (x + one, one + x, bp.add(x, one), bp.maximum(one, x), bp.where(x > 0, x, one), bp.where(one > 0, one, x)):
        assert y.dtype is bp.int16 and y.tolist() in ([2, 2], [1, 1])
    assert bp.result_type(x, one) is bp.int16 and bp.ops.add(x, one).dtype is bp.int8
    assert (one + one).shape == () and (x + 1000 * one).tolist() == [1001, 1001]
    t = torch.as_tensor(x)
    assert (t + one).dtype is (t + torch.as_tensor(one)).dtype is torch.int8 is torch.add(t, one).dtype


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
def test_an_empty_view_is_reduced_wherever_it_lies(device):
    nothing = bp.zeros((5, 0), device=device)[3]
    assert bp.sum(nothing).item() == 0 and bp.prod(bp.flip(bp.zeros((2, 0), device=device))).item() == 1
    assert bp.all(nothing).item() is True and bp.any(bp.ones(4, device=device)[4:]).item() is False


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
def test_complex_numbers_with_a_nan_are_each_one_of_their_own(device):
    nan = float("nan")
    x = bp.asarray([complex(nan, 0), complex(1, nan), complex(nan, 0), 1, complex(1, -0.0)], device=device)
    found = bp.unique_all(x)
    assert found.values.shape == bp.unique_values(x).shape == (4,) and found.counts.tolist() == [2, 1, 1, 1]
    assert found.indices.tolist() == [3, 1, 0, 2] and found.inverse_indices.tolist() == [2, 1, 3, 0, 0]
    assert bp.unique_counts(x[:0]).counts.shape == (0,)


@pytest.mark.parametrize("given", [(1, 0.0), (1.0, 0), (0, 1, -1.0), (3.0,), (1, -2.0, 1)])
def test_a_range_is_of_floats_when_any_number_is_one_be_it_empty_or_not(given):
    assert bp.arange(*given).dtype is bp.float32


@pytest.mark.parametrize("call, error", [
    (lambda: bp.squeeze(bp.ones((2, 1)), 0), ValueError),
    (lambda: bp.squeeze(bp.ones((2, 1)), 5), IndexError),
    (lambda: bp.expand_dims(bp.ones(2), axis=3), IndexError),
    (lambda: bp.expand_dims(bp.ones(2), axis=(0, 3)), IndexError),
    (lambda: bp.expand_dims(bp.ones(2), axis=(0, -3)), ValueError),
    (lambda: bp.broadcast_shapes((2, 1), (3, 2, 3), (4, 1)), ValueError),
    (lambda: bp.cumulative_prod(bp.ones((2, 2))), ValueError),
    (lambda: bp.matmul(1, 2), TypeError),  # type: ignore[arg-type]
    (lambda: bp.matmul(bp.ones(2), 2), TypeError),  # type: ignore[arg-type]
    (lambda: bp.ones(2, dtype="float"), TypeError),
    (lambda: bp.flip(bp.ones(2), axis=2), IndexError),
    (lambda: bp.moveaxis(bp.ones((2, 2)), 0, 2), IndexError),
    (lambda: bp.moveaxis(bp.ones((2, 2)), (0, 0), (0, 1)), ValueError),
    (lambda: bp.moveaxis(bp.ones((2, 2)), (0, 1), (0,)), ValueError),
    (lambda: bp.reshape(bp.ones((2, 3)).T, (6,), copy=False), ValueError),
    (lambda: bp.reshape(bp.ones(6), (4,)), ValueError),
    (lambda: bp.broadcast_arrays(bp.ones(2), bp.ones(3)), ValueError),
    (lambda: bp.broadcast_to(bp.ones((2, 2)), (2,)), ValueError),
    (lambda: bp.take(bp.ones((2, 2)), bp.asarray([0])), ValueError),
    (lambda: bp.cumulative_sum(bp.ones((2, 2))), ValueError),
    (lambda: bp.sum(bp.ones(2), axis=1), IndexError),
    (lambda: bp.max(bp.ones(0)), (ValueError, RuntimeError)),
    (lambda: bp.tensordot(bp.ones((2, 3)), bp.ones((2, 3)), axes=1), ValueError),
    (lambda: bp.vecdot(bp.ones(3), bp.ones(1)), ValueError),
    (lambda: bp.matmul(bp.ones(()), bp.ones(3)), (ValueError, RuntimeError)),
    (lambda: bp.meshgrid(bp.ones(2), indexing="yx"), ValueError),
    (lambda: bp.asarray(1, copy=False), ValueError),
    (lambda: bp.asarray(bp.ones(2), dtype=bp.int8, copy=False), ValueError),
    (lambda: bp.ones((2, 3, 4)).T, ValueError),
    (lambda: bp.ones(3).mT, ValueError),
    (lambda: bp.result_type(), ValueError),
    (lambda: bp.isdtype(bp.int8, "whole"), ValueError),
    (lambda: bp.iinfo(bp.float32), TypeError),
    (lambda: bp.finfo(bp.int8), TypeError),
])  # fmt: skip
def test_wrong_arguments_are_refused(call, error):
    with pytest.raises(error):
        call()


def test_dtypes_promote_and_are_described():
    assert bp.result_type(bp.uint8, bp.int8) is bp.int16 and bp.result_type(bp.ones(2, dtype=bp.float32), 2.5) is bp.float32
    assert bp.result_type(bp.int32, bp.float64, bp.bool) is bp.float64
    assert bp.can_cast(bp.int8, bp.int16) and not bp.can_cast(bp.float64, bp.float32)
    assert bp.isdtype(bp.int8, "integral") and bp.isdtype(bp.float32, ("bool", "real floating")) and not bp.isdtype(bp.bool, "numeric")
    for name in ("float16", "float32", "float64"):
        ours, theirs = bp.finfo(getattr(bp, name)), np.finfo(name)
        assert all(getattr(ours, f) == float(getattr(theirs, f)) for f in ("eps", "max", "min", "smallest_normal", "bits"))
    for name in ("int8", "uint8", "int64", "uint64"):
        whole, wanted = bp.iinfo(getattr(bp, name)), np.iinfo(name)
        assert (whole.bits, whole.min, whole.max) == (wanted.bits, wanted.min, wanted.max)
    assert bp.astype(bp.asarray([1.7]), bp.int32).tolist() == [1]


def test_the_namespace_describes_itself():
    x = bp.ones(1)
    assert x.__array_namespace__() is bp and x.__array_namespace__(api_version="2025.12") is bp
    with pytest.raises(ValueError):
        x.__array_namespace__(api_version="1999.01")
    info = bp.__array_namespace_info__()
    assert bp.device("sim:0") in info.devices() and info.default_device() == bp.device("cpu")
    assert info.default_dtypes()["real floating"] is bp.float32 and set(info.dtypes(kind="bool")) == {"bool"}
    assert (bp.e, bp.inf, bp.newaxis) == (np.e, np.inf, None) and bp.__array_api_version__ == "2025.12"


@pytest.mark.parametrize("counts, total", [([2**62] * 2, 2**63), ([2**62] * 4, 2**64), ([2**62] * 4 + [3], 2**64 + 3)])
def test_repeats_that_add_up_to_more_than_memory_holds_are_refused(counts, total, device):
    x = bp.arange(len(counts), device=device)
    with pytest.raises(bp.OutOfHostMemoryError, match=f"repeat: {total} elements are too many"):
        bp.repeat(x, bp.asarray(counts, device=device))
    with pytest.raises(ValueError, match="repeats may not be negative"):
        bp.repeat(x, bp.asarray([*counts[1:], -1], device=device))
    with pytest.raises(bp.OutOfHostMemoryError, match=f"repeat: {2**63} elements are too many"):
        bp.repeat(x[:1], bp.asarray([2**63], dtype=bp.uint64, device=device))


def test_lists_of_arrays_and_devices_are_tuples():
    x, y = bp.ones(2), bp.ones((3, 1))
    assert [a.shape for a in bp.broadcast_arrays(x, y)] == [(3, 2), (3, 2)] and bp.broadcast_arrays() == ()
    for made in (bp.broadcast_arrays(x, y), bp.meshgrid(x, x), bp.meshgrid(x, x, indexing="ij"), bp.__array_namespace_info__().devices()):
        assert type(made) is tuple
    assert bp.broadcast_shapes((2, 1), (3, 1, 4), ()) == (3, 2, 4)
    assert bp.broadcast_shapes() == () and bp.broadcast_shapes((0,), (1,)) == (0,)


def test_axes_are_inserted_at_several_places():
    x = np.zeros((2, 3))
    for axis in (0, -1, (), (0,), (0, 2), (-1, 0), (3, 1), (-2, -4)):
        assert bp.expand_dims(bp.asarray(x), axis=axis).shape == np.expand_dims(x, axis).shape, axis


def test_elements_are_taken_from_the_end_too(device):
    x, at = np.arange(12.0).reshape(3, 4), np.array([-1, 0, -3, 2])
    for axis in (0, 1, -1):
        got = bp.take(bp.asarray(x, device=device), bp.asarray(at, device=device), axis=axis)
        assert got.tolist() == np.take(x, at, axis=axis).tolist()


def test_complex_numbers_are_counted_and_subtracted(device):
    z = np.array([[1 + 2j, 0, 3j], [0, -1j, complex("nan")]])
    x = bp.asarray(z, device=device)
    for axis in (None, 0, 1, (0, 1)):
        assert bp.count_nonzero(x, axis=axis, keepdims=True).tolist() == np.count_nonzero(z, axis=axis, keepdims=True).tolist()
    assert bp.count_nonzero(x, axis=()).tolist() == (z != 0).astype(int).tolist()
    np.testing.assert_array_equal(bp.diff(x, axis=1, prepend=x[:, :1]).cpu().numpy(), np.diff(z, axis=1, prepend=z[:, :1]))


def test_a_number_has_a_place_among_sorted_ones(device):
    sequence, whole = bp.asarray([1.0, 2.0, 3.0], device=device), bp.asarray([1, 2, 3], device=device)
    for value in (0, 2, 2.5, 7.0):
        for side in ("left", "right"):
            want = np.searchsorted([1.0, 2.0, 3.0], value, side=side)
            assert bp.searchsorted(sequence, value, side=side).shape == () and bp.searchsorted(sequence, value, side=side).item() == want
    assert bp.searchsorted(whole, 2.5).item() == 2  # whole numbers and a float promote


@pytest.mark.parametrize("a, b", [([3, 1, 4, 1, 5], [1, 5, 9]), ([[1.0, float("nan")], [2.5, -0.0]], [float("nan"), 0.0, 2.5]),
                                  ([1j, 2], [2, 1j, 3]), ([True, False], [True]), ([1, 2], []), (2, [1, 2]), ([1, 2, 3], 3)])
def test_elements_are_found_in_another_array(a, b, device):
    x, y = (v if isinstance(v, int) else bp.asarray(np.asarray(v), device=device) for v in (a, b))
    for invert in (False, True):
        got = bp.isin(x, y, invert=invert)
        assert got.dtype is bp.bool and got.tolist() == np.isin(np.asarray(a), np.asarray(b), invert=invert).tolist()


def test_products_so_far(device):
    x = np.array([[1.0, 2.0, -3.0], [4.0, 0.5, 6.0]])
    for axis in (0, 1, -1):
        got = bp.cumulative_prod(bp.asarray(x, device=device), axis=axis, include_initial=True)
        assert got.tolist() == np.concatenate([np.ones_like(x.take([0], axis)), x.cumprod(axis)], axis).tolist()
    assert bp.cumulative_prod(bp.asarray([3, 5], dtype=bp.uint8, device=device)).dtype is bp.uint64


def test_every_function_says_what_it_does():
    said = {name: getattr(bp, name).__doc__ or "" for name in bp.standard.__dict__ if hasattr(bp.ops, name)}
    assert said["matmul"].startswith("Returns the matrix product") and [name for name, text in said.items() if not text] == []
