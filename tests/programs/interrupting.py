"""Programs that are interrupted by SIGINT once they have printed "ready", for ``failing.py``."""

import os
import signal
import time

from failures import fail


def ready() -> None:
    print("ready", flush=True)


def forever(n: int) -> int:
    i = 0
    while i >= 0:
        i = (i * 5 + n) % 1000
    return i


def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def interrupted_loop() -> int:
    ready()
    return forever(7)


def interrupted_recursion() -> int:
    ready()
    return fibonacci(90)


def interrupted_and_caught() -> int:
    ready()
    try:
        forever(7)
    except KeyboardInterrupt:
        print("caught")
    return 3


def interrupted_in_own_loop() -> int:
    ready()
    n = 0
    try:
        while True:
            n = (n + 1) % 1000
    except KeyboardInterrupt:
        print("caught")
    return 4


def interrupted_computing() -> int:
    ready()
    x = 0.5
    for _ in range(10**18):
        x = 3.7 * x * (1.0 - x)
    return int(x)


def interrupted_counting() -> int:
    xs = [3, 1, 4, 1]
    ready()
    total = 0
    try:
        for i in range(10**18):
            total = (total + 5 * i + xs[i & 3]) & 0xFFFF
    except KeyboardInterrupt:
        print("caught")
    for i in range(10**18):
        total = (total + 5 * i) & 0xFFFF
        if i == 1_000_000:
            interrupt_again()
    return total


def interrupted_from_far_below() -> int:
    ready()
    x = 0.5
    for _ in range(-(10**18), 4):
        x = 3.7 * x * (1.0 - x)
    return int(x)


def interrupted_looking_through() -> int:
    xs = [3, 1, 4, 1]
    ready()
    x = 0.5
    for _ in range(-(10**18), len(xs)):
        x = 3.7 * x * (1.0 - x)
    return int(x)


def interrupted_doing_nothing() -> int:
    ready()
    try:
        while True:
            pass
    except KeyboardInterrupt:
        print("caught")
    return 5


def naturals():
    i = 0
    while True:
        yield i
        i += 1


def interrupted_summing() -> int:
    ready()
    try:
        print(sum(i % 7 for i in naturals()))
    except KeyboardInterrupt:
        print("caught")
    try:
        return sum(i % 7 for i in naturals() if interrupt_again())
    except BaseException:
        return 6


def interrupt_again() -> bool:
    os.kill(os.getpid(), signal.SIGINT)
    return True


def interrupted_finally() -> int:
    ready()
    try:
        forever(7)
    finally:
        print("finally")
    return 0


def interrupted_not_an_exception() -> int:
    ready()
    try:
        forever(7)
    except Exception:
        print("wrong")
    return 0


def interrupted_handler() -> int:
    try:
        fail(7)
    except IndexError:
        ready()
        forever(7)
    return 0


def interrupted_sleep() -> int:
    ready()
    time.sleep(60.0)
    return 0


def interrupted_input() -> int:
    ready()
    try:
        print(input())
    except OSError:
        print("wrong")
    return 0


def interrupted_read() -> int:
    ready()
    print(os.read(0, 10))
    return 0


INTERRUPTED = {
    f.__name__: f for f in (
        interrupted_loop, interrupted_recursion, interrupted_and_caught, interrupted_in_own_loop,
        interrupted_computing, interrupted_counting, interrupted_doing_nothing, interrupted_summing,
        interrupted_from_far_below, interrupted_looking_through, interrupted_finally,
        interrupted_not_an_exception, interrupted_handler, interrupted_sleep, interrupted_input,
        interrupted_read,
    )
}  # fmt: skip
