# SPDX-License-Identifier: Apache-2.0
"""What a Tensor is: making, values, operators, views, protocols."""

import copy
import gc
import math
import pickle
import threading
import weakref
from typing import Any

import backplane as bp
import pytest


def t(values, device="cpu", **kw):
    return bp.asarray(values, device=device, **kw)


def test_numbers_choose_the_dtype():
    assert t(True).dtype is bp.bool
    assert t([1, 2]).dtype is bp.int64
    assert t([1, 2.5]).dtype is bp.float32
    assert t([1, 2j]).dtype is bp.complex64
    assert t([True, 2]).tolist() == [1, 2]
    assert t([]).dtype is bp.float32 and t([]).shape == (0,)
    assert t(2**63).dtype is bp.uint64 and t(2**63).item() == 2**63
    assert t([1.5, 2], dtype=bp.int8).tolist() == [1, 2]


@pytest.mark.parametrize("values", [[[1, 2], [3]], [1, [2]], [[1], 2], "text", [None], object()])
def test_what_is_no_array_of_numbers_is_refused(values):
    with pytest.raises((ValueError, TypeError)):
        t(values)


@pytest.mark.parametrize("value, dtype", [(300, bp.uint8), (-1, bp.uint8), (-129, bp.int8), (2**31, bp.int32),
                                          (2**63, bp.int64), (-1, bp.uint64), (2**65, None)])
def test_integers_beyond_the_dtype_are_refused(value, dtype):
    with pytest.raises(OverflowError):
        t([value], dtype=dtype)


@pytest.mark.parametrize("value, dtype", [(255, bp.uint8), (-128, bp.int8), (2**31 - 1, bp.int32), (2**64 - 1, bp.uint64),
                                          (-(2**63), bp.int64), (2**32 - 1, bp.uint32)])
def test_integers_at_the_edge_of_the_dtype_are_kept(value, dtype):
    assert t([value], dtype=dtype).tolist() == [value]


def test_integers_beyond_int64_keep_their_value_among_others():
    big = 2**64 - 5
    tensor = t(big)
    for values, wanted in (([big, 3], [big, 3]), ([tensor, 3], [big, 3]), ([t(7), tensor], [7, big]), ([[tensor]], [[big]])):
        assert t(values).dtype is bp.uint64 and t(values).tolist() == t(values, dtype=bp.uint64).tolist() == wanted
    assert t([big, 0.5], dtype=bp.float64).tolist() == [float(big), 0.5]
    assert t([0.5, tensor], dtype=bp.float64).tolist() == [0.5, float(big)]
    assert t([-1, big], dtype=bp.float64).tolist() == [-1, float(big)]
    for dtype in (None, bp.uint64, bp.int64):
        with pytest.raises(OverflowError, match="between -1 and 18446744073709551611"):
            t([-1, big], dtype=dtype)
    assert bp.full((2,), big, dtype=bp.uint64).tolist() == bp.full(2, tensor, dtype=bp.uint64).tolist() == [big, big]
    assert bp.full_like(t([1, 2], dtype=bp.uint64), big).tolist() == [big, big]


@pytest.mark.parametrize("device", ["cpu", "sim"])
def test_integers_beyond_int64_are_operands_beside_uint64(device):
    big = 2**63
    x = t([big, big + 3, 5], dtype=bp.uint64, device=device)
    for result, wanted in ((x - big, [0, 3, 5 + big]), (big - x, [0, 2**64 - 3, big - 5]), (x // big, [1, 1, 0]), (x % big, [0, 3, 5]),
                           (x & big, [big, big, 0]), (bp.bitwise_or(x, big), [big, big + 3, big + 5]),
                           (bp.where(x == 5, x, big), [big, big, 5]), (bp.add(big - 1, x), [2**64 - 1, 2, big + 4]),
                           (bp.maximum(x, 2**64 - 1), [2**64 - 1] * 3), (bp.minimum(x, big + 1), [big, big + 1, 5])):
        assert result.dtype is bp.uint64 and result.device == x.device and result.tolist() == wanted
    for mask, true in ((x == big, [True, False, False]), (x < big, [False, False, True]), (big >= x, [True, False, True])):
        assert mask.dtype is bp.bool and mask.tolist() == true
    assert bp.clip(x, 7, big + 1).tolist() == [big, big + 1, 7]
    x += big
    assert x.tolist() == [0, 3, big + 5]
    x[1] = big + 7
    x[t([True, False, False], device=device)] = 2**64 - 1
    x[t([2], device=device)] = big
    assert x.tolist() == [2**64 - 1, big + 7, big]
    x.fill_(big + 9)
    assert x.tolist() == [big + 9] * 3


def test_integers_beyond_int64_are_numbers_beside_floats():
    for dtype in (bp.float32, bp.float64, bp.complex128):
        x = t([0.5, 2.0**63], dtype=dtype)
        assert (x * 2**64).dtype is dtype and (x * 2**64).tolist() == [2.0**63, 2.0**127]
        assert (x == 2**63).tolist() == bp.equal(x, 2**63).tolist() == [False, True]
        x[0] = -(2**65)
        assert x.tolist() == [-(2.0**65), 2.0**63]
        x.fill_(2**80)
        assert x.tolist() == [2.0**80] * 2


def test_integers_that_no_operand_can_hold_are_refused():
    x = t([1], dtype=bp.uint64)
    y = t([1])
    for act in (lambda: x + 2**64, lambda: 2**65 - x, lambda: bp.add(x, 2**64), lambda: x.fill_(2**64), lambda: x.__setitem__(0, 2**64)):
        with pytest.raises(OverflowError, match=r"\d{20} does not fit uint64"):
            act()
    for act in (lambda: y + 2**63, lambda: bp.add(y, 2**63), lambda: y.fill_(2**63), lambda: y.__setitem__(0, 2**63),
                lambda: y.__iadd__(2**63), lambda: bp.where(y > 0, y, 2**63)):
        with pytest.raises(OverflowError, match="9223372036854775808 does not fit a 64-bit integer"):
            act()
    with pytest.raises(OverflowError, match="too large to convert to float"):
        t([1.0]) * 10**400
    assert x.tolist() == y.tolist() == [1]


def test_factories(device):
    assert bp.zeros((2, 3), device=device).tolist() == [[0.0] * 3] * 2
    assert bp.ones(2, dtype=bp.int16, device=device).tolist() == [1, 1]
    assert bp.full((2,), 7, device=device).dtype is bp.int64
    assert bp.eye(2, 3, k=1, device=device).tolist() == [[0, 1, 0], [0, 0, 1]]
    assert bp.eye(3, 2, k=-1, device=device).tolist() == [[0, 0], [1, 0], [0, 1]]
    assert bp.arange(5, device=device).tolist() == [0, 1, 2, 3, 4]
    assert bp.arange(5, 0, -2, device=device).tolist() == [5, 3, 1]
    assert bp.arange(5, 0, device=device).shape == (0,)
    assert bp.linspace(0, 1, 5, device=device).tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert bp.linspace(0, 1, 4, endpoint=False, device=device).tolist() == [0, 0.25, 0.5, 0.75]
    x = bp.empty((2, 2), dtype=bp.float64, device=device)
    assert bp.zeros_like(x).dtype is bp.float64 and str(bp.ones_like(x).device) == device
    assert bp.full_like(x, 3).tolist() == [[3.0, 3.0]] * 2
    assert x.new_zeros(2, 3).shape == (2, 3) and x.new_full((1,), 2).dtype is bp.float64


def test_random_numbers_are_the_same_on_every_device_after_a_seed():
    drawn = []
    for device in ("cpu", "sim:0", "sim:2"):
        bp.manual_seed(7)
        drawn.append([bp.rand(2, 3, device=device).tolist(), bp.randint(0, 10, (5,), device=device).tolist()])
    assert drawn[0] == drawn[1] == drawn[2]
    assert bp.rand((4, 2)).shape == bp.rand(4, 2).shape == (4, 2)
    assert all(0 <= v < 1 for v in bp.rand(100).tolist())
    assert abs(bp.randn(10000).mean().item()) < 0.05
    g, h = bp.Generator(3), bp.Generator(3)
    assert bp.rand(5, generator=g).tolist() == bp.rand(5, generator=h).tolist() != bp.rand(5, generator=g).tolist()


def test_operators(device):
    x, y = t([1.0, 2.0, 3.0], device), t([2.0, 2.0, 2.0], device)
    assert (x + y).tolist() == [3, 4, 5] and (1 + x).tolist() == [2, 3, 4]
    assert (x - 1).tolist() == [0, 1, 2] and (1 - x).tolist() == [0, -1, -2]
    assert (x * y).tolist() == [2, 4, 6] and (6 / x).tolist() == [6, 3, 2]
    assert (x // 2).tolist() == [0, 1, 1] and (x % 2).tolist() == [1, 0, 1] and (7 // x).tolist() == [7, 3, 2]
    assert [v.tolist() for v in divmod(x, 2)] == [[0, 1, 1], [1, 0, 1]]
    assert (x**2).tolist() == [1, 4, 9] and (2**x).tolist() == [2, 4, 8]
    assert (x @ y).item() == 12 and (-x).tolist() == [-1, -2, -3] and abs(-x).tolist() == [1, 2, 3]
    assert (x == y).tolist() == [False, True, False] and (x != 2).tolist() == [True, False, True]
    assert (x < 2).tolist() == [True, False, False] and (x >= 2).tolist() == [False, True, True]
    assert (+x) is x


def test_integer_operators(device):
    x = t([1, 2, 3], device)
    assert (x & 1).tolist() == [1, 0, 1] and (x | 4).tolist() == [5, 6, 7] and (x ^ x).tolist() == [0, 0, 0]
    assert (~x).tolist() == [-2, -3, -4] and (~t([True, False], device)).tolist() == [False, True]
    assert (~t([1, 255], device, dtype=bp.uint8)).tolist() == [254, 0]


def test_operators_in_place_keep_the_object_and_the_memory(device):
    x = t([4.0, 9.0], device)
    same, view = x, x[:1]
    x += 1
    x -= t([1.0, 1.0], device)
    x *= 2
    x /= 4
    x **= 2
    assert x is same and x.tolist() == [4.0, 20.25] and view.tolist() == [4.0]
    x //= 3
    x %= 4
    assert x.tolist() == [1.0, 2.0]
    assert x.sqrt_() is x and x.add_(1).tolist() == pytest.approx([2.0, 1 + math.sqrt(2)])
    n = t([6, 3], device)
    n &= 2
    n |= 1
    n ^= 7
    assert n.tolist() == [4, 4]


def test_in_place_results_must_be_castable():
    x = t([1, 2])
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
        x += 0.5


def test_what_is_no_operand_leaves_the_answer_to_the_other():
    class Other:
        def __radd__(self, x):
            return "other's"

    assert t([1.0]) + Other() == "other's"
    with pytest.raises(TypeError):
        t([1.0]) + "text"
    assert (t([1.0]) == None) is False  # noqa: E711


def test_indexing_gives_views(device):
    x = bp.reshape(bp.arange(24, device=device), (2, 3, 4))
    assert x[1].shape == (3, 4) and x[1, 2, 3].item() == 23 and x[-1, -1, -1].item() == 23
    assert x[:, 1:, ::2].tolist() == [[[4, 6], [8, 10]], [[16, 18], [20, 22]]]
    assert x[..., 0].shape == (2, 3) and x[0, ..., 1].tolist() == [1, 5, 9] and x[...].shape == x.shape
    assert x[None].shape == (1, 2, 3, 4) and x[:, None, ..., None].shape == (2, 1, 3, 4, 1)
    assert x[0, 0, ::-1].tolist() == [3, 2, 1, 0] and x[5:].shape == (0, 3, 4)
    assert x[t(1)].tolist() == x[1].tolist()
    x[0, 0, 0] = 100
    assert x[0][0][0].item() == 100


def test_assigning_to_an_index_writes_through(device):
    x = bp.zeros((2, 3), device=device)
    x[0] = 1
    x[1, 1:] = t([5.0, 6.0], device)
    x[:, 0] = [7, 8]
    assert x.tolist() == [[7, 1, 1], [8, 5, 6]]
    x[...] = t(2.0)
    assert x.tolist() == [[2] * 3] * 2
    x[0, 0] += 1
    assert x[0, 0].item() == 3


@pytest.mark.parametrize("key, error", [((0, 0, 0), IndexError), ((5,), IndexError), ((-3,), IndexError),
                                        ("text", IndexError), (1.5, IndexError), ((..., ...), IndexError),
                                        (slice(None, None, 0), ValueError), (slice(0.5, None), TypeError)])
def test_wrong_indices_are_refused(key, error):
    with pytest.raises(error):
        bp.zeros((2, 2))[key]


def test_a_number_has_no_items():
    with pytest.raises(IndexError, match="invalid index of a 0-dim tensor"):
        t(1.0)[0]
    with pytest.raises(TypeError, match="iteration over a 0-d tensor"):
        iter(t(1.0))
    with pytest.raises(TypeError, match="len\\(\\) of a 0-d tensor"):
        len(t(1.0))


def test_conversions_to_python_numbers(device):
    assert float(t([1.5], device)) == 1.5 and int(t(2.7, device)) == 2 and bool(t(0.5, device)) is True
    assert complex(t(1 + 2j, device)) == 1 + 2j and t(3, device).item() == 3
    assert [10, 20, 30][t(1, device)] == 20 and range(5)[t(2, device)] == 2
    assert t(2**64 - 1).item() == 2**64 - 1 == int(t(2**64 - 1))
    assert f"{t(1.23456, device):.2f}" == "1.23"
    with pytest.raises(RuntimeError, match="Boolean value of Tensor with more than one value is ambiguous"):
        bool(t([1, 2], device))
    with pytest.raises(RuntimeError, match="Boolean value of Tensor with no values is ambiguous"):
        bool(t([], device))
    with pytest.raises(RuntimeError, match="a Tensor with 2 elements cannot be converted to Scalar"):
        t([1, 2], device).item()
    with pytest.raises(TypeError):
        [1, 2][t(1.0, device)]


def test_lists_and_iteration(device):
    x = t([[1, 2], [3, 4]], device)
    assert [r.tolist() for r in x] == [[1, 2], [3, 4]] and len(x) == 2
    assert 3 in x and 7 not in x
    assert t([1.5, -2.0], device, dtype=bp.float16).tolist() == [1.5, -2.0]
    assert t([1.5, -2.0], device, dtype=bp.bfloat16).tolist() == [1.5, -2.0]
    assert t([1 + 2j], device).tolist() == [1 + 2j] and t([True], device).tolist() == [True]
    assert bp.zeros((2, 0), device=device).tolist() == [[], []]


def test_views_share_memory_and_copies_do_not(device):
    x = bp.reshape(bp.arange(6, device=device), (2, 3))
    x.T[0, 0] = 9
    x.view(3, 2)[2, 1] = 8
    x.flatten()[1] = 7
    x.permute(1, 0).unsqueeze(0).squeeze(0)[2, 0] = 6
    assert x.tolist() == [[9, 7, 6], [3, 4, 8]]
    y = x.clone()
    y.zero_()
    assert x[0, 0].item() == 9
    assert x.expand(2, 2, 3).shape == (2, 2, 3) and x.mT.shape == (3, 2) and x.flip(0).tolist()[0] == [3, 4, 8]
    assert x.T.is_contiguous() is False and x.T.contiguous().is_contiguous() and x.contiguous() is x
    assert x.stride() == (3, 1) and x.stride(0) == 3 and x[1].storage_offset() == 3
    assert [p.tolist() for p in x.split(2, 1)] == [[[9, 7], [3, 4]], [[6], [8]]] and len(x.chunk(2)) == 2
    with pytest.raises(RuntimeError):
        x.T.view(6)


def test_text_is_pytorchs(device):
    where = "" if device == "cpu" else f", device='{device}'"
    assert repr(bp.ones((2, 2), device=device)) == f"tensor([[1., 1.],\n        [1., 1.]]{where})"
    assert str(t([1, 2], device, dtype=bp.int32)) == f"tensor([1, 2]{where}, dtype=backplane.int32)"
    assert bp.zeros(1, dtype="backplane.int8").dtype is bp.zeros(1, dtype="torch.int8").dtype is bp.int8
    try:
        bp.set_printoptions(precision=2, sci_mode=False)
        assert repr(t(1 / 3)) == "tensor(0.33)"
    finally:
        bp.set_printoptions(profile="default")


def test_pickle_and_deepcopy(device):
    for x in (bp.rand(2, 3, device=device), t([True, False], device), t(1.5, device, dtype=bp.bfloat16),
              bp.zeros((0, 2), device=device)):
        for y in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x)):
            assert y.tolist() == x.tolist() and y.dtype is x.dtype and y.device == x.device and y.shape == x.shape
    x = bp.zeros(2)
    copy.copy(x)[0] = 1
    copy.deepcopy(x)[1] = 1
    assert x.tolist() == [1, 0]
    assert pickle.loads(pickle.dumps(bp.float64)) is bp.float64 and pickle.loads(pickle.dumps(bp.device("sim:3"))).index == 3


def test_subclasses_stay_subclasses():
    class Mine(bp.Tensor):
        pass

    x = bp._core.as_class(bp.ones(3), Mine)
    for y in (x + 1, 1 + x, bp.ones(3) + x, x + bp.ones(3), x.sum(), x[0], x.reshape(3, 1), bp.exp(x), x.to(bp.int32)):
        assert type(y) is Mine
    assert type(bp.ones(3) + 1) is bp.Tensor
    x.note = "an attribute"
    assert x.note == "an attribute"


def test_weak_references_hash_and_no_direct_construction():
    x = bp.ones(1)
    r = weakref.ref(x)
    assert r() is x and hash(x) == hash(x) and x in {x}
    del x
    assert r() is None
    with pytest.raises(TypeError):
        bp.Tensor()


def live(device="cpu"):
    gc.collect()
    bp.synchronize(device)
    return bp._core.memory_stats(device)["n_live"]


def test_nothing_is_kept_after_results_and_failures(device):
    x = bp.rand(100, 10, device=device)
    text: Any = "a"
    before = live(device)
    for _ in range(50):
        y = (x + 1) @ x.T
        y[0] = 1
        bp.sort(x[::2])
        x.tolist()
        for wrong in (lambda: x @ x, lambda: x + bp.ones(3, device=device), lambda: x[1000], lambda: x.view(7),
                      lambda: bp.sum(x, axis=9), lambda: x.fill_(text)):
            with pytest.raises(Exception):
                wrong()
    del y
    assert live(device) == before


def test_tensors_are_made_used_and_freed_by_many_threads(device):
    x = bp.arange(1000, dtype=bp.float32, device=device)
    made, faults = [], []

    def work():
        try:
            for i in range(40):
                y = (x + i).sum()
                made.append(x * i)
                if len(made) > 10:
                    made.pop(0)
                assert y.item() == 499500 + 1000 * i
        except BaseException as e:
            faults.append(e)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        gc.collect()
    for thread in threads:
        thread.join()
    assert not faults
