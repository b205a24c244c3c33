# SPDX-License-Identifier: Apache-2.0
"""make.py: writes the foreign files that the fuzzer starts from; they are committed. Needs numpy and safetensors."""
import pathlib

import numpy as np
from safetensors.numpy import save_file

here = pathlib.Path(__file__).parent
small = {
    "net.0.weight": np.arange(12, dtype=np.float32).reshape(3, 4),
    "net.0.bias": np.zeros(3, np.float64),
    "steps": np.array(7, np.int64),
    "mask": np.array([True, False, True]),
    "none": np.zeros((0, 5), np.float16),
    "bytes": np.arange(5, dtype=np.uint8),
}
save_file(small, here / "safetensors/python.safetensors", metadata={"format": "np", "epoch": "3"})
np.savez(here / "npz/stored.npz", **small, **{"Gewicht.ä": np.asfortranarray(np.arange(6, dtype=np.int16).reshape(2, 3))})
np.savez_compressed(here / "npz/packed.npz", **small, complex=np.ones(2, np.complex128), long=np.zeros(3000, np.uint32))
