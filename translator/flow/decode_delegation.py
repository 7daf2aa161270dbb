"""Decoding rules of what hands out the items of another iterator: ``yield from``, ``await`` and
``async for``, which every supported CPython writes in the same way.

::

    await x     GET_AWAITABLE; LOAD_CONST None; SEND end;    ->   [x.__await__()]
                YIELD_VALUE; RESUME; JUMP_BACKWARD; end:          loop: NEXT, end; YIELD; JUMP loop
                                                                  end: generator_result(...)
"""

from __future__ import annotations

import dis

from rpython.translator.flow.decode_common import Frame, Rule
from rpython.translator.flow.instructions import Op
from rpython.translator.ir.intrinsics import (
    ProtocolMethod,
    async_item,
    generator_result,
    send_through,
)


def skip_loop(frame: Frame) -> None:
    """Leave out LOAD_CONST None; SEND end; YIELD_VALUE; RESUME; JUMP_BACKWARD; and END_SEND."""
    send = frame.raw[frame.index + 1]
    assert send.opname == "SEND", send.opname
    frame.skip_to(frame.at(send.argval))
    if frame.is_at("END_SEND"):
        frame.skip_to(frame.index + 1)


def yield_from(frame: Frame, ins: dis.Instruction) -> None:
    """[x] -> [the value of ``yield from x``]"""
    frame.pure("iter", 1)
    _delegate(frame)


def await_(frame: Frame, ins: dis.Instruction) -> None:
    """[x] -> [the value of ``await x``]"""
    _call_protocol(frame, "__await__")
    _delegate(frame)


def await_next(frame: Frame, ins: dis.Instruction) -> None:
    """[iterator] -> [iterator, its next item]"""
    frame.emit(Op.COPY, 1)
    _call_protocol(frame, "__anext__")
    await_(frame, ins)


def end_async_for(frame: Frame, ins: dis.Instruction) -> None:
    """[iterator, exception] -> []; what is no StopAsyncIteration is raised again."""
    frame.emit(Op.CONST, StopAsyncIteration)
    frame.emit(Op.MATCH_EXCEPTION)
    at_end = frame.emit(Op.BRANCH)
    frame.emit(Op.RERAISE)
    at_end.jump = len(frame.decoder.instrs)
    frame.emit(Op.POP)
    frame.emit(Op.POP)


def wrap_item(frame: Frame, ins: dis.Instruction) -> None:
    """[x] -> [x as an item of an asynchronous generator]"""
    frame.emit(Op.CONST, async_item)
    frame.emit(Op.SWAP, 2)
    frame.emit(Op.NULL)
    frame.emit(Op.SWAP, 2)
    frame.emit(Op.CALL, 1)


def call_protocol(name: str) -> Rule:
    """Opcodes that call that method of the value on the stack."""
    return lambda frame, ins: _call_protocol(frame, name)


def _call_protocol(frame: Frame, name: str) -> None:
    frame.emit(Op.GET_ATTR, ProtocolMethod(name))
    frame.emit(Op.NULL)
    frame.emit(Op.CALL, 0)


def _delegate(frame: Frame) -> None:
    """[iterator] -> [its result], handing its items out"""
    skip_loop(frame)
    unused = frame.is_at("POP_TOP")
    if not unused:
        frame.emit(Op.COPY, 1)
    instrs = frame.decoder.instrs
    head = len(instrs)
    item = frame.emit(Op.NEXT)
    frame.emit(Op.YIELD, True)
    frame.emit(Op.COPY, 1)
    test = frame.emit(Op.BRANCH_NONE)
    frame.emit(Op.CONST, send_through)
    frame.emit(Op.SWAP, 2)
    frame.emit(Op.NULL)
    frame.emit(Op.SWAP, 2)
    frame.emit(Op.COPY, 4)
    frame.emit(Op.SWAP, 2)
    frame.emit(Op.CALL, 2)
    test.jump = len(instrs)
    frame.emit(Op.POP)
    frame.emit(Op.JUMP).next = head
    item.jump = len(instrs)
    if unused:
        frame.index += 1
        frame.emit(Op.NOP)
        return
    frame.emit(Op.CONST, generator_result)
    frame.emit(Op.SWAP, 2)
    frame.emit(Op.NULL)
    frame.emit(Op.SWAP, 2)
    frame.emit(Op.CALL, 1)
