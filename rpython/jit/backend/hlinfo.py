"""What programs tell RPython's JIT log about themselves; there is no JIT here to read it."""

from __future__ import annotations


class HighLevelJitInfo:
    """``sys_executable``: the path of the running program, for those who look at its log."""

    sys_executable: str | None = None


highleveljitinfo = HighLevelJitInfo()
