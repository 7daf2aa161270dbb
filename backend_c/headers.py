"""What is needed for extension modules of the CPython that runs."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

from rpython.backend_c.compiler import find_compiler
from rpython.translator.ir.errors import BuildError


def extension_suffix() -> str:
    """What the names of extension modules of this CPython end in."""
    return str(sysconfig.get_config_var("EXT_SUFFIX"))


def python_include() -> Path:
    """The directory of Python.h.  Raises BuildError when there is none."""
    for name in ("include", "platinclude"):
        include = Path(sysconfig.get_path(name))
        if (include / "Python.h").exists():
            return include
    raise BuildError(
        f"Python.h is missing: it is not in {sysconfig.get_path('include')}",
        hint="install the headers of this Python (Debian: apt install python3-dev)",
    )


def missing_tools() -> str:
    """What a build of extension modules would lack; "" for nothing."""
    try:
        compiler = find_compiler()[0]
        python_include()
    except BuildError as error:
        return error.message
    return "" if shutil.which(compiler) else f"there is no C compiler {compiler}"
