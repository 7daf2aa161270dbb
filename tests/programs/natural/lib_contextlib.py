import contextlib
import io
import sys
from contextlib import closing, contextmanager, nullcontext, redirect_stdout, suppress


@contextmanager
def tag(name):
    print(f"<{name}>")
    try:
        yield name.upper()
    finally:
        print(f"</{name}>")


class Resource:
    def __init__(self, name):
        self.name = name

    def close(self):
        print("closing", self.name)


def capture(func, *args):
    buffer = io.StringIO()
    with redirect_stdout(buffer):
        func(*args)
    return buffer.getvalue()


def chatty(n):
    for i in range(n):
        print("line", i)


@contextmanager
def swallowed(*errors):
    try:
        yield
    except errors as e:
        print("swallowed", e)


def main():
    with tag("b") as t:
        print(t)
    print(repr(capture(chatty, 2)))
    with closing(Resource("r1")) as r:
        print("using", r.name)
    with nullcontext(5) as five:
        print(five)
    with swallowed(KeyError, IndexError):
        [].pop()
    with suppress(ZeroDivisionError):
        1 / 0
    with contextlib.ExitStack() as stack:
        for name in "ab":
            stack.enter_context(tag(name))
        print("inside")
    print("done", file=sys.stderr)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
