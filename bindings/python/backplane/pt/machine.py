# SPDX-License-Identifier: Apache-2.0
"""The pickle machine for PyTorch files: those opcodes that such files have, over a closed list of names (names.py).

It is not Python's: that one imports what a file names and calls it. Here a name is found in the list or refused, what is called is a
Function of the list, and a file's text decides over nothing else. Each opcode takes time and memory in proportion to its bytes."""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from .names import Fault, Function, Names, is_plain, short

# The opcodes, with the form of what follows: a number by struct's format, bytes or text after a length in such a format, or nothing.
_OPCODES: dict[int, tuple[str, str]] = {
    pickle[0]: (name, form)
    for name, pickle, form in (
        ("proto", b"\x80", "B"), ("frame", b"\x95", "<Q"), ("stop", b".", ""), ("mark", b"(", ""), ("pop", b"0", ""),
        ("none", b"N", ""), ("newtrue", b"\x88", ""), ("newfalse", b"\x89", ""), ("binint", b"J", "<i"), ("binint1", b"K", "B"),
        ("binint2", b"M", "<H"), ("long1", b"\x8a", "int B"), ("long4", b"\x8b", "int <i"), ("binfloat", b"G", ">d"),
        ("binunicode", b"X", "text <I"), ("short_binunicode", b"\x8c", "text B"), ("binunicode8", b"\x8d", "text <Q"),
        ("binbytes", b"B", "bytes <I"), ("short_binbytes", b"C", "bytes B"), ("binbytes8", b"\x8e", "bytes <Q"),
        ("bytearray8", b"\x96", "bytearray <Q"), ("empty_list", b"]", ""), ("append", b"a", ""), ("appends", b"e", ""),
        ("empty_dict", b"}", ""), ("setitem", b"s", ""), ("setitems", b"u", ""), ("empty_set", b"\x8f", ""), ("additems", b"\x90", ""),
        ("empty_tuple", b")", ""), ("tuple1", b"\x85", ""), ("tuple2", b"\x86", ""), ("tuple3", b"\x87", ""), ("tuple", b"t", ""),
        ("binput", b"q", "B"), ("long_binput", b"r", "<I"), ("binget", b"h", "B"), ("long_binget", b"j", "<I"), ("memoize", b"\x94", ""),
        ("global", b"c", "lines"), ("stack_global", b"\x93", ""), ("reduce", b"R", ""), ("build", b"b", ""), ("binpersid", b"Q", ""),
    )
}  # fmt: skip
_PUSHED = {name for name, _ in _OPCODES.values() if name.startswith(("bin", "long", "short", "bytearray"))} - {
    "binput", "long_binput", "binget", "long_binget", "binpersid"}  # fmt: skip
_VALUES: dict[str, Any] = {"none": None, "newtrue": True, "newfalse": False}
_TUPLES = {"empty_tuple": 0, "tuple1": 1, "tuple2": 2, "tuple3": 3}
_LONGEST_NAME = 1000
_MARK = object()


class Machine:
    """Runs one pickle. persistent(id) makes what the file keeps outside of it."""

    def __init__(self, names: Names, persistent: Callable[[Any], Any]) -> None:
        self._names, self._persistent = names, persistent
        self._pickle, self._at = b"", 0
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}

    def run(self, pickle: bytes) -> Any:
        """Returns the object. Raises Fault, with the place, for whatever is wrong."""
        self._pickle, self._at = pickle, 0
        place = 0
        try:
            while True:
                place = self._at
                code = self._take(1)[0]
                if code not in _OPCODES:
                    raise Fault(f"the opcode {bytes([code])!r} is not among those of such a file")
                name, form = _OPCODES[code]
                arg = self._argument(form) if form else None
                if name == "stop":
                    return self._end()
                self._step(name, arg)
        except Fault as e:
            raise Fault(f"its pickle, at byte {place}: {e}") from None

    def _take(self, n: int) -> bytes:
        if n < 0 or self._at + n > len(self._pickle):
            raise Fault(f"{n} bytes should follow, and there are {len(self._pickle) - self._at}")
        self._at += n
        return self._pickle[self._at - n : self._at]

    def _argument(self, form: str) -> Any:
        if form == "lines":
            return f"{self._line()}.{self._line()}"
        kind, _, number = form.rpartition(" ")
        value = struct.unpack(number, self._take(struct.calcsize(number)))[0]
        if not kind:
            return value
        data = self._take(value)
        if kind == "int":
            return int.from_bytes(data, "little", signed=True)
        if kind == "text":
            return _text(data, "surrogatepass")
        return data if kind == "bytes" else bytearray(data)

    def _line(self) -> str:
        end = self._pickle.find(b"\n", self._at, self._at + _LONGEST_NAME)
        if end < 0:
            raise Fault("a name has no end")
        line = self._take(end + 1 - self._at)[:-1]
        return _text(line, "strict")

    def _end(self) -> Any:
        if len(self._stack) != 1 or self._stack[0] is _MARK:
            raise Fault(f"{len(self._stack)} objects are left at its end, where one belongs")
        return self._stack[0]

    def _pop(self) -> Any:
        if not self._stack or self._stack[-1] is _MARK:
            raise Fault("it takes an object that is not there")
        return self._stack.pop()

    def _top(self) -> Any:
        value = self._pop()
        self._stack.append(value)
        return value

    def _pop_to_mark(self) -> list[Any]:
        for i in range(len(self._stack) - 1, -1, -1):
            if self._stack[i] is _MARK:
                items = self._stack[i + 1 :]
                del self._stack[i:]
                return items
        raise Fault("it goes back to a mark that is not there")

    def _step(self, name: str, arg: Any) -> None:
        if name in _PUSHED:
            self._stack.append(arg)
        elif name in _VALUES:
            self._stack.append(_VALUES[name])
        elif name in _TUPLES:
            self._stack.append(tuple([self._pop() for _ in range(_TUPLES[name])][::-1]))
        elif name in ("binput", "long_binput"):
            self._memo[arg] = self._top()
        elif name == "memoize":
            self._memo[len(self._memo)] = self._top()
        elif name in ("binget", "long_binget"):
            if arg not in self._memo:
                raise Fault(f"it takes number {arg} from its memo, which has no such entry")
            self._stack.append(self._memo[arg])
        else:
            getattr(self, "_do_" + name)(arg)

    def _do_proto(self, version: int) -> None:
        if not 2 <= version <= 5:
            raise Fault(f"its protocol is {version}, and those from 2 to 5 are known")

    def _do_frame(self, _: Any) -> None:
        pass

    def _do_mark(self, _: Any) -> None:
        self._stack.append(_MARK)

    def _do_pop(self, _: Any) -> None:
        self._pop()

    def _do_empty_list(self, _: Any) -> None:
        self._stack.append([])

    def _do_empty_dict(self, _: Any) -> None:
        self._stack.append({})

    def _do_empty_set(self, _: Any) -> None:
        self._stack.append(set())

    def _do_tuple(self, _: Any) -> None:
        self._stack.append(tuple(self._pop_to_mark()))

    def _do_append(self, _: Any) -> None:
        item = self._pop()
        self._extend([item])

    def _do_appends(self, _: Any) -> None:
        self._extend(self._pop_to_mark())

    def _extend(self, items: list[Any]) -> None:
        to = self._top()
        if type(to) is not list:
            raise Fault(f"it appends to {short(to)}, where a list belongs")
        to.extend(items)

    def _do_additems(self, _: Any) -> None:
        items = self._pop_to_mark()
        to = self._top()
        if type(to) is not set or not all(map(is_plain, items)):
            raise Fault(f"it adds to {short(to)}, where a set and plain values belong")
        to.update(items)

    def _do_setitem(self, _: Any) -> None:
        value, key = self._pop(), self._pop()
        self._update([key, value])

    def _do_setitems(self, _: Any) -> None:
        self._update(self._pop_to_mark())

    def _update(self, items: list[Any]) -> None:
        to = self._top()
        if type(to) not in (dict, OrderedDict) or len(items) % 2:
            raise Fault(f"it sets {len(items)} keys and values of {short(to)}, where pairs and a dict belong")
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not is_plain(key):
                raise Fault(f"a key of a dict is {short(key)}, where a number, a text or a flat tuple of them belongs")
            to[key] = value

    def _do_global(self, arg: str) -> None:
        self._stack.append(self._names.find(arg))

    def _do_stack_global(self, _: Any) -> None:
        name, module = self._pop(), self._pop()
        if not isinstance(name, str) or not isinstance(module, str):
            raise Fault(f"a name is {short(module)} and {short(name)}, where two texts belong")
        self._stack.append(self._names.find(f"{module}.{name}"))

    def _do_reduce(self, _: Any) -> None:
        args, function = self._pop(), self._pop()
        if not isinstance(function, Function) or type(args) is not tuple:
            raise Fault(f"it calls {short(function)} with {short(args)}, where a function of the list and a tuple belong")
        if not function.fewest <= len(args) <= function.most:
            raise Fault(f"it calls {function.name} with {len(args)} arguments")
        self._stack.append(function.call(*args))

    def _do_build(self, _: Any) -> None:
        state = self._pop()
        to = self._top()
        if type(to) is not OrderedDict or not isinstance(state, dict) or set(state) - {"_metadata"}:
            raise Fault(f"it gives {short(to)} the state {short(state)}, where an OrderedDict and its _metadata belong")
        vars(to).update(state)

    def _do_binpersid(self, _: Any) -> None:
        self._stack.append(self._persistent(self._pop()))


def _text(data: bytes, errors: str) -> str:
    try:
        return data.decode("utf-8", errors)
    except UnicodeDecodeError as e:
        raise Fault(f"a text is not UTF-8: {e}") from None
