# SPDX-License-Identifier: Apache-2.0
"""A class for each kind of module in the library, such as Linear or LSTM, made from the library's description of the kind."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from .. import _core
from ..tensor import Tensor
from .examples import examples
from .module import Module

_F64 = 2  # BP_ATTR_F64


def _signature(attrs: list[Any], buffers: tuple[Any, ...]) -> inspect.Signature:
    P = inspect.Parameter
    parameters = [P(name, P.POSITIONAL_OR_KEYWORD, default=None) for name in buffers]
    for name, _, default, required, _ in attrs:
        parameters.append(P(name, P.POSITIONAL_OR_KEYWORD, default=P.empty if required and not buffers else default))
    parameters += [P(name, P.KEYWORD_ONLY if buffers else P.POSITIONAL_OR_KEYWORD, default=None) for name in ("device", "dtype")]
    return inspect.Signature(parameters)


class BuiltIn(Module):
    """The base of the classes of the library's kinds.

    >>> isinstance(bp.nn.Linear(2, 1), bp.nn.BuiltIn)
    True
    """

    _attrs: ClassVar[list[Any]] = []
    _buffer_arguments: ClassVar[tuple[str, ...]] = ()
    _own_forward: Any = Module.forward

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        try:
            bound = self.__init_signature__.bind(*args, **kwargs).arguments
        except TypeError as e:
            raise TypeError(f"{type(self).__name__}.__init__(): {e}") from None
        device, dtype = bound.pop("device", None), bound.pop("dtype", None)
        buffers = {name: bound.pop(name, None) for name in self._buffer_arguments}
        given = {}
        for name, kind, _, _, _ in self._attrs:
            value = bound.get(name)
            if value is not None:
                given[name] = value
            elif name in bound and kind == _F64:
                given[name] = float("nan")  # which is None in the library
        self._adopt(_core.module_create(self._kind, given, device, dtype))
        for name, value in buffers.items():
            if value is not None:
                self._buffers[name] = value
        self._note_attrs()
        self._after_create()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._plain and not kwargs and "_called_back" not in self.__dict__:
            return self._handle.forward(args, 1)
        return super().__call__(*args, **kwargs)

    _plain = False  # True if forward is the library's own

    def _after_create(self) -> None:
        if type(self).forward is not type(self)._own_forward:
            self._call_python()


class Lazy:
    """A kind that becomes another kind at its first input."""

    def forward(self, *args: Any) -> Any:
        result = super().forward(*args)  # type: ignore[misc]
        handle = self._handle  # type: ignore[attr-defined]
        if handle.kind != self._kind:  # type: ignore[attr-defined]
            for p in self._parameters.values():  # type: ignore[attr-defined]
                if p is not None:
                    p.__class__ = self._parameter_class  # type: ignore[attr-defined]
            self.__class__ = self._classes[handle.kind]  # type: ignore[attr-defined]
            self._note_attrs()  # type: ignore[attr-defined]
        return result


class Recurrent:
    """A recurrent kind, which returns y and h as PyTorch does."""

    def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return self._handle.kind_forward((input,) if hx is None else (input, hx), 2)  # type: ignore[attr-defined]


class LongShort:
    """An LSTM, which returns y and (h, c)."""

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        y, h, c = self._handle.kind_forward((input, *(hx or ())), 3)  # type: ignore[attr-defined]
        return y, (h, c)


class Cell:
    """One step of a recurrent kind."""

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._handle.kind_forward((input,) if hx is None else (input, hx), 1)  # type: ignore[attr-defined]


class LongShortCell:
    """One step of an LSTM, which returns (h, c)."""

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        return self._handle.kind_forward((input, *(hx or ())), 2)  # type: ignore[attr-defined]


class Pool:
    def forward(self, input: Tensor) -> Any:
        return self._handle.kind_forward((input,), 2 if self.return_indices else 1)  # type: ignore[attr-defined]


class Attention:
    def forward(self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None = None, need_weights: bool = True,
                attn_mask: Tensor | None = None, average_attn_weights: bool = True,
                is_causal: bool = False) -> tuple[Tensor, Tensor | None]:
        handle = self._handle  # type: ignore[attr-defined]
        if need_weights and not average_attn_weights:
            raise NotImplementedError("attention weights are given as their mean over the heads")
        result = handle.kind_forward((query, key, value, key_padding_mask, attn_mask), 2 if need_weights else 1)
        return result if need_weights else (result, None)


class EncoderLayer:
    def forward(self, src: Tensor, src_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
                is_causal: bool = False) -> Tensor:
        return self._handle.kind_forward((src, src_mask, src_key_padding_mask), 1)  # type: ignore[attr-defined]


class Table:
    """What Embedding has beside its forward."""

    @classmethod
    def from_pretrained(cls, embeddings: Any, freeze: bool = True, padding_idx: int | None = None) -> Any:
        made = cls(*embeddings.shape, padding_idx=padding_idx, device=embeddings.device, dtype=embeddings.dtype)  # type: ignore[call-arg]
        made.weight.data = embeddings  # type: ignore[attr-defined]
        made.weight.requires_grad_(not freeze)  # type: ignore[attr-defined]
        return made

    def _note_attrs(self) -> None:
        super()._note_attrs()  # type: ignore[misc]
        index = self.__dict__["padding_idx"]
        self.__dict__["padding_idx"] = index[0] if index else None


_MIXINS: dict[str, type] = {"rnn": Recurrent, "lstm": LongShort, "gru": Recurrent,
                            "rnn_cell": Cell, "lstm_cell": LongShortCell, "gru_cell": Cell, "multihead_attention": Attention,
                            "transformer_encoder_layer": EncoderLayer, "embedding": Table}  # fmt: skip
_BUFFERS = {"cross_entropy_loss": ("weight",), "nll_loss": ("weight",), "bce_loss": ("weight",),
            "bce_with_logits_loss": ("weight", "pos_weight")}  # fmt: skip
# These kinds have classes of their own, in containers.py.
_OWN = ("sequential", "module_list", "module_dict", "transformer_encoder")


def _bases(name: str) -> tuple[Any, ...]:
    if name.startswith("lazy_"):
        return (Lazy,)
    if name.startswith("max_pool"):
        return (Pool,)
    return (_MIXINS[name],) if name in _MIXINS else ()


def classes(module: type, where: str, of: dict[str, Any] | None = None) -> dict[str, Any]:
    """Returns a class for each kind. It derives from `module`, and where `of` is given also from the class of its name there."""
    made, shown = {}, examples()
    for name, title, doc, attrs, *_ in _core.module_kinds():
        if name in _OWN:
            continue
        buffers = _BUFFERS.get(name, ())
        bases = (module, of[title]) if of else (*_bases(name), BuiltIn)
        cls: Any = type(title, bases, {"__module__": where, "__doc__": _doc(doc, attrs, shown.get(title, "")), "_kind": name,
                                       "_attrs": attrs, "_buffer_arguments": buffers})  # fmt: skip
        cls.__init_signature__ = cls.__signature__ = _signature(attrs, buffers)
        cls._own_forward, cls._plain = cls.forward, cls.forward is Module.forward
        made[title] = module._classes[name] = cls  # type: ignore[attr-defined]
    return made


def _doc(doc: str, attrs: list[Any], shown: str) -> str:
    said = "\n".join(f"    {name}: {text}" for name, _, _, _, text in attrs)
    return "\n\n".join(part for part in (doc, said, shown) if part) + "\n"
