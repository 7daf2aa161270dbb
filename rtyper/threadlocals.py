"""Attributes of thread-local objects; see ``annotator.program.threadlocals``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.annotator.program.threadlocals import local_operand
from rpython.rtyper.callables import Operand

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


def use_storage(hop: HighLevelOp) -> None:
    """Put the running thread's storage in place of the object, if the operation is on one."""
    found = local_operand(hop.opname, hop.args_s)
    if found is None:
        return
    place, getter = found
    s = hop.rtyper.annotator.constants.annotation_of(getter)
    r = hop.rtyper.getrepr(s)
    function = Operand(r.inputconst(getter), s, r)
    storage = hop.rtyper.calls.apply(hop.llops, function, [Operand(*hop.operand(place))])
    hop.replace_arg(place, storage.v, storage.s, storage.r)
