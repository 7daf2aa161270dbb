"""The services of the examples answer requests: whole, malformed and half-sent ones."""

import shutil
import subprocess
from pathlib import Path

import pytest
from services import SECONDS, Service, service

BOTH = pytest.mark.parametrize("way", ["cpython", "native"])
SERVERS = pytest.mark.parametrize("program", ["httpasyncio", "httpthreads"])
_HOST = b"Host: x\r\n\r\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text("<p>hello</p>\n")
    (tmp_path / "big.txt").write_bytes(b"0123456789abcdef" * 20_000)
    (tmp_path / "a b.txt").write_text("spaces")
    return tmp_path


def status(answer: bytes) -> int:
    return int(answer.split(b" ")[1])


@BOTH
@SERVERS
def test_http(program: str, way: str, site: Path, shared_directory: Path) -> None:
    with service(program, way, shared_directory, site, 0, 15) as server:
        _whole_requests(server)
        _wrong_requests(server)
        assert server.finish() == "done\n"


def _whole_requests(server: Service) -> None:
    first = server.talk(b"GET / HTTP/1.1\r\nConnection: close\r\n" + _HOST, ends=False)
    assert first == (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n"
        b"Connection: close\r\n\r\n<p>hello</p>\n"
    )
    big = server.talk(b"GET /big.txt HTTP/1.0\r\n\r\n")
    assert big.endswith(b"\r\n\r\n" + b"0123456789abcdef" * 20_000)
    head = server.talk(b"HEAD /big.txt HTTP/1.0\r\n\r\n")
    assert head.endswith(b"Content-Length: 320000\r\nConnection: close\r\n\r\n")
    several = server.talk(
        b"GET /a%20b.txt HTTP/1.1\r\n" + _HOST + b"GET /none HTTP/1.1\r\n",
        b"Host: x\r\n", b"\r\n", b"DELETE / HTTP/1.1\r\nConnection: close\r\n" + _HOST,
    )  # fmt: skip
    assert [status(part) for part in several.split(b"HTTP/1.1")[1:]] == [200, 404, 405]
    assert b"spaces" in several


def _wrong_requests(server: Service) -> None:
    for request, wanted in [
        (b"GET / HTTP/1.1\r\nHo", 400),
        (b"GET\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/3.0\r\n\r\n", 505),
        (b"GET /%zz HTTP/1.0\r\n\r\n", 400),
        (b"GET / HTTP/1.0\r\nno colon\r\n\r\n", 400),
        (b"GET /../secret HTTP/1.0\r\n\r\n", 403),
        (b"\xff\xfe\x00\r\n\r\n", 400),
        (b"GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
    ]:
        assert status(server.talk(request)) == wanted, request


def command(*words: bytes) -> bytes:
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(w), w) for w in words)


@BOTH
def test_keyvalue(way: str, shared_directory: Path) -> None:
    with service("keyvalue", way, shared_directory, 0, 1000) as server:
        talk = server.talk
        assert talk(b"PING\r\nECHO hi\r\n\r\n") == b"+PONG\r\n$2\r\nhi\r\n"
        assert talk(command(b"SET", b"k", b"a\r\nb"), command(b"GET", b"k")) == (
            b"+OK\r\n$4\r\na\r\nb\r\n"
        )
        pieces = [
            bytes([byte]) for byte in command(b"INCRBY", b"n", b"41") + command(b"INCR", b"n")
        ]
        assert talk(*pieces) == b":41\r\n:42\r\n"
        assert talk(
            command(b"RPUSH", b"l", b"b", b"c") + command(b"LPUSH", b"l", b"a")
            + command(b"LRANGE", b"l", b"0", b"-1") + command(b"LPOP", b"l")
        ) == b":2\r\n:3\r\n*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n$1\r\na\r\n"  # fmt: skip
        assert talk(
            command(b"HSET", b"h", b"x", b"1") + command(b"HGET", b"h", b"x")
            + command(b"SADD", b"s", b"m", b"m") + command(b"TYPE", b"s")
            + command(b"MGET", b"k", b"none") + command(b"DEL", b"h", b"none")
        ) == b":1\r\n$1\r\n1\r\n:1\r\n+set\r\n*2\r\n$4\r\na\r\nb\r\n$-1\r\n:1\r\n"  # fmt: skip
        wrong = talk(
            command(b"INCR", b"l"), command(b"INCR", b"k"), command(b"NOPE"), command(b"GET")
        )
        assert [line[:9] for line in wrong.splitlines()] == [
            b"-WRONGTYP", b"-ERR valu", b"-ERR unkn", b"-ERR wron",
        ]  # fmt: skip
        for broken in (b"*1\r\nx\r\n", b"*1\r\n$zz\r\n", b"*1\r\n$5\r\nab", b"*99999999\r\n"):
            assert talk(broken).startswith(b"-ERR Protocol error: "), broken
        assert talk(b"GET n\r\nQUIT\r\nGET n\r\n") == b"$2\r\n42\r\n+OK\r\n"
        assert talk(b"SHUTDOWN\r\n", ends=False) == b"+OK\r\n"
        assert server.finish() == "done\n"


def _tool(*words: object) -> str:
    done = subprocess.run(
        list(map(str, words)), capture_output=True, text=True, timeout=SECONDS * 6, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
@pytest.mark.skipif(shutil.which("ab") is None, reason="needs ab, of apache2-utils")
@BOTH
@SERVERS
def test_ab(program: str, way: str, site: Path, shared_directory: Path) -> None:
    with service(program, way, shared_directory, site, 0, 2000) as server:
        url = f"http://127.0.0.1:{server.port}/index.html"
        found = _tool("ab", "-q", "-k", "-n", 1000, "-c", 8, url)
        found += _tool("ab", "-q", "-n", 1000, "-c", 8, url)
        assert found.count("Complete requests:      1000\nFailed requests:        0\n") == 2
        assert server.finish() == "done\n"


@pytest.mark.long
@pytest.mark.skipif(shutil.which("redis-benchmark") is None, reason="needs redis-tools")
@BOTH
def test_redis_tools(way: str, shared_directory: Path) -> None:
    with service("keyvalue", way, shared_directory, 0, 1_000_000) as server:
        tests = "ping,set,get,incr,lpush,rpush,lpop,sadd,hset,lrange_100,mset"
        found = _tool(
            "redis-benchmark", "-p", server.port, "-n", 500, "-c", 8, "-t", tests, "--csv"
        )
        assert found.count("\n") >= 11
        client = ("redis-cli", "-p", server.port)
        assert _tool(*client, "set", "key", "value") == "OK\n"
        assert _tool(*client, "get", "key") == "value\n"
        assert _tool(*client, "shutdown") in ("OK\n", "")
        assert server.finish() == "done\n"
