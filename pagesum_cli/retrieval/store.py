"""Passages and their words in SQLite: in memory, or in a file that only the user can read."""

import os
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import PagesumError
from ..text.words import words_of
from ..version import __version__
from .forms import form_of

SCHEMA = """
CREATE TABLE IF NOT EXISTS path (
    path TEXT PRIMARY KEY, changed INTEGER, size INTEGER, content TEXT
);
CREATE TABLE IF NOT EXISTS document (
    id INTEGER PRIMARY KEY, content TEXT, number INTEGER, data TEXT, UNIQUE (content, number)
);
CREATE TABLE IF NOT EXISTS passage (
    id INTEGER PRIMARY KEY, document INTEGER, length INTEGER, first INTEGER, form TEXT, data TEXT
);
CREATE INDEX IF NOT EXISTS passages ON passage (document);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
    body, heading, value, tokenize = 'porter unicode61'
);
CREATE VIRTUAL TABLE IF NOT EXISTS instance USING fts5vocab (words, instance);
CREATE TEMP TABLE asked (id INTEGER PRIMARY KEY, length INTEGER, first INTEGER, form TEXT);
"""
TABLES = ("path", "document", "passage", "words", "instance")
FORMAT = "11"  # of the tables; an index of another one, or of another version, is rebuilt
HEADING_WEIGHT = 0.4  # of a word of the headings above a passage, beside one of its own
BUSY = 30.0  # seconds for which an index waits for another process that writes to it


@dataclass(frozen=True)
class Entry:
    """A passage to be kept."""

    body: str  # its text with what is shown before it
    heading: str  # the headings above it
    data: str = ""  # what else is known of it
    values: str = ""  # its numbers and dates, each in one notation
    form: str = ""  # if it is not known by the body alone


class Store:
    """Passages by document, documents by the content that they were read from."""

    def __init__(self, path: Path | None = None) -> None:
        self._database = _opened(path)
        with self._database:
            self._database.execute("CREATE TABLE IF NOT EXISTS made (version TEXT)")
            made = [row[0] for row in self._database.execute("SELECT version FROM made")]
            if made != [_version()]:
                self._clear()
            self._database.executescript(SCHEMA)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _clear(self) -> None:
        """Remove the tables, which may have other columns in an older index."""
        for table in TABLES:
            self._database.execute(f"DROP TABLE IF EXISTS {table}")
        self._database.execute("DELETE FROM made")
        self._database.execute("INSERT INTO made VALUES (?)", [_version()])

    def has(self, content: str) -> bool:
        """Whether documents read from a content are kept."""
        query = "SELECT 1 FROM document WHERE content = ?"
        return self._database.execute(query, [content]).fetchone() is not None

    def add(self, content: str, documents: Iterable[tuple[str, Sequence[Entry]]]) -> None:
        """Keep the documents of a content, each with its data and passages."""
        with self._database:
            self._remove(content)
            for number, (data, entries) in enumerate(documents):
                cursor = self._database.execute(
                    "INSERT INTO document (content, number, data) VALUES (?, ?, ?)",
                    [content, number, data],
                )
                self._add_passages(cursor.lastrowid or 0, entries)

    def _add_passages(self, document: int, entries: Sequence[Entry]) -> None:
        query = "SELECT coalesce(max(id), 0) FROM passage"
        # numbers are left out between documents, so that neighbors are of one document
        first = self._database.execute(query).fetchone()[0] + 3
        numbered = list(enumerate(entries, first))
        rows = _rows(document, numbered)
        self._database.executemany("INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?)", rows)
        self._database.executemany(
            "INSERT INTO words (rowid, body, heading, value) VALUES (?, ?, ?, ?)",
            [(n, one.body, one.heading, one.values) for n, one in numbered],
        )

    def _remove(self, content: str) -> None:
        chosen = "SELECT id FROM document WHERE content = ?"
        passages = f"SELECT id FROM passage WHERE document IN ({chosen})"
        self._database.execute(f"DELETE FROM words WHERE rowid IN ({passages})", [content])
        self._database.execute(f"DELETE FROM passage WHERE document IN ({chosen})", [content])
        self._database.execute("DELETE FROM document WHERE content = ?", [content])

    def content_of(self, path: str, changed: int, size: int) -> str | None:
        """The content that a file had when it was last seen; None if it has changed since."""
        query = "SELECT content FROM path WHERE (path, changed, size) = (?, ?, ?)"
        row = self._database.execute(query, [path, changed, size]).fetchone()
        return row and row[0]

    def note(self, path: str, changed: int, size: int, content: str) -> None:
        """Note the content of a file."""
        with self._database:
            self._database.execute(
                "INSERT OR REPLACE INTO path VALUES (?, ?, ?, ?)", [path, changed, size, content]
            )

    def forget_missing(self) -> None:
        """Remove what no file has any more: of files that were removed, or have changed."""
        with self._database:
            paths = [row[0] for row in self._database.execute("SELECT path FROM path")]
            missing = [(path,) for path in paths if not os.path.exists(path)]
            self._database.executemany("DELETE FROM path WHERE path = ?", missing)
            query = "SELECT DISTINCT content FROM document WHERE content NOT IN "
            for (content,) in self._database.execute(f"{query}(SELECT content FROM path)"):
                self._remove(content)

    def ask(self, contents: Sequence[str]) -> list[int]:
        """Search the documents of some contents from now on; returns their passages in order."""
        execute = self._database.execute
        execute("DELETE FROM asked")
        for content in dict.fromkeys(contents):
            execute(
                "INSERT INTO asked SELECT passage.id, length, first, form FROM passage "
                "JOIN document ON document.id = passage.document WHERE document.content = ?",
                [content],
            )
        return [row[0] for row in execute("SELECT id FROM asked ORDER BY id")]

    def mean_length(self) -> float:
        """Words of a passage that is searched."""
        row = self._database.execute("SELECT avg(length) FROM asked").fetchone()
        return float(row[0] or 1.0)

    def occurrences(self, stem: str) -> dict[int, tuple[float, int]]:
        """The passages with a stem: how often, a heading's counted less; and their lengths."""
        rows = self._database.execute(
            "SELECT doc, col, length FROM instance JOIN asked ON asked.id = doc WHERE term = ?",
            [stem],
        )
        found: dict[int, tuple[float, int]] = {}
        for passage, column, length in rows:
            weight = HEADING_WEIGHT if column == "heading" else 1.0
            before, _ = found.get(passage, (0.0, length))
            found[passage] = before + weight, length
        return found

    def having(self, word: str) -> set[int]:
        """The passages that have a word in this form, itself or as a part of another one."""
        query = "SELECT rowid FROM words WHERE words MATCH ? AND body LIKE ?"
        return {row[0] for row in self._database.execute(query, [f'"{word}"', f"%{word}%"])}

    def places(self) -> dict[int, tuple[int, str]]:
        """Of each passage that is searched, the first one of its document with the same text (often
        itself), and its form.
        """
        rows = self._database.execute("SELECT id, first, form FROM asked")
        return {one: (first, form) for one, first, form in rows}

    def documents(self) -> dict[int, int]:
        """The document of each passage that is searched."""
        query = "SELECT id, document FROM passage WHERE id IN (SELECT id FROM asked)"
        return dict(self._database.execute(query))

    def document_data(self) -> dict[int, str]:
        """The data of each document."""
        return dict(self._database.execute("SELECT id, data FROM document"))

    def texts(self, passages: Sequence[int]) -> dict[int, str]:
        """The texts of some passages, with what is shown before them."""
        marks = ", ".join("?" * len(passages))
        query = f"SELECT rowid, body FROM words WHERE rowid IN ({marks})"
        return dict(self._database.execute(query, passages))

    def around(self, passage: int) -> tuple[str, str]:
        """The texts of the passages before and after one; empty at the ends of a document."""
        query = "SELECT body FROM words WHERE rowid = ?"
        rows = (self._database.execute(query, [passage + step]).fetchone() for step in (-1, 1))
        before, after = (row[0] if row else "" for row in rows)
        return before, after

    def place(self, passage: int) -> tuple[str, int, str, str]:
        """The content and number of the document of a passage, its data, and the passage's."""
        row: tuple[str, int, str, str] = self._database.execute(
            "SELECT content, number, document.data, passage.data FROM passage JOIN document "
            "ON document.id = passage.document WHERE passage.id = ?",
            [passage],
        ).fetchone()
        return row


def _rows(
    document: int, entries: Iterable[tuple[int, Entry]]
) -> Iterator[tuple[int, int, int, int, str, str]]:
    """Numbered passages of a document as rows of the table."""
    firsts: dict[str, int] = {}
    for number, one in entries:
        first = firsts.setdefault(one.body.lower().rstrip("."), number)
        form = form_of(one.body) or one.form
        yield number, document, len(words_of(one.body)), first, form, one.data


def stems_of(words: Sequence[str]) -> list[str]:
    """The stems of words, as the index has them."""
    with sqlite3.connect(":memory:") as database:
        database.executescript(
            "CREATE VIRTUAL TABLE words USING fts5 (body, tokenize = 'porter unicode61');"
            "CREATE VIRTUAL TABLE instance USING fts5vocab (words, instance);"
        )
        numbered = list(enumerate(words))
        database.executemany("INSERT INTO words (rowid, body) VALUES (?, ?)", numbered)
        found = defaultdict(str, database.execute("SELECT doc, term FROM instance"))
    database.close()
    return [found[number] or word for number, word in numbered]


def _version() -> str:
    return f"{FORMAT} {__version__}"


def _opened(path: Path | None) -> sqlite3.Connection:
    """The database; a file that is none, or is broken, is replaced."""
    if path is None:
        return _checked(sqlite3.connect(":memory:", check_same_thread=False))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.chmod(0o700)
    for is_last in (False, True):
        path.touch(mode=0o600)
        path.chmod(0o600)
        database = sqlite3.connect(path, timeout=BUSY)
        try:
            database.execute("PRAGMA secure_delete = ON")
            database.execute("SELECT count(*) FROM sqlite_master")
            return _checked(database)
        except sqlite3.DatabaseError as error:
            database.close()
            if is_last or isinstance(error, sqlite3.OperationalError):
                raise
            with suppress(FileNotFoundError):
                path.unlink()
    raise AssertionError("unreachable")


def _checked(database: sqlite3.Connection) -> sqlite3.Connection:
    try:
        database.execute("CREATE VIRTUAL TABLE temp.tried USING fts5 (text)")
        database.execute("DROP TABLE temp.tried")
    except sqlite3.OperationalError as error:
        raise PagesumError(
            f"this Python's SQLite {sqlite3.sqlite_version} has no full-text search (FTS5)",
            "use another build of Python",
        ) from error
    return database
