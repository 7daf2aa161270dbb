"""The function that README.md follows through all stages."""


def gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a
