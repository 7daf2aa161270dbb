import uuid

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "example.org")


class Record:
    def __init__(self, name):
        self.id = uuid.uuid5(NAMESPACE, name)
        self.name = name

    def __repr__(self):
        return f"Record({self.id}, {self.name!r})"


def main():
    records = {}
    for name in ["alice", "bob", "alice"]:
        record = Record(name)
        records[record.id] = record
    for key, record in sorted(records.items()):
        print(key, record)
    u = uuid.UUID("12345678-1234-5678-1234-567812345678")
    print(u, repr(u), u.hex, u.version, u.bytes[:4])
    print(u == uuid.UUID(hex="12345678123456781234567812345678"))
    random_id = uuid.uuid4()
    print(len(str(random_id)), random_id.version, random_id != uuid.uuid4())
    try:
        uuid.UUID("nonsense")
    except ValueError as e:
        print("error:", e)
    print(u.urn, u.fields[0])


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
