import asyncio


async def worker(name, queue, results):
    while True:
        item = await queue.get()
        if item is None:
            break
        await asyncio.sleep(0.001 * item)
        results.append((name, item * item))
        queue.task_done()


async def fetch(n):
    await asyncio.sleep(0.01 * (3 - n))
    return n * 10


async def main():
    print(await asyncio.gather(*(fetch(i) for i in range(3))))
    queue = asyncio.Queue()
    results = []
    for i in range(6):
        queue.put_nowait(i)
    tasks = [asyncio.create_task(worker(f"w{i}", queue, results)) for i in range(2)]
    await queue.join()
    for _ in tasks:
        await queue.put(None)
    await asyncio.gather(*tasks)
    print(sorted(square for _, square in results))
    try:
        await asyncio.wait_for(asyncio.sleep(10), timeout=0.05)
    except asyncio.TimeoutError:
        print("timed out")
    lock = asyncio.Lock()
    async with lock:
        print("locked", lock.locked())


def entry_point(argv):
    asyncio.run(main())
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
