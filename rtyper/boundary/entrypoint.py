"""The graphs around the entry point of an executable.

    rpy_entry_point() -> Signed        builds argv, calls the program, turns SystemExit into
                                       the exit status
    rpy_exception_text(exception)      what the last line of a traceback says, in UTF-8
    rpy_exception_notes(exception)     the lines below it, in programs that use add_note
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import s_Str
from rpython.lltypesystem.lltype import FuncType, Signed, Void
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.lltypesystem.rstr import BYTESPTR, STRPTR
from rpython.rtyper.boundary.marshal import Frame, counting
from rpython.rtyper.builtins.print import stream
from rpython.rtyper.kinds.exitcodes import EXIT_CODE
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr
from rpython.rtyper.kinds.list import BaseListRepr
from rpython.rtyper.ll import ll_entry, ll_exit
from rpython.rtyper.rmodel import NoneRepr
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Block, Constant, FunctionGraph, Link, Value, Variable

if TYPE_CHECKING:
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


def entry_exports(rtyper: RPythonTyper, graph: FunctionGraph) -> dict[str, FunctionGraph]:
    """The graphs an executable exports, by C symbol, for the annotated graph of its entry
    point ``(argv) -> int``.  Raises TyperError when it returns something else."""
    exports = {"rpy_entry_point": _entry_graph(rtyper, graph), TEXT: text_graph(rtyper, TEXT)}
    notes = rtyper.annotator.constants.classdef(BaseException).find_attribute("__notes__")
    if notes is not None and notes.s_value.kinds:
        exports[NOTES] = text_graph(rtyper, NOTES)
    return exports


def _entry_graph(rtyper: RPythonTyper, graph: FunctionGraph) -> FunctionGraph:
    frame = Frame(rtyper, "rpy_entry_point", FuncType([], Signed))
    llops = frame.llops
    r_argv = rtyper.bindingrepr(graph.getargs()[0])
    assert isinstance(r_argv, BaseListRepr)
    v_argv = _argument_list(llops, r_argv)
    _fill_sys_argv(rtyper, llops)
    exit_link = _exit_link(rtyper, frame)
    llops.handlers = lambda: [exit_link]
    v_result = llops.call_pointer(rtyper.graph_pointer(graph), [v_argv])
    llops.handlers = None
    return frame.finish(_status(rtyper, graph, frame, v_result))


def _argument_list(llops: LowLevelOpList, r_list: BaseListRepr) -> Value:
    """A new list of the command line's arguments."""
    v_argc = llops.gendirectcall(ll_entry.ll_argc)
    v_list = r_list.newlist(llops, v_argc)
    for v_index in counting(llops, v_argc):
        v_text = llops.gendirectcall(ll_entry.ll_argument, v_index)
        r_list.setitem(llops, v_list, v_index, v_text)
    return v_list


def _fill_sys_argv(rtyper: RPythonTyper, llops: LowLevelOpList) -> None:
    """When the program uses ``sys.argv``: the prebuilt list, which is empty in the
    executable, gets the arguments."""
    known = prebuilt_argv(rtyper)
    if known is None:
        return
    r, v_argv = known
    v_new = _argument_list(llops, r)
    for name, T in (("length", Signed), ("items", r.itemsptr)):
        v_field = llops.genop("getfield", [v_new, void(name)], T)
        llops.genop("setfield", [v_argv, void(name), v_field])


def prebuilt_argv(rtyper: RPythonTyper) -> tuple[Any, Constant] | None:
    """The Repr of ``sys.argv`` and the prebuilt list, which is empty; None when the program does
    not use it."""
    s_argv = rtyper.annotator.constants.known_container(sys.argv)
    if s_argv is None:
        return None
    r: Any = rtyper.getrepr(s_argv)
    memory = rtyper.prebuilt.get(
        r, sys.argv, r.make_prebuilt, lambda p, _: r.fill_prebuilt(p, [])
    )
    return r, Constant(memory, r.lowleveltype)


def _status(rtyper: RPythonTyper, graph: FunctionGraph, frame: Frame, v_result: Value) -> Value:
    """The exit status that the entry point's result stands for."""
    r_result = rtyper.bindingrepr(graph.getreturnvar())
    if isinstance(r_result, (IntegerRepr, BoolRepr)):
        return frame.llops.convertvar(v_result, r_result, rtyper.primitive_repr(Signed))
    if isinstance(r_result, NoneRepr) or r_result.lowleveltype is Void:
        return Constant(0, Signed)
    raise TyperError("the entry point must return an int, the exit status", graph.span)


def _exit_link(rtyper: RPythonTyper, frame: Frame) -> Link:
    """Catches SystemExit and returns its code."""
    classdef = rtyper.annotator.constants.classdef(SystemExit)
    r_exit: Any = rtyper.instance_repr(classdef)
    caught = Variable("exit", OBJECTPTR)
    block = Block([Variable("exit", OBJECTPTR)])
    link = Link([caught], block, SystemExit)
    link.last_exc_value = caught
    link.llexitcase = rtyper.classes.vtable(classdef)
    outer = frame.llops.block
    frame.llops.at(block)
    llops = frame.llops
    v_exit = rtyper.classes.cast(block.inputargs[0], r_exit.lowleveltype, llops)
    v_code = llops.genop("getfield", [v_exit, void(EXIT_CODE)], Signed)
    r_base = r_exit.exception_base()
    v_base = rtyper.classes.cast(v_exit, r_base.lowleveltype, llops)
    v_message = llops.genop("getfield", [v_base, void("message")], STRPTR)
    v_message = rtyper.texts.shown(llops, v_message, "")
    v_status = llops.gendirectcall(
        ll_exit.ll_exit_status, v_code, v_message, stream(rtyper, 2)
    )
    llops.goto(frame.llgraph.returnblock, v_status)
    frame.llops.at(outer)
    return link


TEXT, NOTES = "rpy_exception_text", "rpy_exception_notes"
REPORTS = {TEXT: ll_entry.exception_text, NOTES: ll_entry.exception_notes}
"""What reports exceptions, by C symbol."""


def text_graph(rtyper: RPythonTyper, symbol: str) -> FunctionGraph:
    """The graph ``(exception) -> bytes`` of one of those."""
    frame = Frame(rtyper, symbol, FuncType([OBJECTPTR], BYTESPTR))
    llops = frame.llops
    constants = rtyper.annotator.constants
    r_base: Any = rtyper.instance_repr(constants.classdef(BaseException))
    v_base = rtyper.classes.cast(frame.args[0], r_base.lowleveltype, llops)
    (graph,) = constants.function_desc(REPORTS[symbol]).graphs.values()
    v_text: Value = llops.call_pointer(rtyper.graph_pointer(graph), [v_base])
    v_text = llops.convertvar(
        v_text, rtyper.bindingrepr(graph.getreturnvar()), rtyper.getrepr(s_Str)
    )
    return frame.finish(llops.gendirectcall(ll_entry.ll_message_bytes, v_text))
