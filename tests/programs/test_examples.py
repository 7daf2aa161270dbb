"""The example programs on their inputs: what they print is in examples/expected.

Each run has a file ``expected/NAME.txt``; it says the same under CPython and natively.  The
pure parts of the programs are interpreted too, and compared with what others say.
"""

import random
import re
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

import pytest
from programs import EXAMPLES, ROOT, Outcome, build_example, load_example, run

import rpython

EXPECTED = EXAMPLES / "expected"
KETTLE = "examples/kettle/programs"
TEXT = b"hello 12 world 345\nnothing\n2026-11-21 and 1999-1-1\nfoo@bar.org\n\xc3\xa4bc\n"


@dataclass(frozen=True)
class Run:
    name: str
    program: str
    args: tuple[str, ...] = ()
    data: bytes = b""
    status: int = 0


RUNS = [
    Run("richards", "richards", ("2",)),
    Run("deltablue", "deltablue"),
    Run("deltablue-10", "deltablue", ("10",)),
    Run("lisp-tour", "lisp", ("examples/lisp/tour.lisp",), status=1),
    Run("lisp-stdin", "lisp", (), b"(define (f n) (if (= n 0) 0 (f (- n 1)))) (write (f 1000)) (g)",
        1),
    Run("lisp-deep", "lisp", (), b"(define (f n) (+ 1 (f n))) (f 1)", 1),
    Run("vm-sieve", "vm", ("examples/vm/sieve.asm",)),
    Run("vm-crc", "vm", ("-t", "examples/vm/crc.asm")),
    Run("vm-wrong", "vm", ("examples/vm/wrong.asm",), status=1),
    Run("vm-list", "vm", ("-d", "examples/vm/crc.asm")),
    Run("vm-missing", "vm", ("no such file",), status=1),
    Run("kettle-numbers", "targetkettle", (f"{KETTLE}/numbers.kettle",)),
    Run("kettle-shapes", "targetkettle", (f"{KETTLE}/shapes.kettle",)),
    Run("kettle-queens", "targetkettle", (f"{KETTLE}/queens.kettle",)),
    Run("kettle-words", "targetkettle", (f"{KETTLE}/words.kettle",), TEXT * 3 + b"nothing new"),
    Run("kettle-lines", "targetkettle", (f"{KETTLE}/lines.kettle",), b"examples/tour.py\nno", 1),
    Run("kettle-wrong", "targetkettle", (f"{KETTLE}/wrong.kettle",), status=1),
    Run("kettle-bytecode", "targetkettle", ("-d", f"{KETTLE}/wrong.kettle")),
    Run("kettle-missing", "targetkettle", ("missing.kettle",), status=2),
    Run("calculator-tour", "calculator", ("examples/calculator/tour.calc",), status=1),
    Run("calculator-input", "calculator", (), "größe = 6 * 7\ngröße $ 1".encode(), 1),
    Run("regex-digits", "regex", (r"\d+",), TEXT),
    Run("regex-address", "regex", (r"[a-z]+@[^ ]+\.(org|com)$",), TEXT),
    Run("regex-count", "regex", ("-c", "(a|b)*c?"), TEXT),
    Run("regex-automaton", "regex", ("-a", "(ab|c)*d?$"), status=0),
    Run("regex-wrong", "regex", ("a{2,1}",), TEXT, 2),
]


def expected(name: str) -> str:
    return (EXPECTED / f"{name}.txt").read_text()


@pytest.mark.parametrize("way", ["cpython", "native"])
@pytest.mark.parametrize("example", RUNS, ids=[r.name for r in RUNS])
def test_output(example: Run, way: str, shared_directory: Path) -> None:
    command = command_for(example.program, way, shared_directory)
    done: Outcome = run([*command, *example.args], example.data)
    assert done.output.decode() + done.errors == expected(example.name)
    assert done.status == example.status


def command_for(program: str, way: str, shared_directory: Path) -> list[str | Path]:
    if way == "native":
        return [build_example(program, shared_directory)]
    return [sys.executable, EXAMPLES / f"{program}.py"]


# -- the same in the LLInterpreter, against what others say ----------------------------------------


def test_richards_interpreted() -> None:
    richards = load_example("richards")

    def held() -> int:
        return int(richards.simulate().hold_count)

    assert rpython.interpret(held, []) == 9297


def test_deltablue_interpreted(capfd: pytest.CaptureFixture[str]) -> None:
    deltablue = load_example("deltablue")
    assert rpython.interpret(deltablue.entry_point, [["deltablue", "10"]]) == 0
    assert capfd.readouterr().out == expected("deltablue-10")


def test_lisp_interpreted(capfd: pytest.CaptureFixture[str]) -> None:
    lisp = load_example("lisp")

    def evaluate(text: str) -> int:
        return int(lisp.run(text, lisp.make_globals()))

    text = "(write (map (lambda (n) (* n n)) '(1 2 3))) (write (sort '(3 1 2) -)) (car 1)"
    assert rpython.interpret(evaluate, [text]) == 1
    assert capfd.readouterr().out == "(1 4 9)(3 2 1)error: a pair is wanted: 1\n"


def test_vm_interpreted() -> None:
    vm = load_example("vm")
    source = (EXAMPLES / "vm" / "crc.asm").read_text()

    def output(text: str) -> str:
        machine = vm.Machine(vm.Assembler(text).assemble())
        machine.run(100000)
        return "".join(machine.output)

    crc = zlib.crc32(b"The fox.")
    assert output(source) == rpython.interpret(output, [source]) == f"{crc:08x}\n.xof ehT\n-2\n"


def test_kettle_interpreted(capfd: pytest.CaptureFixture[str]) -> None:
    kettle = load_example("targetkettle")

    def status(first: str, second: str) -> int:
        return int(kettle.run(first) + kettle.run(second))

    sources = [(ROOT / KETTLE / f"{name}.kettle").read_text() for name in ["numbers", "wrong"]]
    assert rpython.interpret(status, sources) == 1
    assert capfd.readouterr().out == expected("kettle-numbers") + expected("kettle-wrong")


KETTLE_ERRORS = [
    ('print("a"); print("b);', "line 1: a string without an end"),
    ('\n"\\q";', "line 2: a string has no escape \\q"),
    ("1 + @;", "line 1: a stray '@'"),
    ("\nprint(1 +);", "line 2: an expression expected, not )"),
    ("fun f(a, a) {}", "line 1: two parameters are named a"),
    ("fun f() {\n  var a; fun g() { return a; } }", "line 2: a belongs to another function"),
    ("if true { break; }", "line 1: break outside of a loop"),
    ("self;", "line 1: self outside of a method"),
    ("(" * 200, "line 1: the program nests too deeply"),
    ("x = 1;", "error: x is not defined\n  in main, line 1"),
    ("\n1 % (2 - 2);", "error: division by zero\n  in main, line 2"),
    ("var b = 10000000000000000000; b / (b - b);", "error: division by zero"),
    ("1 + nil;", "error: + is not for an integer and nil"),
    ('sort([1, "a"]);', "error: < is not for a string and an integer"),
    ("[1][100000000000000000000];", "error: index 100000000000000000000 is out of range"),
    ("({})[[]] = 1;", "error: a list is no key"),
    ("var a = [1]; push(a, a); print(a == a, a); var b = [1]; push(b, b); a == b;",
     "error: these lists nest too deeply to be compared"),
    ("fun f(n) { f(n + 1); }\nf(0);", "error: too many calls within calls\n  in f, line 1\n"),
    ("fun f() { class C < C {} } f();", "error: a function or class is used before it is made"),
    ("class A { fun m(x) {} }\nA().m();", "error: m takes 1 arguments, not 0\n  in main, line 2"),
    ("class A { fun m() { super.m(); } } A().m();", "error: the base of <class A> has no method m"),
    ("for c in 3 {}", "error: cannot go through an integer"),
    ("print(1, 2)(3);", "error: nil cannot be called"),
]  # fmt: skip


def test_kettle_errors(tmp_path: Path, shared_directory: Path) -> None:
    path = tmp_path / "wrong.kettle"
    for source, message in KETTLE_ERRORS:
        path.write_text(source)
        outcomes = [
            run([*command_for("targetkettle", way, shared_directory), path])
            for way in ("cpython", "native")
        ]
        assert outcomes[0] == outcomes[1]
        assert message in outcomes[1].output.decode()
        assert (outcomes[1].status, outcomes[1].errors) == (1, "")


def random_pattern(depth: int, chance: random.Random) -> str:
    kind = chance.randrange(8) if depth else 0
    if kind < 2:
        return chance.choice(["a", "b", "c", ".", "[ab]", "[^a]", r"\d"])
    inner = random_pattern(depth - 1, chance)
    if kind < 4:
        return inner + random_pattern(depth - 1, chance)
    if kind == 4:
        return f"({inner}|{random_pattern(depth - 1, chance)})"
    return f"({inner}){chance.choice(['*', '+', '?', '{1,2}', '{2,}'])}"


def test_regex_agrees_with_re() -> None:
    regex = load_example("regex")

    def end_of_match(pattern: str, text: str) -> int:
        end = regex.Regex(pattern).match(text)
        return -1 if end is None else int(end)

    native = rpython.compile(end_of_match, [str, str])
    chance = random.Random(7)
    for _ in range(400):
        pattern = random_pattern(3, chance)
        text = "".join(chance.choice("abc1") for _ in range(chance.randrange(9)))
        ends = [end for end in range(len(text) + 1) if re.fullmatch(pattern, text[:end])]
        longest = max(ends, default=-1)
        assert end_of_match(pattern, text) == native(pattern, text) == longest, (pattern, text)
    interpreted = rpython.interpret(end_of_match, ["(ab|c)*[^x]{2}", "abcabz1x"])
    assert interpreted == 7
