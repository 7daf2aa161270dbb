"""RPython's command line, translated to options of ``rpython``.

    --opt=2 --gc=incminimark --batch TARGET.py     ->     -O2 --gc=generational TARGET.py
    -Ojit TARGET.py                                ->     refused: there is no JIT
"""

from __future__ import annotations

from collections.abc import Sequence

from rpython.config.translationoption import COLLECTORS, OPT_LEVELS
from rpython.translator.commandline.parser import CommandLineError, Respelled

_GC = {f"--gc={name}": [f"--gc={ours}"] for ours, names in COLLECTORS.items() for name in names}
_FLAGS: dict[str, list[str]] = {
    "--batch": [], "--no-profopt": [], "--noprofopt": [], "--no-shared": [], "--text": [],
    "--thread": [], "--rweakref": [], "--gctransformer=framework": [], "--backend=c": [],
    "--gcrootfinder=shadowstack": [], "--type-system=lltype": [], "--platform=host": [],
    "--lldebug": ["--debug"], "--lldebug0": ["--debug", "-O0"], **_GC,
}  # fmt: skip
"""A spelling -> ours; nothing where there is nothing to choose."""

_NO_JIT = "there is no JIT: the hints of rpython.rlib.jit mean nothing, and -O2 is the default"
_REFUSED = {
    "--annotate": "rpython check TARGET.py infers the types",
    "--backendopt": "rpython show TARGET.py FUNCTION --stage optimised",
    "--cc": "the C compiler is the environment variable CC",
    "--continuation": "there are no continuations; generators and threads are translated",
    "--fork-before": "leave it out: a translation takes seconds",
    "--gcrootfinder": "leave it out: roots are always found by a shadow stack",
    "--huge": "leave it out",
    "--jit": _NO_JIT,
    "--jit-backend": _NO_JIT,
    "--jit-profiler": _NO_JIT,
    "--llinterpret": "rpython.interpret(function, arguments) runs low-level graphs",
    "--make-jobs": "leave it out: units are compiled in parallel",
    "--platform": "other machines are built for by --target=TARGET",
    "--profopt": "--pgo COMMAND builds, runs COMMAND, and builds again",
    "--rtype": "rpython show TARGET.py FUNCTION --stage lowlevel",
    "--sandbox": "there is no sandbox",
    "--source": "rpython show TARGET.py FUNCTION --stage c, or rpython build -v",
    "--split-gc-address-space": "leave it out",
    "--stackless": "there are no continuations; generators and threads are translated",
    "--view": "rpython explore TARGET.py",
}
"""An option of RPython -> what there is instead."""

_WITH_VALUE = ("--cc", "--gc", "--gcrootfinder", "--make-jobs", "--opt", "--profopt", "-O")


def our_arguments(arguments: Sequence[str]) -> list[str]:
    """The same options in our words, up to the target, whose arguments follow.  Raises
    CommandLineError for what is not here."""
    result: list[str] = []
    rest = list(arguments)
    while rest:
        option = rest.pop(0)
        if option in _WITH_VALUE and rest:
            option += ("" if option == "-O" else "=") + rest.pop(0)
        if option.endswith(".py"):
            return [*result, option, *rest]
        result += (Respelled(ours, option) for ours in _ours(option))
    return result


def _ours(option: str) -> list[str]:
    name, _, value = option.partition("=")
    if name == "--opt" or option.startswith("-O"):
        return _level(option, value if name == "--opt" else option[2:].removeprefix("="))
    if option in _FLAGS:
        return _FLAGS[option]
    if name in _REFUSED:
        raise _refusal(option, _REFUSED[name])
    return [option]


def _level(option: str, level: str) -> list[str]:
    if level in ("size", "mem"):
        raise _refusal(option, "-O0 to -O3 are the C compiler's levels, --lto makes less code")
    if level == "jit":
        raise _refusal(option, _NO_JIT)
    return [f"-O{level}"] if level in OPT_LEVELS else [option]


def _refusal(option: str, instead: str) -> CommandLineError:
    return CommandLineError(f"{option} is RPython's: {instead}")
