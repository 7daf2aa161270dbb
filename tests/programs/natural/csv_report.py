"""Sales report from CSV data."""
import csv
import io
import statistics
from collections import defaultdict
from operator import itemgetter

DATA = """date,region,product,units,price
2024-01-03,North,Widget,10,2.50
2024-01-03,South,Gadget,3,19.99
2024-01-07,North,Gizmo,7,7.25
2024-01-15,East,"Widget, large",4,4.75
2024-02-01,South,Widget,25,2.40
2024-02-11,East,Gadget,2,21.00
2024-02-14,West,Gizmo,,7.00
2024-02-20,North,Gadget,1,20.50
2024-03-02,West,Widget,40,2.25
2024-03-09,East,Gizmo,11,7.10
"""


def read_rows(text):
    reader = csv.DictReader(io.StringIO(text))
    for lineno, row in enumerate(reader, start=2):
        try:
            row["units"] = int(row["units"])
            row["price"] = float(row["price"])
        except ValueError as e:
            print(f"line {lineno}: skipped ({e})")
            continue
        row["total"] = row["units"] * row["price"]
        yield row


def group_by(rows, key):
    groups = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)


def summarize(rows):
    totals = [r["total"] for r in rows]
    return {
        "count": len(rows),
        "sum": round(sum(totals), 2),
        "mean": round(statistics.mean(totals), 2),
        "median": round(statistics.median(totals), 2),
        "max": max(totals),
    }


def print_table(headers, rows):
    widths = [max(len(str(x)) for x in col) for col in zip(headers, *rows)]
    def fmt(cells):
        return " | ".join(
            str(c).rjust(w) if isinstance(c, (int, float)) else str(c).ljust(w)
            for c, w in zip(cells, widths)
        )
    print(fmt(headers))
    print("-+-".join("-" * w for w in widths))
    for row in rows:
        print(fmt(row))


def main():
    rows = list(read_rows(DATA))
    print(len(rows), "rows")
    by_region = group_by(rows, itemgetter("region"))
    table = []
    for region, items in sorted(by_region.items()):
        s = summarize(items)
        table.append([region, s["count"], s["sum"], s["mean"], s["median"]])
    print_table(["region", "n", "sum", "mean", "median"], table)
    print()
    by_month = group_by(rows, lambda r: r["date"][:7])
    for month in sorted(by_month):
        best = max(by_month[month], key=itemgetter("total"))
        print(f"{month}: best sale {best['product']} in {best['region']} at {best['total']:.2f}")
    totals = [r["total"] for r in rows]
    print(f"stdev {statistics.stdev(totals):.3f}, range {min(totals):.2f}..{max(totals):.2f}")
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["product", "units"])
    units = defaultdict(int)
    for r in rows:
        units[r["product"]] += r["units"]
    writer.writerows(sorted(units.items(), key=itemgetter(1), reverse=True))
    print(out.getvalue().replace("\r\n", "\n"), end="")


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
