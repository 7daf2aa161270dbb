import cmath
import math


def roots(a, b, c):
    d = cmath.sqrt(b * b - 4 * a * c)
    return (-b + d) / (2 * a), (-b - d) / (2 * a)


def mandelbrot(c, limit=50):
    z = 0j
    for i in range(limit):
        z = z * z + c
        if abs(z) > 2:
            return i
    return limit


def main():
    for root in roots(1, 2, 5):
        print(root, abs(root))
    z = complex(3, 4)
    print(z.real, z.imag, abs(z), z.conjugate(), cmath.phase(1j) == math.pi / 2)
    r, phi = cmath.polar(z)
    print(round(r, 6), round(phi, 6))
    for y in range(-4, 5):
        print("".join("*" if mandelbrot(complex(x / 8, y / 4)) == 50 else "." for x in range(-16, 6)))
    print(cmath.exp(1j * cmath.pi).real, cmath.isclose(1 + 0j, 1 + 1e-12j))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
