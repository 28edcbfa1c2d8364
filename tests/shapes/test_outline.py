"""The sentences of a book's summary: an overview, and lines by the words of the chapters."""

from dataclasses import replace

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.outline import Division, outlined, titles_in
from pagesum_cli.shapes.points import Point

TOPICS = ["rivers", "harvests", "mills", "bridges", "markets", "fevers"]
DIVISIONS = [
    Division(f"Chapter {number}: {topic.title()}", 4000) for number, topic in enumerate(TOPICS, 1)
]


def points() -> list[Point]:
    """Four sentences of each chapter with words of their own, the first the best."""
    return [
        Point(
            (chapter, place),
            chapter,
            f"{topic} {' '.join(f'{topic[:3]}{place}w{n}' for n in range(9))}.",
            -float(place),
        )
        for chapter, topic in enumerate(TOPICS)
        for place in range(4)
    ]


def test_every_chapter_has_a_line_beside_the_overview() -> None:
    outline = outlined(points(), DIVISIONS, GenerationOptions())
    assert 3 <= len(outline.overview) <= 5
    groups = [one.group for one in outline.overview]
    # two from the beginning
    assert all(groups.count(group) <= 1 + (group == 0) for group in groups)
    assert all(outline.lines)
    assert len({one.text for one in outline.points}) == len(outline.points)


def test_the_overview_is_the_passage_that_introduces_the_book() -> None:
    texts = [
        "Grinder is a program that grinds the corn of villages.",
        "It needs no wind, since it runs where water falls.",
        "The license is in another file.",
        "Every sack of flour has a number.",
    ]
    passage = [
        Point(
            (0, number),
            0,
            text,
            -float(number),
            stands=number in (0, 3),
            is_whole=number != 2,
            number=number,
        )
        for number, text in enumerate(texts)
    ]
    passage[1] = replace(passage[1], follows=True)
    others = [one for one in points() if one.group]
    overview = outlined([*passage, *others], DIVISIONS, GenerationOptions(), "Grinder").overview
    assert [one.text for one in overview[:3]] == [texts[0], texts[1], texts[3]]


def test_an_abstract_is_the_overview_unless_none_of_it_stands_alone() -> None:
    divisions = [Division("Abstract", 100), *DIVISIONS[1:]]
    abstract = [one.text for one in points() if one.group == 0]
    assert [
        one.text for one in outlined(points(), divisions, GenerationOptions()).overview
    ] == abstract
    dangling = [
        replace(one, stands=False, is_whole=False) if one.group == 0 else one for one in points()
    ]
    assert [
        one.text for one in outlined(dangling, divisions, GenerationOptions()).overview
    ] != abstract


def test_a_stub_has_none_and_a_large_chapter_more() -> None:
    divisions = [
        Division("A stub", 20),
        Division("A large one", 9_000),
        *(Division(one.title, 1_000) for one in DIVISIONS[2:]),
    ]
    lines = outlined(points(), divisions, GenerationOptions()).lines
    assert not lines[0]
    assert len(lines[1]) > len(lines[2]) == 1


def test_a_long_book_has_more_lines_than_chapters() -> None:
    long = [Division(one.title, 9_000) for one in DIVISIONS]
    number = sum(map(len, outlined(points(), long, GenerationOptions()).lines))
    assert number > sum(map(len, outlined(points(), DIVISIONS, GenerationOptions()).lines))


def test_the_number_of_words_counts_for_all_of_it() -> None:
    for words in (100, 160):
        outline = outlined(points(), DIVISIONS, GenerationOptions(words=words))
        assert 0.8 * words <= sum(one.words for one in outline.points) <= 1.1 * words
    assert len(outlined(points(), DIVISIONS, GenerationOptions(sentences=8)).points) == 8


def test_an_overview_has_no_sentence_that_needs_another() -> None:
    dangling = [
        Point(one.place, one.group, one.text, one.score, needs_context=True, stands=False)
        for one in points()
    ]
    outline = outlined(dangling, DIVISIONS, GenerationOptions())
    assert not outline.overview
    assert all(outline.lines)  # there is nothing else


def test_an_overview_says_what_the_subject_is_and_tells_nobody_what_to_do() -> None:
    others = points()
    first = others[0]
    others[0] = Point(
        first.place,
        first.group,
        "Set the sluices of every mill before the flood comes.",
        9.0,
        stands=False,
    )
    others[3] = Point(
        (0, 3), 0, "Millwright is a guide for the owners of mills on small rivers.", -9.0
    )
    overview = outlined(others, DIVISIONS, GenerationOptions(), "The Millwright").overview
    assert others[3] in overview
    assert others[0] not in overview


def test_a_chapter_names_its_sections_and_has_a_line_only_if_one_is_clear() -> None:
    sections = ("Sluices", "Weirs")
    divisions = [replace(one, sections=sections) for one in DIVISIONS]
    others = [
        replace(one, score=one.score + 9 * (one.group != 2), stands=one.group != 3)
        for one in points()
    ]
    outline = outlined(others, divisions, GenerationOptions())
    assert [bool(lines) for lines in outline.lines] == [True, True, False, False, True, True]
    assert outline.sections == [sections] * len(DIVISIONS)


def test_a_number_of_words_is_for_quotes_alone() -> None:
    divisions = [replace(one, sections=("Sluices", "Weirs")) for one in DIVISIONS]
    assert not any(outlined(points(), divisions, GenerationOptions(words=160)).sections)


def test_licences_and_indexes_have_no_line() -> None:
    divisions = [replace(one, title="Index") if n == 4 else one for n, one in enumerate(DIVISIONS)]
    outline = outlined(points(), divisions, GenerationOptions())
    assert not outline.lines[4]
    assert all(outline.lines[:4])


def test_a_book_in_another_language_has_lines() -> None:
    others = [replace(one, stands=False) for one in points()]
    outline = outlined(others, DIVISIONS, GenerationOptions())
    assert outline.overview
    assert all(outline.lines)


def test_the_titles_of_sections_are_named_without_numbers_and_each_once() -> None:
    def chapter(*headings: str) -> Document:
        text = (Paragraph("The mill stands at the river."),)
        sections = [Section(heading, text, 2, "style") for heading in headings]
        return Document("a.txt", (Section("3 Mills", text, 1, "style"), *sections))

    found = titles_in(chapter("3.1 Sluices", "3.2 Introduction", "3.3 Weirs", "3.4 Sluices"))
    assert found == ("Sluices", "Weirs")
    assert titles_in(chapter("3.1 Sluices")) == ()
    many = titles_in(chapter(*(f"3.{n} Sluice {chr(64 + n)}" for n in range(1, 12))))
    assert many[-1] == "…"
    assert len(many) < 11


def test_chapters_do_not_repeat_each_other() -> None:
    alike = [
        replace(one, text=f"The macro {TOPICS[one.group]} is recognized only with parameters.")
        for one in points()
    ]
    divisions = [replace(one, sections=("Sluices", "Weirs")) for one in DIVISIONS]
    assert len(outlined(alike, divisions, GenerationOptions()).points) == 1


def test_a_history_of_changes_has_no_line() -> None:
    divisions = [
        replace(one, title="Changelog/History") if n == 4 else one
        for n, one in enumerate(DIVISIONS)
    ]
    assert not outlined(points(), divisions, GenerationOptions()).lines[4]


def test_an_abstract_is_the_overview_unless_a_length_is_asked_for() -> None:
    divisions = [Division("Abstract", 80), *DIVISIONS[1:]]
    outline = outlined(points(), divisions, GenerationOptions())
    assert [one.place for one in outline.overview] == [(0, place) for place in range(4)]
    assert not outline.lines[0]
    assert len(outlined(points(), divisions, GenerationOptions(sentences=6)).overview) < 4
    assert {one.group for one in outlined(points(), DIVISIONS, GenerationOptions()).overview} > {0}
