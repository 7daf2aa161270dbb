"""pyperformance==1.11.0/scimark pyperf==2.8.1: numbers."""

from run_benchmark import ArrayList, MonteCarlo, Random, SOR_execute


def main():
    print(MonteCarlo(1000))
    array = ArrayList(5, 5)
    for x in range(5):
        array[x, 2] = x * 1.5
    print(Random(7).nextDouble())
    SOR_execute(1.25, array, 10, None)
    print([list(row) for row in array.data])


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
