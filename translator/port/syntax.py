"""Python 2's syntax and renamed built-ins: what ``fissix``, the library that goes on where
``lib2to3`` ended, has fixers for.

    print "%d" % len(x.keys())   ->   print("%d" % len(list(x.keys())))
"""

from __future__ import annotations

from fissix.pgen2.parse import ParseError
from fissix.pgen2.tokenize import TokenError
from fissix.refactor import RefactoringTool

FIXERS = (
    "apply", "asserts", "basestring", "dict", "except", "exec", "execfile", "filter", "funcattrs",
    "future", "getcwdu", "has_key", "import", "imports", "intern", "itertools",
    "itertools_imports", "long", "map", "metaclass", "methodattrs", "ne", "nonzero",
    "numliterals", "operator", "paren", "print", "raise", "raw_input", "reduce", "renames", "repr",
    "standarderror", "sys_exc", "throw", "tuple_params", "types", "unicode", "xrange", "zip",
)  # fmt: skip
"""Left out: fixers that change style only, those for libraries that are not translated, and the one
for ``next``, which takes every attribute of that name for an iterator's."""

IN_PACKAGES = "import"
"""The fixer that makes `import sibling` relative; a program's main file is no part of a package."""


class NotPython2Error(Exception):
    """Neither Python 2 nor Python 3; ``line``, from 1, is where parsing stopped, 0 if unknown."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line


class _Tool(RefactoringTool):  # type: ignore[misc]  # the library has no types
    """Keeps what the fixers say instead of logging it."""

    def log_error(self, msg: str, *args: object, **keywords: object) -> None:
        raise NotPython2Error(0, msg % args)

    def log_message(self, msg: str, *args: object) -> None:
        pass

    log_debug = log_message


def python3_syntax(source: str, name: str, beside_program: bool) -> tuple[str, list[str]]:
    """``source`` in Python 3's syntax, and what the fixers could not do, a line of text each.

    ``name``: the file's path, by which siblings of a package's module are found;
    ``beside_program``: its folder is on the path, so its imports stay absolute.  Raises
    NotPython2Error."""
    fixers = [
        f"fissix.fixes.fix_{fixer}"
        for fixer in FIXERS
        if not (beside_program and fixer == IN_PACKAGES)
    ]
    try:
        return _refactored(source, name, fixers, print_function=False)
    except ParseError as error:
        try:
            return _refactored(source, name, fixers, print_function=True)
        except ParseError:
            line = error.context[1][0] if error.context else 0
            raise NotPython2Error(line, "this is neither Python 2 nor Python 3") from None
    except TokenError as error:
        raise NotPython2Error(error.args[1][0], str(error.args[0])) from None


def _refactored(
    source: str, name: str, fixers: list[str], print_function: bool
) -> tuple[str, list[str]]:
    # the fixer of the print statement would take `print(a, b)` for the statement of a tuple
    chosen = [fixer for fixer in fixers if not (print_function and fixer.endswith("_print"))]
    tool = _Tool(chosen, {"print_function": print_function})
    ended = source if source.endswith("\n") else source + "\n"  # the grammar wants it
    text = str(tool.refactor_string(ended, name))
    return text[: len(text) - (len(ended) - len(source))], [str(said) for said in tool.fixer_log]
