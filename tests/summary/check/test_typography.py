"""Only typographic variants are verbatim the same: nothing else, whatever the character."""

import random
import sys
import unicodedata
from collections import defaultdict

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.results import Checked
from pagesum_cli.summary.check.typography import typographic
from pagesum_cli.text.cleaning import one_line

TEXT = "The old council {} met in the hall to hear what the farmers said"


def check(claim: str, text: str, *, is_part: bool = False) -> Checked:
    document = Document("a.txt", (Section("", (Paragraph(text),)),))
    return Checker.of([document]).check(Claim(claim, is_part))


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("He said ‘it is “well-known” – so it is’.", "He said “it is 'well‑known' — so it is”."),
        ("The ﬁrst oﬀice of ｔｈｅ town was 𝑥 wide.", "The first office of the town was x wide."),
        ("The implemen-\ntation of a re\u00adport.", "The implementation of a report."),
        ("It is 37 ◦C in the\u00a0 hall of the town...", "It is 37°C in the hall of the town…"),
        ("Re\u0301sume\u0301s of the people came to town.", "Résumés of the people came to town."),
        ("We don´t know l`homme of the old town.", "We don't know l’homme of the old town."),
        ("They call it `new town' in the hall.", "They call it 'new town' in the hall."),
        ("it grew by −5 to 10—20 % in a year", "It grew by -5 to 10–20% in a year."),
    ],
)  # fmt: skip
def test_typographic_variants_are_verbatim(claim: str, text: str) -> None:
    checked = check(claim, text)
    assert (checked.verdict, checked.differences) == ("verbatim", ())


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        ("½", "12", "differs"),
        ("20 ℃", "20 ℉", "differs"),
        ("5 ㎍", "5 ㎎", "differs"),
        ("－5", "5", "differs"),
        ("10⁶", "106", "differs"),
        ("10¹ men", "10 men", "edited"),
        ("now here", "nowhere", "differs"),
        ("not able", "notable", "differs"),
        ("re-sign", "resign", "edited"),
        ("Table 2 100", "Table 2100", "differs"),
        ("x ∉ A", "x ∈ A", "differs"),
        ("↑", "↓", "differs"),
        ("✗", "✓", "differs"),
        ("₹5", "₿5", "differs"),
        ("a ≪ b", "a ≫ b", "differs"),
        ("¬ A", "A", "differs"),
        ("résumés", "resumes", "edited"),
        ("20-40k", "2040k", "differs"),
        ("5′ long", "5″ long", "differs"),
        ("की", "का", "paraphrase"),
        ("a_b", "ab", "edited"),
        ("farm´", "farm'", "edited"),
        ("´farm´", "'farm'", "edited"),
        ("5´ long", "5' long", "edited"),
        ("x ´ y", "x ' y", "edited"),
        ("farm`", "farm'", "edited"),
        ("x ` y", "x ' y", "edited"),
    ],
)
def test_other_characters_are_differences(one: str, other: str, verdict: str) -> None:
    for left, right in ((one, other), (other, one)):
        assert check(TEXT.format(left), TEXT.format(right)).verdict in (verdict, "differs")


def test_a_question_is_no_statement() -> None:
    (difference,) = check("Bread is cheap in June.", "Bread is cheap in June?").differences
    assert difference.kind == "question"


@pytest.mark.parametrize("text", ["It was −5 degrees in June.", "It was 2½5 degrees in June."])
def test_a_part_begins_at_a_word(text: str) -> None:
    assert check("5 degrees in June", text, is_part=True).verdict != "verbatim"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The budget was 4 million euros.", "The budget was 4,000,000 euros."),
        ("The budget was €4 million.", "The budget was 4,000,000 euros."),
        ("They met on May 3, 2024.", "They met on 3 May 2024."),
        ("They met on 2024-05-03.", "They met on 3rd May 2024."),
        ("The span is 5 kilometres long.", "The span is 5 km long."),
        ("It ran at 60 kilometres per hour.", "It ran at 60 km/h."),
        ("The value is 0.5 in all cases.", "The value is 0.50 in all cases."),
        ("The value is ½ in all cases.", "The value is 0.5 in all cases."),
        ("They took 2 1/2 cups of rye.", "They took 2.5 cups of rye."),
        ("The US army built the tower.", "The U.S. army built the tower."),
        ("It was 20 degrees Celsius in the hall.", "It was 20 °C in the hall."),
        ("It was 20 ℃ in the hall.", "It was 20 °C in the hall."),
        ("About 3 × 10⁶ cells were counted.", "About 3 million cells were counted."),
        ("About 10^6 cells were counted.", "About 10⁶ cells were counted."),
        ("All H2O was gone by then.", "All H₂O was gone by then."),
        ("Then twenty-five men came to town.", "Then 25 men came to town."),
    ],
)  # fmt: skip
def test_the_same_value_in_another_notation_is_no_change(claim: str, text: str) -> None:
    for left, right in ((claim, text), (text, claim)):
        checked = check(left, right)
        kinds = {one.kind for one in checked.differences}
        assert (checked.verdict, "notation" in kinds) == ("edited", True), checked.differences


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Sales rose from 20 to 10 million.", "Sales rose from 10 to 20 million."),
        ("The budget was 4 billion euros.", "The budget was 4,000,000 euros."),
        ("They met on May 4, 2024.", "They met on 3 May 2024."),
        ("It runs on Python 3.1 today.", "It runs on Python 3.10 today."),
        ("The span is 5 miles long.", "The span is 5 km long."),
    ],
)
def test_another_value_differs(claim: str, text: str) -> None:
    assert check(claim, text).verdict == "differs"


def test_no_other_character_is_verbatim() -> None:
    by_category = defaultdict(list)
    for code in range(sys.maxunicode + 1):
        by_category[unicodedata.category(chr(code))].append(chr(code))
    chance = random.Random(1)
    for _ in range(400):
        one, other = (chance.choice(by_category[chance.choice([*by_category])]) for _ in "12")
        word = "farm"
        place = chance.randrange(5)
        pair = [TEXT.format(word[:place] + mark + word[place:]) for mark in (one, other)]
        left, right = (one_line(text) for text in pair)
        if is_same(left, right):
            continue
        assert check(left, right).verdict != "verbatim", (left, right)


def is_same(one: str, other: str) -> bool:
    """Whether two texts are the same but for variants of their characters."""
    return _folded(one) == _folded(other)


def _folded(text: str) -> str:
    """Single and double quotation marks are the same, too."""
    return " ".join(typographic(text).replace('"', "'").split())


def test_a_dash_of_vertical_text_is_a_dash() -> None:
    assert check(TEXT.format("︲"), TEXT.format("–")).verdict == "verbatim"


def test_a_sign_of_omission_is_no_part_of_a_verbatim_quote() -> None:
    assert check(TEXT.format("… now"), TEXT.format("now")).verdict == "edited"
