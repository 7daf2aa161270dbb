"""Lists: representation, construction, item access, iteration.

    fixed size      Ptr(GcArray(ITEM))
    resized         Ptr(GcStruct("list", length, items: Ptr(GcArray(ITEM))))

Which one: ``listdef.resized``, which the annotator sets where a length changes.  What
other kinds need of lists, for either form:

    r = rtyper.getrepr(s_list)                    a BaseListRepr, with r.s_item and r.r_item
    r.length(llops, v), r.items(llops, v)         the length, and the array of the items
    r.getitem(llops, v, v_index)                  no checks; a value of r.r_item
    r.setitem(llops, v, v_index, v_item)
    r.newlist(llops, v_length)                    of zeros, to be filled with ``setitem``
    r.from_items(llops, v_items)                  the list of all of an array, not copied
    r.from_room(llops, v_items, v_length)         of the first items of an array
    r.append(llops, v, v_item)                    resized lists only

and in low-level helpers, for resized ones: ``ll_newlist``, ``ll_append`` of ``ll_list``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeList
from rpython.annotator.lattice.reaching import reaches
from rpython.lltypesystem.lltype import (
    Bool,
    GcArray,
    GcForwardReference,
    GcStruct,
    LowLevelType,
    Ptr,
    Signed,
    malloc,
)
from rpython.rtyper.boundary.hostvalues import to_host
from rpython.rtyper.hashing import HASHES, refuse_hash
from rpython.rtyper.items import const_to_storage, storage_type
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.kinds.itemarray import ItemArrayRepr
from rpython.rtyper.kinds.iter import IteratorRepr
from rpython.rtyper.kinds.listmethods import ListMethods, ResizableMethods
from rpython.rtyper.ll import ll_list
from rpython.rtyper.rmodel import Repr, repr_for
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

MAXINT = Constant((1 << 63) - 1, Signed)
ZERO = Constant(0, Signed)
ONE = Constant(1, Signed)


class BaseListRepr(ListMethods):
    """What both forms of list have in common."""

    def __init__(self, rtyper: RPythonTyper, s: SomeList) -> None:
        self.rtyper = rtyper
        self.listdef = s.listdef.find()
        self.s_item = self.listdef.item.s_value.without_const()
        self.forward: Any = None
        """The container type while it is not known: lists that may contain themselves."""
        if reaches(self.s_item, self.listdef):
            self.forward = GcForwardReference()
            self.lowleveltype: LowLevelType = Ptr(self.forward)
        else:
            self.lowleveltype = Ptr(self.container_type())

    def setup(self) -> None:
        if self.forward is not None:
            self.forward.become(self.container_type())
            self.forward = None

    def container_type(self) -> Any:
        """The type pointed to; sets ``r_item`` and ``ITEMS``."""
        self.r_item = self.rtyper.getrepr(self.s_item)
        self.ITEMS = GcArray(storage_type(self.r_item))
        return self.list_type()

    def list_type(self) -> Any:
        raise NotImplementedError

    def never_same(self, other: Repr) -> bool:
        return self is not other  # a list belongs to one definition

    # -- prebuilt lists -------------------------------------------------------------------------

    def convert_const(self, value: Any) -> Any:
        if not isinstance(value, list):
            raise TyperError(f"{value!r} is not a list")
        return self.rtyper.prebuilt.get(self, value, self.make_prebuilt, self.fill_prebuilt)

    def make_prebuilt(self, value: list[Any]) -> Any:
        raise NotImplementedError

    def fill_prebuilt(self, p: Any, value: list[Any]) -> None:
        raise NotImplementedError

    def fill_items(self, p: Any, value: list[Any]) -> None:
        r = self.r_item
        p._obj.items[:] = [const_to_storage(r, item) for item in value]

    # -- operations -----------------------------------------------------------------------------

    def rtype_newlist(self, hop: HighLevelOp) -> Value:
        llops = hop.llops
        if hop.nb_args == 0:
            return self.new_empty(llops)
        v_items = self.new_items(llops, Constant(hop.nb_args, Signed))
        for i in range(hop.nb_args):
            v_item = hop.inputarg(self.r_item, i)
            self.put_into(llops, v_items, Constant(i, Signed), v_item)
        return self.from_items(llops, v_items)

    def new_empty(self, llops: LowLevelOpList) -> Value:
        return self.newlist(llops, ZERO)

    def from_room(self, llops: LowLevelOpList, v_items: Value, v_length: Value) -> Value:
        """The list of the first items of an array that nobody else uses but empty lists."""
        raise NotImplementedError

    def no_items(self) -> Any:
        """The array of length 0 that lists share whose array is replaced when they grow."""
        return self.rtyper.items.constant(("no items", self), self._make_no_items)

    def _make_no_items(self) -> Any:
        return malloc(self.ITEMS, 0, immortal=True)

    def to_host(self, value: Any) -> list[Any]:
        """The host list that a low-level one stands for."""
        items, length = self.read_items(value)
        return [to_host(self.r_item, items._obj.items[i]) for i in range(length)]

    def read_items(self, value: Any) -> tuple[Any, int]:
        """The array and the length of a low-level list."""
        raise NotImplementedError

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        if variant == "reversed":
            return ReversedListIteratorRepr(self)
        return ListIteratorRepr(self)


class FixedSizeListRepr(BaseListRepr):
    """The list is its item array."""

    def list_type(self) -> Any:
        return self.ITEMS

    def from_room(self, llops: LowLevelOpList, v_items: Value, v_length: Value) -> Value:
        return llops.gendirectcall(ll_list.ll_own_exact_items, v_items, v_length)

    def make_prebuilt(self, value: list[Any]) -> Any:
        self.setup()
        return malloc(self.ITEMS, len(value), immortal=True)

    def fill_prebuilt(self, p: Any, value: list[Any]) -> None:
        self.fill_items(p, value)

    def read_items(self, value: Any) -> tuple[Any, int]:
        return value, len(value)


class ListRepr(ResizableMethods, BaseListRepr):
    """The list is a struct of length and item array, which may be longer."""

    def list_type(self) -> Any:
        self.LIST = ll_list.resizable_list(self.ITEMS)
        return self.LIST

    def length(self, llops: LowLevelOpList, v: Value) -> Value:
        return llops.genop("getfield", [v, void("length")], Signed)

    def items(self, llops: LowLevelOpList, v: Value) -> Value:
        return llops.genop("getfield", [v, void("items")], self.itemsptr)

    def from_items(self, llops: LowLevelOpList, v_items: Value) -> Value:
        return llops.gendirectcall(ll_list.ll_newlist_from, void(self.LIST), v_items)

    def from_room(self, llops: LowLevelOpList, v_items: Value, v_length: Value) -> Value:
        return llops.gendirectcall(
            ll_list.ll_newlist_of_room, void(self.LIST), v_items, v_length
        )

    def new_empty(self, llops: LowLevelOpList) -> Value:
        no_items = Constant(self.no_items(), self.itemsptr)
        return llops.gendirectcall(ll_list.ll_newlist_empty, void(self.LIST), no_items)

    def make_prebuilt(self, value: list[Any]) -> Any:
        self.setup()
        return malloc(self.LIST, immortal=True)

    def fill_prebuilt(self, p: Any, value: list[Any]) -> None:
        items = malloc(self.ITEMS, len(value), immortal=True)
        p.length = len(value)
        p.items = items
        self.fill_items(items, value)

    def read_items(self, value: Any) -> tuple[Any, int]:
        return value.items, value.length


@repr_for(SomeList)
def list_repr(rtyper: RPythonTyper, s: SomeList) -> Repr:
    if s.listdef.find().resized:
        return ListRepr(rtyper, s)
    return FixedSizeListRepr(rtyper, s)


# -- iterators --------------------------------------------------------------------------------


class ListIteratorRepr(IteratorRepr):
    """A list (or a tuple) and the index of the next item.  The length is read anew each time: items
    appended during the loop are seen."""

    def __init__(self, r_list: ItemArrayRepr) -> None:
        self.r_list = r_list
        self.struct: Any = GcStruct("listiter", ("list", r_list.lowleveltype), ("index", Signed))
        self.lowleveltype = Ptr(self.struct)
        self.s_item = r_list.s_item

    @property
    def r_item(self) -> Repr:  # type: ignore[override]
        return self.r_list.r_item

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        v_list, v_index = self.state(llops, v)
        v_length = self.r_list.length(llops, v_list)
        return llops.gendirectcall(ll_list.ll_remaining, v_index, v_length)

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        v_iter = llops.genop("malloc", [void(self.struct), GC_FLAGS], self.lowleveltype)
        llops.genop("setfield", [v_iter, void("list"), v])
        llops.genop("setfield", [v_iter, void("index"), self.first_index(llops, v)])
        return v_iter

    def first_index(self, llops: LowLevelOpList, v: Value) -> Value:
        return ZERO

    def state(self, llops: LowLevelOpList, v_iter: Value) -> tuple[Value, Value]:
        """The list and the index."""
        v_list = llops.genop("getfield", [v_iter, void("list")], self.r_list.lowleveltype)
        return v_list, llops.genop("getfield", [v_iter, void("index")], Signed)

    def more(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        v_list, v_index = self.state(llops, v_iter)
        return llops.genop("int_lt", [v_index, self.r_list.length(llops, v_list)], Bool)

    def fetch(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        v_list, v_index = self.state(llops, v_iter)
        v_next = llops.genop("int_add", [v_index, ONE], Signed)
        llops.genop("setfield", [v_iter, void("index"), v_next])
        return self.r_list.getitem(llops, v_list, v_index)

    def exhausted(self, llops: LowLevelOpList, v_iter: Value) -> None:
        # items appended later do not revive it
        llops.genop("setfield", [v_iter, void("index"), MAXINT])


class ReversedListIteratorRepr(ListIteratorRepr):
    """A list and the index of the next item, counting down."""

    def length_hint(self, llops: LowLevelOpList, v: Value) -> Value | None:
        return llops.genop("int_add", [self.state(llops, v)[1], ONE], Signed)

    def first_index(self, llops: LowLevelOpList, v: Value) -> Value:
        return llops.genop("int_sub", [self.r_list.length(llops, v), ONE], Signed)

    def more(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        # one unsigned comparison: -1 is beyond every length
        v_list, v_index = self.state(llops, v_iter)
        return llops.gendirectcall(
            ll_list.ll_index_in_range, v_index, self.r_list.length(llops, v_list)
        )

    def fetch(self, llops: LowLevelOpList, v_iter: Value) -> Value:
        v_list, v_index = self.state(llops, v_iter)
        v_next = llops.genop("int_sub", [v_index, ONE], Signed)
        llops.genop("setfield", [v_iter, void("index"), v_next])
        return self.r_list.getitem(llops, v_list, v_index)

    def exhausted(self, llops: LowLevelOpList, v_iter: Value) -> None:
        llops.genop("setfield", [v_iter, void("index"), Constant(-1, Signed)])


@HASHES.register("hash", BaseListRepr)
def hash_list(llops: LowLevelOpList, v: Value, r: BaseListRepr) -> Value:
    return refuse_hash(llops, "list")
