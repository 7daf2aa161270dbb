"""What to do about files that are no program yet.

    print "hello"          SyntaxError: ...       this looks like Python 2: rpython port FILE
    import missing         ModuleNotFoundError    install it for the Python that runs rpython
    main()                 at the end of a file   put it below: if __name__ == "__main__":
"""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.span import Span

_SYNTAX_OF_PYTHON2 = (
    "Missing parentheses in call to", "multiple exception types must be parenthesized",
    "leading zeros in decimal integer", "invalid decimal literal", "invalid hexadecimal literal",
)  # fmt: skip
"""How CPython's messages begin about ``print x``, ``except A, e``, ``0777``, ``1L``, ``0xFFL``."""
_MODULES_OF_PYTHON2 = frozenset(
    "ConfigParser HTMLParser Queue SocketServer StringIO UserDict __builtin__ cPickle cStringIO "
    "commands copy_reg exceptions httplib md5 sets thread urllib2 urlparse".split()
)
_NAMES_OF_PYTHON2 = frozenset(
    "basestring cmp execfile file long raw_input reduce unichr unicode xrange".split()
)


def import_hint(path: Path, error: BaseException) -> str:
    """What to do about the exception that importing the program raises; empty if only its author
    knows."""
    if isinstance(error, SystemExit):
        return "put what the file does as a program below: if __name__ == '__main__':"
    if _is_python2(error):
        return f"this looks like Python 2: rpython port {path}"
    if isinstance(error, ModuleNotFoundError):
        return (
            "CPython imports what the program imports before it is translated: install it where "
            "rpython is, or do without"
        )
    return ""


def _is_python2(error: BaseException) -> bool:
    if isinstance(error, SyntaxError):
        return error.msg.startswith(_SYNTAX_OF_PYTHON2)
    if isinstance(error, ModuleNotFoundError):
        return error.name in _MODULES_OF_PYTHON2
    return isinstance(error, NameError) and error.name in _NAMES_OF_PYTHON2


def no_entry_point(path: Path) -> TranslationError:
    """The error about a file that does not say what its program does."""
    tree = ast.parse(importlib.util.decode_source(path.read_bytes()), str(path))
    last = tree.body[-1] if tree.body else None
    place = None
    hint = (
        "say what the program does below: if __name__ == '__main__': at the end of the file, in "
        "entry_point(argv) -> int, or let target(driver, args) return that"
    )
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        place = Span(str(path), last.lineno, function="<module>")
        hint = (
            "this has just run, since the file was imported: put it below "
            "if __name__ == '__main__': to let it be the program"
        )
    return TranslationError(f"{path} defines no entry point", place, hint=hint)
