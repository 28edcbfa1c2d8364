"""True claims in other words raise no alarm, and those with one changed fact do."""

import pytest

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.results import Checked
from pagesum_cli.summary.check.tokens import LISTS


def check(claim: str, *texts: str, title: str = "", left_out: tuple[LeftOut, ...] = ()) -> Checked:
    sections = (Section("", tuple(map(Paragraph, texts))),)
    return Checker.of([Document("a.txt", sections, title, left_out=left_out)]).check(Claim(claim))


def test_a_line_of_a_table_of_words_is_not_joined_with_the_next_one() -> None:
    assert {"no", "refuted", "not"} <= LISTS["negation"]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Members pay not later than 60 days after the vote.",
         "Members pay within 60 days after the vote."),
        ("The fund has over 280 million shares in the market.",
         "The fund has more than 280M shares in the market."),
        ("At least 10 members must be in the room.", "10 or more members must be in the room."),
        ("The report is sent every year to the council.",
         "The report is sent on an annual basis to the council."),
        ("Exports to Norway doubled in the last decade.",
         "Exports to Norway rose twofold in the last decade."),
        ("Nearly half of the farmers lost their seed in spring.",
         "48.2 percent of the farmers lost their seed in spring."),
        ("About 300 people came to the hall in the evening.",
         "298 people came to the hall in the evening."),
        ("A third of the pupils went home before noon.",
         "33 % of the pupils went home before noon."),
        ("The trial took two weeks in a hall near Boston.",
         "The trial took 14 days in a hall near Boston."),
        ("The seventeen mills were sold to the town.", "The 17 mills were sold to the town."),
    ],
)  # fmt: skip
def test_the_same_in_other_words_is_edited(claim: str, text: str) -> None:
    checked = check(claim, text)
    assert checked.verdict in ("edited", "paraphrase"), checked.differences
    assert not {one.kind for one in checked.differences} - {
        "notation",
        "form",
        "wording",
        "omission",
    }


@pytest.mark.parametrize(
    ("claim", "text", "kind"),
    [
        ("Members pay not later than 90 days after the vote.",
         "Members pay within 60 days after the vote.", "number"),
        ("The fund has over 280 million shares in the market.",
         "The fund has more than 820M shares in the market.", "number"),
        ("More than 210 people came to the hall.", "More than 230 people came to the hall.",
         "number"),
        ("298 people came to the hall in the evening.",
         "About 300 people came to the hall in the evening.", "number"),
        ("There were restrictions on the sale of mills in the town.",
         "There were no restrictions on the sale of mills in the town.", "negation"),
        ("Anna Berg petitioned in 2009 to modify a child support order from 2014.",
         "In 2014, Anna Berg filed a petition to modify a 2009 child support order.", "order"),
    ],
)  # fmt: skip
def test_another_value_differs(claim: str, text: str, kind: str) -> None:
    checked = check(claim, text)
    assert checked.verdict == "differs"
    assert kind in {one.kind for one in checked.differences}


@pytest.mark.parametrize(
    ("claim", "text", "verdict"),
    [
        ("An imminent peak will cause a worldwide recession.",
         "In such circumstances, an imminent peak and sharp decline in oil production could cause "
         "a worldwide recession.", "differs"),
        ("A peak of oil could well cause some recession of the whole world.",
         "In such circumstances, an imminent peak of oil might cause a recession.", "paraphrase"),
        ("The chair must set the limits of the yard.",
         "The chair shall set the limits of the yard.",
         "edited"),
        ("The chair must not leave the yard.", "The chair shall not leave the yard.", "edited"),
        ("The chair may set the limits of the yard.", "The chair shall set the limits of the yard.",
         "differs"),
        ("The chair must set the limits of the yard.",
         "The chair should set the limits of the yard.",
         "differs"),
    ],
)  # fmt: skip
def test_what_may_be_is_not_what_must_be(claim: str, text: str, verdict: str) -> None:
    checked = check(claim, text)
    assert checked.verdict == verdict, checked.differences


@pytest.mark.parametrize(
    ("claim", "text", "verdict"),
    [
        ("The meeting ended at 9:35 p.m.",
         "With no further business to come before the board, Anna Berg adjourned the meeting at "
         "9:35 p.m.", "paraphrase"),
        ("Prices of bread rose in the spring.",
         "It is not true, as the king said, that prices of bread rose in the spring.", "differs"),
    ],
)  # fmt: skip
def test_a_negation_counts_where_it_denies(claim: str, text: str, verdict: str) -> None:
    checked = check(claim, text)
    assert checked.verdict == verdict, checked.differences


def test_an_insertion_has_no_mark_of_the_document_beside_it() -> None:
    checked = check(
        "The men were divided into two groups at a ratio of one to one.",
        "The men were divided into two groups (a ratio of one to two).",
    )
    assert ("insertion", "at", "") in [
        (it.kind, it.claim, it.document) for it in checked.differences
    ]


def test_what_is_left_out_of_a_reworded_sentence_is_no_change() -> None:
    checked = check(
        "Anna Berg petitioned in 2014 to modify a child support order from 2009.",
        "In 2014, Anna Berg filed a petition to modify a 2009 child support order.",
    )
    assert checked.verdict == "paraphrase"


REFERENCES = LeftOut("references", "Jain, R. and Sleiman, A. On mills. 2015.", 8, (9,))


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("According to Jain and Sleiman, prices rose because the harvest failed in the north.",
         "paraphrase"),
        ("According to Smith and Jones, prices rose because the harvest failed in the north.",
         "differs"),
        ("In the Report of April 2011, prices rose because the harvest failed in the north.",
         "paraphrase"),
        ("In the Report of June 2012, prices rose because the harvest failed in the north.",
         "differs"),
    ],
)  # fmt: skip
def test_names_of_references_and_titles_are_known_around_a_statement(
    claim: str, verdict: str
) -> None:
    text = "Prices rose because the harvest failed in the north."
    checked = check(claim, text, title="Report, 2011-04", left_out=(REFERENCES,))
    assert checked.verdict == verdict, checked.differences


def test_an_abbreviation_stands_for_its_long_form() -> None:
    texts = ("The Metropolitan Police Department (MPD) met.", "MPD shall count the cars in town.")
    checked = check("The Metropolitan Police Department shall count the cars in town.", *texts)
    assert checked.verdict == "edited"


@pytest.mark.parametrize(
    ("claim", "text", "kind"),
    [
        ("The packages there were modified by the attacker.",
         "No harm was done, and the packages were not modified, as the attacker left.", "negation"),
        ("Exploration went from crude oil to natural gas in spring.",
         "In spring they shifted exploration away from natural gas towards crude oil.", "order"),
        ("Doctors had longer shifts than nurses in the epidemic.",
         "In the epidemic nurses worked longer shifts than doctors.", "order"),
        ("In 2004 fewer cars were exported by Germany than by Japan.",
         "Germany exported more cars than Japan in 2004.", "opposite"),
        ("The excavation, led by Li, ran from September 2002 until March 2003.",
         "The archaeological project, led by Cheng-hwa Tsang, conducted a salvage excavation at "
         "the site from September 2002 to March 2003 (Li).", "name"),
    ],
)  # fmt: skip
def test_a_paraphrase_that_says_the_opposite_is_not_supported(
    claim: str, text: str, kind: str
) -> None:
    checked = check(claim, text)
    assert not checked.is_supported
    assert kind in {one.kind for one in checked.differences}


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("In the north the harvest was poor, so that prices rose.",
         "Prices rose because the harvest failed in the north."),
        ("A link of the chemical with cancer was not found by the panel.",
         "The panel found no link between the chemical and cancer."),
        ("Children under six need an adult in the pool.",
         "Children under six may not use the pool without an adult."),
    ],
)  # fmt: skip
def test_a_negation_in_other_words_is_none(claim: str, text: str) -> None:
    assert "negation" not in {one.kind for one in check(claim, text).differences}


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The CS [computer science] library is fast and good.", "edited"),
        ("The MS [computer science] library is fast and good.", "differs"),
    ],
)
def test_an_abbreviation_may_be_explained_in_brackets(claim: str, verdict: str) -> None:
    texts = ("Computer science (CS) is old.", "The CS library is fast and good.")
    assert check(claim, *texts).verdict == verdict


def test_a_paraphrase_names_the_words_that_its_passages_lack() -> None:
    text = "Noise associated with construction is permitted on weekdays, and 48.2 % complained."
    assert check("On weekdays gunfire is permitted.", text).missing_words == ("gunfire",)
    true = check("On weekdays it permitted the noises of construction.", text)
    assert (true.verdict, true.missing_words) == ("paraphrase", ())


@pytest.mark.parametrize(
    ("claim", "opposite"),
    [
        ("The May total demand was up 14.1% from the 10-year average.", "up"),
        ("Demand in May rose 14.1% against the 10-year average.", "rose"),
        ("Demand in May fell 14.1% against the 10-year average.", ""),
        ("Demand in May was down 14.1% from the 10-year average.", ""),
    ],
)  # fmt: skip
def test_what_rises_does_not_fall(claim: str, opposite: str) -> None:
    text = "The May total demand represents a decrease of 14.1% from the 10-year average."
    found = [one.claim for one in check(claim, text).differences if one.kind == "opposite"]
    assert found == [opposite] * bool(opposite)
