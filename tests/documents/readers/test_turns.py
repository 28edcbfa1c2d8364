"""Turns of speakers inside of the lines of plain text."""

from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.documents.readers.turns import with_turns_apart

CAPTIONS = """The mill is sold to the town.    Berg: Thank you.  We will take
item 4 now.    Dahl: I have a question about the mill.    Berg: Please go ahead with it.
Dahl: Who owns the bridge?    Ann Rastatter:  Ok.  My name is ann rastatter, and
I reside at the mill.    Berg: Thank you for your words.    Dahl: The bridge is ours.
    Berg: Is that so? Dahl: It is the town's.    Berg: Then we go on.    Dahl: Yes, we do.
"""


def test_each_turn_is_a_paragraph_of_its_speaker() -> None:
    document = plain_document(CAPTIONS, "council.txt")
    found = [
        (one.speaker, one.text[one.body :])
        for section in document.sections
        for one in section.paragraphs
    ]
    assert ("Ann Rastatter", "Ok. My name is ann rastatter, and I reside at the mill.") in found
    assert ("Dahl", "It is the town's.") in found
    assert [name for name, _ in found].count("Berg") == 5


def test_other_text_stays_as_it_is() -> None:
    text = (
        "Name:    Berg\nPlace:    Hollow\n\nThe mill.  Note: it is old.  Note: it is for sale.\n"
        * 3
    )
    assert with_turns_apart(text) == text


def test_nobody_is_known_to_say_what_a_speaker_with_an_office_says() -> None:
    office = "Berg: Welcome.    Carl Sand, Project Manager, Bureau of Mills:  Good day to you.  "
    document = plain_document(f"{CAPTIONS}{office}\nI am Carl.    Berg: Go on.\n", "council.txt")
    found = {one.text: one.speaker for part in document.sections for one in part.paragraphs}
    (said,) = [text for text in found if "Good day" in text]
    assert said.startswith("Carl Sand, Project Manager")
    assert not found[said]
