"""The version-free instruction set.

The decoders (``decode_311``, ...) turn CPython's bytecode into these instructions; all
that follows knows nothing else.  They work on a frame: numbered local slots, a value
stack and the exception being handled.  In the comments below the stack is written
``[..., below, top]``.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Callable
from dataclasses import field
from typing import Any

from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span


class Op(enum.Enum):
    """What an instruction does; ``arg`` and the stack effect are given for each."""

    __hash__ = object.__hash__  # an Enum's own is a Python function

    # the stack
    NOP = "nothing"
    CONST = "push arg, a host object"
    NULL = "push the marker that CALL leaves out"
    POP = "drop the top"
    COPY = "push the arg-th value from the top (1 is the top) again"
    SWAP = "exchange the top with the arg-th value from the top"

    # names
    LOAD = "push local slot arg"
    STORE = "pop into local slot arg"
    DELETE = "unbind local slot arg"
    LOAD_AND_CLEAR = "push local slot arg, bound or not, and unbind it"
    LOAD_DEREF = "like LOAD, of a variable that may be captured (until convert_cells)"
    STORE_DEREF = "like STORE"
    DELETE_DEREF = "like DELETE"
    NEW_CELL = "arg = (slot, keeps): the variable begins; if keeps, with the slot's value"
    LOAD_CONTENTS = "arg = (slot, captured, unsure, free): push what the cell in the slot holds"
    STORE_CONTENTS = "the same arg: pop into the cell"
    DELETE_CONTENTS = "the same arg: empty the cell"
    LOAD_CELL = "push the cell of local slot arg, for a nested function"
    FREE = "push the value of the host's closure cell called arg"
    FREE_CELL = "push the host's closure cell called arg"
    GLOBAL = "push the global or builtin called arg"
    STORE_GLOBAL = "pop into the global called arg"

    # operations
    PURE = "pop arg.nargs operands, push the result of high-level operation arg.name"
    BOOL = "[x] -> [bool(x)]"
    GET_ATTR = "[x] -> [x.arg]"
    SET_ATTR = "[value, x] -> []; x.arg = value"
    DEL_ATTR = "[x] -> []; del x.arg"
    SET_ITEM = "[value, x, key] -> []; x[key] = value"
    DEL_ITEM = "[x, key] -> []; del x[key]"
    UNPACK = "[x] -> [x[arg-1], ..., x[0]]; x must have arg items"
    UNPACK_STAR = "arg = (before, after): the same where a list takes the items between"
    IMPORT = "[level, fromlist] -> [the module called arg]"
    IMPORT_FROM = "[module] -> [module, module.arg]"

    # construction of containers
    APPEND = "[list, ..arg-1.., x] -> [list, ..]; list.append(x)"
    BEGIN_LIST = (
        "[NULL, iterator] -> [list to fill, iterator]; arg is true if it gets one item for each of "
        "the iterator (this and the next two are found out by normalisation)"
    )
    FILL_LIST = "[list to fill, ..arg-1.., x] -> [list to fill, ..]"
    END_LIST = "[list to fill] -> [list]"
    ADD = "[set, ..arg-1.., x] -> [set, ..]; set.add(x)"
    PUT = "[dict, ..arg-1.., key, value] -> [dict, ..]; dict[key] = value"
    EXTEND = "[x, ..arg[1]-1.., y] -> [x, ..]; call x's method arg[0] on y"
    EXTEND_TO_TUPLE = (
        "[list, y] -> [tuple of the items of list and of y]; arg is true if it will be the "
        "arguments of a call (found out by normalisation)"
    )
    TO_TUPLE = "[list] -> [tuple(list)]"
    JOIN_TUPLE = "[tuple, y] -> [tuple + (y,), or tuple + tuple(y) if arg]"
    CONST_KEYS_DICT = "[v1, .., vn, keys] -> [dict]; n is arg"

    # f-strings
    CONVERT = "[x] -> [x to be formatted with conversion arg ('s', 'r', 'a')]"
    FORMAT = "arg = (conversion or '', has_spec): [x, spec if has_spec] -> [text]"

    # calls; f and self come as [f, NULL] or [NULL, f] or [f, first argument]
    CALL = "[f, self, arg arguments] -> [result]"
    CALL_KEYWORDS = "[f, self, arg arguments, tuple of keywords] -> [result]"
    CALL_STAR = "[f, self, sequence] -> [result]"
    CALL_STAR_KEYWORDS = (
        "[f, self, sequence, arg values, tuple of keywords, or the only one] -> [result]"
    )
    CALL_STARS = "[f, self, sequence, mapping] -> [result]"
    KEYWORDS = (
        "arg = (n, at_end): [k1, v1, .., kn, vn] or, if at_end, [v1, .., vn, keys] -> [mapping] "
        "that a call gets (found out by normalisation)"
    )
    MERGE_KEYWORDS = "[mapping, more] -> [both together], for a call"
    MAKE_FUNCTION = "[code] -> [function]"
    FUNCTION_ATTRIBUTE = "[attribute, function] -> [function]; which one is arg: 1 2 4 8"

    # exceptions and context managers
    RAISE = "pop arg values: raise, raise x, raise x from y"
    RERAISE = "[exception] -> raise it"
    PUSH_HANDLED = "[e] -> [exception handled so far, e]; e is being handled"
    POP_HANDLED = "[saved] -> []; the end of what PUSH_HANDLED began"
    MATCH_EXCEPTION = "[e, class] -> [e, isinstance(e, class)]"
    ENTER_CONTEXT = (
        "[manager] -> [its __exit__, result of its __enter__]; where arg is 'async with', it is "
        "__aexit__ and __aenter__"
    )
    EXIT_CONTEXT = "[exit, _, _, e] -> [exit, _, _, e, result of exit(type(e), e, None)]"

    # match statements
    MATCH_CLASS = (
        "[x, class, names] -> [tuple of attributes] to next if x is of the class, else "
        "[None] to jump; arg of the attributes are positional"
    )
    MATCH_SEQUENCE = "[x] -> [x, is it a sequence?]"
    MATCH_MAPPING = "[x] -> [x, is it a mapping?]"
    MATCH_KEYS = (
        "[x, keys] -> [x, keys, tuple of items] to next if x has all keys, else "
        "[x, keys, None] to jump"
    )
    GET_LEN = "[x] -> [x, len(x)]"

    # control
    JUMP = "go to next (gone after normalisation)"
    BRANCH = "[x] -> []; to jump if x is true, else to next"
    BRANCH_NONE = "[x] -> []; to jump if x is None, else to next"
    NEXT = "[iterator] -> [iterator, item] to next; at its end [] to jump"
    RETURN = "[x] -> return x"
    YIELD = (
        "[x] -> hand x out; [what is sent in]; arg is true in yield from, whose iterator is below x"
    )
    REFUSE = "arg = (message, hint): outside the restricted language"


@dataclass(frozen=True, slots=True)
class PureArg:
    """``arg`` of PURE: the high-level operation and how many operands it pops."""

    name: str
    nargs: int


@dataclass(frozen=True, slots=True)
class HandlerEntry:
    """Where exceptions go: the stack is cut to ``depth``, then a marker is pushed if
    ``marker``, then the exception, then ``target`` continues."""

    target: int
    depth: int
    marker: bool


@dataclass(slots=True, eq=False)
class Instr:
    """One instruction; ``next``, ``jump`` and ``handler`` are indices, -1 or None if none."""

    op: Op
    arg: Any
    span: Span
    next: int = -1
    jump: int = -1
    handler: HandlerEntry | None = None

    def successors(self) -> list[int]:
        """Where it may go without an exception; next first."""
        result = [self.next] if self.next >= 0 else []
        if self.jump >= 0:
            result.append(self.jump)
        return result


@dataclass(frozen=True, slots=True)
class Captured:
    """A captured variable: the class of its cell, None when it is captured by value; may
    it be found without a value; do nested functions delete it?  ``holder``: of methods of a class
    made in a function, the object whose attribute has it (``class_statements.py``)."""

    name: str
    cell: type | None
    may_be_unbound: bool
    deleted_inside: bool = False
    holder: object = None


@dataclass(frozen=True, slots=True)
class Program:
    """A decoded function: ``instrs[entry]`` comes first.

    ``slots``: the names of the local slots, the ``nargs`` arguments first; the first ``own`` are
    those of the function itself, the others of comprehensions spliced into it.  ``captured``:
    what comes from an enclosing function, by slot.  ``cells``: that and what nested functions
    capture (found by ``convert_cells``).
    """

    instrs: list[Instr]
    entry: int
    slots: list[str]
    nargs: int
    own: int
    captured: dict[int, Captured] = field(default_factory=dict)
    cells: dict[int, Captured] = field(default_factory=dict)


ENDS = frozenset({Op.RETURN, Op.RAISE, Op.RERAISE, Op.REFUSE})
"""Instructions that never continue."""

SILENT = frozenset(
    {
        Op.NOP, Op.CONST, Op.NULL, Op.POP, Op.COPY, Op.SWAP, Op.LOAD, Op.STORE, Op.DELETE,
        Op.LOAD_AND_CLEAR, Op.LOAD_CELL, Op.FREE, Op.FREE_CELL, Op.GLOBAL, Op.CONVERT,
        Op.NEW_CELL, Op.LOAD_CONTENTS, Op.STORE_CONTENTS, Op.DELETE_CONTENTS,
        Op.BRANCH, Op.BRANCH_NONE, Op.RERAISE, Op.PUSH_HANDLED, Op.POP_HANDLED, Op.JUMP, Op.RETURN,
    }
)  # fmt: skip
"""Instructions that by themselves add nothing to the graph whose position matters: the
compiler gives copies of them other positions.  (A test that ends both arms of a
conditional expression is such a copy.)"""

_EFFECTS = {
    **dict.fromkeys(
        (
            Op.CONST, Op.NULL, Op.COPY, Op.LOAD, Op.LOAD_AND_CLEAR, Op.LOAD_CELL, Op.FREE,
            Op.LOAD_CONTENTS,
            Op.FREE_CELL, Op.GLOBAL, Op.IMPORT_FROM, Op.PUSH_HANDLED, Op.ENTER_CONTEXT,
            Op.EXIT_CONTEXT, Op.NEXT, Op.MATCH_SEQUENCE, Op.MATCH_MAPPING, Op.MATCH_KEYS,
            Op.GET_LEN,
        ),
        1,
    ),
    **dict.fromkeys(
        (
            Op.NEW_CELL, Op.DELETE_CONTENTS,
            Op.NOP, Op.SWAP, Op.DELETE, Op.BOOL, Op.GET_ATTR, Op.TO_TUPLE, Op.CONVERT,
            Op.MAKE_FUNCTION, Op.MATCH_EXCEPTION, Op.JUMP, Op.REFUSE, Op.YIELD, Op.BEGIN_LIST,
            Op.END_LIST,
        ),
        0,
    ),
    **dict.fromkeys(
        (
            Op.STORE_CONTENTS, Op.STORE_GLOBAL,
            Op.POP, Op.STORE, Op.DEL_ATTR, Op.IMPORT, Op.APPEND, Op.ADD, Op.EXTEND,
            Op.FILL_LIST, Op.EXTEND_TO_TUPLE, Op.JOIN_TUPLE, Op.FUNCTION_ATTRIBUTE, Op.RERAISE,
            Op.POP_HANDLED, Op.BRANCH,
            Op.BRANCH_NONE, Op.RETURN, Op.MERGE_KEYWORDS,
        ),
        -1,
    ),
    **dict.fromkeys((Op.SET_ATTR, Op.DEL_ITEM, Op.PUT, Op.CALL_STAR, Op.MATCH_CLASS), -2),
    **dict.fromkeys((Op.SET_ITEM, Op.CALL_STARS), -3),
}  # fmt: skip

_COUNTED_EFFECTS: dict[Op, Callable[[int], int]] = {
    Op.UNPACK: lambda n: n - 1,
    Op.CONST_KEYS_DICT: lambda n: -n,
    Op.CALL: lambda n: -n - 1,
    Op.CALL_KEYWORDS: lambda n: -n - 2,
    Op.CALL_STAR_KEYWORDS: lambda n: -n - 3,
    Op.RAISE: lambda n: -n,
}


def stack_effect(instr: Instr) -> int:
    """By how much the stack grows on the way to ``next``; the way to ``jump`` differs for
    NEXT only, where it is -1."""
    effect = _EFFECTS.get(instr.op)
    if effect is not None:
        return effect
    if instr.op is Op.PURE:
        return 1 - int(instr.arg.nargs)
    if instr.op is Op.KEYWORDS:
        count, at_end = instr.arg
        return int(-count if at_end else 1 - 2 * count)
    if instr.op is Op.UNPACK_STAR:
        return int(sum(instr.arg))
    if instr.op is Op.FORMAT:
        return -int(instr.arg[1])
    return _COUNTED_EFFECTS[instr.op](instr.arg)


CodeKey = tuple[types.CodeType, ...]
"""A code object with those around it: a comprehension within a comprehension."""
