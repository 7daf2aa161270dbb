"""A text adventure driven by a script of commands."""
import random
import textwrap
from collections import OrderedDict
from enum import Enum, auto


class Direction(Enum):
    NORTH = auto()
    EAST = auto()
    SOUTH = auto()
    WEST = auto()

    def opposite(self):
        members = list(Direction)
        return members[(members.index(self) + 2) % 4]

    @classmethod
    def parse(cls, word):
        for d in cls:
            if d.name.lower().startswith(word.lower()):
                return d
        raise KeyError(word)


class Item:
    def __init__(self, name, weight=1, **props):
        self.name = name
        self.weight = weight
        self.props = props

    def __repr__(self):
        return f"<Item {self.name}>"

    def __getattr__(self, key):
        try:
            return self.props[key]
        except KeyError:
            raise AttributeError(f"{self.name} has no {key}") from None


class Room:
    def __init__(self, name, description):
        self.name = name
        self.description = textwrap.dedent(description).strip()
        self.exits = {}
        self.items = OrderedDict()

    def connect(self, direction, other, locked=False):
        self.exits[direction] = (other, locked)
        other.exits[direction.opposite()] = (self, locked)

    def describe(self):
        out = [self.name.upper(), textwrap.fill(self.description, width=50, initial_indent="  ", subsequent_indent="  ")]
        if self.items:
            out.append("You see: " + ", ".join(sorted(self.items)))
        out.append("Exits: " + ", ".join(d.name.lower() for d in sorted(self.exits, key=lambda d: d.value)))
        return "\n".join(out)


class Game:
    CAPACITY = 10

    def __init__(self, seed=1):
        self.rng = random.Random(seed)
        self.turns = 0
        self.bag = {}
        self.hp = 10
        hall = Room("Hall", """
            A long hall with a high ceiling. Dust dances in the light that falls
            through the broken windows.""")
        cellar = Room("Cellar", "Damp. Something scratches in the dark.")
        vault = Room("Vault", "Gold everywhere!")
        hall.connect(Direction.SOUTH, cellar)
        cellar.connect(Direction.EAST, vault, locked=True)
        for room, item in ((hall, Item("lamp", lit=False)), (cellar, Item("key", opens="vault")),
                           (hall, Item("anvil", 50)), (vault, Item("gold", 5, value=250.5))):
            room.items[item.name] = item
        self.room = hall
        self.won = False

    def do_look(self, *_):
        print(self.room.describe())

    def do_go(self, where):
        try:
            direction = Direction.parse(where)
            target, locked = self.room.exits[direction]
        except KeyError as e:
            print(f"You can't go {where}.")
            return
        if locked and "key" not in self.bag:
            print("It's locked.")
            return
        self.room = target
        if target.name == "Cellar" and not self.bag.get("lamp"):
            lost = self.rng.randint(1, 3)
            self.hp -= lost
            print(f"You stumble in the dark (-{lost} hp)")
        self.do_look()

    def do_take(self, name):
        item = self.room.items.get(name)
        if not item:
            print("No such thing here.")
        elif sum(i.weight for i in self.bag.values()) + item.weight > self.CAPACITY:
            print(f"The {name} is too heavy.")
        else:
            self.bag[name] = self.room.items.pop(name)
            print(f"Taken: {name}.")
            self.won = name == "gold"

    def do_inventory(self):
        print("You carry:", list(self.bag.values()) or "nothing")

    def do_examine(self, name):
        try:
            item = self.bag[name]
            print(f"{name}: weight {item.weight}", item.props)
            print("value", item.value)
        except KeyError:
            print("You don't have that.")
        except AttributeError as e:
            print("Hm:", e)

    def play(self, lines):
        for line in lines:
            if not line.strip():
                continue
            verb, *rest = line.split()
            handler = getattr(self, "do_" + verb, None)
            print("\n>", line)
            if handler is None:
                print(f"I don't know how to {verb!r}.")
                continue
            self.turns += 1
            try:
                handler(*rest)
            except TypeError:
                print(f"{verb} what?")
            if self.won:
                break
        print(f"\nAfter {self.turns} turns: {'victory' if self.won else 'nothing gained'}, {self.hp} hp")


SCRIPT = """
look
inventory
take anvil
dance
go
go south
take key
examine key
go e
go up
take gold
go north
"""

if __name__ == "__main__":
    Game(seed=42).play(SCRIPT.splitlines())
