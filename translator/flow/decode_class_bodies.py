"""What the body of a class statement does, by its bytecode: it is run while the program is
translated, not decoded."""

from __future__ import annotations

import dis
import itertools
import types
from collections.abc import Iterator

from rpython.translator.ir.records import dataclass

_GLOBAL_LOADS = frozenset(("LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"))
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")
_FREE_LOADS = frozenset(("LOAD_CLASSDEREF", "LOAD_DEREF", "LOAD_FROM_DICT_OR_DEREF"))

_BUILD_CLASS = dis.opmap["LOAD_BUILD_CLASS"]


@dataclass(frozen=True, slots=True)
class BodyReads:
    """The names that a class body reads while it runs: of variables that may be global, and of
    those of the functions around it that it does more with than ``attribute = variable``;
    ``attributes``: what it reads of which such global variables."""

    names: frozenset[str]
    free: frozenset[str]
    attributes: frozenset[tuple[str, str]]


def reads_of_body(code: types.CodeType) -> BodyReads:
    """What the body reads itself or in comprehensions, not what its functions do when called."""
    names, free, attributes = set(), set(), set()
    for part in codes_run_by_body(code):
        instructions = [ins for ins in dis.get_instructions(part) if ins.opname != "LOAD_LOCALS"]
        for ins, following in itertools.pairwise(instructions):
            if ins.opname in _GLOBAL_LOADS:
                names.add(ins.argval)
                if following.opname in _ATTRIBUTES:
                    attributes.add((ins.argval, following.argval))
            elif ins.opname in _FREE_LOADS and ins.argval in code.co_freevars:
                if part is not code or following.opname != "STORE_NAME":
                    free.add(ins.argval)
    return BodyReads(frozenset(names), frozenset(free), frozenset(attributes))


def codes_run_by_body(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a class body, its comprehensions and the classes in it."""
    yield code
    classes = _class_codes(code)
    for const in code.co_consts:
        if isinstance(const, types.CodeType) and (
            const in classes or (const.co_name.startswith("<") and const.co_name != "<lambda>")
        ):
            yield from codes_run_by_body(const)


def makes_classes(code: types.CodeType) -> bool:
    """Is there a class statement in the code?  (Most functions have none, which their bytes say
    without being taken apart.)"""
    if _BUILD_CLASS not in code.co_code[::2]:
        return False
    return any(ins.opname == "LOAD_BUILD_CLASS" for ins in dis.get_instructions(code))


def _class_codes(code: types.CodeType) -> list[types.CodeType]:
    found = []
    building = False
    for ins in dis.get_instructions(code):
        if ins.opname == "LOAD_BUILD_CLASS":
            building = True
        elif building and ins.opname == "LOAD_CONST" and isinstance(ins.argval, types.CodeType):
            found.append(ins.argval)
            building = False
    return found
