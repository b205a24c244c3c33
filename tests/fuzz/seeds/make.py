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

# Programs, which only this library writes: `import backplane` must find it.
import backplane as bp  # noqa: E402
import backplane.torch as torch  # noqa: E402


def program(name, f, *inputs):
    compiled = bp.compile(f)
    compiled(*inputs)
    compiled.programs[0].save(here / "program_file" / f"{name}.safetensors")


weight = bp.asarray([[0.5, 1.0], [1.5, 2.0], [2.5, 3.0]])
x = bp.ones((2, 3))
program("product", lambda x: bp.sum(bp.exp(x @ weight), axis=1), x)
program("views", lambda x: (x.T[1:, :] * 2 + x[0, 0], bp.concat([x, -x]), bp.argmax(x, axis=0), bp.cumulative_sum(x[0])), x)
program("dtypes", lambda x: (bp.astype(x, bp.int64) + 1, x > 0.5, bp.astype(x, bp.complex64) * 2j, bp.fft.rfft(x)), x)
program("drawn", lambda x: torch.nn.functional.dropout(x, 0.5), torch.ones(2, 3))

net = torch.nn.Linear(3, 2)
adam = torch.optim.Adam(net.parameters(), lr=0.05)


def step(x):
    adam.zero_grad()
    loss = (net(x) ** 2).mean()
    loss.backward()
    adam.step()
    return loss.detach()


step(torch.ones(2, 3))
program("step", step, torch.ones(2, 3))
