"""Programs that end with exceptions whose text is made when it is printed, for ``failing.py``."""

import sys
import traceback

from failures import look


class Item:
    def __init__(self, n: int) -> None:
        self.n = n
        self.shown = 0

    def __repr__(self) -> str:
        """Raises and catches exceptions while it is shown."""
        self.shown += 1
        try:
            look({}, "inside")
        except KeyError as e:
            print("showing", self.n, e)
        return f"<item {self.n}, shown {self.shown} times>"


class Failing:
    def __str__(self) -> str:
        return str(look({}, "no text"))


class Unready:
    def __repr__(self) -> str:
        raise NotImplementedError


class WithItems(Exception):
    def __init__(self, items: list[int], item: Item) -> None:
        self.items = items


class Wordless(Exception):
    def __str__(self) -> str:
        return [""][len(self.args)]


def changed_later() -> int:
    items = [1, 2]
    e = ValueError("no", items, {"a": items})
    items.append(3)
    raise e


def changed_while_it_flies() -> int:
    items = [1]
    try:
        raise WithItems(items, Item(1))
    finally:
        items.append(2)
    return 0


def chain_of_changing() -> int:
    items, item = [1], Item(2)
    try:
        try:
            raise WithItems(items, item)
        except WithItems as e:
            e.items.append(2)
            raise KeyError(item) from e
    except KeyError:
        items.append(3)
        item.n = 5
        raise RuntimeError(items)  # noqa: B904
    return 0


def of_an_exception() -> int:
    try:
        raise WithItems([3], Item(3))
    except WithItems as e:
        raise ValueError(e) from None
    return 0


def text_that_fails() -> int:
    raise ValueError(Failing())


def text_that_fails_in_a_chain() -> int:
    try:
        raise Wordless([1])
    except Wordless as e:
        raise ValueError([Unready()]) from e
    return 0


def written_in_between() -> int:
    raise ValueError(Writing())


class Writing:
    def __str__(self) -> str:
        sys.stderr.write("[written]")
        return "text"


def printed_texts() -> int:
    items, item = [1], Item(4)
    for e in (ValueError(items), LookupError(items, item), ValueError(Failing())):
        try:
            raise e
        except LookupError:
            traceback.print_exc()
        except ValueError:
            traceback.print_exc()
        items.append(7)
    return item.shown


def leave_with_items() -> int:
    items = [1]
    try:
        raise SystemExit(items)
    finally:
        items.append(2)
    return 0


def leave_with_several() -> int:
    raise SystemExit(Item(1), [2])


def leave_without_text() -> int:
    raise SystemExit(Failing())


TEXTS = {
    f.__name__: f for f in (
        changed_later, changed_while_it_flies, chain_of_changing, of_an_exception, text_that_fails,
        text_that_fails_in_a_chain, written_in_between, printed_texts, leave_with_items,
        leave_with_several, leave_without_text,
    )
}  # fmt: skip
