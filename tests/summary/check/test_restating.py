"""What a program has written is proven only if one sentence of a document says all of it."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim


def restates(claim: str, text: str) -> bool:
    checker = Checker.of([Document("a.txt", (Section("", (Paragraph(text),)),), "")])
    (checked,) = checker.checked([Claim(claim)])
    return checked.is_supported and not checked.fails() and checker.restates(checked)


RAIN = "The harvest of rye was late in the valley, because rain fell for eleven days in April."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (RAIN, RAIN),
        ("The late harvest of rye in the valley is due to rain, which fell for 11 days in April.",
         RAIN),
        ("On Monday, the new library opened with forty thousand books for children.",
         "The new library opened on Monday with forty thousand books for children."),
        ("Smith, who had sold the mill, was fined by the court.",
         "Smith, who had sold the mill, was fined by the court, and Jones left the town."),
        ("Smith was fined by the court.", "Smith, who had sold the mill, was fined by the court."),
        ("The grains are small, but they look like millet.",
         "The grains are small. However, they look like millet."),
    ],
)  # fmt: skip
def test_the_words_of_a_sentence_in_their_order_are_proven(claim: str, text: str) -> None:
    assert restates(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        # facts of two sentences, or of two subjects
        ("The mill of Smith was sold to the court of appeal.",
         "The mill of Smith burned in May. The land was sold to the court of appeal."),
        ("Smith was convicted by the court of appeal.",
         "Smith sued the mill, and Jones was convicted by the court of appeal."),
        ("The lawyer was convicted by the court of appeal.",
         "The lawyer of the old mill was fined, and Smith was convicted by the court of appeal."),
        ("Smith was convicted by the court of appeal.",
         "The lawyer of Smith was convicted by the court of appeal."),
        # roles
        ("The man bit the old dog in the garden.", "The old dog bit the man in the garden."),
        ("The mill was sold to the farmers in May.", "The mill was sold by the farmers in May."),
        ("The bank was owed money for the mill in May.",
         "The bank owed money for the mill in May."),
        ("They wrote the report about the mill in May.",
         "We wrote the report about the mill in May."),
        # what is said, possible or conditional is no fact
        ("The mill caused the flood in the valley.",
         "The mill may have caused the flood in the valley."),
        ("The mill caused the flood in the valley.",
         "The farmers claimed that the mill caused the flood in the valley."),
        ("The members pay for the repair of the mill.",
         "The members pay for the repair of the mill if the board agrees."),
        ("The mill burned because the rain fell in April.",
         "The mill burned, and the rain fell in April."),
        ("Pupils went home before noon.", "Almost all pupils went home before noon."),
        # words of a sentence, joined to nothing that it says
        ("The pyramids are used to irrigate the crops.",
         "They built pyramids and used aqueducts to irrigate the crops."),
        ("The host has a role, and the role has a host.", "The host has a role."),
        ("The text has two parts about keys.", "The text about keys follows in two parts."),
    ],
)  # fmt: skip
def test_words_of_a_document_that_state_something_else_are_not(claim: str, text: str) -> None:
    assert not restates(claim, text)
