"""``open``; see ``annotator.builtins.open``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rpython.annotator.builtins.open import PARAMETERS, Given, open_call
from rpython.rtyper.callables import Operand
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(open, os.fdopen)
def rtype_open(hop: HighLevelOp) -> Value:
    rtyper = hop.rtyper
    count = hop.nb_args - len(hop.keywords)
    places = dict(zip(PARAMETERS, range(count)))
    places.update({"file" if name == "fd" else name: i for name, i in hop.keywords.items()})
    planned = open_call({name: hop.args_s[i] for name, i in places.items()})
    operands = []
    for part in planned.arguments:
        if isinstance(part, Given):
            operands.append(Operand(*hop.operand(places[part.name])))
        else:
            s = rtyper.annotator.constants.annotation_of(part)
            r = rtyper.getrepr(s)
            operands.append(Operand(r.inputconst(part), s, r))
    desc = rtyper.annotator.constants.function_desc(planned.function)
    shape = CallShape(len(operands))
    return rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)
