#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What compiled kernels say about speed, without a card: registers, spills, stack, shared memory, occupancy, and how wide
their accesses to global memory are.

    static.py libbackplane_cuda.so --arch 75 80 90        # a build of the preset `cuda`, whose PTX is text
    static.py libbackplane_hip.so                         # the code objects that are in it

ptxas compiles the PTX for each architecture (minutes for each); nvdisasm, of NVIDIA's Python package nvidia-cuda-nvdisasm or a
toolkit, shows the instructions. Code objects of AMD's cards are read by llvm-readelf.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

# Of a multiprocessor: threads, blocks, KiB of shared memory (CUDA C++ Programming Guide, "Technical Specifications per
# Compute Capability"). Each has 65,536 registers, given to warps by 256.
LIMITS = {75: (1024, 16, 64), 80: (2048, 32, 164), 86: (1536, 16, 100), 89: (1536, 24, 100), 90: (2048, 32, 228),
          100: (2048, 32, 228), 120: (1536, 24, 100)}
BLOCK_THREADS = 256  # plugins/gpu/card.h: kThreads, of blocks whose kernel says no other number
WIDTHS = (1, 2, 4, 8, 16)
PTXAS = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"


def occupancy(arch, registers, shared, block):
    """The share of a multiprocessor's threads that blocks of so many threads can fill."""
    threads, blocks, kib = LIMITS[arch]
    by_registers = 65536 // (-(-registers // 8) * 8 * 32) // (block // 32)
    by_shared = kib * 1024 // (shared + 1024) if shared else blocks
    return min(blocks, by_registers, by_shared, threads // block) * block / threads


def number_of(pattern, text):
    """What the group of a pattern finds, as a number; 0 where it finds nothing."""
    return int((re.search(pattern, text) or [0, "0"])[1])


def blocks_of(ptx):
    """By kernel: the most threads of a block that its PTX declares."""
    return {name: int(threads) for name, threads in re.findall(r"\.entry (\w+)\([^)]*\)\s*\.maxntid (\d+)", ptx)}


def ptx_of(plugin):
    """The PTX texts in a plugin's fat binaries."""
    data = plugin.read_bytes()
    at = 0
    while (at := data.find(struct.pack("<I", 0xBA55ED50), at)) >= 0:
        head, size = struct.unpack_from("<HQ", data, at + 6)
        part, end = at + head, at + head + size
        while part + 64 <= end:
            kind, _, part_head, part_size = struct.unpack_from("<HHIQ", data, part)
            text = data[part + part_head:part + part_head + part_size]
            if kind == 1 and b".version" in text[:1000]:  # else it is compressed
                yield text[:text.find(b"\0")].decode()
            part += part_head + part_size
        at = end


def capability_of(text):
    """The least compute capability that a PTX text is for."""
    return int(re.search(r"^\.target sm_(\d+)", text, re.MULTILINE)[1])


def family_of(kernel):
    """The file that a kernel is from, which nvcc's names say; clang's say the struct that runs: MapDense, Reduce, MaxPool."""
    if found := re.search(r"_GLOBAL__N__[0-9a-f]+_\d+_(\w+?)_cu_[0-9a-f]+", kernel):
        return found[1]
    if found := re.match(r"_ZN6bp_gpu3runINS_(?:12_GLOBAL__N_1)?(\d+)(\w+)", kernel):
        return found[2][:int(found[1])]
    return "cub" if "3cub" in kernel else "shared"


def widths_of(disassembly):
    """By kernel: how often each width is loaded and stored, of global memory."""
    found, kernel = collections.defaultdict(collections.Counter), None
    for line in disassembly.splitlines():
        if section := re.match(r"\s*\.section\s+\.text\.(\S+?),", line):
            kernel = section.group(1)
        elif access := re.search(r"\b(LDG|STG)((?:\.\w+)+)", line):
            suffixes = access.group(2).split(".")
            width = 16 if "128" in suffixes else 8 if "64" in suffixes else 4
            width = 1 if {"U8", "S8"} & set(suffixes) else 2 if {"U16", "S16"} & set(suffixes) else width
            found[kernel][width] += 1
    return found


def compiled(text, arch, nvdisasm):
    """A record for each kernel of a module."""
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = pathlib.Path(folder, "a.ptx"), pathlib.Path(folder, "a.cubin")
        source.write_text(text)
        said = subprocess.run([PTXAS, "-v", f"-arch=sm_{arch}", source, "-o", cubin], text=True, stderr=subprocess.PIPE, check=False)
        if said.returncode:
            sys.exit(f"ptxas: {said.stderr}")
        listing = subprocess.run([nvdisasm, "-c", cubin], text=True, stdout=subprocess.PIPE, check=True).stdout if nvdisasm else ""
    widths, blocks, records = widths_of(listing), blocks_of(text), []
    for entry in said.stderr.split("Compiling entry function '")[1:]:
        name = entry[:entry.index("'")]
        own = entry[entry.index(f"Function properties for {name}"):]
        shared, registers = number_of(r"(\d+) bytes smem", own), number_of(r"Used (\d+) registers", own)
        records.append({"kernel": name, "family": family_of(name), "registers": registers, "shared": shared,
                        "stack": number_of(r"(\d+) bytes stack frame", own), "spills": number_of(r"(\d+) bytes spill stores", own),
                        "occupancy": occupancy(arch, registers, shared, blocks.get(name, BLOCK_THREADS)), "widths": dict(widths[name])})
    return records


def cuda(plugin, arches):
    texts = list(ptx_of(plugin))
    if not texts:
        sys.exit(f"{plugin}: there is no PTX as text in it: build the preset `cuda`")
    packaged = [str(tool) for folder in sys.path for tool in pathlib.Path(folder).glob("nvidia/*/bin/nvdisasm")]
    nvdisasm = shutil.which("nvdisasm") or next(iter(packaged), None)
    if not nvdisasm:
        print("nvdisasm is not there: widths are not shown", file=sys.stderr)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for arch in arches:
            parts = pool.map(lambda text, arch=arch: compiled(text, arch, nvdisasm), [t for t in texts if capability_of(t) <= arch])
            yield f"sm_{arch}", [record for part in parts for record in part]


def hip(plugin):
    """The metadata of AMD's code objects, which a bundle holds for each architecture."""
    data, magic = plugin.read_bytes(), b"__CLANG_OFFLOAD_BUNDLE__"
    found, at = collections.defaultdict(list), -1
    while (at := data.find(magic, at + 1)) >= 0:
        entry, count = at + len(magic) + 8, struct.unpack_from("<Q", data, at + len(magic))[0]
        if count > 64:  # the words alone, of a program that looks for bundles
            continue
        for _ in range(count):
            offset, size, length = struct.unpack_from("<QQQ", data, entry)
            target = data[entry + 24:entry + 24 + length].decode()
            entry += 24 + length
            if size == 0 or "amdgcn" not in target:
                continue
            with tempfile.NamedTemporaryFile() as file:
                file.write(data[at + offset:at + offset + size])
                file.flush()
                notes = subprocess.run(["llvm-readelf", "--notes", file.name], text=True, stdout=subprocess.PIPE, check=True).stdout
            for kernel in notes.split("  - .a")[1:]:
                own = kernel[max(kernel.find(".group_segment"), 0):]
                if not (name := re.search(r"\.name:\s+'?(\w+)", own)):
                    continue
                said = {key: int(value) for key, value in re.findall(r"\.(\w+):\s+(\d+)", kernel)}
                vgprs = max(said.get("vgpr_count", 0), 1)
                found[target.split("-")[-1]].append({
                    "kernel": name[1], "family": family_of(name[1]), "registers": vgprs,
                    "shared": said.get("group_segment_fixed_size", 0), "stack": said.get("private_segment_fixed_size", 0),
                    "spills": said.get("vgpr_spill_count", 0),  # scalar registers spill into lanes of vector ones
                    "occupancy": min(8, 512 // (-(-vgprs // 8) * 8)) / 8, "widths": {}})
    yield from found.items()


def table(arch, records):
    print(f"\n{arch}: {len(records)} kernels, {sum(r['spills'] > 0 for r in records)} spill, "
          f"{sum(r['occupancy'] < 0.5 for r in records)} fill less than half of a multiprocessor\n")
    wide = any(r["widths"] for r in records)  # AMD's code is not disassembled
    heads = ["family", "kernels", "registers, most", "spilling", "stack, most", "shared, most", "occupancy, least"]
    heads += ["bytes of an access: " + " / ".join(map(str, WIDTHS))] if wide else []
    rows = [heads, ["---"] * len(heads)]
    families = collections.defaultdict(list)
    for record in records:
        families[record["family"]].append(record)
    for family, own in sorted(families.items()):
        counts = sum((collections.Counter(r["widths"]) for r in own), collections.Counter())
        most = {key: max(r[key] for r in own) for key in ("registers", "stack", "shared")}
        row = [family, len(own), most["registers"], sum(r["spills"] > 0 for r in own), most["stack"], most["shared"],
               f"{min(r['occupancy'] for r in own):.0%}"]
        rows.append(row + ([" / ".join(str(counts[w]) for w in WIDTHS)] if wide else []))
    print("\n".join(f"| {' | '.join(map(str, row))} |" for row in rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin", type=pathlib.Path)
    parser.add_argument("--arch", type=int, nargs="+", default=[90], choices=sorted(LIMITS), help="compute capabilities, of cuda")
    parser.add_argument("--json", type=pathlib.Path, help="a file for every kernel's numbers")
    asked = parser.parse_args()
    shown = dict(hip(asked.plugin) if "hip" in asked.plugin.name else cuda(asked.plugin, asked.arch))
    for arch, records in shown.items():
        table(arch, records)
    if asked.json:
        asked.json.parent.mkdir(parents=True, exist_ok=True)
        asked.json.write_text(json.dumps(shown, indent=1))


if __name__ == "__main__":
    main()
