"""Statutes and contracts: what a clause does, under the headings above it."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.shapes.clauses import Rule, by_clause, has_clauses, kinds_of, rules, with_kinds
from pagesum_cli.summary.summary import Source, Summary, SummarySentence

ACT = Document(
    "act.md",
    (
        Section("Part 1 Mills", (), 1, "outline"),
        Section("3. Duties", tuple(map(Paragraph, ["The miller shall keep dry."] * 5)), 2),
        Section("4. Fines", tuple(map(Paragraph, ["A fine of £5 must be paid."] * 5)), 2),
    ),
    "The Mills Act",
)


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.kind)
def test_each_rule_finds_its_example_and_not_its_counter_example(rule: Rule) -> None:
    assert rule.kind in kinds_of(rule.example)
    assert rule.kind not in kinds_of(rule.counter)


def test_who_may_do_nothing_is_forbidden_and_who_is_entitled_is_permitted() -> None:
    assert kinds_of("No Member of the Board may hold more than one mill.") == ("prohibition",)
    text = "No person who is not a Member, other than the miller, shall be admitted."
    assert kinds_of(text) == ("prohibition",)
    assert kinds_of("Each Member shall be entitled to one vote.") == ("permission",)
    text = "If there is no quorum, the chair may close the meeting."
    assert kinds_of(text) == ("permission",)
    assert kinds_of("A low price may not mean wet flour.") == ()


@pytest.mark.parametrize(
    "text",
    [
        "Fees are paid under the Fees By-law, as may be amended from time to time.",
        "The stones may present a risk, and wet flour may cause harm.",
        "Whereas section 8 provides that a town may pass by-laws;",
        "This by-law may be referred to as the Mill By-law, and shall come into force in May.",
        "“Mill” has walls that may be moved and shall include a wheel that must turn.",
        "A delay will not constitute a waiver, and such a price shall not be deemed low.",
        "All dimensions are in metres unless otherwise indicated.",
        "The short title shall be the “Mill By-law”.",
        "The miller agrees that the baker has the right to the flour.",
    ],
)
def test_what_only_looks_like_a_rule_is_none(text: str) -> None:
    assert set(kinds_of(text)) <= {"definition"}


def test_an_age_is_no_deadline() -> None:
    text = "Every owner of a dog over the age of 12 weeks shall buy a licence."
    assert kinds_of(text) == ("obligation",)
    assert kinds_of("A miller must be at least 13 years old.") == ("obligation",)
    assert kinds_of("The miller shall report every 24 hours.") == ("deadline", "obligation")


def test_neither_party_may_do_what_is_forbidden_to_both() -> None:
    text = "Neither party may assign the mill without consent."
    assert kinds_of(text) == ("prohibition",)
    text = "No person under the age of eighteen (18) years shall open the sluice."
    assert kinds_of(text) == ("prohibition",)


def test_a_clause_can_do_several_things() -> None:
    text = "Unless the mill is closed, the miller shall deliver within 30 days."
    assert kinds_of(text) == ("deadline", "exception", "obligation")
    assert kinds_of("The mill is old.") == ()


def quotes(document: Document) -> Summary:
    """A summary of the first paragraph of each section."""
    texts = [(section.paragraphs[0].text, section.heading) for section in document.sections[1:]]
    starts = [document.text.index(text) for text, _ in texts]
    sentences = tuple(
        SummarySentence(text, (), Source(0, 0, "", heading, (), start, start + len(text)))
        for (text, heading), start in zip(texts, starts, strict=True)
    )
    return Summary("mini", "discourse", "", "", sentences, (), (), {}, {})


def test_the_summary_of_an_act_has_the_headings_above_each_clause() -> None:
    summary = by_clause(quotes(ACT), [ACT])
    assert [one.title for one in summary.paragraphs] == [
        "Part 1 Mills › 3. Duties",
        "Part 1 Mills › 4. Fines",
    ]
    assert [str(one.outcome) for one in summary.sentences] == ["obligation", "penalty, obligation"]


def test_the_quotes_of_a_book_of_clauses_say_what_they_do() -> None:
    book = quotes(ACT)
    assert [str(one.outcome) for one in with_kinds(book, [ACT]).sentences] == [
        str(one.outcome) for one in by_clause(book, [ACT]).sentences
    ]
    assert with_kinds(book, [ACT, ACT]) == book


def test_prose_is_no_act() -> None:
    prose = tuple(map(Paragraph, ["The miller is old.", "The mill must be mended."] * 2))
    story = Document("a.md", (Section("The mill", (*prose, *prose[:1] * 10)),), "The mill")
    assert has_clauses(ACT)
    assert not has_clauses(story)
    summary = quotes(ACT)
    assert by_clause(summary, [story]) is summary
