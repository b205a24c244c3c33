# SPDX-License-Identifier: Apache-2.0
"""Writes the checkpoints beside this file with PyTorch, which wrote those that are here in its version 2.15.0:
    build/peers/bin/python tests/python/data/pytorch/make.py

Each has a network after two steps of training, its optimiser, what it then makes of an input, and the losses of three more steps."""

import copy
import pathlib

import torch
from architectures import NAMES, build, inputs, optimizer_of, step

HERE = pathlib.Path(__file__).parent


def main():
    for name in NAMES:
        torch.manual_seed(1)
        net = build(name, torch)
        optimizer = optimizer_of(name, net, torch)
        x = inputs(name, torch)
        for _ in range(2):
            step(net, optimizer, x, torch)
        made = {"epoch": 2, "name": name, "model": copy.deepcopy(net.state_dict()),
                "optimizer": copy.deepcopy(optimizer.state_dict()), "x": x, "y": net.eval()(x).detach()}  # fmt: skip
        made["losses"] = [step(net, optimizer, x, torch) for _ in range(3)]
        torch.save(made, HERE / f"{name}.pt")
    base = torch.arange(6.0).reshape(2, 3)
    torch.save({"base": base, "column": base[:, 1], "transposed": base.T, "expanded": torch.ones(1).expand(4), "empty": torch.empty(0, 3),
                "parameter": torch.nn.Parameter(torch.ones(2)), "size": torch.Size([2, 3]), "dtype": torch.bfloat16, "bytes": b"\0ab",
                "complex": 1 + 2j, "set": {1, 2}, "tuple": (1, (2.5, None, True)), "text": "\N{GREEK SMALL LETTER ALPHA}", "large": 2**70,
                "device": torch.device("cpu"), **{str(t).removeprefix("torch."): torch.tensor([0, 1, 2]).to(t) for t in DTYPES}},
               HERE / "kinds.pt")  # fmt: skip
    torch.save(base, HERE / "protocol5.pt", pickle_protocol=5)
    torch.save(base, HERE / "legacy.pt", _use_new_zipfile_serialization=False)


DTYPES = [torch.bool, torch.uint8, torch.int8, torch.uint16, torch.int16, torch.uint32, torch.int32, torch.uint64, torch.int64,
          torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128]  # fmt: skip

if __name__ == "__main__":
    main()
