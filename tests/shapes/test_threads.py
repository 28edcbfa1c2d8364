"""Threads of messages: who asked what, and who answered."""

from dataclasses import replace

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section, Sentence
from pagesum_cli.documents.sentences import sentences_of
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.threads import Thread

MESSAGES = [
    "Hello all! The hall is cold in winter. Who keeps the keys of the boiler room now?",
    "Dear Ada, thanks for the note. We had snow here all of last week. The keys of the boiler room "
    "are with Mr Lund since May.",
    "Thank you both! May I fetch the keys from Mr Lund on Sunday morning?",
    "Of course, he is at home on Sunday. The choir sings at ten.",
]
ASKED, TOLD = MESSAGES[0].split("! ")[1].split(". ")[1], "The keys of the boiler room are with Mr"


def thread() -> list[Document]:
    return [
        Document(
            f"{n}.eml",
            (Section("", (Paragraph(text),)),),
            title="Re: Keys" if n else "Keys",
            origin=f"Ada, {n + 1} May 2024",
        )
        for n, text in enumerate(MESSAGES)
    ]


def quotes(documents: list[Document], options: GenerationOptions) -> list[str]:
    pages = Pages(
        "document",
        tuple(Page(one.name, one.name, "", tuple(_sentences(one)), 9) for one in documents),
    )
    places = Thread(documents, options).choose(pages, {})
    return [pages.pages[page].sentences[number].text for page, number in places]


def _sentences(document: Document) -> list[Sentence]:
    return sentences_of(document.sections[0])


def test_the_question_and_its_answer_come_first() -> None:
    first, second = quotes(thread(), GenerationOptions(sentences=2))
    assert first == ASKED
    assert second.startswith(TOLD)


def test_every_message_says_what_it_is_for() -> None:
    found = quotes(thread(), GenerationOptions(sentences=4))
    assert found[0] == ASKED
    assert found[1].startswith(TOLD)
    assert found[2].startswith("May I fetch")
    assert not any("Hello" in one or "hank" in one for one in quotes(thread(), GenerationOptions()))


@pytest.mark.parametrize("words", [20, 40])
def test_a_length_is_kept(words: int) -> None:
    found = quotes(thread(), GenerationOptions(words=words))
    assert 0 < sum(len(one.split()) for one in found) <= 1.1 * words


def test_messages_are_in_the_order_of_their_days_unless_clocks_explain_it() -> None:
    turned = thread()[::-1]
    assert quotes(turned, GenerationOptions(sentences=2))[0].startswith(("Of", "The", "May"))
    days = [replace(one, origin=f"Ada, {9 * n + 1} May 2024") for n, one in enumerate(thread()[:3])]
    assert quotes(days[::-1], GenerationOptions(sentences=2))[0] == ASKED
