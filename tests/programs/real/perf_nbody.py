"""pyperformance==1.11.0/nbody pyperf==2.8.1: planets."""

from run_benchmark import BODIES, advance, offset_momentum, report_energy


def main():
    offset_momentum(BODIES["sun"])
    report_energy()
    advance(0.01, 100)
    print(report_energy())


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
