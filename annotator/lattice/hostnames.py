"""What programs see of functions, those that stand for CPython's among them.

    heapq.heappush.__module__       "_heapq": that of the function in C
    operator.itemgetter(0)          a closure of ours: nobody can say what it is called there
"""

from __future__ import annotations

from typing import Any

from rpython.stdlib._seen import HOSTS, NAMES
from rpython.translator.ir.home import Home, home_of_function, home_of_module


def type_of_function(function: Any) -> type | None:
    """The class that it has in CPython; None: nobody can say."""
    types_there = {type(host) for host in _hosts(function)}
    return types_there.pop() if len(types_there) == 1 else None


def attribute_of_function(function: Any, name: str) -> Any:
    """What CPython's has as one of the attributes that every function has, or as another; the
    function itself as ``__func__`` of what is bound to it.  Raises LookupError where nobody can
    say."""
    if name == "__func__":
        return function
    if name not in NAMES:
        return getattr(function, name)
    hosts = _hosts(function)
    found = [getattr(host, name) for host in hosts if hasattr(host, name)]
    if not found or len(found) < len(hosts) or any(value != found[0] for value in found):
        raise LookupError(name)
    return found[0]


def _hosts(function: Any) -> tuple[Any, ...]:
    """What CPython has where a program has the function, itself in most cases: one of several."""
    hosts: tuple[Any, ...] = getattr(function, HOSTS, ())
    if hosts or home_of_function(function) not in (Home.OVERLAY, Home.PRIVATE):
        return hosts or (function,)
    wraps_another = not home_of_module(function.__module__).is_ours
    return (function,) if wraps_another else ()
