"""Kettle, a small object-oriented language, interpreted in the manner of RPython.

    kettle PROGRAM.kettle       runs a program
    kettle -d PROGRAM.kettle    shows its bytecode

Build it with `rpython build examples/targetkettle.py`; `python examples/targetkettle.py` runs the
same source untranslated.  The stages, a module of `kettle` each:

    lexer       text -> tokens
    compiler    tokens -> bytecode, in one pass
    bytecode    the operations, and the code of a function
    objects     what programs compute with: numbers that grow, strings, lists, tables
    classes     instances and their maps ("hidden classes"), functions, methods
    machine     the loop that runs bytecode
    builtins    the functions that every program has

    fun fact(n) {
        if n < 2 { return 1; }
        return n * fact(n - 1);
    }
    print(fact(30));            // integers have any size

    class Animal {
        fun init(name) { self.name = name; }
        fun speak() { return self.name + " says " + self.sound(); }
    }
    class Cow < Animal {
        fun sound() { return "moo"; }
    }
    print(Cow("Bella").speak());

There are nil, true, false, integers, strings, lists `[1, 2]`, tables `{"a": 1}`, functions and
classes.  Variables belong to the block that declares them with `var`, or are global; a function
does not see those of the function around it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from kettle.builtins import make_globals
from kettle.bytecode import Code
from kettle.compiler import compile_program
from kettle.machine import Machine
from kettle.objects import KettleError

from rpython.rlib.objectmodel import we_are_translated
from rpython.rlib.streamio import fdopen_as_stream, open_file_as_stream


def show_code(code: Code, machine: Machine) -> None:
    for line in code.listing():
        machine.output.write(line + "\n")
    for inner in code.functions:
        machine.output.write("\n")
        show_code(inner, machine)


def run(source: str, disassemble: bool = False) -> int:
    """Run a program, or show its bytecode; the exit status.  Errors are printed at the end."""
    names = make_globals()
    machine = Machine(names, fdopen_as_stream(0, "r"), fdopen_as_stream(1, "w"))
    try:
        code = compile_program(source, names)
        if disassemble:
            show_code(code, machine)
        else:
            machine.run_program(code)
    except KettleError as error:
        machine.output.write(error.report())
        return 1
    finally:
        machine.output.flush()
    return 0


def entry_point(argv: list[str]) -> int:
    if not we_are_translated():
        sys.setrecursionlimit(20000)
    args = argv[1:]
    disassemble = len(args) > 0 and args[0] == "-d"
    if disassemble:
        args = args[1:]
    if len(args) != 1:
        os.write(2, b"usage: kettle [-d] PROGRAM\n")
        return 2
    try:
        stream = open_file_as_stream(args[0])
        source = stream.readall()
        stream.close()
    except OSError:
        os.write(2, f"kettle: cannot read {args[0]}\n".encode())
        return 2
    return run(source, disassemble)


def target(driver: object, args: list[str]) -> tuple[Callable[[list[str]], int], None]:
    """What `rpython build` asks for."""
    driver.exe_name = "kettle"  # type: ignore[attr-defined]
    return entry_point, None


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
