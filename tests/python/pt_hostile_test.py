# SPDX-License-Identifier: Apache-2.0
"""PyTorch's files that were damaged, or made to do harm: each is refused with what is wrong in it, and runs nothing."""

import io
import os
import pathlib
import pickle
import random
import struct
import zipfile

import backplane as bp
import backplane.torch as torch
import numpy as np
import pytest
from hostile_files import name, pickled, store, value

DATA = pathlib.Path(__file__).parent / "data/pytorch"


class Call:
    def __init__(self, f, *args):
        self.f, self.args = f, args

    def __reduce__(self):
        return self.f, self.args


NAMED = [
    ("posix.system", pickle.dumps(Call(os.system, "echo harm > harm"), 2)),
    ("os.system", b"\x80\x02cos\nsystem\nX\x04\0\0\0harm\x85R."),
    ("builtins.eval", b"\x80\x04\x8c\x08builtins\x8c\x04eval\x93\x8c\x011\x85R."),
    ("__builtin__.eval", pickle.dumps(Call(eval, "1"), 2)),
    ("__builtin__.getattr", pickle.dumps(Call(getattr, 1, "real"), 2)),
    ("torch.nn.modules.linear.Linear", name("torch.nn.modules.linear", "Linear") + b"."),
    ("numpy.dtype", name("numpy", "dtype") + b"."),
    ("backplane.io.save_pt", name("backplane.io", "save_pt") + b"."),
    ("torch.load", name("torch", "load") + b"."),
    ("torch.float8_e4m3fn", name("torch", "float8_e4m3fn") + b"."),
]


@pytest.mark.parametrize("named, code", NAMED, ids=[case[0] for case in NAMED])
def test_a_pickle_that_names_anything_else_is_refused_by_that_name(named, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store("evil.pt", code)
    for load in (torch.load, bp.io.load_pt, bp.io.load_file):
        with pytest.raises(bp.InvalidArgumentError, match=rf"evil\.pt: its pickle, at byte \d+: it names '{named}', which is not among .*; "
                                                          "nothing of it was run"):  # fmt: skip
            load("evil.pt")
    assert not (tmp_path / "harm").exists()


HOSTILE = [
    ("a row of element 2", pickled(size=(3,)), r"reaches element 2 of the storage '0', which has 2"),
    ("an offset outside", pickled(offset=5), r"offset 5 reaches element 6"),
    ("an offset of nothing outside", pickled(offset=3, size=(0,)), "begins at element 3 of the storage '0', which has 2"),
    ("a negative offset", pickled(offset=-1), "a tensor's offset is -1"),
    ("a negative size", pickled(size=(-2,)), "a tensor's size is -2"),
    ("a negative stride", pickled(stride=(-1,)), "a tensor's stride is -1"),
    ("a size beyond 64 bits", pickled(size=(2**64,)), "a tensor's size"),
    ("a size of 2^62", pickled(size=(2**62,)), "reaches element 4611686018427387903"),
    ("a bool for a size", pickled(size=(True,)), "a tensor's size is True"),
    ("a float for a size", pickled(size=(2.0,)), "a tensor's size is 2.0"),
    ("elements without memory", pickled(size=(2**40, 2**40), stride=(0, 0)), "tensor"),
    ("more sizes than strides", pickled(size=(1, 1)), "2 sizes and 1 strides"),
    ("65 sizes", pickled(size=(1,) * 65, stride=(1,) * 65), "dim"),
    ("a storage larger than its record", pickled(n=2**40), "is to have 4398046511104 bytes, and its record has 8"),
    ("a storage smaller than its record", pickled(n=1), "is to have 4 bytes"),
    ("a negative storage", pickled(n=-1), "a storage's size is -1"),
    ("a storage that is not there", pickled(key="7"), "no record 'a/data/7'"),
    ("a path for a key", pickled(key="../x"), r"no record 'a/data/\.\./x'"),
    ("a number for a key", pickled(key=0), "the key 0"),
    ("a class of storage that is none", pickled(kind=name("torch", "float32")), "a storage"),
    ("grad of text", pickled(grad="yes"), "requires_grad is 'yes'"),
    ("a grad of whole numbers", pickled(kind=name("torch", "IntStorage"), grad=True), ""),
    ("a call of a dtype", b"\x80\x02" + name("torch", "float32") + b")R.", "it calls dtype"),
    ("a call of a text", b"\x80\x02X\x01\0\0\0a)R.", "it calls 'a'"),
    ("a call without a tuple", name("collections", "OrderedDict") + b"NR.", "a tuple belong"),
    ("too many arguments", name("torch", "Size") + b"K\x01K\x02\x86R.", "it calls torch.Size with 2 arguments"),
    ("a huge torch.Size", name("torch", "Size") + value(((2**80,),)) + b"R.", "a size is"),
    ("nothing to pop", b"\x80\x020.", "an object that is not there"),
    ("no mark", b"\x80\x02K\x01t.", "a mark that is not there"),
    ("an absent memo", b"\x80\x02h\x07.", "number 7 from its memo"),
    ("a large memo", b"\x80\x02K\x01r\xff\xff\xff\xffj\xfe\xff\xff\xff.", "its memo"),
    ("no end", b"\x80\x02K\x01", "its pickle"),
    ("two ends", b"\x80\x02K\x01K\x01.", "2 objects are left"),
    ("nothing", b"", "its pickle"),
    ("protocol 9", b"\x80\x09N.", "its protocol is 9"),
    ("a text of 4 GB", b"\x80\x02X\xff\xff\xff\xffab.", "4294967295 bytes should follow, and there are 3"),
    ("bytes of 2^62", b"\x80\x04\x8e" + struct.pack("<Q", 2**62) + b"ab.", "bytes should follow"),
    ("an integer of text", b"\x80\x02I12\n.", "the opcode b'I' is not"),
    ("an instance", b"(ios\nsystem\n.", "the opcode b'i' is not"),
    ("an extension", b"\x80\x02\x82\x01.", "the opcode b'.x82' is not"),
    ("a state of a dict", b"\x80\x02}}b.", "it gives dict the state"),
    ("a new object", b"\x80\x02" + name("collections", "OrderedDict") + b")\x81.", "the opcode b'.x81' is not"),
    (
        "methods in a state",
        name("collections", "OrderedDict") + b")R}X\x05\0\0\0itemsNsb.",
        "where an OrderedDict and its _metadata belong",
    ),
    ("a dict as a key", b"\x80\x02}}Ns.", "a key of a dict is dict"),
    ("an odd dict", b"\x80\x02}(Nu.", "sets 1 keys"),
    ("an append to a tuple", b"\x80\x02)Na.", "appends to tuple"),
    ("a set of lists", name("__builtin__", "set") + b"]]a\x85R.", "a set is made of list"),
    ("a layout that is sparse", name("torch.serialization", "_get_layout") + value(("torch.sparse_coo",)) + b"R.", "only torch.strided"),
    (
        "a device of a kind that is none",
        name("torch", "device") + value(("mps",)) + b"R.",
        "a device that is not known here: Expected one of",
    ),
    ("a deep nest", b"\x80\x02N" + b"\x85" * 100000 + b"h\x01.", "its memo"),
    ("laughs", b"\x80\x02)" + b"q\x00h\x00\x86" * 200 + b"}q\x01h\x00Ns.", "a key of a dict is tuple"),
]


@pytest.mark.parametrize("code, why", [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE])
def test_a_hostile_pickle_is_refused(code, why, tmp_path):
    store(tmp_path / "evil.pt", code)
    with pytest.raises(bp.InvalidArgumentError, match=rf"evil\.pt: .*{why}"):
        bp.io.load_pt(tmp_path / "evil.pt")


def test_a_hostile_archive_is_refused(tmp_path):
    path, fine = tmp_path / "evil.pt", pickled()

    def refused(why):
        with pytest.raises(bp.InvalidArgumentError, match=rf"evil\.pt: {why}"):
            bp.io.load_pt(path)

    store(path, fine)
    assert bp.io.load_pt(path).tolist() == [0, 1]
    whole = path.read_bytes()
    for n in (0, 3, 30, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:n])
        refused("it is empty" if n == 0 else "it begins with" if n < 4 else "it is a damaged zip archive, or only the beginning of one")
    at = whole.index(struct.pack("<2f", 0, 1))
    path.write_bytes(whole[:at] + b"\1" + whole[at + 1 :])
    refused(".*the record 'a/data/0' is damaged: its checksum is not")
    store(path, fine, compression=zipfile.ZIP_DEFLATED)
    refused("the record 'a/data.pkl' is compressed or encrypted, which torch.save never does")
    with pytest.warns(UserWarning, match="Duplicate name"):
        store(path, fine, more=[("a/data/0", b"")])
    refused("the record 'a/data/0' is there twice")
    store(path, fine, more=[("b/data.pkl", fine)])
    refused("it has 2 records '<name>/data.pkl', where one belongs")
    store(path, fine, more=[("a/byteorder", b"big")])
    refused("its byte order is b'big'")
    store(path, fine, more=[("a/constants.pkl", b"")])
    refused("it is a TorchScript archive")
    np.savez(path.with_suffix(".npz"), a=np.ones(1))
    path.with_suffix(".npz").rename(path)
    refused("it holds NumPy's arrays, which backplane.io.load_npz reads")
    path.write_bytes((DATA / "legacy.pt").read_bytes())
    refused(r"it has the format that PyTorch wrote before 1\.6; loading it there with torch\.load and saving it again")
    path.write_bytes(pickle.dumps([1]))
    refused("it is a bare pickle")
    path.write_bytes(whole.replace(b"PK\x03\x04", b"PK\x03\x05", 2).replace(b"PK\x03\x05", b"PK\x03\x04", 1))
    refused(".*the record 'a/data/0' should begin at byte")
    directory = whole.index(b"PK\x01\x02")
    for at in (20, 24, 42):  # the sizes and the place of the first record in the directory
        path.write_bytes(whole[: directory + at] + b"\xf0\xff\xff\x7f" + whole[directory + at + 4 :])
        refused("")


def test_any_damage_is_an_error_or_harmless():
    """Of 1500 files with some bytes changed, each is read or refused; none does anything else."""
    draw, refused = random.Random(7), 0
    start = [path.read_bytes() for path in (DATA / "kinds.pt", DATA / "protocol5.pt")]
    with zipfile.ZipFile(DATA / "kinds.pt") as archive:
        records = {name: archive.read(name) for name in archive.namelist()}
    for i in range(1500):
        if i % 3:  # the pickle, with checksums that are right
            damaged = bytearray(records["kinds/data.pkl"])
            for _ in range(draw.randint(1, 3)):
                damaged[draw.randrange(len(damaged))] = draw.randrange(256)
            file = io.BytesIO()
            with zipfile.ZipFile(file, "w") as archive:
                for entry, data in records.items():
                    archive.writestr(entry, bytes(damaged) if entry.endswith("data.pkl") else data)
            file.seek(0)
        else:
            damaged = bytearray(start[i % 2])
            for _ in range(draw.randint(1, 3)):
                damaged[draw.randrange(len(damaged))] = draw.randrange(256)
            file = io.BytesIO(damaged)
        try:
            bp.io.load_pt(file)
        except bp.Error as e:
            refused += 1
            assert str(e).startswith("the file: ")
    assert refused > 500
