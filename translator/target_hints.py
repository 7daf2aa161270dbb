"""What to do about programs that cannot be imported.

    print "hello"          SyntaxError: ...       this looks like Python 2: rpython port FILE
    import missing         ModuleNotFoundError    install it where rpython is
"""

from __future__ import annotations

from pathlib import Path

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
    if _is_cython(error):
        return "this looks like Cython: types are inferred, leave out cdef and cpdef"
    if isinstance(error, ModuleNotFoundError) and str(error).startswith("No module named"):
        return (  # of RPython's modules that are not here something better is said
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


def _is_cython(error: BaseException) -> bool:
    """Is it a declaration of Cython's that CPython does not read?"""
    line = (error.text or "") if isinstance(error, SyntaxError) else ""
    return line.split()[:1] in (["cdef"], ["cpdef"], ["cimport"])
