"""What to use instead of a name of the original RPython that is not here.

``docs/rpython.md`` lists the names that are.
"""

from __future__ import annotations

_NO_JIT = "nothing: there is no JIT, and the hints of rpython.rlib.jit mean nothing"

INSTEAD = {
    "rpython.annotator.listdef": "rpython.annotator.lattice.cells: a list's item type is a cell",
    "rpython.annotator.dictdef": "rpython.annotator.lattice.cells: keys and values are cells",
    "rpython.annotator.model.SomeUnicodeString": "SomeString: str is Unicode",
    "rpython.annotator.model.UnionError": "rpython.rtyper.error.AnnotatorError",
    "rpython.annotator.model.unionof": "rpython.annotator.lattice.union.union",
    "rpython.flowspace.model.c_last_exception": "the exception links of a block, Block.exits",
    "rpython.flowspace.model.checkgraph": "rpython.translator.ir.verifier.verify",
    "rpython.flowspace.model.copygraph": "rpython.translator.ir.copying.copy_graph",
    "rpython.flowspace.model.mkentrymap": "rpython.translator.ir.traversal",
    "rpython.jit.backend.detect_cpu": _NO_JIT,
    "rpython.jit.metainterp": _NO_JIT,
    "rpython.memory": "--gc=NAME of rpython build",
    "rpython.rlib.rarithmetic.r_longfloat": "float",
    "rpython.rlib.rbigint.rbigint._set_sign": "neg or abs: numbers do not change",
    "rpython.rlib.objectmodel.UnboxedValue": "ordinary instances: no pointer is tagged",
    "rpython.rlib.rposix.environ": "os.environ",
    "rpython.rlib.rposix.execv": "os.execv",
    "rpython.rlib.rposix.fork": "os.fork",
    "rpython.rlib.rposix.listdir": "os.listdir",
    "rpython.rlib.rposix.stat": "os.stat",
    "rpython.rlib.rposix.waitpid": "os.waitpid",
    "rpython.rlib.rposix_environ": "os.environ",
    "rpython.rlib.rposix_stat": "os.stat",
    "rpython.rlib.clibffi.ffi_type_longdouble": "ffi_type_double: there is no long double",
    "rpython.rlib.clibffi.RawCDLL.getrawpointer_byordinal": "getrawpointer",
    "rpython.rlib.clibffi.get_libc_handle": "CDLL(None).lib",
    "rpython.rlib.libffi": "rpython.rlib.clibffi, or jit_libffi",
    "rpython.rlib.rstack": "except RecursionError: each function looks whether the stack is full",
    "rpython.rlib.timer": "time.perf_counter, or rpython profile",
    "rpython.rlib.exports": "@rpython.entrypoint (docs/c.md)",
    "rpython.rlib.rwin32": "nothing: there is no Windows, so test sys.platform first",
    "rpython.rlib.rthread.ThreadLocalField": "threading.local",
    "rpython.rlib.rthread.allocate_ll_lock": "allocate_lock",
    "rpython.rlib.rtime.c_gettimeofday": "time.time",
    "rpython.rlib.rtime.clock_getres": "time.get_clock_info is not translated: write the number",
    "rpython.rtyper.annlowlevel.hlunicode": "hlstr: str is Unicode",
    "rpython.rtyper.annlowlevel.llunicode": "llstr: str is Unicode",
    "rpython.rtyper.lltypesystem.rffi.CConstant": "rffi_platform.ConstantInteger, or rpython.cdef",
    "rpython.rtyper.lltypesystem.rstr.UNICODE": "STR: str is Unicode",
    "rpython.rtyper.lltypesystem.rstr.copy_string_contents": "copy_bytes_contents, of BYTES",
    "rpython.rtyper.lltypesystem.rstr.copy_unicode_contents": "slices, or rstring.StringBuilder",
    "rpython.rtyper.lltypesystem.rstr.mallocstr": "mallocbytes, of BYTES",
    "rpython.rtyper.lltypesystem.rstr.mallocunicode": "rstring.StringBuilder",
    "rpython.rtyper.exceptiondata": "rpython.rtyper.ownexceptions",
    "rpython.rtyper.llannotation": "rpython.annotator.lattice.model",
    "rpython.rtyper.lltypesystem.ll2ctypes": "rpython.compile: native code runs in this process",
    "rpython.rtyper.lltypesystem.rbuilder": "rpython.rlib.rstring",
    "rpython.rtyper.lltypesystem.rlist": "rpython.rtyper.ll.ll_list",
    "rpython.rtyper.lltypesystem.rtagged": "ordinary instances: no pointer is tagged",
    "rpython.rtyper.module": "the functions of os and time, which are translated",
    "rpython.translator.backendopt": "rpython.translator.opt, and rpython show --after PASS",
    "rpython.translator.c.genc": "rpython build, or rpython.compile",
    "rpython.translator.driver.TranslationDriver": "rpython.translator.interactive.Translation",
    "rpython.translator.goal": "rpython build TARGET.py",
    "rpython.translator.exceptiontransform": "rpython.translator.lower.exceptions",
    "rpython.translator.simplify": "rpython.translator.flow: graphs are built simple",
    "rpython.translator.tool.make_dot": "rpython show --format dot",
    "rpython.translator.tool.graphpage": "rpython show (docs/inspecting.md)",
}
"""An absent module or name -> what to use instead; of a module, for all that would be in it."""


def absent_text(name: str) -> str:
    """The name, and what to do without it; a phrase, for one line of a message."""
    place = name
    while place and place not in INSTEAD:
        place = place.rpartition(".")[0]
    if place:
        return f"{name}: use {INSTEAD[place]} (docs/rpython.md)"
    return f"{name}: docs/rpython.md lists what is here"
