"""A file server for HTTP/1.1 on asyncio.

    python examples/httpasyncio.py DIRECTORY PORT REQUESTS

It serves the files of a directory on the loop-back address until that many requests are answered
(port 0: one that is free; it is printed).
"""

import asyncio
import sys

from httpdata import MOST_HEAD, BadRequest, answer, failure, parse_request


class Service:
    def __init__(self, root: str, requests: int) -> None:
        self.root = root
        self.left = requests
        self.ended = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        try:
            while await self.serve_one(reader, writer):
                pass
            writer.close()
            await writer.wait_closed()
        except ConnectionError:
            writer.close()

    async def serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request; does the connection stay open?"""
        if self.left <= 0:
            return False
        try:
            request = parse_request(await reader.readuntil(b"\r\n\r\n"))
        except asyncio.IncompleteReadError as error:
            if not error.partial:
                return False
            found, keeps = failure(400), False
        except asyncio.LimitOverrunError:
            found, keeps = failure(431), False
        except BadRequest as error:
            found, keeps = failure(error.status), False
        else:
            found, keeps = answer(self.root, request), request.keeps
        writer.write(found)
        await writer.drain()
        self.left -= 1
        if self.left <= 0:
            self.ended.set()
        return keeps


async def main(root: str, port: int, requests: int) -> None:
    service = Service(root, requests)
    server = await asyncio.start_server(service.serve, "127.0.0.1", port, limit=MOST_HEAD)
    print("port", server.sockets[0].getsockname()[1], flush=True)
    await service.ended.wait()
    server.close()
    await asyncio.sleep(0.05)
    print("done")


def entry_point(argv: list[str]) -> int:
    if len(argv) != 4:
        print("usage: httpasyncio DIRECTORY PORT REQUESTS", file=sys.stderr)
        return 2
    asyncio.run(main(argv[1], int(argv[2]), int(argv[3])))
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
