"""Refuse public global variables and class attributes that a module's functions assign: Python
would see what they were at import time.

    COUNT = 0                       refused: fast.COUNT is for Python
    _count = 0                      fine
    def f(): global COUNT, _count
"""

from __future__ import annotations

from rpython.annotator.annotator import RPythonAnnotator
from rpython.translator.extension.exports import Exports
from rpython.translator.ir.errors import TranslationError


def check_variables(annotator: RPythonAnnotator, public: Exports) -> None:
    """Raise TranslationError when Python could look at a variable that native code assigns."""
    state = annotator.constants.state
    names = {*public.functions, *public.classes, *public.exceptions, *public.constants}
    for variables, holder in state.modules():
        module = str(variables.space.get("__name__"))
        for name, attribute in annotator.constants.classdef(type(holder)).attrs.items():
            if attribute.written and (module != public.name or name in names):
                raise TranslationError(
                    f"the variable {module}.{name} is assigned by native code, which Python would "
                    "not see",
                    hint=f"call it _{name.lstrip('_')}, in this module, and write a function that "
                    "returns it",
                )
    exported = {*public.classes.values(), *public.exceptions.values()}
    for cls, name, _ in state.assigned():
        if not name.startswith("_") and any(issubclass(other, cls) for other in exported):
            raise TranslationError(
                f"the class attribute {cls.__name__}.{name} is assigned by native code, which "
                "Python would not see",
                hint=f"call it _{name}, and write a method that returns it",
            )
