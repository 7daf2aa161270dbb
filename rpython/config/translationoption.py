"""RPython's options of a translation, ``driver.config.translation`` in a target.

All can be read and set.  ``translation.gc`` chooses the collector and ``translation.output`` the
name of what is made.  Optimisations are always done, or never, whatever their options say.  What
would make another program is refused: ``REFUSED``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from rpython.config.config import (
    BoolOption,
    ChoiceOption,
    Config,
    IntOption,
    OptionDescription,
    StrOption,
)

IS_64_BITS = sys.maxsize > 2**32
MAINDIR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CACHE_DIR = os.path.expanduser("~/.cache/rpython3")
DEFL_GC = "incminimark"
OPT_LEVELS = ["0", "1", "size", "mem", "2", "3", "jit"]
DEFAULT_OPT_LEVEL = "2"

COLLECTORS = {
    "generational": ("incminimark", "minimark", "hybrid", "generation", "semispace", "statistics"),
    "refcount": ("ref",),
    "boehm": ("boehm",),
    "none": ("none",),
}
"""A collector -> RPython's collectors for which it stands; the first is its name here."""

_SWITCHES = {
    "batch": False, "builtins_can_raise_exceptions": True, "check_str_without_nul": False,
    "continuation": False, "countfieldaccess": False, "countmallocs": False, "debug": True,
    "dont_write_c_files": False, "dump_static_data_info": False, "insist": False,
    "instrument": False, "jit": False, "keepgoing": False, "list_comprehension_operations": False,
    "lldebug": False, "lldebug0": False, "lto": False, "no__thread": False, "noprofopt": False,
    "reverse_debugger": False, "rweakref": True, "sandbox": False, "shared": False,
    "simplifying": True, "split_gc_address_space": False, "stackless": False,
    "taggedpointers": False, "thread": False, "vanilla": False, "verbose": False,
}  # fmt: skip
_TEXTS = {
    "cc": None, "output": None, "profopt": None, "compilerflags": "", "linkerflags": "",
    "fork_before": None, "icon": None, "instrumentctl": None, "libname": None, "manifest": None,
}  # fmt: skip
_CHOICES = {
    "gc": (DEFL_GC, [name for names in COLLECTORS.values() for name in names]),
    "gctransformer": ("framework", ["boehm", "ref", "framework", "none"]),
    "gcremovetypeptr": ("no", ["no", "yes"]),
    "gcrootfinder": ("shadowstack", ["n/a", "shadowstack"]),
    "backend": ("c", ["c"]),
    "type_system": ("lltype", ["lltype"]),
    "platform": ("host", ["host", "arm"]),
    "jit_backend": ("auto", ["auto", "x86", "x86-64", "arm", "aarch64", "ppc-64", "s390x"]),
    "jit_profiler": ("off", ["off", "oprofile"]),
}
_OPTIMISATIONS = (
    "constfold", "inline", "mallocs", "merge_if_blocks", "raisingop2direct_call",
    "really_remove_asserts", "remove_asserts", "stack_optimization", "storesink",
)  # fmt: skip

REFUSED: dict[str, tuple[Any, str]] = {
    "sandbox": (False, "there is no sandbox"),
    "shared": (False, "a shared library is made by rpython build --shared"),
    "continuation": (False, "there are no continuations; generators and threads are translated"),
    "stackless": (False, "there are no continuations; generators and threads are translated"),
    "reverse_debugger": (False, "there is no reverse debugger; rpython build --debug is for gdb"),
    "cc": (None, "the C compiler is the environment variable CC"),
    "profopt": (None, "profiles are made by rpython build --pgo COMMAND"),
    "platform": ("host", "other machines are built for by rpython build --target=TARGET"),
}
"""An option -> the one value that it can have here, and what to do instead."""

translation_optiondescription = OptionDescription(
    "translation", "Translation Options",
    [
        *(BoolOption(name, "", default=default) for name, default in _SWITCHES.items()),
        *(StrOption(name, "", default=default) for name, default in _TEXTS.items()),
        *(ChoiceOption(name, "", values, default) for name, (default, values) in _CHOICES.items()),
        IntOption("withsmallfuncsets", "", default=0),
        IntOption("make_jobs", "", default=1),
        OptionDescription(
            "backendopt", "Backend Optimization Options",
            [
                *(BoolOption(name, "", default=True) for name in _OPTIMISATIONS),
                BoolOption("none", "", default=False),
                BoolOption("print_statistics", "", default=False),
                BoolOption("profile_based_inline", "", default=False),
                StrOption("inline_heuristic", ""),
                IntOption("inline_threshold", "", default=32),
            ],
        ),
    ],
)  # fmt: skip


def get_combined_translation_config(
    other_optdescr: OptionDescription | None = None, existing_config: Config | None = None,
    overrides: Mapping[str, Any] | None = None, translating: bool = False,
) -> Config:  # fmt: skip
    """A Config with ``translation`` and, where given, a group of the program's own."""
    groups: list[Any] = [translation_optiondescription]
    groups += [BoolOption("translating", "", default=translating, cmdline=None)]
    if other_optdescr is not None:
        groups.append(other_optdescr)
    config = Config(OptionDescription("rpython", "all options", groups))
    if existing_config is not None:
        for name, value in existing_config.translation:
            config.translation.setoption(name, value, "default")
    config.override(overrides or {})
    return config


def get_translation_config() -> Config | None:
    """The options of the translation that goes on: untranslated, there is none."""
    return None


def set_opt_level(config: Config, level: str) -> None:
    """What ``-O`` does in RPython: here it is for the C compiler alone.  Raises ValueError."""
    if level not in OPT_LEVELS:
        raise ValueError(f"no optimisation level {level!r}: {', '.join(OPT_LEVELS)}")
    if level == "jit":
        config.translation.suggestoption("jit", True)
