"""The log of changes of strategies: printed line by line, or counted and printed at the end."""

from __future__ import annotations


class LogEntry:
    """What is known of changes that are alike."""

    def __init__(self) -> None:
        self.slots = 0
        self.objects = 0
        self.element_typenames: dict[str, None] = {}

    def add(self, size: int, element_typename: str) -> None:
        self.slots += size
        self.objects += 1
        if element_typename:
            self.element_typenames[element_typename] = None

    def classnames(self) -> list[str]:
        """The names of the classes of items, in the order in which they came."""
        return list(self.element_typenames)


class Logger:
    """Says nothing before ``activate``."""

    def __init__(self) -> None:
        self.active = False
        self.aggregate = False
        self.logs: dict[tuple[str, str, str, str], LogEntry] = {}

    def activate(self, aggregate: bool = False) -> None:
        """Start logging; ``aggregate``: for ``print_aggregated_log``."""
        self.active = True
        self.aggregate = self.aggregate or aggregate

    def log(
        self, new_strategy: str, size: int, cause: str = "", old_strategy: str = "",
        typename: str = "", element_typename: str = "",
    ) -> None:  # fmt: skip
        """Note that a container of ``size`` items has a new strategy."""
        if not self.aggregate:
            names = [element_typename] if element_typename else []
            self._output((cause, old_strategy, new_strategy, typename), size, 1, names)
            return
        key = (cause, old_strategy, new_strategy, typename)
        if key not in self.logs:
            self.logs[key] = LogEntry()
        self.logs[key].add(size, element_typename)

    def print_aggregated_log(self) -> None:
        """One line for all changes that are alike."""
        for key, entry in self.logs.items():
            self._output(key, entry.slots, entry.objects, entry.classnames())

    def _output(
        self, key: tuple[str, str, str, str], slots: int, objects: int, names: list[str]
    ) -> None:
        cause, old, new, typename = key
        old = f"{old} -> " if old else ""
        typename = f" of {typename}" if typename else ""
        items = f" elements: {' '.join(names)}" if names else ""
        self.do_print(f"{cause} ({old}{new}){typename} size {slots} objects {objects}{items}")

    def do_print(self, text: str) -> None:
        """Print a line; for subclasses that put it elsewhere."""
        print(text)
