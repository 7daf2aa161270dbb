"""What containers need to know about their items.

*Storage*: an item whose Repr is Void (None, a host object) still needs a slot, so that
lists of it have a length: a Bool.

*Item functions*: equality, order and hash of items as low-level functions that helpers
take as constants and call:

    ll_find(items, 0, length, item, equal)      equal: ItemFunction, its own copy of ll_find
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeObject, s_Bool
from rpython.annotator.rules.lowlevel import lltype_to_annotation
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.lltypesystem.lltype import (
    Bool,
    FuncType,
    LowLevelType,
    Signed,
    Void,
    _ptr,
    functionptr,
    identityhash,
    init_identity_hash,
    top_container,
)
from rpython.rlib._hashes import identity_hash
from rpython.rtyper.callables import ThunkFrame
from rpython.rtyper.hashing import emit_hash
from rpython.rtyper.hop import HighLevelOp
from rpython.rtyper.oplist import LowLevelOpList
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import Repr
from rpython.translator.ir.hlops import HLOPS
from rpython.translator.ir.model import Constant, FunctionGraph, SpaceOperation, Value, Variable

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper

Item = tuple[SomeObject, Repr]

# -- storage ----------------------------------------------------------------------------------


def storage_type(r: Repr) -> LowLevelType:
    """The type of a slot for values of ``r``."""
    return Bool if r.lowleveltype is Void else r.lowleveltype


def to_storage(v: Value, r: Repr) -> Value:
    """A value of ``r`` as what is put into the slot."""
    return Constant(False, Bool) if r.lowleveltype is Void else v


def from_storage(v: Value, r: Repr) -> Value:
    """What was read from a slot as a value of ``r``."""
    return Constant(None, Void) if r.lowleveltype is Void else v


def zero_item(r: Repr) -> Constant:
    """What an unused slot holds."""
    T = storage_type(r)
    return Constant(T._defl(), T)


def const_to_storage(r: Repr, value: Any) -> Any:
    """A host constant as what is put into the slot."""
    return False if r.lowleveltype is Void else r.convert_const(value)


# -- functions of items -----------------------------------------------------------------------


class ItemFunction:
    """A low-level function, for helpers to call: see the module text."""

    _rpython_builtin_ = True

    def __init__(self, pointer: _ptr) -> None:
        self.pointer = pointer

    def __call__(self, *args: Any) -> Any:
        return self.pointer(*args)

    def __repr__(self) -> str:
        return f"<item function {self.pointer}>"


@FUNCTIONS.register(ItemFunction)
def call_item_function(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    function = ctx.annotator.binding(ctx.op.args[0]).value
    return lltype_to_annotation(function.pointer._TYPE.TO.RESULT)


@BUILTINS.register(ItemFunction)
def rtype_item_function(hop: HighLevelOp) -> Value:
    pointer = hop.rtyper.annotator.binding(hop.spaceop.args[0]).value.pointer
    args = [hop.inputarg(A, i) for i, A in enumerate(pointer._TYPE.TO.ARGS)]
    return hop.llops.call_pointer(pointer, args)


Build = Callable[[LowLevelOpList, list[Value]], Value]


class ItemFunctions:
    """The item functions of one program, made when first asked for."""

    def __init__(self, rtyper: RPythonTyper) -> None:
        self.rtyper = rtyper
        self._known: dict[object, ItemFunction] = {}
        self._constants: dict[object, Any] = {}
        self._identities = 0

    def constant(self, key: object, make: Callable[[], Any]) -> Any:
        """Low-level data that a container kind shares, made when first asked for."""
        if key not in self._constants:
            self._constants[key] = make()
        return self._constants[key]

    def prebuilt_identity(self, p: _ptr) -> int:
        """The identity hash of a prebuilt object: by number, the same in every run."""
        if top_container(p._obj)._identityhash is None:
            self._identities += 1
            init_identity_hash(p, identity_hash(2 * self._identities))
        return identityhash(p)

    def comparison(self, opname: str, left: Item, right: Item) -> ItemFunction:
        """``left <op> right`` -> Bool."""

        def build(llops: LowLevelOpList, args: list[Value]) -> Value:
            return self.compare(opname, llops, (args[0], *left), (args[1], *right))

        return self.make((opname, left[1], right[1]), f"items_{opname}", (left[1], right[1]),
                         Bool, build)  # fmt: skip

    def hashing(self, r: Repr, exact: bool = False) -> ItemFunction:
        """The hash of a value -> Signed, the one that ``hash()`` gives if ``exact``.  Raises
        TyperError for kinds that have none."""

        def build(llops: LowLevelOpList, args: list[Value]) -> Value:
            return emit_hash(llops, args[0], r, exact)

        return self.make(("hash", r, exact), "items_hash", (r,), Signed, build)

    def make(
        self, key: object, name: str, args_r: tuple[Repr, ...], RESULT: LowLevelType, build: Build,
        part_of: FunctionGraph | None = None,
    ) -> ItemFunction:  # fmt: skip
        """The function with this key; ``build`` emits its body, given the arguments as
        values of ``args_r``.  ``part_of``: the graph of the program whose code it is."""

        def body(llops: LowLevelOpList, args: list[Value]) -> Value:
            return build(llops, [from_storage(v, r) for v, r in zip(args, args_r)])

        T = FuncType([storage_type(r) for r in args_r], RESULT)
        return self.function(key, name, T, body, part_of)

    def function(
        self, key: object, name: str, T: FuncType, build: Build,
        part_of: FunctionGraph | None = None,
    ) -> ItemFunction:  # fmt: skip
        """The same with arguments of low-level types.  ``build`` may ask for it: it may call
        itself."""
        known = self._known.get(key)
        if known is not None:
            return known
        llgraph = self.rtyper.new_graph(name, T)
        function = ItemFunction(functionptr(T, name, graph=llgraph))
        self._known[key] = function
        frame: Any = ThunkFrame(part_of or llgraph, llgraph)
        llops = LowLevelOpList(self.rtyper, frame)
        llops.at(llgraph.startblock)
        llops.goto(llgraph.returnblock, build(llops, list(llgraph.getargs())))
        return function

    def compare(
        self,
        opname: str,
        llops: LowLevelOpList,
        left: tuple[Value, SomeObject, Repr],
        right: tuple[Value, SomeObject, Repr],
    ) -> Value:
        """Emit a comparison of two values; a Bool."""
        spaceop = SpaceOperation(
            HLOPS[opname], [Variable("left"), Variable("right")], Variable("result")
        )
        hop = HighLevelOp(
            self.rtyper, llops, spaceop, [left[0], right[0]], [left[1], right[1]], s_Bool
        )
        return hop.compare(opname, left, right)
