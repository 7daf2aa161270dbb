"""Names of RPython's library that programs import are here."""

from __future__ import annotations

import importlib

import pytest

NAMES = """
    unicodedata: category name lookup
    rpython.annotator.bookkeeper: getbookkeeper Bookkeeper
    rpython.annotator.policy: AnnotatorPolicy
    rpython.config.config: Config OptionDescription BoolOption ConfigError to_optparse
    rpython.config.translationoption: get_combined_translation_config set_opt_level
    rpython.rlib.buffer: Buffer StringBuffer SubBuffer
    rpython.rlib.cache: Cache
    rpython.rlib.clibffi: CDLL RawCDLL FuncPtr CallbackFuncPtr cast_type_to_ffitype
    rpython.rlib.compilerinfo: get_compiler_info
    rpython.rlib.jit: jit_callback PARAMETER_DOCS
    rpython.rlib.jit_libffi: CIF_DESCRIPTION jit_ffi_prep_cif jit_ffi_call types
    rpython.rlib.mutbuffer: MutableStringBuffer
    rpython.rlib.objectmodel: free_non_gc_object import_from_mixin enforceargs
    rpython.rlib.parsing.deterministic: DFA NFA LexerError
    rpython.rlib.parsing.ebnfparse: parse_ebnf make_parse_function
    rpython.rlib.parsing.lexer: Lexer Token SourcePos
    rpython.rlib.parsing.main: make_parser make_parser_from_file
    rpython.rlib.parsing.parsing: PackratParser Rule ParseError
    rpython.rlib.parsing.regex: RegularExpression
    rpython.rlib.parsing.tree: Node Symbol Nonterminal RPythonVisitor
    rpython.rlib.rStringIO: RStringIO
    rpython.rlib.rawstorage: alloc_raw_storage raw_storage_getitem raw_storage_setitem
    rpython.rlib.rbigint: divmod_big _divrem
    rpython.rlib.rbisect: bisect_left bisect_right
    rpython.rlib.rcomplex: c_add c_sqrt
    rpython.rlib.rdtoa: strtod dtoa
    rpython.rlib.rdynload: dlopen dlsym dlclose
    rpython.rlib.rerased: new_erasing_pair new_static_erasing_pair erase_int ErasingPairIdentity
    rpython.rlib.rfile: RFile create_file
    rpython.rlib.rgc: resizable_list_supporting_raw_ptr ll_arrayfill get_rpy_roots dump_rpy_heap
    rpython.rlib.rgc: get_rpy_referents get_stats
    rpython.rlib.rgil: yield_thread acquire release
    rpython.rlib.rlocale: setlocale numeric_formatting
    rpython.rlib.rmarshal: get_marshaller get_loader
    rpython.rlib.rmd5: RMD5 new
    rpython.rlib.rmmap: mmap MMap
    rpython.rlib.rpoll: poll select
    rpython.rlib.rrawarray: copy_list_to_raw_array populate_list_from_raw_array
    rpython.rlib.rsha: RSHA new
    rpython.rlib.rshrinklist: AbstractShrinkList
    rpython.rlib.rsocket: RSocket INETAddress
    rpython.rlib.rsre.rsre_constants: MAXREPEAT
    rpython.rlib.rstacklet: StackletThread
    rpython.rlib.rstruct.ieee: pack_float unpack_float
    rpython.rlib.rstruct.nativefmttable: native_fmttable
    rpython.rlib.rstruct.standardfmttable: standard_fmttable
    rpython.rlib.rtermios: tcgetattr tcsetattr
    rpython.rlib.rtimer: read_timestamp
    rpython.rlib.runicode: str_decode_utf_8
    rpython.rlib.rurandom: urandom
    rpython.rlib.rvmprof: vmprof_execute_frame
    rpython.rlib.rweaklist: RWeakListMixin
    rpython.rlib.rweakref: ref RWeakValueDictionary
    rpython.rlib.rzlib: compress decompress
    rpython.rlib.unicodedata.unicodedb: category
    rpython.rtyper.controllerentry: Controller ControllerEntry
    rpython.rtyper.extfunc: register_external
    rpython.rtyper.extregistry: ExtRegistryEntry
    rpython.rtyper.lltypesystem.lloperation: llop
    rpython.rtyper.lltypesystem.rffi: SIGNED r_size_t r_short CONST_CCHARP CONST_VOIDP make
    rpython.rtyper.lltypesystem.rffi: CExternVariable get_nonmovingbuffer_ll wcharpsize2utf8
    rpython.rtyper.lltypesystem.rffi: scoped_alloc_unicodebuffer
    rpython.rtyper.lltypesystem.rordereddict: ll_newdict
    rpython.rtyper.tool.rffi_platform: getstruct Defined ConstantInteger Library
    rpython.tool.pairtype: pair pairtype extendabletype
    rpython.translator.interactive: Translation
    rpython.translator.tool.cbuild: ExternalCompilationInfo
"""
"""Module, and some of its names, per line."""

ROWS = [line.split(":") for line in NAMES.strip().splitlines()]


@pytest.mark.parametrize(("module", "names"), ROWS, ids=[row[0].strip() for row in ROWS])
def test_names_are_here(module: str, names: str) -> None:
    found = importlib.import_module(module.strip())
    missing = [name for name in names.split() if not hasattr(found, name)]
    assert not missing
