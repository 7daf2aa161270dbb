"""Functions whose translation is another function: RPython's ``register_external``.

    register_external(getpagesize, [], int, llimpl=ll_getpagesize)

A call of ``getpagesize`` in a program becomes one of ``ll_getpagesize``, on low-level values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rpython.annotator.lattice.model import SomeObject, s_None
from rpython.annotator.lattice.union import contains
from rpython.annotator.program.extregistry import ExtRegistryEntry
from rpython.rtyper.hop import HighLevelOp
from rpython.translator.ir.errors import AnnotatorError
from rpython.translator.ir.model import Value


def register_external(
    function: Callable[..., Any], args: Sequence[Any] | None, result: Any = None,
    export_name: str | None = None, llimpl: Callable[..., Any] | None = None,
    llfakeimpl: Callable[..., Any] | None = None, sandboxsafe: bool = False,
) -> None:  # fmt: skip
    """Let programs call ``llimpl`` where they call ``function``.

    Args:
        args: the types of the arguments, as for ``build_types``; None: whatever they are.
        result: the type of the result, None for none.
        llimpl: takes and gives low-level values.
        export_name, llfakeimpl, sandboxsafe: not used.

    Raises TypeError without an ``llimpl``.
    """
    if llimpl is None:
        raise TypeError(
            f"register_external({function.__name__}) needs an llimpl; a C function is called by"
            " rffi.llexternal or rpython.cdef"
        )

    class Entry(ExtRegistryEntry):
        _about_ = function

        def compute_result_annotation(self, *args_s: Any, **kwds_s: Any) -> SomeObject:
            if args is not None:
                _check(function.__name__, [self.bookkeeper.valueoftype(T) for T in args], args_s)
            return s_None if result is None else self.bookkeeper.valueoftype(result)

        def specialize_call(self, hop: HighLevelOp, **kwds_i: int) -> Value:
            reprs = hop.args_r
            if args is not None:
                bookkeeper = hop.rtyper.annotator.bookkeeper
                reprs = [hop.rtyper.getrepr(bookkeeper.valueoftype(T)) for T in args]
            values = hop.inputargs(*reprs)
            hop.exception_is_here()
            return hop.gendirectcall(llimpl, *values)


def _check(name: str, wanted: Sequence[SomeObject], given: Sequence[SomeObject]) -> None:
    """Raise AnnotatorError when a call does not have arguments of these types."""
    if len(wanted) != len(given):
        raise AnnotatorError(f"{name}() takes {len(wanted)} arguments, not {len(given)}")
    for number, (s_wanted, s_given) in enumerate(zip(wanted, given), 1):
        if not contains(s_wanted, s_given.without_const()):
            raise AnnotatorError(
                f"argument {number} of {name}() is {s_given.describe()}, not"
                f" {s_wanted.describe()}"
            )
