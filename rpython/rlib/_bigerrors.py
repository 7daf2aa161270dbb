"""What may be wrong with the arguments of methods of ``rbigint``."""

from __future__ import annotations


class InvalidEndiannessError(Exception):
    """A byte order that is neither ``'big'`` nor ``'little'``."""


class InvalidSignednessError(Exception):
    """A negative number in unsigned bytes."""


class MaxIntError(Exception):
    """More digits than ``format`` was allowed to write."""
