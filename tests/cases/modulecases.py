"""``module`` sections: code that uses a module, with its source and as an extension module."""

import importlib.util
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from caseformat import Case, rewrite_section
from casesource import CaseFailure, normalise

from rpython.backend_c.headers import extension_suffix
from rpython.backend_c.modulebuild import build_module
from rpython.backend_c.options import BuildOptions
from rpython.translator.extension.program import translate_module
from rpython.translator.ir.errors import TranslationError
from rpython.translator.options import Options

_ARROW = " -> "
_NATIVE = "native "


def run_module(case: Case, rewrite: bool) -> None:
    """``module``: every line must end in the same way with the source and with the extension module
    that is built from it, or as it says after ``-> native``; with ``error``, the module must be
    refused with that message."""
    name = f"case_{case.path.stem}_{case.line}"
    gc = os.environ.get("RPYTHON_CASES_GC", Options().gc)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.py"
        path.write_text(case.need("source").body + "\n")
        source = _load(path, name)
        try:
            with _imported(source):
                program, extension = translate_module(source, Options(gc=gc))
        except TranslationError as error:
            if case.get("error") is None:
                raise
            _compare_error(case, _named(normalise(error.render_all()), path), rewrite)
            return
        if case.get("error") is not None:
            raise CaseFailure("the module was expected to be refused, but it was built")
        sanitizers = os.environ.get("RPYTHON_CASES_SANITIZE", "")
        options = BuildOptions(
            optimise=os.environ.get("RPYTHON_CASES_OPTIMISE", "-O0"), gc=gc,
            sanitize=tuple(filter(None, sanitizers.split(","))),
        )  # fmt: skip
        built = build_module(program, extension, path.with_suffix(extension_suffix()), options)
        _compare(case, source, _load(built.path, name), rewrite)


def _load(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with _imported(module):
        spec.loader.exec_module(module)
    return module


@contextmanager
def _imported(module: ModuleType) -> Iterator[None]:
    """The module is the one of its name: hints, pickles and the like are looked up there."""
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        del sys.modules[module.__name__]


def _named(text: str, path: Path) -> str:
    return text.replace(str(path), "case.py").replace(path.stem, "case")


def _compare_error(case: Case, got: str, rewrite: bool) -> None:
    section = case.need("error")
    if section.body == got:
        return
    if not rewrite:
        raise CaseFailure(f"error:\n{section.body}\nbut got:\n{got}")
    rewrite_section(case, "error", got)


def _compare(case: Case, source: ModuleType, native: ModuleType, rewrite: bool) -> None:
    section = case.need("module")
    lines, wrong = [], []
    for line in section.body.splitlines():
        code, arrow, said = line.rpartition(_ARROW)
        code = code if arrow else line
        if not line.strip() or line.startswith("#"):
            lines.append(line)
            continue
        plain, actual = (_outcome(module, code) for module in (source, native))
        expected = said.removeprefix(_NATIVE) if said.startswith(_NATIVE) else plain
        if actual != expected:
            wrong.append(f"{code}\n    source: {plain}\n    native: {actual}")
        elif arrow and not said.startswith(_NATIVE) and said != plain:
            wrong.append(f"{code}\n    said:   {said}\n    source: {plain}")
        native_only = "" if actual == plain else _NATIVE
        shown = bool(native_only) or bool(arrow)
        lines.append(f"{code}{_ARROW}{native_only}{actual}" if shown else code)
    if wrong and not rewrite:
        raise CaseFailure("\n".join(wrong))
    if rewrite and section.body != "\n".join(lines):
        rewrite_section(case, "module", "\n".join(lines))


def _outcome(module: ModuleType, code: str) -> str:
    """How the code ends with the names of the module: statements between ``;``, the last one an
    expression."""
    *before, last = code.split("; ")
    names: dict[str, Any] = dict(vars(module))
    with _imported(module):
        try:
            exec("\n".join(before), names)
            value = eval(last, names)
            text = repr(value)
        except Exception as error:
            message = str(error)
            return _short(module, f"raise {type(error).__qualname__}" + (
                f": {message}" if message else ""
            ))  # fmt: skip
    return _short(module, text)


def _short(module: ModuleType, text: str) -> str:
    return text.replace(module.__name__, "case")
