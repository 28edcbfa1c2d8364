"""E-mail: the message, without what it quotes."""

from email.message import EmailMessage

import pytest

from pagesum_cli.documents.document import Document
from pagesum_cli.documents.read import read_data
from pagesum_cli.errors import PagesumError


def read(message: EmailMessage | bytes) -> Document:
    data = message if isinstance(message, bytes) else message.as_bytes()
    return read_data(data, "a.eml")[0]


def message_of(text: str) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "Grüße from the owls"
    message.set_content(text)
    return message


def test_the_message_without_quotes_and_signature() -> None:
    message = message_of(
        "Dear Bo,\n\nthe owls hunt at night.\n\n> When do they hunt?\n\nBye.\n-- \nAda Lee\nOwl House\n"
    )
    message.add_alternative("<p>The same in HTML.</p>", subtype="html")
    message.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="owls.pdf")
    document = read(message)
    assert document.title == "Grüße from the owls"
    assert document.text == "Dear Bo,\n\nthe owls hunt at night.\n\nBye."
    assert [(one.reason, one.words) for one in document.left_out] == [
        ("attachment", 0),
        ("quoted message", 4),
        ("signature", 4),
    ]


def test_a_message_of_html_alone() -> None:
    message = EmailMessage()
    message["Subject"] = "Owls"
    message.set_content("<h1>News</h1><p>They hunt.</p>", subtype="html", charset="iso-8859-1")
    assert (read(message).title, read(message).text) == ("Owls", "News\n\nThey hunt.")


def test_nested_messages_and_broken_ones() -> None:
    depth = 3_000
    heads = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(depth))
    for data in (f"Subject: x\n{heads}".encode(), b"no header at all", b"Subject: x\nContent-Type: image/png\n\nx"):
        with pytest.raises(PagesumError, match="expected an e-mail"):
            read(data)
    assert read(b"Subject: =?nonsense?Q?x?=\nContent-Type: text/plain; charset=nonsense\n\nOwls.").text == "Owls."
