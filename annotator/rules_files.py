"""Transfer rules for functions of ``os``, ``os.path`` and ``time`` that are written in Python."""

from __future__ import annotations

import time
from typing import Any

from annotator.context import OpContext
from annotator.library_os import OS_FUNCTIONS, TIME_FUNCTIONS, time_function
from annotator.model import K_BOOL, K_FLOAT, K_INT, K_NONE, K_STR, SomeObject, s_None
from annotator.registry import FUNCTIONS
from annotator.rules_library import Wanted, call_in_python
from annotator.rules_strings import require_kind
from rpython.rlib import rpath

_INT = (K_INT | K_BOOL, "an int")
_NUMBER = (K_INT | K_BOOL | K_FLOAT, "a number")
_STR = (K_STR, "a str")
_WANTED: Wanted = {
    **dict.fromkeys(("path", "s", "filename", "f1", "f2", "name", "top", "file", "key", "p"), _STR),
    **dict.fromkeys(("fd", "mode", "exist_ok", "pid", "options", "status", "size", "limit"), _INT),
    "setting": (K_STR | K_INT, "a str or an int"),
    "default": (K_STR | K_NONE, "a str"), "onerror": (K_NONE, "None"), "value": _STR,
}  # fmt: skip

for _host, _function in OS_FUNCTIONS.items():

    @FUNCTIONS.register(_host)
    def os_function(
        ctx: OpContext, *args_s: SomeObject, function: Any = _function, **keywords: SomeObject
    ) -> SomeObject:
        if function is rpath.join:
            for s in args_s:
                require_kind(ctx, s, *_STR)
        return call_in_python(ctx, function, _WANTED, args_s, keywords)


for _host in TIME_FUNCTIONS:

    @FUNCTIONS.register(_host)
    def time_call(ctx: OpContext, *args_s: SomeObject, host: Any = _host) -> SomeObject:
        given = tuple(s for s in args_s if s != s_None)
        function = time_function(host, len(given))
        return call_in_python(ctx, function, {"seconds": _NUMBER, "format": _STR}, given, {})


@FUNCTIONS.register(time.sleep)
def sleep(ctx: OpContext, s_seconds: SomeObject) -> SomeObject:
    require_kind(ctx, s_seconds, *_NUMBER)
    return s_None
