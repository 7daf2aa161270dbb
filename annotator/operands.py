"""Errors about a value of the wrong kind begin where the value came from.

    half = len(argv) / 2
    return argv[:half]      slice bounds must be ints, not float
                              float:
                                computed here: len(argv) / 2
                              hint: / gives a float: use // for an int

``tell_operands`` does so for every operation, whatever rule refuses it: an operand is at fault if
the message names its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rpython.annotator.lattice.cells import Node, Origin
from rpython.annotator.lattice.model import K_BYTEARRAY, K_BYTES, SomeList, SomeObject
from rpython.annotator.lattice.parts import parts_of
from rpython.annotator.provenance import chain, made_by, origin_of, root_of
from rpython.translator.ir.errors import AnnotatorError, Conflict, Note
from rpython.translator.ir.hlops import Group, group_of, plain_name
from rpython.translator.ir.home import home_of_file
from rpython.translator.ir.model import Constant, SpaceOperation, Variable

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator

_MOST_STEPS = 3
"""Of all operands together: a message is to be read at a glance."""

_NO_FLOAT = "make an int of the float: int(...)"
_HINTS = [
    (re.compile(pattern), hint)
    for pattern, hint in [
        (
            r"unsupported operands for .*: (bytes\w* and str|str and bytes\w*)",
            "make bytes of a str with .encode(), or a str of bytes with .decode('latin-1')",
        ),
        (r"must be bytes.*, not str", "make bytes of it: .encode()"),
        (r"must be (a )?str\b.*, not bytes", "make a str of it: .decode('latin-1')"),
        (
            r"unsupported operands for \+=?: ((None or )?str and (int|float)|(int|float) and str)",
            "make both texts with str(...), or both numbers with int(...)",
        ),
        (r"unsupported operands for \*=?: .* and float", _NO_FLOAT),
        (r"unsupported operands for \*=?: float and (str|list|tuple|byte)", _NO_FLOAT),
        (
            r"unsupported operands for \S+: (str and (int|float)|(int|float) and str)",
            "make a number of the text: int(...)",
        ),
        (r"unsupported operands for \*=?: str and str", "make a number of one: int(...)"),
        (r"(an int|integers or slices|ints), not float", _NO_FLOAT),
        (r"(an int|integers or slices|ints|a number), not str", "make a number of it: int(...)"),
        (
            r"unsupported operands for \+=?: list of .* and (tuple|int|str|float)\b",
            "add a list: [...], or list(...)",
        ),
        (r"^int does not support iteration", "loop over the numbers below it: range(...)"),
        (
            r"^(map|zip|filter|iterator\b.*|dict \w+\(\) view|instance of generator) "
            r"(does not support indexing|has no len\(\).*)",
            "make a list of it first: list(...)",
        ),
        (
            r"^bound method (\S+) (does not support|has no)|"
            r"unsupported operands for .*\b(bound method|method ')",
            "call the method: write () behind it",
        ),
        (
            r"^sort\(\) takes no positional arguments|^the argument 'cmp' of",
            "key=... gives what to compare; of two items: key=functools.cmp_to_key(...)",
        ),
        (r"instance of coroutine", "write await in front of the call that gives it"),
        (r"^list indices must be .*, not tuple", "an item of an item: items[i][j]"),
        (r"^tuple .* does not support item assignment", "make a list of it first: list(...)"),
        (
            r"^str does not support item (assignment|deletion)",
            "a text does not change: make another one, text[:i] + new + text[i + 1 :]",
        ),
    ]
]
"""What to do, by the message; where several fit, the first."""


def tell_operands(annotator: RPythonAnnotator, op: SpaceOperation, error: AnnotatorError) -> None:
    """Add to an error of the operation where the operands at fault came from, and what to do."""
    if isinstance(error, Conflict) or op.span.hidden:
        return
    wrong = error.message.rpartition(", not ")[2]
    at_fault = [
        (node, part)
        for node, s in _values(annotator, op)
        for part in parts_of(s)
        if re.search(rf"(?<!\w)(?<!list of )(?<!set of ){re.escape(part.describe())}(?!\w)", wrong)
    ]
    if group_of(op.opname) is Group.ATTRIBUTE:
        error.cause = _cause(annotator, op, at_fault, _attribute_name(op))
        if not error.hint:  # otherwise it is the name that is wrong
            _tell_stories(annotator, at_fault, error)
        return
    makers = [made for node, part in at_fault for made in made_by(annotator, node, part.kinds)]
    if any(plain_name(made.opname) == "truediv" for made in makers):
        error.hint = "/ gives a float: use // for an int"
    elif "str of length 1, not int" in error.message and any(
        made.opname == "getitem"
        and isinstance(made.args[0], Variable)
        and annotator.binding(made.args[0]).kinds & (K_BYTES | K_BYTEARRAY)
        for made in makers
    ):
        error.hint = "an item of bytes is an int already: leave out ord()"
    error.hint = error.hint or next((h for known, h in _HINTS if known.search(error.message)), "")
    error.cause = _cause(annotator, op, at_fault, error.hint or error.message)
    _tell_stories(annotator, at_fault, error)


def _tell_stories(
    annotator: RPythonAnnotator, at_fault: Sequence[tuple[Node, SomeObject]], error: AnnotatorError
) -> None:
    """Add where the values at fault came from to an error that does not say so."""
    if error.notes:
        return
    stories: dict[str, list[Note]] = {}
    for node, part in at_fault:
        if steps := _story(annotator, node, part, error):
            stories.setdefault(part.describe(), steps)
    for kind, steps in stories.items():
        most = max(_MOST_STEPS // len(stories), 1)
        error.notes += [Note(f"{kind}:"), *steps[: most - 1], *steps[most - 1 :][-1:]]


def _cause(
    annotator: RPythonAnnotator, op: SpaceOperation,
    at_fault: Sequence[tuple[Node, SomeObject]], what: object,
) -> object:  # fmt: skip
    """Where the values at fault came from, and what is wrong with them; None where there are none:
    what is wrong is at the operation then.  Beside a value from elsewhere what is written right
    there, and a constant, is right."""
    roots = [root_of(annotator, node, part.kinds) for node, part in at_fault]
    others = [root for root in roots if not _is_written(root, op)]
    return (*(others or roots), what) if roots else None


def _is_written(root: Node | Origin, op: SpaceOperation) -> bool:
    """Does the value begin in the line of the operation, or as a constant?"""
    if not isinstance(root, Origin) or root.span is None:
        return False
    here = (root.span.filename, root.span.line) == (op.span.filename, op.span.line)
    return here or root.s_value.is_constant()


def _attribute_name(op: SpaceOperation) -> object:
    name = op.args[1]
    return name.value if isinstance(name, Constant) else name


def _values(annotator: RPythonAnnotator, op: SpaceOperation) -> Iterator[tuple[Node, SomeObject]]:
    """The operands, and what is in lists among them."""
    called = group_of(op.opname) is Group.CALL
    for arg in op.args:
        if isinstance(arg, Variable):
            s = annotator.binding(arg)
            yield arg, s
            if isinstance(s, SomeList) and called:
                item = s.listdef.find().item
                yield item, item.s_value


def _story(
    annotator: RPythonAnnotator, node: Node, part: SomeObject, error: AnnotatorError
) -> list[Note]:
    """The steps in the program that are not in the line of the error."""
    here = error.span
    return [
        step
        for step in chain(annotator, origin_of(annotator, node, part.kinds), part.kinds)
        if step.span is not None
        and home_of_file(step.span.filename).is_program
        and (here is None or (step.span.filename, step.span.line) != (here.filename, here.line))
    ]
