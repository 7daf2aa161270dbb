"""Hashes that are the same at import time and in the translated program."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rpython.rlib import _hashes
from rpython.rlib._hashes import IDENTITIES, Identities, bytes_hash, text_hash, value_hash

TEXTS = ["", "a", "abcdefg", "abcdefgh", "é" * 9, "ሴ" * 7, "\U00012345x" * 3, "\udc80", "x" * 300]

COMPARE = """
from rpython.rlib import _hashes
assert _hashes._HOST_AGREES is True
_hashes._HOST_AGREES = False
for text in {texts!r}:
    data = text.encode("utf-8", "surrogatepass")
    for x in (text, data, (text, 1, (data, 2.5)), frozenset([text, data]), (), frozenset()):
        assert _hashes.value_hash(x) == hash(x), x
"""

PROGRAM = """
class Word:
    def __init__(self, text):
        self.text = text
        self.hash = hash(text)

WORDS = [Word("a"), Word("b\\u1234"), Word("\\U00012345c")]
BY_HASH = {hash("x1"): "found"}
PAIR = hash(("a", b"b", 2.5))

def entry_point(argv):
    for word in WORDS:
        print(word.hash == hash((word.text + argv[0])[:len(word.text)]))
    print(BY_HASH[hash("x" + str(len(argv)))], PAIR == hash(("a" * len(argv), b"b", 2.5)))
    return 0
"""


def test_hashes_are_those_of_cpython_with_a_key_of_zeros():
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    code = COMPARE.format(texts=TEXTS)
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


@pytest.mark.parametrize("text", TEXTS)
def test_hashes_do_not_depend_on_the_process(text, monkeypatch):
    known = (text_hash(text), bytes_hash(text.encode("utf-8", "surrogatepass")))
    monkeypatch.setattr(_hashes, "_HOST_AGREES", False)
    assert known == (text_hash(text), bytes_hash(text.encode("utf-8", "surrogatepass")))
    assert value_hash((text, None)) == value_hash((text, None))


def test_an_identity_lives_as_long_as_its_object():
    class Thing:
        pass

    identities = Identities()
    first, second = Thing(), Thing()
    assert identities.number(first) == identities.number(first) == identities.known(first)
    assert identities.number(first) != identities.number(second)
    key = id(first)
    del first
    assert key not in identities._given
    assert IDENTITIES.known(second) is None


def test_the_command_imports_programs_with_a_known_hash_of_text(tmp_path):
    (tmp_path / "words.py").write_text(PROGRAM)
    environment = {**os.environ, "PYTHONHASHSEED": "12"}
    command = [sys.executable, "-m", "rpython.translator.commandline.command", "build"]
    command += ["words.py", "-o", "words"]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    done = subprocess.run([tmp_path / "words"], check=True, capture_output=True, text=True)
    assert done.stdout == "True\nTrue\nTrue\nfound True\n"
