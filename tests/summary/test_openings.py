"""Quotes of lists, numbered paragraphs and turns are shown with what they need to be understood."""

import json
from dataclasses import replace

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Role, Section, Sentence
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.recursive import Book, joined_summaries
from pagesum_cli.shapes.files import joined
from pagesum_cli.summary.drafts import SummaryText, quoted
from pagesum_cli.summary.openings import with_openings, without_gaps
from pagesum_cli.summary.origins import Origins, with_quoted
from pagesum_cli.summary.repairs import applied
from pagesum_cli.summary.summary import Draft, Summary, SummaryPage

STATUTE = (
    Paragraph("A person may not:"),
    Paragraph("(a) drive a bus; or", label="(a)", body=4, depth=1),
    Paragraph("(b) fly a kite; or", label="(b)", body=4, depth=1),
    Paragraph("(c) row a boat.", label="(c)", body=4, depth=1),
    Paragraph("This is the law."),
)
NESTED = (
    Paragraph("(b) Buses.—The following are exempt:", label="(b)", body=11, depth=1),
    Paragraph("(1) Small ones.—a bus, and", label="(1)", body=16, depth=2),
    Paragraph("(2) large ones, such as:", label="(2)", body=4, depth=2),
    Paragraph("(A) a tram;", label="(A)", body=4, depth=3),
    Paragraph("(B) a train.", label="(B)", body=4, depth=3),
    Paragraph("(3) a boat.", label="(3)", body=4, depth=2),
)


def document_of(*paragraphs: Paragraph) -> Document:
    return Document("a.txt", (Section("§ 3121", tuple(paragraphs)),))


def pages_of(document: Document) -> Pages:
    sentences = tuple(one for one in all_sentences(document) if not one.is_heading)
    if document.sections[0].paragraphs == OPINION:
        text, start = OPINION[0].text, sentences[0].start
        sentences = tuple(
            Sentence(text[a:b], (), "§ 3121", start + a, start + b, role=role)
            for a, b, role in PARTS
        )
    return Pages("spatial", (Page("§ 3121", document.name, "", sentences, 0),))


def written(
    paragraphs: tuple[Paragraph, ...], *texts: str, verbatim: bool = False, cite: bool = True
) -> SummaryText:
    """The summary that quotes the sentences that begin with these texts."""
    document = document_of(*paragraphs)
    pages = pages_of(document)
    sentences = pages.pages[0].sentences
    found = [next(n for n, one in enumerate(sentences) if one.text.startswith(t)) for t in texts]
    places = tuple((0, number) for number in found)
    draft = Draft([[1.0]] * len(texts), sentences=places, with_citations=(cite,) * len(texts))
    made = quoted(pages, draft, documents=[document], verbatim=verbatim)
    for one in made.sentences:
        source = one.source
        assert source is not None
        whole = document.text[source.start : source.end]
        assert one.text == applied(whole, source.omitted, source.inserted)
        assert not (verbatim and (source.omitted or source.inserted))
        for lead_in in one.lead_in.path if one.lead_in else ():
            assert document.text[lead_in.start : lead_in.end] == lead_in.text
            assert sentences[lead_in.sentence].text == lead_in.text
    assert made.text == " ".join(one.shown for one in made.sentences)
    return made


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (["drive"], "A person may not: (a) drive a bus; …"),
        (["fly"], "A person may not: … (b) fly a kite; …"),
        (["row"], "A person may not: … (c) row a boat."),
        (["drive", "fly"], "A person may not: (a) drive a bus; or (b) fly a kite; …"),
        (["drive", "row"], "A person may not: (a) drive a bus; or … (c) row a boat."),
        (["drive", "This"], "A person may not: (a) drive a bus; … This is the law."),
        (["This", "row"], "This is the law. A person may not: … (c) row a boat."),
    ],
)
def test_an_item_is_shown_with_its_lead_in_and_what_is_left_out(texts: list[str], shown: str):
    assert written(STATUTE, *texts).text == shown


def test_a_verbatim_item_keeps_its_end():
    assert written(STATUTE, "drive", verbatim=True).text == "A person may not: (a) drive a bus; or"


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (["a bus"], "(b) The following are exempt: (1) a bus; …"),
        (
            ["a tram", "a boat"],
            "(b) The following are exempt: … (2) large ones, such as: (A) a tram; … (3) a boat.",
        ),
        (
            ["a bus", "a train"],
            "(b) The following are exempt: (1) a bus, and (2) large ones, such as: … (B) a train.",
        ),
    ],
)
def test_nested_lists_are_shown_from_the_outermost_lead_in_on(texts: list[str], shown: str):
    assert written(NESTED, *texts).text == shown


def test_the_path_of_an_item_can_be_rebuilt():
    (one,) = written(NESTED, "a train").sentences
    assert one.label == "(B)"
    assert one.lead_in is not None
    assert [lead_in.label for lead_in in one.lead_in.path] == ["(b)", "(2)"]
    assert one.lead_in.section == "§ 3121"


def test_the_sentence_after_the_list_and_a_further_sentence_of_an_item():
    paragraphs = (
        Paragraph("The board decides on:"),
        Paragraph("(a) Fees. It sets them yearly.", label="(a)", body=4, depth=1),
        Paragraph("(b) Rules.", label="(b)", body=4, depth=1),
    )
    made = written(paragraphs, "Fees", "It sets", "Rules")
    assert made.text == "The board decides on: (a) Fees. It sets them yearly. (b) Rules."
    assert written(paragraphs, "It sets").text == "(a) … It sets them yearly."


def test_a_number_is_shown_once_for_its_paragraph():
    paragraphs = (
        Paragraph("6.129. It rained. It snowed.", label="6.129.", body=7),
        Paragraph("It froze.", label="2.", depth=1),
    )
    assert written(paragraphs, "It rained", "It snowed").text == "6.129. It rained. It snowed."
    assert written(paragraphs, "It snowed").text == "6.129. … It snowed."
    assert written(paragraphs, "It froze").text == "6.129. 2. It froze."
    assert written(paragraphs, "It rained", "It froze").text == "6.129. It rained. 2. It froze."


def test_labels_above_are_shown_unless_they_were():
    paragraphs = (
        Paragraph("(f)(1) It rains.", label="(f)(1)", body=7, depth=2),
        Paragraph("(2) It snows.", label="(2)", body=4, depth=2),
        Paragraph("(g)(1) It freezes. It thaws.", label="(g)(1)", body=7, depth=2),
        Paragraph("(2) It is warm.", label="(2)", body=4, depth=2),
    )
    assert written(paragraphs, "It rains", "It snows").text == "(f)(1) It rains. (2) It snows."
    assert (
        written(paragraphs, "It rains", "It is warm").text == "(f)(1) It rains. (g)(2) It is warm."
    )
    assert written(paragraphs, "It rains", "It thaws").text == "(f)(1) It rains. (g)(1) … It thaws."
    (one,) = written(paragraphs, "It is warm").sentences
    assert (one.label, one.source.parents) == ("(2)", ("(g)",))


def test_the_number_of_a_page_is_not_shown():
    paragraphs = (Paragraph("*484 The claim fails.", label="*484", body=5),)
    assert written(paragraphs, "The claim").text == "The claim fails."


INTERVIEW = (
    Paragraph("Mr Bates: I saw nothing. It was dark.", body=10, speaker="Mr Bates"),
    Paragraph("I went home.", speaker="Mr Bates"),
    Paragraph("Ms Lee: Who was there?", body=8, speaker="Ms Lee"),
    Paragraph("Mr Bates: Moreover, nobody was.", body=10, speaker="Mr Bates"),
)


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (["It was"], "Mr Bates: It was dark."),
        (["I saw", "It was", "I went"], "Mr Bates: I saw nothing. It was dark. I went home."),
        (["I saw", "I went"], "Mr Bates: I saw nothing. Mr Bates: I went home."),
        (["I went", "Who", "Moreover"], None),
        (["I saw", "Moreover"], "Mr Bates: I saw nothing. Mr Bates: Nobody was."),
    ],
)
def test_a_quote_names_its_speaker_once_in_a_row(texts: list[str], shown: str | None):
    shown = shown or "Mr Bates: I went home. Ms Lee: Who was there? Mr Bates: Moreover, nobody was."
    assert written(INTERVIEW, *texts).text == shown


def test_questions_and_answers_have_their_letters():
    paragraphs = (
        Paragraph("Q. Did you see it?", label="Q.", body=3, speaker="Q"),
        Paragraph("A. I did.", label="A.", body=3),
    )
    assert written(paragraphs, "Did", "I did").text == "Q: Did you see it? A. I did."


OPINION = (Paragraph("It held that. Id. at 1065. Yet it did not say so."),)
PARTS: tuple[tuple[int, int, Role], ...] = ((0, 13, ""), (14, 26, "citation"), (27, 50, ""))


def test_the_citations_after_a_quote_are_shown_or_signed():
    made = written(OPINION, "It held")
    assert made.text == "It held that. Id. at 1065."
    assert made.sentences[0].source is not None
    assert made.sentences[0].source.after == "Yet it did not say so."
    assert written(OPINION, "It held", cite=False).text == "It held that. [citation]"
    assert written(OPINION, "It held", cite=False, verbatim=True).text == "It held that."


def test_a_sentence_after_citations_follows_the_one_before_them():
    assert not written(OPINION, "It held", "Yet").sentences[1].needs_context
    assert written(OPINION, "Yet").sentences[0].needs_context


def summary_of(made: SummaryText) -> Summary:
    page = SummaryPage(0, "§ 3121", "a.txt", (), 10, False, 1.0, 0, 300)
    return Summary("m", "spatial", "", made.text, made.sentences, (), (page,), {}, {})


def test_json_keeps_units_and_refuses_lead_ins_that_do_not_fit():
    summary = summary_of(written((*STATUTE, *INTERVIEW), "fly", "I saw"))
    data = json.loads(summary.to_line())
    assert Summary.from_json(data) == summary
    item, turn = data["sentences"]
    assert item["opening"] == "A person may not: … (b) "
    assert item["lead_in"]["text"] == "A person may not:"
    assert (item["label"], item["source"]["front"]) == ("(b)", "(b)")
    assert (turn["speaker"], turn["source"]["speaker"]) == ("Mr Bates", "Mr Bates")
    assert "lead_in" not in turn
    item["lead_in"]["page"] = 1
    with pytest.raises(ValueError, match="pages 0 to 0"):
        Summary.from_json(data)
    item["lead_in"] = {**item["lead_in"], "page": 0}
    item["source"] = None
    with pytest.raises(ValueError, match="lead-ins of quotes"):
        Summary.from_json(data)


def test_a_lead_in_on_another_page_has_its_place_there():
    document = document_of(*STATUTE)
    (page,) = pages_of(document).pages
    halves = [replace(page, sentences=page.sentences[a:b]) for a, b in ((0, 2), (2, 5))]
    draft = Draft([[1.0, 0.0]], sentences=((1, 0),))
    (one,) = quoted(Pages("spatial", tuple(halves)), draft).sentences
    assert one.shown == "A person may not: … (b) fly a kite; …"
    assert one.lead_in is not None
    assert (one.lead_in.page, one.lead_in.sentence) == (0, 0)


def quotes_of(document: Document, *numbers: int) -> Summary:
    """The summary of a chapter that quotes sentences of a document."""
    draft = Draft([[1.0]] * len(numbers), sentences=tuple((0, number) for number in numbers))
    return replace(summary_of(quoted(pages_of(document), draft, documents=[document])), title="Law")


def test_in_a_book_a_quote_is_shown_anew_with_what_it_needs():
    """The summary of a chapter quotes (a) and (c); that of the book (c) alone."""
    chapter = quotes_of(document_of(*STATUTE), 1, 3)
    assert chapter.text == "A person may not: (a) drive a bus; or … (c) row a boat."
    book = Book((), (), "files")
    (document,) = joined_summaries(book, [chapter], as_cluster=True)
    sentences = tuple(one for one in all_sentences(document) if not one.is_heading)
    assert [one.text for one in sentences] == [one.text for one in chapter.sentences]
    assert [one.printed for one in sentences][1] == "A person may not: … (c) row a boat."
    pages = Pages("document", (Page("Law", document.name, "", sentences, 9),))
    made = quoted(pages, Draft([[1.0]], sentences=((0, 1),)), documents=[document])
    page = SummaryPage(0, "Law", document.name, (), 9, False, 1.0)
    summary = Summary("m", "document", "", made.text, made.sentences, (), (page,), {}, {})
    traced = Origins([document], pages, [chapter]).traced(summary)
    assert traced.text == "A person may not: … (c) row a boat."
    (one,) = traced.sentences
    quote = chapter.sentences[1].source
    assert quote is not None
    assert one.source == replace(quote, sentence=1)  # of the chapter's summary
    assert one.lead_in is not None
    assert (one.label, one.lead_in.text) == ("(c)", "A person may not:")
    assert Summary.from_json(traced.to_json()) == traced


def test_what_a_book_quotes_is_added_to_its_chapter_in_order():
    document = document_of(*STATUTE)
    both, own = quotes_of(document, 1, 3), quotes_of(document, 3)
    quote = both.sentences[0].with_sources(lambda one: replace(one, sentence=0))
    book = replace(own, sentences=(quote,), chapters=(both,))
    found = with_quoted(book, [own])
    assert found.chapters[0].text == "A person may not: (a) drive a bus; or … (c) row a boat."
    assert found.sentences[0].source is not None
    assert found.sentences[0].source.sentence == 0


def test_in_a_summary_of_files_lead_ins_move_with_their_quotes():
    one = replace(quotes_of(document_of(*STATUTE), 2), settings={"sources": ["a.txt"]})
    both = joined([one, one], ["a.txt", "b.txt"])
    assert [sentence.sources[1].page for sentence in both.sentences] == [0, 1]
    assert both.text == f"{one.text}\n\n{one.text}"
    assert Summary.from_json(both.to_json()) == both


ABSTRACT = (
    Section("Abstract", (Paragraph("Wheat grows in the valley. Rain falls on it in May."),)),
    Section("Results", (Paragraph("Ten farms were seen. Wheat was high."),), 2, within="Abstract"),
    Section("Body", (Paragraph("Mules eat the wheat in winter."),)),
)


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ([0, 1, 3], "Wheat grows in the valley. Rain falls on it in May. … Wheat was high."),
        ([0, 1, 2], "Wheat grows in the valley. Rain falls on it in May. Ten farms were seen."),
        ([0, 2, 3], "Wheat grows in the valley. … Ten farms were seen. Wheat was high."),
        ([0, 3], "Wheat grows in the valley. Wheat was high."),  # no whole abstract
        ([0, 1, 3, 4], "Wheat grows in the valley. Rain falls on it in May. Wheat was high. Mules "
         "eat the wheat in winter."),
    ],
)  # fmt: skip
def test_what_is_left_out_of_an_abstract_quoted_whole_is_marked(numbers: list[int], shown: str):
    document = Document("a.pdf", ABSTRACT)
    sentences = tuple(one for one in all_sentences(document) if not one.is_heading)
    pages = Pages("spatial", (Page("a", document.name, "", sentences, 0),))
    places = tuple((0, number) for number in numbers)
    draft = Draft([[1.0]] * len(numbers), sentences=places)
    made = quoted(pages, draft, documents=[document])
    assert made.text == shown
    assert "…" not in " ".join(one.shown for one in without_gaps(summary_of(made)).sentences)


def test_nothing_quoted_is_nothing_opened() -> None:
    assert with_openings([]) == []
