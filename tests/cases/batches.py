"""Cases of one file whose functions are translated as one program.

Much of what a program costs it costs once: its helpers, one run of the C compiler, one of the
linker.  So the ``call`` cases of a file that are run share programs, a few cases each.  Cases that
cannot be translated together, though each can by itself, make smaller programs.
"""

import os

from caseformat import Case
from casesource import filename_of
from threeway import ThreeWays, called_functions, collects, translated_together

from rpython.translator.ir.errors import TranslationError, all_of

SIZE = 12
"""How many cases make a program."""


class Batches:
    """The cases of a file that are run; they are translated when the first of a program is."""

    def __init__(self, cases: list[Case]) -> None:
        self._waiting = [case for case in cases if _shares(case)]
        self._programs: list[list[Case]] | None = None
        self._ready: dict[int, list[ThreeWays]] = {}

    def take(self, case: Case) -> list[ThreeWays] | None:
        """The functions of the case, once; None if the case has to be translated by itself."""
        if self._programs is None:
            self._programs = _programs(self._waiting)
        for cases in self._programs:
            if case in cases:
                self._programs.remove(cases)
                self._translate(cases)
                break
        return self._ready.pop(id(case), None)

    def _translate(self, cases: list[Case]) -> None:
        if len(cases) < 2:
            return
        all_called = [called_functions(case) for case in cases]
        try:
            ways = translated_together([each for called in all_called for each in called])
        except Exception as error:  # the case that is to blame says so when it is alone
            for part in _parts(cases, error):
                self._translate(part)
            return
        for case, called in zip(cases, all_called):
            self._ready[id(case)], ways = ways[: len(called)], ways[len(called) :]


def _parts(cases: list[Case], error: Exception) -> list[list[Case]]:
    """Cases that were refused together, in smaller programs: without those that are named as the
    places of what is wrong, or, where that says nothing, in halves."""
    wrong = all_of(error) if isinstance(error, TranslationError) else ()
    places = {each.span.filename for each in wrong if each.span is not None}
    rest = [case for case in cases if filename_of(case) not in places]
    if len(cases) > len(rest) >= len(cases) // 2:
        return [rest]
    half = len(cases) // 2
    return [cases[:half], cases[half:]]


def _shares(case: Case) -> bool:
    if not case.all("call") or case.get("apart") or os.environ.get("RPYTHON_CASES_APART"):
        return False
    return not collects(case)


def _programs(cases: list[Case]) -> list[list[Case]]:
    """Cases to translate together: on the same heaps, with the same options."""
    alike: dict[tuple[str, ...], list[Case]] = {}
    for case in cases:
        try:
            first = called_functions(case)[0]
        except Exception:  # the case itself will say what is wrong
            continue
        alike.setdefault((first.ints, str(first.errors), *first.heaps), []).append(case)
    return [
        group[first : first + SIZE]
        for group in alike.values()
        for first in range(0, len(group), SIZE)
    ]
