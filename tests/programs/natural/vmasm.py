"""Assembler and virtual machine for a toy CPU."""
from __future__ import annotations
import re
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum, unique
from typing import Final


@unique
class Op(IntEnum):
    HALT = 0
    PUSH = 1
    POP = 2
    ADD = 3
    SUB = 4
    MUL = 5
    DIV = 6
    DUP = 7
    SWAP = 8
    JMP = 16
    JZ = 17
    JNZ = 18
    CALL = 19
    RET = 20
    LOAD = 32
    STORE = 33
    PRINT = 64
    PRINTS = 65

    @property
    def has_operand(self) -> bool:
        return self in {Op.PUSH, Op.JMP, Op.JZ, Op.JNZ, Op.CALL, Op.LOAD, Op.STORE, Op.PRINTS}


class AsmError(Exception):
    def __init__(self, msg: str, line: int) -> None:
        super().__init__(f"line {line}: {msg}")
        self.line = line


class VMError(RuntimeError):
    pass


LABEL: Final = re.compile(r"^(\w+):\s*(.*)$")
WORD: Final = struct.Struct("<Bi")


class Assembler:
    def __init__(self, source: str):
        self.source = source
        self.labels: dict[str, int] = {}
        self.strings: list[str] = []
        self.fixups: list[tuple[int, str, int]] = []
        self.code: list[tuple[Op, int]] = []

    def assemble(self) -> bytes:
        for number, line in enumerate(self.source.split("\n"), 1):
            line = line.partition(";")[0].strip()
            if m := LABEL.match(line):
                name, line = m.groups()
                if name in self.labels:
                    raise AsmError(f"duplicate label {name!r}", number)
                self.labels[name] = len(self.code)
            if line:
                self.instruction(line, number)
        for index, name, number in self.fixups:
            try:
                self.code[index] = self.code[index][0], self.labels[name]
            except KeyError:
                raise AsmError(f"unknown label {name}", number) from None
        return b"".join(WORD.pack(op, arg) for op, arg in self.code)

    def instruction(self, line: str, number: int) -> None:
        mnemonic, _, rest = line.partition(" ")
        rest = rest.strip()
        try:
            op = Op[mnemonic.upper()]
        except KeyError:
            raise AsmError(f"unknown instruction {mnemonic}", number)
        if op.has_operand != bool(rest):
            raise AsmError(f"{op.name} {'needs' if op.has_operand else 'takes no'} operand", number)
        arg = 0
        if op is Op.PRINTS:
            self.strings.append(rest.strip('"').encode().decode("unicode_escape"))
            arg = len(self.strings) - 1
        elif rest:
            if re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", rest):
                arg = int(rest, 0)
            else:
                self.fixups.append((len(self.code), rest, number))
        self.code.append((op, arg))


@dataclass
class VM:
    code: bytes
    strings: list[str]
    stack: list[int] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    memory: dict[int, int] = field(default_factory=dict)
    pc: int = 0
    steps: int = 0

    def __post_init__(self):
        self.table: dict[Op, Callable[[int], bool | None]] = {
            Op.HALT: lambda _: True,
            Op.PUSH: self.stack.append,
            Op.POP: lambda _: self.pop() and None,
            Op.ADD: self.binary(lambda a, b: a + b),
            Op.SUB: self.binary(lambda a, b: a - b),
            Op.MUL: self.binary(lambda a, b: a * b),
            Op.DIV: self.binary(lambda a, b: a // b),
            Op.DUP: lambda _: self.stack.append(self.stack[-1]),
            Op.SWAP: self.swap,
            Op.JMP: self.jump,
            Op.JZ: lambda t: self.jump(t) if self.pop() == 0 else None,
            Op.JNZ: lambda t: self.jump(t) if self.pop() != 0 else None,
            Op.CALL: self.call,
            Op.RET: lambda _: self.jump(self.calls.pop()),
            Op.LOAD: lambda a: self.stack.append(self.memory.get(a, 0)),
            Op.STORE: lambda a: self.memory.__setitem__(a, self.pop()),
            Op.PRINT: lambda _: print(self.pop()),
            Op.PRINTS: lambda i: print(self.strings[i], end=""),
        }

    def pop(self) -> int:
        if not self.stack:
            raise VMError(f"stack underflow at {self.pc - 1}")
        return self.stack.pop()

    def binary(self, f: Callable[[int, int], int]):
        def run(_: int) -> None:
            b, a = self.pop(), self.pop()
            self.stack.append(f(a, b))
        return run

    def swap(self, _: int) -> None:
        self.stack[-1], self.stack[-2] = self.stack[-2], self.stack[-1]

    def jump(self, target: int) -> None:
        self.pc = target

    def call(self, target: int) -> None:
        self.calls.append(self.pc)
        self.pc = target

    def run(self, limit: int = 100_000) -> None:
        program = [(Op(o), a) for o, a in WORD.iter_unpack(self.code)]
        while self.steps < limit:
            self.steps += 1
            op, arg = program[self.pc]
            self.pc += 1
            if self.table[op](arg):
                return
        raise VMError("too many steps")


FACT = """
start:  push 10
        call fact
        prints "10! = "
        print
        push 0x10
        store 1
loop:   load 1
        push -3
        add
        dup
        store 1
        dup
        print
        push 7
        sub
        jnz loop
        prints "done\\n"
        halt
fact:   dup         ; n n
        jz one
        dup
        push 1
        sub
        call fact
        mul
        ret
one:    pop
        push 1
        ret
"""


def execute(source: str) -> None:
    try:
        asm = Assembler(source)
        code = asm.assemble()
        vm = VM(code, asm.strings)
        vm.run()
        print(f"{len(code)} bytes, {vm.steps} steps, labels {asm.labels}, memory {vm.memory}")
    except AsmError as e:
        print("assembly failed:", e, f"({e.line})")
    except (VMError, ZeroDivisionError) as e:
        print(f"{type(e).__name__}: {e}")


def main() -> None:
    for source in (FACT, "push 1\npush 0\ndiv", "add", "frob 3", "a: jmp b", "x: jmp x", "x: halt\nx: halt", "push"):
        execute(source)
    print(repr(Op.ADD), Op.ADD + 1, list(Op)[-1].name, Op(3) is Op.ADD)


if __name__ == "__main__":
    main()
