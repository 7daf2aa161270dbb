"""The policy object that a target hands to RPython's JIT generator; there is none here, so that
nobody asks it anything."""

from __future__ import annotations

from typing import Any


class JitPolicy:
    """Which functions the JIT may look into: what RPython would ask, with its usual answers."""

    def __init__(self, jithookiface: Any = None) -> None:
        self.jithookiface = jithookiface
        self.supports_floats = False
        self.supports_longlong = False
        self.supports_singlefloats = False

    def set_supports_floats(self, flag: bool) -> None:
        self.supports_floats = flag

    def set_supports_longlong(self, flag: bool) -> None:
        self.supports_longlong = flag

    def set_supports_singlefloats(self, flag: bool) -> None:
        self.supports_singlefloats = flag

    def look_inside_function(self, func: Any) -> bool:
        return True

    def look_inside_graph(self, graph: Any) -> bool:
        func = getattr(graph, "func", None)
        if func is None:
            return True
        return self.look_inside_function(func) and getattr(func, "_jit_look_inside_", True)


class StopAtXPolicy(JitPolicy):
    """Looks into everything but some functions."""

    def __init__(self, *funcs: Any) -> None:
        super().__init__()
        self.funcs = funcs

    def look_inside_function(self, func: Any) -> bool:
        return func not in self.funcs
