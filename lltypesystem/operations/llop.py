"""What a row of the low-level operation table is, and how its operands are described."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rpython.lltypesystem.operations.effects import Effects
from rpython.lltypesystem.operations.ranges import Bounds
from rpython.lltypesystem.primitives import LowLevelType, Primitive, Void
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.model import FunctionGraph, SpaceOperation, Value
from rpython.translator.ir.opdef import OpDef
from rpython.translator.ir.records import dataclass


class UndefinedOperation(Exception):
    """An operation was evaluated on operands for which it has no meaning (division by
    zero, shift by 64, ...).  User code is tested, helpers test before; the optimiser does not fold
    these."""


def undefined(name: str) -> str:
    """The message of an UndefinedOperation."""
    return f"{name} is undefined for these operands"


@dataclass(frozen=True, slots=True)
class Kind:
    """An operand that may have one of many types: ``accepts(TYPE)``."""

    name: str
    accepts: Callable[[LowLevelType], bool]

    def __str__(self) -> str:
        return self.name


ANY_VALUE = Kind("any type", lambda T: True)
ANY_PTR = Kind("any pointer", lambda T: isinstance(T, Ptr))
GC_PTR = Kind("any GC pointer", lambda T: isinstance(T, Ptr) and T._gckind == "gc")
ANY_PRIMITIVE = Kind("any primitive", lambda T: isinstance(T, Primitive) and T is not Void)

OperandType = LowLevelType | Kind
Check = Callable[[Sequence[Value], LowLevelType], "str | None"]
"""Given operands and result type: what is wrong with them, or None."""


class Callees(NamedTuple):
    """Whom an operation calls.

    ``graphs``: functions of the program.  ``external``: a function written in C.
    ``anybody``: any function whose address is taken.  ``direct``: the only one is operand 0.
    ``calls_back``: code of the program may run inside the operation without being called by it:
    what C calls, the texts of exceptions.  Its exceptions stay inside.
    """

    graphs: tuple[FunctionGraph, ...] = ()
    external: Any = None
    anybody: bool = False
    direct: bool = False
    calls_back: bool = False


NOBODY = Callees()


class Derives(enum.Enum):
    """What a pointer has to do with the one it was made from."""

    SAME = "points to the same object"
    INSIDE = "points into the object, or to what follows it in memory"


@dataclass(frozen=True, slots=True, eq=False)
class LLOp(OpDef):
    """One low-level operation.

    ``args``: the operand types; None when the number varies (then ``check`` decides).
    ``result``: the result type; None when ``check`` decides.
    ``effects``: an upper bound for every use; ``refine`` narrows it for given operands.
    ``eval``: the meaning, on low-level values; None only for calls.  With ``typed`` it
    takes the result type first.  It raises the host exceptions of ``effects.raises``, and
    ``UndefinedOperation`` where ``domain`` (None: everywhere) does not hold.
    ``c``: a C expression with operands ``{0}``, ``{1}`` (to be given as primary
    expressions), ``{R}`` the C type of the result.  When the row raises, it is instead a
    condition that is true when the exception has to be raised, and stores the result
    through ``&{r}``.  None: *structural*, the back end builds the code from the types.
    ``py``: a Python expression equal to ``eval`` for the LLInterpreter's generated code;
    ``{r}`` is a local it may assign with ``:=``, and it may use the names of
    ``operations.integers.PY_NAMES``.  None: call ``eval``.
    ``stores``: puts its last operand into the place that the others name, which keeps it.
    ``makes_object``: gives new memory, of the type that is its first operand.
    ``callees``: whom it calls, by its operands; None: nobody.
    ``safepoint``: lets other threads of the program run.
    ``probe``: may fail at any time, when the machine has something to do; what follows does it.
    ``in_frame``: needs to know where the function's frame on the shadow stack begins.
    ``asks_handled``: its meaning depends on which exceptions are being handled.
    ``loads``: gives what is at the place that its operands name.
    ``derives``: what the pointer that it gives has to do with its first operand.
    ``private``: nobody learns where the object is that its first operand points to.
    ``gives_reference``: its result keeps the object, when references are counted.
    ``writes_bytes``: may overwrite values of any type.
    ``varies``: the same operands may give another result in another run.
    ``for_programs``: programs may call it by name, whatever its types and effects.
    ``if_equal``: of a comparison that asks no more than whether two primitives are equal, the
    answer when they are.
    ``relation``: of a comparison of two values: which (``lt``, ``le``, ``eq``, ``ne``, ``gt``,
    ``ge``).
    ``if_zero``: of a test whether a number or pointer is zero: the answer when it is.
    ``bounds``: between which numbers the result is, as if they had no ends (``ranges``); None: not
    known, or none.
    ``slope``: how the result follows the operands, as if numbers had no ends: ``sum``,
    ``difference``, ``product``, ``same`` (as a number), ``part`` (of the first one: it rises with
    that where the second is positive).
    ``unchecked``: the row that does the same where this one does not raise OverflowError, and wraps
    elsewhere.
    ``proven``: the row that does the same, for where the result is known not to leave the numbers
    of its type: it is ``exact``, its ``domain`` is just that, and C compilers rely on it.
    ``total``: the row that does the same for more operands, those of which less is known.
    ``low_bits``: of how many operands, the first ones, no more than the low bits are needed for as
    many low bits of the result.  ``masks``: those of an operand that is not negative say which.
    ``barrier``: tells the collector what objects hold.
    ``keeps``: the machine keeps the object that its first operand points to.
    ``form``: operations of the same form are written by the same method of a back end.
    """

    args: tuple[OperandType, ...] | None
    result: LowLevelType | None
    effects: Effects
    eval: Callable[..., Any] | None
    c: str | None
    py: str | None
    check: Check | None
    refine: Callable[[Sequence[Value]], Effects] | None
    domain: Callable[..., bool] | None
    typed: bool
    stores: bool = False
    makes_object: bool = False
    callees: Callable[[Sequence[Value]], Callees] | None = None
    safepoint: bool = False
    probe: bool = False
    in_frame: bool = False
    asks_handled: bool = False
    loads: bool = False
    derives: Derives | None = None
    private: bool = False
    gives_reference: bool = False
    writes_bytes: bool = False
    varies: bool = False
    for_programs: bool = False
    form: str = ""
    keeps: bool = False
    if_equal: bool | None = None
    relation: str = ""
    if_zero: bool | None = None
    bounds: Bounds | None = None
    slope: str = ""
    unchecked: str = ""
    proven: str = ""
    total: str = ""
    low_bits: int = 0
    masks: bool = False
    barrier: bool = False

    @property
    def is_call(self) -> bool:
        """Does it do nothing but call a function?"""
        return self.callees is not None and self.eval is None

    @property
    def exact(self) -> bool:
        """Is it only for operands of which it is known that the result does not leave the numbers
        of its type?"""
        return bool(self.total)

    @property
    def writer(self) -> str:
        """The name of the methods with which back ends write the operation themselves."""
        return self.form or self.name

    @property
    def structural(self) -> bool:
        """Does the back end build the code itself?"""
        return self.c is None

    @property
    def raises(self) -> frozenset[type[BaseException]]:
        """Host exception classes the operation may raise (BaseException: anything)."""
        return self.effects.raises

    @property
    def can_raise(self) -> bool:
        return bool(self.effects.raises)

    def effects_of(self, op: SpaceOperation) -> Effects:
        """The effects of one use of the operation."""
        return self.effects if self.refine is None else self.refine(op.args)

    def mismatch(self, args: Sequence[Value], RESULT: LowLevelType) -> str | None:
        """What is wrong with the types of operands and result, or None."""
        if self.args is not None:
            if len(args) != len(self.args):
                return f"takes {len(self.args)} operands, has {len(args)}"
            for i, (expected, arg) in enumerate(zip(self.args, args)):
                T = arg.concretetype
                if expected is not T and not _accepts(expected, T):
                    return f"operand {i} must be {expected}, is {arg.concretetype}"
        if self.result is not None and self.result is not RESULT and self.result != RESULT:
            return f"the result must be {self.result}, is {RESULT}"
        return None if self.check is None else self.check(args, RESULT)


def _accepts(expected: OperandType, T: LowLevelType) -> bool:
    if isinstance(expected, Kind):
        return expected.accepts(T)
    return expected == T


def stores(op: SpaceOperation) -> bool:
    """Does the operation put its last operand into a place in memory?"""
    return row_of(op).stores


def makes_object(op: SpaceOperation) -> bool:
    """Does the operation give new memory of a type?"""
    return row_of(op).makes_object


def row_of(op: SpaceOperation) -> LLOp:
    """The low-level row of ``op``."""
    assert isinstance(op.opdef, LLOp)
    return op.opdef


def callees(op: SpaceOperation) -> Callees:
    """Whom the operation calls: the one place that looks at the operands of calls."""
    row = row_of(op)
    return NOBODY if row.callees is None else row.callees(op.args)
