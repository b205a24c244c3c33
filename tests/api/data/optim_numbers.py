# SPDX-License-Identifier: Apache-2.0
"""Prints optim_numbers.json: what PyTorch's optimisers and schedules do, to compare ours with. Run with a Python that has
torch (1.13 printed the file): python3 optim_numbers.py > optim_numbers.json

The task: two parameters, p0 of shape (3, 2) and p1 of shape (3,), in float64; the gradient of p is a * (p - c), elementwise.
"""

import json

import torch
from torch.optim import lr_scheduler as schedulers

P = [[1.5, -2.0, 0.25, 3.0, -0.75, 0.5], [0.1, -1.0, 2.0]]
A = [[1.0, 0.5, 2.0, 0.25, 1.5, 3.0], [0.75, 1.25, 0.125]]
C = [[0.0, 1.0, -1.0, 0.5, 0.25, -0.5], [1.0, 0.0, -2.0]]
SHAPES = [(3, 2), (3,)]
STEPS = 20
KEPT = (1, 2, 5, 10, 20)

OPTIMIZERS = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "weight_decay": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.5}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01}),
    ("SGD", {"lr": 0.1, "momentum": 0.5, "maximize": True}),
    ("Adam", {}),
    ("Adam", {"lr": 0.1}),
    ("Adam", {"lr": 0.1, "betas": (0.8, 0.9), "eps": 1e-3}),
    ("Adam", {"lr": 0.1, "weight_decay": 0.1}),
    ("Adam", {"lr": 0.1, "amsgrad": True}),
    ("Adam", {"lr": 0.1, "amsgrad": True, "weight_decay": 0.1, "maximize": True}),
    ("AdamW", {"lr": 0.1}),
    ("AdamW", {"lr": 0.1, "weight_decay": 0.3, "betas": (0.8, 0.9)}),
    ("AdamW", {"lr": 0.1, "amsgrad": True, "maximize": True}),
    ("RMSprop", {}),
    ("RMSprop", {"lr": 0.1, "alpha": 0.9, "eps": 1e-4}),
    ("RMSprop", {"lr": 0.1, "momentum": 0.9}),
    ("RMSprop", {"lr": 0.1, "centered": True, "weight_decay": 0.1}),
    ("RMSprop", {"lr": 0.1, "centered": True, "momentum": 0.5, "maximize": True}),
    ("Adagrad", {}),
    ("Adagrad", {"lr": 0.5, "lr_decay": 0.1}),
    ("Adagrad", {"lr": 0.5, "initial_accumulator_value": 0.5, "eps": 1e-3}),
    ("Adagrad", {"lr": 0.5, "weight_decay": 0.1, "maximize": True}),
]

SCHEDULES = [
    ("step", "StepLR", {"step_size": 3, "gamma": 0.5}),
    ("multi_step", "MultiStepLR", {"milestones": [2, 5, 5, 9], "gamma": 0.3}),
    ("exponential", "ExponentialLR", {"gamma": 0.9}),
    ("constant", "ConstantLR", {"factor": 0.25, "total_iters": 4}),
    ("linear", "LinearLR", {"start_factor": 0.1, "end_factor": 1.0, "total_iters": 7}),
    ("polynomial", "PolynomialLR", {"total_iters": 12, "power": 2.0}),
    ("cosine", "CosineAnnealingLR", {"T_max": 8, "eta_min": 0.01}),
    ("cosine_restarts", "CosineAnnealingWarmRestarts", {"T_0": 4, "T_mult": 2, "eta_min": 0.01}),
    ("one_cycle", "OneCycleLR", {"max_lr": 1.0, "total_steps": 20}),
    ("one_cycle", "OneCycleLR", {"max_lr": 1.0, "total_steps": 20, "anneal_strategy": "linear", "three_phase": True}),
    ("one_cycle", "OneCycleLR", {"max_lr": 1.0, "total_steps": 20, "pct_start": 0.5, "cycle_momentum": False}),
]
EPOCHS = 20


def trajectory(kind, options):
    params = [torch.tensor(p, dtype=torch.float64).reshape(s).requires_grad_() for p, s in zip(P, SHAPES)]
    a = [torch.tensor(x, dtype=torch.float64).reshape(s) for x, s in zip(A, SHAPES)]
    c = [torch.tensor(x, dtype=torch.float64).reshape(s) for x, s in zip(C, SHAPES)]
    optimizer = getattr(torch.optim, kind)(params, **({"lr": 1e-3} | options if kind == "SGD" else options))
    kept = {}
    for step in range(1, STEPS + 1):
        for p, x, y in zip(params, a, c):
            p.grad = x * (p.detach() - y)
        optimizer.step()
        if step in KEPT:
            kept[str(step)] = [p.detach().flatten().tolist() for p in params]
    return kept


def plain(options):
    out = dict(options)
    if "betas" in out:
        out["beta1"], out["beta2"] = out.pop("betas")
    return out


def with_rate(kind="SGD", **options):
    p = torch.zeros(1, requires_grad=True)
    return getattr(torch.optim, kind)([p], lr=0.5, **options)


def rates(optimizer, schedule):
    out, momenta = [optimizer.param_groups[0]["lr"]], []
    group = optimizer.param_groups[0]
    momenta.append(group.get("momentum", 0.0))
    for _ in range(EPOCHS - 1):
        optimizer.step()
        schedule.step()
        out.append(group["lr"])
        momenta.append(group.get("momentum", 0.0))
    return out, momenta


def main():
    out = {"torch": torch.__version__, "p": P, "a": A, "c": C, "optimizers": [], "schedules": [], "composed": {}}
    for kind, options in OPTIMIZERS:
        out["optimizers"].append({"kind": kind, "options": plain(options), "params": trajectory(kind, options)})
    for kind, cls, options in SCHEDULES:
        optimizer = with_rate(momentum=0.9)
        lr, momentum = rates(optimizer, getattr(schedulers, cls)(optimizer, **options))
        out["schedules"].append({"kind": kind, "class": cls, "options": options, "lr": lr, "momentum": momentum})
    optimizer = with_rate()
    out["composed"]["lambda"] = rates(optimizer, schedulers.LambdaLR(optimizer, lambda e: 0.95**e))[0]
    optimizer = with_rate()
    parts = [schedulers.ConstantLR(optimizer, factor=0.1, total_iters=2), schedulers.ExponentialLR(optimizer, gamma=0.9)]
    out["composed"]["chained"] = rates(optimizer, schedulers.ChainedScheduler(parts))[0]
    optimizer = with_rate()
    parts = [schedulers.LinearLR(optimizer, start_factor=0.2, total_iters=4),
             schedulers.CosineAnnealingLR(optimizer, T_max=6), schedulers.StepLR(optimizer, 2, gamma=0.5)]
    out["composed"]["sequential"] = rates(optimizer, schedulers.SequentialLR(optimizer, parts, milestones=[4, 10]))[0]
    print("{")
    for key in ("optimizers", "schedules"):
        records = ",\n".join("  " + json.dumps(record) for record in out.pop(key))
        print(f'"{key}": [\n{records}\n],')
    print(",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in out.items()))
    print("}")


main()
