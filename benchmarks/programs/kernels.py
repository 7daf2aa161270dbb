"""Small kernels of arithmetic on lists: ``kernels NAME SIZE`` prints a number."""

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


def main(argv):
    name = argv[1]
    size = int(argv[2])
    if name == "fib":
        print(fib(size))
    elif name == "sieve":
        print(sieve(size))
    elif name == "flat":
        print(flat(size))
    elif name == "rows":
        print(rows(size))
    elif name == "spectral":
        print(spectral(size))
    elif name == "fannkuch":
        print(fannkuch(size))
    elif name == "insertion":
        print(insertion(size))
    elif name == "hashed":
        print(hashed(size))
    return 0


def target(driver, args):
    return main, None


if __name__ == "__main__":
    main(sys.argv)
