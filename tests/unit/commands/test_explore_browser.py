"""``rpython explore``, clicked through in a browser.

Needs Chromium, its driver (Debian: ``chromium``, ``chromium-driver``) and selenium
(``pip install 'rpython3[browser]'``).
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.commandline import rpython
from tests.support.explored import PROGRAM

selenium = pytest.importorskip("selenium", reason="selenium is not installed")
from selenium import webdriver  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium"),
    pytest.mark.skipif(DRIVER is None, reason="there is no chromedriver"),
]

PATIENCE = 10.0
"""Seconds until something that was clicked has to have happened."""
OPEN_SECONDS = 2.0
"""A program of 5,000 lines is there after that."""


BOXES = """
return [...document.querySelectorAll("#graph .block")].map((block) => {
  const box = block.getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom];
});
"""
"""Where the blocks are."""


class Browser:
    def __init__(self) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("headless=new", "no-sandbox", "disable-gpu", "window-size=1500,950"):
            options.add_argument(f"--{argument}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.ChromeService(DRIVER)
        self.driver = webdriver.Chrome(options=options, service=service)

    def open(self, page: Path, where: str = "") -> float:
        """Seconds until the page is there."""
        started = time.perf_counter()
        self.driver.get("about:blank")
        self.driver.get(f"{page.as_uri()}{where}")
        self.wait(lambda: self.driver.execute_script("return document.body.dataset.ready"))
        return time.perf_counter() - started

    def wait(self, happened: Callable[[], Any]) -> None:
        end = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < end, "it does not happen"
            time.sleep(0.02)

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        return [each.text for each in self.all(selector)]

    def click(self, selector: str, text: str = "") -> None:
        next(each for each in self.all(selector) if text in each.text).click()

    def hover(self, element: Any) -> None:
        ActionChains(self.driver).move_to_element(element).perform()

    def show(self, name: str) -> None:
        """Open a function by the search box."""
        search = self.all("#search")[0]
        search.clear()
        search.send_keys(name, Keys.ENTER)
        self.wait(lambda: self.texts("#name") == [name])

    def stage(self) -> str:
        return self.texts(".stage.current")[0]

    def rows(self, pane: str, text: str) -> list[Any]:
        return [each for each in self.all(f"#{pane} .row") if text in each.text]


@pytest.fixture(scope="module")
def driven() -> Iterator[Browser]:
    browser = Browser()
    yield browser
    browser.driver.quit()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explore")
    (folder / "accounts.py").write_text(PROGRAM)
    assert rpython(folder, "explore", "accounts.py").returncode == 0
    return folder / "accounts.html"


@pytest.fixture
def browser(driven: Browser, page: Path) -> Iterator[Browser]:
    driven.open(page)
    yield driven
    assert [each["message"] for each in driven.driver.get_log("browser")] == []


def test_functions_are_found(browser: Browser) -> None:
    own = ["Account.__init__", "Account.pay", "fee", "total", "entry_point"]
    assert [text.split("\n")[0] for text in browser.texts(".group:first-child .function")] == own
    browser.show("total")
    assert [text.split("\n")[0] for text in browser.texts(".function")] == ["total"]
    browser.all("#search")[0].send_keys("xyzzy")
    assert browser.texts("#list p") == ["no function has that name"]
    browser.all("#search")[0].send_keys(Keys.ESCAPE)
    assert [text.split("\n")[0] for text in browser.texts(".group:first-child .function")] == own


def test_callers_and_callees_are_links(browser: Browser) -> None:
    browser.show("total")
    assert browser.texts("#relatives a") == ["entry_point", "fee"]
    browser.click("#relatives a.inlined")
    browser.wait(lambda: browser.texts("#name") == ["fee"])
    assert browser.texts("#c .empty")[0].startswith("There is no C of it")
    browser.driver.back()
    browser.wait(lambda: browser.texts("#name") == ["total"])


def test_a_line_marks_its_operations(browser: Browser) -> None:
    browser.show("total")
    (line,) = browser.rows("source", "result += account.balance")
    browser.hover(line)
    marked = browser.texts("#graph .row.hot")
    assert any("int_sub_ovf" in text for text in marked)
    assert any("int_floordiv" in text for text in marked)  # of fee, which is inlined
    assert browser.all("#c .row.hot")
    assert "check: int_add_ovf of any and any" in browser.texts("#tip")[0]


def test_an_operation_marks_its_line(browser: Browser) -> None:
    browser.show("total")
    (division,) = browser.rows("graph", "int_floordiv")
    browser.hover(division)
    marked = ["amount // 100", "fee(account.balance)"]
    assert browser.texts("#source .row.hot mark") == marked
    assert any("/" in text for text in browser.texts("#c .row.hot"))
    assert "accounts.py:11 in fee" in browser.texts("#tip")[0]
    assert "inlined at" in browser.texts("#tip")[0]
    division.click()
    browser.hover(browser.all("#name")[0])
    assert any("result +=" in text for text in browser.texts("#source .row.pinned"))


def test_a_variable_shows_its_type_and_range(browser: Browser) -> None:
    browser.show("total")
    browser.hover(next(each for each in browser.all("#graph .v") if each.text == "index"))
    told = browser.texts("#tip")[0]
    assert "index: Signed" in told
    assert "between 0 and 2**49" in told
    browser.click(".stage", "annotated")
    browser.wait(lambda: browser.stage() == "annotated")
    browser.hover(next(each for each in browser.all("#graph .v") if each.text == "account"))
    assert "account: SomeInstance(Account)" in browser.texts("#tip")[0]


def test_stages_and_differences(browser: Browser) -> None:
    browser.show("total")
    assert browser.stage() == "insert_safepoints"
    browser.click("#before")
    browser.wait(lambda: browser.stage() == "simplify_blocks.3")
    assert not browser.rows("graph", "safepoint()")
    browser.all("body")[0].send_keys(Keys.ARROW_RIGHT)
    browser.wait(lambda: browser.stage() == "insert_safepoints")
    browser.click("#modes button", "diff")
    assert "safepoint()" in [text.strip() for text in browser.texts(".diff .added")]
    browser.all("#slider")[0].send_keys(Keys.HOME)
    browser.wait(lambda: browser.stage() == "flow")
    browser.click("#modes button", "blocks")


def test_blocks_are_drawn(browser: Browser) -> None:
    browser.show("total")
    count = len(browser.all("#graph .block"))
    arrows = len(browser.all("svg.edges path"))
    assert browser.all("svg.edges path.back")
    browser.click("#modes button", "graph")
    blocks = browser.all("#graph .block")
    assert (len(blocks), len(browser.all("svg.edges path"))) == (count, arrows)
    boxes = browser.driver.execute_script(BOXES)
    for i, (left, top, right, bottom) in enumerate(boxes):
        for other_left, other_top, other_right, other_bottom in boxes[i + 1 :]:
            beside = right <= other_left or other_right <= left
            assert beside or bottom <= other_top or other_bottom <= top
    browser.click("#graph .j", "b6")
    assert browser.all(".block.target")
    browser.click("#modes button", "blocks")


def test_the_call_graph(browser: Browser) -> None:
    browser.show("total")
    browser.click("#modes button", "calls")
    names = ["Account.__init__", "Account.pay", "entry_point", "fee", "total"]
    assert sorted(browser.texts(".caller")) == names
    assert browser.texts(".caller.current") == ["total"]
    assert len(browser.all("svg.edges path")) == 4
    browser.click(".caller", "Account.pay")
    browser.wait(lambda: browser.texts("#name") == ["Account.pay"])
    assert browser.texts(".caller.current") == ["Account.pay"]
    browser.click("#modes button", "blocks")


def test_what_remained_and_what_was_inlined(browser: Browser) -> None:
    browser.show("total")
    assert browser.texts("#tabs button") == ["Remained (2)", "Inlining (1)"]
    browser.click("#table .entry", "int_add_ovf of any and any")
    assert browser.texts("#source .row.pinned")
    browser.click("#tabs button", "Inlining")
    assert "inlined, cost" in browser.texts("#table .entry")[0]
    browser.click("#tabs button", "Remained")


def test_a_large_program_opens_quickly(driven: Browser, tmp_path: Path) -> None:
    (tmp_path / "large.py").write_text(large_program(5000))
    assert rpython(tmp_path, "explore", "large.py").returncode == 0
    took = driven.open(tmp_path / "large.html")
    size = (tmp_path / "large.html").stat().st_size
    print(f"{size / 1024:.0f} kB, there after {took:.2f} s")
    assert took < OPEN_SECONDS


def large_program(lines: int) -> str:
    """Classes with methods that call each other, and an entry point that calls all."""
    parts, calls = [], []
    for number in range(lines // 25):
        parts.append(CLASS.replace("NUMBER", str(number)))
        calls.append(f"    result += Shop{number}(len(argv)).total()\n")
    return f"{''.join(parts)}\ndef entry_point(argv):\n    result = 0\n{''.join(calls)}\
    print(result)\n    return 0\n"


CLASS = """
class ShopNUMBER:
    def __init__(self, count):
        self.prices = [NUMBER + i for i in range(count)]
        self.names = {}
        self.name("first", 0)

    def name(self, text, index):
        self.names[text] = index
        if index % 3 == NUMBER % 3:
            self.names[text + "!"] = index + NUMBER

    def price(self, name):
        if name in self.names:
            return self.prices[self.names[name]]
        return 0

    def total(self):
        result = 0
        for i, price in enumerate(self.prices):
            if price > i * NUMBER:
                result += price // (i + 1)
            else:
                result -= self.price("first")
        return result
"""


def test_flame_graph(driven: Browser, tmp_path: Path) -> None:
    """``rpython profile --html``: a click enlarges, Escape goes back, the search marks."""
    (tmp_path / "prog.py").write_text(BUSY)
    assert rpython(tmp_path, "profile", "-o", "out.html", "prog.py").returncode == 0
    driven.open(tmp_path / "out.html")

    def width(name: str) -> int:
        frames = [each for each in driven.all(".frame") if each.text == name]
        return int(frames[0].size["width"]) if frames else 0

    whole, part = width("all"), width("slow")
    assert 0 < width("quick") < part < whole
    driven.click(".frame", "slow")
    driven.wait(lambda: width("slow") == whole)
    assert driven.texts(".frame.outer")[:1] == ["all"] and not width("quick")
    driven.all("body")[0].send_keys(Keys.ESCAPE)
    driven.wait(lambda: width("slow") == part)
    driven.all("#search")[0].send_keys("SLOW")
    assert driven.texts(".frame.found") == ["slow"]
    assert 50 < float(driven.texts("#found")[0].removesuffix(" %")) < 100
    driven.hover(driven.all(".frame.found")[0])
    assert "slow  (program)" in driven.texts("#tip")[0]
    assert any("n * 31" in text for text in driven.texts("tr"))
    assert [each["message"] for each in driven.driver.get_log("browser")] == []


BUSY = """\
def slow(n):
    for i in range(150000000):
        n = (n * 31 + i) % 1000003
    return n

def quick(n):
    for i in range(40000000):
        n = (n * 31 + i) % 1000003
    return n

def entry_point(argv):
    print(slow(len(argv)) + quick(len(argv)))
    return 0
"""
