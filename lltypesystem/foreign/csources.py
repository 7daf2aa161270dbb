"""C code of the program's own: files of it, and libraries of them that the host loads.

They are kept in the cache directory by what is in them.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cffi import VerificationError

from rpython.lltypesystem.foreign.external import Linking
from rpython.translator.ir.diskcache import cache_directory


def compiler_command() -> list[str]:
    """The C compiler: ``CC``, else ``cc``."""
    return shlex.split(os.environ.get("CC", "").strip() or "cc")


def linker_flags(linking: Linking) -> list[str]:
    """The arguments that link with the libraries."""
    return [
        *(f"-L{place}" for place in linking.library_dirs),
        *(f"-Wl,-rpath,{place}" for place in linking.library_dirs),
        *(f"-l{name}" for name in linking.libraries),
        *linking.link_extra,
    ]


def written_source(text: str) -> Path:
    """A C file with that text."""
    name = hashlib.sha256(text.encode()).hexdigest()[:32]
    path = cache_directory("csources") / f"source-{name}.c"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    return path


def host_library(linking: Linking) -> Path:
    """The library made of the sources of ``linking``.  Raises VerificationError with what the
    compiler says."""
    command = [*compiler_command(), "-shared", "-fPIC", "-O1", "-w"]
    command += [f"-I{directory}" for directory in linking.include_dirs]
    command += linking.compile_extra
    command += [*linking.sources, *linker_flags(linking)]
    state = hashlib.sha256("\0".join(command).encode())
    for path in (*map(Path, linking.sources), *_headers(linking)):
        state.update(b"\0" + path.read_bytes())
    kept = cache_directory("csources") / f"library-{state.hexdigest()[:32]}.so"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="part-", dir=kept.parent) as scratch:
            made = Path(scratch, kept.name)
            try:
                done = subprocess.run(
                    [*command, "-o", str(made)], capture_output=True, text=True, errors="replace"
                )
            except OSError as error:
                raise VerificationError(f"C sources need a C compiler, see CC: {error}") from None
            if done.returncode:
                raise VerificationError(f"the C compiler rejects the sources:\n{done.stderr}")
            os.replace(made, kept)
    return kept


def _headers(linking: Linking) -> Iterator[Path]:
    for directory in linking.include_dirs:
        yield from sorted(Path(directory).glob("*.h"))
