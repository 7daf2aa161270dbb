"""The function that docs/architecture.md follows through all stages."""


def gcd(m: int, n: int) -> int:
    while n:
        m, n = n, m % n
    return m
