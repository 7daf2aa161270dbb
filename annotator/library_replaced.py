"""The modules of the standard library that are replaced function by function."""

from __future__ import annotations

from rpython.rlib import _select, _socket, _unicodedata
from rpython.rlib._replaced import replacement_of as replacement_of

MODULES = (_select, _socket, _unicodedata)
"""Importing them has filled the table."""
