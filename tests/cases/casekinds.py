"""What each kind of case does; README.md describes them."""

import copy
import functools
import linecache
import re
import types
import typing
from collections.abc import Callable
from typing import Any

from caseformat import Case, CaseError, Section, rewrite_section

import rpython
from lltypesystem.text import TextEnv, print_graphs
from translator.ir.errors import TranslationError
from translator.ir.parser import parse_graphs
from translator.ir.verifier import verify
from translator.opt.runner import parse_passes, run_passes

_ARROW = " -> "
_SIGNATURE = re.compile(r"(\w+)\s*(?:\((.*)\))?")


class CaseFailure(Exception):
    """A case did not give what it expects; the message says how."""


def run_case(case: Case, rewrite: bool) -> None:
    """Run a case of any kind.  Raises CaseFailure, unless ``rewrite``: then the file is
    changed to expect what happened."""
    runners = [run for word, run in _KINDS if case.get(word)]
    if case.all("call"):
        runners.append(run_three_way)
    if len(runners) != 1:
        raise CaseError(f"{case.name!r} needs one of the sections call, refuse, stage and text")
    runners[0](case, rewrite)


def compare_text(case: Case, word: str, got: str, rewrite: bool) -> None:
    """Does the ``word`` section hold the text ``got``?"""
    section = case.get(word)
    got = got.rstrip("\n")
    if section is not None and section.body == got:
        return
    if rewrite:
        rewrite_section(case, word, got)
        return
    wanted = "(nothing: run with --rewrite)" if section is None else section.body
    raise CaseFailure(f"{word}:\n{_indent(wanted)}\nbut got:\n{_indent(got)}")


def _indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


# ------------------------------------------------------------------- Python sources


def load_source(case: Case) -> types.ModuleType:
    """The ``source`` section as a module of its own.  Tools see it as a file ``case.py``
    whose lines count from the start of the section."""
    text = case.need("source").body + "\n"
    filename = f"{case.path.with_suffix('')}/{case.line}/case.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    module = types.ModuleType("case")
    module.__file__ = filename
    exec(compile(text, filename, "exec"), module.__dict__)
    return module


def normalise(text: str) -> str:
    """``text`` without the made-up folders of ``load_source``."""
    return re.sub(r"[^\s\"'<>()]*/case\.py", "case.py", text)


def parse_signature(
    section: Section, text: str, module: types.ModuleType
) -> tuple[Callable[..., Any], list[Any] | None]:
    """``f(int, str)``: the function and the list of types; ``f``: types None."""
    match = _SIGNATURE.fullmatch(text)
    if match is None or match[1] not in vars(module):
        raise CaseError(f"line {section.line}: {text!r} is no function of the source")
    function = vars(module)[match[1]]
    if match[2] is None:
        return function, None
    return function, list(eval(f"({match[2]},)" if match[2].strip() else "()", vars(module)))


# ---------------------------------------------------------------- call: three ways


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


def argument_tuples(
    section: Section, module: types.ModuleType
) -> list[tuple[str, str | None, list[tuple[Any, ...]]]]:
    """Per line of a ``call`` section: its text, the expectation if it has one, and the
    argument tuples it stands for."""
    result = []
    for line in section.body.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        text, arrow, expected = line.rpartition(_ARROW)
        if not arrow:
            text, expected = line, ""
        text = text.strip()
        if text.startswith("*"):
            tuples = [
                args if isinstance(args, tuple) else (args,)
                for args in eval(text[1:], vars(module))
            ]
        else:
            tuples = [() if text == "()" else eval(f"({text},)", vars(module))]
        result.append((text, expected.strip() if arrow else None, tuples))
    return result


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


def _interpret(function: Callable[..., Any], *args: Any) -> Any:
    return rpython.interpret(function, list(args))


def run_three_way(case: Case, rewrite: bool) -> None:
    """``call: f`` with argument tuples: CPython, interpret and native code must agree."""
    module = load_source(case)
    failures: list[str] = []
    for section in case.all("call"):
        function, explicit = parse_signature(section, section.argument, module)
        lines = argument_tuples(section, module)
        if not lines:
            raise CaseError(f"line {section.line}: a call section needs arguments")
        native = rpython.compile(function, argument_types(function, explicit, lines[0][2][0]))
        interpreted = functools.partial(_interpret, function)
        fresh: list[str] = []
        for text, expected, tuples in lines:
            for args in tuples:
                host = Outcome(function, args)
                ways = {
                    "interpret": Outcome(interpreted, args),
                    "native": Outcome(native, args),
                }
                failures.extend(
                    f"{function.__name__}{args!r}: CPython: {host}, {way}: {outcome}"
                    for way, outcome in ways.items()
                    if not outcome.same_as(host)
                )
            if expected is not None and expected != str(host) and not rewrite:
                failures.append(f"{function.__name__}({text}): CPython: {host}, not {expected}")
            fresh.append(text if expected is None else f"{text}{_ARROW}{host}")
        if rewrite and len(case.all("call")) == 1 and "\n".join(fresh) != section.body:
            rewrite_section(case, "call", "\n".join(fresh))
    if failures:
        raise CaseFailure("\n".join(failures))


# ------------------------------------------------------------- refuse, stage, text


def run_refusal(case: Case, rewrite: bool) -> None:
    """``refuse: f(int)``: translation must fail with the message in ``error``."""
    module = load_source(case)
    section = case.need("refuse")
    function, argtypes = parse_signature(section, section.argument, module)
    try:
        rpython.show(function, argtypes, stage="lowlevel")
    except TranslationError as error:
        compare_text(case, "error", normalise(error.render()), rewrite)
    else:
        raise CaseFailure("translation was expected to be refused, but it went through")


def run_stage(case: Case, rewrite: bool) -> None:
    """``stage: lowlevel f(int)``: the text of the graphs at a stage must be ``expect``."""
    module = load_source(case)
    section = case.need("stage")
    stage, _, signature = section.argument.partition(" ")
    function, argtypes = parse_signature(section, signature.strip(), module)
    got = rpython.show(function, argtypes, stage=stage)
    compare_text(case, "expect", normalise(got), rewrite)


def run_text(case: Case, rewrite: bool) -> None:
    """``text``: low-level graphs; ``pass``: what to run over them (nothing: they must
    print as they were written); ``expect``: the text after it, or ``error``."""
    text = case.need("text").body + "\n"
    passes = case.get("pass")
    linecache.cache["case.text"] = (len(text), None, text.splitlines(keepends=True), "case.text")
    try:
        env = TextEnv()
        graphs = parse_graphs(text, env, "case.text")
        for graph in graphs:
            verify(graph, "parsing")
        if passes is not None:
            run_passes(parse_passes(passes.argument), graphs)
        got = print_graphs(graphs, env=env)
    except TranslationError as error:
        compare_text(case, "error", normalise(error.render()), rewrite)
        return
    if case.get("error"):
        raise CaseFailure("an error was expected, but there was none")
    if passes is None and case.get("expect") is None:
        if got != text:
            raise CaseFailure(f"parsed and printed again, this is:\n{_indent(got)}")
        return
    compare_text(case, "expect", got, rewrite)


_KINDS: list[tuple[str, Callable[[Case, bool], None]]] = [
    ("refuse", run_refusal),
    ("stage", run_stage),
    ("text", run_text),
]
