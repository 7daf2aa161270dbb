"""A register machine: an assembler, a disassembler and a virtual machine.

    vm.py PROGRAM.asm          assemble and run
    vm.py -d PROGRAM.asm       assemble and list
    vm.py -t PROGRAM.asm       run, and print what was executed how often

The machine has sixteen registers of 32 bits, which wrap, and 64 KiB of memory.  An
instruction is four bytes: the operation, two registers in one byte, and a 16-bit immediate,
little-endian.  A line of assembly is ``label: op operands ; comment``; ``.byte`` and ``.word``
put data in place.
"""

from __future__ import annotations

import os
import sys

from rpython.rlib.rarithmetic import intmask, r_int32, r_uint32

MEMORY_SIZE = 65536
STACK_POINTER = 15

# -- the instructions ---------------------------------------------------------------------------

NAMES = (
    "halt li lui addi mov add sub mul divu remu and or xor shl shr sar ldb ldw stb stw "
    "jmp beq bne blt bltu call ret push pop putc putn putx"
).split()
CODES = {name: code for code, name in enumerate(NAMES)}
(
    HALT, LI, LUI, ADDI, MOV, ADD, SUB, MUL, DIVU, REMU, AND, OR, XOR, SHL, SHR, SAR, LDB, LDW,
    STB, STW, JMP, BEQ, BNE, BLT, BLTU, CALL, RET, PUSH, POP, PUTC, PUTN, PUTX,
) = range(len(NAMES))  # fmt: skip

SHAPES = {
    **dict.fromkeys(("halt", "ret"), ""),
    **dict.fromkeys(("li", "lui"), "ri"),
    **dict.fromkeys(("addi", "ldb", "ldw", "stb", "stw"), "rri"),
    **dict.fromkeys("mov add sub mul divu remu and or xor shl shr sar".split(), "rr"),
    **dict.fromkeys(("jmp", "call"), "i"),
    **dict.fromkeys(("beq", "bne", "blt", "bltu"), "rri"),
    **dict.fromkeys(("push", "pop", "putc", "putn", "putx"), "r"),
}
"""The operands of each instruction: r is a register, i an immediate."""


class VMError(Exception):
    pass


class AssemblyError(VMError):
    def __init__(self, line: int, message: str):
        super().__init__(f"line {line}: {message}")
        self.line = line


# -- the assembler --------------------------------------------------------------------------------


class Assembler:
    """Two passes: the first finds where the labels are, the second writes the bytes."""

    def __init__(self, source: str):
        self.lines = source.splitlines()
        self.labels: dict[str, int] = {}
        self.code = bytearray()
        self.line = 0
        self.writing = False

    def assemble(self) -> bytes:
        for self.writing in (False, True):
            self.code.clear()
            for number, line in enumerate(self.lines, 1):
                self.line = number
                self.statement(line.partition(";")[0].strip())
        return bytes(self.code)

    def statement(self, text: str) -> None:
        if ":" in text and "'" not in text.partition(":")[0]:
            label, _, text = text.partition(":")
            if not self.writing:
                if label in self.labels:
                    raise self.error(f"label {label!r} is defined twice")
                self.labels[label] = len(self.code)
        name, _, rest = text.strip().partition(" ")
        operands = [part.strip() for part in rest.split(",")] if rest.strip() else []
        if name == ".byte":
            self.code += bytes([self.value(part) & 0xFF for part in operands])
        elif name == ".word":
            for part in operands:
                self.code += (self.value(part) & 0xFFFFFFFF).to_bytes(4, "little")
        elif name:
            self.instruction(name, operands)

    def instruction(self, name: str, operands: list[str]) -> None:
        shape = SHAPES.get(name)
        if shape is None:
            raise self.error(f"unknown instruction {name!r}")
        if len(operands) != len(shape):
            raise self.error(f"{name} takes {len(shape)} operands, not {len(operands)}")
        registers = [self.register(part) for part, kind in zip(operands, shape) if kind == "r"]
        immediate = self.value(operands[-1]) if shape.endswith("i") else 0
        if not -0x8000 <= immediate <= 0xFFFF:
            raise self.error(f"{immediate} does not fit in 16 bits")
        first, second, *_ = [*registers, 0, 0]
        self.code += bytes([CODES[name], first << 4 | second])
        self.code += (immediate & 0xFFFF).to_bytes(2, "little")

    def register(self, text: str) -> int:
        if text == "sp":
            return STACK_POINTER
        if not text.startswith("r") or not text[1:].isdigit() or int(text[1:]) > 15:
            raise self.error(f"{text!r} is no register")
        return int(text[1:])

    def value(self, text: str) -> int:
        """A number, a character or the address of a label."""
        if len(text) == 3 and text[0] == text[2] == "'":
            return ord(text[1])
        if text[:1].isalpha() or text.startswith("_"):
            if not self.writing:
                return 0
            if text not in self.labels:
                raise self.error(f"unknown label {text!r}")
            return self.labels[text]
        try:
            return int(text, 0)
        except ValueError as error:
            raise self.error(str(error)) from None

    def error(self, message: str) -> AssemblyError:
        return AssemblyError(self.line, message)


def disassemble(code: bytes) -> list[str]:
    lines = []
    for address in range(0, len(code) - 3, 4):
        raw = code[address : address + 4]
        line = f"{address:04x}  {raw.hex(' ')}"
        if raw[0] < len(NAMES):
            name = NAMES[raw[0]]
            registers = [f"r{raw[1] >> 4}", f"r{raw[1] & 15}"]
            immediate = hex(int.from_bytes(raw[2:], "little"))
            shape = SHAPES[name]
            operands = registers[: shape.count("r")] + [immediate] * shape.count("i")
            line = f"{line}  {name:<5}{', '.join(operands)}".rstrip()
        lines.append(line)
    return lines


# -- the machine ----------------------------------------------------------------------------------


class Machine:
    def __init__(self, code: bytes):
        if len(code) > MEMORY_SIZE:
            raise VMError("the program is too large")
        self.memory = bytearray(MEMORY_SIZE)
        self.memory[: len(code)] = code
        self.registers = [r_uint32(0)] * 16
        self.registers[STACK_POINTER] = r_uint32(MEMORY_SIZE)
        self.pc = 0
        self.counts = [0] * len(NAMES)
        self.output: list[str] = []

    # -- memory

    def check(self, address: int, size: int) -> None:
        if not 0 <= address <= MEMORY_SIZE - size:
            raise VMError(f"address {address:#x} is outside the memory at {self.pc - 4:#06x}")

    def load_word(self, address: int) -> r_uint32:
        self.check(address, 4)
        memory = self.memory
        word = memory[address] | memory[address + 1] << 8 | memory[address + 2] << 16
        return r_uint32(word | memory[address + 3] << 24)

    def store_word(self, address: int, value: r_uint32) -> None:
        self.check(address, 4)
        word = int(value)
        for i in range(4):
            self.memory[address + i] = word >> 8 * i & 0xFF

    def push(self, value: r_uint32) -> None:
        self.registers[STACK_POINTER] -= r_uint32(4)
        self.store_word(int(self.registers[STACK_POINTER]), value)

    def pop(self) -> r_uint32:
        value = self.load_word(int(self.registers[STACK_POINTER]))
        self.registers[STACK_POINTER] += r_uint32(4)
        return value

    # -- execution

    def run(self, limit: int = 1 << 40) -> int:
        """Run until ``halt``; the number of instructions executed."""
        done = 0
        while done < limit:
            done += 1
            if not self.step():
                return done
        raise VMError(f"no end after {limit} instructions")

    def step(self) -> bool:
        """Execute one instruction; False: it was the last."""
        pc = self.pc
        self.check(pc, 4)
        memory, registers = self.memory, self.registers
        op, pair = memory[pc], memory[pc + 1]
        unsigned = memory[pc + 2] | memory[pc + 3] << 8
        immediate = (unsigned ^ 0x8000) - 0x8000
        a, b = pair >> 4, pair & 15
        self.pc = pc + 4
        if op >= len(self.counts):
            raise VMError(f"illegal instruction {op:#04x} at {pc:#06x}")
        self.counts[op] += 1
        if op == HALT:
            return False
        if op == LI:
            registers[a] = r_uint32(intmask(immediate))
        elif op == LUI:
            registers[a] = r_uint32(unsigned << 16)
        elif op == ADDI:
            registers[a] = registers[b] + r_uint32(intmask(immediate))
        elif op <= SAR:
            registers[a] = self.compute(op, registers[a], registers[b])
        elif op <= STW:
            self.access(op, a, int(registers[b]) + immediate)
        elif op <= BLTU:
            if self.branches(op, registers[a], registers[b]):
                self.pc = unsigned
        elif op == CALL:
            self.push(r_uint32(self.pc))
            self.pc = unsigned
        elif op == RET:
            self.pc = int(self.pop())
        elif op == PUSH:
            self.push(registers[a])
        elif op == POP:
            registers[a] = self.pop()
        else:
            self.put(op, registers[a])
        return True

    def compute(self, op: int, left: r_uint32, right: r_uint32) -> r_uint32:
        """The two-register operations: ``left op right``."""
        if op == MOV:
            return right
        if op == ADD:
            return left + right
        if op == SUB:
            return left - right
        if op == MUL:
            return left * right
        if op == AND:
            return left & right
        if op == OR:
            return left | right
        if op == XOR:
            return left ^ right
        count = int(right) & 31
        if op == SHL:
            return left << count
        if op == SHR:
            return left >> count
        if op == SAR:
            return r_uint32(intmask(r_int32(intmask(left)) >> count))
        try:
            return left // right if op == DIVU else left % right
        except ZeroDivisionError:
            raise VMError(f"division by zero at {self.pc - 4:#06x}") from None

    def access(self, op: int, register: int, address: int) -> None:
        if op == LDW:
            self.registers[register] = self.load_word(address)
        elif op == STW:
            self.store_word(address, self.registers[register])
        else:
            self.check(address, 1)
            if op == LDB:
                self.registers[register] = r_uint32(self.memory[address])
            else:
                self.memory[address] = int(self.registers[register]) & 0xFF

    def branches(self, op: int, left: r_uint32, right: r_uint32) -> bool:
        if op == BEQ:
            return left == right
        if op == BNE:
            return left != right
        if op == BLT:
            return r_int32(intmask(left)) < r_int32(intmask(right))
        return left < right if op == BLTU else True

    def put(self, op: int, value: r_uint32) -> None:
        if op == PUTC:
            self.output.append(chr(int(value) & 0xFF))
        elif op == PUTN:
            self.output.append(str(int(r_int32(intmask(value)))))
        else:
            self.output.append(f"{int(value):08x}")

    def profile(self) -> list[tuple[int, str]]:
        """How often each instruction was executed, the most frequent first."""
        used = [(count, NAMES[op]) for op, count in enumerate(self.counts) if count]
        return sorted(used, key=lambda entry: (-entry[0], entry[1]))


# -- the program ----------------------------------------------------------------------------------


def read_file(path: str) -> str:
    fd = os.open(path, os.O_RDONLY)
    data = bytearray()
    while part := os.read(fd, 65536):
        data += part
    os.close(fd)
    return data.decode("utf-8")


def entry_point(argv: list[str]) -> int:
    mode, *paths = argv[1:] if len(argv) > 1 and argv[1] in ("-d", "-t") else ["", *argv[1:]]
    if len(paths) != 1:
        print("usage: vm.py [-d|-t] PROGRAM.asm", file=sys.stderr)
        return 2
    try:
        code = Assembler(read_file(paths[0])).assemble()
        if mode == "-d":
            print("\n".join(disassemble(code)))
            return 0
        machine = Machine(code)
        try:
            done = machine.run()
        finally:
            print("".join(machine.output), end="")
        if mode == "-t":
            for count, name in machine.profile():
                print(f"{name:<5}{count:>10,}{count / done:>8.1%}")
    except OSError as error:
        print(f"vm: {paths[0]}: {error.strerror}", file=sys.stderr)
        return 1
    except VMError as error:
        print(f"vm: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
