"""tomli==2.5.0: a configuration read from TOML."""

import tomli

TEXT = """
title = "TOML Example"
count = 3
ratio = 0.5
on = true
ports = [8000, 8001, 8002]

[owner]
name = "Tom"

[servers.alpha]
ip = "10.0.0.1"

[[products]]
name = "Hammer"
sku = 738594937
"""


def main():
    config = tomli.loads(TEXT)
    print(config)
    print(config["owner"]["name"], sum(config["ports"]), config["servers"]["alpha"]["ip"])
    try:
        tomli.loads("a = ")
    except tomli.TOMLDecodeError as error:
        print(error)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
