"""A file server for HTTP/1.1 with a thread for each connection.

    python examples/httpthreads.py DIRECTORY PORT REQUESTS

It serves the files of a directory on the loop-back address until that many requests are answered
(port 0: one that is free; it is printed).
"""

import socket
import sys
import threading

from httpdata import MOST_HEAD, BadRequest, answer, failure, parse_request


class Service:
    def __init__(self, root: str, requests: int) -> None:
        self.root = root
        self.left = requests
        self.lock = threading.Lock()

    def count(self) -> None:
        with self.lock:
            self.left -= 1

    def serve(self, client: socket.socket) -> None:
        """One connection."""
        data = b""
        keeps = True
        with client:
            try:
                while keeps and self.left > 0:
                    end = data.find(b"\r\n\r\n")
                    if end >= 0:
                        keeps = self.serve_one(client, data[: end + 4])
                        data = data[end + 4 :]
                        continue
                    more = b"" if len(data) > MOST_HEAD else client.recv(64 * 1024)
                    if not more:
                        if data:
                            client.sendall(failure(431 if len(data) > MOST_HEAD else 400))
                            self.count()
                        return
                    data += more
            except (ConnectionError, TimeoutError):
                return

    def serve_one(self, client: socket.socket, head: bytes) -> bool:
        """One request; does the connection stay open?"""
        try:
            request = parse_request(head)
        except BadRequest as error:
            client.sendall(failure(error.status))
            self.count()
            return False
        client.sendall(answer(self.root, request))
        self.count()
        return request.keeps


def serve_all(service: Service, server: socket.socket) -> None:
    threads = []
    server.settimeout(0.1)
    while service.left > 0:
        try:
            client = server.accept()[0]
        except TimeoutError:
            continue
        client.settimeout(5.0)
        thread = threading.Thread(target=service.serve, args=(client,))
        thread.start()
        threads = [one for one in threads if one.is_alive()]
        threads.append(thread)
    for thread in threads:
        thread.join()


def entry_point(argv: list[str]) -> int:
    if len(argv) != 4:
        print("usage: httpthreads DIRECTORY PORT REQUESTS", file=sys.stderr)
        return 2
    service = Service(argv[1], int(argv[3]))
    with socket.create_server(("127.0.0.1", int(argv[2]))) as server:
        print("port", server.getsockname()[1], flush=True)
        serve_all(service, server)
    print("done")
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
