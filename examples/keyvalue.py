"""A key-value store on asyncio that speaks enough of the Redis protocol for ``redis-cli`` and
``redis-benchmark``.

    python examples/keyvalue.py PORT COMMANDS

It answers on the loop-back address until that many commands are done, or one is SHUTDOWN (port 0:
one that is free; it is printed).
"""

import asyncio
import sys

from keyvaluedata import OK, Parser, ProtocolError, Store, error


class Service:
    def __init__(self, commands: int) -> None:
        self.store = Store()
        self.left = commands
        self.ended = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        parser = Parser()
        goes_on = True
        try:
            while goes_on and self.left > 0:
                data = await reader.read(64 * 1024)
                if not data:
                    if parser.is_halfway():
                        writer.write(error("Protocol error: unexpected end of a command"))
                    break
                parser.feed(data)
                replies: list[bytes] = []
                try:
                    goes_on = self.execute_all(parser, replies)
                except ProtocolError as wrong:
                    replies.append(error(f"Protocol error: {wrong}"))
                    goes_on = False
                if replies:
                    writer.write(b"".join(replies))
                    await writer.drain()
            writer.close()
            await writer.wait_closed()
        except ConnectionError:
            writer.close()
        if self.left <= 0:
            self.ended.set()

    def execute_all(self, parser: Parser, replies: list[bytes]) -> bool:
        """What has come as whole commands; does the connection stay open?"""
        while self.left > 0:
            words = parser.next()
            if words is None:
                return True
            if not words:
                continue
            name = words[0].upper()
            self.left -= 1
            if name == b"SHUTDOWN":
                self.left = 0
            if name == b"SHUTDOWN" or name == b"QUIT":
                replies.append(OK)
                return False
            replies.append(self.store.execute(words))
        return False


async def main(port: int, commands: int) -> None:
    service = Service(commands)
    server = await asyncio.start_server(service.serve, "127.0.0.1", port)
    print("port", server.sockets[0].getsockname()[1], flush=True)
    await service.ended.wait()
    server.close()
    await asyncio.sleep(0.05)
    print("done")


def entry_point(argv: list[str]) -> int:
    if len(argv) != 3:
        print("usage: keyvalue PORT COMMANDS", file=sys.stderr)
        return 2
    asyncio.run(main(int(argv[1]), int(argv[2])))
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
