"""Keep locals alive to the end of their scope, as CPython's frames do.

A frame of CPython keeps what its variables hold until they get another value, are deleted, or
the function ends, whether or not anybody reads them again.  Weak references and finalizers can
tell; in programs that have such (``annotator.program.scope_keep_alive``), graphs say it::

    q = Node()                              b1(c):     q = Node()
    watch(q)                                           watch(q); if c goto b2(q) else b3(q)
    if c: work()                =>          b2(q1):    work(); goto b3(q1)
    return 1                                b3(q2):    keep_in_scope(q2); return 1

It is said where a variable gets another value, where the function returns or raises, and at the
beginning of each loop, which may never end.  Variables that are there for this alone are *held*:
they may be of several kinds, one after the other, which no other variable may; the annotator
looks at them apart.  Generators do not say it (what they keep lies in attributes, which are of one
kind), and the variables of comprehensions are not meant: they end with them.
"""

from __future__ import annotations

from rpython.translator.ir.intrinsics import keep_in_scope
from rpython.translator.ir.model import Constant, FunctionGraph, SpaceOperation, Value, Variable


def held_value(value: Value) -> Value:
    """What stands for a value that is held: constants are there for ever."""
    return value if isinstance(value, Variable) else Constant(None)


def says_held(op: SpaceOperation) -> bool:
    """Does the operation say what is held?"""
    called = op.args[0] if op.opname == "simple_call" else None
    return isinstance(called, Constant) and called.value is keep_in_scope


def held_variables(graph: FunctionGraph) -> set[Variable]:
    """The inputargs that are there only to be held."""
    ends = (graph.startblock, graph.returnblock, graph.exceptblock)
    comes_from: dict[Variable, list[Value]] = {}
    read: list[Value] = []
    inputargs: set[Variable] = set()
    for block in graph.iterblocks():
        if block not in ends:
            inputargs.update(block.inputargs)
        for op in block.operations:
            if not says_held(op):
                read += op.args
        if isinstance(block.exitswitch, Variable):
            read.append(block.exitswitch)
        for link in block.exits:
            for arg, v in zip(link.args, link.target.inputargs):
                if link.target in ends:
                    read.append(arg)
                else:
                    comes_from.setdefault(v, []).append(arg)
    while read:
        value = read.pop()
        if isinstance(value, Variable) and value in inputargs:
            inputargs.discard(value)
            read += comes_from.get(value, [])
    return inputargs


def drop_constants(graph: FunctionGraph) -> bool:
    """What turned out to be constant, or absent, need not be held.  Was there any such?"""
    held = held_variables(graph)
    changed = False
    for block in graph.iterblocks():
        for op in block.operations:
            if says_held(op) and any(isinstance(arg, Constant) for arg in op.args[1:]):
                op.args[1:] = [arg for arg in op.args[1:] if isinstance(arg, Variable)]
                changed = True
        block.operations = [op for op in block.operations if len(op.args) > 1 or not says_held(op)]
        for link in block.exits:
            for i, v in enumerate(link.target.inputargs):
                arg = link.args[i]
                if v in held and isinstance(arg, Constant) and arg.value is not None:
                    link.args[i] = held_value(arg)
                    changed = True
    return changed
