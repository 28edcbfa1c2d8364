"""Sheets for annotators, whatever the protocol: which summaries are in them, and the CSV and JSON files around them."""

import csv
import io
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ..errors import PagesumError

PROTOCOLS = ("errors", "best-worst")
"""Spans of errors, see :mod:`.annotation`; the better of two summaries, see :mod:`.best_worst`."""

FORMULA = ("=", "+", "-", "@")
"""How a cell begins that a spreadsheet would compute."""

Texts = Mapping[str, Mapping[str, str]]
"""The texts of each system by the document's id."""

T = TypeVar("T")


def clean(text: str) -> str:
    """The text with single spaces, and without characters that cannot be shown."""
    return " ".join("".join(one for one in text if one.isprintable() or one.isspace()).split())


def select_documents(texts: Texts, documents: int, rng: random.Random) -> tuple[list[str], int]:
    """Select documents at random of which there is a text of each system.

    Args:
        texts: The texts.
        documents: Number of documents; all of them if there are fewer.
        rng: Source of randomness.

    Returns:
        Their ids, and the number of documents from which they were selected.

    Raises:
        PagesumError: There are none.
    """
    common = [identity for identity in next(iter(texts.values())) if all(one.get(identity) for one in texts.values())]
    if not common:
        raise PagesumError(f"no document has a summary of each of {', '.join(texts)}", "give results on the same data")
    return rng.sample(sorted(common), min(documents, len(common))), len(common)


def codes(count: int) -> list[str]:
    """Neutral names: S1 … S9, or S01 … S10."""
    return [f"S{number:0{len(str(count))}}" for number in range(1, count + 1)]


def csv_text(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A CSV file, in which no text is a formula of a spreadsheet."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([f" {cell}" if str(cell).startswith(FORMULA) else cell for cell in row])
    return buffer.getvalue()


def protocol_of(path: Path) -> str:
    """The protocol of the sheets that a key is of.

    Raises:
        PagesumError: It cannot be read, or is none.
    """
    protocol: str = read_key_file(path, lambda value: value.get("protocol", PROTOCOLS[0]))
    return protocol


def read_key_file(path: Path, parse: Callable[[Any], T]) -> T:
    """Read the JSON file of a key.

    Args:
        path: The file.
        parse: Makes the sheet of the object; may raise any error of what is missing or of another type.

    Raises:
        PagesumError: It cannot be read, or is none.
    """
    try:
        return parse(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise PagesumError(f"{path}: cannot be read ({error.strerror})", "check the path") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise PagesumError(
            f"{path}: expected the key of a sheet ({error})", "pagesum eval --annotate writes it beside its folder"
        ) from error


def read_lines(path: Path, needed: Sequence[str], parse: Callable[[Mapping[str, str]], None]) -> None:
    """Read a filled-in sheet line by line, from a spreadsheet or from the HTML page.

    Args:
        path: The CSV file, with commas, semicolons or tabs.
        needed: Columns that it must have.
        parse: Gets each line's cells by column, without outer spaces; raises ValueError for what cannot be.

    Raises:
        PagesumError: It cannot be read, or a line has something that cannot be.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise PagesumError(f"{path}: cannot be read ({error.strerror})", "check the path") from error
    except UnicodeDecodeError as error:
        raise PagesumError(f"{path}: expected UTF-8", "save it as CSV in UTF-8") from error
    first = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=first.count))
    if not set(needed) <= set(reader.fieldnames or ()):
        columns = " and ".join(", ".join(needed).rsplit(", ", 1))
        raise PagesumError(f"{path}: expected a filled-in sheet with the columns {columns}", "see --annotate")
    try:
        for line in _stripped(reader):
            parse(line)
    except (ValueError, csv.Error) as error:
        raise PagesumError(f"{path}, line {reader.line_num}: {error}", "correct the line, or check the key") from error


def _stripped(reader: "csv.DictReader[str]") -> Iterator[dict[str, str]]:
    for line in reader:
        yield {name: (line.get(name) or "").strip() for name in reader.fieldnames or ()}
