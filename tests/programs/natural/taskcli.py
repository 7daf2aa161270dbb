"""tasks - a tiny to-do manager storing JSON on disk."""
import argparse
import json
import os
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional


class Priority(str, Enum):
    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"

    @property
    def rank(self) -> int:
        return list(Priority).index(self)


@dataclass
class Task:
    id: int
    title: str
    priority: Priority = Priority.NORMAL
    tags: List[str] = field(default_factory=list)
    due: Optional[date] = None
    done: bool = False

    def to_json(self) -> Dict[str, Any]:
        data = asdict(self)
        data["priority"] = self.priority.value
        data["due"] = self.due.isoformat() if self.due else None
        return data

    @classmethod
    def from_json(cls, data: Dict[str, Any]) -> "Task":
        data = dict(data)
        data["priority"] = Priority(data["priority"])
        if data["due"]:
            data["due"] = date.fromisoformat(data["due"])
        return cls(**data)


class Store:
    def __init__(self, path: Path):
        self.path = path
        self.tasks: List[Task] = []
        if path.exists():
            raw = json.loads(path.read_text())
            self.tasks = [Task.from_json(item) for item in raw["tasks"]]

    def save(self) -> None:
        payload = {"version": 1, "tasks": [t.to_json() for t in self.tasks]}
        self.path.write_text(json.dumps(payload, indent=2, sort_keys=True))

    def next_id(self) -> int:
        return max((t.id for t in self.tasks), default=0) + 1

    def find(self, id: int) -> Task:
        for t in self.tasks:
            if t.id == id:
                return t
        raise LookupError(f"no task {id}")


@contextmanager
def open_store(path):
    store = Store(Path(path))
    try:
        yield store
    finally:
        store.save()


def cmd_add(store: Store, args: argparse.Namespace) -> None:
    task = Task(store.next_id(), " ".join(args.title), Priority(args.priority), args.tag or [],
                date.fromisoformat(args.due) if args.due else None)
    store.tasks.append(task)
    print(f"added #{task.id}: {task.title}")


def cmd_list(store: Store, args: argparse.Namespace) -> None:
    tasks = sorted(store.tasks, key=lambda t: (t.done, -t.priority.rank, t.due or date.max))
    for t in tasks:
        if t.done and not args.all:
            continue
        mark = "x" if t.done else " "
        extra = "".join(f" +{tag}" for tag in t.tags)
        due = f" (due {t.due:%d %b})" if t.due else ""
        print(f"[{mark}] {t.id:>3} {t.priority.value.upper():<6} {t.title}{due}{extra}")


def cmd_done(store: Store, args: argparse.Namespace) -> None:
    for id in args.ids:
        store.find(id).done = True
        print("done:", id)


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tasks", description=__doc__)
    parser.add_argument("--file", default="tasks.json", help="where the tasks live")
    sub = parser.add_subparsers(dest="command", required=True)
    add = sub.add_parser("add", help="add a task")
    add.add_argument("title", nargs="+")
    add.add_argument("-p", "--priority", choices=[p.value for p in Priority], default="normal")
    add.add_argument("-t", "--tag", action="append")
    add.add_argument("--due")
    add.set_defaults(func=cmd_add)
    ls = sub.add_parser("list", help="show tasks")
    ls.add_argument("-a", "--all", action="store_true")
    ls.set_defaults(func=cmd_list)
    done = sub.add_parser("done", help="finish tasks")
    done.add_argument("ids", nargs="+", type=int)
    done.set_defaults(func=cmd_done)
    return parser


def main(argv=None) -> int:
    args = build_parser().parse_args(argv)
    with open_store(args.file) as store:
        try:
            args.func(store, args)
        except LookupError as e:
            print("error:", e.args[0])
            return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main())
    with tempfile.TemporaryDirectory() as tmp:
        db = os.path.join(tmp, "t.json")
        for line in ["add Buy milk -t home", "add Ship release -p high --due 2024-05-01 -t work -t urgent",
                     "add Sleep -p low", "list", "done 1", "done 9", "list --all"]:
            print("$", line)
            print("->", main(["--file", db] + line.split()))
        print(Path(db).read_text())
