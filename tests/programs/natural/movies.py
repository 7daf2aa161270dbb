"""A small query engine over movie records, with lazy chaining."""
import itertools
import json
import operator
from collections import ChainMap, Counter, defaultdict
from functools import partial, reduce

MOVIES = json.loads("""[
 {"title": "Alien", "year": 1979, "rating": 8.5, "genres": ["horror", "sf"], "director": {"name": "Ridley Scott", "born": 1937}},
 {"title": "Blade Runner", "year": 1982, "rating": 8.1, "genres": ["sf"], "director": {"name": "Ridley Scott", "born": 1937}},
 {"title": "Heat", "year": 1995, "rating": 8.3, "genres": ["crime"], "director": {"name": "Michael Mann", "born": 1943}},
 {"title": "Fargo", "year": 1996, "rating": 8, "genres": ["crime", "comedy"], "director": null},
 {"title": "Clue", "year": 1985, "rating": 7, "genres": ["comedy", "crime"], "director": {"name": "Jonathan Lynn", "born": 1943}}
]""")

OPS = {"gt": operator.gt, "lt": operator.lt, "ge": operator.ge, "ne": operator.ne, "in": lambda a, b: a in b,
       "has": lambda a, b: b in a}


class Query:
    def __init__(self, rows):
        self._rows = rows

    def filter(self, predicate=None, **conditions):
        rows = self._rows
        if predicate is not None:
            rows = filter(predicate, rows)
        for key, expected in conditions.items():
            field, _, op = key.partition("__")
            compare = OPS.get(op, operator.eq)
            rows = (r for r in list(rows) if compare(r[field], expected))
            rows = list(rows)
        return Query(rows)

    def order_by(self, *keys):
        rows = list(self._rows)
        for key in reversed(keys):
            name = key.lstrip("-")
            rows.sort(key=operator.itemgetter(name), reverse=key.startswith("-"))
        return Query(rows)

    def select(self, *names, **computed):
        def project(row):
            out = {n: row[n] for n in names}
            out.update((k, f(row)) for k, f in computed.items())
            return out
        return Query(map(project, self._rows))

    def group_by(self, key):
        getter = key if callable(key) else operator.itemgetter(key)
        groups = {}
        for row in self._rows:
            groups.setdefault(getter(row), []).append(row)
        return groups

    def limit(self, n):
        return Query(itertools.islice(self._rows, n))

    def __iter__(self):
        return iter(self._rows)

    def first(self, default=None):
        return next(iter(self), default)


def compose(*functions):
    return reduce(lambda f, g: lambda x: g(f(x)), functions)


def main():
    q = Query(MOVIES)
    for row in q.filter(year__gt=1980, rating__ge=8).order_by("-rating").select("title", "rating"):
        print(row)
    print([m["title"] for m in q.filter(genres__has="crime").order_by("year")])
    print([m["title"] for m in q.filter(lambda m: m["director"] is None)])
    for decade, rows in sorted(q.group_by(lambda m: m["year"] // 10 * 10).items()):
        print(f"{decade}s: {len(rows)} movies, mean {sum(r['rating'] for r in rows) / len(rows):.2f}")
    genres = Counter(itertools.chain.from_iterable(m["genres"] for m in MOVIES))
    print(genres.most_common(), genres["western"])
    by_director = defaultdict(list)
    for m in MOVIES:
        name = (m.get("director") or {}).get("name", "unknown")
        by_director[name].append(m["title"])
    print(json.dumps(by_director, sort_keys=True))
    rows = q.select("title", age=lambda m: 2024 - m["year"], short=lambda m: m["title"][:3].upper()).limit(2)
    print(list(rows))
    print(q.filter(title="Nope").first("nothing found"))
    settings = ChainMap({"limit": 3}, {"limit": 10, "sort": "year"})
    print(settings["limit"], settings["sort"], sorted(settings))
    shout = compose(str.strip, str.upper, partial(operator.add, ">> "), lambda s: s + "!")
    print(shout("  hello "))
    pairs = itertools.combinations([m["title"] for m in MOVIES], 2)
    print(sum(1 for a, b in pairs if a[0] < b[0]))
    print(list(itertools.accumulate([m["year"] - 1900 for m in MOVIES], max)))
    print(json.dumps(MOVIES[3], indent=2))


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
