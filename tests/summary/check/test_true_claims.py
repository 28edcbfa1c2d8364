"""What states the same raises no alarm: capitals, titles, abbreviations, notations."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim, claims_of
from pagesum_cli.summary.check.results import Checked

LOUD = (
    "THE JOINT DEBT OF HARLOW MILL AND THE OTHER OWNERS UNDER THIS CONTRACT WILL NOT EXCEED $500 "
    "(FIVE)."
)
CELLS = "Cells of the farm express allele 35:01 and 6% of others express C1."
EGGS = (
    "Embryonated chicken eggs (ECEs) were bought in town.",
    "Each group had five ECEs in the trial.",
)
TESTS = "For the yields of the farms, two ways analysis (ANOVA) with Tukey post hoc test was used."


def check(claim: str, *texts: str) -> Checked:
    section = Section("", tuple(map(Paragraph, texts)))
    return Checker.of([Document("a.txt", (section,), "The Harlow mill")]).check(Claim(claim))


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("Harlow Mill's debt will not exceed $500.", [LOUD]),
        ("The joint debt of Harlow Mill and the other owners under this contract will not exceed "
         "$500 (five).", [LOUD]),
        ("THE OWNER MAY NOT SELL THE MILL TO LEE.", ["The owner may not sell the mill to Lee."]),
        ("The farms were compared by two-way ANOVA with Tukey's post hoc test.", [TESTS]),
        ("Cells of the farm express allele 35:01.", [CELLS]),
        ("Each group had five embryonated eggs in the trial.", EGGS),
        ("Members pay every two and a half years.", ["Members pay every 2.5 years."]),
        ("Members pay £40 a month for the hall.", ["Members pay £40 per month for the hall."]),
        ("In May, Smith opened the bridge.", ["In May, Mayor Smith opened the bridge."]),
        ("In May, Mayor Smith opened the bridge.", ["In May, Smith opened the bridge."]),
        ("In May, Mrs Smith opened the bridge.", ["In May, Mayor Smith opened the bridge."]),
        ("In May the council paid for the mill.", ["In May the Parish Council paid for the mill."]),
        ("The Harlow mill had 24 wheels, five of iron and 19 of oak.",
         ["In total, 24 wheels were built comprising five of iron and 19 of oak."]),
        ("The limit was 0.25 mg/ml for winter wheat.",
         ["Winter wheat had a limit of 0.25 mg/ml, while that for rye was 0.5 mg/ml."]),
    ],
)  # fmt: skip
def test_the_same_does_not_differ(claim: str, texts: list[str]) -> None:
    checked = check(claim, *texts)
    assert checked.verdict in ("verbatim", "edited", "paraphrase"), checked.differences


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("Harlow Mill's debt will not exceed $900.", [LOUD]),
        ("Harlow Mill's debt will exceed $500.", [LOUD]),
        ("Cells of the farm express allele 35:02.", [CELLS]),
        ("Each group had five chicken legs in the trial.", EGGS),
        ("Members pay every two and a half years.", ["Members pay every 3.5 years."]),
        ("Members pay £40 a month for the hall.", ["Members pay £40 per week for the hall."]),
        ("In May, Governor Smith opened the bridge.", ["In May, Mayor Smith opened the bridge."]),
        ("In May, President Smith opened it.", ["In May, Vice President Smith opened it."]),
        ("In May, Mayor Jones opened the bridge.", ["In May, Mayor Smith opened the bridge."]),
        ("The reactor yields 5 mW in summer.", ["The reactor yields 5 MW in summer."]),
    ],
)  # fmt: skip
def test_what_is_not_the_same_differs(claim: str, texts: list[str]) -> None:
    assert check(claim, *texts).verdict == "differs"


PLANS = (
    "Within 125 days of the date of this final report:",
    "The mill office will seek a permit for the new dam from the council.",
    "The mill office will also submit a plan to the council that details the steps for new dams.",
)
SECRETS = (
    "Secret words chosen randomly by the owner SHALL be at least 6 letters in length.",
    "Secret words SHALL be at least 8 letters in length if chosen by the tenant.",
)


def in_document(claim: str, texts: tuple[str, ...]) -> Checked:
    section = Section("", tuple(map(Paragraph, texts)))
    return Checker.of([Document("a.txt", (section,))]).check(Claim(claim))


@pytest.mark.parametrize(
    ("claim", "texts", "verdict"),
    [
        ("The mill office will submit to the council within 125 days a plan with steps for new "
         "dams.", PLANS, "paraphrase"),
        ("The mill office will submit to the council within 150 days a plan with steps for new "
         "dams.", PLANS, "differs"),
        ("Secret words chosen by the tenant must be at least 8 letters in length.", SECRETS,
         "paraphrase"),
        ("Secret words chosen by the tenant must be at least 9 letters in length.", SECRETS,
         "differs"),
    ],
)  # fmt: skip
def test_a_value_may_stand_in_another_sentence_or_in_the_lead_in_above(
    claim: str, texts: tuple[str, ...], verdict: str
) -> None:
    assert in_document(claim, texts).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("4.11.1. An officer shall be recalled at the end of the term.", "verbatim"),
        ("4.11.2. An officer shall be recalled at the end of the term.", "differs"),
        ("4.12.1. The board meets on the first day of May in the hall.", "paraphrase"),
        ("4.5 tons of rye were sold in the hall on the first day.", "differs"),
    ],
)
def test_the_number_of_a_clause_is_that_of_its_text(claim: str, verdict: str) -> None:
    paragraphs = (
        Paragraph("An officer shall be recalled at the end of the term.", label="4.11.1."),
        Paragraph("An officer may be recalled by the members.", label="4.11.2."),
        Paragraph("The board meets on the first day of May in the hall."),
        Paragraph("3.5 tons of rye were sold in the hall on the first day."),
    )
    documents = [Document("a.txt", (Section("", paragraphs),))]
    (one,) = claims_of(claim, (), ())
    assert Checker.of(documents).check(one).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        (
            "Seven strains of the virus were isolated, and their genes were identical.",
            [
                "The genes of these seven strains of the virus were identical.",
                "The genes of virus strain BJDX-01-2015 isolated in May were like others.",
            ],
        ),
        (
            "The Harlow trial enrolled 79 farmers in 24 villages in May.",
            [
                "The Harlow trial was done in 24 villages.",
                "In May, 79 farmers were enrolled.",
                "The data of the 38 farmers enrolled in the Lee trial in villages of the valley "
                "are similar to those of the Harlow trial.",
            ],
        ),
    ],
)
def test_a_value_of_something_else_is_no_other_value(claim: str, texts: list[str]) -> None:
    assert check(claim, *texts).verdict != "differs"


BONDS = (
    "The owner shall warrant the new trees of the valley and replace "
    "those which did not survive for a period of no less than five (5) years.",
)
PRICE = (
    "The council authorized the clerk to buy 44 wide buses for the valley at a price not to exceed "
    "$3,100,654.",
)


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("The new trees of the valley must be good for five years.", BONDS),
        ("The 44 wide buses for the valley will cost no more than $3,100,654.", PRICE),
        ("The rye of the farms was not seen at all.",
         ("The rye of the farms was not at all seen.",)),
    ],
)  # fmt: skip
def test_numbers_and_denials_in_other_words_are_no_difference(
    claim: str, texts: tuple[str, ...]
) -> None:
    assert check(claim, *texts).verdict != "differs"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The owner must file a form with the town within ten days of the cutting.",
         "Within seven (7) days of the cutting, the owner must file a form with the town that has "
         "all of its facts."),
        ("The council clearly helped the farms of the valley in spring.",
         "The council did not much help the farms of the valley in spring."),
    ],
)  # fmt: skip
def test_another_number_of_the_same_noun_and_a_denial_differ(claim: str, text: str) -> None:
    assert check(claim, text, "Ten days later, it rained.").verdict == "differs"


FILLER = " ".join(f"The farm had {number} wheels in that year." for number in range(40))
BAIL = (
    FILLER,  # names at either end may stand beside any sentence
    "Ernest Lee, 37, of Harlow, is charged with 49 counts of lending money.",
    "Lee is out of custody on bail and is due in the county court in June.",
    "Mayor Ann Moss moved to adopt the budget, and Bill Moss voted against it.",
    "Moss moved to close the meeting at nine in the evening.",
    "John Hill III, 36, of Harlow, was found guilty yesterday of theft.",
    FILLER,
)
TERMS = (
    "No person shall park a boat at the landing for a period of more than five (5) days.",
    "The customer will have 15 days (the “Test Period”) after the delivery to review the work.",
    "Members shall report to the clerk bi-weekly from the first of May.",
)


@pytest.mark.parametrize(
    ("claim", "texts", "verdict"),
    [
        ("Ernest Lee is out of custody on bail.", BAIL, "edited"),
        ("Lee is charged with 49 counts of lending money.", BAIL, "paraphrase"),
        ("John Hill was found guilty yesterday of theft.", BAIL, "edited"),
        # several people have this last name
        ("Ann Moss moved to close the meeting at nine in the evening.", BAIL, "differs"),
        ("No person may park a boat at the landing for a period of more than five days.",
         TERMS, "edited"),
        ("No person may park a boat at the landing for a period of more than six days.",
         TERMS, "differs"),
        ("The customer has 15 days after the delivery to review the work.", TERMS, "paraphrase"),
        ("The customer has 16 days after the delivery to review the work.", TERMS, "differs"),
        ("Members will report to the clerk every two weeks from the first of May.",
         TERMS, "paraphrase"),
        ("Members will report to the clerk every two months from the first of May.",
         TERMS, "differs"),
    ],
)  # fmt: skip
def test_full_names_and_terms_of_contracts(
    claim: str, texts: tuple[str, ...], verdict: str
) -> None:
    checked = check(claim, *texts)
    assert checked.verdict == verdict, checked.differences


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Fees for the hall are refundable.", "Fees for the hall are non-refundable."),
        ("Fees for the hall are non-refundable.", "Fees for the hall are refundable."),
        ("Fees for the hall are refundable on demand.",
         "Fees for the hall are non refundable on demand."),
        ("Fees for the hall are transferable.", "Fees for the hall are nontransferable."),
        ("The trust is a voting member of the mill.",
         "The trust is a non-voting member of the mill."),
        ("The levy of the mill is enforceable.", "The levy of the mill is un-enforceable."),
    ],
)  # fmt: skip
def test_a_negative_beginning_denies(claim: str, text: str) -> None:
    checked = check(claim, text)
    assert checked.verdict == "differs"
    assert [one.kind for one in checked.differences] == ["negation"]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The mill sold food and goods.", "The mill sold food and non-food goods."),
        ("The hall is nonrefundable for members.", "The hall is non-refundable for members."),
        ("The fees of the hall are not refundable.", "The fees of the hall are non-refundable."),
        ("The mission of Harlow was backed.", "The UN-backed mission of Harlow was backed."),
    ],
)  # fmt: skip
def test_a_negative_beginning_of_other_words_denies_nothing(claim: str, text: str) -> None:
    assert check(claim, text).verdict in ("edited", "paraphrase")


@pytest.mark.parametrize(
    ("said", "there"), [("vacated", "affirmed"), ("overruled", "sustained"), ("upheld", "vacated")]
)
def test_decisions_of_courts_are_opposites(said: str, there: str) -> None:
    checked = check(
        f"The court {said} the order of the mill.", f"The court {there} the order of the mill."
    )
    assert [one.kind for one in checked.differences] == ["opposite"]


DEPOSITS = (
    "Records of the mill showed large deposits on at least 19 occasions totaling $65,610 during "
    "the years 2020 and 2021."
)


@pytest.mark.parametrize(
    ("amount", "year", "verdict"),
    [
        ("65,610", "2021", "paraphrase"),
        ("65,910", "2021", "differs"),
        ("65,610", "2022", "differs"),
    ],
)
def test_the_year_may_be_a_bare_number(amount: str, year: str, verdict: str) -> None:
    claim = (
        f"Large deposits totaling ${amount} were found on at least 19 occasions in 2020 and {year}."
    )
    assert check(claim, DEPOSITS).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "text", "verdict"),
    [
        ("The oil of the mill had limonene and hexanal.",
         "The oil of the mill had hexanal and limonene.", "edited"),
        ("The oil had E-hex-2-enal, limonene, and hexanal in all tests.",
         "The oil had hexanal, E-hex-2-enal and limonene in all tests.", "edited"),
        ("The oil of the mill had limonene or hexanal.",
         "The oil of the mill had hexanal and limonene.", "differs"),
        ("The limits for men and women were 5 and 7.",
         "The limits for women and men were 5 and 7.", "differs"),
        ("The mill is run by Mayor Lee and Berg.", "The mill is run by Mayor Berg and Lee.",
         "differs"),
        ("The mill was run by Lee and Berg of Boston.",
         "The mill was run by Berg and Lee of Boston.", "differs"),
        ("Cats ate rats and dogs ate mice.", "Cats ate dogs and rats ate mice.", "differs"),
        ("Lee saw Berg and Smith left.", "Lee saw Smith and Berg left.", "differs"),
    ],
)  # fmt: skip
def test_items_of_a_list_may_change_places(claim: str, text: str, verdict: str) -> None:
    assert check(claim, text).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Boston approved the plan in May.", "The City of Boston approved the plan in May."),
        ("Guilds must report to us by noon.", "All guilds must report to us by noon."),
        ("The mill guild got 1,575 in all.", "The mill guild got $1,575 in all."),
    ],
)  # fmt: skip
def test_what_changes_nothing_is_no_difference(claim: str, text: str) -> None:
    assert check(claim, text).verdict != "differs"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        # the value is on another line, below the name
        ("The mill office receives $27,000 from the general fund in the year 2025.",
         "The sum of $7,150 is appropriated from the general fund in the year 2025 to the towns."
         "\n\nThe mill office\n\nGeneral fund $27,000"),
        # the numbers of two sentences
        ("Nine of the 11 mills were in the north and two were in the south.",
         "The guild had 11 mills in that year, all of which were of stone and had a wheel. Nine "
         "were in the north, and two were in the south."),
        # the day has an hour beside it
        ("Guilds must report the state of all the mills by June 28, 2021.",
         "For all mills, guilds must do the following by 12:00 pm on Monday, June 28, 2021: Report "
         "to the council the state of all the mills."),
        # the capitals of a note
        ("The mill received a one-day closure, put off for six months, for crowding.",
         "One Day Closure, put off for six months, for crowding at the hall."),
        # the number in front of the same noun
        ("City inspectors served Lee with notices of violations on four occasions.",
         "On four different occasions, in May 2011, June 2011, April 2013 and August 2014, City "
         "inspectors served Lee and Berg, at three separate sites, with notices of violations."),
        # a name goes on
        ("St. Francis agreed to pay $9 million for claims from 1997 through 1999.",
         "Today the office announced a settlement with St. Francis Hospital, Inc., which agreed to "
         "pay $9 million to resolve billing claims from 1997 through 1999."),
    ],
)  # fmt: skip
def test_a_claim_of_several_places_does_not_differ(claim: str, text: str) -> None:
    assert check(claim, text).verdict == "paraphrase"
