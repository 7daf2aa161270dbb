import pprint
from pprint import pformat

config = {
    "name": "service",
    "ports": [8080, 8081, 9090],
    "database": {"host": "localhost", "user": "admin", "options": {"timeout": 30, "retries": 5}},
    "features": ["search", "export", "notifications", "billing", "reports", "administration"],
}


def depth(value):
    if isinstance(value, dict):
        return 1 + max((depth(v) for v in value.values()), default=0)
    if isinstance(value, list):
        return 1 + max((depth(v) for v in value), default=0)
    return 0


def main():
    pprint.pprint(config)
    print(pformat({"b": 1, "a": 2}))
    print(pformat([1, 2, 3]), pformat("text"))
    matrix = [[i * j for j in range(12)] for i in range(5)]
    pprint.pprint(matrix, width=60)
    pprint.pprint(config, depth=1)
    print(depth(config))
    pp = pprint.PrettyPrinter(indent=4)
    pp.pprint({"key": ["v" * 30, "w" * 30, "x" * 30]})


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
