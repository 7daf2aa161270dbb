"""Type stubs: what an extension module has, for those who check programs that use it.

    class Index:                                  class Index:
        def __init__(self, text: str):                positions: dict[str, list[int]]
            self.positions = {}                       def __init__(self, text: str) -> None: ...
        def find(self, word: str):                    def find(self, word: str) -> list[int]: ...
            return self.positions[word]

The source, with the hints that it lacks, without bodies, and without what Python does not see.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

from rpython.annotator.program.classdef import ClassDef
from rpython.translator.extension.exports import Exports
from rpython.translator.extension.program import ExtensionTranslation
from rpython.translator.hints.patching import hinted_files, with_imports
from rpython.translator.hints.reading import Function
from rpython.translator.hints.writing import NoHint, Writer

_ELLIPSIS = ast.Expr(ast.Constant(...))
_BODY = re.compile(r":\n +\.\.\.$", re.MULTILINE)


def stub(translation: ExtensionTranslation, module: ModuleType) -> str:
    """The text of the stub of an annotated module."""
    filename = str(module.__file__)
    lines = hinted_files(translation.annotator).get(filename)
    if lines is None:
        with open(filename, encoding="utf-8") as file:
            lines = file.readlines()
    tree = ast.parse("".join(lines))
    writer = Writer(vars(module))
    classdefs = {cd.cls.__name__: cd for cd in translation.annotator.constants.classdefs
                 if cd.cls.__module__ == module.__name__}  # fmt: skip
    maker = _Maker(translation.public, classdefs, writer)
    made = ast.fix_missing_locations(ast.Module(maker.body(tree.body), []))
    text = _BODY.sub(": ...", ast.unparse(made)) + "\n"
    return "".join(with_imports(text.splitlines(keepends=True), writer.imports))


class _Maker:
    def __init__(self, public: Exports, classdefs: dict[str, ClassDef], writer: Writer) -> None:
        self._public = {
            *public.functions, *public.classes, *public.exceptions, *public.constants
        }  # fmt: skip
        self._constants = public.constants
        self._classdefs = classdefs
        self._writer = writer

    def body(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The statements of the stub, in the order of the module's."""
        wanted = set(self._public)
        while True:
            kept = [(each, self._kept(each, wanted)) for each in statements]
            made = [new for _, new in kept if new is not None]
            used = {node.id for new in made for node in ast.walk(new) if isinstance(node, ast.Name)}
            if used <= wanted:
                return made
            wanted |= used

    def _kept(self, node: ast.stmt, wanted: set[str]) -> ast.stmt | None:
        """What the stub has of a statement of the module, None for nothing."""
        if isinstance(node, ast.Import | ast.ImportFrom):
            return node
        if isinstance(node, Function):
            return _without_body(node) if node.name in wanted else None
        if isinstance(node, ast.ClassDef):
            return self._class(node) if node.name in wanted else None
        name = _assigned(node)
        if name in self._constants:
            return self._constant(node, name)
        return node if name in wanted and name not in self._public else None  # of hints: an alias

    def _constant(self, node: ast.stmt, name: str) -> ast.stmt:
        if isinstance(node, ast.AnnAssign):
            return ast.AnnAssign(node.target, node.annotation, None, 1)
        kind = type(ast.literal_eval(self._constants[name])).__name__
        return _declaration(name, "None" if kind == "NoneType" else kind)

    def _class(self, node: ast.ClassDef) -> ast.ClassDef:
        body: list[ast.stmt] = []
        for member in node.body:
            name = member.name if isinstance(member, Function) else _assigned(member)
            if _is_private(name):
                continue
            if isinstance(member, Function):
                body.append(_without_body(member))
            elif isinstance(member, ast.AnnAssign):
                value = None if member.value is None else ast.Constant(...)
                body.append(ast.AnnAssign(member.target, member.annotation, value, 1))
            elif isinstance(member, ast.Assign) and isinstance(member.value, ast.Constant):
                body.append(_declaration(name, type(member.value.value).__name__))
        named = {_name_in_class(member) for member in body}
        attributes = [each for each in self._attributes(node.name) if _assigned(each) not in named]
        return ast.ClassDef(
            node.name, node.bases, node.keywords, [*attributes, *body] or [_ELLIPSIS],
            node.decorator_list, **_type_parameters(node),
        )  # fmt: skip

    def _attributes(self, name: str) -> Iterator[ast.stmt]:
        """What methods assign."""
        classdef = self._classdefs.get(name)
        for attribute, attr in () if classdef is None else classdef.attrs.items():
            if _is_private(attribute) or not attr.origins or not attr.s_value.kinds:
                continue
            try:
                yield _declaration(attribute, self._writer.text(attr.s_value.without_const()))
            except NoHint:
                continue


def _type_parameters(node: ast.ClassDef) -> dict[str, Any]:
    """Those of ``class C[T]``, which CPython 3.12 and later have."""
    name = "type_params"
    return {name: getattr(node, name)} if name in node._fields else {}


def _without_body(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.FunctionDef:
    """The same function with "..." for its body and its defaults."""
    arguments = node.args
    arguments.defaults = [ast.Constant(...) for _ in arguments.defaults]
    arguments.kw_defaults = [default and ast.Constant(...) for default in arguments.kw_defaults]
    returns = node.returns
    if returns is None and node.name == "__init__":
        returns = ast.Constant(None)
    fields = {name: getattr(node, name) for name in node._fields}
    return ast.FunctionDef(**{**fields, "body": [_ELLIPSIS], "returns": returns})


def _declaration(name: str, hint: str) -> ast.AnnAssign:
    return ast.AnnAssign(ast.Name(name, ast.Store()), ast.parse(hint, mode="eval").body, None, 1)


def _assigned(node: ast.stmt) -> str:
    """The name that a statement assigns, "" for none or several."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    if len(targets) == 1 and isinstance(targets[0], ast.Name):
        return targets[0].id
    return ""


def _name_in_class(node: ast.stmt) -> str:
    return node.name if isinstance(node, Function) else _assigned(node)


def _is_private(name: str) -> bool:
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))
