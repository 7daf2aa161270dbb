"""A small inventory with logging."""
import logging
import sys

logging.basicConfig(level=logging.INFO, stream=sys.stdout,
                    format="%(levelname)-8s %(name)s: %(message)s")
log = logging.getLogger("inventory")


class Inventory:
    def __init__(self):
        self.items = {}

    def add(self, name, count):
        if count <= 0:
            log.warning("ignoring %s: count %d is not positive", name, count)
            return
        self.items[name] = self.items.get(name, 0) + count
        log.info("added %d of %s", count, name)

    def remove(self, name, count):
        have = self.items.get(name, 0)
        log.debug("have %d of %s", have, name)
        if have < count:
            raise ValueError(f"only {have} of {name}")
        self.items[name] = have - count


def main():
    inventory = Inventory()
    inventory.add("apple", 3)
    inventory.add("pear", -1)
    try:
        inventory.remove("apple", 5)
    except ValueError as e:
        log.error("cannot remove: %s", e)
    log.setLevel(logging.DEBUG)
    inventory.remove("apple", 1)
    log.debug("left: %r", inventory.items)
    if log.isEnabledFor(logging.DEBUG):
        print("debug is on", logging.getLevelName(logging.ERROR))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
