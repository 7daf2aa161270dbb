"""asyncio chat room simulation with queues, timeouts and cancellation."""
import asyncio
import contextlib
import random
from collections import Counter
from dataclasses import dataclass, field


@dataclass(order=True)
class Message:
    priority: int
    sender: str = field(compare=False)
    text: str = field(compare=False)


class Room:
    def __init__(self, name):
        self.name = name
        self.members = {}
        self.history = []
        self.lock = asyncio.Lock()
        self.closed = asyncio.Event()

    async def join(self, user):
        async with self.lock:
            if user.name in self.members:
                raise ValueError(f"{user.name} is taken")
            self.members[user.name] = user
        await self.broadcast(Message(0, "*", f"{user.name} joined"))

    async def leave(self, name):
        async with self.lock:
            self.members.pop(name, None)
        if not self.members:
            self.closed.set()

    async def broadcast(self, message):
        self.history.append(message)
        await asyncio.gather(*(u.inbox.put(message) for u in self.members.values() if u.name != message.sender))


class User:
    def __init__(self, name, script):
        self.name = name
        self.script = script
        self.inbox = asyncio.PriorityQueue()
        self.seen = Counter()

    async def listen(self):
        try:
            while True:
                m = await self.inbox.get()
                self.seen[m.sender] += 1
                self.inbox.task_done()
        except asyncio.CancelledError:
            self.seen["cancelled"] += 1
            raise

    async def run(self, room):
        await room.join(self)
        listener = asyncio.create_task(self.listen())
        try:
            async for line in self.lines():
                await room.broadcast(Message(len(line), self.name, line))
        finally:
            await self.inbox.join()
            listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listener
            await room.leave(self.name)
        return len(self.script)

    async def lines(self):
        for line in self.script:
            await asyncio.sleep(0)
            yield line


@contextlib.asynccontextmanager
async def opened(name):
    room = Room(name)
    print("open", name)
    try:
        yield room
    finally:
        print("close", name, len(room.history))


async def slow():
    await asyncio.sleep(30)
    return "never"


async def main():
    users = [User("ann", ["hi", "how are you?"]), User("bob", ["hello", "fine", "bye"]), User("cy", [])]
    async with opened("lobby") as room:
        results = await asyncio.gather(*(u.run(room) for u in users), User("ann", []).run(room), return_exceptions=True)
        await room.closed.wait()
    for r in results:
        print(f"{type(r).__name__}: {r}" if isinstance(r, Exception) else r)
    print(sorted(room.history)[0].text, sorted(m.text for m in room.history if m.sender == "bob"))
    print([sum(u.seen.values()) > 0 for u in users], users[0].seen["cancelled"])
    try:
        print(await asyncio.wait_for(slow(), timeout=0.01))
    except asyncio.TimeoutError:
        print("timed out")
    sem = asyncio.Semaphore(2)
    order = []

    async def worker(n):
        async with sem:
            order.append(n)
            await asyncio.sleep(0)
            return n * n

    tasks = [asyncio.create_task(worker(i), name=f"w{i}") for i in range(4)]
    done, pending = await asyncio.wait(tasks)
    print(sorted(t.result() for t in done), len(pending), order, tasks[0].get_name())


asyncio.run(main())
