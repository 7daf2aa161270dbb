"""toml==0.10.2: a file of settings."""

import toml


def main():
    text = 'title = "x"\n[owner]\nname = "Tom"\nages = [1, 2]\n'
    text += '[servers.alpha]\nip = "10.0.0.1"\nok = true\n'
    print(toml.loads(text))
    print(toml.dumps({"a": 1, "b": {"c": [1, 2], "d": "x"}}))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
