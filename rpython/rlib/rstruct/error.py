"""What is wrong with a format or with data."""

from __future__ import annotations


class StructError(Exception):
    """``msg`` says what."""

    def __init__(self, msg: str) -> None:
        super().__init__(msg)
        self.msg = msg


class StructOverflowError(StructError):
    """A number is too large."""
