"""What restricted programs may ask about the world they run in."""

from __future__ import annotations


def we_are_translated() -> bool:
    """False under CPython, True in a translated program (the flow-graph builder folds
    the call: see ``_rpython_fold_``)."""
    return False


we_are_translated._rpython_fold_ = True  # type: ignore[attr-defined]
