"""``io``: its classes of files."""

from __future__ import annotations

import io

from rpython.rlib import _memoryfiles, _streams
from rpython.stdlib._registry import converts, replace_each

replace_each({
    io.StringIO: _memoryfiles.StringIO, io.BytesIO: _memoryfiles.BytesIO,
    io.TextIOBase: _streams.TextStream, io.BufferedIOBase: _streams.ByteStream,
    io.TextIOWrapper: _streams.TextWrapper,
})  # fmt: skip

converts(io.StringIO, io.BytesIO)(_memoryfiles.file_in_memory)
