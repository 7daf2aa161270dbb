"""A to-do list command line tool storing JSON in a file."""
import argparse
import json
import sys
import tempfile
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import List


@dataclass
class Task:
    id: int
    text: str
    priority: int = 2
    done: bool = False
    tags: List[str] = field(default_factory=list)

    def __str__(self):
        box = "[x]" if self.done else "[ ]"
        tags = "".join(f" #{t}" for t in self.tags)
        return f"{self.id:>2} {box} {'!' * self.priority:<3} {self.text}{tags}"


class Store:
    def __init__(self, path):
        self.path = Path(path)
        self.tasks = []
        if self.path.exists():
            with open(self.path, encoding="utf-8") as f:
                self.tasks = [Task(**d) for d in json.load(f)]

    def save(self):
        with open(self.path, "w", encoding="utf-8") as f:
            json.dump([asdict(t) for t in self.tasks], f)

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, tb):
        if exc_type is None:
            self.save()
        return False

    def find(self, id):
        for task in self.tasks:
            if task.id == id:
                return task
        raise LookupError(f"no task {id}")


def cmd_add(store, args):
    task = Task(max((t.id for t in store.tasks), default=0) + 1, " ".join(args.text), args.priority, tags=args.tag or [])
    store.tasks.append(task)
    print("added", task.id)


def cmd_done(store, args):
    for id in args.ids:
        store.find(id).done = True
    print("completed", *args.ids)


def cmd_list(store, args):
    tasks = sorted(store.tasks, key=lambda t: (t.done, -t.priority, t.id))
    if not args.all:
        tasks = [t for t in tasks if not t.done]
    if args.tag:
        tasks = [t for t in tasks if args.tag in t.tags]
    for t in tasks:
        print(t)
    if not tasks:
        print("nothing to do")


def cmd_stats(store, args):
    done = sum(t.done for t in store.tasks)
    print(f"{done}/{len(store.tasks)} done ({done / max(1, len(store.tasks)):.0%})")


def make_parser():
    parser = argparse.ArgumentParser(prog="todo")
    sub = parser.add_subparsers(dest="command", required=True)
    add = sub.add_parser("add", help="add a task")
    add.add_argument("text", nargs="+")
    add.add_argument("-p", "--priority", type=int, default=2, choices=range(1, 4))
    add.add_argument("-t", "--tag", action="append")
    add.set_defaults(func=cmd_add)
    done = sub.add_parser("done")
    done.add_argument("ids", nargs="+", type=int)
    done.set_defaults(func=cmd_done)
    lst = sub.add_parser("list")
    lst.add_argument("-a", "--all", action="store_true")
    lst.add_argument("-t", "--tag")
    lst.set_defaults(func=cmd_list)
    sub.add_parser("stats").set_defaults(func=cmd_stats)
    return parser


def run(path, *argv):
    print("$ todo", *argv)
    args = make_parser().parse_args(argv)
    try:
        with Store(path) as store:
            args.func(store, args)
    except LookupError as e:
        print("error:", e)
        return 1
    return 0


def main():
    with tempfile.TemporaryDirectory() as tmp:
        path = Path(tmp) / "todo.json"
        run(path, "list")
        run(path, "add", "buy", "milk", "-t", "home", "-t", "shop")
        run(path, "add", "write report", "--priority", "3", "--tag=work")
        run(path, "add", "sleep", "-p1")
        run(path, "list")
        run(path, "done", "1", "3")
        code = run(path, "done", "2", "7")
        print("exit code", code)
        run(path, "list", "--all")
        run(path, "list", "-t", "work")
        run(path, "stats")
        print(json.loads(path.read_text())[0])


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
