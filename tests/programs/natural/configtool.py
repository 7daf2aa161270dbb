"""Layered configuration: defaults, ini file, environment, command line; with logging."""
import argparse
import configparser
import logging
import os
import shlex
import sys
from collections import ChainMap
from io import StringIO
from types import MappingProxyType
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, TypedDict, Union

logger = logging.getLogger("configtool")

DEFAULTS: Mapping[str, Union[str, int, bool, None]] = MappingProxyType({
    "host": "localhost", "port": 8080, "debug": False, "timeout": 2.5, "name": None,
})

INI = """
[server]
host = example.org
port = 9000
; comment
[paths]
root = /srv
logs = %(root)s/logs

[server:test]
debug = yes
"""


class Setting(NamedTuple):
    key: str
    value: Any
    source: str = "default"

    def __str__(self):
        return f"{self.key} = {self.value!r} ({self.source})"


class ServerConfig(TypedDict, total=False):
    host: str
    port: int
    debug: bool


class ConfigError(Exception):
    pass


def convert(key: str, text: str) -> Any:
    default = DEFAULTS[key]
    if isinstance(default, bool):
        lowered = text.lower()
        if lowered in ("1", "yes", "true", "on"):
            return True
        if lowered in ("0", "no", "false", "off"):
            return False
        raise ConfigError(f"{key}: not a boolean: {text}")
    if isinstance(default, int):
        try:
            return int(text)
        except ValueError as e:
            raise ConfigError(f"{key}: {e}") from e
    if isinstance(default, float):
        return float(text)
    return text


def from_ini(text: str, *sections: str) -> Dict[str, Any]:
    parser = configparser.ConfigParser()
    parser.read_string(text)
    logger.debug("sections: %s", parser.sections())
    result = {}
    for section in sections:
        if not parser.has_section(section):
            logger.warning("no section %r", section)
            continue
        for key, value in parser[section].items():
            if key in DEFAULTS:
                result[key] = convert(key, value)
            else:
                logger.info("ignored %s", key)
    result["logs"] = parser.get("paths", "logs", fallback="?")
    return result


def from_environment(env: Mapping[str, str], prefix: str = "APP_") -> Dict[str, Any]:
    return {k[len(prefix):].lower(): convert(k[len(prefix):].lower(), v) for k, v in env.items()
            if k.startswith(prefix) and k[len(prefix):].lower() in DEFAULTS}


def from_args(argv: List[str]) -> Dict[str, Any]:
    p = argparse.ArgumentParser(prog="configtool", add_help=False, exit_on_error=False)
    p.add_argument("--host")
    p.add_argument("--port", type=int)
    p.add_argument("--debug", action=argparse.BooleanOptionalAction, default=None)
    p.add_argument("-s", "--set", action="append", metavar="KEY=VALUE", default=[])
    ns = p.parse_args(argv)
    found = {k: v for k, v in vars(ns).items() if v is not None and k != "set"}
    for item in ns.set:
        key, eq, value = item.partition("=")
        if not eq:
            raise ConfigError(f"--set needs KEY=VALUE: {item}")
        found[key] = convert(key, value)
    return found


def resolve(argv: List[str], env: Mapping[str, str], section: str = "server") -> List[Setting]:
    layers = {"arguments": from_args(argv), "environment": from_environment(env), "ini": from_ini(INI, "server", section)}
    merged = ChainMap(*layers.values(), dict(DEFAULTS))
    settings = []
    for key in sorted(merged):
        source = next((name for name, layer in layers.items() if key in layer), "default")
        settings.append(Setting(key, merged[key], source))
    return settings


def main() -> int:
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname)-7s %(name)s: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    runs = ["--port 1 --debug", "-s timeout=0.5 --host 'my host'", "-s port=x", "--no-debug -s name=bob -s bad"]
    for line in runs:
        try:
            for s in resolve(shlex.split(line), {"APP_HOST": "env.host", "APP_DEBUG": "on", "HOME": "/"}, "server:test"):
                print(" ", s)
        except ConfigError as e:
            cause = e.__cause__
            print("config error:", e, f"[{type(cause).__name__}]" if cause else "")
        print("--")
    resolve([], {}, "nowhere")
    print(stream.getvalue(), end="")
    cfg: ServerConfig = {"host": "h", "port": 3}
    cfg["debug"] = True
    print(cfg, Setting("a", 1)._asdict(), Setting._fields, DEFAULTS["port"])
    try:
        DEFAULTS["port"] = 3
    except TypeError as e:
        print(e)
    return 0


if __name__ == "__main__":
    sys.exit(main())
