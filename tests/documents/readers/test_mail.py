"""E-mail: the message, without what it quotes."""

from email.message import EmailMessage

import pytest
from tiny import assert_linear

from pagesum_cli.documents.guard.reading import read_data
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.notes import unread
from pagesum_cli.errors import PagesumError


def read(message: EmailMessage | bytes) -> Document:
    data = message if isinstance(message, bytes) else message.as_bytes()
    return read_data(data, "a.eml")[0]


def message_of(text: str) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "Grüße from the owls"
    message["From"] = "Ada Lee <ada@owls.example>"
    message["Date"] = "Tue, 12 Mar 2024 10:00:00 +0100"
    message.set_content(text)
    return message


def test_the_message_without_quotes_and_signature() -> None:
    message = message_of(
        "Dear Bo,\n\nthe owls hunt at night.\n\n> When do they "
        "hunt?\n\nBye.\n-- \nAda Lee\nOwl House\n"
    )
    message.add_alternative("<p>The same in HTML.</p>", subtype="html")
    message.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="owls.pdf")
    document = read(message)
    assert (document.title, document.origin) == ("Grüße from the owls", "Ada Lee, 12 March 2024")
    assert document.text == "Dear Bo,\n\nthe owls hunt at night.\n\nBye."
    assert [(one.reason, one.words) for one in document.left_out] == [
        ("quoted message", 4),
        ("signature", 4),
        ("attachment", 0),
    ]


def test_a_message_of_html_alone() -> None:
    message = EmailMessage()
    message["Subject"] = "Owls"
    message.set_content("<h1>News</h1><p>They hunt.</p>", subtype="html", charset="iso-8859-1")
    assert (read(message).title, read(message).text) == ("Owls", "News\n\nThey hunt.")


def test_nested_messages_and_broken_ones() -> None:
    depth = 3_000
    heads = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(depth)
    )
    for data in (
        f"Subject: x\n{heads}".encode(),
        b"no header at all",
        b"Subject: x\nContent-Type: image/png\n\nx",
    ):
        with pytest.raises(PagesumError, match="expected an e-mail"):
            read(data)
    assert (
        read(b"Subject: =?nonsense?Q?x?=\nContent-Type: text/plain; charset=nonsense\n\nOwls.").text
        == "Owls."
    )


def test_the_form_of_a_text_that_has_its_words() -> None:
    for plain in ("", " \r\n", "See the other form."):
        message = message_of(plain)
        message.add_alternative(
            "<p>The owls hunt at night, and they rest in the day like all others.</p>",
            subtype="html",
        )
        assert (
            read(message).text
            == "The owls hunt at night, and they rest in the day like all others."
        )
    html = (
        b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: "
        b"text/html\n\n<p>Owls hunt.</p>\n"
    )
    rest = b"--b\nContent-Type: text/plain\n\nAt night.\n--b\nContent-Type: text/plain\n\n\n--b--\n"
    assert read(html + rest).text == "Owls hunt.\n\nAt night."


def test_who_wrote_what_is_quoted_and_what_is_forwarded() -> None:
    document = read(
        message_of(
            "I agree:\n> The first.\nI asked you in 2020.\n"
            "On Tue, Jan 2, 2024 at 1:00 PM Bo\n<b@c.d> wrote:\n\n> Old words.\n"
            "-- \nAda\n\n---------- Forwarded message ----------\nFrom: X <x@y.z>\nDate: "
            "today\nTo: me\n\nThe news.\n"
        )
    )
    assert document.text == "I agree:\n\nI asked you in 2020.\n\nThe news."
    reasons = {one.reason: one.text for one in document.left_out}
    assert (
        reasons["quoted message"]
        == "The first. On Tue, Jan 2, 2024 at 1:00 PM Bo <b@c.d> wrote: Old words."
    )
    assert reasons["signature"] == "Ada"
    assert reasons["mail header"].endswith("To: me")


def test_what_html_quotes_and_what_it_forwards() -> None:
    message = EmailMessage()
    text = (
        "<p>I agree with all of it.</p>"
        "<div class=gmail_quote>{}<blockquote type=cite>The old words of Bo.</blockquote></div>"
    )
    message.set_content(text.format("Bo wrote:"), subtype="html")
    assert read(message).text == "I agree with all of it."
    message.set_content(
        text.format("---------- Forwarded message ---------<br>").replace("type=cite", ""),
        subtype="html",
    )
    assert "The old words of Bo." in read(message).text


def test_lines_about_the_mailing_are_no_text() -> None:
    message = message_of(
        "Owls hunt at night.\n\n[Image: an owl <https://o.org/1>]\n\nIf you do not want this any "
        "more, unsubscribe here <https://o.org/2>.\n\n____\n"
    )
    document = read(message)
    assert document.text == "Owls hunt at night."
    assert [(one.reason, one.words) for one in document.left_out] == [("notice", 13)]


def test_attachments_are_named() -> None:
    message = message_of("See there.")
    message.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="Grüße.pdf")
    message.add_attachment(
        b"x", maintype="image", subtype="png", filename="logo.png", disposition="inline"
    )
    message.add_attachment("Words.", filename="notes.txt")
    document = read(message)
    assert [(one.reason, one.text) for one in document.left_out] == [
        ("attachment", "Grüße.pdf"),
        ("picture", "logo.png"),
        ("attachment", "notes.txt"),
    ]
    (note,) = unread([document])
    assert "attachments were not read (Grüße.pdf, notes.txt)" in note
    raw = message_of("See there.").as_bytes().replace(b"MIME", b"Content-Disposition: inline\nMIME")
    assert read(raw).text == "See there."
    alone = (
        "Subject: x\nContent-Type: application/pdf\nContent-Disposition: attachment; "
        'filename="Grüße.pdf"\n\nx'
    )
    with pytest.raises(PagesumError, match=r"found only attachments \(Grüße.pdf\)"):
        read(alone.encode())


def test_long_quotes_take_linear_time() -> None:
    assert_linear(lambda count: read(message_of("Bo wrote:\n> x\n\n" * 2_000 * count)), 1)
    assert_linear(lambda count: read(message_of("-- \n--- x ---\na: b\n" * 2_000 * count)), 1)


def test_a_forward_that_is_quoted_and_histories_without_marks() -> None:
    old = "OLD words of an earlier message."
    apple = "Begin forwarded message:\n\n> From: Cy\n> Date: 4 March\n>\n> The owls hunt.\n"
    outlook = f"I agree.\n\nFrom: Bo\nSent: Monday\nTo: Ann\nSubject: Owls\n\n{old}\n"
    wrote = f"I agree.\n\nOn Mon, Mar 4, 2024 at 9:00 AM Bo <b@c.d> wrote:\n\n{old}\n"
    assert read(message_of(apple)).text == "The owls hunt."
    assert read(message_of(outlook)).text == read(message_of(wrote)).text == "I agree."
    forward = message_of(outlook)
    forward.replace_header("Subject", "Fwd: Owls")
    assert old in read(forward).text


def test_lines_that_flow_and_lines_that_mailboxes_change() -> None:
    head = b"Subject: x\nContent-Type: text/plain; format=flowed; delsp=yes\n\n"
    assert read(head + b"The  \nowls hu \nnt.\n").text == "The owls hunt."
    assert read(b"Subject: x\n\nOwls.\n\n>From spring on.\n").text == "Owls.\n\nFrom spring on."
    charset = b"Subject: x\nContent-Type: text/plain; charset=iso-8859-8-i\n\n\xf9\xec\xe5\xed\n"
    assert read(charset).text == "שלום"
