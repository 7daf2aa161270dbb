"""``docs/stdlib.md``, made from the registry of the standard library.

python -m tests.docs.stdlibdoc      writes the page again
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from rpython.annotator.rules import dispatch
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.stdlib import _registry

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "stdlib.md"
SHARES = ROOT / "tests" / "stdlib" / "shares.txt"
START = """# The standard library

Made from the registry by `python -m tests.docs.stdlibdoc`; `tests/docs/test_stdlib.py` holds it
true.

A name of a module is, in this order: replaced in `rpython/stdlib/` (**here**), known to the
annotator (**built in**; what is a call of the system is a row of a table), what the source of the
module defines where C is missing (PEP 399, **twin**), or translated from the installed source.
What cannot be translated is refused where the program uses it: a module that is not in this list
by its name.

The last column is about CPython's own tests of the module (`Lib/test/test_*.py`), made programs by
a script (`python -m tests.stdlib.adapt -v heapq`): how many run translated as they do under
CPython, how many are refused, fail with an error, or use more of `unittest` than a program can.
Most of those that are refused mix kinds in one variable or define classes in functions.

| module | here | built in | twin of | CPython's tests |
|---|---|---|---|---|
"""


def _name(x: Any) -> str:
    """As programs call it: ``hashlib.md5`` is a function ``openssl_md5``."""
    public = vars(sys.modules.get(_module(x), sys))
    found = [name for name, value in public.items() if value is x and name[0] != "_"]
    if found and not isinstance(x, int) and getattr(x, "__name__", "") not in public:
        return str(found[0])
    name = str(getattr(x, "__qualname__", getattr(x, "__name__", type(x).__name__)))
    return name.rpartition("<locals>.")[2]


def _module(x: Any) -> str:
    home = _registry.file_of(x)
    return {"posixpath": "os.path"}.get(home, _registry.public_name(home))


def _listed(names: set[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


def page() -> str:
    """The text."""
    assert dispatch.consider_operation is not None  # importing it has filled FUNCTIONS
    for name in _registry.FILES:
        importlib.import_module(f"rpython.stdlib.{name}")
    here: dict[str, set[str]] = {}
    for host in _registry.replaced():
        if hasattr(_registry.replacement_of(host), "_rpython_refused_"):
            continue
        here.setdefault(_module(host), set()).add(_name(host))
    built_in: dict[str, set[str]] = {}
    for host in FUNCTIONS.hosts():
        built_in.setdefault(_module(host), set()).add(_name(host))
    twins = {module: accelerator for accelerator, module in _registry.TWINS.items()}
    lines = SHARES.read_text(encoding="utf-8").splitlines()
    shares = dict(line.split(": ") for line in lines)
    rows = []
    for name in sorted({*_registry.available(), "os.path"}):
        twin = f"`{twins[name]}`" if name in twins else ""
        columns = (_listed(here.get(name, set())), _listed(built_in.get(name, set())), twin)
        rows.append(f"| `{name}` | {' | '.join(columns)} | {shares.get(name, '')} |\n")
    return START + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
