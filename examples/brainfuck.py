"""Run a brainfuck program.

    brainfuck.py PROGRAM.bf     with the program's input on standard input

The tape has 30000 cells of one byte, which wrap around; leaving it is an error.
Reading after the end of the input gives 0.  The programs in `brainfuck/` are to try.

The source is first compiled to instructions: a row of `+-` or `<>` is one instruction,
and so is a loop that only adds multiples of its cell to other cells, such as `[->++<]`.
"""

import os
import sys

TAPE_SIZE = 30000

# The instructions: what they do to the tape, and their two arguments a and b.
ADD = 0  # add a to the cell
MOVE = 1  # move the pointer by a
JUMP_IF_ZERO = 2  # continue at a
JUMP_IF_NOT_ZERO = 3  # continue at a
ADD_MULTIPLE = 4  # add b times the cell to the one at a from here
CLEAR = 5  # make the cell 0
WRITE = 6
READ = 7


class BrainfuckError(Exception):
    def __init__(self, message: str) -> None:
        self.message = message


class Console:
    """What a program reads and writes."""

    def read(self) -> int:
        """The next byte, 0 at the end."""
        raise NotImplementedError

    def write(self, byte: int) -> None:
        raise NotImplementedError


class BytesConsole(Console):
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.pos = 0
        self.written = bytearray()

    def read(self) -> int:
        if self.pos >= len(self.data):
            return 0
        self.pos += 1
        return self.data[self.pos - 1]

    def write(self, byte: int) -> None:
        self.written.append(byte)


class StandardConsole(BytesConsole):
    """Standard input and output.  Output is shown before the program waits for input."""

    def read(self) -> int:
        if self.pos >= len(self.data):
            self.flush()
            self.data = os.read(0, 4096)
            self.pos = 0
        return BytesConsole.read(self)

    def write(self, byte: int) -> None:
        self.written.append(byte)
        if len(self.written) >= 4096:
            self.flush()

    def flush(self) -> None:
        data = bytes(self.written)
        self.written = bytearray()
        while len(data) > 0:
            data = data[os.write(1, data) :]


class Program:
    """Compiled instructions: three lists of equal length."""

    def __init__(self) -> None:
        self.ops: list[int] = []
        self.a: list[int] = []
        self.b: list[int] = []

    def emit(self, op: int, a: int, b: int) -> None:
        self.ops.append(op)
        self.a.append(a)
        self.b.append(b)

    def emit_run(self, op: int, amount: int) -> None:
        """Emit ADD or MOVE, or add to the one that was emitted last."""
        last = len(self.ops) - 1
        if last >= 0 and self.ops[last] == op:
            self.a[last] += amount
        else:
            self.emit(op, amount, 0)

    def close_loop(self, start: int) -> None:
        """End the loop whose JUMP_IF_ZERO is instruction `start`."""
        changes = self.multiples(start + 1)
        if 0 not in changes:
            self.a[start] = len(self.ops) + 1
            self.emit(JUMP_IF_NOT_ZERO, start + 1, 0)
            return
        # [->++<] becomes  JUMP_IF_ZERO, ADD_MULTIPLE(1, 2), CLEAR
        while len(self.ops) > start + 1:
            self.ops.pop()
            self.a.pop()
            self.b.pop()
        for offset in changes:
            if offset != 0:
                self.emit(ADD_MULTIPLE, offset, changes[offset])
        self.emit(CLEAR, 0, 0)
        self.a[start] = len(self.ops)

    def multiples(self, start: int) -> dict[int, int]:
        """What one turn of a loop with this body adds to each cell, by distance from
        the pointer, if the loop just counts down to zero; otherwise empty."""
        changes: dict[int, int] = {}
        pos = 0
        for i in range(start, len(self.ops)):
            if self.ops[i] == ADD:
                changes[pos] = changes.get(pos, 0) + self.a[i]
            elif self.ops[i] == MOVE:
                pos += self.a[i]
            else:
                return {}
        if pos != 0 or changes.get(0, 0) != -1:
            return {}
        return changes


def compile_program(source: str) -> Program:
    """Raises BrainfuckError for a bracket without its partner."""
    program = Program()
    loops: list[int] = []  # where the open loops begin
    places: list[str] = []  # and where that is in the source
    line = 1
    line_start = 0
    for i in range(len(source)):
        c = source[i]
        if c == "+":
            program.emit_run(ADD, 1)
        elif c == "-":
            program.emit_run(ADD, -1)
        elif c == ">":
            program.emit_run(MOVE, 1)
        elif c == "<":
            program.emit_run(MOVE, -1)
        elif c == ".":
            program.emit(WRITE, 0, 0)
        elif c == ",":
            program.emit(READ, 0, 0)
        elif c == "[":
            loops.append(len(program.ops))
            places.append(f"line {line} column {i - line_start + 1}")
            program.emit(JUMP_IF_ZERO, 0, 0)
        elif c == "]":
            if len(loops) == 0:
                raise BrainfuckError(f"']' without '[': line {line} column {i - line_start + 1}")
            program.close_loop(loops.pop())
            places.pop()
        elif c == "\n":
            line += 1
            line_start = i + 1
    if len(loops) > 0:
        raise BrainfuckError(f"'[' without ']': {places[len(places) - 1]}")
    return program


def execute(program: Program, console: Console) -> None:
    """Raises BrainfuckError when the program leaves the tape."""
    ops = program.ops
    a = program.a
    b = program.b
    tape = bytearray(TAPE_SIZE)
    pos = 0
    pc = 0
    while pc < len(ops):
        op = ops[pc]
        if op == ADD:
            tape[pos] = (tape[pos] + a[pc]) & 255
        elif op == MOVE:
            pos += a[pc]
            check_position(pos)
        elif op == JUMP_IF_ZERO:
            if tape[pos] == 0:
                pc = a[pc]
                continue
        elif op == JUMP_IF_NOT_ZERO:
            if tape[pos] != 0:
                pc = a[pc]
                continue
        elif op == ADD_MULTIPLE:
            target = pos + a[pc]
            check_position(target)
            tape[target] = (tape[target] + tape[pos] * b[pc]) & 255
        elif op == CLEAR:
            tape[pos] = 0
        elif op == WRITE:
            console.write(tape[pos])
        else:
            tape[pos] = console.read()
        pc += 1


def check_position(pos: int) -> None:
    if pos < 0 or pos >= TAPE_SIZE:
        raise BrainfuckError(f"the pointer leaves the tape: cell {pos}")


def text(data: bytes) -> str:
    """One character for each byte."""
    return "".join([chr(byte) for byte in data])


def run(source: str, data: bytes) -> str:
    """The output of the program `source` for the input `data`."""
    console = BytesConsole(data)
    execute(compile_program(source), console)
    return text(bytes(console.written))


def read_file(name: str) -> bytes:
    data = bytearray()
    fd = os.open(name, os.O_RDONLY)
    try:
        chunk = os.read(fd, 65536)
        while len(chunk) > 0:
            data.extend(chunk)
            chunk = os.read(fd, 65536)
    finally:
        os.close(fd)
    return bytes(data)


def complain(message: str) -> None:
    os.write(2, f"brainfuck.py: {message}\n".encode())


def entry_point(argv: list[str]) -> int:
    if len(argv) != 2:
        complain("usage: brainfuck.py PROGRAM.bf")
        return 2
    try:
        source = text(read_file(argv[1]))
    except OSError:
        complain(f"cannot read {argv[1]}")
        return 1
    console = StandardConsole(b"")
    try:
        execute(compile_program(source), console)
    except BrainfuckError as error:
        complain(f"{argv[1]}: {error.message}")
        return 1
    finally:
        console.flush()
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
