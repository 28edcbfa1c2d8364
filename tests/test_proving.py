"""What a model writes and the documents do not support gives way to a quote."""

import json

import pytest
import tiny

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.locality import Page, Pages
from pagesum_cli.proving import proven, sentence_rules
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim, claims_in, parts_of_text
from pagesum_cli.summary.drafts import TextOfDraft, summary_of
from pagesum_cli.summary.summary import Summary, SummaryPage
from pagesum_cli.text.sentences import sentence_spans

TEXT = (
    "The harvest of rye was late in the valley, because rain fell for eleven days in April. "
    "The new library opened on Monday with forty thousand books for children. "
    "The mayor did not sell the old ferries to a company from the north."
)
DOCUMENT = Document("town.txt", (Section("", (Paragraph(TEXT),)),), "", "town.txt")
PAGES = Pages("spatial", (Page("", "town.txt", "1", tuple(all_sentences(DOCUMENT)), 60),))


def written(text: str) -> Summary:
    """What a model writes, one word a token."""
    words = text.split(" ")
    pieces = [words[0], *(f" {word}" for word in words[1:])]
    own = summary_of(pieces, sentence_spans(text), [[1.0]] * len(pieces))
    page = SummaryPage(0, "1", "town.txt", (), 60, False, 1.0)
    return Summary("tiny", "spatial", "", text, own.sentences, own.tokens, (page,), {}, {})


def verdicts_of_check(summary: Summary) -> set[str]:
    """What ``check`` says of a summary, saved as JSON and as text."""
    checker = Checker.of([DOCUMENT])
    parts = parts_of_text(plain_document(summary.text, "summary"), [DOCUMENT])
    claims = [*claims_in(summary), *(one for one in parts if isinstance(one, Claim))]
    return {one.verdict for one in checker.checked(claims)}


HELD = "The late harvest of rye in the valley is due to rain, which fell for eleven days in April."
REPLACED = [  # a number, a name, a negation
    ("The new library opened on Monday with ninety thousand books for children.", "forty thousand"),
    ("The new library opened on Friday with forty thousand books for children.", "on Monday"),
    ("The mayor did sell the old ferries to a company from the north.", "did not sell"),
]
INVENTED = "Scientists of Harvard discovered water on Mars."


def test_what_the_document_says_stays_as_it_is() -> None:
    summary = proven(written(HELD), PAGES, [DOCUMENT])
    (sentence,) = summary.sentences
    assert (summary.text, sentence.text, sentence.replaced) == (HELD, HELD, "")
    assert sentence.verdict == "paraphrase"
    assert sentence.source is None
    assert [TEXT[one.start : one.end].split()[1] for one in sentence.quotes] == ["harvest"]


@pytest.mark.parametrize(("text", "truth"), REPLACED)
def test_what_differs_gives_way_to_the_quote_that_it_differs_from(text: str, truth: str) -> None:
    summary = proven(written(f"{HELD} {text}"), PAGES, [DOCUMENT])
    _, quote = summary.sentences
    assert quote.replaced == text
    assert quote.source
    assert truth in quote.text
    assert quote.verdict == "verbatim"
    assert summary.text == f"{HELD} {quote.text}"
    assert summary.unproven == ()


def test_words_of_the_document_that_state_something_else_give_way_to_a_quote() -> None:
    joined = "The library for children, which opened in the valley, sold its books due to rain."
    (quote,) = proven(written(joined), PAGES, [DOCUMENT]).sentences
    assert quote.replaced == joined
    assert quote.text in TEXT


POINTING = Document(
    "mill.txt",
    (
        Section(
            "",
            (
                Paragraph(
                    "Jane Smith has led the council of the valley for nine years. "
                    "She sold the old mill to a bank from the north in May. "
                    "Prices of flour rose by a third in the summer."
                ),
            ),
        ),
    ),
    "",
    "mill.txt",
)
LED, SOLD = (
    "Jane Smith has led the council of the valley for ten years.",
    "She sold the old mill to a bank from the south in May.",
)


@pytest.mark.parametrize(
    ("text", "marked"), [(SOLD, [True]), (f"{LED} {SOLD}", [False, False])], ids=["alone", "both"]
)
def test_a_quote_that_points_at_a_sentence_which_is_not_quoted_is_marked(
    text: str, marked: list[bool]
) -> None:
    pages = Pages("spatial", (Page("", "mill.txt", "1", tuple(all_sentences(POINTING)), 60),))
    summary = proven(written(text), pages, [POINTING])
    assert all(one.replaced for one in summary.sentences)
    assert [one.needs_context for one in summary.sentences] == marked


def test_what_no_quote_says_is_left_out() -> None:
    summary = proven(written(f"{INVENTED} {HELD}"), PAGES, [DOCUMENT])
    assert summary.text == HELD
    assert summary.unproven == (INVENTED,)


def test_nothing_is_quoted_twice() -> None:
    texts = [text for text, _ in REPLACED[:2]]
    summary = proven(written(" ".join(texts)), PAGES, [DOCUMENT])
    assert [one.replaced for one in summary.sentences] == texts[:1]
    assert summary.unproven == (texts[1],)


def test_a_summary_of_which_nothing_is_proven_has_one_quote() -> None:
    (quote,) = proven(written(INVENTED), PAGES, [DOCUMENT]).sentences
    assert quote.text in TEXT
    assert quote.replaced == INVENTED


@pytest.mark.parametrize(
    "text",
    [
        f"{INVENTED} {HELD} {' '.join(text for text, _ in REPLACED)}",
        "Rain fell for eleven days in April. it was 12 % more. Dr. No was there, 5 times.",
        'The mayor said: "We will sell every one of the ferries." The harvest of rye was late.',
        "1. The harvest was late. 2. The library closed. - The ferries were not sold.",
        "THE HARVEST OF RYE. The new library opened on Monday [p. 7]. It opened (p. 3).",
    ],
)
def test_check_finds_no_fault_in_what_is_proven(text: str) -> None:
    summary = proven(written(text), PAGES, [DOCUMENT])
    assert verdicts_of_check(summary) <= {"verbatim", "edited", "paraphrase"}
    assert "".join(one.text for one in summary.tokens) == summary.text
    assert Summary.from_json(json.loads(json.dumps(summary.to_json()))) == summary


def test_a_search_by_sentence_keeps_what_the_document_says() -> None:
    tokenizer = tiny.byte_level([TEXT])
    rules = sentence_rules(TextOfDraft(tokenizer, PAGES), PAGES, [DOCUMENT])
    texts = [HELD, f" {HELD}", INVENTED, REPLACED[0][0], "", "\n", "…"]
    accepted = [rules.accepts(tokenizer.encode(text)) for text in texts]
    assert accepted == [True, True, False, False, False, False, False]
    begun = [HELD, f"{HELD} It", f"{HELD}\n\n- T", "Dr. No", "It is 3.", "It is 3.5", ""]
    ends = [rules.ends(tokenizer.encode(text)) for text in begun]
    assert ends == [False, True, True, False, False, False, False]
