"""cdata made before the translation: what the program has in place of it."""

from __future__ import annotations

from typing import Any

from rpython.annotator.overlay.c_data import CData, data_class
from rpython.annotator.overlay.callbacks import callback_data
from rpython.lltypesystem.foreign.cdef import address_of, find_callback
from rpython.lltypesystem.foreign.cglue import UnsupportedCType
from rpython.lltypesystem.foreign.cvalues import ffi
from rpython.translator.ir.errors import AnnotatorError


class PrebuiltData:
    """Null pointers and callbacks of one program; the same one for the same cdata."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, CData]] = {}

    def overlay(self, x: Any) -> CData:
        """The prebuilt pointer for cdata.  Raises AnnotatorError for memory."""
        known = self._known.get(id(x))
        if known is None:
            known = self._known[id(x)] = (x, self._make(x))
        return known[1]

    def _make(self, x: Any) -> CData:
        T = type_of(x)
        if T.kind in ("pointer", "function") and address_of(x) == 0:
            return data_class(T)(0, -1, False)
        callback = find_callback(x) if T.kind == "function" else None
        if callback is not None:
            try:
                return callback_data(callback)
            except UnsupportedCType as error:
                raise AnnotatorError(str(error)) from None
        raise AnnotatorError(
            f"C memory made before the translation is not in the program: a {T.cname!r}",
            hint="make it in a function that the program calls",
        )


def type_of(x: Any) -> Any:
    """The C type of cdata."""
    return ffi.typeof(x)
