# SPDX-License-Identifier: Apache-2.0
"""Every op of the library, as its table declares it: ``ops.sum(x, axes=(0,), keepdims=True)``.

Names, defaults and docs come from the library itself, and an op that is registered later is there too. ``backplane`` and
``backplane.torch`` have these ops under the names, and with the defaults, of the array API standard and of PyTorch.
"""

from . import _core

__all__ = []


class OpMethods:
    """The ops whose first operand is a tensor, as methods. Elementwise ops are there in place, too: ``x.exp_()``."""

    __slots__ = ()


# What the examples of some methods need: the tensor, and the other arguments.
_WHOLE, _MASK = "bp.ones(2, dtype=bp.int64)", "bp.asarray([True, False])"
_IN_PLACE = {"cast": ("bp.ones(2)", "bp.float64"), "masked_fill": ("bp.ones(2)", f"{_MASK}, 2"), "where": (_MASK, "True, False"),
             "bitwise_not": (_WHOLE, ""),
             **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"), (_WHOLE, "2"))}


def _in_place(op):
    def method(self, *args, **kwargs):
        return op(self, *args, out=self, **kwargs)

    method.__name__ = method.__qualname__ = op.__name__ + "_"
    operand, others = _IN_PLACE.get(op.__name__, ("bp.ones(2)", ", ".join(["2"] * (len(op.inputs) - 1))))
    method.__doc__ = f"In place; the tensor keeps its dtype, which has to hold the result. {op.table_doc}"
    if op.__name__ not in ("complex", "imag", "polar"):  # whose results no tensor that they take can hold
        method.__doc__ += f"\n\n    >>> x = {operand}\n    >>> x.{op.__name__}_({others}) is x\n    True\n    "
    return method


def _take_all():
    for op in _core.ops():
        name = op.__name__
        if name in globals():
            continue
        globals()[name] = op
        __all__.append(name)
        if op.creates or op.takes_list or not op.inputs:
            continue
        setattr(OpMethods, name, op)
        if op.elementwise and len(op.outputs) == 1:
            setattr(OpMethods, name + "_", _in_place(op))


_take_all()


def __getattr__(name):
    if not name.startswith("_"):
        _take_all()
        if name in globals():
            return globals()[name]
    raise AttributeError(f"there is no op '{name}'")
