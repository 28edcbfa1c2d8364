"""The shape of a summary on the command line: books, files without a common subject, brief
summaries.
"""

import json
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from tiny import TEXTS

from pagesum_cli.batch import books

SUBJECTS = [
    "The orchestra rehearsed a symphony all day. The conductor praised violins and oboes before "
    "the concert.",
    "Enzymes digest proteins in the stomach. The stomach secretes hydrochloric acid and pepsin "
    "for digestion.",
    "The parliament debated tariffs until midnight. "
    "Ministers amended the customs bill after the ballot.",
    "Glaciers carve valleys over many centuries. "
    "Moraines and fjords remain where the ice retreated.",
]


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A document with four chapters, and more words than one that is no book may have."""
    monkeypatch.setattr(books, "WORDS", 100)
    path = tmp_path / "book.md"
    chapters = (
        f"## Chapter {n}: Year {n}\n\n{' '.join(TEXTS[n:] + TEXTS[:n])}\n" for n in range(4)
    )
    path.write_text("# The late harvest\n\n" + "\n".join(chapters), encoding="utf-8")
    return path


@pytest.fixture
def summarize(pagesum: Callable[..., Any], tiny_extractive: Path) -> Callable[..., Any]:
    def call(*arguments: object, model: Path = tiny_extractive) -> Any:
        result = pagesum(
            "summarize", *map(str, arguments), "--model", str(model), "--device", "cpu"
        )
        assert result.code == 0, result.err
        return result

    return call


def test_inspect_draws_a_brief_summary(
    pagesum: Callable[..., Any], tiny_extractive: Path, tmp_path: Path
) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text("".join(f"## {TEXTS[n][:9]}\n\n{TEXTS[n]}\n\n" for n in range(3)))
    made = pagesum("inspect", paper, "--brief", "--model", tiny_extractive, "--device", "cpu")
    assert made.code == 0, made.err


def test_a_brief_summary_reports_the_kind_that_its_headings_fit(
    summarize: Callable[..., Any], tmp_path: Path
) -> None:
    law = tmp_path / "by-law.md"
    clauses = (
        "No person shall keep a goat within the village.",
        "The owner of a hen shall register it with the clerk within 30 days.",
        "This by-law does not apply to the zoo.",
        "Every person who contravenes this by-law is liable to a fine of $100.",
    )
    text = "\n\n".join(f"## {n}. Part {n}\n\n{one}" for n, one in enumerate(clauses, 1))
    stalls = "Every keeper of a horse shall clean its stable once a day. " * 60
    law.write_text(f"# By-law 12 to regulate animals\n\n{text}\n\n{stalls}\n", encoding="utf-8")
    line = "read as: by-law or regulation; without --brief, a plain summary"
    assert summarize(law, "--brief").err.count(line) == 1
    assert "read as" not in summarize(law).err
    assert "read as" not in summarize(law, "--brief", "--quiet").err


def test_a_document_like_a_book_has_an_overview_and_lines(
    summarize: Callable[..., Any], book: Path
) -> None:
    result = summarize(book, "--format", "json")
    data = json.loads(result.out)
    assert "4 chapters: an overview and a line for each; --no-recursive" in result.err
    assert len(data["chapters"]) == len(data["pages"]) == 4
    titles = [one["title"] for one in data["paragraphs"] if one["title"]]
    assert titles == [page["label"] for page in data["pages"] if page["label"] in titles]
    numbers = [number for one in data["paragraphs"] for number in one["sentences"]]
    assert numbers == list(range(len(data["sentences"])))
    for one in data["paragraphs"]:
        if one["title"]:
            places = {data["sentences"][number]["source"]["page"] for number in one["sentences"]}
            assert [data["pages"][place]["label"] for place in places] == [one["title"]]


def test_a_long_report_of_auditors_is_no_book(summarize: Callable[..., Any], book: Path) -> None:
    asked = "GAO was asked to review how the county oversees its bakeries in the valley."
    book.write_text(f"{book.read_text()}\n## Why GAO Did This Study\n\n{asked}\n")
    assert "chapters" not in json.loads(summarize(book, "--format", "json").out)


@pytest.mark.parametrize(
    "flags", [["--no-recursive"], ["--focus", "wheat"], ["--locality", "spatial"]]
)
def test_it_is_summarized_at_once_on_request(
    summarize: Callable[..., Any], book: Path, flags: list[str]
) -> None:
    result = summarize(book, "--format", "json", *flags)
    assert "chapters" not in json.loads(result.out)
    assert "--no-recursive" not in result.err


def test_a_generating_model_summarizes_it_at_once(
    summarize: Callable[..., Any], book: Path, tiny_checkpoint: Path
) -> None:
    assert "chapters" not in json.loads(
        summarize(book, "--format", "json", model=tiny_checkpoint).out
    )


def test_a_cluster_of_reports_has_a_paragraph_under_each_headline(
    summarize: Callable[..., Any], tmp_path: Path
) -> None:
    headlines = ["Orchestra rehearses all day", "Orchestra gives its concert"]
    for number, headline in enumerate(headlines):
        (tmp_path / f"{number}.txt").write_text(
            f"{headline}\n\n{SUBJECTS[0]}\n\n{SUBJECTS[number + 1]}\n"
        )
    data = json.loads(
        summarize(*sorted(tmp_path.glob("*.txt")), "--format", "json", "--sentences", "4").out
    )
    assert [one["title"] for one in data["paragraphs"]] == headlines
    for number, one in enumerate(data["paragraphs"]):
        assert {data["sentences"][place]["source"]["file"] for place in one["sentences"]} == {
            f"{number}.txt"
        }


def test_articles_on_one_event_have_one_text_in_the_order_of_their_dates(
    summarize: Callable[..., Any], tmp_path: Path
) -> None:
    said = [
        "The river Marl flooded two villages near Harlow on Sunday, the mayor of Harlow said.",
        "Families near Harlow left their flooded villages by boat on Sunday, rescuers said.",
    ]
    for number, (day, text) in enumerate(zip((9, 3), said, strict=True)):
        article = f"Flood near Harlow, part {number}\n\nPublished: May {day}, 2024\n\n{text}\n"
        (tmp_path / f"{number}.txt").write_text(f"{article}\n{SUBJECTS[number]}\n")
    data = json.loads(
        summarize(*sorted(tmp_path.glob("*.txt")), "--format", "json", "--sentences", "5").out
    )
    assert "paragraphs" not in data
    files = [one["source"]["file"] for one in data["sentences"]]
    assert files == sorted(files, reverse=True)
    assert len(set(files)) == 2
    assert data["summary"].startswith("[3 May 2024] ")


def test_files_without_a_common_subject_have_a_paragraph_each(
    summarize: Callable[..., Any], tmp_path: Path
) -> None:
    for number, text in enumerate(SUBJECTS):
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
    files = sorted(tmp_path.glob("*.txt"))
    result = summarize(*files, "--format", "json")
    data = json.loads(result.out)
    assert "4 files without a common subject: a paragraph for each; --each" in result.err
    assert [one["title"] for one in data["paragraphs"]] == [path.name for path in files]
    for one in data["paragraphs"]:
        assert {data["sentences"][number]["source"]["file"] for number in one["sentences"]} == {
            one["title"]
        }
    assert abs(sum(page["confidence"] for page in data["pages"]) - 1) < 1e-3
    plain = summarize(*files).out
    assert all(f"{path.name}\n" in plain for path in files)
    assert "paragraphs" not in json.loads(summarize(*files[:3], "--format", "json").out)


def test_files_with_a_paragraph_each_have_outlets_and_what_they_disagree_on(
    summarize: Callable[..., Any], tmp_path: Path
) -> None:
    for number, text in enumerate(SUBJECTS):
        died = f"The fire in the mill killed {number % 2 + 3} people." if number < 2 else ""
        (tmp_path / f"{number}.txt").write_text(
            f"LONDON, March {number + 1}, 2024 (Reuters) – {text} {died}\n", encoding="utf-8"
        )
    files = sorted(tmp_path.glob("*.txt"))
    result = summarize(*files, "--format", "json", "--words", "400")
    data = json.loads(result.out)
    assert data["paragraphs"][1]["title"] == "1.txt, Reuters, 2 March 2024"
    assert [one["number"] for one in data["disagreements"][0]["numbers"]] == ["3", "4"]
    assert result.err.count("no further sentence fits") == 1  # of the whole, not of each file
    assert "words, not 400" in result.err
    assert "no further sentence fits" not in summarize(*files).err


def test_minutes_of_several_meetings_have_their_outcomes_by_date(
    summarize: Callable[..., Any], tmp_path: Path
) -> None:
    for name, day, verdict in (("a.md", "7 June", "sold"), ("b.md", "3 May", "kept")):
        text = (
            f"# Council meeting, {day} 2024\n\n## Present\n\n- Anna Berg\n\n"
            f"## The mill\n\nDecision: the mill is {verdict}.\n\n"
            f"## The bridge\n\n{TEXTS[0]} The board approved its repair.\n"
        )
        (tmp_path / name).write_text(text, encoding="utf-8")
    result = summarize(tmp_path / "a.md", tmp_path / "b.md", "--format", "json")
    data = json.loads(result.out)
    assert "2 files with minutes: the decisions, votes and tasks in each, by date" in result.err
    titles = ["The mill", "The bridge"]
    assert [one["title"] for one in data["paragraphs"]] == [
        *("Council meeting, 3 May 2024", *titles),
        *("Council meeting, 7 June 2024", *titles),
    ]
    assert [one["text"] for one in data["sentences"] if "mill" in one["text"]] == [
        "Decision: the mill is kept.",
        "Decision: the mill is sold.",
    ]
    assert data["participants"] == ["Anna Berg"]
    assert {one["outcome"]["kind"] for one in data["sentences"]} == {"decision"}


def test_a_brief_summary_has_the_headings_of_the_document(
    summarize: Callable[..., Any], book: Path
) -> None:
    data = json.loads(
        summarize(book, "--brief", "--no-recursive", "--sentences", "12", "--format", "json").out
    )
    sections = [sentence["source"]["section"] for sentence in data["sentences"]]
    if len(set(sections)) > 1:
        assert [one["title"] for one in data["paragraphs"]] == [
            name for name, _ in groupby(sections)
        ]
    else:  # the sentences of random weights may all be of one chapter
        assert "paragraphs" not in data


def test_all_views_show_the_titles(
    summarize: Callable[..., Any], pagesum: Callable[..., Any], book: Path
) -> None:
    saved = book.with_name("summary.json")
    summarize(book, "--output", saved)
    data = json.loads(saved.read_text(encoding="utf-8"))
    title = next(one["title"] for one in data["paragraphs"] if one["title"])
    assert f"**{title}**" in summarize(book, "--format", "markdown").out
    assert f"<strong>{title}</strong>" in summarize(book, "--format", "html").out
    assert title in pagesum("inspect", saved).out


def test_chapters_name_their_sections_in_every_view(
    summarize: Callable[..., Any], pagesum: Callable[..., Any], book: Path
) -> None:
    text = book.read_text(encoding="utf-8")
    for number in range(4):
        text = text.replace(
            f"Year {number}\n",
            f"Year {number}\n\n### Rain {number}\n\n{TEXTS[0]}\n\n### Wheat {number}\n",
        )
    book.write_text(text, encoding="utf-8")
    saved = book.with_name("summary.json")
    summarize(book, "--output", saved)
    data = json.loads(saved.read_text(encoding="utf-8"))
    named = [one["sections"] for one in data["paragraphs"] if "sections" in one]
    assert named == [[f"Rain {number}", f"Wheat {number}"] for number in range(4)]
    assert "Wheat 1" not in data["summary"]  # it has quotes only
    shown = [f"Sections: Rain {number}; Wheat {number}" for number in range(4)]
    for format, mark in (("markdown", "*"), ("html", ""), ("text", "")):
        out = summarize(book, "--format", format).out
        assert [line for line in shown if f"{mark}{line}{mark}" in out] == shown
    assert pagesum("inspect", saved).code == 0


def test_a_paper_of_as_many_parts_is_summarized_at_once(
    summarize: Callable[..., Any], book: Path
) -> None:
    text = book.read_text(encoding="utf-8").replace("## Chapter 0: Year 0", "## Abstract")
    book.write_text(text, encoding="utf-8")
    assert "chapters" not in json.loads(summarize(book, "--format", "json").out)


def kinds_of_documents(folder: Path) -> dict[str, list[Path]]:
    """A document of each kind for which ``auto`` chooses a locality and a shape."""
    sections = " ".join(TEXTS[:2])
    texts = {
        "plain.txt": " ".join(TEXTS),
        "sections.md": f"# Crops\n\n## Wheat\n\n{sections}\n\n## Barley\n\n{sections}\n",
        "paper.md": f"# Crops\n\n## Abstract\n\n{TEXTS[0]}\n\n## 1 Methods\n\n{sections}\n\n"
        f"## 2 Results\n\n{sections}\n",
        "minutes.md": "# Minutes of the council\n\n## Present\n\nMr. Smith and Ms. Jones.\n\n"
        f"## 1. Roads\n\n{TEXTS[0]} Resolved: the road is mended.\n\n"
        f"## 2. Schools\n\n{TEXTS[1]} Agreed: the school is closed.\n",
    }
    texts |= {f"subject{number}.txt": text for number, text in enumerate(SUBJECTS)}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    files = {name: [folder / name] for name in list(texts)[:4]}
    files["files"] = [folder / name for name in texts if name.startswith("subject")]
    return files


@pytest.mark.parametrize(
    "kind", ["book", "plain.txt", "sections.md", "paper.md", "minutes.md", "files"]
)
def test_the_locality_that_auto_chooses_gives_the_same_summary_by_its_name(
    summarize: Callable[..., Any], book: Path, tmp_path: Path, kind: str
) -> None:
    files = [book] if kind == "book" else kinds_of_documents(tmp_path)[kind]
    chosen = json.loads(summarize(*files, "--format", "json").out)
    # of a book, it is that of the chapters' summaries
    locality = "discourse" if kind == "book" else chosen["locality"]
    named = json.loads(summarize(*files, "--format", "json", "--locality", locality).out)
    for key in ("summary", "sentences", "paragraphs", "pages"):
        assert named.get(key) == chosen.get(key)
