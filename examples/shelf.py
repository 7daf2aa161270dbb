"""SQLite from C: a table of books in memory, filled from standard input and queried.

    printf 'Middlemarch;1871\\nEmma;1815\\n' | rpython run examples/shelf.py "year < 1850"

The argument is a condition for SQL's WHERE.  No header of SQLite is needed.
"""

import sys

import rpython

sqlite = rpython.cdef(
    """
    typedef struct sqlite3 sqlite3;
    typedef struct sqlite3_stmt sqlite3_stmt;
    int sqlite3_open(const char *filename, sqlite3 **db);
    int sqlite3_close(sqlite3 *db);
    const char *sqlite3_errmsg(sqlite3 *db);
    int sqlite3_exec(sqlite3 *db, const char *sql, int (*callback)(void *, int, char **, char **),
                     void *arg, char **errmsg);
    void sqlite3_free(void *p);
    int sqlite3_prepare_v2(sqlite3 *db, const char *sql, int n, sqlite3_stmt **stmt,
                           const char **tail);
    int sqlite3_bind_text(sqlite3_stmt *stmt, int i, const char *text, int n, void *destructor);
    int sqlite3_bind_int64(sqlite3_stmt *stmt, int i, long long value);
    int sqlite3_step(sqlite3_stmt *stmt);
    int sqlite3_reset(sqlite3_stmt *stmt);
    int sqlite3_finalize(sqlite3_stmt *stmt);
    int sqlite3_column_count(sqlite3_stmt *stmt);
    const char *sqlite3_column_name(sqlite3_stmt *stmt, int i);
    const unsigned char *sqlite3_column_text(sqlite3_stmt *stmt, int i);
    long long sqlite3_column_int64(sqlite3_stmt *stmt, int i);
    #define SQLITE_OK 0
    #define SQLITE_ROW 100
    #define SQLITE_DONE 101
    """,
    libraries=["sqlite3"],
)


class DatabaseError(Exception):
    pass


class Headings:
    """What the callback below is told."""

    def __init__(self) -> None:
        self.rows: list[str] = []


headings = Headings()


@sqlite.callback("int(void *, int, char **, char **)")
def note_row(arg, count, values, names):
    parts = []
    for i in range(count):
        parts.append(f"{text_at(names[i])}={text_at(values[i])}")
    headings.rows.append(", ".join(parts))
    return 0


def text_at(p) -> str:
    return sqlite.string(p).decode() if p else "NULL"


class Database:
    def __init__(self, name: bytes) -> None:
        with sqlite.new("sqlite3 **") as out:
            status = sqlite.sqlite3_open(name, out)
            self.handle = out[0]
        self.check(status)

    def check(self, status: int) -> None:
        if status != sqlite.SQLITE_OK:
            raise DatabaseError(text_at(sqlite.sqlite3_errmsg(self.handle)))

    def execute(self, sql: bytes) -> list[str]:
        """Execute statements; a line of text for each row of the result."""
        headings.rows = []
        with sqlite.new("char **") as error:
            status = sqlite.sqlite3_exec(self.handle, sql, note_row, sqlite.NULL, error)
            if status != sqlite.SQLITE_OK:
                message = text_at(error[0])
                sqlite.sqlite3_free(error[0])
                raise DatabaseError(message)
        return headings.rows

    def prepare(self, sql: bytes) -> "Statement":
        with sqlite.new("sqlite3_stmt **") as out:
            self.check(sqlite.sqlite3_prepare_v2(self.handle, sql, -1, out, sqlite.NULL))
            return Statement(self, out[0])

    def close(self) -> None:
        self.check(sqlite.sqlite3_close(self.handle))


class Statement:
    def __init__(self, database: Database, handle) -> None:
        self.database = database
        self.handle = handle

    def bind_text(self, index: int, text: str) -> None:
        data = text.encode()
        # -1 for a destructor: SQLite makes its own copy
        copy = sqlite.cast("void *", -1)
        status = sqlite.sqlite3_bind_text(self.handle, index, data, len(data), copy)
        self.database.check(status)

    def bind_int(self, index: int, value: int) -> None:
        self.database.check(sqlite.sqlite3_bind_int64(self.handle, index, value))

    def step(self) -> bool:
        """Is there another row?"""
        status = sqlite.sqlite3_step(self.handle)
        if status != sqlite.SQLITE_ROW and status != sqlite.SQLITE_DONE:
            self.database.check(status)
        return status == sqlite.SQLITE_ROW

    def text(self, column: int) -> str:
        p = sqlite.sqlite3_column_text(self.handle, column)
        return sqlite.string(p).decode() if p else "NULL"

    def int(self, column: int) -> int:
        return sqlite.sqlite3_column_int64(self.handle, column)

    def reset(self) -> None:
        sqlite.sqlite3_reset(self.handle)

    def finish(self) -> None:
        sqlite.sqlite3_finalize(self.handle)


def shelve(books: list[tuple[str, int]], condition: str) -> list[str]:
    """The lines of the report.  Raises DatabaseError."""
    database = Database(b":memory:")
    try:
        database.execute(b"CREATE TABLE book (title TEXT NOT NULL UNIQUE, year INTEGER)")
        insert = database.prepare(b"INSERT INTO book VALUES (?, ?)")
        try:
            for title, year in books:
                insert.bind_text(1, title)
                insert.bind_int(2, year)
                insert.step()
                insert.reset()
        finally:
            insert.finish()
        lines = []
        where = condition.encode()
        query = database.prepare(b"SELECT title, year FROM book WHERE " + where + b" ORDER BY year")
        try:
            while query.step():
                lines.append(f"{query.text(0)} ({query.int(1)})")
        finally:
            query.finish()
        return lines + database.execute(b"SELECT count(*) AS books, min(year) AS first FROM book")
    finally:
        database.close()


def read_books(text: str) -> list[tuple[str, int]]:
    books = []
    for line in text.splitlines():
        title, _, year = line.partition(";")
        books.append((title, int(year)))
    return books


def report(text: str, condition: str) -> list[str]:
    try:
        return shelve(read_books(text), condition)
    except DatabaseError as error:
        return [f"shelf: {error}"]


def entry_point(argv: list[str]) -> int:
    lines = report(sys.stdin.buffer.read().decode(), argv[1] if len(argv) > 1 else "1")
    for line in lines:
        print(line)
    return 1 if lines[0].startswith("shelf: ") else 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
