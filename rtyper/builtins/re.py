"""Calls of functions of ``re``: see ``annotator.library_re``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rpython.annotator.builtins.re import known_pattern
from rpython.annotator.library_re import PATTERN_FUNCTIONS
from rpython.rlib.rsre import rsre_re
from rpython.rtyper.builtins.inpython import call_in_python
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


for _host in PATTERN_FUNCTIONS:

    @BUILTINS.register(_host)
    def function_of_re(hop: HighLevelOp, host: Any = _host) -> Value:
        count = hop.nb_args - len(hop.keywords)
        named = {name: hop.args_s[i] for name, i in hop.keywords.items()}
        return call_in_python(hop, known_pattern(host, hop.args_s[:count], named))


@BUILTINS.register(re.escape)
def escape(hop: HighLevelOp) -> Value:
    return call_in_python(hop, rsre_re.escape)
