"""A summary → claims with their citations."""

import pytest

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section
from pagesum_cli.documents.readers.text import lined_document, plain_document
from pagesum_cli.summary.check.claims import (
    Claim,
    NotChecked,
    claims_of,
    claims_of_text,
    parts_of_text,
    quotations_in,
)


def claims(text):
    return [
        (
            one.text,
            (one.citation.pages or one.citation.file or one.citation.section)
            if one.citation
            else None,
        )
        for one in claims_of(text, {"a.pdf", "b.txt"}, {"3 Results", "Mills"})
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "It rained. [p. 3] Prices rose [p. 5–6, 3 Results].",
            [("It rained.", ("3",)), ("Prices rose", ("5", "6"))],
        ),
        ("It rained (p. 3).", [("It rained", ("3",))]),
        ("It rained [a.pdf, p. 3, 5–6].", [("It rained", ("3", "5", "6"))]),
        ("It rained [p. 84 (PDF 1)].", [("It rained", ("1",))]),
        ("It rained [p. xii].", [("It rained", ("xii",))]),
        ("It rained [b.txt]. Else.", [("It rained", "b.txt"), ("Else.", None)]),
        ("It rained... [sentences 8–9]", [("It rained...", ("sentence 8", "sentence 9"))]),
        ("It rained. [b.txt, sentence 8]", [("It rained.", ("sentence 8",))]),
        ("It rained [3 Results].", [("It rained", "3 Results")]),
        ("It rained [lines 3–4, Mills].", [("It rained", ("line 3", "line 4"))]),
        ("It rained [para 3(a), Mills].", [("It rained", ("para 3",))]),
        ("Mills, p. 3–4 (PDF 5–6) It rained.", [("It rained.", None)]),
        ("Mills, p. 3", []),
        ("Mills", []),
        ("6 parts, discourse; model mini", []),
        (
            "2 chapters; model tests are a lie",
            [("2 chapters; model tests are a lie", None)],
        ),
        ("(p. 3 lies to all readers)", [("(p. 3 lies to all readers)", None)]),
        ("[It burned, p. 1] [It fell, pp. 2–3]", [("It burned", ("1",)), ("It fell", ("2", "3"))]),
        ("Mills stood still.", [("Mills stood still.", None)]),
        ("It rained [12] (see Smith).", [("It rained [12] (see Smith).", None)]),
        (
            "It rained. [The mayor stole it, p. 3] Else.",
            [("It rained.", None), ("The mayor stole it", ("3",)), ("Else.", None)],
        ),
        ("It rained [12:04, he stole it].", [("It rained", None), ("he stole it", ("12:04",))]),
        ("It rained [p. 3, Mills (b)(1)].", [("It rained", ("3",))]),
        (
            "12 parts of it burned; model tests show it.",
            [("12 parts of it burned; model tests show it.", None)],
        ),
        ("- It rained. ↩", [("It rained.", None)]),
        ("– . ! 1) It rained.", [("It rained.", None)]),
        ("p. 3 of it was (p < 0.05).", [("p. 3 of it was (p < 0.05).", None)]),
    ],
)
def test_citations_belong_to_the_sentence_before(text, expected):
    assert claims(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Its rate was 0.81 against 0.34. Median rates fell.", 2),
        ("Its rate was 56.0%. Navidad had more.", 2),
        ("See Fig. 2.3. Median rates fell.", 1),
        ("2.3. Median rates fell.", 1),
    ],
)
def test_a_decimal_number_ends_a_sentence_and_a_label_does_not(text, expected):
    assert len(claims(text)) == expected


def test_long_sentences_come_in_pieces():
    pieces = list(claims_of("word " * 100_000, (), ()))
    assert max(len(one.text) for one in pieces) <= 2000
    assert all(one.is_part for one in pieces)
    assert sum(one.text.count("word") for one in pieces) == 100_000


@pytest.mark.parametrize("marks", ['""', "“”", "«»", "„“"])
def test_quotations(marks):
    text = f"He said {marks[0]}we did not sleep{marks[1]} and {marks[0]}so what{marks[1]}."
    assert [one.text for one in quotations_in(Claim(text))] == ["we did not sleep"]


@pytest.mark.parametrize(
    "text", ['"' * 100_000, "“" * 100_000, "[p. " * 50_000, "(p. 1" * 50_000, "[a, " * 50_000]
)
def test_hostile_summaries(text):
    assert list(claims_of(text, {"a"}, {"b"})) is not None


def test_a_line_that_is_a_heading_is_no_claim_and_no_part_of_one():
    sections = (Section("Summary", ()), Section("Funding status", (Paragraph("It ends."),)))
    text = (
        "Summary\nIt rained, says the\nSummary\nof it.\nFunding status\nIt "
        "ends.\n\nSummary\n\nIt snowed."
    )
    found = claims_of_text(lined_document(text, "summary", ""), [Document("a.md", sections)])
    assert [one.text for one in found] == [
        "It rained, says the Summary of it.",
        "It ends.",
        "It snowed.",
    ]


def test_what_is_no_claim_is_listed_and_a_statement_in_it_is_checked():
    sections = (
        Section("Key findings of the group", (Paragraph("Key points"), Paragraph("It rained."))),
        Section("The mayor stole all of the money.", (Paragraph("I hope this helps!"),)),
    )
    aside = LeftOut("caption", "He lied to the town. Figure 1", 7)
    summary = Document("summary", sections, left_out=(aside,), skipped=frozenset({1}))
    parts = list(parts_of_text(summary, [Document("a.md", (Section("", ()),))]))
    assert {one.text for one in parts if isinstance(one, Claim)} == {
        "It rained.",
        "The mayor stole all of the money.",
        "He lied to the town.",
    }
    assert {(one.text, one.reason) for one in parts if isinstance(one, NotChecked)} == {
        ("Key findings of the group", "heading"),
        ("Key points", "label"),
        ("I hope this helps!", "courtesy"),
        ("Figure 1", "caption"),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They paid 5 percent. the rest was lent.", ["They paid 5 percent.", "the rest was lent."]),
        ("he left in 2015! it was over.", ["he left in 2015!", "it was over."]),
        ("Was it sold? nobody knows.", ["Was it sold?", "nobody knows."]),
        ("It cost approx. five cents.", ["It cost approx. five cents."]),
        (
            "He said “we paid 5 percent. the rest is lent” twice.",
            ["He said “we paid 5 percent. the rest is lent” twice."],
        ),
        ("The Justice Dept. said so.", ["The Justice Dept. said so."]),
    ],
)
def test_a_claim_may_begin_with_a_small_letter(text, expected):
    assert [one.text for one in claims_of(text, (), ())] == expected


@pytest.mark.parametrize(("number", "is_claim"), [("6.207.", False), ("6.208.", True)])
def test_the_number_of_a_paragraph_whose_beginning_is_left_out_is_no_claim(
    number: str, is_claim: bool
) -> None:
    text = "6.207. The lawyer spoke for an hour. Their second suggestion was a body for schemes."
    document = plain_document(f"6.206. The court met in May. {text}", "report")
    summary = plain_document(f"{number} … Their second suggestion was a body for schemes.", "copy")
    first, *_ = parts_of_text(summary, [document])
    assert isinstance(first, Claim) == is_claim
    assert first.text == number


def test_a_citation_may_name_other_files_that_agree():
    text = "The mill burned. [a.txt, line 3; b.txt] It was old. [a.txt, line 3; and more]"
    first, *_ = claims_of(text, {"a.txt", "b.txt"}, ())
    assert (first.text, first.citation.file) == ("The mill burned.", "a.txt")
    assert first.citation.pages == ("line 3",)


def test_a_short_line_above_a_sentence_is_a_heading():
    text = plain_document("Indemnity\n\nThe buyer pays for all damage.\n\nProfits rose\n", "s")
    assert [(one.text, isinstance(one, Claim)) for one in parts_of_text(text, [])] == [
        ("Indemnity", False),
        ("The buyer pays for all damage.", True),
        ("Profits rose", True),
    ]


def test_the_sign_of_a_sentence_that_needs_context_is_no_claim():
    text = plain_document("It fell within 30 days. ↩ 3. … She left at noon. ↩ [p. 2]", "s")
    assert [one.text for one in claims_of_text(text, [])] == [
        "It fell within 30 days.",
        "… She left at noon.",
    ]
