"""pyperformance==1.11.0/go pyperf==2.8.1: the game of Go."""

import random

from run_benchmark import versus_cpu


def main():
    random.seed(1)
    print(versus_cpu())


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
