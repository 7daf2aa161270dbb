"""The module paths of the original RPython that are not the ones of this project: each is another
name of a module here.

    import rpython.rtyper.lltypesystem.lltype      rpython.lltypesystem.lltype
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.abc import Loader, MetaPathFinder
else:  # loading it takes twice as long as all else that is loaded here
    MetaPathFinder = object

    class Loader:
        """What the import system asks of one."""

        def create_module(self, spec):
            """As it is made for others."""

OLD_PATHS = {
    "rpython.annotator.annrpython": "rpython.annotator.annotator",
    "rpython.annotator.classdesc": "rpython.annotator.program.classdef",
    "rpython.annotator.model": "rpython.annotator.lattice.model",
    "rpython.annotator.signature": "rpython.annotator.program.signature",
    "rpython.annotator.argument": "rpython.annotator.program.argument",
    "rpython.annotator.description": "rpython.annotator.program.desc",
    "rpython.flowspace": "rpython.translator.flow",
    "rpython.flowspace.model": "rpython.translator.ir.model",
    "rpython.flowspace.objspace": "rpython.translator.flow.build",
    "rpython.flowspace.operation": "rpython.translator.ir.hlops",
    **dict.fromkeys(
        (
            f"rpython.rlib.unicodedata.unicodedb_{version}_0"
            for version in ("3_2", "5_2", "6_0", "8_0", "11_0", "12_1", "13_0")
        ),
        "rpython.rlib.unicodedata.unicodedb",
    ),
    "rpython.rtyper.annlowlevel": "rpython.lltypesystem.annlowlevel",
    "rpython.rtyper.controllerentry": "rpython.rtyper.boundary.controllerentry",
    "rpython.rtyper.extfunc": "rpython.rtyper.boundary.extfunc",
    "rpython.rtyper.extregistry": "rpython.annotator.program.extregistry",
    "rpython.rtyper.error": "rpython.translator.ir.errors",
    "rpython.rtyper.llinterp": "rpython.lltypesystem.interp.llinterp",
    "rpython.rtyper.lltypesystem": "rpython.lltypesystem",
    "rpython.rtyper.lltypesystem.rdict": "rpython.rtyper.ll.ll_dict",
    "rpython.rtyper.lltypesystem.rordereddict": "rpython.rtyper.ll.ll_dict",
    "rpython.rtyper.rclass": "rpython.rtyper.kinds.instance",
    "rpython.rtyper.rdict": "rpython.rtyper.kinds.dict",
    "rpython.rtyper.rfloat": "rpython.rtyper.kinds.float",
    "rpython.rtyper.rint": "rpython.rtyper.kinds.int",
    "rpython.rtyper.rlist": "rpython.rtyper.kinds.list",
    "rpython.rtyper.rpbc": "rpython.rtyper.kinds.pbc",
    "rpython.rtyper.rptr": "rpython.rtyper.kinds.ptr",
    "rpython.rtyper.rrange": "rpython.rtyper.kinds.range",
    "rpython.rtyper.rstr": "rpython.rtyper.kinds.str",
    "rpython.rtyper.rtuple": "rpython.rtyper.kinds.tuple",
    "rpython.rtyper.test": "",
    "rpython.rtyper.test.test_llinterp": "rpython.translator.oldtests",
    "rpython.rtyper.test.tool": "rpython.translator.oldtests",
    "rpython.rtyper.tool": "",
    "rpython.rtyper.tool.rffi_platform": "rpython.lltypesystem.rffi_platform",
    "rpython.tool.leakfinder": "rpython.lltypesystem.simulated.leakfinder",
    "rpython.translator.c": "",
    "rpython.translator.c.test": "",
    "rpython.translator.c.test.test_genc": "rpython.translator.oldtests",
    "rpython.translator.c.test.test_standalone": "rpython.translator.oldtests",
    "rpython.translator.tool": "",
    "rpython.translator.tool.cbuild": "rpython.lltypesystem.foreign.cbuild",
    "rpython.translator.translator": "rpython.translator.interactive",
}
"""Old path -> the module that it names, nothing for a package that only holds others.  What is
in one of these packages and not listed has the same name in the new one."""


class OldPathFinder(MetaPathFinder):
    """Finds modules by their old paths."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        new = _new_path(fullname) if fullname.startswith("rpython.") else None
        if new == "":
            return ModuleSpec(fullname, _Holder(), is_package=True)
        if new is None or find_spec(new) is None:
            return None
        return ModuleSpec(fullname, _Alias(new))


def _new_path(old: str) -> str | None:
    if old in OLD_PATHS:
        return OLD_PATHS[old]
    package, _, name = old.rpartition(".")
    new = OLD_PATHS.get(package)
    return f"{new}.{name}" if new else None


class _Holder(Loader):
    def exec_module(self, module: ModuleType) -> None:
        """There is nothing in it."""


class _Alias(Loader):
    def __init__(self, name: str) -> None:
        self._name = name
        self._spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(self._name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # the import system has put the alias's there


def install() -> None:
    """Make the old paths importable.  (First of all finders: the others would find the files
    of the new packages and load them a second time.)"""
    if not any(isinstance(finder, OldPathFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, OldPathFinder())
