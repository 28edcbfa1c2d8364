"""Data sets of a few records, in the forms in which those of the papers are published."""

import json
from collections.abc import Callable, Iterator
from hashlib import sha1
from itertools import count
from pathlib import Path
from typing import Any

from ..text.tables import table

_MINIATURE = table(__file__, "miniature.toml")
SENTENCES: list[str] = _MINIATURE["sentences"]
SPLITS: dict[str, int] = _MINIATURE["splits"]

Record = tuple[list[str], str]  # sentences and summary


def write_data(folder: Path, name: str) -> None:
    """Write a data set of the recipes into a folder of its name."""
    form = name.partition("-")[0]
    writer = _WRITERS.get(form, _archive)
    writer(folder / name)


def write_outputs(folder: Path, names: list[str]) -> None:
    """Write the files of summaries that the authors published, one a line."""
    folder.mkdir(parents=True, exist_ok=True)
    references = [summary for _, summary in records("test")]
    outputs = [sentences[1] for sentences, _ in records("test")]
    for name in names:
        lines = references if name.endswith(".reference") else outputs
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def records(split: str) -> list[Record]:
    """The records of a split: the same sentences, from another one on; a summary joins the third
    and the eighth.
    """
    first = {"train": 0, "val": 4, "test": 6}[split]
    found = []
    for number in range(first, first + SPLITS[split]):
        sentences = SENTENCES[number:] + SENTENCES[:number]
        begin, second = sentences[2].removesuffix("."), sentences[7]
        joined = f"{begin} and {second[0].lower()}{second[1:]}"
        found.append((sentences, f"{joined} {sentences[0]}"))
    return found


def _write_json(path: Path, value: Any) -> None:
    _write(path, json.dumps(value))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _numbers() -> Callable[[str], int]:
    """Numbers of records by split; that of the first test record is the one of Figure 3."""
    counters = {split: count(17 if split == "test" else 0) for split in SPLITS}
    return lambda split: next(counters[split])


def _archive(folder: Path) -> None:
    """The original program's archives: sentences in ``base``, sections in ``section``."""
    number = _numbers()
    for split in SPLITS:
        for sentences, summary in records(split):
            name = f"{number(split)}.json"
            value = {"article": sentences, "abstract": [summary]}
            _write_json(folder / "base" / split / name, value)
            half = len(sentences) // 2
            sections = [
                f"introduction {' '.join(sentences[:half])}",
                f"results {' '.join(sentences[half:])}",
            ]
            value = {"article": sections, "abstract": [summary]}
            _write_json(folder / "section" / split / name, value)


def _clusters(folder: Path) -> None:
    """The original program's archive of Multi-News: a list of articles."""
    number = _numbers()
    for split in SPLITS:
        for sentences, summary in records(split):
            articles = [" ".join(sentences[place : place + 4]) for place in range(0, 12, 4)]
            value = {"article": articles, "abstract": [summary]}
            _write_json(folder / split / f"{number(split)}.json", value)


def _pairs(folder: Path) -> None:
    """WikiCatSum: a cluster a line, and its summary on the same line of another file."""
    for split, name in (("train", "train"), ("val", "valid"), ("test", "test")):
        own = records(split)
        _write(folder / f"{name}.src", "".join(f"{' '.join(one)}\n" for one, _ in own))
        _write(folder / f"{name}.tgt", "".join(f"{summary}\n" for _, summary in own))


def _stories(folder: Path) -> None:
    """CNN/DailyMail: a file for each article, named by the hash of its URL, and lists of URLs."""
    for split in SPLITS:
        urls = []
        for number, (sentences, summary) in enumerate(records(split)):
            urls.append(f"http://example.org/{split}/{number}")
            name = sha1(urls[-1].encode(), usedforsecurity=False).hexdigest()
            text = "\n\n".join([*sentences, "@highlight", summary])
            _write(folder / "cnn" / "stories" / f"{name}.story", f"{text}\n")
        _write(folder / "url_lists" / f"all_{split}.txt", "".join(f"{url}\n" for url in urls))


def _screenplays(folder: Path) -> None:
    """SummScreen: JSON Lines for each show and split."""
    for show, place in (("fd", "ForeverDreaming"), ("tms", "TVMegaSite")):
        for split, name in (("train", "train"), ("val", "dev"), ("test", "test")):
            lines = [
                {
                    "filename": f"{show}-{split}-{number}.json",
                    "Transcript": [f"ENTITY{place % 3} : {one}" for place, one in enumerate(own)],
                    "Recap": [summary],
                }
                for number, (own, summary) in enumerate(records(split))
            ]
            text = "".join(f"{json.dumps(line)}\n" for line in lines)
            _write(folder / place / f"{show}_{name}.json", text)


def _books(folder: Path) -> None:
    """BookSum: books of two chapters, lists of them, and their summaries."""
    for split in SPLITS:
        chapters: list[dict[str, Any]] = []
        books: list[dict[str, Any]] = []
        for number, (sentences, summary) in enumerate(records(split)):
            book = f"{split}{number}"
            place = f"all_chapterized_books/{book}-chapters"
            for chapter, text in _chapters(sentences):
                _write(folder / place / f"{chapter}.txt", f"CHAPTER {chapter}\n\n{text}")
                path = f"finished_summaries/shmoop/{book}/section_{chapter}_part_0.txt"
                _write_json(folder / path, {"name": chapter, "summary": [summary], "analysis": []})
                line = {"bid": book, "is_aggregate": False, "source": "shmoop"}
                line |= {"chapter_path": f"{place}/{chapter}.txt", "summary_path": path}
                line |= {"book_id": f"{book}.chapter {chapter}", "summary_id": chapter}
                chapters.append(line)
            path = f"finished_summaries/shmoop/{book}/overview.txt"
            _write_json(folder / path, {"name": book, "summary": [summary], "analysis": []})
            _write(folder / place / "book_clean.txt", "\n".join(sentences))
            line = {"bid": book, "source": "shmoop", "title": book, "summary_path": path}
            books.append(line | {"book_path": f"{place}/book_clean.txt"})
        lists = folder / "alignments"
        for level, name, lines in (
            ("chapter", f"chapter_summary_aligned_{split}_split", chapters),
            ("book", f"book_summaries_aligned_{split}", books),
        ):
            text = "".join(f"{json.dumps(line)}\n" for line in lines)
            _write(lists / f"{level}-level-summary-alignments" / f"{name}.jsonl", text)


def _chapters(sentences: list[str]) -> Iterator[tuple[str, str]]:
    half = len(sentences) // 2
    yield "1", "\n".join(sentences[:half])
    yield "2", "\n".join(sentences[half:])


_WRITERS = {
    "multinews": _clusters,
    "wikicatsum": _pairs,
    "cnndm": _stories,
    "summscreen": _screenplays,
    "booksum": _books,
}
"""The form of a data set, by the beginning of its name; of the others, the original program's."""
