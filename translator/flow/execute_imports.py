"""Imports inside functions, which are done while the program is translated."""

from __future__ import annotations

import sys

from rpython.translator.flow.explore import Explorer
from rpython.translator.flow.instructions import Instr, Op
from rpython.translator.flow.ruletable import RuleTable
from rpython.translator.ir.home import require_module
from rpython.translator.ir.intrinsics import raised_here
from rpython.translator.ir.model import Constant, Variable
from rpython.translator.ir.tracebacks import program_traceback

IMPORTS = RuleTable()


@IMPORTS.rule(Op.IMPORT)
def _import(flow: Explorer, instr: Instr) -> None:
    level, names = flow.pop_many(2)
    assert isinstance(level, Constant)
    assert isinstance(names, Constant)
    if names.value == ("*",):
        flow.refuse("a star import inside a function", "import names one by one")
    tried = instr.handler is not None and not instr.arg.startswith("rpython")
    try:
        require_module(instr.arg, flow.func)
        module = __import__(instr.arg, flow.func.__globals__, None, names.value or (), level.value)
    except ImportError as error:
        if tried:
            _raise_import_error(flow, type(error), str(error))
        else:
            ours = instr.arg.startswith("rpython")
            raised = None if ours else (type(error), str(error))
            flow.push(flow.refused_value(f"the import fails: {error}", raised=raised))
        return
    except (Exception, SystemExit) as error:  # whatever a module may do
        message, lines = f"the import raises {type(error).__name__}", program_traceback(error)
        flow.push(flow.refused_value(message, notes=lines.splitlines()))
        return
    flow.push(Constant(module))


def _raise_import_error(flow: Explorer, cls: type[ImportError], message: str) -> None:
    """What an import that fails inside ``try`` does, when the program runs, too."""
    made = flow.emit("simple_call", Constant(cls), Constant(message))
    instance = flow.emit("exc_instance", made)
    flow.append_op("simple_call", Constant(raised_here), instance)
    flow.raise_(instance)


@IMPORTS.rule(Op.IMPORT_FROM)
def _import_from(flow: Explorer, instr: Instr) -> None:
    module = flow.state.stack[-1]
    if isinstance(module, Variable):  # what is refused
        flow.push(module)
        return
    assert isinstance(module, Constant)
    if hasattr(module.value, instr.arg):
        flow.push(Constant(getattr(module.value, instr.arg)))
        return
    submodule = sys.modules.get(f"{module.value.__name__}.{instr.arg}")
    if submodule is None:
        message = f"cannot import name {instr.arg!r} from {module.value.__name__!r}"
        file = getattr(module.value, "__file__", None) or "unknown location"
        said = f"{message} ({file})"
        ours = module.value.__name__.startswith("rpython")
        if instr.handler is None or ours:
            raised = None if ours else (ImportError, said)
            flow.push(flow.refused_value(message, raised=raised))
            return
        _raise_import_error(flow, ImportError, said)
        return
    flow.push(Constant(submodule))
