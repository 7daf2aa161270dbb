"""``unittest``: test cases, and what runs them.

Which tests a class has is known when the program is translated: a test case gets its method, by
name, from a dict of functions.
"""

from __future__ import annotations

import sys
import time
import unittest
from collections.abc import Callable, Iterator
from typing import Any

from rpython.rlib import _tracebacks
from rpython.stdlib._assertions import Assertions
from rpython.stdlib._registry import (
    Refused,
    at_translation,
    extensible,
    per_arguments,
    per_call,
    per_values,
    place_of_call,
    replaces,
)
from rpython.stdlib._testresults import Entry, TestResult, TextResult


@replaces(unittest.SkipTest)
class SkipTest(Exception):
    pass


class Facts:
    """What decorators and the source say of a test."""

    def __init__(self, skipped: str | None, fails: bool, doc: str | None) -> None:
        self.skipped = skipped
        self.fails = fails
        """Is it expected to?"""
        self.doc = doc


_NO_FACTS = Facts(None, False, None)


@at_translation("")
def _facts() -> dict[str, Facts]:
    """Of all tests that the process knows, by name, where there are any."""
    found: dict[str, Facts] = {}
    waiting = [unittest.TestCase]
    while waiting:
        cls = waiting.pop()
        waiting += cls.__subclasses__()
        for name in unittest.defaultTestLoader.getTestCaseNames(cls):
            facts = _facts_of(cls, getattr(cls, name))
            if facts is not None:
                found[f"{cls.__module__}.{cls.__qualname__}.{name}"] = facts
    return found


def _facts_of(cls: type, test: Any) -> Facts | None:
    skipped = None
    for skipping in (cls, test):
        if getattr(skipping, "__unittest_skip__", False):
            skipped = getattr(skipping, "__unittest_skip_why__", "")
    fails = any(getattr(x, "__unittest_expecting_failure__", False) for x in (cls, test))
    doc = test.__doc__.strip().split("\n")[0].strip() if test.__doc__ else None
    return Facts(skipped, fails, doc) if doc or fails or skipped is not None else None


# -- cases --------------------------------------------------------------------------------------


@replaces(unittest.TestCase)
@extensible
class TestCase(Assertions):
    def __init__(self, methodName: str = "runTest") -> None:
        self._testMethodName = methodName
        self._cleanups: list[Callable[[], object]] = []
        self._result: TestResult | None = None
        self._failed = False
        self._method: Callable[[], object] | None = None

    def setUp(self) -> None:
        pass

    def tearDown(self) -> None:
        pass

    @classmethod
    def setUpClass(cls) -> None:
        pass

    @classmethod
    def tearDownClass(cls) -> None:
        pass

    def _class_name(self) -> str:
        return f"{type(self).__module__}.{type(self).__qualname__}"

    def id(self) -> str:
        return f"{self._class_name()}.{self._testMethodName}"

    def __str__(self) -> str:
        return f"{self._testMethodName} ({self.id()})"

    def __repr__(self) -> str:
        return f"<{self._class_name()} testMethod={self._testMethodName}>"

    def shortDescription(self) -> str | None:
        return self._facts().doc

    def _facts(self) -> Facts:
        return _facts().get(self.id(), _NO_FACTS)

    def countTestCases(self) -> int:
        return 1

    def skipTest(self, reason: str) -> None:
        raise SkipTest(reason)

    @per_arguments
    def addCleanup(self, function: Any, /, *args: Any, **kwargs: Any) -> None:
        self._cleanups.append(lambda: _called(function, args, kwargs))

    def doCleanups(self) -> None:
        while self._cleanups:
            self._attempt(self._cleanups.pop())

    @per_arguments
    def subTest(self, msg: str | None = None, **params: Any) -> SubTest:
        parts = [] if msg is None else [f"[{msg}]"]
        shown = [f"{name}={value!r}" for name, value in params.items()]
        if shown:
            parts.append(f"({', '.join(shown)})")
        return SubTest(self, " ".join(parts) or "(<subtest>)")

    def run(self, result: TestResult) -> None:
        facts = self._facts()
        result.startTest(self)
        if facts.skipped is not None:
            result.addSkip(self, facts.skipped)
            return
        self._result = result
        self._failed = False
        self._raised: str | None = None
        expecting = facts.fails
        self._expecting = expecting
        if self._attempt(self.setUp):
            self._attempt(self._test)
            self._attempt(self.tearDown)
        self.doCleanups()
        if expecting and not self._failed:
            if self._raised is not None:
                result.addExpectedFailure(self, self._raised)
            else:
                result.addUnexpectedSuccess(self)
        elif not self._failed:
            result.addSuccess(self)

    def _test(self) -> None:
        assert self._method is not None
        self._method()

    def _attempt(self, function: Callable[[], object]) -> bool:
        """Did it raise nothing?  What it raised is in the result."""
        assert self._result is not None
        try:
            function()
        except KeyboardInterrupt:
            raise
        except SkipTest as skip:
            self._failed = True
            self._result.addSkip(self, str(skip))
        except BaseException as error:
            return self._noted(error)
        else:
            return True
        return False

    def _noted(self, error: BaseException) -> bool:
        """False, after it has gone to the result."""
        assert self._result is not None
        text = _tracebacks.text_of(error)
        if self._expecting:
            self._raised = text
        elif isinstance(error, AssertionError):
            self._failed = True
            self._result.addFailure(self, text)
        else:
            self._failed = True
            self._result.addError(self, text)
        return False

    def debug(self) -> None:
        raise NotImplementedError("TestCase.debug")


@per_arguments
def _called(function: Any, args: Any, kwargs: Any) -> None:
    function(*args, **kwargs)


class SubTest:
    """Notes what leaves its block, and goes on behind it."""

    def __init__(self, case: TestCase, shown: str) -> None:
        self._case = case
        self._shown = shown

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        case = self._case
        if error is None:
            return False
        if isinstance(error, KeyboardInterrupt) or case._expecting:
            return False
        assert case._result is not None
        case._failed = True
        if isinstance(error, SkipTest):
            case._result.addSkip(case, str(error))
        else:
            text = _tracebacks.text_of(error)
            case._result.add_sub_test(case, self._shown, text, isinstance(error, AssertionError))
        return True


# -- suites -------------------------------------------------------------------------------------


class Group:
    """Tests of one class, with what is done before and after all of them."""

    def __init__(self, name: str, tests: list[TestCase], begin: Any, end: Any) -> None:
        self.name = name
        self.tests = tests
        self.begin: Callable[[], None] = begin
        self.end: Callable[[], None] = end

    def run(self, result: TestResult) -> None:
        if all(test._facts().skipped is not None for test in self.tests):
            for test in self.tests:
                test.run(result)
            return
        if not self._done(self.begin, f"setUpClass ({self.name})", result):
            return
        for test in self.tests:
            if result.shouldStop:
                break
            test.run(result)
        self._done(self.end, f"tearDownClass ({self.name})", result)

    def _done(self, function: Callable[[], None], title: str, result: TestResult) -> bool:
        try:
            function()
        except KeyboardInterrupt:
            raise
        except SkipTest as skip:
            result.skipped.append(Entry(title, str(skip)))
            result._say(title, "s", f"skipped {str(skip)!r}")
        except BaseException as error:
            return _class_failed(result, title, error)
        else:
            return True
        return False


def _class_failed(result: TestResult, title: str, error: BaseException) -> bool:
    result.errors.append(Entry(title, _tracebacks.text_of(error)))
    result._say(title, "E", "ERROR")
    return False


@replaces(unittest.TestSuite)
class TestSuite:
    @per_arguments
    def __init__(self, tests: Any = ()) -> None:
        self._groups: list[Group] = []
        self.addTests(tests)

    @per_arguments
    def addTests(self, tests: Any) -> None:
        if isinstance(tests, TestSuite):
            self._add_all(tests)
        else:
            for test in tests:
                self.addTest(test)

    def __iter__(self) -> Iterator[TestCase]:
        for group in self._groups:
            yield from group.tests

    @per_arguments
    def addTest(self, test: Any) -> None:
        if isinstance(test, TestSuite):
            self._add_all(test)
        else:
            self._add(_group(type(test))([test]))

    def _add_all(self, other: TestSuite) -> None:
        for group in other._groups:
            self._add(group)

    def _add(self, group: Group) -> None:
        if self._groups and self._groups[-1].name == group.name:
            last = self._groups[-1]
            group = Group(last.name, last.tests + group.tests, last.begin, last.end)
            self._groups.pop()
        self._groups.append(group)

    def countTestCases(self) -> int:
        return sum([len(group.tests) for group in self._groups])

    def run(self, result: TestResult) -> TestResult:
        for group in self._groups:
            if result.shouldStop:
                break
            group.run(result)
        return result


@at_translation("cls", what="a class of tests", only_class=True)
def _group(cls: type[TestCase]) -> Any:
    """What makes a group of tests of the class."""
    title = f"{cls.__module__}.{cls.__qualname__}"
    functions = {name: _function(cls, name) for name in _test_names(cls)}

    def make(tests: Any) -> Group:
        made: list[TestCase] = []
        for test in tests:
            if test._testMethodName not in functions:
                raise ValueError(f"no such test method in {title}: {test._testMethodName}")
            bind(test, functions[test._testMethodName])
            made.append(test)
        return Group(title, made, lambda: cls.setUpClass(), lambda: cls.tearDownClass())

    def bind(test: Any, function: Any) -> None:
        test._method = lambda: function(test)

    return make


def _test_names(cls: Any) -> list[str]:
    return list(unittest.defaultTestLoader.getTestCaseNames(cls))


def _function(cls: Any, name: str) -> Any:
    """A test; none of those that are skipped."""
    function = getattr(cls, name)
    return _skipped if getattr(function, "__unittest_skip__", False) else function


def _skipped(self: Any) -> None:
    """Is not called."""


@at_translation("cls", what="a class of tests")
def _suite_of_class(cls: type[TestCase]) -> Any:
    """What makes a suite of all its tests."""
    names = _test_names(cls)
    make = _group(cls)

    def suite(chosen: list[str]) -> TestSuite:
        tests = [cls(name) for name in names if not chosen or name in chosen]
        made = TestSuite()
        if tests:
            made._add(make(tests))
        return made

    return suite


@at_translation("module", what="a module of tests")
def _suites_of(module: Any) -> Any:
    """The names of the classes of a module, or of that from a file, and what makes their suites."""
    if isinstance(module, str):
        module = _module_from(module)
    if hasattr(module, "load_tests"):
        raise Refused("a function load_tests is not supported")
    if hasattr(module, "setUpModule") or hasattr(module, "tearDownModule"):
        raise Refused("setUpModule and tearDownModule are not supported")
    names = [
        name
        for name in dir(module)
        if isinstance(getattr(module, name), type)
        and issubclass(getattr(module, name), unittest.TestCase)
        and getattr(module, name) not in (unittest.TestCase, unittest.FunctionTestCase)
    ]
    for name in names:
        if issubclass(getattr(module, name), unittest.IsolatedAsyncioTestCase):
            raise Refused("IsolatedAsyncioTestCase is not supported")
    makers = {name: _suite_of_class(getattr(module, name)) for name in names}

    def suite(chosen: list[str]) -> TestSuite:
        made = TestSuite()
        for name, make in makers.items():
            methods = [word.partition(".")[2] for word in chosen if word.split(".")[0] == name]
            if not chosen:
                made.addTest(make([]))
            elif methods:
                made.addTest(make([] if "" in methods else methods))
        return made

    return suite


def _module_from(path: str) -> Any:
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == path:
            return module
    raise Refused(f"no module from {path}")


@replaces(unittest.TestLoader)
class TestLoader:
    @per_values
    def loadTestsFromTestCase(self, testCaseClass: Any) -> TestSuite:
        suite: TestSuite = _suite_of_class(testCaseClass)([])
        return suite

    @per_values
    def loadTestsFromModule(self, module: Any) -> TestSuite:
        suite: TestSuite = _suites_of(module)([])
        return suite


# -- runners ------------------------------------------------------------------------------------


@replaces(unittest.TextTestRunner)
class TextTestRunner:
    @per_arguments
    def __init__(
        self, stream: Any = None, descriptions: bool = True, verbosity: int = 1,
        failfast: bool = False, buffer: bool = False,
    ) -> None:  # fmt: skip
        if buffer:
            raise NotImplementedError("TextTestRunner(buffer=True)")
        self.stream = sys.stderr if stream is None else stream
        self.verbosity = verbosity
        self.failfast = failfast

    @per_arguments
    def run(self, test: Any) -> TestResult:
        result = TextResult(self.stream, self.verbosity)
        result.failfast = self.failfast
        start = time.perf_counter()
        test.run(result)
        taken = time.perf_counter() - start
        result.write_errors()
        count = result.testsRun
        self.stream.write(
            f"{'-' * 70}\nRan {count} test{'' if count == 1 else 's'} in {taken:.3f}s\n\n"
        )
        self.stream.write(result.summary())
        self.stream.flush()
        return result


class Program:
    """What ``unittest.main`` gives."""

    def __init__(self, result: TestResult) -> None:
        self.result = result


@replaces(unittest.main)
@per_call
def main(
    module: Any = "__main__", defaultTest: str | None = None, argv: Any = None,
    testRunner: Any = None, *, exit: bool = True, verbosity: int = 1, failfast: bool = False,
) -> Program:  # fmt: skip
    """The tests of a module, by default that which calls it."""
    chosen: list[str] = [] if defaultTest is None else [defaultTest]
    for word in sys.argv[1:] if argv is None else argv[1:]:
        if word in ("-v", "--verbose"):
            verbosity = 2
        elif word in ("-q", "--quiet"):
            verbosity = 0
        elif word in ("-f", "--failfast"):
            failfast = True
        elif word.startswith("-"):
            raise NotImplementedError(f"the option {word} of unittest.main")
        else:
            chosen.append(word)
    suite = _suites_of(place_of_call()[0] if module == "__main__" else module)(chosen)
    if testRunner is None:
        result = TextTestRunner(verbosity=verbosity, failfast=failfast).run(suite)
    else:
        result = testRunner.run(suite)
    if exit:
        sys.exit(0 if result.wasSuccessful() else 1)
    return Program(result)
