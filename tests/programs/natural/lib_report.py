"""Read a small CSV, time it, and write a report in several formats."""
import csv
import datetime
import io
import json
import logging
import os
import pprint
import textwrap
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal

DATA = """date,item,price
2024-01-03,tea,3.50
2024-01-05,cake,4.25
2024-02-01,tea,3.75
"""
log = logging.getLogger("report")


@dataclass
class Sale:
    day: datetime.date
    item: str
    price: Decimal


def load(stream):
    for row in csv.DictReader(stream):
        yield Sale(datetime.date.fromisoformat(row["date"]), row["item"], Decimal(row["price"]))


def main():
    logging.basicConfig(level=os.environ.get("LEVEL", "WARNING"))
    totals = defaultdict(Decimal)
    for sale in load(io.StringIO(DATA)):
        log.debug("sale %s", sale)
        totals[sale.day.strftime("%Y-%m")] += sale.price
    for month, total in sorted(totals.items()):
        print(f"{month}: {total:8.2f}")
    print(json.dumps({k: str(v) for k, v in totals.items()}))
    pprint.pprint(dict(totals))
    print(textwrap.fill("Sales are counted by month, and each month is on a line of its own.", 40))
    log.info("done")


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
