"""The chapters of books of many kinds: their titles, how they are found, and that no word of them
is lost.
"""

import pytest
from book_cases import CASES, HELD_BACK, Case
from tiny import assert_linear

from pagesum_cli.documents.books.chapters import _parts, chapters_of
from pagesum_cli.documents.guard.reading import read_data
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.readers.text import plain_document

ALL = {**CASES, **HELD_BACK}


def read(case: Case) -> Document:
    (document,) = read_data(case.data, case.name)
    return document


def text_of(document: Document) -> str:
    return "\n\n".join(part for section, _ in document.read_sections for part in section.parts)


@pytest.mark.parametrize("case", ALL.values(), ids=ALL)
def test_the_chapters_are_those_that_a_reader_would_name(case: Case) -> None:
    chapters = chapters_of(read(case))
    assert tuple(one.title for one in chapters.chapters) == case.titles
    assert chapters.found_by == case.found_by


@pytest.mark.parametrize("case", ALL.values(), ids=ALL)
def test_every_word_is_in_one_chapter_or_counted_as_left_out(case: Case) -> None:
    document = read(case)
    chapters = chapters_of(document)
    read_words = sum(len(text_of(one.document).split()) for one in chapters.chapters)
    assert read_words + sum(one.words for one in chapters.left_out) == len(document.text.split())
    assert [one.words for one in chapters.chapters] == [
        len(text_of(one.document).split()) for one in chapters.chapters
    ]
    in_order = " ".join(text_of(one.document) for one in chapters.chapters).split()
    for word in case.unread:
        assert word not in in_order


@pytest.mark.parametrize("case", ALL.values(), ids=ALL)
def test_offsets_stay_those_of_the_book(case: Case) -> None:
    document = read(case)
    for chapter in chapters_of(document).chapters:
        assert chapter.document.text == document.text
        for section, start in chapter.document.read_sections:
            assert document.text[start:].startswith("\n\n".join(section.parts))


def prose(words: int) -> tuple[Paragraph, ...]:
    return (Paragraph(" ".join(["word"] * words) + "."),)


def test_sections_of_the_same_name_are_told_apart_by_the_heading_above_them() -> None:
    headings = ["Networks", "Aims", "Plan", "Services", "Aims", "Plan", "Conclusions"]
    sections = [
        Section(one, () if one in ("Networks", "Services") else prose(1500), 1, "style")
        for one in headings
    ]
    titles = [one.title for one in chapters_of(Document("report", tuple(sections))).chapters]
    assert titles == [
        "Networks, Aims",
        "Networks, Plan",
        "Services, Aims",
        "Services, Plan",
        "Conclusions",
    ]


def test_what_stands_under_the_title_and_is_about_rights_is_no_chapter() -> None:
    rights = Paragraph("Copyright 2024. " + "Permission is granted to copy this guide. " * 60)
    sections = (
        Section("The Guide", (rights,), 1, "outline"),
        *(Section(f"Chapter {number}. One", prose(2000), 1, "outline") for number in range(1, 4)),
    )
    chapters = chapters_of(Document("guide", sections, title="The Guide"))
    assert [one.title for one in chapters.chapters] == [
        f"Chapter {number}. One" for number in range(1, 4)
    ]
    assert [one.reason for one in chapters.left_out] == ["front matter"]


def titles_of(*sections: Section) -> list[str]:
    chapters = chapters_of(Document("report", sections)).chapters
    return [one.title for one in chapters]


def test_text_below_the_name_of_a_list_is_a_chapter() -> None:
    sections = (
        Section("Overview", prose(900), 1, "style"),
        Section("Abbreviations", (*prose(30), *prose(6000)), 1, "style"),
        Section("Scope", prose(2000), 1, "style"),
        Section("Index", prose(4000), 1, "style"),
    )
    assert titles_of(*sections) == ["Overview", "Abbreviations", "Scope"]


def test_recommendations_are_a_chapter_unless_they_are_a_list_of_books() -> None:
    def titles(words: int) -> list[str]:
        names = {"Findings": 3000, "Conclusions": 2000, "Recommendations": words}
        return titles_of(*(Section(one, prose(own), 1, "style") for one, own in names.items()))

    assert titles(1200)[-1] == "Recommendations"
    assert titles(60)[-1] == "Conclusions"


@pytest.mark.parametrize(
    "unit",
    [
        "CHAPTER I\n\n",
        "CONTENTS\n\nCHAPTER I\n\n",
        "CHAPTER I\nRain fell.\n\n",
        "II\n\nRain fell on the mill.\n\n",
        "PART ONE\n\n1\n\n",
    ],
)
def test_books_take_linear_time(unit: str) -> None:
    def chapters(amount: int) -> None:
        (document,) = read_data((unit * amount + "It rained. " * 100).encode(), "a.txt")
        chapters_of(document)

    assert_linear(chapters, 1_500)


def test_parts_end_with_a_section_where_one_ends_near() -> None:
    headings = "".join(
        f"# Word {number}\n\n{' '.join(['word'] * 260)}.\n\n" for number in range(40)
    )
    (document,) = read_data(headings.encode(), "a.md")
    lengths = [len(one.document.read_sections) for one in _parts(document, 10_500).chapters]
    assert lengths == [20, 20]
    assert {section.heading for section in document.sections if section.heading} == {
        f"Word {n}" for n in range(40)
    }


def test_one_long_paragraph_is_never_parted() -> None:
    (document,) = read_data(("Rain fell. " * 10_000).encode(), "a.txt")
    chapters = chapters_of(document)
    assert [one.title for one in chapters.chapters] in (["part 1 of 1"], ["a.txt"])
    assert chapters.found_by == "fallback"


def test_underlined_headings_divide_a_text_with_contents() -> None:
    names = [
        f"{number}. The {name}"
        for number, name in enumerate(("mills", "fields", "roads", "towns", "wells"), 1)
    ]
    parts = [f"{name}\n{'*' * len(name)}\n\nIt is told here what they were like." for name in names]
    read = plain_document("\n\n".join(["Contents", *names, *parts]), "a.txt")
    assert [one.heading for one in read.sections if one.heading] == names


def test_sections_with_decimal_numbers_stand_below_their_chapters() -> None:
    parts = [
        f"Chapter {n}. The {name}\n\n{n}.1. Purpose\n\nIt was told."
        for n, name in ((1, "mills"), (2, "fields"))
    ]
    listed = "\n\n".join(
        [
            "Contents",
            "Chapter 1. The mills",
            "1.1. Purpose",
            "Chapter 2. The fields",
            "2.1. Purpose",
        ]
    )
    read = plain_document("\n\n\n".join([listed, *parts]), "a.txt")
    assert {one.heading[0]: one.level for one in read.sections if one.heading} == {
        "C": 1,
        "1": 2,
        "2": 2,
    }


def test_chapters_are_preferred_to_a_hundred_sections() -> None:
    sections = [
        Section(
            f"{title} {number}".strip(), (Paragraph("word " * (800 if level == 2 else 30)),), level
        )
        for title in ("Installation", "Tutorial", "Formats", "Reference", "Questions")
        for level, number in [(1, ""), *((2, str(number)) for number in range(1, 15))]
    ]
    assert len(chapters_of(Document("manual", tuple(sections))).chapters) == 5
