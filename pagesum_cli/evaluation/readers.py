"""The files in which the field keeps its data sets → records."""

import contextlib
import gzip
import json
import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Literal

from ..documents.document import Document, Section
from ..documents.records import Record, open_packed, record_from
from ..documents.text import one_line, paragraphs_of
from ..errors import PagesumError

Units = Literal["sentences", "sections", "documents"]
"""What the entries of a list of text are."""

SPLIT_NAMES = {"test": ("test",), "validation": ("validation", "valid", "val", "dev"), "train": ("train", "training")}
DOCUMENT_SEPARATOR = re.compile(r"\s*(?:\|{5}|story_separator_special_tag)\s*")

Problem = Callable[[str], None]


def read_path(path: Path, split: str, units: Units, on_problem: Problem) -> Iterator[Record]:
    """The records of a split.

    Args:
        path: a file of records (JSON Lines or JSON, also .gz or .xz), or a folder in one of these forms, tried in this
            order: ``test/0.json …`` (the original program); ``test.src`` and ``test.tgt`` (Multi-News);
            ``split_ids/*_test.ids`` beside ``crs/`` and ``gao/`` (GovReport); ``test.jsonl``, ``.txt`` or ``.json``
            (Cohan et al.'s arXiv and PubMed, GovReport's ``report``/``summary``, and this program's own records).
        split: ``test``, ``validation`` or ``train``.
        units: what the entries of an ``article`` list are.
        on_problem: is called with one line for each record that cannot be used; the others are read on.

    Raises:
        PagesumError: there is no such file, or the folder holds none of these.
    """
    if path.is_file():
        yield from _read_lines(path, units, on_problem)
        return
    if not path.is_dir():
        raise PagesumError(f"{path}: no such file or folder", "check the path")
    for name in SPLIT_NAMES[split]:
        if numbered := _numbered(path / name):
            yield from _read_numbered(numbered, units, on_problem)
            return
        if pair := _source_and_target(path, name):
            yield from read_source_target(*pair, on_problem)
            return
        if ids := sorted(path.glob(f"**/split_ids/*_{name}.ids")):
            yield from _read_govreport(ids, on_problem)
            return
        for suffix in (".jsonl", ".txt", ".json"):
            for packing in ("", ".gz", ".xz"):
                if (file := path / f"{name}{suffix}{packing}").is_file():
                    yield from _read_lines(file, units, on_problem)
                    return
    first = SPLIT_NAMES[split][0]
    raise PagesumError(
        f"{path}: no {split} split found; expected {first}/0.json …, {first}.src with {first}.tgt, {first}.jsonl, "
        f"{first}.txt or split_ids/*_{first}.ids",
        "check the folder and --split",
    )


def record_of(value: dict[str, Any], number: str, units: Units, source: str = "") -> Record:
    """One JSON object of any of the known data sets → a record.

    Args:
        value: holds ``article`` and ``abstract`` (the original program), ``article_text`` and ``abstract_text``
            (Cohan et al.), ``report``, ``reports`` or ``document`` with ``summary``, ``highlight`` (GovReport,
            Multi-News on the hub), or is a record of this program.
        number: the id where the object has none.
        units: what the entries of ``article`` are where it is a list.
        source: the path that it was read from.

    Raises:
        PagesumError: it is none of these, or has no words.
    """
    if not isinstance(value, dict):
        raise PagesumError(f"expected a JSON object, found {type(value).__name__}")
    identity = one_line(str(value.get("id") or value.get("article_id") or number))
    if "article_text" in value:
        return _record(identity, [_cohan(value, identity, source)], value.get("abstract_text"))
    if "article" in value:
        return _record(identity, _articles(value["article"], units, identity, source), value.get("abstract"))
    if "report" in value or "reports" in value:
        summary = value.get("summary", value.get("highlight"))
        body = value.get("report", value.get("reports"))
        sections = list(_govreport_sections(body if isinstance(body, list) else [body]))
        return _record(identity, [Document(identity, tuple(sections), _title(value), source)], _flat(summary))
    if isinstance(value.get("document"), str):
        texts = [text for text in DOCUMENT_SEPARATOR.split(value["document"]) if text.strip()]
        return _record(identity, _documents(texts, identity, source), value.get("summary"))
    return record_from(value, number, source)


def read_source_target(source: Path, target: Path, on_problem: Problem) -> Iterator[Record]:
    """Multi-News: a cluster a line, its documents parted by ``|||||``; the summary on the same line of the other file.

    Raises:
        PagesumError: the files have different numbers of lines.
    """
    sources, targets = byte_lines(source), byte_lines(target)
    if len(sources) != len(targets):
        raise PagesumError(
            f"{source} has {len(sources)} lines, {target} has {len(targets)}; expected as many", "check the two files"
        )
    for number, (cluster, summary) in enumerate(zip(sources, targets, strict=True), start=1):
        where = f"{source}, line {number}"
        try:
            value = {"document": cluster.decode().replace("NEWLINE_CHAR", "\n"), "summary": summary.decode()}
        except UnicodeDecodeError as error:
            on_problem(f"{where}, or the same of {target.name}: expected UTF-8, left out ({error})")
            continue
        yield from _try(value, str(number), "documents", where, str(source), on_problem)


def source_texts(record: Record) -> tuple[str, ...]:
    """The text of each document of a record, headings included."""
    return tuple(
        "\n\n".join(part for section in one.sections for part in (section.heading, section.text) if part)
        for one in record.documents
    )


def _numbered(folder: Path) -> list[Path]:
    files = [file for file in folder.glob("*.json") if file.stem.isdigit()]
    return sorted(files, key=lambda file: int(file.stem))


def _read_numbered(files: list[Path], units: Units, on_problem: Problem) -> Iterator[Record]:
    for file in files:
        yield from _read_json(file, file.stem, units, on_problem)


def _source_and_target(folder: Path, name: str) -> tuple[Path, Path] | None:
    pairs = zip(sorted(folder.glob(f"{name}*src*")), sorted(folder.glob(f"{name}*tgt*")), strict=False)
    return next(iter(pairs), None)


def _read_govreport(lists: list[Path], on_problem: Problem) -> Iterator[Record]:
    for ids in lists:
        part = ids.name.split("_")[0]
        for identity in (line.decode("utf-8", "replace").strip() for line in byte_lines(ids)):
            file = ids.parent.parent / part / f"{identity}.json"
            yield from _read_json(file, f"{part}-{identity}", "sections", on_problem)


def _read_json(file: Path, number: str, units: Units, on_problem: Problem) -> Iterator[Record]:
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        on_problem(f"{file}: cannot be read, left out ({error})")
        return
    yield from _try(value, number, units, str(file), str(file), on_problem)


def _read_lines(path: Path, units: Units, on_problem: Problem) -> Iterator[Record]:
    with _opened(path) as stream:
        start = stream.read(64).lstrip()
    if start.startswith(b"["):
        with _opened(path) as stream:
            try:
                values = json.loads(stream.read())
            except (ValueError, RecursionError) as error:
                raise PagesumError(f"{path}: expected a JSON list, found something else ({error})") from error
        for number, value in enumerate(values, start=1):
            yield from _try(value, str(number), units, f"{path}, entry {number}", str(path), on_problem)
        return
    with _opened(path) as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            where = f"{path}, line {number}"
            try:
                value = json.loads(line.decode("utf-8-sig"))
            except (ValueError, RecursionError) as error:
                on_problem(f"{where}: expected a JSON object, left out ({error})")
                continue
            yield from _try(value, str(number), units, where, str(path), on_problem)


def _try(value: Any, number: str, units: Units, where: str, source: str, on_problem: Problem) -> Iterator[Record]:
    try:
        yield record_of(value, number, units, source)
    except PagesumError as error:
        on_problem(f"{where}: {error.message}, left out")


def _record(identity: str, documents: Iterable[Document], summary: Any) -> Record:
    kept = []
    for document in documents:
        if sections := tuple(section for section in document.sections if section.paragraphs):
            kept.append(Document(document.name, sections, document.title, document.source))
    if not kept:
        raise PagesumError("expected text, found none")
    sentences = [summary] if isinstance(summary, str) else _strings(summary or [], "summary")
    return Record(identity, tuple(kept), one_line(re.sub(r"</?S>", " ", " ".join(sentences))))


def _articles(article: Any, units: Units, identity: str, source: str) -> list[Document]:
    texts = [article] if isinstance(article, str) else _strings(article, "article")
    if units == "documents":
        return _documents(texts, identity, source)
    if units == "sections":
        return [Document(identity, tuple(_section_of_lines(text) for text in texts), source=source)]
    # A paragraph for each sentence: where one ends is known, and must not be guessed again.
    paragraphs = tuple(paragraph for text in texts for paragraph in paragraphs_of(text))
    return [Document(identity, (Section("", paragraphs),), source=source)]


def _documents(texts: list[str], identity: str, source: str) -> list[Document]:
    return [
        Document(f"{identity}/{place}", (Section("", paragraphs_of(text)),), source=source)
        for place, text in enumerate(texts, start=1)
    ]


def _section_of_lines(text: str) -> Section:
    """A section; its first line is the heading where more follows."""
    heading, _, rest = text.strip().partition("\n")
    if rest.strip():
        return Section(one_line(heading), paragraphs_of(rest), found_by="outline")
    return Section("", paragraphs_of(text))


def _cohan(value: dict[str, Any], identity: str, source: str) -> Document:
    names, sections = value.get("section_names"), value.get("sections")
    if isinstance(sections, list) and isinstance(names, list) and len(names) == len(sections) > 0:
        parts = [
            Section(one_line(str(name)), _sentence_paragraphs(sentences), found_by="outline" if name else "fallback")
            for name, sentences in zip(names, sections, strict=True)
        ]
        if any(part.paragraphs for part in parts):
            return Document(identity, tuple(parts), source=source)
    return Document(identity, (Section("", _sentence_paragraphs(value["article_text"])),), source=source)


def _sentence_paragraphs(sentences: Any) -> tuple:
    texts = [sentences] if isinstance(sentences, str) else _strings(sentences, "article_text")
    return tuple(paragraph for text in texts for paragraph in paragraphs_of(text))


def _govreport_sections(parts: Any, level: int = 1) -> Iterator[Section]:
    for part in parts if isinstance(parts, list) else [parts]:
        if isinstance(part, str):
            yield Section("", paragraphs_of(part))
        elif isinstance(part, dict):
            heading = one_line(str(part.get("section_title") or ""))
            text = "\n\n".join(_strings(part.get("paragraphs") or [], "paragraphs"))
            yield Section(heading, paragraphs_of(text), min(level, 9), "outline" if heading else "fallback")
            yield from _govreport_sections(part.get("subsections") or [], level + 1)


def _flat(summary: Any) -> Any:
    """GovReport's summaries are text, lists of paragraphs, or sections."""
    if isinstance(summary, list) and any(isinstance(part, dict) for part in summary):
        return [paragraph.text for section in _govreport_sections(summary) for paragraph in section.paragraphs]
    return summary


def _strings(value: Any, what: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise PagesumError(f'expected "{what}" to be text or a list of texts, found {type(value).__name__}')
    return value


def _title(value: dict[str, Any]) -> str:
    return one_line(value["title"]) if isinstance(value.get("title"), str) else ""


def byte_lines(path: Path) -> list[bytes]:
    """The lines of a file. Only ``\\n`` ends one: texts hold other separators, and an empty last line is one.

    Raises:
        PagesumError: it cannot be read.
    """
    with _opened(path) as stream:
        lines = stream.read().split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        with open_packed(str(path)) as stream:
            yield stream
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise PagesumError(f"{path}: expected a packed file, found a broken one ({error})", "pack it again") from error
    except OSError as error:
        raise PagesumError(f"{path}: cannot be read ({error.strerror})", "check the path") from error
