"""pyperformance==1.11.0/float pyperf==2.8.1: points."""

from run_benchmark import benchmark


def main():
    point = benchmark(200)
    print(point, point.x)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
