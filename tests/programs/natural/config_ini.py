"""Read, merge and write configuration: INI text, JSON overrides, defaults."""
import configparser
import json
import os
import tempfile
from pathlib import Path

DEFAULTS = {
    "server": {"host": "localhost", "port": 8080, "debug": False},
    "database": {"url": "sqlite:///:memory:", "pool": 5, "timeout": 2.5},
    "features": ["login", "search"],
}

INI = """
[server]
host = example.org
debug = yes

[database]
pool = 20
; timeout in seconds
timeout = 7.25

[paths]
root = /srv/app
logs = %(root)s/logs
"""

OVERRIDES = '{"server": {"port": 9000}, "features": ["login", "admin"], "extra": null}'


def deep_merge(base, other):
    result = dict(base)
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = deep_merge(result[key], value)
        else:
            result[key] = value
    return result


def load_ini(path):
    parser = configparser.ConfigParser()
    parser.read(path)
    out = {}
    for section in parser.sections():
        out[section] = {}
        for key in parser[section]:
            if section == "server" and key == "debug":
                out[section][key] = parser.getboolean(section, key)
            elif key in ("pool", "port"):
                out[section][key] = parser.getint(section, key)
            elif key == "timeout":
                out[section][key] = parser.getfloat(section, key)
            else:
                out[section][key] = parser.get(section, key)
    return out


def flatten(tree, prefix=""):
    for key, value in tree.items():
        name = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict):
            yield from flatten(value, name)
        else:
            yield name, value


class Config:
    def __init__(self, data):
        self._data = data

    def get(self, dotted, default=None):
        node = self._data
        for part in dotted.split("."):
            if not isinstance(node, dict) or part not in node:
                return default
            node = node[part]
        return node

    def __repr__(self):
        return f"Config({sorted(self._data)})"


def main():
    with tempfile.TemporaryDirectory() as tmp:
        folder = Path(tmp)
        ini_path = folder / "app.ini"
        ini_path.write_text(INI)
        json_path = folder / "override.json"
        json_path.write_text(OVERRIDES)
        merged = deep_merge(DEFAULTS, load_ini(ini_path))
        merged = deep_merge(merged, json.loads(json_path.read_text()))
        out = folder / "merged.json"
        with out.open("w") as f:
            json.dump(merged, f, indent=2, sort_keys=True)
        print(out.read_text())
        print("files:", sorted(p.name for p in folder.iterdir()))
        print("size ok:", os.path.getsize(out) > 100)
    for name, value in flatten(merged):
        print(f"{name:<20} {value!r:<25} {type(value).__name__}")
    config = Config(merged)
    print(config)
    print(config.get("server.port"), config.get("server.nope", "n/a"), config.get("features"))
    print(config.get("database.timeout") * 2)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
