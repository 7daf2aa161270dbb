"""Commands with options of their own: ``commands.py COMMAND ...`` says what it was asked for."""

from __future__ import annotations

import argparse
import sys


def add(args: argparse.Namespace) -> int:
    print("add", args.text, args.priority, args.tag)
    return 0


def remove(args: argparse.Namespace) -> int:
    print("remove", args.ids, args.all, args.keep)
    return len(args.ids)


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="commands", description="Things to do.")
    parser.add_argument("--version", action="version", version="%(prog)s 1.0")
    parser.add_argument("-v", "--verbose", action="store_true")
    commands = parser.add_subparsers(dest="command", required=True, title="what to do")
    adding = commands.add_parser("add", help="add one")
    adding.add_argument("text", nargs="+")
    adding.add_argument("-p", "--priority", type=int, default=2, choices=range(1, 4))
    adding.add_argument("-t", "--tag", action="append")
    adding.set_defaults(func=add)
    removing = commands.add_parser("remove", help="remove some", aliases=["rm"])
    removing.add_argument("ids", nargs="*", type=int)
    group = removing.add_mutually_exclusive_group()
    group.add_argument("--all", action="store_true")
    group.add_argument("--keep", type=int)
    removing.set_defaults(func=remove)
    return parser


def entry_point(argv: list[str]) -> int:
    args = make_parser().parse_args(argv[1:])
    if args.verbose:
        print("command", args.command)
    status: int = args.func(args)
    if args.command == "add":
        print(args.ids)
    return status


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
