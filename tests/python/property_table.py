# SPDX-License-Identifier: Apache-2.0
"""One row for each function of the array API standard: how its arguments are drawn. property_test.py calls the function of
both NumPy and Backplane with them.

A row is a function of hypothesis' draw that gives (arrays, call, bound): NumPy arrays, call(xp, *arrays, **where) where
`where` holds a device for functions that create, and the bound of the relative error in units of the dtype's epsilon; 0 is
exact, signs of zeros included."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

SIGNED, UNSIGNED = ["int8", "int16", "int32", "int64"], ["uint8", "uint16", "uint32", "uint64"]
INTS, FLOATS = SIGNED + UNSIGNED, ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
REALS = INTS + FLOATS
NUMBERS = REALS + COMPLEX
ORDERED = ["bool", *REALS]
ALL = ORDERED + COMPLEX
SPECIAL = [np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1e-30, -1e-30]


def values(dtype, low=-100, high=100, special=True):
    """Elements in [low, high]; of floats also infinities, NaN and zeros of both signs."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return st.booleans()
    if kind == "c":
        parts = values("float32", low, high, special)
        return st.tuples(parts, parts).map(lambda z: complex(*z))
    if kind in "iu":
        return st.integers(max(int(low), 0 if kind == "u" else -128), min(int(high), 127))
    numbers = st.one_of(st.integers(int(np.ceil(low)), int(high)).map(float), st.floats(low, high, width=32))
    return st.one_of(numbers, st.sampled_from(SPECIAL)) if special else numbers


def small(dtype):
    """Whole numbers of which sums and products are exact."""
    def whole(v):
        if isinstance(v, complex):
            return complex(round(v.real), round(v.imag))
        return v if isinstance(v, bool) else type(v)(round(v))

    return values(dtype, -4, 4, special=False).map(whole)


def shapes(min_dims=0, min_side=0):
    return hnp.array_shapes(min_dims=min_dims, max_dims=3, min_side=min_side, max_side=4)


def array(draw, dtype, shape, elements=None):
    return draw(hnp.arrays(dtype, shape, elements=values(dtype) if elements is None else elements))


# ---- elementwise ---------------------------------------------------------------------------------------------------


def unary(dtypes, bound=0, low=-100, high=100, special=True):
    def row(draw, name):
        dtype = draw(st.sampled_from(dtypes))
        return [array(draw, dtype, draw(shapes()), values(dtype, low, high, special))], lambda xp, x: getattr(xp, name)(x), bound

    return row


def either(*rows):
    def row(draw, name):
        return draw(st.sampled_from(rows))(draw, name)

    return row


def pairs_of(dtypes):
    """Pairs whose promotion the standard lays down, other than those of a 64-bit unsigned and a signed integer."""
    def fit(a, b):
        a, b = np.dtype(a), np.dtype(b)
        mixed = {a.kind, b.kind} == {"i", "u"} and max(a, b, key=lambda t: t.itemsize if t.kind == "u" else 0).itemsize == 8
        return (a.kind == b.kind or {a.kind, b.kind} == {"i", "u"}) and not mixed

    return [(a, b) for a in dtypes for b in dtypes if fit(a, b)]


def binary(dtypes, bound=0, low: float = -100, high: float = 100, second=None, special=True):
    def row(draw, name):
        both = draw(st.sampled_from(pairs_of(dtypes)))
        sizes = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3, min_side=0)).input_shapes
        ranges = [(low, high), second or (low, high)]
        arrays = [array(draw, t, s, values(t, least, most, special))
                  for t, s, (least, most) in zip(both, sizes, ranges, strict=True)]
        return arrays, lambda xp, x, y: getattr(xp, name)(x, y), bound

    return row


def clip(draw, name):
    dtype = draw(st.sampled_from(REALS))
    x = array(draw, dtype, draw(shapes()))
    low, high = draw(st.sampled_from([(2, 50), (None, 7), (5, None), (None, None), (9, 3)]))
    if draw(st.booleans()):
        return [x], lambda xp, x: xp.clip(x, low, high), 0
    return [x, array(draw, dtype, ())], lambda xp, x, top: xp.clip(x, max=top), 0


def where(draw, name):
    a, b = draw(st.sampled_from(pairs_of(ALL)))
    sizes = draw(hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=3)).input_shapes
    arrays = [array(draw, t, s) for t, s in zip(("bool", a, b), sizes, strict=True)]
    return arrays, lambda xp, c, x, y: xp.where(c, x, y), 0


# ---- with axes -----------------------------------------------------------------------------------------------------


def reduction(dtypes, bound=0, empty=True, one_axis=False, elements=small, **options):
    def row(draw, name):
        dtype = draw(st.sampled_from(dtypes))
        x = array(draw, dtype, draw(shapes(min_side=0 if empty else 1)), elements(dtype))
        axes = [None, *range(-x.ndim, x.ndim)]
        if not one_axis:
            axes += [tuple(range(x.ndim)), tuple(range(x.ndim))[1:]]
        given = {"axis": draw(st.sampled_from(axes)), "keepdims": draw(st.booleans())}
        for option, choices in options.items():
            given[option] = draw(st.sampled_from(choices))
        return [x], lambda xp, x: getattr(xp, name)(x, **given), bound

    return row


def with_axis(dtypes, call, min_dims=1, min_side=0, bound=0, elements=values):
    """call(xp, x, axis, n): n is some number."""
    def row(draw, name):
        dtype = draw(st.sampled_from(dtypes))
        x = array(draw, dtype, draw(shapes(min_dims=min_dims, min_side=min_side)), elements(dtype))
        axis, n = draw(st.integers(-x.ndim, x.ndim - 1)) if x.ndim else 0, draw(st.integers(-5, 5))
        return [x], lambda xp, x: call(xp, x, axis, n), bound

    return row


def some_axes(call):
    """call(xp, x, axes): different ones."""
    def row(draw, name):
        x = array(draw, draw(st.sampled_from(ALL)), draw(shapes(min_dims=1)))
        axes = draw(st.lists(st.integers(0, x.ndim - 1), unique=True, min_size=1))
        axes = tuple(a - x.ndim if draw(st.booleans()) else a for a in axes)
        order = tuple(draw(st.permutations(range(x.ndim))))
        return [x], lambda xp, x: call(xp, x, axes, order), 0

    return row


def cumulative(draw, name):
    x = array(draw, (dtype := draw(st.sampled_from(REALS))), draw(shapes(min_dims=1)), small(dtype))
    axis = draw(st.integers(-x.ndim, x.ndim - 1)) if x.ndim > 1 else draw(st.sampled_from([None, 0, -1]))
    initial = draw(st.booleans())
    return [x], lambda xp, x: getattr(xp, name)(x, axis=axis, include_initial=initial), 0


def joined(draw, name):
    a, b = draw(st.sampled_from(pairs_of(ALL)))
    shape = draw(shapes(min_dims=1))
    axis = draw(st.sampled_from([None] * (name == "concat") + list(range(-len(shape), len(shape)))))
    other = list(shape)
    if name == "concat" and axis is not None:
        other[axis] = draw(st.integers(0, 3))
    arrays = [array(draw, a, shape), array(draw, b, tuple(other))]
    return arrays, lambda xp, x, y: getattr(xp, name)([x, y], axis=axis), 0


def squeeze(draw, name):
    x = array(draw, "int32", draw(shapes()))
    at = draw(st.integers(0, x.ndim))
    return [x], lambda xp, x: xp.squeeze(xp.expand_dims(x, axis=at), draw_axis(at, x)), 0


def draw_axis(at, x):
    return at if at % 2 else at - len(x.shape) - 1


def reshape(draw, name):
    shape = draw(shapes())
    x = array(draw, draw(st.sampled_from(ALL)), shape)
    new = draw(st.permutations(shape))
    wild = len(new) > 0 and 0 not in new and draw(st.booleans())
    new = tuple(-1 if wild and d == 0 else n for d, n in enumerate(new))
    copy = draw(st.sampled_from([None, True]))
    return [x], lambda xp, x: xp.reshape(x, new, copy=copy), 0


def repeat(draw, name):
    x = array(draw, draw(st.sampled_from(ALL)), draw(shapes(min_dims=1)))
    axis = draw(st.sampled_from([None, *range(-x.ndim, x.ndim)]))
    n = x.size if axis is None else x.shape[axis]
    if draw(st.booleans()):
        times = draw(st.integers(0, 3))
        return [x], lambda xp, x: xp.repeat(x, times, axis=axis), 0
    counts = draw(hnp.arrays("int64", n, elements=st.integers(0, 3)))
    return [x], lambda xp, x: xp.repeat(x, like(xp, x, counts), axis=axis), 0


def like(xp, x, a):
    """A NumPy array where x is."""
    return a if xp is np else xp.asarray(a, device=x.device)


def take(draw, name):
    x = array(draw, draw(st.sampled_from(ALL)), draw(shapes(min_dims=1, min_side=1)))
    axis = draw(st.integers(-x.ndim, x.ndim - 1)) if x.ndim > 1 else draw(st.sampled_from([None, 0]))
    n = x.shape[axis or 0]
    at = draw(hnp.arrays(draw(st.sampled_from(["int32", "int64"])), draw(st.integers(0, 5)), elements=st.integers(-n, n - 1)))
    return [x], lambda xp, x: xp.take(x, like(xp, x, at), axis=axis), 0


def searchsorted(draw, name):
    dtype = draw(st.sampled_from(REALS))
    x = array(draw, dtype, draw(st.integers(0, 6)), values(dtype, special=False))
    at, side = array(draw, dtype, draw(shapes()), values(dtype, special=False)), draw(st.sampled_from(["left", "right"]))
    if draw(st.booleans()):  # sorted where they are used, for their layout may turn them around
        return [x, at], lambda xp, x, v: xp.searchsorted(xp.sort(x), v, side=side), 0
    return [x, at], lambda xp, x, v: xp.searchsorted(x, v, side=side, sorter=xp.argsort(x)), 0


def in_order(draw, name):
    x = array(draw, (dtype := draw(st.sampled_from(REALS))), draw(shapes(min_dims=1)), values(dtype, -3, 3, special=False))
    axis, down = draw(st.integers(-x.ndim, x.ndim - 1)), draw(st.booleans())

    def call(xp, x):
        if xp is not np:
            return getattr(xp, name)(x, axis=axis, descending=down, stable=True)
        if not down:
            return getattr(np, name)(x, axis=axis, stable=True)
        order = x.shape[axis] - 1 - np.flip(np.argsort(np.flip(x, axis), axis=axis, stable=True), axis)  # equal ones in order
        return order if name == "argsort" else np.take_along_axis(x, order, axis)

    return [x], call, 0


def moved(draw, name):
    x = array(draw, "int16", draw(shapes(min_dims=1)))
    n = draw(st.integers(1, x.ndim))
    places = [tuple(draw(st.permutations(range(x.ndim)))[:n]) for _ in range(2)]
    source, destination = (tuple(a - x.ndim if draw(st.booleans()) else a for a in p) for p in places)
    if n == 1 and draw(st.booleans()):
        source, destination = source[0], destination[0]
    return [x], lambda xp, x: xp.moveaxis(x, source, destination), 0


# ---- products: exact, but for the sign of a zero ---------------------------------------------------------------------


def matmul(draw, name):
    dtype = draw(st.sampled_from(NUMBERS))
    n, k, m = (draw(st.integers(0, 4)) for _ in range(3))
    stacks = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, max_side=2)).input_shapes
    a, b = draw(st.sampled_from([((n, k), (k, m)), ((*stacks[0], n, k), (*stacks[1], k, m)), ((k,), (k, m)), ((n, k), (k,)),
                                 ((k,), (k,))]))
    return [array(draw, dtype, a, small(dtype)), array(draw, dtype, b, small(dtype))], lambda xp, a, b: xp.matmul(a, b), 1


def vecdot(draw, name):
    k = draw(st.integers(0, 4))
    both = draw(st.sampled_from(pairs_of(NUMBERS)))
    stacks = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, max_side=2)).input_shapes
    first = draw(st.booleans()) and len(stacks[0]) == len(stacks[1])  # the axis before the last
    arrays = [array(draw, t, (*s[:-1], k, *s[-1:]) if first and s else (*s, k), small(t)) for t, s in zip(both, stacks, strict=True)]
    axis = -2 if first and stacks[0] else -1
    return arrays, lambda xp, a, b: xp.vecdot(a, b, axis=axis), 1


def tensordot(draw, name):
    dtype = draw(st.sampled_from(NUMBERS))
    x = array(draw, dtype, draw(shapes(min_dims=1)), small(dtype))
    n = draw(st.integers(0, x.ndim))
    if draw(st.booleans()):
        y = array(draw, dtype, (*x.shape[x.ndim - n:], 2), small(dtype))
        return [x, y], lambda xp, x, y: xp.tensordot(x, y, axes=n), 1
    axes = tuple(draw(st.permutations(range(x.ndim)))[:n])
    y = array(draw, dtype, (3, *(x.shape[a] for a in axes)), small(dtype))
    return [x, y], lambda xp, x, y: xp.tensordot(x, y, axes=(axes, tuple(range(1, n + 1)))), 1


# ---- creation, dtypes ----------------------------------------------------------------------------------------------


def of_shape(fills):
    def row(draw, name):
        shape, dtype = draw(st.one_of(shapes(), st.integers(0, 4))), draw(st.sampled_from(ALL))
        more = (draw(st.integers(0, 5)),) if name == "full" else ()

        def call(xp, **where):
            x = getattr(xp, name)(shape, *more, dtype=getattr(xp, dtype), **where)
            return x if fills else xp.zeros_like(x)

        return [], call, 0

    return row


def of_array(fills):
    def row(draw, name):
        kind = draw(st.sampled_from(NUMBERS))
        dtype = draw(st.sampled_from([None] + (COMPLEX if kind in COMPLEX else ALL)))
        more = (draw(st.integers(0, 5)),) if name == "full_like" else ()

        def call(xp, x):
            made = getattr(xp, name)(x, *more, dtype=dtype and getattr(xp, dtype))
            return made if fills else xp.zeros_like(made)

        return [array(draw, kind, draw(shapes()))], call, 0

    return row


def arange(draw, name):
    start, stop = draw(st.integers(-9, 9)), draw(st.sampled_from([None, *range(-9, 9)]))
    step = draw(st.sampled_from([1, 2, 3, -1, -2, 0.5, -0.25]))
    dtype = draw(st.sampled_from(FLOATS + ([] if isinstance(step, float) else SIGNED)))
    return [], lambda xp, **where: xp.arange(start, stop, step, dtype=getattr(xp, dtype), **where), 0


def linspace(draw, name):
    ends, n = (draw(st.integers(-50, 50)), draw(st.integers(-50, 50))), draw(st.integers(0, 9))
    dtype, endpoint = draw(st.sampled_from(FLOATS)), draw(st.booleans())
    return [], lambda xp, **where: xp.linspace(*ends, n, dtype=getattr(xp, dtype), endpoint=endpoint, **where), 64


def eye(draw, name):
    n, m, k = draw(st.integers(0, 4)), draw(st.sampled_from([None, 0, 1, 3, 5])), draw(st.integers(-6, 6))
    dtype = draw(st.sampled_from(ALL))

    def call(xp, **where):
        return xp.eye(n, m, k=k, dtype=getattr(xp, dtype), **where)

    return [], call, 0


def meshgrid(draw, name):
    arrays = [array(draw, "int32", n) for n in draw(st.lists(st.integers(0, 3), max_size=3))]
    indexing = draw(st.sampled_from(["xy", "ij"]))
    return arrays, lambda xp, *a: xp.meshgrid(*a, indexing=indexing), 0


def asarray(draw, name):
    x = array(draw, draw(st.sampled_from(ALL)), draw(shapes()))
    copy = draw(st.sampled_from([None, True]))
    dtype = draw(st.sampled_from([None, x.dtype.name, "complex128" if x.dtype.kind == "c" else "float64"]))
    source = draw(st.sampled_from([x, x.tolist()])) if dtype == x.dtype.name else x
    return [], lambda xp, **where: xp.asarray(source, dtype=dtype and getattr(xp, dtype), copy=copy, **where), 0


def from_dlpack(draw, name):
    x = array(draw, draw(st.sampled_from(ALL)), draw(shapes()))
    return [x], lambda xp, x: xp.from_dlpack(xp.asarray(x)), 0


def astype(draw, name):
    a = draw(st.sampled_from(ALL))
    b = draw(st.sampled_from(COMPLEX if a in COMPLEX else ALL))
    x = array(draw, a, draw(shapes()), values(a, 0, 100, special=False))
    return [x], lambda xp, x: xp.astype(x, getattr(xp, b), copy=draw_bool(b)), 0


def draw_bool(text):
    return len(text) % 2 == 0


# Off the branch cuts, along which a library's rounding may choose the side.
COMPLEX_FUNCTION = unary(COMPLEX, bound=128, low=0.125, high=3, special=False)

TABLE = {
    "abs": either(unary(REALS), unary(COMPLEX, bound=2, special=False)),
    "square": either(unary(REALS, high=11, low=-11), unary(COMPLEX, bound=8, special=False)),
    **dict.fromkeys(["conj", "real"], unary(NUMBERS)),
    "imag": unary(COMPLEX),
    **dict.fromkeys(["floor", "ceil", "trunc"], unary(REALS)),
    **dict.fromkeys(["positive", "round", "isnan", "isinf", "isfinite"], unary(NUMBERS)),
    "negative": unary(SIGNED + FLOATS + COMPLEX),
    "sign": either(unary(SIGNED + FLOATS), unary(COMPLEX, bound=4, special=False)),
    **dict.fromkeys(["signbit"], unary(FLOATS)),
    **dict.fromkeys(["exp", "expm1", "sin", "cos", "tan", "tanh", "log", "log1p", "log2", "log10", "sqrt", "asin", "acos", "atan",
                     "asinh", "acosh", "atanh"], either(unary(FLOATS, bound=16), COMPLEX_FUNCTION)),
    **dict.fromkeys(["sinh", "cosh"], either(unary(FLOATS, bound=16, low=-80, high=80), COMPLEX_FUNCTION)),
    "bitwise_invert": unary(["bool", *INTS]),
    "logical_not": unary(["bool"]),
    **dict.fromkeys(["add", "subtract"], binary(NUMBERS, low=-50, high=50)),
    "multiply": either(binary(REALS, low=-11, high=11), binary(COMPLEX, bound=16, special=False)),
    **dict.fromkeys(["maximum", "minimum", "less", "less_equal", "greater", "greater_equal"], binary(REALS)),
    **dict.fromkeys(["equal", "not_equal"], binary(ALL)),
    **dict.fromkeys(["logical_and", "logical_or", "logical_xor"], binary(["bool"])),
    **dict.fromkeys(["bitwise_and", "bitwise_or", "bitwise_xor"], binary(["bool", *INTS])),
    **dict.fromkeys(["bitwise_left_shift", "bitwise_right_shift"], binary(INTS, second=(0, 7))),
    **dict.fromkeys(["copysign", "nextafter"], binary(FLOATS)),
    "reciprocal": unary(FLOATS, bound=1),
    "divide": either(binary(FLOATS, bound=1), binary(COMPLEX, bound=16, second=(1, 50), special=False)),
    **dict.fromkeys(["floor_divide", "remainder"], binary(REALS, second=(1, 50), special=False)),
    "pow": binary(FLOATS + INTS, bound=32, low=0, high=5, second=(0, 3), special=False),
    **dict.fromkeys(["atan2", "hypot", "logaddexp"], binary(FLOATS, bound=32)),
    "clip": clip,
    "where": where,
    **dict.fromkeys(["sum", "prod"], either(reduction(REALS), reduction(COMPLEX, bound=8))),
    **dict.fromkeys(["max", "min"], reduction(REALS, empty=False, elements=values)),
    **dict.fromkeys(["mean"], reduction(FLOATS + COMPLEX, bound=8, empty=False)),
    **dict.fromkeys(["var", "std"], reduction(FLOATS + COMPLEX, bound=32, empty=False, correction=[0, 0.0])),
    **dict.fromkeys(["any", "all"], reduction(ALL, elements=values)),
    **dict.fromkeys(["argmax", "argmin"], reduction(REALS, empty=False, one_axis=True)),
    **dict.fromkeys(["cumulative_sum", "cumulative_prod"], cumulative),
    "count_nonzero": reduction(ALL, elements=values),
    "diff": with_axis(REALS, lambda xp, x, axis, n: [xp.diff(x, axis=axis), xp.diff(x, axis=axis, n=2)], elements=small),
    "isin": with_axis(REALS, lambda xp, x, axis, n: [xp.isin(x, x[:1]), xp.isin(x, x[1:], invert=True), xp.isin(x, 3)], elements=small),
    "take_along_axis": with_axis(REALS, lambda xp, x, axis, n: xp.take_along_axis(x, xp.argsort(x, axis=axis, stable=True), axis=axis)),
    "broadcast_shapes": with_axis(FLOATS, lambda xp, x, axis, n: xp.empty(xp.broadcast_shapes(x.shape, (0, *x.shape)), dtype=x.dtype)),
    **dict.fromkeys(["sort", "argsort"], in_order),
    "searchsorted": searchsorted,
    "take": take,
    "nonzero": with_axis(ALL, lambda xp, x, axis, n: xp.nonzero(x)),
    "unique_values": with_axis(ALL, lambda xp, x, axis, n: xp.unique_all(xp.unique_values(x)).values, min_dims=0, elements=small),
    "unique_counts": with_axis(ALL, lambda xp, x, axis, n: tuple(xp.unique_counts(x)), min_dims=0, elements=small),
    "unique_inverse": with_axis(ALL, lambda xp, x, axis, n: tuple(xp.unique_inverse(x)), min_dims=0, elements=small),
    "unique_all": with_axis(ALL, lambda xp, x, axis, n: tuple(xp.unique_all(x)), min_dims=0, elements=small),
    "broadcast_to": with_axis(ALL, lambda xp, x, axis, n: xp.broadcast_to(x, (abs(n), *x.shape)), min_dims=0),
    "broadcast_arrays": with_axis(ALL, lambda xp, x, axis, n: xp.broadcast_arrays(x, xp.expand_dims(x, axis=0), x[..., :1]), min_side=1),
    "expand_dims": with_axis(ALL, lambda xp, x, axis, n: [xp.expand_dims(x, axis=axis), xp.expand_dims(x, axis)], min_dims=0),
    "flip": some_axes(lambda xp, x, axes, order: [xp.flip(x, axis=axes), xp.flip(x), xp.flip(x, axis=axes[0])]),
    "permute_dims": some_axes(lambda xp, x, axes, order: xp.permute_dims(x, order)),
    "matrix_transpose": with_axis(ALL, lambda xp, x, axis, n: xp.matrix_transpose(x), min_dims=2),
    "moveaxis": moved,
    "roll": some_axes(lambda xp, x, axes, order: [xp.roll(x, 3, axis=axes), xp.roll(x, -2), xp.roll(x, 7, axis=axes[0]),
                                                  xp.roll(x, tuple(range(-1, len(axes) - 1)), axis=axes)]),
    "tile": with_axis(ALL, lambda xp, x, axis, n: [xp.tile(x, (abs(n), 2)), xp.tile(x, (2,)), xp.tile(x, ())], min_dims=0),
    "unstack": with_axis(ALL, lambda xp, x, axis, n: xp.unstack(x, axis=axis)),
    "repeat": repeat,
    "reshape": reshape,
    "squeeze": squeeze,
    **dict.fromkeys(["concat", "stack"], joined),
    **dict.fromkeys(["tril", "triu"], with_axis(ALL, lambda xp, x, axis, n: [xp.tril(x, k=n), xp.triu(x, k=n)], min_dims=2)),
    "matmul": matmul,
    "vecdot": vecdot,
    "tensordot": tensordot,
    **dict.fromkeys(["zeros", "ones", "full"], of_shape(fills=True)),
    "empty": of_shape(fills=False),
    **dict.fromkeys(["zeros_like", "ones_like", "full_like"], of_array(fills=True)),
    "empty_like": of_array(fills=False),
    "arange": arange,
    "linspace": linspace,
    "eye": eye,
    "meshgrid": meshgrid,
    "asarray": asarray,
    "from_dlpack": from_dlpack,
    "astype": astype,
}  # fmt: skip
