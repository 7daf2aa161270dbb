"""``os`` besides reading and writing, ``os.path``, and ``time``."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from annotator.rules_files import PATH_FUNCTIONS
from lltypesystem.lltype import Signed
from rtyper.ll import ll_files
from rtyper.r_class import void
from rtyper.r_float import operand
from rtyper.r_inpython import call_in_python
from rtyper.r_slice import index_arg
from rtyper.r_str import string_repr
from rtyper.r_strmethods import flags_table
from rtyper.registry import BUILTINS
from translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp

ON_INTS: dict[Any, Any] = {
    os.lseek: ll_files.ll_lseek, os.ftruncate: ll_files.ll_ftruncate,
    os.fsync: ll_files.ll_fsync, os.dup: ll_files.ll_dup, os.isatty: ll_files.ll_isatty,
}  # fmt: skip
REMOVERS: dict[Any, Any] = {
    os.unlink: ll_files.ll_unlink, os.remove: ll_files.ll_unlink, os.rmdir: ll_files.ll_rmdir,
}  # fmt: skip
NUMBERS: dict[Any, Any] = {
    os.getpid: ll_files.c_getpid, time.time: ll_files.c_time,
    time.monotonic: ll_files.c_monotonic, time.perf_counter: ll_files.c_monotonic,
    time.process_time: ll_files.c_process_time,
}  # fmt: skip


for _host, _function in PATH_FUNCTIONS.items():

    @BUILTINS.register(_host)
    def rtype_path(hop: HighLevelOp, function: Any = _function) -> Value:
        return call_in_python(hop, function)


@BUILTINS.register(*ON_INTS)
def rtype_on_ints(hop: HighLevelOp) -> Value:
    function: Any = hop.host_function
    return hop.gendirectcall(ON_INTS[function], *[index_arg(hop, i) for i in range(hop.nb_args)])


@BUILTINS.register(*REMOVERS)
def rtype_remove(hop: HighLevelOp) -> Value:
    function: Any = hop.host_function
    hop.gendirectcall(REMOVERS[function], path_arg(hop), flags_table())
    return void(None)


@BUILTINS.register(os.mkdir)
def rtype_mkdir(hop: HighLevelOp) -> Value:
    v_mode: Value = index_arg(hop, 1) if hop.nb_args > 1 else Constant(0o777, Signed)
    hop.gendirectcall(ll_files.ll_mkdir, path_arg(hop), v_mode, flags_table())
    return void(None)


@BUILTINS.register(os.access)
def rtype_access(hop: HighLevelOp) -> Value:
    return hop.gendirectcall(ll_files.ll_access, path_arg(hop), index_arg(hop, 1))


@BUILTINS.register(os.getcwd)
def rtype_getcwd(hop: HighLevelOp) -> Value:
    return hop.gendirectcall(ll_files.ll_getcwd)


@BUILTINS.register(*NUMBERS)
def rtype_number(hop: HighLevelOp) -> Value:
    function: Any = hop.host_function
    return hop.llops.call_pointer(NUMBERS[function], [])


@BUILTINS.register(time.sleep)
def rtype_sleep(hop: HighLevelOp) -> Value:
    hop.gendirectcall(ll_files.ll_sleep, operand(hop, 0))
    return void(None)


def path_arg(hop: HighLevelOp) -> Value:
    return hop.inputarg(string_repr(hop.rtyper), 0)
