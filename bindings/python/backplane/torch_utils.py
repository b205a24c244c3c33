"""backplane.torch.utils: its module data is backplane.data, with loaders whose batches are PyTorch's tensors."""

from __future__ import annotations

import sys
import types
from typing import Any

from . import data as _data
from .torch import Tensor, stack

_NAME = "backplane.torch.utils"


class DataLoader(_data.DataLoader):
    __doc__ = _data.DataLoader.__doc__
    _torch = True


class TensorDataset(_data.TensorDataset):
    __doc__ = _data.TensorDataset.__doc__


data: Any = types.ModuleType(f"{_NAME}.data", _data.__doc__)
vars(data).update({name: getattr(_data, name) for name in _data.__all__})
data.DataLoader = DataLoader
sys.modules.update({_NAME: sys.modules[__name__], f"{_NAME}.data": data})
