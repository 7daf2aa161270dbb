"""Programs of dicts, objects and texts: ``structures NAME SIZE`` prints a number."""

import sys


def intdict(n):
    """Count numbers, of which each comes ten times, and look half of them up again."""
    counts = {}
    for i in range(n):
        k = i * 7919 % (n // 10 + 1)
        counts[k] = counts.get(k, 0) + 1
    total = 0
    for k in range(n // 10 + 1):
        if k * 2 in counts:
            total += counts[k * 2]
    return total


class Packet:
    def __init__(self, kind, value):
        self.kind = kind
        self.value = value


class Task:
    def __init__(self, name, priority):
        self.name = name
        self.priority = priority
        self.runs = 0
        self.queue = []

    def step(self, scheduler):
        raise NotImplementedError


class Worker(Task):
    def step(self, scheduler):
        packet = self.queue.pop()
        self.runs += 1
        value = (packet.value + self.priority) % 1000003
        scheduler.send(self.name + 1, Packet(packet.kind, value))


class Device(Task):
    def step(self, scheduler):
        packet = self.queue.pop()
        self.runs += 1
        if packet.value % 3 == 0:
            scheduler.send(0, Packet(1, packet.value // 3))
        else:
            scheduler.send(self.name + 1, packet)


class Scheduler:
    def __init__(self):
        self.tasks = []
        self.sent = 0

    def send(self, to, packet):
        self.sent += 1 + packet.kind
        self.tasks[to % len(self.tasks)].queue.append(packet)

    def run(self, steps):
        done = 0
        while done < steps:
            for task in self.tasks:
                if len(task.queue) > 0:
                    task.step(self)
                    done += 1


def schedule(n):
    scheduler = Scheduler()
    for i in range(6):
        scheduler.tasks.append(Worker(i, i) if i % 2 else Device(i, i))
    scheduler.send(0, Packet(0, 6))
    scheduler.send(3, Packet(0, 100))
    scheduler.run(n)
    return scheduler.sent


class Value:
    """Of a JSON text."""

    def weight(self):
        raise NotImplementedError

    def write(self, pieces):
        raise NotImplementedError


class Number(Value):
    def __init__(self, number):
        self.number = number

    def weight(self):
        return self.number

    def write(self, pieces):
        pieces.append(str(self.number))


class Text(Value):
    def __init__(self, text):
        self.text = text

    def weight(self):
        return len(self.text)

    def write(self, pieces):
        pieces.append('"')
        pieces.append(self.text)
        pieces.append('"')


class Array(Value):
    def __init__(self, items):
        self.items = items

    def weight(self):
        total = 0
        for item in self.items:
            total += item.weight()
        return total

    def write(self, pieces):
        separator = "["
        for item in self.items:
            pieces.append(separator)
            item.write(pieces)
            separator = ","
        pieces.append("]")


class Object(Value):
    def __init__(self, members):
        self.members = members

    def weight(self):
        total = 0
        for name in self.members:
            total += len(name) + self.members[name].weight()
        return total

    def write(self, pieces):
        separator = '{"'
        for name in self.members:
            pieces.append(separator)
            pieces.append(name)
            pieces.append('":')
            self.members[name].write(pieces)
            separator = ',"'
        pieces.append("}")


class Parser:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def skip(self):
        while self.text[self.at] == " ":
            self.at += 1

    def name(self):
        start = self.at + 1
        end = start
        while self.text[end] != '"':
            end += 1
        self.at = end + 1
        return self.text[start:end]

    def value(self):
        self.skip()
        char = self.text[self.at]
        if char == "{":
            return self.members()
        if char == "[":
            return self.items()
        if char == '"':
            return Text(self.name())
        number = 0
        while "0" <= self.text[self.at] <= "9":
            number = number * 10 + ord(self.text[self.at]) - 48
            self.at += 1
        return Number(number)

    def items(self):
        items = []
        while self.text[self.at] != "]":
            self.at += 1
            items.append(self.value())
            self.skip()
        self.at += 1
        return Array(items)

    def members(self):
        members = {}
        while self.text[self.at] != "}":
            self.at += 1
            self.skip()
            name = self.name()
            self.skip()
            self.at += 1
            members[name] = self.value()
            self.skip()
        self.at += 1
        return Object(members)


DOCUMENT = (
    '{"id": 7, "name": "a name of some length", "tags": ["red", "green", "blue"], '
    '"points": [{"x": 1, "y": 22}, {"x": 333, "y": 4444}, {"x": 55555, "y": 666666}], '
    '"nested": {"a": {"b": {"c": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}}}, "last": 0}'
)


def json(n):
    """Read a text, add up what is in it, write it."""
    total = 0
    for _ in range(n):
        value = Parser(DOCUMENT).value()
        pieces = []
        value.write(pieces)
        total += value.weight() + len("".join(pieces))
    return total


SENTENCE = "the quick brown fox jumps over the lazy dog and the cat "


def words(n):
    text = SENTENCE * n
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    total = 0
    for word, count in counts.items():
        total += count * len(word)
    return total


def run(name, n):
    if name == "intdict":
        return intdict(n)
    if name == "schedule":
        return schedule(n)
    if name == "json":
        return json(n)
    if name == "words":
        return words(n)
    return 0


def main(argv):
    print(run(argv[1], int(argv[2])))
    return 0


def target(driver, args):
    return main, None


if __name__ == "__main__":
    main(sys.argv)
