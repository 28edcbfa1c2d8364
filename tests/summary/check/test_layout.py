"""What a copy from a PDF loses or adds is no difference; the same in a text is one."""

import pytest

from pagesum_cli.documents.boxes import pack
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim

TEXT = "The old council {} met in the hall to hear what the farmers said."
BOX = (72.0, 700.0, 500.0, 712.0)


def verdict(claim: str, text: str, lines: tuple[int, ...] = (), *, is_drawn: bool = True) -> str:
    boxes = pack((line, 1, BOX) for line in (0, *lines)) if is_drawn else b""
    paragraph = Paragraph(text, ((0, 1),), line_boxes=boxes)
    checker = Checker.of([Document("a.pdf", (Section("", (paragraph,)),))])
    return checker.check(Claim(claim)).verdict


@pytest.mark.parametrize(
    ("copied", "drawn"),
    [
        ("(CO2)", "(CO₂)"),
        ("CH2 Cl2", "CH₂Cl₂"),
        ("ω3", "ω₃"),
        ("of 5 mL-1", "of 5 mL⁻¹"),
        ("of 5 km2", "of 5 km²"),
        ("of CD34+ cells", "of CD34⁺ cells"),
        ("of Mg2+ and SO42− ions", "of Mg²⁺ and SO₄²⁻ ions"),
        ("of 30 mA g-1", "of 30 mA g⁻¹"),
        ("of 2 A g-1", "of 2 A g⁻¹"),
        ("of 2 µL\nL-1", "of 2 µL L⁻¹"),
        ("of 300 mgml-1 s-1", "of 300 mgml⁻¹ s⁻¹"),
        ("the \ue103rst men", "the first men"),
        ("of CCA\u200bGCA", "of CCAGCA"),
        ("with 3 × 106 cells", "with 3 × 10⁶ cells"),
        ("of 5mm", "of 5 mm"),
        ("of φ 2", "of φ2"),
        ("of trans-\u00adp-\u00adol 8-\u00addien", "of trans-p-ol 8-dien"),
        ("of twenty-ﬁve", "of twenty-five"),
    ],
)
def test_what_a_copy_of_a_page_has_otherwise_is_verbatim(copied: str, drawn: str) -> None:
    assert verdict(TEXT.format(copied), TEXT.format(drawn)) == "verbatim"


@pytest.mark.parametrize(
    ("claim", "drawn"),
    [
        ("of 106 men", "of 10⁶ men"),
        ("of x2 men", "of x² men"),
        ("of n-1 men", "of n⁻¹ men"),
        ("of g-1 men", "of g⁻¹ men"),
        ("of a set L-1", "of a set L⁻¹"),
        ("of 42+ men", "of 4²⁺ men"),
        ("of 10-2 men", "of 10⁻² men"),
        ("of 102 men", "of 10₂ men"),
        ("of 2100 men", "of 2 100 men"),
        ("of nowhere", "of now here"),
        ("to resign", "to re-sign"),
        ("of 2040k", "of 20-40k"),
        ("of 5 mg", "of 5 ㎎"),
        ("of Table9", "of Table 8"),
    ],
)
def test_another_statement_is_no_copy_of_a_page(claim: str, drawn: str) -> None:
    for left, right in ((claim, drawn), (drawn, claim)):
        assert verdict(TEXT.format(left), TEXT.format(right)) != "verbatim"


@pytest.mark.parametrize(("claim", "text"), [("(CO2)", "(CO₂)"), ("of km2", "of km²")])
def test_a_text_that_is_not_drawn_is_compared_as_it_is(claim: str, text: str) -> None:
    assert verdict(TEXT.format(claim), TEXT.format(text), is_drawn=False) == "edited"


@pytest.mark.parametrize(
    ("joined", "hyphened"),
    [("antiviral", "anti-viral"), ("COVID19", "COVID-19"), ("3octanone", "3-octanone")],
)
def test_a_hyphen_at_the_end_of_a_line_may_be_none(joined: str, hyphened: str) -> None:
    claim, text = TEXT.format(joined), TEXT.format(hyphened)
    line = text.index("-") + 1
    assert verdict(claim, text, (line,)) == "verbatim"
    assert verdict(text, text, (line,)) == "verbatim"
    assert verdict(claim, text, (4,)) != "verbatim"


def test_a_range_at_the_end_of_a_line_stays_one() -> None:
    claim, text = TEXT.format("of 250300 men"), TEXT.format("of 250-300 men")
    assert verdict(claim, text, (text.index("-") + 1,)) == "differs"


def test_a_word_may_be_hyphened_at_one_place_and_not_at_another() -> None:
    text = TEXT.format("of ICG-acid") + " " + TEXT.format("of ICG-acid")
    claim = TEXT.format("of ICG-acid") + " " + TEXT.format("of ICGacid")
    text, claim = (one.replace("said. The", "said, the") for one in (text, claim))
    assert verdict(claim, text, (text.rindex("ICG-") + 4,)) == "verbatim"
