"""What came of tests, and what is written of it (``unittest``)."""

from __future__ import annotations

import unittest
from typing import Any, Protocol

from rpython.stdlib._registry import replaces


class TestLike(Protocol):
    """What is asked of a test case."""

    def shortDescription(self) -> str | None: ...


class Entry:
    """A test that did not succeed; a tuple in CPython."""

    def __init__(self, title: str, text: str) -> None:
        self.title = title
        self.text = text


@replaces(unittest.TestResult)
class TestResult:
    def __init__(self) -> None:
        self.testsRun = 0
        self.errors: list[Entry] = []
        self.failures: list[Entry] = []
        self.skipped: list[Entry] = []
        self.expectedFailures: list[Entry] = []
        self.unexpectedSuccesses: list[Entry] = []
        self.shouldStop = False
        self.failfast = False

    def title(self, test: TestLike) -> str:
        doc = test.shortDescription()
        return f"{test}\n{doc}" if doc else str(test)

    def startTest(self, test: TestLike) -> None:
        self.testsRun += 1

    def _say(self, title: str, letter: str, word: str) -> None:
        """How a test ended."""

    def _stop_on_failure(self) -> None:
        if self.failfast:
            self.shouldStop = True

    def addSuccess(self, test: TestLike) -> None:
        self._say(self.title(test), ".", "ok")

    def addError(self, test: TestLike, text: str) -> None:
        self._stop_on_failure()
        self.errors.append(Entry(self.title(test), text))
        self._say(self.title(test), "E", "ERROR")

    def addFailure(self, test: TestLike, text: str) -> None:
        self._stop_on_failure()
        self.failures.append(Entry(self.title(test), text))
        self._say(self.title(test), "F", "FAIL")

    def addSkip(self, test: TestLike, reason: str) -> None:
        self.skipped.append(Entry(self.title(test), reason))
        self._say(self.title(test), "s", f"skipped {reason!r}")

    def addExpectedFailure(self, test: TestLike, text: str) -> None:
        self.expectedFailures.append(Entry(self.title(test), text))
        self._say(self.title(test), "x", "expected failure")

    def addUnexpectedSuccess(self, test: TestLike) -> None:
        self._stop_on_failure()
        self.unexpectedSuccesses.append(Entry(self.title(test), ""))
        self._say(self.title(test), "u", "unexpected success")

    def add_sub_test(self, test: TestLike, shown: str, text: str, failed: bool) -> None:
        self._stop_on_failure()
        doc = test.shortDescription()
        title = f"{test} {shown}" + (f"\n{doc}" if doc else "")
        (self.failures if failed else self.errors).append(Entry(title, text))
        self._say_below(title, "F" if failed else "E", "FAIL" if failed else "ERROR")

    def _say_below(self, title: str, letter: str, word: str) -> None:
        """The same of a subtest."""

    def wasSuccessful(self) -> bool:
        return not (self.failures or self.errors or self.unexpectedSuccesses)

    def stop(self) -> None:
        self.shouldStop = True


class TextResult(TestResult):
    """Also written while tests run."""

    def __init__(self, stream: Any, verbosity: int) -> None:
        TestResult.__init__(self)
        self.stream = stream
        self.dots = verbosity == 1
        self.shows_all = verbosity > 1
        self._at_start = True

    def startTest(self, test: TestLike) -> None:
        TestResult.startTest(self, test)
        if self.shows_all:
            self.stream.write(f"{self.title(test)} ... ")
            self.stream.flush()
            self._at_start = False

    def _say(self, title: str, letter: str, word: str) -> None:
        if self.shows_all:
            if self._at_start and letter not in "xu":
                self.stream.write(f"{title} ... ")
            self.stream.write(f"{word}\n")
            self._at_start = True
        elif self.dots:
            self.stream.write(letter)
        self.stream.flush()

    def _say_below(self, title: str, letter: str, word: str) -> None:
        if self.shows_all:
            if not self._at_start:
                self.stream.write("\n")
            self.stream.write(f"  {title} ... {word}\n")
            self._at_start = True
        elif self.dots:
            self.stream.write(letter)
        self.stream.flush()

    def write_errors(self) -> None:
        if self.dots or self.shows_all:
            self.stream.write("\n")
        self._write_each("ERROR", self.errors)
        self._write_each("FAIL", self.failures)
        if self.unexpectedSuccesses:
            self.stream.write("=" * 70 + "\n")
            for entry in self.unexpectedSuccesses:
                self.stream.write(f"UNEXPECTED SUCCESS: {entry.title}\n")

    def _write_each(self, what: str, entries: list[Entry]) -> None:
        for entry in entries:
            self.stream.write(
                f"{'=' * 70}\n{what}: {entry.title}\n{'-' * 70}\n{entry.text}\n"
            )

    def summary(self) -> str:
        counts = []
        if not self.wasSuccessful():
            counts += [("failures", len(self.failures)), ("errors", len(self.errors))]
        counts += [
            ("skipped", len(self.skipped)), ("expected failures", len(self.expectedFailures)),
            ("unexpected successes", len(self.unexpectedSuccesses)),
        ]  # fmt: skip
        shown = ", ".join([f"{what}={count}" for what, count in counts if count])
        text = "OK" if self.wasSuccessful() else "FAILED"
        return f"{text} ({shown})\n" if shown else f"{text}\n"
