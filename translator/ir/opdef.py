"""Operation rows and the tables that hold them.

"One place per fact": everything the toolchain knows about an operation is one row of
one table.  High-level rows are in ``translator.ir.hlops``, low-level rows in
``lltypesystem.operations.llops``; a ``SpaceOperation`` refers to its row, never to a bare string.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from rpython.translator.ir.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class OpDef:
    """What every row has: the operation's ``name``."""

    name: str

    def __repr__(self) -> str:
        return f"<op {self.name}>"


Row = TypeVar("Row", bound=OpDef)


class OpTable(Generic[Row]):
    """A table of rows by name; duplicates fail at import; frozen once filled."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._rows: dict[str, Row] = {}
        self._frozen = False

    def add(self, row: Row) -> Row:
        if self._frozen:
            raise TypeError(f"the {self.title} table is frozen; cannot add {row.name!r}")
        if row.name in self._rows:
            raise TypeError(f"duplicate row {row.name!r} in the {self.title} table")
        self._rows[row.name] = row
        return row

    def freeze(self) -> None:
        self._frozen = True

    def __getitem__(self, name: str) -> Row:
        return self._rows[name]

    def get(self, name: str) -> Row | None:
        """The row of that name, or None."""
        return self._rows.get(name)

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows.values())

    def __len__(self) -> int:
        return len(self._rows)
