# SPDX-License-Identifier: Apache-2.0
"""printers.py <source tree> <work folder> <library> <C++ compiler>: gdb shows what C++ handles stand for."""

import pathlib
import shutil
import subprocess
import sys

PROGRAM = """#include <backplane.hpp>
namespace bp = backplane;
void here(const bp::Tensor& r) { (void)r; }
int main() {
  bp::Tensor x = bp::tensor({{1.0, 2.0}, {3.0, 4.5}}), turned = x.t(), whole = bp::arange(300), there = x.to("sim:1"), none;
  bp::Tensor flags = bp::tensor({true, false}), half = x.to(bp::bf16), pair = bp::tensor(std::complex<double>(1, -2));
  bp::nn::Linear layer(2, 1);
  bp::optim::SGD sgd(layer.parameters());
  bp::Dict dict = layer.state_dict();
  bp::Device device("cuda:1"), unset;
  bp::Dtype dtype = x.dtype();
  bp::Error error(BP_NOT_FOUND, "a sentence");
  here(x);
}
"""
SHOWN = {
    "x": "Tensor float32 [2, 2] cpu {1, 2, 3, 4.5}",
    "turned": "Tensor float32 [2, 2] cpu {1, 3, 2, 4.5}",
    "whole": "Tensor int64 [300] cpu {0, 1, 2, 3, 4...}",
    "there": "Tensor float32 [2, 2] sim:1",
    "none": "Tensor (empty)",
    "flags": "Tensor bool [2] cpu {true, false}",
    "half": "Tensor bfloat16 [2, 2] cpu {1, 2, 3, 4.5}",
    "pair": "Tensor complex64 [] cpu {1-2j}",
    "layer": "Linear(in_features=2, out_features=1, bias=True)",
    "sgd": "SGD of 1 groups",
    "dict": "Dict of 2 tensors",
    "device": "cuda:1",
    "unset": "the default device",
    "dtype": "float32",
    "error": "a sentence",
}


def main(source, work, library, cxx):
    gdb = shutil.which("gdb")
    if not gdb:
        print("skipped: gdb is not installed")
        return 0
    source, work, library = pathlib.Path(source).resolve(), pathlib.Path(work).resolve(), pathlib.Path(library).resolve()
    work.mkdir(parents=True, exist_ok=True)
    program = work / "program"
    program.with_suffix(".cc").write_text(PROGRAM)
    command = [cxx, "-std=c++20", "-g", "-O0", f"-I{source / 'bindings/cpp'}", f"-I{source / 'include'}", str(program.with_suffix(".cc"))]
    subprocess.run([*command, "-o", str(program), str(library), f"-Wl,-rpath,{library.parent}"], check=True)
    printers = source / "bindings/cpp/gdb/backplane_printers.py"
    asks = ["source " + str(printers), "set print elements 5", "set confirm off", "break here", "run", "print r", "up"]
    asks += [f"print {name}" for name in SHOWN] + ["kill", "print x"]
    run = subprocess.run([gdb, "-nx", "-batch", *(a for ask in asks for a in ("-ex", ask)), program], capture_output=True, text=True)
    said = run.stdout + run.stderr
    if "Python scripting is not supported" in said or "ptrace" in said:
        print("skipped: this gdb cannot, or may not, do it:\n" + said)
        return 0
    wanted = [f"${i + 1} = {text}" for i, text in enumerate([SHOWN["x"], *SHOWN.values()])]
    missing = [line for line in wanted if line not in said.splitlines()]
    if missing:
        print(said + "\nmissing:\n" + "\n".join(missing))
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
