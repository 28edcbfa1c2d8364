"""What is drawn is read, not the other words that a file gives for it, except for glyphs that do
not say themselves what they are.
"""

import pytest
from pdf_resources import with_resources
from pdf_writer import LINES, PROSE, Sheet, write

from pagesum_cli.documents.pdf.actual_text import do_agree
from pagesum_cli.documents.pdf.reader import pdf_document


def read(span: str, drawn: str) -> str:
    """What is read of a last line that is drawn in a span."""
    sheet = Sheet()
    sheet.lines(72, 700, LINES)
    sheet.operators.append(f"BT /F1 10 Tf 72 628 Td {span} {drawn} EMC ET")
    document = pdf_document(with_resources(write([sheet])), "a.pdf", "a.pdf")
    assert document.sections[0].text.startswith(f"{PROSE} ")
    return document.sections[0].text.removeprefix(f"{PROSE} ")


@pytest.mark.parametrize(
    ("given", "drawn"),
    [
        ("(The fox is dead.)", "(The fox owes money.) Tj"),
        ("(The fox owes no money.)", "(The fox owes money.) Tj"),
        ("(The fox owes money.)", "(The fox owes 5 ) Tj (euros.) Tj"),
        ("( )", "(The fox owes ) Tj (money.) Tj"),
        ("<FEFF200B>", "(The fox owes ) Tj (money.) Tj"),
        ("<FEFF041B04380441>", "(The fox.) Tj"),
        ("<FEFF05D00628>", "(The fox.) Tj"),
        (f"({'The fox is dead. ' * 100})", "(The fox owes money.) Tj"),
        ("()", "(The fox owes ) Tj (money.) Tj"),
    ],
)
def test_other_words_are_not_read_for_what_is_drawn(given, drawn):
    expected = "".join(part.partition("(")[2] for part in drawn.split(") Tj"))
    assert read(f"/Span <</ActualText {given}>> BDC", drawn) == expected
    assert read(f"/P <</MCID 1 /ActualText {given}>> BDC", drawn) == expected


def test_each_of_several_spans_is_read_by_itself():
    spans = [("office", "o#ce "), ("dead", "rich "), ("efficient", "e#cient")]
    drawn = "".join(f"/Span <</ActualText ({a})>> BDC ({b}) Tj EMC " for a, b in spans)
    assert read("/P BMC", drawn) == "office rich efficient"


@pytest.mark.parametrize(
    ("given", "drawn"),
    [
        ("office", "o#ce"),
        ("Garc\u00eda", "Garc'ia"),
        ("\u00e9", "\0"),
        ("x\u2211", "x\0"),
        ("\u2022", "\uf0b7"),
        ("Fox", "FOX"),
        ("\u200b-", "\u00ad"),
        ("\t", " "),
        ("office", "o\ufb03ce"),
        ("\u0645\u0631\u062d\u0628\u0627", "\0\0\0\0"),
        ("\u0915\u094d\u0937 2020", "\u0915\u0937 2020"),
        ("first", "\ufffdrst"),
    ],
)
def test_words_for_glyphs_that_do_not_say_what_they_are_agree(given, drawn):
    assert do_agree(given, drawn)


@pytest.mark.parametrize(
    ("given", "drawn"),
    [
        ("not", "now"),
        ("9", "5"),
        ("", "not"),
        ("\u00ad", "not"),
        ("5", "-5"),
        ("10\u00b2", "102"),
        ("5 < 6", "5 > 6"),
        ("r\u00e9sum\u00e9", "resume"),
        ("The fox is dead", "The fox \0"),
        ("The fox owes no money", "The fox owes - money"),
        ("man bites dog", "dog bites man"),
        ("x" * 1000, "\0" * 200),
        ("\u05d0\u05d1", "The fox"),
    ],
)
def test_words_that_say_something_else_do_not_agree(given, drawn):
    assert not do_agree(given, drawn)
