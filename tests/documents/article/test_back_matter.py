"""What is back matter, by headings, position and wording; and what is not."""

import pytest
from tiny import assert_linear

from pagesum_cli.documents.article.back_matter import is_back_matter, without_back_matter
from pagesum_cli.documents.model import Paragraph, Section
from pagesum_cli.documents.readers.html import html_document
from pagesum_cli.documents.readers.markdown import markdown_document

TEXT = (
    "The committee met in spring and looked at all schools of the district, one after the other. "
    * 20
)


def section(heading: str, *paragraphs: str, level: int = 1) -> Section:
    return Section(heading, tuple(map(Paragraph, paragraphs)), level)


def kept_and_left_out(*sections: Section) -> tuple[list[str], list[tuple[str, str]]]:
    kept, dropped = without_back_matter(sections)
    return [one.heading for one in kept], [(one.reason, one.text) for one in dropped]


@pytest.mark.parametrize(
    "heading", ["Contact details", "CCS Concepts", "2010 Mathematics Subject Classification"]
)
def test_names_that_back_matter_may_have(heading: str) -> None:
    assert is_back_matter(heading)


def test_letters_that_a_council_had_are_no_note_of_authors() -> None:
    assert is_back_matter("Correspondence and requests")
    assert not is_back_matter("Correspondence had been received from")


def test_a_clause_of_a_law_is_no_note_of_authors() -> None:
    assert is_back_matter("Conflicts of interest")
    assert is_back_matter("4. Conflicts of interest")
    assert not is_back_matter("4.13. Conflicts of interest")


def test_the_subjects_of_a_paper_are_left_out() -> None:
    sections = (
        section("Abstract", TEXT),
        section("CCS Concepts", "• Networks → Reliability."),
        section("Methods", TEXT),
    )
    kept, dropped = kept_and_left_out(*sections)
    assert kept == ["Abstract", "Methods"]
    assert dropped == [("back matter", "CCS Concepts • Networks → Reliability.")]


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("Acknowledgements", "We thank Ann."),
        ("7. ACKNOWLEDGMENTS", "Ann helped."),
        ("Authors’ contributions", "AB wrote it."),
        ("Declaration of competing interest", "None."),
        ("Availability of data and materials", "Not applicable."),
        ("Publisher’sNote", "Springer Nature remains neutral."),
        ("Legal Statement", "Names are trademarks of their owners."),
        ("Supplementary Information", ""),
        ("Funding", "This work was supported by the Council."),
    ],
)
def test_a_section_with_such_a_name_after_the_text_is_left_out(heading: str, text: str) -> None:
    kept, dropped = kept_and_left_out(
        section("Methods", TEXT), section("Results", TEXT), section(heading, text)
    )
    assert kept == ["Methods", "Results"]
    assert dropped == [("back matter", f"{heading} {text}".strip())]


def test_each_heading_is_one_entry_and_appendices_are_text() -> None:
    kept, dropped = kept_and_left_out(
        section("Results", TEXT),
        section("Declarations"),
        section("Consent for publication", "Not applicable.", level=2),
        section("Appendix A", TEXT),
        section("References", "[1] B. Jones. Foxes. 2001."),
    )
    assert kept == ["Results", "Appendix A"]
    assert [reason for reason, _ in dropped] == ["back matter", "back matter", "references"]


@pytest.mark.parametrize("heading", ["Funding", "Conflicts of interest", "Support", "3 Ethics"])
def test_a_chapter_in_the_middle_is_text(heading: str) -> None:
    sections = section("Introduction", TEXT), section(heading, TEXT), section("Schools", TEXT)
    assert kept_and_left_out(*sections) == (["Introduction", heading, "Schools"], [])


def test_the_last_chapter_of_a_report_is_text() -> None:
    sections = (
        section("1 Introduction", TEXT),
        section("2 Schools", TEXT),
        section("3 Funding", TEXT),
    )
    assert kept_and_left_out(*sections) == (["1 Introduction", "2 Schools", "3 Funding"], [])


def test_a_heading_that_says_it_all_is_left_out_anywhere() -> None:
    sections = (
        section("Abstract", TEXT),
        section("Conflict of interest: None"),
        section("Methods", TEXT),
    )
    assert kept_and_left_out(*sections)[0] == ["Abstract", "Methods"]


def test_names_run_into_the_end_of_the_text() -> None:
    last = section(
        "Conclusions",
        TEXT,
        "Author Contributions: Conceptualization, A.B.; writing, C.D.",
        "Conflicts of Interest: The authors declare no conflict of interest.",
        "ORCID iDs Ann Author 0000-0000",
    )
    (kept,), dropped = without_back_matter([last])
    assert kept.paragraphs == last.paragraphs[:1]
    assert [one.reason for one in dropped] == ["back matter"] * 3


@pytest.mark.parametrize(
    "text",
    [
        "Springer Nature remains neutral with regard to jurisdictional claims.",
        "© The Author(s) 2020. This article is licensed under a Creative Commons licence.",
        "Received: 1 May 2020 Accepted: 2 June 2020",
        "Correspondence to: Ann Author, ann@example.org",
    ],
)
def test_notices_are_left_out_wherever_they_stand(text: str) -> None:
    (kept, _), (dropped,) = without_back_matter(
        [section("Introduction", TEXT, text, TEXT), section("Results", TEXT)]
    )
    assert [one.text for one in kept.paragraphs] == [TEXT, TEXT]
    assert (dropped.reason, dropped.words) == ("notice", len(text.split()))


@pytest.mark.parametrize(
    "text",
    [
        "The authors of the report received 2 letters from parents.",
        "Our work is supported by earlier studies of the same schools.",
        "Funding: how schools are paid is the subject of this part, "
        "which begins with the law of 1902.",
        "Conflicts of interest arose in three of the schools.",
    ],
)
def test_sentences_on_the_same_subjects_are_text(text: str) -> None:
    sections = [
        section("Introduction", TEXT),
        section("Schools", TEXT, text, TEXT),
        section("Results", TEXT),
    ]
    assert without_back_matter(sections) == (sections, [])


def test_a_document_of_nothing_else_stays() -> None:
    sections = [section("Acknowledgements", "We thank Ann.")]
    assert without_back_matter(sections) == (sections, [])


def test_web_pages_and_markdown() -> None:
    page = (
        f"<h1>Foxes</h1><h2>Methods</h2><p>{TEXT}</p><h2>Acknowledgements</h2><p>We thank Ann.</p>"
    )
    text = f"# Foxes\n\n## Methods\n\n{TEXT}\n\n## Acknowledgements\n\nWe thank Ann.\n"
    for read in (html_document(page, "a", "a"), markdown_document(text, "a", "a")):
        assert [one.heading for one in read.sections] == ["Methods"] or "Ann" not in read.text
        assert [(one.reason, one.words) for one in read.left_out] == [("back matter", 4)]


@pytest.mark.parametrize(
    "text", ["a" * 5000, "A: " * 2000, "author " * 1000, "A=b;" * 1000, "x, " * 2000]
)
def test_long_texts_take_linear_time(text: str) -> None:
    def examine(count: int) -> None:
        without_back_matter(
            [section("Abbreviations", text) for _ in range(count)] + [section("A", text)]
        )

    assert_linear(examine, 40)


def test_funding_is_left_out_of_a_structured_abstract_and_its_registration_is_read() -> None:
    text = "Foxes were counted by the farmers of the valley in each of the years of the war."
    parts = (("Summary", 1, ""), ("Methods", 2, text), ("Trial registration", 2, "NCT01, in 2015."))
    parts += (
        ("Funding", 2, "The Fox Foundation and the Farmers of the Valley."),
        ("Introduction", 1, text * 20),
    )
    sections = [
        Section(name, (Paragraph(words),) if words else (), level) for name, level, words in parts
    ]
    kept, left_out = without_back_matter(sections)
    assert [one.heading for one in kept] == [
        "Summary",
        "Methods",
        "Trial registration",
        "Introduction",
    ]
    assert [one.reason for one in left_out] == ["back matter"]


def test_a_section_with_a_letter_after_numbers_is_an_appendix() -> None:
    # evidence enough only where nothing but appendices follows
    support = section("Support", "The valley " + TEXT)
    parts = [
        section("1. Methods", TEXT),
        section("2. Results", TEXT),
        section("Acknowledgments", "We thank Ann."),
    ]
    kept, dropped = kept_and_left_out(*parts, support, section("A. The descriptor", TEXT))
    assert kept == ["1. Methods", "2. Results", "A. The descriptor"]
    assert [reason for reason, _ in dropped] == ["back matter"] * 2
    assert "Support" in kept_and_left_out(*parts, support, section("Outlook", TEXT))[0]


def test_the_reference_of_a_manual_is_no_list_of_references() -> None:
    sections = [
        section("1 Installation", TEXT),
        section("2 Reference", TEXT),
        section("2.1 Mills", TEXT, level=2),
    ]
    assert without_back_matter(sections) == (sections, [])
    sections = [
        section("1 Installation", TEXT),
        section("Reference", TEXT),
        section("Questions", TEXT),
    ]
    assert without_back_matter(sections) == (sections, [])
    kept, _ = without_back_matter(
        [section("1 Installation", TEXT), section("Reference", "A. Miller: Wheat. 1998.")]
    )
    assert [one.heading for one in kept] == ["1 Installation"]


def test_what_is_below_a_section_of_links_is_text() -> None:
    # set as large as a chapter's title
    links = section("See also", "Notation Reference: Section “Pitches”.")
    below = section("2.1 Octaves", TEXT, level=2), section("2.2 Keys", "Keys are short.", level=2)
    kept, dropped = kept_and_left_out(
        section("2 Pitches", TEXT), links, *below, section("3 Rhythms", TEXT)
    )
    assert kept == ["2 Pitches", "2.1 Octaves", "2.2 Keys", "3 Rhythms"]
    assert dropped == [("back matter", "See also Notation Reference: Section “Pitches”.")]


def test_the_disclaimers_of_a_contract_before_other_clauses_are_text() -> None:
    words = "The mill and its owner promise nothing at all about the owls. " * 3
    disclaimers = "The company provides the mill as is, without any warranty whatsoever."
    clauses = [section(name, words) for name in ("Access", "Use", "Accounts")]
    kept, left = kept_and_left_out(
        *clauses, section("Disclaimers", disclaimers), section("Liability", words)
    )
    assert "Disclaimers" in kept
    assert not left


def test_a_duty_under_a_name_of_back_matter_in_the_middle_is_text() -> None:
    text = "The grantee shall keep a record of each flat for five years. " * 5
    duty = "Grantees must have conflict of interest policies that prohibit any personal gain."
    names = ["Eligible costs", "Rent", "Lead paint", "Conflicts of Interest", "Records", "Audits"]
    texts = [text, text, text, duty, text[:200], text[:200]]
    kept, dropped = without_back_matter(
        [Section(name, (Paragraph(one),)) for name, one in zip(names, texts, strict=True)]
    )
    assert [one.heading for one in kept] == names
    assert dropped == []


def test_a_licence_in_the_middle_is_no_duty() -> None:
    names = ["Install", "Use", "License", "Contribute"]
    texts = [TEXT, TEXT, "The tool is openly maintained under the MIT License.", TEXT[:300]]
    kept, _ = without_back_matter(
        [Section(name, (Paragraph(one),)) for name, one in zip(names, texts, strict=True)]
    )
    assert "License" not in [one.heading for one in kept]
