"""pyperformance==1.11.0/deepcopy pyperf==2.8.1: copies."""

from run_benchmark import benchmark


def main():
    print(benchmark(1) >= 0)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
