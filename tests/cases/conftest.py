"""Collects the cases of ``*.case`` files as tests."""

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import pytest
from batches import Batches
from caseformat import Case, CaseError, read_cases
from casekinds import run_case
from casesource import CaseFailure, normalise

from rpython.translator.ir.errors import TranslationError
from tests.support.heaps import COLLECTOR_OF

HEAP = os.environ.get("RPYTHON_CASES_HEAP", "")
LEAKING = ("refcount", "none")


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.Collector | None:
    if file_path.suffix == ".case":
        return CaseFile.from_parent(parent, path=file_path)
    return None


def pytest_collection_finish(session: pytest.Session) -> None:
    """Selected cases of a file share programs."""
    for item in session.items:
        if isinstance(item, CaseItem):
            item.file.selected.append(item.case)


class CaseFile(pytest.File):
    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.selected: list[Case] = []

    @cached_property
    def batches(self) -> Batches:
        return Batches(self.selected)

    def collect(self) -> Iterator[pytest.Item]:
        for case in read_cases(self.path):
            yield CaseItem.from_parent(self, name=case.name, case=case)


class CaseItem(pytest.Item):
    def __init__(self, *, case: Case, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.case = case
        self.file = self.parent
        long = case.get("long")
        if long is not None:
            self.add_marker(pytest.mark.long)
        gc = COLLECTOR_OF.get(HEAP, os.environ.get("RPYTHON_CASES_GC"))
        if case.get("cycles") is not None and gc in LEAKING:
            self.add_marker(pytest.mark.skip("needs a collector that finds cycles"))
        if case.get("uncounted") is not None and gc == "refcount":
            self.add_marker(pytest.mark.skip("stores what is not counted"))
        if HEAP and not case.all("call"):
            self.add_marker(pytest.mark.skip("does not run"))

    def runtest(self) -> None:
        run_case(self.case, self.config.getoption("--rewrite"), self.file.batches.take)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None):
        if isinstance(excinfo.value, CaseFailure | CaseError):
            return f"{self.case.path}:{self.case.line}: {self.case.name}\n{excinfo.value}"
        if isinstance(excinfo.value, TranslationError):
            return f"{self.case.path}:{self.case.line}: {self.case.name}\n" + normalise(
                excinfo.value.render()
            )
        excinfo.traceback = excinfo.traceback.cut(path=Path(__file__))
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.case.line - 1, self.name
