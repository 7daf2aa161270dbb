"""A compiler from a toy language to bytecode and a stack machine to run it."""
import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, List, Optional


class Op(Enum):
    PUSH = auto()
    LOAD = auto()
    STORE = auto()
    ADD = auto()
    SUB = auto()
    MUL = auto()
    DIV = auto()
    LT = auto()
    EQ = auto()
    JUMP = auto()
    JUMP_IF_FALSE = auto()
    PRINT = auto()
    HALT = auto()


@dataclass
class Instr:
    op: Op
    arg: Optional[Any] = None

    def __str__(self):
        return self.op.name if self.arg is None else f"{self.op.name} {self.arg!r}"


class CompileError(SyntaxError):
    pass


class Compiler:
    TOKENS = re.compile(r"\s*(?:(\d+)|([a-z_]\w*)|(\"[^\"]*\")|(==|[-+*/<=(){};]))")
    BINARY = {"+": (2, Op.ADD), "-": (2, Op.SUB), "*": (3, Op.MUL), "/": (3, Op.DIV), "<": (1, Op.LT), "==": (1, Op.EQ)}

    def __init__(self, source):
        self.tokens = []
        pos = 0
        source = source.rstrip()
        while pos < len(source):
            m = self.TOKENS.match(source, pos)
            if not m:
                raise CompileError(f"bad input at {source[pos:pos + 5]!r}")
            self.tokens.append(m.group(m.lastindex))
            pos = m.end()
        self.code: List[Instr] = []
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def next(self, expected=None):
        token = self.peek()
        if token is None or (expected and token != expected):
            raise CompileError(f"expected {expected or 'something'}, got {token}")
        self.at += 1
        return token

    def emit(self, op, arg=None):
        self.code.append(Instr(op, arg))
        return len(self.code) - 1

    def compile(self):
        while self.peek() is not None:
            self.statement()
        self.emit(Op.HALT)
        return self.code

    def block(self):
        self.next("{")
        while self.peek() != "}":
            self.statement()
        self.next("}")

    def statement(self):
        token = self.next()
        if token == "print":
            self.expression()
            self.emit(Op.PRINT)
            self.next(";")
        elif token == "while":
            top = len(self.code)
            self.expression()
            exit = self.emit(Op.JUMP_IF_FALSE)
            self.block()
            self.emit(Op.JUMP, top)
            self.code[exit].arg = len(self.code)
        elif token == "if":
            self.expression()
            skip = self.emit(Op.JUMP_IF_FALSE)
            self.block()
            if self.peek() == "else":
                self.next()
                end = self.emit(Op.JUMP)
                self.code[skip].arg = len(self.code)
                self.block()
                self.code[end].arg = len(self.code)
            else:
                self.code[skip].arg = len(self.code)
        else:
            self.next("=")
            self.expression()
            self.emit(Op.STORE, token)
            self.next(";")

    def expression(self, level=1):
        self.atom()
        while (entry := self.BINARY.get(self.peek())) and entry[0] >= level:
            self.next()
            self.expression(entry[0] + 1)
            self.emit(entry[1])

    def atom(self):
        token = self.next()
        if token.isdigit():
            self.emit(Op.PUSH, int(token))
        elif token.startswith('"'):
            self.emit(Op.PUSH, token[1:-1])
        elif token == "(":
            self.expression()
            self.next(")")
        else:
            self.emit(Op.LOAD, token)


class VM:
    def __init__(self, code):
        self.code = code
        self.stack = []
        self.vars = {}
        self.output = []
        self.steps = 0

    def run(self):
        pc = 0
        binary = {
            Op.ADD: lambda a, b: a + b, Op.SUB: lambda a, b: a - b, Op.MUL: lambda a, b: a * b,
            Op.DIV: lambda a, b: a // b, Op.LT: lambda a, b: a < b, Op.EQ: lambda a, b: a == b,
        }
        while True:
            instr = self.code[pc]
            pc += 1
            self.steps += 1
            if instr.op is Op.HALT:
                return self.output
            elif instr.op is Op.PUSH:
                self.stack.append(instr.arg)
            elif instr.op is Op.LOAD:
                self.stack.append(self.vars[instr.arg])
            elif instr.op is Op.STORE:
                self.vars[instr.arg] = self.stack.pop()
            elif instr.op in binary:
                b, a = self.stack.pop(), self.stack.pop()
                self.stack.append(binary[instr.op](a, b))
            elif instr.op is Op.JUMP:
                pc = instr.arg
            elif instr.op is Op.JUMP_IF_FALSE:
                if not self.stack.pop():
                    pc = instr.arg
            elif instr.op is Op.PRINT:
                self.output.append(self.stack.pop())


SOURCE = """
n = 20; a = 0; b = 1;
while a < n * 5 { print a; t = a + b; a = b; b = t; }
if a == 144 { print "done"; } else { print "oops"; }
print (1 + 2) * 3 - 10 / 4;
"""


def main():
    code = Compiler(SOURCE).compile()
    for i, instr in enumerate(code[:12]):
        print(f"{i:3} {instr}")
    vm = VM(code)
    print(*vm.run())
    print(vm.steps, "steps;", vm.vars)
    for bad in ("x = ;", "x 3", "print $;", "y = z;", 'print 1 + "a";'):
        try:
            print(VM(Compiler(bad).compile()).run())
        except CompileError as e:
            print("syntax:", e)
        except (KeyError, TypeError) as e:
            print("runtime:", type(e).__name__, e)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
