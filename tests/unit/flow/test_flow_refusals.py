"""What the flow-graph builder refuses, and how it says so."""

import textwrap
import types

import pytest

from rpython.translator.flow.build import build_flow
from rpython.translator.flow.decode import decode
from rpython.translator.ir.errors import FlowError

COUNT = 0
SOME_ERRORS = [KeyError]


def make_empty_cell():
    def early():
        return late

    if COUNT:
        late = 1
    return early


def rebinding(n):
    def count():
        nonlocal n
        n += 1
        return n

    return count


def unknown_global(x):
    return x + undefined_thing  # noqa: F821


def class_inside(x):
    class C(x):
        pass

    return C


def bare_raise():
    raise


def bare_raise_after(x):
    try:  # noqa: SIM105
        x.go()
    except KeyError:
        pass
    raise


def computed_classes(x, classes):
    try:
        return x.go()
    except classes:
        return 0


def not_an_exception_class(x):
    try:
        return x.go()
    except SOME_ERRORS:
        return 0


def missing_module():
    import no_such_module_anywhere

    return no_such_module_anywhere


def missing_name():
    from math import no_such_name

    return no_such_name


def missing_attribute():
    return textwrap.no_such_function("x")


def except_group(x):
    try:
        x.go()
    except* KeyError:
        pass


CASES = [
    (unknown_global, "the global name 'undefined_thing' is not defined", "undefined_thing",
     "module level"),
    (class_inside, "a class statement with a base class that is not known", ..., "module level"),
    (bare_raise, "a bare raise outside an except clause", "raise", ""),
    (bare_raise_after, "a bare raise outside an except clause", "raise", ""),
    (computed_classes, "an except clause needs constant exception classes", "except classes:", ""),
    (not_an_exception_class, "an except clause needs constant exception classes",
     "except SOME_ERRORS:", ""),
    (missing_module, "the import fails: No module named 'no_such_module_anywhere'",
     "import no_such_module_anywhere", ""),
    (missing_name, "cannot import name 'no_such_name' from 'math'", ..., ""),
    (missing_attribute, "module 'textwrap' has no attribute 'no_such_function'",
     "textwrap.no_such_function", ""),
    (except_group, "except*", ..., ""),
    (make_empty_cell(), "the variable 'late' of the enclosing function has no value yet",
     "late", ""),
    (rebinding(1), "assignment to the variable 'n' of an enclosing function", ..., "attribute"),
]  # fmt: skip


def marked(error: FlowError) -> str:
    """The source text over the carets."""
    assert error.span is not None
    _, text, carets = ["", *error.span.excerpt("").splitlines()]
    start = carets.index("^")
    return text[start : start + len(carets.strip())]


@pytest.mark.parametrize(("function", "message", "text", "hint"), CASES,
                         ids=[case[0].__name__ for case in CASES])  # fmt: skip
def test_refused(function: types.FunctionType, message: str, text: object, hint: str) -> None:
    with pytest.raises(FlowError) as caught:
        build_flow(function)
    error = caught.value
    assert message in error.message
    assert hint in error.hint
    assert error.span is not None
    assert error.span.filename == __file__
    assert error.span.function == function.__qualname__
    if text is not ...:
        if text is None:
            assert error.span.line == function.__code__.co_firstlineno
        else:
            assert marked(error) == text


def test_rendered_message() -> None:
    with pytest.raises(FlowError) as caught:
        build_flow(bare_raise)
    line = bare_raise.__code__.co_firstlineno + 1
    assert caught.value.render() == (
        f"{__file__}:{line}:5: in bare_raise: unsupported[R0109]: "
        "a bare raise outside an except clause\n"
        "    raise\n"
        "    ^^^^^\n"
        "  hint: raise the exception object itself"
    )


def test_not_a_python_function() -> None:
    with pytest.raises(FlowError, match="len is not a Python function"):
        build_flow(len)  # type: ignore[arg-type]


def test_unknown_version() -> None:
    with pytest.raises(FlowError, match=r"no bytecode decoder for CPython 3\.99") as caught:
        decode(class_inside, (3, 99))
    assert "3.11, 3.12, 3.13" in caught.value.hint


def test_untried_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RPYTHON_UNTRIED", raising=False)
    with pytest.raises(FlowError, match=r"no bytecode decoder for CPython 3\.14") as caught:
        decode(class_inside, (3, 14))
    assert "RPYTHON_UNTRIED=1" in caught.value.hint


def test_dead_code_is_not_refused() -> None:
    """What constants make unreachable is never looked at, even when they are found late."""

    def dead(x):
        fancy = False
        while x:
            x -= 1
            if fancy:
                return sum(y for y in undefined_thing)  # noqa: F821
        return x

    assert build_flow(dead).func is dead
