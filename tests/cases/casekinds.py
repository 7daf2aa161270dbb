"""What each kind of case does; README.md describes them."""

import linecache
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from caseformat import Case, CaseError, rewrite_section
from casesource import CaseFailure, load_source, normalise, parse_signature
from modulecases import run_module
from threeway import ThreeWays, options_of, run_three_way

import rpython
from rpython.lltypesystem.program import Program
from rpython.lltypesystem.rclass import OBJECT, OBJECT_VTABLE, make_instance, make_vtable
from rpython.lltypesystem.text import TextEnv, print_graphs
from rpython.translator.api import translation_of
from rpython.translator.commands.check import annotated
from rpython.translator.hints.patching import hints_patch
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.parser import parse_graphs
from rpython.translator.ir.verifier import verify
from rpython.translator.lower.runner import lower
from rpython.translator.opt.callgraph import CallGraph
from rpython.translator.opt.runner import parse_passes, run_passes
from rpython.translator.options import Options
from rpython.translator.warnings.advice import warnings_about
from rpython.translator.warnings.failing import errors_behind


def run_case(
    case: Case, rewrite: bool, take: Callable[[Case], list[ThreeWays] | None] = lambda case: None
) -> None:
    """Run a case of any kind.  ``take``: gives the functions of ``call`` sections that are
    translated already.  Raises CaseFailure, unless ``rewrite``: then the file is
    changed to expect what happened."""
    runners = [run for word, run in _KINDS if case.get(word)]
    if case.all("call"):
        runners.append(lambda case, rewrite: run_three_way(case, rewrite, take(case)))
    if len(runners) != 1:
        words = ", ".join(word for word, _ in _KINDS)
        raise CaseError(f"{case.name!r} needs one of the sections call and {words}")
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


def run_refusal(case: Case, rewrite: bool) -> None:
    """``refuse: f(int)``: translation must fail with the message in ``error``."""
    module = load_source(case)
    section = case.need("refuse")
    function, argtypes = parse_signature(section, section.argument, module)
    try:
        rpython.show(function, argtypes, stage="lowlevel", options=options_of(case))
    except TranslationError as error:
        compare_text(case, "error", normalise(error.render_all()), rewrite)
    else:
        raise CaseFailure("translation was expected to be refused, but it went through")


def run_check(case: Case, rewrite: bool) -> None:
    """``check``: what ``rpython check`` says of the source as a program must be ``error``."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.py"
        path.write_text(case.need("source").body + "\n")
        sys.modules.pop("case", None)  # the program of another case
        compare_text(case, "error", normalise(_findings(path, options_of(case))), rewrite)


def _findings(path: Path, options: Options) -> str:
    """The errors of a program, or the warnings about it, if there are any."""
    try:
        translation = annotated(path, (), options)
    except TranslationError as error:
        return error.render_all()
    annotator = translation.annotator
    found = [*warnings_about(annotator), *errors_behind(annotator)]
    return "\n".join(warning.render() for warning in found)


def run_stage(case: Case, rewrite: bool) -> None:
    """``stage: lowlevel f(int)``: the text of the graphs at a stage must be ``expect``."""
    module = load_source(case)
    section = case.need("stage")
    stage, _, signature = section.argument.partition(" ")
    function, argtypes = parse_signature(section, signature.strip(), module)
    got = rpython.show(function, argtypes, stage=stage)
    compare_text(case, "expect", normalise(got), rewrite)


def run_hints(case: Case, rewrite: bool) -> None:
    """``hints: f(int)``: the patch that adds hints must be ``patch``."""
    section = case.need("hints")
    function, argtypes = parse_signature(section, section.argument, load_source(case))
    translation = translation_of(function, argtypes, options_of(case))
    translation.annotate()
    lines = normalise(hints_patch(translation.annotator)).splitlines()
    compare_text(case, "patch", "\n".join(map(str.rstrip, lines)), rewrite)


def _calls_of(graphs: list[FunctionGraph]) -> CallGraph:
    """The call graph of a program that is entered at the graphs that no other one calls, and at
    the first of those that only call each other."""
    calls = CallGraph(graphs)
    called = {g for caller in graphs for g in calls.calls[caller] if g is not caller}
    roots = [graph for graph in graphs if graph not in called]
    for graph in graphs:
        if graph not in CallGraph(roots).graphs:
            roots.append(graph)
    return CallGraph(roots)


def run_text(case: Case, rewrite: bool) -> None:
    """``text``: low-level graphs; ``pass``: what to run over them (nothing: they must
    print as they were written); ``expect``: the text after it, or ``error``."""
    text = case.need("text").body + "\n"
    passes, lowering = case.get("pass"), case.get("lower")
    linecache.cache["case.text"] = (len(text), None, text.splitlines(keepends=True), "case.text")
    try:
        env = TextEnv()
        graphs = parse_graphs(text, env, "case.text")
        for graph in graphs:
            verify(graph, "parsing")
        if passes is not None:
            run_passes(parse_passes(passes.argument), graphs, calls=lambda: _calls_of(graphs))
        if lowering is not None:
            names = [name.strip() for name in lowering.argument.split(",")]
            graphs = list(lower(whole_program(graphs), names).graphs.values())
            for graph in graphs:
                env.declare_graph(graph)  # @f means the lowered f from now on
        got = print_graphs(graphs, env=env)
    except TranslationError as error:
        compare_text(case, "error", normalise(error.render_all()), rewrite)
        return
    if case.get("error"):
        raise CaseFailure("an error was expected, but there was none")
    if passes is None and lowering is None and case.get("expect") is None:
        if got != text:
            raise CaseFailure(f"parsed and printed again, this is:\n{_indent(got)}")
        return
    compare_text(case, "expect", got, rewrite)


def whole_program(graphs: list[FunctionGraph]) -> Program:
    """The program of all these graphs, with exceptions that operations may raise."""
    instances = {}
    for number, cls in enumerate((OverflowError, MemoryError, RecursionError)):
        vtable = make_vtable(OBJECT_VTABLE, cls.__name__, number, number + 1)
        instances[cls] = make_instance(OBJECT, vtable)
    return Program(graphs[0], {graph.name: graph for graph in graphs}, instances)


_KINDS: list[tuple[str, Callable[[Case, bool], None]]] = [
    ("refuse", run_refusal),
    ("check", run_check),
    ("stage", run_stage),
    ("hints", run_hints),
    ("text", run_text),
    ("module", run_module),
]
