"""``docs/stdlib.md`` says what the registry says."""

from stdlibdoc import PAGE, page

from rpython.annotator.rules.registry import FUNCTIONS
from rpython.stdlib import _registry
from rpython.translator.ir.home import Home, home_of_module


def test_the_page_is_that_of_the_registry() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.docs.stdlibdoc"


def test_what_the_annotator_knows_is_available() -> None:
    for host in FUNCTIONS.hosts():
        home = _registry.file_of(host)
        if home_of_module(home) is Home.STANDARD and home not in ("builtins", "weakrefset"):
            assert home in {*_registry.available(), "posixpath"}, host
