"""Small kernels of arithmetic on lists: ``kernels NAME SIZE`` prints a number."""

import math
import sys


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def sieve(n):
    flags = [True] * (n + 1)
    i = 2
    while i * i <= n:
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
        i += 1
    count = 0
    for i in range(2, n + 1):
        if flags[i]:
            count += 1
    return count


def flat(n):
    a = [float(i % 7) for i in range(n * n)]
    b = [float(i % 5) for i in range(n * n)]
    c = [0.0] * (n * n)
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i * n + k] * b[k * n + j]
            c[i * n + j] = total
    return c[n * n - 1]


def rows(n):
    a = [[float((i + j) % 7) for j in range(n)] for i in range(n)]
    b = [[float((i * j) % 5) for j in range(n)] for i in range(n)]
    c = [[0.0] * n for i in range(n)]
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i][k] * b[k][j]
            c[i][j] = total
    return c[n - 1][n - 1]


def element(i, j):
    return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)


def spectral(n):
    u = [1.0] * n
    v = [0.0] * n
    for _ in range(5):
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += element(i, j) * u[j]
            v[i] = total
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += element(j, i) * v[j]
            u[i] = total
    return u[0] + v[n - 1]


def fannkuch(n):
    p = list(range(n))
    q = [0] * n
    s = list(range(n))
    sign = 1
    most = 0
    total = 0
    while True:
        q0 = p[0]
        if q0 != 0:
            for i in range(1, n):
                q[i] = p[i]
            flips = 1
            while True:
                qq = q[q0]
                if qq == 0:
                    total += sign * flips
                    if flips > most:
                        most = flips
                    break
                q[q0] = q0
                if q0 >= 3:
                    i = 1
                    j = q0 - 1
                    while i < j:
                        q[i], q[j] = q[j], q[i]
                        i += 1
                        j -= 1
                q0 = qq
                flips += 1
        if sign == 1:
            p[0], p[1] = p[1], p[0]
            sign = -1
        else:
            p[1], p[2] = p[2], p[1]
            sign = 1
            for i in range(2, n):
                if s[i] != 0:
                    s[i] -= 1
                    break
                if i == n - 1:
                    return total * 100 + most
                s[i] = i
                first = p[0]
                for k in range(i + 1):
                    p[k] = p[k + 1]
                p[i + 1] = first


def insertion(n):
    a = [(i * 7919) % n for i in range(n)]
    for i in range(1, len(a)):
        x = a[i]
        j = i
        while j > 0 and a[j - 1] > x:
            a[j] = a[j - 1]
            j -= 1
        a[j] = x
    return a[n // 2]


def hashed(n):
    x = 5381
    for i in range(n):
        x = (x * 33 ^ i) & 0xFFFFFFFF
    return x


class Body:
    def __init__(self, x, y, z, vx, vy, vz, mass):
        self.x = x
        self.y = y
        self.z = z
        self.vx = vx
        self.vy = vy
        self.vz = vz
        self.mass = mass


def advance(bodies, dt):
    for i in range(len(bodies)):
        a = bodies[i]
        for j in range(i + 1, len(bodies)):
            b = bodies[j]
            dx = a.x - b.x
            dy = a.y - b.y
            dz = a.z - b.z
            square = dx * dx + dy * dy + dz * dz
            much = dt / (square * math.sqrt(square))
            a.vx -= dx * b.mass * much
            a.vy -= dy * b.mass * much
            a.vz -= dz * b.mass * much
            b.vx += dx * a.mass * much
            b.vy += dy * a.mass * much
            b.vz += dz * a.mass * much
    for body in bodies:
        body.x += dt * body.vx
        body.y += dt * body.vy
        body.z += dt * body.vz


def nbody(n):
    bodies = [
        Body(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.5),
        Body(4.8, -1.2, -0.1, 0.6, 2.8, -0.02, 0.037),
        Body(8.3, 4.1, -0.4, -1.0, 1.8, 0.008, 0.011),
        Body(12.9, -15.1, -0.2, 1.1, 0.9, -0.01, 0.0017),
        Body(15.4, -25.9, 0.2, 1.0, 0.6, -0.03, 0.002),
    ]
    for _ in range(n):
        advance(bodies, 0.01)
    return bodies[0].x + bodies[1].y + bodies[4].z


def mandelbrot(n):
    inside = 0
    for row in range(n):
        cy = 2.0 * row / n - 1.0
        for column in range(n):
            cx = 3.0 * column / n - 2.0
            x = 0.0
            y = 0.0
            steps = 0
            while steps < 50 and x * x + y * y <= 4.0:
                x, y = x * x - y * y + cx, 2.0 * x * y + cy
                steps += 1
            if steps == 50:
                inside += 1
    return inside


def place(n, row, columns, up, down):
    if row == n:
        return 1
    found = 0
    for column in range(n):
        if not (columns[column] or up[row + column] or down[row - column + n]):
            columns[column] = up[row + column] = down[row - column + n] = True
            found += place(n, row + 1, columns, up, down)
            columns[column] = up[row + column] = down[row - column + n] = False
    return found


def queens(n):
    return place(n, 0, [False] * n, [False] * (2 * n), [False] * (2 * n + 1))


LOAD, ADD, SUB, LESS, JUMP_IF, MOVE, STOP = range(7)


def machine(n):
    """A register machine that adds up i * 3 - 1 for i < n."""
    code = [
        (LOAD, 0, 0, 0), (LOAD, 1, 0, 0), (LOAD, 2, n, 0), (LOAD, 3, 1, 0),
        (ADD, 4, 0, 0), (ADD, 4, 4, 0), (SUB, 4, 4, 3), (ADD, 1, 1, 4), (ADD, 0, 0, 3),
        (LESS, 5, 0, 2), (JUMP_IF, 5, 4, 0), (MOVE, 6, 1, 0), (STOP, 6, 0, 0),
    ]  # fmt: skip
    ops = [op for op, _, _, _ in code]
    xs = [x for _, x, _, _ in code]
    ys = [y for _, _, y, _ in code]
    zs = [z for _, _, _, z in code]
    registers = [0] * 8
    pc = 0
    while True:
        op = ops[pc]
        x = xs[pc]
        y = ys[pc]
        z = zs[pc]
        pc += 1
        if op == LOAD:
            registers[x] = y
        elif op == ADD:
            registers[x] = registers[y] + registers[z]
        elif op == SUB:
            registers[x] = registers[y] - registers[z]
        elif op == LESS:
            registers[x] = 1 if registers[y] < registers[z] else 0
        elif op == JUMP_IF:
            if registers[x]:
                pc = y
        elif op == MOVE:
            registers[x] = registers[y]
        else:
            return registers[x]


SQUARES = (
    "++++[>+++++<-]>[<+++++>-]+<+[>[>+>+<<-]++>>[<<+>>-]>>>[-]++>[-]+>>>+[[-]++++++>>>]<<<"
    "[[<++++++++<++>>-]+<.<[>----<-]<]<<[>>>>>[>>>[-]+++++++++<[>-<-]+++++++++>[-[<->-]+"
    "[<<<]]<[>+<-]>]<<-]<<-]"
)


def brainfuck(n):
    """Print the squares up to 10000, n times; the sum of what is printed."""
    code = SQUARES
    partner = [0] * len(code)
    opened = []
    for i in range(len(code)):
        if code[i] == "[":
            opened.append(i)
        elif code[i] == "]":
            j = opened.pop()
            partner[i] = j
            partner[j] = i
    total = 0
    for _ in range(n):
        tape = bytearray(1000)
        at = 0
        pc = 0
        while pc < len(code):
            c = code[pc]
            if c == ">":
                at += 1
            elif c == "<":
                at -= 1
            elif c == "+":
                tape[at] = (tape[at] + 1) & 255
            elif c == "-":
                tape[at] = (tape[at] - 1) & 255
            elif c == ".":
                total += tape[at]
            elif c == "[":
                if tape[at] == 0:
                    pc = partner[pc]
            elif tape[at] != 0:
                pc = partner[pc]
            pc += 1
    return total


def text(n):
    """Build lines out of pieces; what their characters add up to."""
    total = 0
    for i in range(n):
        line = ""
        for j in range(20):
            line += "item "
            line += str(i + j)
            line += ", "
        total += len(line) + ord(line[i % len(line)])
    return total


def run(name, n):
    if name == "fib":
        return float(fib(n))
    if name == "sieve":
        return float(sieve(n))
    if name == "flat":
        return flat(n)
    if name == "rows":
        return rows(n)
    if name == "spectral":
        return spectral(n)
    if name == "fannkuch":
        return float(fannkuch(n))
    if name == "insertion":
        return float(insertion(n))
    if name == "hashed":
        return float(hashed(n))
    if name == "nbody":
        return nbody(n)
    if name == "mandelbrot":
        return float(mandelbrot(n))
    if name == "queens":
        return float(queens(n))
    if name == "machine":
        return float(machine(n))
    if name == "brainfuck":
        return float(brainfuck(n))
    if name == "text":
        return float(text(n))
    return 0.0


def main(argv):
    print(run(argv[1], int(argv[2])))
    return 0


def target(driver, args):
    return main, None


if __name__ == "__main__":
    main(sys.argv)
