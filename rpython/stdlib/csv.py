"""``csv``: readers and writers, whose machine is C's, and those of dicts, whose rows have fields of
one kind here: a row with more fields than names needs a ``restkey``."""

from __future__ import annotations

import contextlib
import csv
import io
from typing import Any

from rpython.stdlib._registry import per_arguments, per_site, replaces

_OF_DIALECT = "of the dialect"
_LIMIT = 131072


def _quotes_lines() -> bool:
    """Does the host quote the end of a line where it is not that of the dialect?"""
    out = io.StringIO()
    csv.writer(out, lineterminator="!").writerow(["a\n"])
    return out.getvalue().startswith('"')


_LINE_ENDS = "\r\n" if _quotes_lines() else ""


class Dialect:
    """What a reader or a writer goes by; None where there is no such character."""

    @per_arguments
    def __init__(
        self, dialect: Any, *, delimiter: str = _OF_DIALECT, doublequote: int = -1,
        escapechar: str | None = _OF_DIALECT, lineterminator: str = _OF_DIALECT,
        quotechar: str | None = _OF_DIALECT, quoting: int = -1, skipinitialspace: int = -1,
        strict: int = -1,
    ) -> None:  # fmt: skip
        self.delimiter = ","
        self.doublequote = True
        self.escapechar: str | None = None
        self.lineterminator = "\r\n"
        self.quotechar: str | None = '"'
        self.quoting = csv.QUOTE_MINIMAL
        self.skipinitialspace = False
        self.strict = False
        if hasattr(dialect, "delimiter"):
            self.delimiter = dialect.delimiter
            self.doublequote = dialect.doublequote
            self.escapechar = dialect.escapechar
            self.lineterminator = dialect.lineterminator
            self.quotechar = dialect.quotechar
            self.quoting = dialect.quoting
            self.skipinitialspace = dialect.skipinitialspace
        elif dialect == "excel-tab":
            self.delimiter = "\t"
        elif dialect == "unix":
            self.lineterminator, self.quoting = "\n", csv.QUOTE_ALL
        elif dialect is not None and dialect != "excel":
            raise csv.Error("unknown dialect")
        if delimiter != _OF_DIALECT:
            self.delimiter = delimiter
        if doublequote >= 0:
            self.doublequote = bool(doublequote)
        if escapechar != _OF_DIALECT:
            self.escapechar = escapechar
        if lineterminator != _OF_DIALECT:
            self.lineterminator = lineterminator
        if quotechar != _OF_DIALECT:
            self.quotechar = quotechar
            if quotechar is None and dialect is None:
                self.quoting = csv.QUOTE_NONE
        if quoting >= 0:
            self.quoting = quoting
        if skipinitialspace >= 0:
            self.skipinitialspace = bool(skipinitialspace)
        if strict >= 0:
            self.strict = bool(strict)
        self._check()

    def _check(self) -> None:
        """Raises TypeError."""
        if not csv.QUOTE_MINIMAL <= self.quoting <= csv.QUOTE_NONE:
            raise TypeError('bad "quoting" value')
        if len(self.delimiter) != 1:
            raise TypeError('"delimiter" must be a 1-character string')
        if self.escapechar is not None and len(self.escapechar) != 1:
            raise TypeError('"escapechar" must be a 1-character string')
        if self.quotechar is not None and len(self.quotechar) != 1:
            raise TypeError('"quotechar" must be a 1-character string')
        if self.quotechar is None and self.quoting != csv.QUOTE_NONE:
            raise TypeError("quotechar must be set if quoting enabled")


# -- reading -------------------------------------------------------------------------------------

(
    _START_RECORD, _START_FIELD, _ESCAPED, _AFTER_ESCAPED_LINE, _IN_FIELD, _IN_QUOTES,
    _ESCAPED_IN_QUOTES, _QUOTE_IN_QUOTES, _BEHIND_LINE,
) = range(9)  # fmt: skip


class _Parser:
    """The fields of a record so far; the machine of ``Modules/_csv.c``."""

    def __init__(self, dialect: Dialect) -> None:
        if dialect.quoting == csv.QUOTE_NONNUMERIC:
            raise NotImplementedError("a csv.reader with QUOTE_NONNUMERIC")
        self.dialect = dialect
        self.quotechar = None if dialect.quoting == csv.QUOTE_NONE else dialect.quotechar
        self.fields: list[str] = []
        self.field: list[str] = []
        self.state = _START_RECORD

    def save(self) -> None:
        self.fields.append("".join(self.field))
        self.field = []

    def add(self, c: str) -> None:
        if len(self.field) >= _LIMIT:
            raise csv.Error(f"field larger than field limit ({_LIMIT})")
        self.field.append(c)

    def end_field(self, c: str) -> bool:
        """Does the character end the field?  Then save it."""
        if c == "" or c in "\r\n":
            self.save()
            self.state = _START_RECORD if c == "" else _BEHIND_LINE
        elif c == self.dialect.delimiter:
            self.save()
            self.state = _START_FIELD
        else:
            return False
        return True

    def take(self, c: str) -> None:
        """The next character; an empty one at the end of a line."""
        dialect, state = self.dialect, self.state
        if state == _START_RECORD:
            if c == "":
                return
            if c in "\r\n":
                self.state = _BEHIND_LINE
                return
            state = _START_FIELD
        elif state == _AFTER_ESCAPED_LINE:
            if c == "":
                return
            state = _IN_FIELD
        if state == _START_FIELD:
            if c != "" and c not in "\r\n":
                self.state = _START_FIELD
                if c == self.quotechar:
                    self.state = _IN_QUOTES
                    return
                if c == dialect.escapechar:
                    self.state = _ESCAPED
                    return
                if c == " " and dialect.skipinitialspace:
                    return
            if not self.end_field(c):
                self.add(c)
                self.state = _IN_FIELD
        elif state == _IN_FIELD:
            if c != "" and c not in "\r\n" and c == dialect.escapechar:
                self.state = _ESCAPED
            elif not self.end_field(c):
                self.add(c)  # behind the escaped end of a line, still in that state
        elif state == _ESCAPED:
            self.add(c or "\n")
            self.state = _AFTER_ESCAPED_LINE if c != "" and c in "\r\n" else _IN_FIELD
        elif state == _IN_QUOTES:
            if c == "":
                return
            if c == dialect.escapechar:
                self.state = _ESCAPED_IN_QUOTES
            elif c == self.quotechar:
                self.state = _QUOTE_IN_QUOTES if dialect.doublequote else _IN_FIELD
            else:
                self.add(c)
        elif state == _ESCAPED_IN_QUOTES:
            self.add(c or "\n")
            self.state = _IN_QUOTES
        elif state == _QUOTE_IN_QUOTES:
            if c == self.quotechar:
                self.add(c)
                self.state = _IN_QUOTES
            elif not self.end_field(c):
                if dialect.strict:
                    raise csv.Error(f"'{dialect.delimiter}' expected after '{dialect.quotechar}'")
                self.add(c)
                self.state = _IN_FIELD
        elif c == "":
            self.state = _START_RECORD
        elif c not in "\r\n":
            raise csv.Error(
                "new-line character seen in unquoted field - do you need to open the file in "
                "universal-newline mode?"
            )


@replaces(csv.reader)
@per_site()
class reader:
    """An iterator of rows."""

    @per_arguments
    def __init__(self, csvfile: Any, /, dialect: Any = None, **fmtparams: Any) -> None:
        self.dialect = Dialect(dialect, **fmtparams)
        self._lines = iter(csvfile)
        self.line_num = 0

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> list[str]:
        parser = _Parser(self.dialect)
        while True:
            try:
                line = next(self._lines)
            except StopIteration:
                if parser.field or parser.state == _IN_QUOTES:
                    if self.dialect.strict:
                        raise csv.Error("unexpected end of data") from None
                    parser.save()
                    return parser.fields
                raise
            self.line_num += 1
            for c in line:
                parser.take(c)
            parser.take("")
            if parser.state == _START_RECORD:
                return parser.fields


@replaces(csv.DictReader)
@per_site()
class DictReader:
    """An iterator of dicts."""

    @per_arguments
    def __init__(
        self, f: Any, fieldnames: Any = None, restkey: Any = None, restval: Any = None,
        dialect: Any = "excel", **kwds: Any,
    ) -> None:  # fmt: skip
        self._fieldnames: list[str] | None = None if fieldnames is None else list(fieldnames)
        self.restkey = restkey
        self.restval = restval
        self.reader = reader(f, dialect, **kwds)
        self.line_num = 0

    def __iter__(self) -> Any:
        return self

    @property
    def fieldnames(self) -> list[str] | None:
        if self._fieldnames is None:
            with contextlib.suppress(StopIteration):
                self._fieldnames = next(self.reader)
        self.line_num = self.reader.line_num
        return self._fieldnames

    def __next__(self) -> Any:
        names = self.fieldnames if self.line_num == 0 else self._fieldnames
        row = next(self.reader)
        self.line_num = self.reader.line_num
        while not row:
            row = next(self.reader)
        if names is None:
            names = self.fieldnames
        assert names is not None
        found: Any = dict(zip(names, row))
        if len(names) < len(row):
            _keep_rest(found, self.restkey, row[len(names) :])
        for name in names[len(row) :]:
            found[name] = self.restval
        return found


@per_arguments
def _keep_rest(found: Any, key: Any, rest: list[str]) -> None:
    if key is None:
        raise NotImplementedError("a row with more fields than names, without a restkey")
    found[key] = rest


# -- writing -------------------------------------------------------------------------------------


class _Record:
    """A line that is being written."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.special = dialect.lineterminator + _LINE_ENDS
        self.parts: list[str] = []
        self.count = 0

    @per_arguments
    def add_value(self, value: Any) -> None:
        quoting = self.dialect.quoting
        quoted = quoting == csv.QUOTE_ALL
        if quoting == csv.QUOTE_NONNUMERIC:
            quoted = not isinstance(value, int | float)
        self.add("" if value is None else value if isinstance(value, str) else str(value), quoted)

    def add(self, field: str, quoted: bool) -> None:
        dialect = self.dialect
        if self.count:
            self.parts.append(dialect.delimiter)
        self.count += 1
        pieces: list[str] = []
        for c in field:
            is_quote, is_escape = c == dialect.quotechar, c == dialect.escapechar
            if is_quote or is_escape or c == dialect.delimiter or c in self.special:
                if dialect.quoting == csv.QUOTE_NONE or (
                    not dialect.doublequote if is_quote else is_escape
                ):
                    pieces.append(self._escape())
                else:
                    quoted = True
                    if is_quote:
                        pieces.append(c)
            pieces.append(c)
        quote = dialect.quotechar if quoted else None
        if quote is not None:
            self.parts.append(quote)
        self.parts.append("".join(pieces))
        if quote is not None:
            self.parts.append(quote)

    def _escape(self) -> str:
        if self.dialect.escapechar is None:
            raise csv.Error("need to escape, but no escapechar set")
        return self.dialect.escapechar

    def line(self) -> str:
        if self.count == 1 and not any(self.parts):
            if self.dialect.quoting == csv.QUOTE_NONE:
                raise csv.Error("single empty field record must be quoted")
            self.count = 0
            self.add("", True)
        return "".join(self.parts) + self.dialect.lineterminator


@replaces(csv.writer)
@per_site()
class writer:
    """What writes rows."""

    @per_arguments
    def __init__(self, csvfile: Any, /, dialect: Any = None, **fmtparams: Any) -> None:
        self.dialect = Dialect(dialect, **fmtparams)
        self._file = csvfile

    @per_arguments
    def writerow(self, row: Any, /) -> Any:
        record = _Record(self.dialect)
        for value in row:
            record.add_value(value)
        return self._file.write(record.line())

    @per_arguments
    def writerows(self, rows: Any, /) -> None:
        for row in rows:
            self.writerow(row)


@replaces(csv.DictWriter)
@per_site()
class DictWriter:
    """What writes dicts."""

    @per_arguments
    def __init__(
        self, f: Any, fieldnames: Any, restval: Any = "", extrasaction: str = "raise",
        dialect: Any = "excel", **kwds: Any,
    ) -> None:  # fmt: skip
        self.fieldnames = list(fieldnames)
        self.restval = restval
        if extrasaction.lower() not in ("raise", "ignore"):
            raise ValueError(f"extrasaction ({extrasaction}) must be 'raise' or 'ignore'")
        self.extrasaction = extrasaction.lower()
        self.writer = writer(f, dialect, **kwds)

    def writeheader(self) -> Any:
        return self.writer.writerow(self.fieldnames)

    @per_arguments
    def writerow(self, rowdict: Any) -> Any:
        if self.extrasaction == "raise":
            wrong = [repr(key) for key in rowdict if key not in self.fieldnames]
            if wrong:
                raise ValueError("dict contains fields not in fieldnames: " + ", ".join(wrong))
        return self.writer.writerow([rowdict.get(name, self.restval) for name in self.fieldnames])

    @per_arguments
    def writerows(self, rowdicts: Any) -> None:
        for rowdict in rowdicts:
            self.writerow(rowdict)
