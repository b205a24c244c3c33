"""The array API's functions against NumPy's: every dtype, layouts and broadcasting drawn by hypothesis."""

import backplane as bp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

FLOATS = ["float32", "float64"]
INTS = ["int8", "uint8", "int16", "int32", "int64"]
DEVICES = ["cpu", "sim:1"]
LAYOUTS = [lambda x: x, lambda x: x.T if x.ndim == 2 else x, lambda x: x[::2] if x.ndim else x,
           lambda x: x[..., ::-1] if x.ndim else x]


def elements(dtype, low=-100, high=100):
    if dtype == "bool":
        return st.booleans()
    if dtype.startswith(("int", "uint")):
        return st.integers(max(low, 0 if dtype[0] == "u" else low), high)
    return st.one_of(st.integers(int(low), int(high)).map(float), st.floats(low, high, width=32),
                     st.sampled_from([np.inf, -np.inf, np.nan, -0.0]) if low < 0 else st.just(np.inf))


@st.composite
def arrays(draw, dtypes, low=-100, high=100, min_dims=0, **kw):
    dtype = draw(st.sampled_from(dtypes))
    shape = draw(hnp.array_shapes(min_dims=min_dims, max_dims=3, min_side=kw.get("min_side", 0), max_side=5))
    a = draw(hnp.arrays(dtype, shape, elements=elements(dtype, low, high)))
    return draw(st.sampled_from(LAYOUTS))(a)


devices = st.sampled_from(DEVICES)


def same(x, wanted, exact=True):
    wanted = np.asarray(wanted)
    assert x.shape == wanted.shape and x.dtype.name == wanted.dtype.name, (x, wanted)
    got = x.cpu().numpy()
    if exact:
        np.testing.assert_array_equal(got, wanted)
    else:
        np.testing.assert_allclose(got, wanted, rtol=2e-6 if wanted.dtype == np.float32 else 1e-12, atol=1e-30)


def run(f, *arrays, device):
    with np.errstate(all="ignore"):
        return f(*[bp.asarray(a.copy() if a.base is None else a, device=device) for a in arrays])


def numpys(f, *arrays):
    with np.errstate(all="ignore"):
        return f(*arrays)


@pytest.mark.parametrize("name", ["abs", "negative", "square", "floor", "ceil", "trunc", "round", "sign", "positive",
                                  "isnan", "isinf", "isfinite", "sqrt"])
@given(st.data())
def test_exact_functions_of_an_element(name, data):
    a = data.draw(arrays(FLOATS + ([] if name in ("isnan", "isinf", "isfinite", "sqrt") else ["int32", "int64"])))
    same(run(getattr(bp, name), a, device=data.draw(devices)), numpys(getattr(np, name), a).astype(
        "bool" if name.startswith("is") else a.dtype), exact=name != "sqrt")


@pytest.mark.parametrize("name", ["exp", "expm1", "log", "log1p", "sin", "cos", "tan", "tanh"])
@given(st.data())
def test_elementary_functions(name, data):
    a = data.draw(arrays(["float64"], low=-20, high=20))
    same(run(getattr(bp, name), a, device=data.draw(devices)), numpys(getattr(np, name), a), exact=False)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "maximum", "minimum", "equal", "not_equal", "less",
                                  "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_xor"])
@given(st.data())
def test_exact_functions_of_two_elements_broadcast(name, data):
    dtype = data.draw(st.sampled_from(FLOATS + INTS))
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4)).input_shapes
    a, b = (data.draw(hnp.arrays(dtype, s, elements=elements(dtype))) for s in shapes)
    same(run(getattr(bp, name), a, b, device=data.draw(devices)), numpys(getattr(np, name), a, b))


@pytest.mark.parametrize("name", ["divide", "floor_divide", "remainder", "pow"])
@given(st.data())
def test_quotients_and_powers(name, data):
    dtype = data.draw(st.sampled_from(["float64"] if name in ("divide", "pow") else ["float64", "int32", "int64"]))
    shape = data.draw(hnp.array_shapes(min_side=0, max_side=4))
    finite = st.integers(-8, 8) if dtype != "float64" else st.integers(-16, 16).map(lambda v: v / 2)
    a, b = (data.draw(hnp.arrays(dtype, shape, elements=finite)) for _ in range(2))
    if dtype != "float64" or name in ("floor_divide", "remainder"):
        b[b == 0] = 1
    same(run(getattr(bp, name), a, b, device=data.draw(devices)), numpys(getattr(np, name), a, b), exact=False)


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_invert"])
@given(st.data())
def test_bits(name, data):
    dtype = data.draw(st.sampled_from(INTS + ["bool"]))
    a, b = (data.draw(hnp.arrays(dtype, 5, elements=elements(dtype))) for _ in range(2))
    given_ = (a,) if name == "bitwise_invert" else (a, b)
    same(run(getattr(bp, name), *given_, device=data.draw(devices)), getattr(np, name)(*given_))


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "var", "std", "any", "all", "argmax", "argmin"])
@given(st.data())
def test_reductions(name, data):
    wants_floats = name in ("mean", "var", "std")
    a = data.draw(arrays(["float64"] if wants_floats else ["float64", "int32", "uint8", "int64"], low=-8, high=8, min_dims=1,
                         min_side=1))
    a = np.nan_to_num(a, posinf=3, neginf=-3)
    axes = [None] + list(range(-a.ndim, a.ndim))
    axis = data.draw(st.sampled_from(axes if name.startswith("arg") else axes + [(0,), tuple(range(a.ndim))]))
    keepdims = data.draw(st.booleans())
    wanted = getattr(np, name)(a, axis=axis, keepdims=keepdims)
    x = run(lambda x: getattr(bp, name)(x, axis=axis, keepdims=keepdims), a, device=data.draw(devices))
    same(x, wanted, exact=name not in ("sum", "prod", "mean", "var", "std"))


@given(st.data())
def test_sorting_and_running_sums(data):
    a = data.draw(arrays(["float64", "int32"], min_dims=1, low=-5, high=5))
    axis, device = data.draw(st.integers(-a.ndim, a.ndim - 1)), data.draw(devices)
    same(run(lambda x: bp.sort(x, axis=axis), a, device=device), np.sort(a, axis=axis))
    same(run(lambda x: bp.argsort(x, axis=axis), a, device=device), np.argsort(a, axis=axis, stable=True))
    a = np.nan_to_num(a, posinf=3, neginf=-3)
    same(run(lambda x: bp.cumulative_sum(x, axis=axis), a, device=device), np.cumulative_sum(a, axis=axis), exact=False)
    same(run(lambda x: bp.cumulative_sum(x, axis=axis, include_initial=True), a, device=device),
         np.cumulative_sum(a, axis=axis, include_initial=True), exact=False)


@given(st.data())
def test_moving_things_about(data):
    a = data.draw(arrays(["float32", "int64"], min_dims=1, min_side=1))
    device, axis = data.draw(devices), data.draw(st.integers(-a.ndim, a.ndim - 1))
    order = data.draw(st.permutations(range(a.ndim)))
    times = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    shift = data.draw(st.integers(-7, 7))
    key = tuple(data.draw(st.sampled_from([slice(None), slice(1, None), slice(None, None, -1), 0, -1])) for _ in a.shape)
    for f, g in [
        (lambda x: bp.permute_dims(x, order), lambda a: np.transpose(a, order)),
        (lambda x: bp.flip(x, axis=axis), lambda a: np.flip(a, axis)),
        (lambda x: bp.flip(x), np.flip),
        (lambda x: bp.moveaxis(x, axis, 0), lambda a: np.moveaxis(a, axis, 0)),
        (lambda x: bp.expand_dims(x, axis=axis), lambda a: np.expand_dims(a, axis)),
        (lambda x: bp.tile(x, times), lambda a: np.tile(a, times)),
        (lambda x: bp.roll(x, shift, axis=axis), lambda a: np.roll(a, shift, axis)),
        (lambda x: bp.roll(x, shift), lambda a: np.roll(a, shift)),
        (lambda x: bp.concat([x, x], axis=axis), lambda a: np.concat([a, a], axis)),
        (lambda x: bp.concat([x, x], axis=None), lambda a: np.concat([a, a], None)),
        (lambda x: bp.stack([x, x], axis=axis), lambda a: np.stack([a, a], axis)),
        (lambda x: bp.reshape(x, (-1,)), np.ravel),
        (lambda x: bp.broadcast_to(x, (2, *x.shape)), lambda a: np.broadcast_to(a, (2, *a.shape))),
        (lambda x: bp.unstack(x, axis=axis)[0], lambda a: np.moveaxis(a, axis, 0)[0]),
        (lambda x: bp.take(x, bp.asarray([0, 0], device=x.device), axis=axis), lambda a: np.take(a, [0, 0], axis)),
        (lambda x: bp.clip(x, -3, 4), lambda a: np.clip(a, -3, 4)),
        (lambda x: x[key], lambda a: a[key]),
    ]:
        same(run(f, a, device=device), numpys(g, a))


@given(st.data())
def test_products_of_matrices(data):
    n, k, m = (data.draw(st.integers(1, 4)) for _ in range(3))
    dtype, device = data.draw(st.sampled_from(["float64", "int64"])), data.draw(devices)
    small = st.integers(-4, 4).map(np.dtype(dtype).type)
    a, b = data.draw(hnp.arrays(dtype, (2, n, k), elements=small)), data.draw(hnp.arrays(dtype, (k, m), elements=small))
    same(run(bp.matmul, a, b, device=device), a @ b)
    same(run(lambda a, b: bp.tensordot(a, b, axes=1), a, b, device=device), np.tensordot(a, b, 1))
    same(run(lambda a, b: bp.tensordot(a, b, axes=((2,), (0,))), a, b, device=device), np.tensordot(a, b, ((2,), (0,))))
    same(run(bp.vecdot, a, a, device=device), np.vecdot(a, a))
    same(run(bp.matrix_transpose, a, device=device), np.matrix_transpose(a))


def test_creation_as_numpys():
    for f in (lambda xp: xp.arange(3, 10, 2), lambda xp: xp.eye(3, 4, k=-1), lambda xp: xp.linspace(0, 1, 7, dtype=xp.float64),
              lambda xp: xp.full((2, 2), True), lambda xp: xp.meshgrid(xp.arange(2), xp.arange(3))[0],
              lambda xp: xp.meshgrid(xp.arange(2), xp.arange(3), indexing="ij")[1], lambda xp: xp.arange(0, 1, 0.25, dtype=xp.float64)):
        wanted = f(np)
        x = f(bp)
        assert x.shape == wanted.shape and np.allclose(x.numpy(), wanted)


def test_dtypes_promote_and_are_described():
    assert bp.result_type(bp.uint8, bp.int8) is bp.int16 and bp.result_type(bp.ones(2, dtype=bp.float32), 2.5) is bp.float32
    assert bp.result_type(bp.int32, bp.float64, bp.bool) is bp.float64
    assert bp.can_cast(bp.int8, bp.int16) and not bp.can_cast(bp.float64, bp.float32)
    assert bp.isdtype(bp.int8, "integral") and bp.isdtype(bp.float32, ("bool", "real floating")) and not bp.isdtype(bp.bool, "numeric")
    for name in ("float16", "float32", "float64"):
        ours, theirs = bp.finfo(getattr(bp, name)), np.finfo(name)
        assert all(getattr(ours, f) == float(getattr(theirs, f)) for f in ("eps", "max", "min", "smallest_normal", "bits"))
    for name in ("int8", "uint8", "int64", "uint64"):
        ours, theirs = bp.iinfo(getattr(bp, name)), np.iinfo(name)
        assert (ours.bits, ours.min, ours.max) == (theirs.bits, theirs.min, theirs.max)
    assert bp.astype(bp.asarray([1.7]), bp.int32).tolist() == [1]


def test_the_namespace_describes_itself():
    x = bp.ones(1)
    assert x.__array_namespace__() is bp and x.__array_namespace__(api_version="2023.12") is bp
    with pytest.raises(ValueError):
        x.__array_namespace__(api_version="1999.01")
    info = bp.__array_namespace_info__()
    assert bp.device("sim:0") in info.devices() and info.default_device() == bp.device("cpu")
    assert info.default_dtypes()["real floating"] is bp.float32 and set(info.dtypes(kind="bool")) == {"bool"}
    assert (bp.e, bp.inf, bp.newaxis) == (np.e, np.inf, None) and bp.__array_api_version__ == "2023.12"
