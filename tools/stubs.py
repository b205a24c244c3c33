#!/usr/bin/env python
# SPDX-License-Identifier: Apache-2.0
"""stubs.py: prints what type checkers and editors know of names that are made at run time.

    PYTHONPATH=build/release/python build/python/bin/python tools/stubs.py [--check]

Layers, optimisers, schedules and PyTorch's names come from the library's lists when the package is imported. This program
imports it, and prints a .pyi beside each module that has such names; ops.pyi, which tools/opgen prints from the op table, says
what the ops take. A module's own text is left as it is, without the bodies of its functions. With --check it says which files
differ and then exits with 1. `./dev print` runs it, and tests/python/stubs_test.py fails on drift."""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import importlib
import inspect
import pathlib
import re
import sys
import textwrap
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any

import backplane as bp
import backplane.torch  # its stubs are printed too
from backplane import _core, lr_scheduler, nn, optim
from backplane.keywords import NUMPYS, PYTORCHS

HERE = pathlib.Path(__file__).parents[1] / "bindings/python"
HEAD = """# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` (tools/stubs.py); do not edit.
"""
KINDS = {1: "int", 2: "float", 3: "bool", 4: "int | Sequence[int]", 5: "DType", 6: "str"}  # BP_ATTR_*
BUILTINS = {name for name in vars(builtins) if isinstance(getattr(builtins, name), type)}
OPS = ast.parse((HERE / "backplane/ops.pyi").read_text())
FUNCTIONS = {node.name: node for node in OPS.body if isinstance(node, ast.FunctionDef)}
METHODS = {node.name: node for body in OPS.body if isinstance(body, ast.ClassDef) for node in body.body
           if isinstance(node, ast.FunctionDef)}  # fmt: skip


class Stub:
    """The text of one .pyi. It imports what the annotations in it name."""

    def __init__(self, module: str, shadowed: set[str] | None = None) -> None:
        self.module, self.package = module, importlib.import_module(module).__package__
        self.shadowed = shadowed or set()  # the builtin types whose names mean something else here
        self.imports: set[tuple[str, str, str]] = set()  # (module, name, as)
        self.lines: list[str] = []
        self.aliases: dict[str, str] = {}

    def relative(self, module: str) -> str:
        """The module as an import in this stub names it."""
        if not module.startswith("backplane"):
            return module
        here, there = self.package.split("."), module.split(".")
        common = 0
        while common < min(len(here), len(there)) and here[common] == there[common]:
            common += 1
        return "." * (len(here) - common + 1) + ".".join(there[common:])

    def take(self, module: str, name: str, as_name: str = "") -> None:
        self.imports.add((self.relative(module), name, as_name))

    def parameter(self, text: str, scope: dict[str, Any], own: set[str]) -> str:
        """What a function takes: where PyTorch's Tensor is meant by the name, backplane's will do as well."""
        said = self.annotation(text, scope, own)
        if self.module.startswith("backplane.torch") and re.search(r"\bTensor\b", said):
            self.take("backplane.tensor", "Tensor", "_Base")
            said = re.sub(r"\bTensor\b", "_Base", said)
        return said

    def annotation(self, text: str, scope: dict[str, Any], own: set[str] = frozenset()) -> str:  # type: ignore[assignment]
        """The annotation as it is valid here. scope is where its names were valid, own has what the class around it shadows."""
        tree = ast.parse(text.replace("\n", " ").strip(), mode="eval")
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                node.id = self.name(node.id, scope, own)
        return re.sub(r"builtins\.(\w+)", lambda m: m[0] if m[1] in self.shadowed | own else m[1], ast.unparse(tree))

    def name(self, name: str, scope: dict[str, Any], own: set[str]) -> str:
        if name in ("None", "True", "False"):
            return name
        if name == "builtins" or (name in BUILTINS and name not in scope):
            self.imports.add(("", "builtins", ""))
            return name if name == "builtins" else f"builtins.{name}"
        if name == "_Base":  # backplane's Tensor, where a class of PyTorch's has its name
            return "Tensor"
        if name in ("Self", "Tensor", "Parameter") or scope.get(name) is inspect.Parameter.empty:
            return name
        value = scope.get(name)
        if isinstance(value, type) and value.__module__ == self.module:
            return name
        if isinstance(value, types.ModuleType):
            package, _, last = value.__name__.rpartition(".")
            self.take(package, last, "" if last == name else name)
        elif hasattr(typing, name) and getattr(value, "__module__", "typing") == "typing":
            self.take("typing", name)
        elif hasattr(bp._types, name):
            self.take("backplane._types", name)
        elif isinstance(value, type) and "." in value.__module__:
            self.take(value.__module__, name)
        elif name in (homes := homes_of(sys.modules[scope["__name__"]])):
            self.take(homes[name][0], name)
        elif scope["__name__"] == self.module:  # an alias, which the stub has to have too
            source = ast.parse(pathlib.Path(scope["__file__"]).read_text())
            (alias,) = (n.value for n in source.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == name)
            self.aliases[name] = self.annotation(ast.unparse(alias), scope)
        else:
            self.take(scope["__name__"], name)
        return name

    def text(self) -> str:
        froms: dict[str, list[str]] = {}
        kept = {(module, name) for module, name, as_name in self.imports if as_name == name}
        for module, name, as_name in sorted(self.imports):
            if not as_name and (module, name) in kept:
                continue
            froms.setdefault(module, []).append(f"{name} as {as_name}" if as_name else name)
        body = "\n".join([*(f"{name} = {alias}" for name, alias in self.aliases.items()), *self.lines])
        if "builtins." not in body:
            froms.pop("", None)
        lines = [f"import {name}" for name in froms.pop("", [])]
        for module, names in sorted(froms.items(), key=lambda entry: (entry[0][0] == ".", entry[0])):
            line = f"from {module} import {', '.join(names)}"
            listed = textwrap.fill(", ".join(names), 130, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
            lines.append(line if len(line) <= 130 else f"from {module} import (\n{listed},\n)")
        return HEAD + "\n".join(lines) + "\n\n" + body.strip() + "\n"

    # ---- functions ---------------------------------------------------------------------------------------------------

    def function(self, name: str, f: Any, *, method: str = "", own: set[str] = frozenset()) -> None:  # type: ignore[assignment]
        """Adds the function, or the method of a class whose `self` is called so."""
        pad = "    " if method else ""
        parameters, result = self.signature(f, method, own)
        self.lines.append(f"{pad}def {name}({parameters}) -> {result}: ...")

    def signature(self, f: Any, method: str = "", own: set[str] = frozenset()) -> tuple[str, str]:  # type: ignore[assignment]
        if isinstance(f, _core.Op):
            return self.of_op(f, method, own)
        inner = inspect.unwrap(f)
        scope = inner.__globals__
        signature = inspect.signature(inner)
        given = list(signature.parameters.values())
        for outer in outers(f):  # what wrappers take beside
            if isinstance(outer, _core.Function):
                at = {p.name: p for p in given}
                extra = [at[old].replace(name=new, kind=at[old].KEYWORD_ONLY, default=...) for old, new in
                          [*PYTORCHS.items(), *NUMPYS.items()] if old in at and new in outer.__signature__.parameters and new not in at]
                needed = max((i for i, p in enumerate(given) if p.default is p.empty), default=-1)
                given = [p.replace(default=...) if p.name in ("dim", "keepdim") and i >= needed else p for i, p in enumerate(given)]
            else:
                extra = [p for p in inspect.signature(outer, follow_wrapped=False).parameters.values() if p.kind is p.KEYWORD_ONLY]
            given = [p for p in given if p.kind is not p.VAR_KEYWORD] + [p for p in extra if p.name not in {g.name for g in given}]
        parts, star = [], False
        for i, p in enumerate(given):
            if p.kind is p.KEYWORD_ONLY and not star:
                star = True
                if not any(q.kind is q.VAR_POSITIONAL for q in given):
                    parts.append("*")
            text = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + (method if method and i == 0 else p.name)
            if not (method and i == 0):
                of_wrapper = type(p.default).__name__ if isinstance(p.default, bool) else "Any"  # functools.wraps took its annotation
                text += ": " + self.parameter(p.annotation if isinstance(p.annotation, str) else of_wrapper, scope, own)
                if p.default is not p.empty:
                    text += f" = {default_text(p.default)}"
            parts.append(text)
            if p.kind is p.POSITIONAL_ONLY and (i + 1 == len(given) or given[i + 1].kind is not p.POSITIONAL_ONLY):
                parts.append("/")
        result = signature.return_annotation
        return ", ".join(parts), self.annotation(result if isinstance(result, str) else "Any", scope, own)

    def of_op(self, op: Any, method: str, own: set[str]) -> tuple[str, str]:
        """What ops.pyi says of the op; a renamed one has names of its own for operands, which have positions only."""
        row = FUNCTIONS[ROWS[op.id]]
        scope = {**vars(typing), "__name__": "backplane.ops"}
        args, defaults = row.args.args, row.args.defaults
        first = len(args) - len(defaults)
        parts = []
        for i, a in enumerate(args):
            operand = i < len(op.inputs)
            name = op.inputs[i] if operand else a.arg
            text = method if method and i == 0 else f"{name}: {self.parameter(ast.unparse(a.annotation), scope, own)}"  # type: ignore[arg-type]
            parts.append(text + (" = ..." if i >= first else ""))
            if i + 1 == len(op.inputs) and "/" in (op.__text_signature__ or ""):
                parts.append("/")
        if row.args.kwonlyargs:
            parts.append("*")
        parts += [f"{a.arg}: {self.parameter(ast.unparse(a.annotation), scope, own)} = ..." for a in row.args.kwonlyargs]  # type: ignore[arg-type]
        return ", ".join(parts), self.annotation(ast.unparse(row.returns), scope, own)  # type: ignore[arg-type]


ROWS = {op.id: op.__name__ for op in _core.ops()}


def outers(f: Any) -> Iterator[Any]:
    while hasattr(f, "__wrapped__"):
        yield f
        f = f.__wrapped__


def default_text(value: Any) -> str:
    return repr(value) if value is None or isinstance(value, (bool, int, str)) or (isinstance(value, float) and value == value) else "..."


def doc_lines(doc: str | None, pad: str) -> list[str]:
    text = inspect.cleandoc(doc or "").replace("\\", "\\\\")
    return textwrap.indent(f'"""{text}"""', pad).splitlines() if text else []


def public(module: Any) -> list[str]:
    return [name for name in vars(module) if not name.startswith("_")]


# ---- a module's own text ---------------------------------------------------------------------------------------------


def without_bodies(source: str, replaced: dict[str, str]) -> str:
    """The source without what functions do and without what is private to it. replaced has the text of __init__ by class."""
    tree = ast.parse(source)
    kept: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.If) or (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)):
            continue
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_"):
            continue
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and re.search(r"_core\.|^_IGNORED", ast.unparse(node)):
            continue
        kept.append(node)
    tree.body = kept
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            node.keywords = []
            node.body = [b for b in node.body if not (isinstance(b, ast.FunctionDef) and b.name == "__init_subclass__")]
            if node.name in replaced:
                node.body = [*ast.parse(replaced[node.name]).body]
        elif isinstance(node, ast.FunctionDef):
            node.body, node.decorator_list = [ast.Expr(ast.Constant(...))], [d for d in node.decorator_list if "plainly" not in ast.dump(d)]
    for node in kept:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            text = "\n".join(ast.unparse(other) for other in kept if not isinstance(other, (ast.Import, ast.ImportFrom)))
            node.names = [alias for alias in node.names if re.search(rf"\b{alias.asname or alias.name}\b", text)]
    tree.body = [node for node in kept if not (isinstance(node, (ast.Import, ast.ImportFrom)) and not node.names)]
    return ast.unparse(tree)


def self_attributes(cls: Any, source: str) -> list[str]:
    """The annotated attributes that the class's __init__ sets."""
    (found,) = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef) and node.name == cls.__name__)
    return [f"    {node.target.attr}: {ast.unparse(node.annotation)}" for node in ast.walk(found) if isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Attribute) and not node.target.attr.startswith("_")]


# ---- optimisers and schedules ----------------------------------------------------------------------------------------


def constructor(cls: Any, kinds: dict[str, str], first: str) -> str:
    """__init__ as the signature that the class was given says it."""
    parts = ["self"]
    star = False
    for p in list(inspect.signature(cls.__init__).parameters.values())[1:]:
        if p.kind is p.KEYWORD_ONLY and not star:
            star = True
            parts.append("*")
        default = "" if p.default is p.empty else f" = {default_text(p.default) if not isinstance(p.default, tuple) else p.default}"
        parts.append(f"{p.name}: {kinds.get(p.name, first)}{default}")
    return f"    def __init__({', '.join(parts)}) -> None: ..."


def print_optim() -> str:
    source = (HERE / "backplane/optim.py").read_text()
    text = without_bodies(source, {})
    text = text.replace("    defaults: dict", "\n".join([*self_attributes(optim.Optimizer, source), "    defaults: dict"]))
    lines = ["", "CLASSES: dict[str, type[Optimizer]]"]
    for name, (_, attrs, _) in _core.optimizer_kinds().items():
        kinds = {attr: KINDS[kind] for attr, kind, *_ in attrs}
        kinds.update(betas="tuple[float, float]", foreach="bool | None", fused="bool | None", capturable="bool", differentiable="bool")
        cls = getattr(optim, name)
        lines += ["", f"class {name}(Optimizer):", *doc_lines(cls.__doc__, "    "), constructor(cls, kinds, "Iterable[Any]")]
    names = ", ".join(f'"{name}"' for name in optim.__all__)
    text = re.sub(r"__all__ = .*", f"__all__ = [{names}]", text)
    return HEAD + ruled(text) + "\n" + "\n".join(lines) + "\n"


def print_schedules() -> str:
    replaced = {}
    of = {cls._class_kind: cls for cls in lr_scheduler._OfKind.__subclasses__()}
    for kind, cls in of.items():
        _, attrs = _core.schedule_kinds()[kind]
        kinds = {name: "Sequence[int]" if which == 4 else KINDS[which] for name, which, *_ in attrs} | {"last_epoch": "int"}
        replaced[cls.__name__] = textwrap.dedent("\n".join([*doc_lines(cls.__doc__, "    "), constructor(cls, kinds, "Any")]))
    return HEAD + ruled(without_bodies((HERE / "backplane/lr_scheduler.py").read_text(), replaced)) + "\n"


def ruled(text: str) -> str:
    """The text of ast.unparse with a function's body on its line, and without the module's docstring."""
    text = re.sub(r":\n\s+\.\.\.$", ": ...", text, flags=re.M)
    text = re.sub(r'^""".*?"""\n', "", text, flags=re.S)
    return re.sub(r"^from __future__ .*\n", "", text, flags=re.M)


# ---- layers ----------------------------------------------------------------------------------------------------------


def sample(cls: Any) -> Any:
    """A layer of the kind, whose required attributes are all 4."""
    return cls(**{name: [4] if name == "unflattened_size" else 4 for name, _, _, required, _ in cls._attrs if required})


def attribute_type(value: Any) -> str:
    if isinstance(value, tuple):
        return "tuple[int, ...]"
    return "Any" if value is None else type(value).__name__


def layer(stub: Stub, cls: Any, bases: str, inputs: tuple[int, int, int]) -> None:
    lines = [f"class {cls.__name__}({bases}):", *doc_lines(cls.__doc__, "    ")]
    made = sample(cls)
    plain = [name for name, *_ in cls._attrs if name in made.__dict__ and name not in {**made._parameters, **made._buffers}]
    lines += [f"    {name}: {'Any' if value is None else 'Parameter'}" for name, value in made._parameters.items()]
    lines += [f"    {name}: {'Any' if value is None else 'Tensor'}" for name, value in made._buffers.items()]
    lines += [f"    {name}: {attribute_type(made.__dict__[name])}" for name in plain]
    parts = ["self"]
    kinds = {name: KINDS[kind] for name, kind, *_ in cls._attrs}
    kinds |= dict.fromkeys(cls._buffer_arguments, "Tensor | None") | {"device": "Device | None", "dtype": "DType | None"}
    if "padding_mode" in kinds:  # 'same' and 'valid' are taken too
        kinds["padding"] += " | str"
        lines = [line.replace("padding: tuple[int, ...]", "padding: tuple[int, ...] | str") for line in lines]
    kinds |= {name: kinds[name] + " | None" for name, kind, *_ in cls._attrs if kind == 2}
    optional = {name for name, kind, default, _, _ in cls._attrs if kind != 4 and default != default}  # NaN, which is None
    for i, p in enumerate(ps := list(cls.__init_signature__.parameters.values())):
        if p.kind is p.KEYWORD_ONLY and (i == 0 or ps[i - 1].kind is not p.KEYWORD_ONLY):
            parts.append("*")
        none = p.name in optional or p.default is None
        default = "" if p.default is p.empty else f" = {'None' if none else default_text(p.default)}"
        parts.append(f"{p.name}: {kinds[p.name]}{' | None' if none and 'None' not in kinds[p.name] else ''}{default}")
    lines.append(f"    def __init__({', '.join(parts)}) -> None: ...")
    stub.lines += ["", *lines]
    for name in ("forward", "__call__"):
        if cls.forward is nn.Module.forward:
            low, high, n_out = inputs
            arguments = [f"input{i or ''}: Tensor" + (" | None = None" if i >= low else "") for i in range(high)]
            stub.lines.append(f"    def {name}(self, {', '.join(arguments)}, /) -> {'Tensor' if n_out == 1 else 'Any'}: ...")
        else:
            f = cls.forward
            while f.__globals__["__name__"] == "backplane.nn.kinds" and f.__qualname__.startswith("Lazy"):
                f = nn.Module.forward
            if f is nn.Module.forward:
                stub.lines.append(f"    def {name}(self, input: Tensor, /) -> Tensor: ...")
            else:
                stub.function(name, f, method="self")
    if hasattr(cls, "from_pretrained"):
        arguments = "embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None"
        stub.lines += ["    @classmethod", f"    def from_pretrained(cls, {arguments}) -> Self: ..."]


def layers(stub: Stub, module: Any, bases: Callable[[str], str]) -> None:
    stub.take("collections.abc", "Sequence")
    stub.take("typing", "Any")
    for name in ("Device", "DType"):
        stub.take("backplane._types", name)
    stub.take("typing_extensions", "Self")
    for _, title, _, _, *inputs in _core.module_kinds():
        cls = getattr(module, title)
        if hasattr(cls, "__init_signature__"):
            layer(stub, cls, bases(title), tuple(inputs))  # type: ignore[arg-type]


def print_nn() -> str:
    stub = Stub("backplane.nn")
    gathered(stub, nn, lambda name, value: isinstance(value, type) and hasattr(value, "__init_signature__"))
    stub.take("backplane.tensor", "Tensor")
    layers(stub, nn, lambda title: "BuiltIn")
    return stub.text()


def print_torch_nn() -> str:
    module = importlib.import_module("backplane.torch.nn")
    stub = Stub("backplane.torch.nn")
    gathered(stub, module, lambda name, value: isinstance(value, type) and value.__module__ == "backplane.torch.nn"
             and name not in ("Module", "Parameter", "UninitializedParameter"))
    stub.take("backplane.torch", "Tensor")
    stub.take("backplane", "nn", "_nn")
    for name in ("Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "TransformerEncoder", "Upsample",
                 "UpsamplingBilinear2d", "UpsamplingNearest2d"):
        stub.lines += ["", f"class {name}(Module, _nn.{name}):", *doc_lines(getattr(nn, name).__doc__, "    ")]
        inits = re.sub("(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(getattr(nn, name).__init__)))  # annotations are texts
        stub.lines.append(f"    def __init__{inits}: ...")
    layers(stub, module, lambda title: f"Module, _nn.{title}")
    return stub.text()


# ---- gathered names --------------------------------------------------------------------------------------------------


@functools.cache
def homes_of(module: Any) -> dict[str, tuple[str, str]]:
    """The module and the name there of each name that the module imports."""
    tree = ast.parse(pathlib.Path(inspect.getsourcefile(module)).read_text())  # type: ignore[arg-type]
    homes: dict[str, tuple[str, str]] = {}
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom) or node.module == "__future__":
            continue
        base = ".".join(module.__package__.split(".")[: len(module.__package__.split(".")) - node.level + 1]) if node.level else ""
        source = ".".join(part for part in (base, node.module or "") if part)
        for alias in node.names:
            if alias.name == "*":
                homes.update({name: (source, name) for name in exported(importlib.import_module(source))})
            else:
                homes[alias.asname or alias.name] = (source, alias.name)
    return homes


def gathered(stub: Stub, module: Any, left_out: Callable[[str, Any], bool]) -> None:
    """Adds an import, under its own name, of each public name of the module that has another module for its home."""
    homes = dict(homes_of(module))
    for name in public(module):
        value = getattr(module, name)
        if name not in homes and isinstance(value, types.ModuleType) and value.__name__ == f"{module.__name__}.{name}" \
                and not isinstance(value, type(bp.cpu)):
            homes[name] = (module.__name__, name)
        if name in homes and homes[name][0].startswith(("backplane", "math")) and not left_out(name, value):
            stub.take(*homes[name], name)


def exported(module: Any) -> list[str]:
    return list(getattr(module, "__all__", public(module)))


def print_package() -> str:
    stub = Stub("backplane")
    gathered(stub, bp, lambda name, value: False)
    stub.take("backplane.standard", "__array_namespace_info__", "__array_namespace_info__")
    taken = {as_name for _, _, as_name in stub.imports}
    for name in bp.ops.__all__:
        if name not in taken:
            stub.take("backplane.ops", name, name)
    stub.take("typing", "Any")
    stub.take("backplane.kinds", "KindModule")
    stub.lines += ["", *(f"{name}: KindModule" for name in ("cpu", "cuda", "hip", "sim")), "__version__: str"]
    stub.lines += ["__array_api_version__: str", "", "# Modules of other kinds of devices, and ops that a program registers."]
    stub.lines.append("def __getattr__(name: str) -> Any: ...")
    return stub.text()


def print_elementwise() -> str:
    module = importlib.import_module("backplane.standard.elementwise")
    stub = Stub("backplane.standard.elementwise")
    stub.take("backplane.tensor", "Tensor")
    stub.lines.append("__all__: list[str] = [" + ", ".join(f'"{name}"' for name in module.__all__) + "]")
    for name in module.__all__:
        stub.function(name, getattr(module, name))
    return stub.text()


def with_other_keywords(node: ast.FunctionDef) -> list[ast.FunctionDef]:
    """The function with PyTorch's keywords beside NumPy's; where one of the two must be given, a function for either."""
    arguments = node.args
    names = [a.arg for a in ast.walk(arguments) if isinstance(a, ast.arg)]
    either = []
    for a in [*arguments.args, *arguments.kwonlyargs]:
        other = NUMPYS.get(a.arg)
        if other is None or other in names:
            continue
        said = ast.arg(other, a.annotation)
        if a in arguments.args and arguments.args.index(a) < len(arguments.args) - len(arguments.defaults):
            second = copy.deepcopy(node)
            second.args.args = [b for b in second.args.args if b.arg != a.arg]
            second.args.kwonlyargs.append(said)
            second.args.kw_defaults.append(None)
            either.append(second)
        else:
            for f in (node, *either):
                f.args.kwonlyargs.append(said)
                f.args.kw_defaults.append(ast.Constant(...))
    for f in either and (node, *either):
        f.decorator_list = [ast.Name("overload")]
    return [node, *either]


def print_both_names(module_name: str) -> str:
    """A module of NumPy's names as it stands, and in its functions PyTorch's keywords too."""
    module = importlib.import_module(module_name)
    tree = ast.parse(without_bodies(pathlib.Path(str(module.__file__)).read_text(), {}))
    body: list[ast.stmt] = []
    for node in tree.body:
        both = isinstance(node, ast.FunctionDef) and isinstance(getattr(module, node.name), _core.Function)
        body += with_other_keywords(node) if both else [node]  # type: ignore[arg-type]
    if "Name(id='overload'" in ast.dump(ast.Module(body, [])):
        body.insert(2, ast.parse("from typing import overload").body[0])
    return HEAD + ruled(ast.unparse(ast.Module(body, []))) + "\n"


# ---- PyTorch's names -------------------------------------------------------------------------------------------------


def print_functions(module_name: str) -> str:
    """A module of PyTorch's names: its functions with PyTorch's Tensor for what they take and give."""
    module = importlib.import_module(module_name)
    stub = Stub(module_name, {name for name in public(module) if name in BUILTINS})
    stub.take("backplane.torch", "Tensor")
    names = exported(module)
    if hasattr(module, "__all__"):
        stub.lines.append("__all__: list[str] = [" + ", ".join(f'"{name}"' for name in names) + "]")
    for name in names:
        value = getattr(module, name)
        if inspect.isfunction(value) or isinstance(value, (_core.Op, _core.Function)):
            stub.function(name, value)
        elif name in homes_of(module) and name != "Tensor":
            stub.take(*homes_of(module)[name], name)
    return stub.text()


OPERATORS = [f"__{side}{name}__" for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor")
             for side in ("", "r", "i")] + [f"__{name}__" for name in ("matmul", "eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs",
                                                                        "invert", "getitem")]  # fmt: skip


def torch_class(stub: Stub) -> None:
    cls = backplane.torch.Tensor
    own = {name for name in dir(cls) if name in BUILTINS}
    core = ast.parse((HERE / "backplane/_core.pyi").read_text())
    (of_base,) = (node for node in core.body if isinstance(node, ast.ClassDef) and node.name == "TensorBase")
    base = {node.name: node for node in of_base.body if isinstance(node, ast.FunctionDef)}
    stub.take("backplane.tensor", "Tensor", "_Base")
    stub.lines += ["", "class Tensor(_Base):", *doc_lines(cls.__doc__, "    "),
                   "    def __new__(cls, *data: Any, device: Device | None = None) -> Tensor: ..."]
    for name in OPERATORS:
        operand = "key: Any" if name == "__getitem__" else f"other: {'_Base' if name == '__matmul__' else 'Operand'}"
        if len(base[name].args.args) == 1:
            operand = ""
        stub.lines.append(f"    def {name}(self{', ' if operand else ''}{operand}) -> Tensor: ...")
    stub.lines.append("    def __iter__(self) -> Iterator[Tensor]: ...")
    written = {name for c in cls.__mro__ if c.__module__.startswith("backplane.torch") for name in vars(c)}
    for name in (n for n in dir(cls) if not n.startswith("_")):
        value = inspect.getattr_static(cls, name)
        if isinstance(value, property):
            scope = value.fget.__globals__  # type: ignore[union-attr]
            result = stub.annotation(inspect.signature(value.fget).return_annotation, scope, own)  # type: ignore[arg-type]
            if "Tensor" in result or name in written:
                stub.lines += ["    @property", f"    def {name}(self) -> {result}: ..."]
                if value.fset:
                    stub.lines += [f"    @{name}.setter", f"    def {name}(self, value: Any) -> None: ..."]
        elif isinstance(value, (_core.Op, _core.Function)) or inspect.isfunction(value):
            in_place = (isinstance(value, types.FunctionType) and value.__module__ == "backplane.ops"
                        and value.__qualname__ == name == f"{name[:-1]}_" and name[:-1] in METHODS)
            op = inspect.getattr_static(bp.ops.OpMethods, name[:-1]) if in_place else value
            overloads = typing.get_overloads(inspect.unwrap(op)) if not isinstance(op, _core.Op) else []
            for overload in overloads:
                stub.take("typing", "overload")
                stub.lines.append("    @overload")
                stub.function(name, overload, method="self", own=own)
            if overloads:
                continue
            parameters, result = stub.signature(op, "self", own)
            if in_place:
                parameters = re.sub(r"(, \*)?, out: [^,]*$", "", parameters)
            if "Tensor" in result or name in written:
                stub.lines.append(f"    def {name}({parameters}) -> {result}: ...")


def print_torch() -> str:
    module = backplane.torch
    shadowed = {name for name in public(module) if name in BUILTINS}
    stub = Stub("backplane.torch", shadowed)
    callables = (types.FunctionType, _core.Op, _core.Function)
    defined = {name: value for name in public(module) if isinstance(value := getattr(module, name), callables)}
    homes = ("backplane.autograd", "backplane.dtypes", "backplane.random", "backplane.printing", "backplane.accelerator")
    kept = {name for name, value in defined.items() if getattr(value, "__module__", "") in homes}
    gathered(stub, module, lambda name, value: (name in defined and name not in kept) or name == "Tensor")
    for name in ("Any", "Iterator"):
        stub.take("typing" if name == "Any" else "collections.abc", name)
    for name in ("Device", "Operand"):
        stub.take("backplane._types", name)
    stub.take("backplane.kinds", "KindModule")
    stub.take("backplane.dtypes", "dtype", "dtype")
    plain = ("half", "float", "double", "cfloat", "cdouble", "short", "int", "long")
    stub.lines += [f"{name}: dtype" for name in plain] + [f"{name}: KindModule" for name in ("cpu", "cuda", "hip", "sim")]
    torch_class(stub)
    stub.lines.append("")
    for name, value in defined.items():
        if name in kept or name.startswith("_"):
            continue
        if value.__module__.endswith("legacy") and hasattr(value, "kind"):
            stub.lines.append(f"def {name}(*data: Any) -> Tensor: ...")
        else:
            stub.function(name, value)
    stub.lines += ["__version__: str", "# Modules of other kinds of devices.", "def __getattr__(name: str) -> Any: ..."]
    return stub.text()


def print_gathering(name: str) -> str:
    module = importlib.import_module(name)
    stub = Stub(name)
    gathered(stub, module, lambda *_: False)
    if name == "backplane.torch.optim":
        for title in optim.CLASSES:
            stub.take("backplane.optim", title, title)
    return stub.text()


PRINTS: dict[str, Callable[[], str]] = {
    "__init__.pyi": print_package,
    "standard/elementwise.pyi": print_elementwise,
    **{f"{name}.pyi": functools.partial(print_both_names, "backplane." + name.replace("/", "."))
       for name in ("standard/statistics", "standard/searching", "standard/manipulation", "standard/linear_algebra", "fft", "linalg")},
    "optim.pyi": print_optim,
    "lr_scheduler.pyi": print_schedules,
    "nn/__init__.pyi": print_nn,
    "torch/__init__.pyi": print_torch,
    "torch/nn/__init__.pyi": print_torch_nn,
    "torch/nn/functional.pyi": lambda: print_functions("backplane.torch.nn.functional"),
    "torch/linalg.pyi": lambda: print_functions("backplane.torch.linalg"),
    "torch/fft.pyi": lambda: print_functions("backplane.torch.fft"),
    "torch/optim/__init__.pyi": lambda: print_gathering("backplane.torch.optim"),
    "torch/utils/__init__.pyi": lambda: print_gathering("backplane.torch.utils"),
    "torch/distributed/__init__.pyi": lambda: print_gathering("backplane.torch.distributed"),
    "torch/nn/parallel/__init__.pyi": lambda: print_gathering("backplane.torch.nn.parallel"),
    "torch/autograd.pyi": lambda: print_gathering("backplane.torch.autograd"),
}


def main() -> int:
    drift = 0
    for path, text in PRINTS.items():
        file, new = HERE / "backplane" / path, text()
        if file.exists() and file.read_text() == new:
            continue
        if "--check" in sys.argv:
            print(f"bindings/python/backplane/{path} differs from what is made at run time; run ./dev print", file=sys.stderr)
            drift = 1
        else:
            file.write_text(new)
            print(f"printed bindings/python/backplane/{path}")
    return drift


if __name__ == "__main__":
    sys.exit(main())
