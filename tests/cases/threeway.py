"""Calls that must end the same way under CPython, the LLInterpreter and natively."""

import copy
import gc
import os
import re
import types
import typing
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from caseformat import Case, CaseError, Section, rewrite_section
from casesource import CaseFailure, load_source, normalise, parse_signature

from rpython.translator.api import Interpretation
from rpython.translator.driver import Translation
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.nativecall import NativeProgram, exported
from rpython.translator.options import Ints, LateErrors, Options
from tests.support.heaps import COLLECTOR_OF, interpreter_on

_ARROW = " -> "
_TRANSLATED = "translated "
_COLLECTS = re.compile(r"gc\.collect\(|gc__collect|collect_step\(")


class Outcome:
    """How a call ended: a result, or an exception with its class and message."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.error: BaseException | None = None
        self.result: Any = None
        try:
            self.result = function(*copy.deepcopy(args))
        except TranslationError:
            raise
        except Exception as error:
            self.error = error

    def __str__(self) -> str:
        if self.error is None:
            return repr(self.result)
        message = str(self.error)
        return f"raise {type(self.error).__qualname__}" + (f": {message}" if message else "")

    def same_as(self, other: "Outcome") -> bool:
        return (
            type(self.error) is type(other.error)
            and type(self.result) is type(other.result)
            and str(self) == str(other)
        )

    def is_said_by(self, text: str) -> bool:
        """Does ``text`` describe this outcome (the message may be left out)?"""
        return normalise(str(self)) == text or (
            self.error is not None and text == f"raise {type(self.error).__qualname__}"
        )


@dataclass
class CallLine:
    """One line of a ``call`` section: what it says to call with and, after the arrow,
    what is expected; ``arguments`` is empty for a comment."""

    text: str
    expected: str | None
    arguments: list[tuple[Any, ...]]


def read_line(line: str, module: types.ModuleType) -> CallLine:
    """Parse a line; expressions see the names of the source."""
    if not line.strip() or line.startswith("#"):
        return CallLine(line, None, [])
    text, arrow, expected = line.rpartition(_ARROW)
    if not arrow:
        text = line
    text = text.strip()
    if text.startswith("*"):
        items = eval(text[1:], vars(module))
        arguments = [args if isinstance(args, tuple) else (args,) for args in items]
    else:
        arguments = [() if text == "()" else eval(f"({text},)", vars(module))]
    return CallLine(text, expected.strip() if arrow else None, arguments)


def type_of_argument(value: Any) -> Any:
    """The type to compile for, from an example argument."""
    if isinstance(value, list) and value:
        return list[type_of_argument(value[0])]  # type: ignore[misc]
    if isinstance(value, tuple):
        return tuple[tuple(map(type_of_argument, value))]  # type: ignore[misc]
    return type(value)


def argument_types(
    function: Callable[..., Any], explicit: list[Any] | None, example: tuple[Any, ...]
) -> list[Any]:
    """The types to compile for: those given, else the hints, else an example's."""
    if explicit is not None:
        return explicit
    hints = typing.get_type_hints(function)
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    if names and all(name in hints for name in names):
        return [hints[name] for name in names]
    return list(map(type_of_argument, example))


def optimisation(function: Callable[..., Any]) -> str:
    """The C compiler's flag for programs of which this is the first function:
    RPYTHON_CASES_OPTIMISE, else -O0, which takes a quarter of the time, for seven of eight and -O2
    for the others."""
    usual = "-O0" if zlib.crc32(function.__code__.co_code) % 8 else "-O2"
    return os.environ.get("RPYTHON_CASES_OPTIMISE", usual)


def build_options(function: Callable[..., Any]) -> Options:
    """How the function is built: the optimisation and, from RPYTHON_CASES_SANITIZE, what native
    code checks while it runs; RPYTHON_CASES_GC names its collector (docs/contributing.md)."""
    sanitizers = os.environ.get("RPYTHON_CASES_SANITIZE", "")
    return Options(
        optimise=optimisation(function),
        sanitize=tuple(filter(None, sanitizers.split(","))),
        gc=os.environ.get("RPYTHON_CASES_GC", Options().gc),
    )


@dataclass
class Called:
    """A ``call`` section: the function, the types it is compiled for, its lines, on which
    simulated heaps its case runs, of what size ints are there, and when errors are raised."""

    section: Section
    function: Callable[..., Any]
    argtypes: list[Any]
    lines: list[CallLine]
    heaps: tuple[str, ...]
    ints: Ints = "64"
    errors: LateErrors | None = None


class ThreeWays:
    """The function of a ``call`` section, to be called under CPython, interpreted (plainly or on
    simulated heaps) and native."""

    def __init__(self, called: Called, others: dict[str, Callable[..., Any]]) -> None:
        self.called = called
        self.others = others

    def run(self, line: CallLine) -> tuple[str, list[str]]:
        """Make the calls of a line: what CPython says (of the last) and what is wrong."""
        said = ""
        wrong = []
        translated = (line.expected or "").startswith(_TRANSLATED)
        function = self.called.function
        for args in line.arguments:
            call = f"{function.__name__}({', '.join(map(repr, args))})"
            host = Outcome(function, args)
            said = normalise(str(host))
            outcomes = {way: Outcome(other, args) for way, other in self.others.items()}
            for way, outcome in outcomes.items():
                if translated:
                    wanted = str(line.expected).removeprefix(_TRANSLATED)
                    if not outcome.is_said_by(wanted):
                        wrong.append(f"{call}: {way}: {outcome}, expected {wanted}")
                elif not outcome.same_as(host):
                    wrong.append(f"{call}: CPython: {host}, {way}: {outcome}")
        if line.expected is not None and not translated and line.expected != said:
            wrong.append(f"{line.text}: CPython: {said}, expected {line.expected}")
        return said, wrong


def translated_together(all_called: list[Called]) -> list[ThreeWays]:
    """These functions as one program."""
    functions: dict[Callable[..., Any], list[Any]] = {}
    for called in all_called:
        again = called.function in functions
        function = _calling(called.function) if again else called.function
        functions[function] = called.argtypes
    first = all_called[0]
    options = replace(build_options(first.function), ints=first.ints, errors=first.errors)
    if chosen := os.environ.get("RPYTHON_CASES_HEAP"):
        translation, graphs = exported(list(functions.items()), options)
        natives: list[dict[str, Callable[..., Any]]] = [{} for _ in graphs]
        heaps = (chosen,)
    else:
        program = NativeProgram(list(functions.items()), options)
        translation, graphs = program.translation, program.graphs
        natives = [{"native": native} for native in program.functions]
        heaps = first.heaps
    runs = _interpretations(translation, graphs, heaps)
    return [
        ThreeWays(called, {**{way: _running(run, graph) for way, run in runs.items()}, **native})
        for called, graph, native in zip(all_called, graphs, natives)
    ]


def _interpretations(
    translation: Translation, graphs: list[FunctionGraph], heaps: tuple[str, ...]
) -> dict[str, Interpretation]:
    if not heaps:
        return {"interpret": Interpretation(translation)}
    program = translation.optimise()
    called = [translation.llgraph(graph) for graph in graphs]
    return {
        name: Interpretation(translation, interpreter_on(name, program, called)) for name in heaps
    }


def _running(run: Interpretation, graph: FunctionGraph) -> Callable[..., Any]:
    return lambda *args: run.run(args, graph=graph)


def _calling(function: Callable[..., Any]) -> Callable[..., Any]:
    """Another function that calls this one, for arguments of other types."""
    words = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
    caller: Callable[..., Any] = eval(f"lambda {words}: function({words})", {"function": function})
    return caller


def collects(case: Case) -> bool:
    """Does the case ask for collections, which shall look at its own objects alone?"""
    return _COLLECTS.search(case.need("source").body) is not None


def run_three_way(case: Case, rewrite: bool, ready: list[ThreeWays] | None = None) -> None:
    """``call: f`` with argument tuples.  ``ready``: its functions, if they are translated already.
    Raises CaseFailure with all that disagrees."""
    if ready is None:
        all_called = called_functions(case)
        if case.get("apart") or os.environ.get("RPYTHON_CASES_APART"):
            ready = [translated_together([called])[0] for called in all_called]
        else:
            ready = translated_together(all_called)
    failures: list[str] = []
    if collects(case):
        gc.freeze()
    for ways in ready:
        failures += _run_section(case, ways, rewrite)
    if collects(case):
        gc.unfreeze()
    if failures:
        raise CaseFailure("\n".join(failures))


def called_functions(case: Case) -> list[Called]:
    """What the ``call`` sections call, of a new module.  Raises what ``called_function`` does,
    and what the source does."""
    module = load_source(case)
    heaps = heaps_of(case)
    chosen = options_of(case)
    return [
        replace(called_function(section, module, heaps), ints=chosen.ints, errors=chosen.errors)
        for section in case.all("call")
    ]


def options_of(case: Case) -> Options:
    """What the sections ``boxing``, ``ints`` and ``errors`` ask for."""
    words = ("boxing", "ints", "errors")
    given: dict[str, Any] = {
        word: section.argument for word in words if (section := case.get(word))
    }
    return Options(**given)


def heaps_of(case: Case) -> tuple[str, ...]:
    """The simulated heaps that ``heap: moving, counting`` names.  Raises CaseError."""
    section = case.get("heap")
    names = () if section is None else tuple(re.split(r",\s*", section.argument))
    for name in names:
        if name not in COLLECTOR_OF:
            raise CaseError(f"line {case.line}: {name!r} is no simulated heap")
    return names


def called_function(
    section: Section, module: types.ModuleType, heaps: tuple[str, ...] = ()
) -> Called:
    """What a ``call`` section of the source ``module`` calls.  Raises CaseError when it has no
    calls, or its function is not there."""
    function, explicit = parse_signature(section, section.argument, module)
    lines = [read_line(line, module) for line in section.body.splitlines()]
    examples = [line.arguments[0] for line in lines if line.arguments]
    if not examples:
        raise CaseError(f"line {section.line}: a call section needs arguments")
    return Called(section, function, argument_types(function, explicit, examples[0]), lines, heaps)


def _run_section(case: Case, ways: ThreeWays, rewrite: bool) -> list[str]:
    called = ways.called
    failures: list[str] = []
    fresh: list[str] = []
    for line in called.lines:
        said, wrong = ways.run(line)
        expected = line.expected
        if rewrite and expected is not None and not expected.startswith(_TRANSLATED):
            wrong = [message for message in wrong if not message.startswith(f"{line.text}:")]
            expected = said
        failures.extend(wrong)
        fresh.append(line.text if expected is None else f"{line.text}{_ARROW}{expected}")
    if rewrite and "\n".join(fresh) != called.section.body:
        rewrite_section(case, "call", "\n".join(fresh), called.section.argument)
    return failures
