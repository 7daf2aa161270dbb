"""A scripted text adventure."""
from typing import Dict, Optional


class Thing:
    def __init__(self, name, description, portable=True):
        self.name = name
        self.description = description
        self.portable = portable

    def use(self, game):
        return f"You can't use the {self.name}."

    def __str__(self):
        article = "an" if self.name[0] in "aeiou" else "a"
        return f"{article} {self.name}"


class Lamp(Thing):
    def __init__(self):
        super().__init__("lamp", "A brass lamp.")
        self.lit = False

    def use(self, game):
        self.lit = not self.lit
        return f"The lamp is now {'on' if self.lit else 'off'}."


class Key(Thing):
    def __init__(self, opens):
        super().__init__("key", f"A key labelled '{opens}'.")
        self.opens = opens

    def use(self, game):
        for direction, room in game.here.exits.items():
            if room.name == self.opens and room.locked:
                room.locked = False
                return f"You unlock the way {direction}."
        return "Nothing to unlock here."


class Room:
    def __init__(self, name, dark=False, locked=False):
        self.name = name
        self.exits: Dict[str, "Room"] = {}
        self.things = []
        self.dark = dark
        self.locked = locked

    def connect(self, direction, other):
        opposite = {"north": "south", "south": "north", "east": "west", "west": "east", "up": "down", "down": "up"}
        self.exits[direction] = other
        other.exits[opposite[direction]] = self


class Game:
    def __init__(self, start):
        self.here = start
        self.inventory = []
        self.moves = 0
        self.won = False

    def find(self, name, *places) -> Optional[Thing]:
        for place in places:
            for thing in place:
                if thing.name == name:
                    return thing
        return None

    def visible(self):
        return not self.here.dark or any(isinstance(t, Lamp) and t.lit for t in self.inventory)

    def do(self, command):
        self.moves += 1
        verb, _, noun = command.partition(" ")
        handler = getattr(self, "cmd_" + verb, None)
        if handler is None:
            return f"I don't know how to {verb}."
        return handler(noun)

    def cmd_look(self, noun):
        if not self.visible():
            return "It is pitch dark."
        parts = [f"[{self.here.name}]"]
        if self.here.things:
            parts.append("You see " + ", ".join(str(t) for t in self.here.things) + ".")
        parts.append("Exits: " + ", ".join(sorted(self.here.exits)) + ".")
        return " ".join(parts)

    def cmd_go(self, direction):
        room = self.here.exits.get(direction)
        if not room:
            return "You can't go that way."
        if room.locked:
            return "The door is locked."
        self.here = room
        if room.name == "Treasury":
            self.won = True
        return self.cmd_look("")

    def cmd_take(self, noun):
        thing = self.find(noun, self.here.things) if self.visible() else None
        if thing is None:
            return f"There is no {noun} here."
        if not thing.portable:
            return f"The {noun} is too heavy."
        self.here.things.remove(thing)
        self.inventory.append(thing)
        return "Taken."

    def cmd_use(self, noun):
        thing = self.find(noun, self.inventory)
        return thing.use(self) if thing else f"You have no {noun}."

    def cmd_examine(self, noun):
        thing = self.find(noun, self.inventory, self.here.things)
        return thing.description if thing else "You see nothing special."

    def cmd_inventory(self, noun):
        return "You carry: " + (", ".join(map(str, self.inventory)) or "nothing") + "."


def build():
    hall = Room("Hall")
    cellar = Room("Cellar", dark=True)
    treasury = Room("Treasury", locked=True)
    hall.connect("down", cellar)
    cellar.connect("east", treasury)
    hall.things += [Lamp(), Thing("statue", "A stone lion.", portable=False), Thing("apple", "A green apple.")]
    cellar.things.append(Key("Treasury"))
    return Game(hall)


def main():
    game = build()
    script = """look; inventory; take statue; take lamp; take apple; use apple; go down; take key; use lamp;
    look; take key; examine key; go east; use key; inventory; dance; go east; go up"""
    for command in script.split(";"):
        command = command.strip()
        print(">", command)
        print(game.do(command))
        if game.won:
            print(f"*** You have won in {game.moves} moves ***")
            break


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
