"""pyperformance==1.11.0/json_dumps pyperf==2.8.1: JSON."""

import json

from run_benchmark import NESTED


def main():
    print(json.dumps(NESTED[0], sort_keys=True))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
