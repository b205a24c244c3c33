# SPDX-License-Identifier: Apache-2.0
"""How tensors print."""

from __future__ import annotations

from typing import Any

from . import _core

_DEFAULT = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80}
_PROFILES = {
    "default": _DEFAULT,
    "short": {**_DEFAULT, "precision": 2, "edgeitems": 2},
    "full": {**_DEFAULT, "threshold": 2**62},
}
_options: dict[str, Any] = {**_DEFAULT, "sci_mode": None}


def set_printoptions(precision: int | None = None, threshold: float | None = None, edgeitems: int | None = None,
                     linewidth: int | None = None, profile: str | None = None, sci_mode: bool | None = None) -> None:
    """Sets how tensors print. The options are PyTorch's; those that are None stay as they are, except for sci_mode.

    >>> bp.set_printoptions(precision=2)
    >>> bp.asarray([1 / 3])
    tensor([0.33])
    >>> bp.set_printoptions(profile="default")
    """
    if profile is not None:
        _options.update(_PROFILES[profile])
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    _options.update({name: int(min(value, 2**62)) for name, value in given.items() if value is not None})
    _options["sci_mode"] = sci_mode


def text_of(t: Any) -> str:
    sci = -1 if _options["sci_mode"] is None else int(_options["sci_mode"])
    return _core.format(t, _options["precision"], _options["threshold"], _options["edgeitems"], _options["linewidth"], sci, t._is_torch)
