"""Ciphers, checksums, number systems, primes and other number play."""
import string
import struct
from itertools import count, cycle, islice, takewhile


def caesar(text, shift):
    lower, upper = string.ascii_lowercase, string.ascii_uppercase
    table = str.maketrans(lower + upper, lower[shift:] + lower[:shift] + upper[shift:] + upper[:shift])
    return text.translate(table)


def vigenere(text, key, decode=False):
    out = []
    keys = cycle(key.upper())
    for c in text:
        if c.isalpha():
            shift = ord(next(keys)) - ord("A")
            if decode:
                shift = -shift
            base = ord("A") if c.isupper() else ord("a")
            c = chr((ord(c) - base + shift) % 26 + base)
        out.append(c)
    return "".join(out)


def xor(data: bytes, key: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(data, cycle(key)))


def to_base(n, base, digits=string.digits + string.ascii_lowercase):
    if n < 0:
        return "-" + to_base(-n, base)
    out = ""
    while True:
        n, r = divmod(n, base)
        out = digits[r] + out
        if not n:
            return out


ROMAN = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
         (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def to_roman(n):
    if not 0 < n < 4000:
        raise ValueError(f"{n} is out of range")
    result = []
    for value, numeral in ROMAN:
        times, n = divmod(n, value)
        result.append(numeral * times)
    return "".join(result)


def from_roman(text):
    values = {s: v for v, s in ROMAN if len(s) == 1}
    total = 0
    for a, b in zip(text, text[1:] + " "):
        v = values[a]
        total += -v if values.get(b, 0) > v else v
    return total


def primes():
    composites = {}
    for n in count(2):
        step = composites.pop(n, None)
        if step is None:
            yield n
            composites[n * n] = n
        else:
            m = n + step
            while m in composites:
                m += step
            composites[m] = step


def luhn(number):
    digits = [int(c) for c in str(number) if c.isdigit()]
    odd, even = digits[-1::-2], digits[-2::-2]
    return (sum(odd) + sum(sum(divmod(2 * d, 10)) for d in even)) % 10 == 0


def crc32(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0xEDB88320 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def main():
    secret = caesar("Hello, World!", 3)
    print(secret, caesar(secret, -3))
    v = vigenere("Attack at Dawn", "Lemon")
    print(v, "|", vigenere(v, "Lemon", decode=True))
    data = xor(b"plain text", b"key")
    print(data.hex(" "), xor(data, b"key").decode())
    for n in (0, 10, 255, -37, 10 ** 12):
        print(n, to_base(n, 2), to_base(n, 16), to_base(n, 36), sep="  ")
    print(int("zz", 36), bin(10), hex(255), oct(8), f"{1234567:_} {0.000123:e} {255:#x} {5:+d}")
    for year in (4, 1999, 2024):
        r = to_roman(year)
        print(year, r, from_roman(r) == year)
    try:
        to_roman(4000)
    except ValueError as e:
        print("error:", e)
    print(list(islice(primes(), 12)))
    print(sum(takewhile(lambda p: p < 1000, primes())))
    print(luhn("4539 1488 0343 6467"), luhn(8273123273520569))
    print(f"{crc32(b'123456789'):08x}", 2 ** 100, pow(3, 200, 13), (17).bit_length(), bin(1023).count("1"))
    packed = struct.pack(">HBf", 513, 7, 0.5)
    print(packed, struct.unpack(">HBf", packed), struct.calcsize(">HBf"))
    print(int.from_bytes(b"\x01\x00", "big"), (1024).to_bytes(2, "little"))


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
