"""Building an extension module of the CPython that runs.

    result = build_module(program, extension, "fast.cpython-311-x86_64-linux-gnu.so", options)
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from rpython.backend_c.build import Build, BuildResult, generate_shared
from rpython.backend_c.extension import Extension
from rpython.backend_c.extension_table import extension_table
from rpython.backend_c.headers import extension_suffix, python_include
from rpython.backend_c.options import SHARED, BuildOptions, Product
from rpython.lltypesystem.program import Program
from rpython.translator.ir.errors import BuildError

_RUNTIME = (
    "rpy_module_break.c", "rpy_module_buffer.c", "rpy_module_callable.c", "rpy_module_class.c",
    "rpy_module_cycles.c", "rpy_module_error.c", "rpy_module_fixed.c", "rpy_module_held.c",
    "rpy_module_hosted.c", "rpy_module_layout.c", "rpy_module_output.c", "rpy_module_state.c",
    "rpy_module_subclass.c", "rpy_module_suspend.c", "rpy_module_unpack.c", "rpy_module_words.c",
    "rpy_module_wrapper.c",
)  # fmt: skip


def build_module(
    program: Program,
    extension: Extension,
    out: str | os.PathLike[str],
    options: BuildOptions | None = None,
) -> BuildResult:
    """Make the extension module ``out``; an older one is replaced only on success.  ``program``
    has the exports that ``extension`` names.  Raises BuildError."""
    options = options or BuildOptions()
    if options.target:
        raise BuildError(
            "an extension module is built for the Python that runs the build",
            hint="leave out --target",
        )
    if extension.knows_version and ".abi3." in os.path.basename(out):
        raise BuildError(
            "an extension module that asks for the version of Python is built for one",
            hint=f"call it {extension.name}{extension_suffix()}, or decide that in Python",
        )
    product = Product(
        (*SHARED.cflags, f"-I{python_include()}"),
        ("-Wl,--wrap=rpy_os_write,--wrap=rpy_os_lost", *SHARED.ldflags),
    )
    started = time.perf_counter()
    sources = generate_shared(program, options)
    sources.files["rpy_table.c"] = extension_table(extension, options.gc == "boehm")
    builder = Build(sources, options, extension.name, "rpy_module.c", started)
    builder.runtime += [*_RUNTIME, *(["rpy_os.c"] if "rpy_os.c" not in builder.runtime else [])]
    return builder.run(Path(out), product)
