"""Small workloads: ``workloads NAME SIZE`` prints a number."""

import sys


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


class Task:
    def __init__(self, name, priority):
        self.name = name
        self.priority = priority
        self.runs = 0
        self.queue = []

    def put(self, packet):
        self.queue.append(packet)

    def ready(self):
        return len(self.queue) > 0

    def step(self, scheduler):
        raise NotImplementedError


class Packet:
    def __init__(self, kind, value):
        self.kind = kind
        self.value = value


class Worker(Task):
    def step(self, scheduler):
        packet = self.queue.pop()
        self.runs += 1
        scheduler.send(self.name + 1, Packet(packet.kind, packet.value + self.priority))


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

    def add(self, task):
        self.tasks.append(task)

    def send(self, to, packet):
        self.sent += 1
        self.tasks[to % len(self.tasks)].put(packet)

    def run(self, steps):
        done = 0
        while done < steps:
            for task in self.tasks:
                if task.ready():
                    task.step(self)
                    done += 1


def schedule(n):
    s = Scheduler()
    for i in range(6):
        s.add(Worker(i, i) if i % 2 else Device(i, i))
    s.send(0, Packet(0, 7))
    s.send(3, Packet(1, 11))
    s.run(n)
    return s.sent


def matrix(n):
    a = [[i * j % 7 for j in range(n)] for i in range(n)]
    b = [[i + j for j in range(n)] for i in range(n)]
    c = []
    for i in range(n):
        row = []
        for j in range(n):
            total = 0
            for k in range(n):
                total += a[i][k] * b[k][j]
            row.append(total)
        c.append(row)
    return c[n // 2][n // 3]


def words(n):
    text = "the quick brown fox jumps over the lazy dog and the cat " * n
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    total = 0
    for word, count in counts.items():
        total += count * len(word)
    return total


class Vector:
    def __init__(self, x, y, z):
        self.x = x
        self.y = y
        self.z = z

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def scaled(self, by):
        return Vector(self.x * by, self.y * by, self.z * by)

    def dot(self, other):
        return self.x * other.x + self.y * other.y + self.z * other.z


def vectors(n):
    total = Vector(0.0, 0.0, 0.0)
    step = Vector(0.5, 0.25, 0.125)
    for _i in range(n):
        total = total + step.scaled(2.0)
        if total.dot(step) > 1000.0:
            total = total.scaled(0.5)
    return int(total.x)


class Parser:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def peek(self):
        return self.text[self.at] if self.at < len(self.text) else "\0"

    def next(self):
        char = self.peek()
        self.at += 1
        return char

    def skip(self):
        while self.peek() == " ":
            self.at += 1

    def value(self):
        self.skip()
        char = self.peek()
        if char == "[":
            self.next()
            total = 0
            while True:
                total += self.value()
                self.skip()
                if self.next() == "]":
                    return total
        number = 0
        while "0" <= self.peek() <= "9":
            number = number * 10 + ord(self.next()) - 48
        return number % 1000


def parse(n):
    text = "[1, 22, [333, 4444], 5, [6, [7, 8], 999]]"
    total = 0
    for _i in range(n):
        total += Parser(text).value()
    return total


class Node:
    def __init__(self, left, right):
        self.left = left
        self.right = right


def make(depth):
    if depth == 0:
        return Node(None, None)
    return Node(make(depth - 1), make(depth - 1))


def check(node):
    if node.left is None:
        return 1
    return 1 + check(node.left) + check(node.right)


def trees(n):
    total = 0
    for _i in range(n):
        total += check(make(12))
    return total


def machine(n):
    code = [0, 1, 2, 3, 1, 4]
    stack = []
    pc = 0
    acc = 0
    steps = 0
    while steps < n:
        op = code[pc]
        pc = (pc + 1) % len(code)
        steps += 1
        if op == 0:
            stack.append(steps)
        elif op == 1:
            acc = (acc + stack[-1]) % 1000003
        elif op == 2:
            stack.append(acc // 3)
        elif op == 3:
            stack.append(stack.pop() + 1)
        else:
            stack.pop()
            stack.pop()
    return acc


def dicts(n):
    d = {}
    for i in range(n):
        k = i * 7919 % 10007
        if k in d:
            d[k] += 1
        else:
            d[k] = 1
    total = 0
    for k, v in d.items():
        total += k * v
    return total


def run(name, n):
    if name == "fib":
        return fib(n)
    if name == "schedule":
        return schedule(n)
    if name == "matrix":
        return matrix(n)
    if name == "words":
        return words(n)
    if name == "vectors":
        return vectors(n)
    if name == "parse":
        return parse(n)
    if name == "trees":
        return trees(n)
    if name == "machine":
        return machine(n)
    if name == "dicts":
        return dicts(n)
    raise ValueError(name)


def main(argv):
    print(run(argv[1], int(argv[2])))
    return 0


def target(driver, args):
    return main, None


if __name__ == "__main__":
    main(sys.argv)
