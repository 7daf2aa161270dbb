"""Requests and responses of HTTP/1.1, for ``httpasyncio.py`` and ``httpthreads.py``: files below a
directory, and nothing else."""

from __future__ import annotations

import os

MOST_HEAD = 16 * 1024
"""Bytes of a request's head."""

_REASONS = {
    200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 431: "Request Header Fields Too Large", 501: "Not Implemented",
    505: "HTTP Version Not Supported",
}  # fmt: skip
_TYPES = {"html": "text/html", "txt": "text/plain", "json": "application/json", "png": "image/png"}
_HEX = "0123456789abcdef"


class BadRequest(Exception):
    """It gets an answer with this status, and the connection ends."""

    def __init__(self, status: int) -> None:
        super().__init__(_REASONS[status])
        self.status = status


class Request:
    def __init__(self, method: str, path: str, keeps: bool) -> None:
        self.method = method
        self.path = path
        self.keeps = keeps
        """Does the connection stay open?"""


def parse_request(head: bytes) -> Request:
    """The request whose head that is, with the empty line.  Raises BadRequest."""
    lines = head.decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    if len(words) != 3 or not words[0].isalpha() or not words[1].startswith("/"):
        raise BadRequest(400)
    method, target, version = words
    if version != "HTTP/1.1" and version != "HTTP/1.0":
        raise BadRequest(505 if version.startswith("HTTP/") else 400)
    headers: dict[str, str] = {}
    for line in lines[1:-2]:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise BadRequest(400)
        headers[name.lower()] = value.strip()
    if version == "HTTP/1.1" and "host" not in headers:
        raise BadRequest(400)
    if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
        raise BadRequest(501)
    connection = headers.get("connection", "").lower()
    keeps = connection == "keep-alive" or (version == "HTTP/1.1" and connection != "close")
    return Request(method, _unquoted(target.partition("?")[0]), keeps)


def _unquoted(text: str) -> str:
    """With what ``%41`` stands for.  Raises BadRequest."""
    if "%" not in text:
        return text
    first, *rest = text.split("%")
    found = bytearray(first.encode("latin-1"))
    for part in rest:
        digits = part[:2].lower()
        if len(digits) < 2 or digits[0] not in _HEX or digits[1] not in _HEX:
            raise BadRequest(400)
        found.append(int(digits, 16))
        found += part[2:].encode("latin-1")
    return found.decode("utf-8", "replace")


def response(status: int, body: bytes, kind: str, keeps: bool, with_body: bool = True) -> bytes:
    head = (
        f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: {'keep-alive' if keeps else 'close'}\r\n\r\n"
    )
    return head.encode("latin-1") + (body if with_body else b"")


def failure(status: int, keeps: bool = False) -> bytes:
    return response(status, f"{status} {_REASONS[status]}\n".encode(), "text/plain", keeps)


def answer(root: str, request: Request) -> bytes:
    """The response: a file, or what is wrong."""
    if request.method != "GET" and request.method != "HEAD":
        return failure(405, request.keeps)
    parts = [part for part in request.path.split("/") if part]
    if ".." in parts or "\0" in request.path:
        return failure(403, request.keeps)
    path = os.path.join(root, "/".join(parts))
    if os.path.isdir(path):
        path = os.path.join(path, "index.html")
    try:
        with open(path, "rb") as file:
            body = file.read()
    except OSError:
        return failure(404, request.keeps)
    kind = _TYPES.get(path.rpartition(".")[2], "application/octet-stream")
    return response(200, body, kind, request.keeps, request.method == "GET")
