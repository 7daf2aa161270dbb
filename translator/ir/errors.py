"""Located errors.

Every refusal and every internal failure of the toolchain is a ``TranslationError``:
what is wrong, where, how the values came there, and what to do about it.
"""

from __future__ import annotations

import difflib
import re
import traceback
from collections.abc import Iterable, Iterator, Sequence

from rpython.translator.ir.codes import code_of
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The hint that asks for the one of ``names`` that ``name`` may be a misspelling of; empty if
    there is none."""
    close = difflib.get_close_matches(name, [known for known in names if known != name], n=1)
    return f"did you mean {close[0]!r}?" if close else ""


MOST_ERRORS = 20
"""How many errors commands show by default."""
_MOST_LINES = 15
"""An error with more lines leaves out what is in the middle of its stories."""
_MOST_AGAIN = 6
"""So many places of the same mistake are named."""


@dataclass(frozen=True, slots=True)
class Note:
    """One step of an explanation: a sentence and, where it has one, its place."""

    text: str
    span: Span | None = None


class TranslationError(Exception):
    """A refused program.

    ``message``: what is wrong, one sentence.  ``span``: the exact expression.
    ``notes``: the chain of assignments and calls that explains it, in reading order.
    ``hint``: what to do about it.  ``where``: pass, graph, block and operation, for
    people who debug the toolchain itself.  ``others``: what else is wrong with the same
    program, found in the same pass.  ``about``: what is at fault wherever the program uses it,
    the class or module: one error is enough.  ``cause``: where a wrong value came from, and what is
    wrong with it: of its uses the first one is told, and ``again`` says where the others are.
    ``raises``: what CPython raises there, if the translated program can be made to.
    """

    title = "translation error"
    code_unless_named = "R1099"
    """The code of messages that no entry names; empty: these errors have none."""

    def __init__(
        self,
        message: str,
        span: Span | None = None,
        notes: Sequence[Note] = (),
        hint: str = "",
        where: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.notes = list(notes)
        self.hint = hint
        self.where = where
        self.others: Sequence[TranslationError] = ()
        self.about: object = None
        self.cause: object = None
        self.again: list[Span] = []
        self.raises = ""

    @property
    def code(self) -> str:
        """What ``rpython explain`` takes; empty for what is no mistake of a program."""
        return self.code_unless_named and code_of(self.message, self.code_unless_named)

    def render(self) -> str:
        """The message as the command line shows it (several lines, no final newline).  A line of
        the program is shown once, at the first place that is in it."""
        lines: list[str] = []
        shown: set[tuple[str, int]] = set()
        code = self.code
        what = f"{self.title}[{code}]" if code else self.title
        if self.span is not None:
            place = f"{self.span.place()}: in {self.span.function}"
            lines.append(f"{place}: {what}: {self.message}")
            lines.extend(self.span.excerpt().splitlines())
            shown.add((self.span.filename, self.span.line))
        else:
            lines.append(f"{what}: {self.message}")
        steps: list[list[str]] = []
        for note in self.notes:
            place = f"  ({note.span.place()})" if note.span is not None else ""
            steps.append([f"  {note.text}{place}"])
            if note.span is not None and (note.span.filename, note.span.line) not in shown:
                steps[-1].extend(note.span.excerpt("      ").splitlines())
                shown.add((note.span.filename, note.span.line))
        end = [f"  the same again: {places(self.again)}"] if self.again else []
        end += [f"  hint: {self.hint}"] if self.hint else []
        if self.where:
            end.append(f"  [{self.where}]")
        self._shorten(steps, _MOST_LINES - len(lines) - len(end))
        return "\n".join([*lines, *(line for step in steps for line in step), *end])

    def _shorten(self, steps: list[list[str]], most: int) -> None:
        """Let the lines of the notes be that many, if it can be done between the first and the
        last step of each story: those in the middle lose their lines of the program, then go."""
        starts = {i for i, note in enumerate(self.notes) if note.span is None}
        ends = {0, len(steps) - 1, *starts, *(i + 1 for i in starts), *(i - 1 for i in starts)}
        for kept in (1, 0):
            for i, step in enumerate(steps):
                if i not in ends and sum(map(len, steps)) > most:
                    del step[kept:]

    def render_all(self, most: int | None = None) -> str:
        """This message and those of the ``others``, ``most`` of them, with a last line that says
        how many there are if there are several."""
        errors = (self, *self.others)
        if len(errors) == 1:
            return self.render()
        texts = [error.render() for error in errors[:most]]
        shown = "" if len(texts) == len(errors) else f", {len(texts)} shown"
        return "\n\n".join([*texts, f"{len(errors)} errors{shown}"])

    def __str__(self) -> str:
        return self.render_all()

    def _render_traceback_(self) -> list[str]:
        """What notebooks show: the toolchain's own frames help nobody with a program."""
        return self.render_all(MOST_ERRORS).splitlines()


def all_of(error: TranslationError) -> tuple[TranslationError, ...]:
    """An error and the others of the same program."""
    return (error, *error.others)


def late_hint(error: TranslationError) -> str:
    """What to do if errors are meant to come when the program runs; empty if they cannot."""
    late = [one for one in all_of(error) if one.raises]
    if not late:
        return ""
    what = f"the {late[0].raises}" if len(late) == 1 else f"{len(late)} of these errors"
    return f"rpython: --errors=late lets the program run into {what}, as CPython does"


class Errors:
    """The errors of one program that a pass has found so far, each once."""

    def __init__(self) -> None:
        self._found: list[TranslationError] = []
        self._known: set[object] = set()

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, error: TranslationError) -> None:
        """Unless there is one about the same thing, at the same place, or in the same words on
        the same line: an operation is looked at several times, and for several graphs."""
        others, error.others = error.others, ()
        names: set[object] = {error.span or error.message, (error.message, str(error.span))}
        if error.about is not None:
            names.add(error.about)
        if not names & self._known:
            self._found.append(error)
        self._known |= names
        for other in others:
            self.add(other)

    def check(self) -> None:
        """Raise the first error there is, with the others: those of one file by line, the files as
        they were found."""
        if self._found:
            files = {name: n for n, (name, _, _) in enumerate(map(_place, reversed(self._found)))}

            def order(error: TranslationError) -> tuple[int, int, int]:
                name, line, col = _place(error)
                return -files[name], line, col

            first, *first.others = _by_cause(sorted(self._found, key=order))
            raise first


def _by_cause(errors: Iterable[TranslationError]) -> Iterator[TranslationError]:
    """The errors of which none before has the same cause; those know where the others are."""
    first: dict[object, TranslationError] = {}
    for error in errors:
        known = error if error.cause is None else first.setdefault(error.cause, error)
        if known is error:
            error.again = []
            yield error
        elif error.span is not None:
            known.again.append(error.span)


def places(spans: Sequence[Span]) -> str:
    """Some places, each file named once, and how many more there are."""
    shown = []
    filename = ""
    for span in spans[:_MOST_AGAIN]:
        place = span.place()
        shown.append(place.removeprefix(f"{filename}:") if filename else place)
        filename = span.filename
    more = len(spans) - len(shown)
    return ", ".join([*shown, *([f"and {more} more"] if more else [])])


def is_silenced(warning: TranslationWarning) -> bool:
    """Does the line that it is about say ``# rpython: ignore[R1101]``, with its code?"""
    line = "" if warning.span is None else warning.span.source_line()
    listed = _IGNORE.search(line)
    return listed is not None and warning.code in re.split(r"[\s,]+", listed[1])


_IGNORE = re.compile(r"#\s*rpython:\s*ignore\[([^\]]*)\]")


def _place(error: TranslationError) -> tuple[str, int, int]:
    """The file, line and column of an error."""
    span = error.span
    return ("", 0, 0) if span is None else (span.filename, span.line, span.col)


class TranslationWarning(TranslationError):
    """Something looks wrong in a program that translates: shown, never raised."""

    title = "warning"


class FlowError(TranslationError):
    """The flow-graph builder met a construct outside the restricted language."""

    title = "unsupported"
    code_unless_named = "R0199"


class AnnotatorError(TranslationError):
    """The annotator cannot give the program consistent types."""

    title = "type error"
    code_unless_named = "R0599"


class Conflict(AnnotatorError):
    """A place would hold two kinds of value."""


class TyperError(TranslationError):
    """The rtyper has no low-level form for an operation."""

    title = "not supported by the rtyper"
    code_unless_named = "R0299"


class VerifyError(TranslationError):
    """A graph breaks an invariant: a bug in the toolchain, never in the user's program."""

    title = "internal error"
    code_unless_named = "R1900"

    def _render_traceback_(self) -> list[str]:
        return "".join(traceback.format_exception(self)).splitlines()


class BuildError(TranslationError):
    """The C compiler failed or is missing."""

    title = "build failed"
