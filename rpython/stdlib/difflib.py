"""``difflib``: its source asks whether two texts are the same object, to do nothing again."""

from __future__ import annotations

import difflib
from typing import Any

from rpython.stdlib._registry import replaces


@replaces(difflib.SequenceMatcher.set_seq1)
def set_seq1(self: Any, a: Any) -> None:
    self.a = a
    self.matching_blocks = self.opcodes = None


@replaces(difflib.SequenceMatcher.set_seq2)
def set_seq2(self: Any, b: Any) -> None:
    self.b = b
    self.matching_blocks = self.opcodes = None
    self.fullbcount = None
    self._SequenceMatcher__chain_b()
