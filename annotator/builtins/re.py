"""Transfer rules for ``re``: see ``annotator.library_re``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

from rpython.annotator.builtins.library import call_in_python
from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeObject
from rpython.annotator.library import NotInLibrary
from rpython.annotator.library_re import PATTERN_FUNCTIONS, pattern_function, pattern_stand_in
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.rlib.rsre import rsre_re

_HINT = "compile it at import: PATTERN = re.compile(...), or write it as a constant"


def known_pattern(
    host_function: Any, args_s: Sequence[SomeObject], keywords: dict[str, SomeObject]
) -> Any:
    """The function that is called for one of ``re``, by the pattern among its arguments.  Raises
    NotInLibrary; TypeError for missing arguments and the like."""
    bound = inspect.signature(host_function).bind(*args_s, **keywords)
    s_pattern, s_flags = bound.arguments["pattern"], bound.arguments.get("flags")
    if not s_pattern.is_constant():
        raise NotInLibrary("the regular expression is not known at translation time")
    if s_flags is not None and not s_flags.is_constant():
        raise NotInLibrary("the flags are not known at translation time")
    pattern = s_pattern.value
    if not isinstance(pattern, (str, bytes, rsre_re.Pattern)):
        raise NotInLibrary(f"no regular expression: {s_pattern.describe()}")
    found = pattern_stand_in(pattern, 0 if s_flags is None else int(s_flags.value))
    return pattern_function(PATTERN_FUNCTIONS[host_function], found)


for _host in PATTERN_FUNCTIONS:

    @FUNCTIONS.register(_host)
    def function_of_re(
        ctx: OpContext, *args_s: SomeObject, host: Any = _host, **keywords: SomeObject
    ) -> SomeObject:
        named = {name.removeprefix("s_"): s for name, s in keywords.items()}
        try:
            function = known_pattern(host, args_s, named)
        except NotInLibrary as error:
            raise ctx.error(str(error), hint=_HINT) from None
        except TypeError as error:
            raise ctx.error(f"{host.__name__}(): {error}") from None
        return call_in_python(ctx, function, {}, args_s, keywords)


@FUNCTIONS.register(re.escape)
def escape(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    return call_in_python(ctx, rsre_re.escape, {}, args_s, {})
