"""Mailboxes: each message is a document."""

import pytest

from pagesum_cli.documents.guard.reading import read_data
from pagesum_cli.documents.input import Input
from pagesum_cli.documents.readers import mbox
from pagesum_cli.documents.readers.formats import sniffed
from pagesum_cli.errors import PagesumError


def message(sender: str, day: int, subject: str, text: str) -> str:
    return (
        f"From {sender.lower()}@owls.example Tue Mar {day} 10:00:00 2024\n"
        f"From: {sender} <{sender.lower()}@owls.example>\nTo: list@owls.example\n"
        f"Date: Tue, {day} Mar 2024 10:00:00 +0100\nSubject: {subject}\n\n{text}\n\n"
    )


BOX = (
    message(
        "Ada", 12, "Owls", "When do owls hunt?\n\n>From dusk, I think.\n\nFrom here I saw none."
    )
    + message("Bo", 13, "Re: Owls", "They hunt at night.\n\n> When do owls hunt?")
).encode()


def test_messages_with_sender_and_date() -> None:
    documents = read_data(BOX, "box.mbox")
    assert [(one.name, one.title, one.origin) for one in documents] == [
        ("box.mbox 1", "Owls", "Ada, 12 March 2024"),
        ("box.mbox 2", "Re: Owls", "Bo, 13 March 2024"),
    ]
    assert "From here I saw none." in documents[0].text
    assert documents[1].text == "They hunt at night."
    assert {one.source for one in documents} == {"box.mbox"}


def test_lines_of_windows_and_standard_input() -> None:
    documents = mbox.read(Input("b", "b", given=BOX.replace(b"\n", b"\r\n")))
    assert [one.title for one in documents] == ["Owls", "Re: Owls"]
    assert sniffed(BOX) == "mbox"


def test_messages_without_text_are_named() -> None:
    problems: list[str] = []
    box = BOX + message("Cy", 14, "Re: Owls", "").encode()
    assert len(mbox.read(Input("b", "b", given=box, on_problem=problems.append))) == 2
    assert problems == ["b: message 3: expected an e-mail with text, found none"]
    with pytest.raises(PagesumError, match="found no message"):
        mbox.read(Input("b", "b", given=b"no mailbox"))
    with pytest.raises(PagesumError, match="message 1: expected an e-mail with text"):
        mbox.read(Input("b", "b", given=message("Cy", 14, "x", "").encode()))
