"""Which arguments of an exception ``str(e)`` can show, and which only when it is read (the
annotator and the rtyper ask).

    raise ValueError("no", items)       str(e) is made when it is read: items may change
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Set
from typing import Any

from rpython.annotator.lattice.enumints import SomeEnumInt, text_of_enum
from rpython.annotator.lattice.model import (
    K_BYTEARRAY,
    K_DICT,
    K_DICTVIEW,
    K_FROZENSET,
    K_INSTANCE,
    K_LIST,
    K_SET,
    SomeClass,
    SomeHost,
    SomeInstance,
    SomeInteger,
    SomeObject,
)
from rpython.annotator.lattice.parts import K_SHOWN, any_part
from rpython.annotator.program.classdef import ClassDef, is_state_machine
from rpython.annotator.program.desc import ClassDesc
from rpython.stdlib._seen import CLASS_TEXT
from rpython.translator.ir.errors import Note, TranslationError
from rpython.translator.ir.home import home_of_class, home_of_module
from rpython.translator.ir.span import Span

_MAY_CHANGE = K_INSTANCE | K_LIST | K_DICT | K_SET | K_FROZENSET | K_DICTVIEW | K_BYTEARRAY


def always_the_same(s: SomeObject) -> bool:
    """Will such a value never have another text, and does nothing of the program run to make
    it?"""
    return not any_part(s, lambda part: bool(part.kinds & _MAY_CHANGE))


def has_text_when_read(s: SomeObject) -> bool:
    """Have all such values ``str`` and ``repr``?"""
    return not any_part(s, _has_no_text)


def _has_no_text(part: SomeObject) -> bool:
    if isinstance(part, SomeEnumInt):
        return text_of_enum(part.cls, False) is None or text_of_enum(part.cls, True) is None
    if isinstance(part, SomeInteger):
        return part.may_be_bool or part.mixed
    if isinstance(part, SomeInstance):
        return not has_text_or_address(part.classdef)
    return bool(part.kinds & ~K_SHOWN) and not class_has_text(part)


def class_has_text(part: SomeObject) -> bool:
    """Are the values classes of which CPython shows the same as we do?"""
    if isinstance(part, SomeHost):
        return isinstance(part.value, type) and part.value.__module__ == "builtins"
    return isinstance(part, SomeClass) and all(
        isinstance(desc, ClassDesc) and _is_shown(desc.classdef.cls) for desc in part.descs
    )


def _is_shown(cls: type) -> bool:
    return hasattr(cls, CLASS_TEXT) or not home_of_module(cls.__module__).is_ours


def has_text_or_address(classdef: ClassDef) -> bool:
    """Is known what CPython shows of instances (but for the address)?  Not of those that stand
    for others with a text: files, generators, ...; nor where it is marked with ``not_rpython``."""
    if any(map(_is_refused, classdef.subtree())):
        return False
    if issubclass(classdef.cls, BaseException | enum.Enum):
        return True
    return not any(map(_stands_for_other, classdef.without_text(quoted=True)))


def _is_refused(classdef: ClassDef) -> bool:
    values = [classdef.class_value(name) for name in ("__str__", "__repr__")]
    return any(hasattr(value[1], "_rpython_refused_") for value in values if value is not None)


def _stands_for_other(classdef: ClassDef) -> bool:
    cls = classdef.cls
    if is_state_machine(classdef) or cls.__module__ == "builtins":
        return True
    ours = [base for base in cls.__mro__ if home_of_class(base).is_ours]
    hosts = [_host_of(base) for base in ours]
    return (cls in ours and cls in hosts) or any(
        host not in ours and host.__repr__ is not object.__repr__ for host in hosts
    )


def _host_of(cls: type) -> Any:
    """What an overlay class stands for; any other class itself."""
    return getattr(sys.modules.get(cls.__module__), cls.__name__, cls)


def has_own_text(classdef: ClassDef, method: str, super_texts: Set[str]) -> bool:
    """Does a class of the program define what ``str`` or ``repr`` of such exceptions is, without
    asking the built-in class?  SystemExit is not asked: a program that ends with it shows its
    code."""
    if method in super_texts or (method == "__str__" and issubclass(classdef.cls, SystemExit)):
        return False
    return any(above.defines(method) for above in classdef.mro())


def explain_shown(error: TranslationError, span: Span | None) -> None:
    """Say why the method with the error is called; ``span``: where an exception is made."""
    if not error.hint:
        error.hint = "mark it with @not_rpython, or define __str__ in the exception's class"
    error.notes.append(Note("called to show what an exception is made with", span))
