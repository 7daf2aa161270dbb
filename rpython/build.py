"""Native modules in wheels: what ``setuptools`` is told by a project that has some.

In ``pyproject.toml``, where that is all::

    [build-system]
    requires = ["setuptools>=64", "rpython3"]
    build-backend = "setuptools.build_meta"

    [tool.rpython3]
    modules = ["pkg/fast.py", "pkg/words.py"]

or in a ``setup.py``::

    from rpython.build import rpythonize
    setup(..., ext_modules=rpythonize(["pkg/fast.py"]))

Each module becomes an extension module beside its source, which Python prefers; a machine without
a C compiler gets the sources alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, SetupError

from rpython.backend_c.headers import missing_tools
from rpython.translator.imports import module_place

TABLE = "rpython3"
ABI3_TAG = "cp311"
"""The oldest CPython that loads a module of ``abi3``."""

_KNOWN = {"modules": list, "abi3": bool, "options": list}


class NativeModule(Extension):
    """A module that is translated.  ``options``: for ``rpython build``."""

    def __init__(self, source: str, abi3: bool, options: Sequence[str]) -> None:
        super().__init__(module_place(Path(source))[1], [source], py_limited_api=abi3)
        self.source = source
        self.options = tuple(options)


def rpythonize(
    sources: Sequence[str], *, abi3: bool = True, options: Sequence[str] = ()
) -> list[Extension]:
    """The extension modules of these source files, for ``ext_modules`` of ``setup()``; none, with
    a warning, where there is no C compiler.

    ``abi3``: make files for CPython 3.11 and later, not for the one that runs alone; ``options``:
    more of those of ``rpython build``, as ``["-O3"]``.  Raises SetupError where there is no such
    file.
    """
    for source in sources:
        if not Path(source).is_file():
            raise SetupError(f"rpython3: there is no file {source}")
    missing = missing_tools()
    if missing:
        warnings.warn(
            f"rpython3: {missing}: {', '.join(sources)} will run as plain Python", stacklevel=2
        )
        return []
    return [NativeModule(source, abi3, options) for source in sources]


def from_pyproject(distribution: Distribution) -> None:
    """What setuptools calls for each distribution: adds the modules of the table
    ``tool.rpython3``, and sees to it that native modules are built.  Raises SetupError."""
    modules = list(distribution.ext_modules or ())
    if not any(isinstance(each, NativeModule) for each in modules):
        modules += _modules_of(Path("pyproject.toml"))
    if not any(isinstance(each, NativeModule) for each in modules):
        return
    distribution.ext_modules = modules
    before = distribution.cmdclass.get("build_ext", build_ext)
    if not issubclass(before, _Builder):
        distribution.cmdclass["build_ext"] = type("build_ext", (_Builder, before), {})
    if all(getattr(each, "py_limited_api", False) for each in modules):
        wheel = distribution.command_options.setdefault("bdist_wheel", {})
        wheel.setdefault("py_limited_api", ("rpython3", ABI3_TAG))


def _modules_of(file: Path) -> list[Extension]:
    if not file.is_file():
        return []
    table = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {}).get(TABLE)
    if table is None:
        return []
    for key, value in table.items():
        if not isinstance(value, _KNOWN.get(key, ())):
            known = ", ".join(f"{name} ({kind.__name__})" for name, kind in _KNOWN.items())
            raise SetupError(f"{file}: [tool.{TABLE}] has {key} = {value!r}; known are {known}")
    return rpythonize(
        table.get("modules", []), abi3=table.get("abi3", True), options=table.get("options", [])
    )


class _Builder(build_ext):
    """Builds native modules by ``rpython build``, several at once, and others as before."""

    def build_extensions(self) -> None:
        modules = self.extensions
        native = [each for each in modules if isinstance(each, NativeModule)]
        self.extensions = [each for each in modules if each not in native]
        super().build_extensions()
        self.extensions = modules
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for done in [pool.submit(self._build_native, module) for module in native]:
                done.result()

    def _build_native(self, module: NativeModule) -> None:
        """Make the module, and where a wheel is made its type stub."""
        out = Path(self.get_ext_fullpath(module.name))
        out.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "rpython", "build", "--module", *module.options]
        if not self.inplace and not getattr(self, "editable_mode", False):
            command.append("--stub")  # beside the source it would soon be old
        done = subprocess.run(
            [*command, module.source, "-o", str(out)], capture_output=True, text=True
        )
        if done.returncode != 0:
            raise CompileError(f"rpython3: {module.name}:\n{done.stderr}{done.stdout}")
        sys.stderr.write(done.stderr)
