#!/usr/bin/env python3
# sales data munging: read, clean, join, aggregate, pivot, write
import csv, io, json, sys, re, os, tempfile, datetime as dt, math, statistics as st
from collections import defaultdict, Counter, OrderedDict
from pathlib import Path
from pprint import pprint
from textwrap import dedent, indent, shorten

SALES = dedent("""\
    date;region;product;qty;price
    2024-01-03;North;apple;10;0,50
    2024-01-03;South;pear;4;0.75
    2024-02-10;north ;apple;;0.55
    2024-02-11;East;kiwi;7;1.20
    bad row
    2024-02-30;West;apple;1;1
    2024-03-01;South;pear;12;0.80
    2024-03-05;East;kiwi;3;n/a
""")
PRODUCTS = '{"apple": {"category": "fruit", "organic": true}, "pear": {"category": "fruit", "organic": false}}'

rejects = []


def clean(row, n):
    if None in row.values() or len(row) != 5:
        raise ValueError("wrong number of columns")
    price = float(row["price"].replace(",", "."))
    qty = int(row["qty"] or 0)
    return {
        "date": dt.date.fromisoformat(row["date"]),
        "region": row["region"].strip().capitalize(),
        "product": row["product"],
        "qty": qty,
        "price": price,
        "total": round(qty * price, 2),
        "line": n,
    }


rows = []
reader = csv.DictReader(io.StringIO(SALES), delimiter=";")
for raw in reader:
    try:
        rows.append(clean(raw, reader.line_num))
    except ValueError as e:
        rejects.append((reader.line_num, str(e)))

products = json.loads(PRODUCTS)
for r in rows:
    r.update(products.get(r["product"], {"category": "unknown", "organic": None}))

print(len(rows), "rows,", len(rejects), "rejected")
for line, why in rejects:
    print(f"  line {line}: {why}")

groups = defaultdict(list)
for r in rows:
    groups[r["region"], r["date"].month].append(r)

pivot = OrderedDict()
for (region, month), members in sorted(groups.items()):
    pivot.setdefault(region, {})[month] = sum(m["total"] for m in members)

months = sorted({m for d in pivot.values() for m in d})
header = ["region"] + [dt.date(2024, m, 1).strftime("%b") for m in months] + ["total"]
print(("{:<8}" + "{:>9}" * (len(months) + 1)).format(*header))
for region, by_month in pivot.items():
    cells = [by_month.get(m) for m in months]
    print(f"{region:<8}" + "".join(f"{c:>9.2f}" if c is not None else f"{'-':>9}" for c in cells) + f"{sum(filter(None, cells)):>9.2f}")

totals = Counter()
for r in rows:
    totals[r["product"]] += r["qty"]
print(totals.most_common(2), totals["nothing"], sum(totals.values()))

prices = [r["price"] for r in rows]
print("price: mean %.3f, median %.2f, sd %.3f, max %g" % (st.mean(prices), st.median(prices), st.pstdev(prices), max(prices)))
quantiles = [round(q, 3) for q in st.quantiles(prices, n=4)]
print("quartiles", quantiles, math.isclose(math.fsum(prices), sum(prices)))

first, *_, last = sorted(rows, key=lambda r: r["date"])
print((last["date"] - first["date"]).days, "days", first["date"].isocalendar()[:2], f"{last['date']:%A %d.%m.%y}")

with tempfile.TemporaryDirectory() as tmp:
    path = Path(tmp) / "out" / "sales.json"
    path.parent.mkdir(parents=True)
    with path.open("w") as f:
        json.dump(rows, f, default=str, indent=1, sort_keys=True)
    again = json.loads(path.read_text())
    print(path.name, path.suffix, path.stat().st_size > 500, [p.name for p in Path(tmp).rglob("*.json")])
    print(again[0]["date"], type(again[0]["total"]).__name__, again == [json.loads(json.dumps(r, default=str)) for r in rows])
    os.rename(path, path.with_suffix(".bak"))
    print(os.listdir(path.parent))

pprint({k: dict(v) for k, v in pivot.items()}, width=40)
words = Counter(re.findall(r"[a-z]+", SALES.lower()))
print([w for w, n in words.items() if n > 2 and len(w) > 3])
print(indent(shorten("the quick brown fox jumps over the lazy dog", width=22, placeholder="..."), "> "))
by_cat = {c: [r["line"] for r in rows if r["category"] == c] for c in {r["category"] for r in rows}}
print(dict(sorted(by_cat.items())))
print(*(f"{k}={v}" for k, v in sorted(rows[0].items())), sep="; ")
