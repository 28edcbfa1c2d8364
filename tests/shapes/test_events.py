"""News articles on one event, and others."""

from dataclasses import replace

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.shapes.events import are_of_one_event, arranged, by_day
from pagesum_cli.shapes.files import are_unrelated
from pagesum_cli.summary.summary import Source, Summary, SummarySentence

FLOOD = [
    "The river Marl rose above its banks near Harlow on Sunday and flooded two villages.",
    "Rescuers brought families from flooded houses near Harlow to safety on Sunday night.",
    "The village of Harlow counted its losses on Monday after the Marl flooded its houses.",
]
FAIR = [
    "A Ferris wheel stopped at the county fair on Saturday with twelve riders on board.",
    "Riders of the Ferris wheel were brought down by ladder on Saturday, the county said.",
    "The county closed the fair on Sunday until its Ferris wheel has been inspected.",
]
MANUALS = ["The mill grinds wheat between two stones.", "The stones of the mill grind wheat."]


def documents(*texts: str) -> list[Document]:
    return [
        Document(f"{n}.txt", (Section("", (Paragraph(text),)),)) for n, text in enumerate(texts)
    ]


def test_articles_alike_are_of_one_event() -> None:
    assert are_of_one_event(documents(*FLOOD))
    assert are_of_one_event(documents(*FAIR))


def test_articles_on_two_events_have_no_common_subject() -> None:
    both = documents(*FLOOD, *FAIR)
    assert not are_of_one_event(both)
    assert are_unrelated(both)


def test_texts_that_name_no_day_are_no_news() -> None:
    assert not are_of_one_event(documents(*MANUALS))


def test_a_text_in_many_sections_is_no_article() -> None:
    sections = tuple(Section(f"Part {n}", (Paragraph(FLOOD[0]),)) for n in range(6))
    assert not are_of_one_event([Document("a.txt", sections), Document("b.txt", sections)])


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (("The Herald, 3 May 2024", "4 May 2024", "AP, 9 May 2024"), True),
        (("3 May 2024", "", "AP"), True),
        (("3 May 2024", "4 May 2024", "3 May 2025"), False),
        # months later, with most words and the names in common
        (("3 May 2024", "4 May 2024", "3 February 2025"), True),
    ],
)
def test_dates_are_near_each_other(days: tuple[str, ...], expected: bool) -> None:
    dated = [replace(one, origin=day) for one, day in zip(documents(*FLOOD), days, strict=True)]
    assert are_of_one_event(dated) is expected


def test_files_are_in_the_order_of_their_days_if_all_are_known() -> None:
    days = ("5 May 2024", "AP, 3 May 2024", "4 May 2024")
    dated = [replace(one, origin=day) for one, day in zip(documents(*FLOOD), days, strict=True)]
    assert by_day(dated) == ["1.txt", "2.txt", "0.txt"]
    assert by_day([*dated[:2], replace(dated[2], origin="AP")]) == ["0.txt", "1.txt", "2.txt"]


def test_quoted_clauses_keep_their_marks_in_a_brief_summary() -> None:
    clause = "Every miller shall keep the stones of the mill dry."
    sections = tuple(Section(f"Part {n}", (Paragraph(clause),)) for n in range(10))
    rules = [Document("a.md", sections, "Mill policy")]
    source = Source(0, 0, "a.md", "Part 0", (), 0, len(clause))
    sentence = SummarySentence(clause, (), source)
    quoted = Summary("mini", "discourse", "", clause, (sentence,), (), (), {}, {})
    assert not arranged(quoted, rules, brief=True).paragraphs
    told = replace(quoted, sentences=(replace(sentence, text="The brook is cold."),))
    assert arranged(told, rules, brief=True).paragraphs
