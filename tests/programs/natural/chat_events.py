"""An event bus with decorators, weak coupling and a plugin registry."""
from collections import defaultdict
from contextlib import ExitStack, contextmanager, suppress
from functools import partial, wraps
import inspect


class EventBus:
    def __init__(self):
        self._handlers = defaultdict(list)
        self._history = []

    def on(self, *names, priority=0):
        def register(handler):
            for name in names:
                self._handlers[name].append((priority, handler))
                self._handlers[name].sort(key=lambda pair: -pair[0])
            return handler
        return register

    def off(self, name, handler):
        self._handlers[name] = [(p, h) for p, h in self._handlers[name] if h is not handler]

    def emit(self, name, *args, **kwargs):
        self._history.append(name)
        results = []
        for _, handler in self._handlers.get(name, []):
            try:
                results.append(handler(*args, **kwargs))
            except Exception as e:
                results.append(e)
        return results

    @contextmanager
    def listening(self, name, handler):
        self.on(name)(handler)
        try:
            yield self
        finally:
            self.off(name, handler)


class Plugin:
    registry = {}
    name = None

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.name = cls.__name__.lower()
        Plugin.registry[cls.name] = cls

    def __init__(self, bus):
        self.bus = bus

    def handle(self, user, text):
        raise NotImplementedError


class Echo(Plugin):
    def handle(self, user, text):
        return f"{user} said {text}"


class Count(Plugin):
    def __init__(self, bus):
        super().__init__(bus)
        self.words = 0

    def handle(self, user, text):
        self.words += len(text.split())
        return self.words


class Censor(Plugin):
    banned = {"darn", "heck"}

    def handle(self, user, text):
        bad = self.banned & set(text.lower().split())
        if bad:
            raise PermissionError(f"{user} used {sorted(bad)}")
        return None


def retry(times, exceptions=(Exception,)):
    def decorator(func):
        @wraps(func)
        def wrapper(*args, **kwargs):
            for attempt in range(1, times + 1):
                try:
                    return func(*args, **kwargs)
                except exceptions as e:
                    print(f"  attempt {attempt} failed: {e}")
                    last = e
            raise RuntimeError(f"{func.__name__} failed {times} times") from last
        return wrapper
    return decorator


class Flaky:
    def __init__(self, failures):
        self.failures = failures

    @retry(3, exceptions=(ConnectionError,))
    def connect(self, host="localhost"):
        if self.failures > 0:
            self.failures -= 1
            raise ConnectionError(f"{host} unreachable")
        return f"connected to {host}"


def main():
    bus = EventBus()

    @bus.on("message", priority=5)
    def log(user, text):
        return f"LOG {user}: {text}"

    plugins = [cls(bus) for cls in Plugin.registry.values()]
    for p in plugins:
        bus.on("message")(p.handle)
    print(sorted(Plugin.registry))
    for user, text in [("ann", "hello there everyone"), ("bob", "oh darn it")]:
        for result in bus.emit("message", user, text):
            if isinstance(result, Exception):
                print("  refused:", type(result).__name__, result)
            elif result is not None:
                print(" ", result)
    seen = []
    with ExitStack() as stack:
        stack.enter_context(bus.listening("join", seen.append))
        stack.callback(print, "stack closed")
        bus.emit("join", "zed")
    bus.emit("join", "late")
    print(seen, bus._history.count("join"))
    shout = partial(print, "HEY", sep=" >>> ")
    shout("you")
    print(Flaky(2).connect("example.org"))
    try:
        Flaky(5).connect()
    except RuntimeError as e:
        print(e, "/ caused by", repr(e.__cause__))
    with suppress(KeyError):
        Plugin.registry["nope"]
    print(log.__name__, bus.emit("nothing"))


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
