"""primefac==2.0.12: prime factors."""

from primefac import isprime, primegen


def main():
    print([n for n in range(50) if isprime(n)])
    for prime in primegen(30):
        print(prime)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
