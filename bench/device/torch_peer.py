# SPDX-License-Identifier: Apache-2.0
"""PyTorch's side of gpu_check: says "ready ...", then answers each line "op dtype n runs wait" with the seconds that so many
runs took; wait 1: until they are done, 0: until they are queued. The data of the last work stays until another is asked for.

usage: torch_peer.py <cuda or cpu>
"""
import sys
import time

try:
    import torch
except Exception as e:  # whatever is wrong with it, it is not there for us
    print(f"no torch ({type(e).__name__}: {e})".replace("\n", " "), flush=True)
    sys.exit(0)

device = sys.argv[1]
if device == "cuda" and not torch.cuda.is_available():
    print(f"torch {torch.__version__} sees no GPU", flush=True)
    sys.exit(0)
torch.set_grad_enabled(False)
torch.backends.cuda.matmul.allow_tf32 = False
wait = torch.cuda.synchronize if device == "cuda" else lambda: None
name = torch.cuda.get_device_name(0) if device == "cuda" else "cpu"
print(f"ready {torch.__version__} on {name}", flush=True)

DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}
COLUMNS = 1024


def make(op, dtype, n):
    """n: elements; of matmul the side of square matrices."""
    if op.startswith("matmul"):
        a, b = (torch.rand(n, n, device=device).to(dtype) for _ in range(2))
        out = torch.empty(n, n, device=device, dtype=dtype)
        return (lambda: torch.matmul(a, b, out=out)) if op.endswith("_into") else (lambda: torch.matmul(a, b))
    x, y = (torch.rand(n, device=device).to(dtype) for _ in range(2))
    out = torch.empty_like(x)
    table = x.view(-1, COLUMNS) if n >= COLUMNS else x.view(1, -1)
    row = y[: table.shape[1]]
    one = torch.empty((), device=device, dtype=dtype)
    return {
        "copy_into": lambda: out.copy_(x),
        "add": lambda: torch.add(x, y),
        "add_into": lambda: torch.add(x, y, out=out),
        "add_row_into": lambda: torch.add(table, row, out=out.view_as(table)),
        "exp": lambda: torch.exp(x),
        "exp_into": lambda: torch.exp(x, out=out),
        "transpose": lambda: table.t().contiguous(),
        "sum": lambda: torch.sum(x),
        "sum_into": lambda: torch.sum(x, 0, out=one),
        "sum_rows": lambda: torch.sum(table, 1),
        "sum_columns": lambda: torch.sum(table, 0),
        "argmax_rows": lambda: torch.argmax(table, 1),
        "cumsum_rows": lambda: torch.cumsum(table, 1),
        "softmax": lambda: torch.softmax(table, 1),
        "softmax_into": lambda: torch.softmax(table, 1),
        "sort_rows": lambda: torch.sort(table, 1),
    }[op]


made, work = None, None
for line in sys.stdin:
    op, dtype, n, runs, until_done = line.split()
    try:
        if made != (op, dtype, n):
            work = None  # its memory first
            work, made = make(op, DTYPES[dtype], int(n)), (op, dtype, n)
            work()
        wait()
        start = time.perf_counter()
        for _ in range(int(runs)):
            work()
        if until_done == "1":
            wait()
        took = time.perf_counter() - start
        wait()
        print(took, flush=True)
    except Exception as e:
        print(f"{op} of {n} {dtype}: {type(e).__name__}: {e}".replace("\n", " "), flush=True)
