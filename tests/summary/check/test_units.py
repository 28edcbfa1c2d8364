"""Claims that join what a document keeps apart: lead-ins and items, speakers and what they say."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.results import Checked

LAW = (
    Paragraph("A person under the age of 18 may not:"),
    Paragraph("(a) drive a bus with passengers; or", label="(a)", body=4, depth=1),
    Paragraph("(b) fly a kite near an airport; or", label="(b)", body=4, depth=1),
    Paragraph("(c) row a boat on the lake.", label="(c)", body=4, depth=1),
)
HEARING = (
    Paragraph("6.129. The inquiry began in June.", label="6.129.", body=7),
    Paragraph("Mr Bates: I saw nothing at all. Yes.", body=10, speaker="Mr Bates"),
    Paragraph("Ms Lee: Who else was there that night?", body=8, speaker="Ms Lee"),
    Paragraph("Q. Did you sign the contract?", label="Q.", body=3),
    Paragraph("A. I signed it in London.", label="A.", body=3),
)


@pytest.fixture(scope="module")
def checker() -> Checker:
    sections = (Section("§ 3121", LAW), Section("Hearing", HEARING))
    return Checker.of([Document("a.txt", sections)])


def check(checker: Checker, text: str) -> Checked:
    return checker.check(Claim(text))


@pytest.mark.parametrize(
    "text",
    [
        "A person under the age of 18 may not drive a bus with passengers.",
        "A person under the age of 18 may not: (a) drive a bus with passengers; …",
        "A person under the age of 18 may not: drive a bus with passengers",
        "A person under the age of 18 may not: … (b) fly a kite near an airport; …",
        "A person under the age of 18 may not: … (c) row a boat on the lake.",
        "A person under the age of 18 may not: (a) drive a bus with passengers; or (b) fly a "
        "kite near an airport; …",
        "A person under the age of 18 may not: (a) drive a bus with passengers; or … (c) row a "
        "boat on the lake.",
        "(b) fly a kite near an airport; …",
        "fly a kite near an airport; or",
    ],
)
def test_a_lead_in_and_its_items_are_verbatim(checker: Checker, text: str) -> None:
    checked = check(checker, text)
    assert (checked.verdict, checked.differences) == ("verbatim", ())


def test_both_places_are_the_source(checker: Checker) -> None:
    checked = check(
        checker, "A person under the age of 18 may not: … (b) fly a kite near an airport; …"
    )
    item, lead_in = (place.sentence for place in checked.sources)
    assert item.text == "fly a kite near an airport; or"
    assert lead_in.text == "A person under the age of 18 may not:"


def test_the_place_is_that_of_the_item(checker: Checker) -> None:
    checked = check(checker, "A person under the age of 18 may not, fly a kite near an airport.")
    assert {one.kind for one in checked.differences} <= {"punctuation"}
    assert checked.sources[0].sentence.text == "fly a kite near an airport; or"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A person under the age of 16 may not: (a) drive a bus with passengers.", "number"),
        ("A person under the age of 18 may drive a bus with passengers.", "negation"),
        ("Ms Lee: I saw nothing at all.", "speaker"),
        ("Mr Smith: I saw nothing at all.", "speaker"),
        ("A: Did you sign the contract?", "speaker"),
        ("6.130. The inquiry began in June.", "label"),
        ("(c) fly a kite near an airport; …", "label"),
        ("“(c) fly a kite near an airport; or”", "label"),
        ("A person under the age of 18 may not: … (c) fly a kite near an airport; …", "label"),
    ],
)
def test_what_is_changed_differs(checker: Checker, text: str, kind: str) -> None:
    checked = check(checker, text)
    assert checked.verdict == "differs"
    assert kind in {one.kind for one in checked.differences}


def test_an_other_conjunction_is_no_copy(checker: Checker) -> None:
    text = (
        "A person under the age of 18 may not: (a) drive a bus with passengers; and (b) fly a "
        "kite near an airport."
    )
    assert check(checker, text).verdict != "verbatim"


@pytest.mark.parametrize(
    "text",
    [
        "6.129. The inquiry began in June.",
        "6.129 The inquiry began in June.",
        "The inquiry began in June. [citation]",
        "Mr Bates: I saw nothing at all.",
        "Bates: I saw nothing at all.",
        "Mr Bates: Yes.",
        "I saw nothing at all.",
        "Q: Did you sign the contract?",
        "Q. Did you sign the contract?",
        "A. I signed it in London.",
    ],
)
def test_a_sentence_with_its_speaker_or_label_is_verbatim(checker: Checker, text: str) -> None:
    assert check(checker, text).verdict == "verbatim"


def test_the_difference_names_who_said_it(checker: Checker) -> None:
    (one,) = check(checker, "Ms Lee: I saw nothing at all.").differences
    assert (one.claim, one.document, one.span) == ("Ms Lee", "Mr Bates", (0, 6))
