"""Definite assignment of captured variables, instruction by instruction.

They are assigned by STORE_DEREF and DELETE_DEREF only, or what became of these.  Other
instructions on their slots save, use and restore these for a comprehension's variable of the
same name.
"""

from __future__ import annotations

from rpython.translator.flow.instructions import Op, Program


def surely_bound(program: Program) -> list[int]:
    """For each instruction the slots of captured variables, as a bitset, that are bound before
    it whatever way led there.  Forward data flow; instructions that are not reached have all
    slots."""
    instrs = program.instrs
    everything = (1 << len(program.slots)) - 1
    bound = [everything] * len(instrs)
    captured = 0
    for slot in program.captured:
        captured |= 1 << slot
    bound[program.entry] = (1 << program.nargs) - 1 | captured
    todo = [program.entry]
    seen = {program.entry}
    while todo:
        index = todo.pop()
        instr = instrs[index]
        before = after = bound[index]
        if instr.op is Op.STORE_DEREF:
            after |= 1 << instr.arg
        elif instr.op is Op.STORE_CONTENTS:
            after |= 1 << instr.arg[0]
        elif instr.op is Op.DELETE_DEREF:
            after &= ~(1 << instr.arg)
        elif instr.op is Op.DELETE_CONTENTS or (instr.op is Op.NEW_CELL and not instr.arg[1]):
            after &= ~(1 << instr.arg[0])
        ways = [(successor, after) for successor in instr.successors()]
        if instr.handler is not None:
            ways.append((instr.handler.target, before))
        for target, known in ways:
            joined = bound[target] & known
            if joined != bound[target] or target not in seen:
                bound[target] = joined
                seen.add(target)
                todo.append(target)
    return bound
