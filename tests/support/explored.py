"""The program that the tests of ``rpython explore`` look at, and reading the page's data."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rpython.translator.view.page import unpacked

PROGRAM = """
class Account:
    def __init__(self, owner, balance):
        self.owner = owner
        self.balance = balance

    def pay(self, amount):
        self.balance += amount

def fee(amount):
    return amount // 100

def total(accounts):
    result = 0
    for account in accounts:
        result += account.balance - fee(account.balance)
    return result

def entry_point(argv):
    accounts = [Account(name, 100) for name in argv]
    accounts[0].pay(len(argv))
    print(total(accounts))
    return 0
"""


def data_of(page: Path) -> tuple[Any, list[Any], list[str]]:
    """The index, the functions and the sources in a page."""
    text = page.read_text(encoding="utf-8")
    found = re.search(r'<script type="text/plain" id="data">\n(.*?)\n</script>', text, re.DOTALL)
    assert found is not None
    index, *others = map(unpacked, found[1].splitlines())
    count = len(index["functions"])
    return index, others[:count], others[count:]
