"""``subprocess``: a process whose pipes are of text is of another class than one whose pipes are of
bytes; which of them it is has to be known when the program is translated."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from typing import Any

from rpython.stdlib._processes import (
    PIPE,
    Ends,
    Exchange,
    arguments_of,
    decoded,
    descriptor_of,
    encoded,
    go_on,
    start,
)
from rpython.stdlib._registry import per_arguments, per_values, replaces
from rpython.stdlib._seen import named_like

_SIGNALS = {int(number): repr(number) for number in signal.Signals}


@replaces(subprocess.SubprocessError)
class SubprocessError(Exception):
    pass


@replaces(subprocess.CalledProcessError)
class CalledProcessError(SubprocessError):
    @per_arguments
    def __init__(
        self, returncode: int, cmd: Any, output: Any = None, stderr: Any = None
    ) -> None:
        self.returncode = returncode
        self.cmd = cmd
        self.output = self.stdout = output
        self.stderr = stderr

    def __str__(self) -> str:
        code = self.returncode
        if code >= 0:
            return f"Command '{self.cmd}' returned non-zero exit status {code}."
        if -code in _SIGNALS:
            return f"Command '{self.cmd}' died with {_SIGNALS[-code]}."
        return f"Command '{self.cmd}' died with unknown signal {-code}."


@replaces(subprocess.TimeoutExpired)
class TimeoutExpired(SubprocessError):
    @per_arguments
    def __init__(self, cmd: Any, timeout: Any, output: Any = None, stderr: Any = None) -> None:
        self.cmd = cmd
        self.timeout = timeout
        self.output = self.stdout = output
        self.stderr = stderr

    def __str__(self) -> str:
        return f"Command '{self.cmd}' timed out after {self.timeout} seconds"


# -- what a process has done --------------------------------------------------------------------


@replaces(subprocess.CompletedProcess)
class CompletedProcess:
    """Has what its subclasses do not have apart."""

    @per_arguments
    def __init__(self, args: Any, returncode: int) -> None:
        self.args = args
        self.returncode = returncode


class _Outputs:
    """Mixed in, so that what they are of is told apart."""

    args: Any
    returncode: int
    stdout: Any
    stderr: Any

    def check_returncode(self) -> None:
        if self.returncode:
            raise CalledProcessError(self.returncode, self.args, self.stdout, self.stderr)

    def __repr__(self) -> str:
        parts = [f"args={self.args!r}", f"returncode={self.returncode!r}"]
        if self.stdout is not None:
            parts.append(f"stdout={self.stdout!r}")
        if self.stderr is not None:
            parts.append(f"stderr={self.stderr!r}")
        return f"CompletedProcess({', '.join(parts)})"


class _DoneText(_Outputs, CompletedProcess):
    @per_arguments
    def __init__(self, args: Any, returncode: Any, out: str | None, err: str | None) -> None:
        CompletedProcess.__init__(self, args, returncode)
        self.stdout = out
        self.stderr = err


class _DoneBytes(_Outputs, CompletedProcess):
    @per_arguments
    def __init__(self, args: Any, returncode: Any, out: bytes | None, err: bytes | None) -> None:
        CompletedProcess.__init__(self, args, returncode)
        self.stdout = out
        self.stderr = err


for _kind in (_DoneText, _DoneBytes):
    named_like(subprocess.CompletedProcess)(_kind)

# -- processes ----------------------------------------------------------------------------------


@replaces(subprocess.Popen)
class Popen:
    @per_arguments
    def __init__(
        self, args: Any, stdin: Any, stdout: Any, stderr: Any, shell: bool, cwd: Any,
        env: dict[str, str] | None, start_new_session: bool,
    ) -> None:  # fmt: skip
        self.args = args
        self.returncode: int | None = None
        self._ends = Ends()
        self._exchange: Exchange | None = None
        self.pid = start(
            arguments_of(args, shell), self._ends, descriptor_of(stdin), descriptor_of(stdout),
            descriptor_of(stderr), None if cwd is None else os.fspath(cwd), env,
            start_new_session,
        )  # fmt: skip

    def poll(self) -> int | None:
        if self.returncode is None:
            self._reap(os.WNOHANG)
        return self.returncode

    def _reap(self, options: int) -> None:
        try:
            pid, status = os.waitpid(self.pid, options)
        except ChildProcessError:
            pid, status = self.pid, 0
        if pid == self.pid:
            self.returncode = os.waitstatus_to_exitcode(status)

    @per_arguments
    def wait(self, timeout: Any = None) -> int:
        if timeout is not None:
            self._wait_until(time.monotonic() + timeout)
            if self.returncode is None:
                raise TimeoutExpired(self.args, timeout)
        while self.returncode is None:
            self._reap(0)
        return self.returncode

    def _wait_until(self, deadline: float) -> None:
        delay = 0.0005
        while self.poll() is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return
            delay = min(delay * 2, left, 0.05)
            time.sleep(delay)

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, int(sig))

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _exchanged(self, data: bytes, seconds: float) -> bool:
        """Was there time enough for all of it, and for the process to end?  None: no limit."""
        if self._exchange is None:
            self._exchange = Exchange(data)
        deadline = -1.0 if seconds < 0 else time.monotonic() + seconds
        if not go_on(self._exchange, self._ends, deadline):
            return False
        if deadline < 0:
            self.wait()
        else:
            self._wait_until(deadline)
        return self.returncode is not None

    @per_arguments
    def _too_late(self, timeout: Any) -> TimeoutExpired:
        assert self._exchange is not None
        out, err = b"".join(self._exchange.out), b"".join(self._exchange.err)
        return TimeoutExpired(self.args, timeout, out or None, err or None)

    def _close_pipes(self) -> None:
        """Files of the program."""

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        self._close_pipes()
        self.wait()

    def __repr__(self) -> str:
        return f"<Popen: returncode: {self.returncode} args: {self.args!r}>"


@per_arguments
def _seconds(timeout: Any) -> float:
    return -1.0 if timeout is None else max(float(timeout), 0.0)


class _TextPopen(Popen):
    @per_arguments
    def __init__(
        self, args: Any, stdin: Any, stdout: Any, stderr: Any, shell: bool, cwd: Any,
        env: dict[str, str] | None, start_new_session: bool, encoding: str, errors: str,
        bufsize: int,
    ) -> None:  # fmt: skip
        Popen.__init__(self, args, stdin, stdout, stderr, shell, cwd, env, start_new_session)
        self.encoding = encoding
        self.errors = errors
        ends = self._ends
        self.stdin = self.stdout = self.stderr = None
        if ends.stdin >= 0:
            self.stdin = os.fdopen(ends.stdin, "w", encoding=encoding, errors=errors)
            if bufsize == 1:
                self.stdin.reconfigure(line_buffering=True)
        if ends.stdout >= 0:
            self.stdout = os.fdopen(ends.stdout, "r", encoding=encoding, errors=errors)
        if ends.stderr >= 0:
            self.stderr = os.fdopen(ends.stderr, "r", encoding=encoding, errors=errors)

    @per_arguments
    def communicate(
        self, input: str | None = None, timeout: Any = None
    ) -> tuple[str | None, str | None]:
        data = b"" if input is None else encoded(input, self.encoding, self.errors)
        _hand_over(self)
        has_out, has_err = self.stdout is not None, self.stderr is not None
        if not self._exchanged(data, _seconds(timeout)):
            raise self._too_late(timeout)
        assert self._exchange is not None
        out, err = b"".join(self._exchange.out), b"".join(self._exchange.err)
        return self._text(out) if has_out else None, self._text(err) if has_err else None

    def _text(self, data: bytes) -> str:
        text = decoded(data, self.encoding, self.errors)
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _close_pipes(self) -> None:
        _close_files(self)


class _BytesPopen(Popen):
    @per_arguments
    def __init__(
        self, args: Any, stdin: Any, stdout: Any, stderr: Any, shell: bool, cwd: Any,
        env: dict[str, str] | None, start_new_session: bool,
    ) -> None:  # fmt: skip
        Popen.__init__(self, args, stdin, stdout, stderr, shell, cwd, env, start_new_session)
        ends = self._ends
        self.stdin = self.stdout = self.stderr = None
        if ends.stdin >= 0:
            self.stdin = os.fdopen(ends.stdin, "wb")
        if ends.stdout >= 0:
            self.stdout = os.fdopen(ends.stdout, "rb")
        if ends.stderr >= 0:
            self.stderr = os.fdopen(ends.stderr, "rb")

    @per_arguments
    def communicate(
        self, input: bytes | None = None, timeout: Any = None
    ) -> tuple[bytes | None, bytes | None]:
        _hand_over(self)
        has_out, has_err = self.stdout is not None, self.stderr is not None
        if not self._exchanged(b"" if input is None else input, _seconds(timeout)):
            raise self._too_late(timeout)
        assert self._exchange is not None
        out, err = b"".join(self._exchange.out), b"".join(self._exchange.err)
        return out if has_out else None, err if has_err else None

    def _close_pipes(self) -> None:
        _close_files(self)


for _class in (_TextPopen, _BytesPopen):
    named_like(subprocess.Popen)(_class)


@per_arguments
def _hand_over(process: Any) -> None:
    """What the program wrote goes on; then the exchange has descriptors of its own."""
    ends = process._ends
    if process._exchange is None:
        ends.stdin = _taken(process.stdin)
        ends.stdout = _taken(process.stdout)
        ends.stderr = _taken(process.stderr)


@per_arguments
def _taken(file: Any) -> int:
    """A descriptor in place of the file, which is closed; -1 where there is none."""
    if file is None or file.closed:
        return -1
    fd = os.dup(file.fileno())
    with contextlib.suppress(BrokenPipeError):
        file.close()
    return fd


@per_arguments
def _close_files(process: Any) -> None:
    if process.stdout is not None:
        process.stdout.close()
    if process.stderr is not None:
        process.stderr.close()
    if process.stdin is not None:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()


@per_values
def make_process(
    args: Any, bufsize: int = -1, executable: None = None, stdin: Any = None, stdout: Any = None,
    stderr: Any = None, preexec_fn: None = None, close_fds: bool = True, shell: bool = False,
    cwd: Any = None, env: Any = None, universal_newlines: Any = None, *,
    start_new_session: bool = False, encoding: str | None = None, errors: str | None = None,
    text: Any = None,
) -> Any:  # fmt: skip
    """``subprocess.Popen(...)``"""
    if encoding is not None or errors is not None or text or universal_newlines:
        return _TextPopen(
            args, stdin, stdout, stderr, shell, cwd, env, start_new_session,
            "utf-8" if encoding is None else encoding, "strict" if errors is None else errors,
            bufsize,
        )  # fmt: skip
    else:
        return _BytesPopen(args, stdin, stdout, stderr, shell, cwd, env, start_new_session)


make_process.__name__ = "Popen"
Popen._rpython_maker_ = make_process  # type: ignore[attr-defined]

# -- functions ----------------------------------------------------------------------------------


@per_values
def _ran(process: Any, input: Any, timeout: Any, check: bool) -> Any:
    try:
        out, err = process.communicate(input, timeout)
    except BaseException:
        process.kill()
        process.wait()
        raise
    done = _done(process, out, err)
    if check:
        done.check_returncode()
    return done


@per_arguments
def _done(process: Any, out: Any, err: Any) -> Any:
    if isinstance(process, _TextPopen):
        return _DoneText(process.args, process.returncode, out, err)
    else:
        return _DoneBytes(process.args, process.returncode, out, err)


@replaces(subprocess.run)
@per_values
def run(
    args: Any, *, stdin: Any = None, input: Any = None, stdout: Any = None, stderr: Any = None,
    capture_output: bool = False, shell: bool = False, cwd: Any = None, timeout: Any = None,
    check: bool = False, encoding: str | None = None, errors: str | None = None, text: Any = None,
    env: Any = None, universal_newlines: Any = None, start_new_session: bool = False,
    bufsize: int = -1,
) -> Any:  # fmt: skip
    if input is not None and stdin is not None:
        raise ValueError("stdin and input arguments may not both be used.")
    if capture_output and (stdout is not None or stderr is not None):
        raise ValueError("stdout and stderr arguments may not be used with capture_output.")
    process = make_process(
        args, bufsize, None, _either(stdin, input is not None), _either(stdout, capture_output),
        _either(stderr, capture_output), None, True, shell, cwd, env, universal_newlines,
        start_new_session=start_new_session, encoding=encoding, errors=errors, text=text,
    )  # fmt: skip
    return _ran(process, input, timeout, check)


@per_values
def _either(given: Any, piped: bool) -> int:
    return PIPE if piped else descriptor_of(given)


@replaces(subprocess.call)
@per_values
def call(
    args: Any, *, stdin: Any = None, stdout: Any = None, stderr: Any = None, shell: bool = False,
    cwd: Any = None, env: Any = None, timeout: Any = None,
) -> int:  # fmt: skip
    process = make_process(
        args, -1, None, stdin, stdout, stderr, None, True, shell, cwd, env
    )  # fmt: skip
    try:
        return int(process.wait(timeout))
    except BaseException:
        process.kill()
        process.wait()
        raise


@replaces(subprocess.check_call)
@per_values
def check_call(
    args: Any, *, stdin: Any = None, stdout: Any = None, stderr: Any = None, shell: bool = False,
    cwd: Any = None, env: Any = None, timeout: Any = None,
) -> int:  # fmt: skip
    code = call(
        args, stdin=stdin, stdout=stdout, stderr=stderr, shell=shell, cwd=cwd, env=env,
        timeout=timeout,
    )  # fmt: skip
    if code:
        raise CalledProcessError(code, args)
    return 0


@replaces(subprocess.check_output)
@per_values
def check_output(
    args: Any, *, stdin: Any = None, input: Any = None, stderr: Any = None, shell: bool = False,
    cwd: Any = None, timeout: Any = None, encoding: str | None = None, errors: str | None = None,
    text: Any = None, env: Any = None, universal_newlines: Any = None,
) -> Any:  # fmt: skip
    done = run(
        args, stdin=stdin, input=input, stdout=PIPE, stderr=stderr, shell=shell, cwd=cwd,
        timeout=timeout, check=True, encoding=encoding, errors=errors, text=text, env=env,
        universal_newlines=universal_newlines,
    )  # fmt: skip
    return done.stdout


@per_values
def _shell_output(cmd: str) -> tuple[int, str]:
    done = run(cmd, shell=True, text=True, stdout=PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.removesuffix("\n")


@replaces(subprocess.getstatusoutput)
def getstatusoutput(cmd: str) -> tuple[int, str]:
    return _shell_output(cmd)


@replaces(subprocess.getoutput)
def getoutput(cmd: str) -> str:
    return _shell_output(cmd)[1]
