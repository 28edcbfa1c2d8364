"""Names in front of claims: taken off before sentences are split, and compared with the
speakers.
"""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.readers.text import lined_document
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import claims_of_text
from pagesum_cli.summary.check.results import Checked
from pagesum_cli.summary.check.speakers import are_same

HEARING = (
    Paragraph("Mr. JONES. Thank you all. We began to build in 2019.", body=11, speaker="Mr. JONES"),
    Paragraph("The largest obstacle is not money.", speaker="Mr. JONES"),
    Paragraph("Senator SMITH. Would a limit of 90 days help?", body=15, speaker="Senator SMITH"),
    Paragraph("Dr. ALVAREZ. Another third is due to the maps.", body=13, speaker="Dr. ALVAREZ"),
    Paragraph("Q. Did you sign the contract?", label="Q.", body=3, speaker="MR. COLE"),
    Paragraph("A. I signed it in London.", label="A.", body=3),
)


LAW = (
    Paragraph("A person under the age of 18 may not:"),
    Paragraph("(a) drive a bus; or", label="(a)", body=4, depth=1),
    Paragraph("(b) fly a kite.", label="(b)", body=4, depth=1),
)


def checked(text: str) -> list[Checked]:
    documents = [Document("a.txt", (Section("", HEARING), Section("Law", LAW)))]
    claims = claims_of_text(lined_document(text, "summary", ""), documents)
    return list(Checker.of(documents).checked(claims))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Mr. JONES: We began to build in 2019. The largest obstacle is not money.", 2),
        ("Mr. JONES. We began to build in 2019.", 1),
        ("The largest obstacle is not money. Dr. ALVAREZ: Another third is due to the maps.", 2),
        ("Mr. JONES: Thank you all.\nMr. JONES: The largest obstacle is not money.", 2),
        ("Mr. JONES: We began to build in 2019. Mr. JONES: The largest obstacle is not money.", 2),
        ("Robert Jones: The largest obstacle is not money.", 1),
        ("Senator SMITH. Would a limit of 90 days help?", 1),
        ("Q: Did you sign the contract?", 1),
        ("Q. Did you sign the contract? A. I signed it in London.", 2),
        ("MR. COLE: Did you sign the contract?", 1),
        ("He says this: “The largest obstacle is not money.”", 1),
        ("Mr. Jones says: “The largest obstacle is not money.”", 1),
        ("A person under the age of 18 may not: … (b) fly a kite. A. I signed it in London.", 2),
        ("A person under the age of 18 may not: …", 1),
    ],
)
def test_the_same_speaker_is_verbatim(text: str, count: int) -> None:
    assert [one.verdict for one in checked(text)] == ["verbatim"] * count


@pytest.mark.parametrize(
    ("text", "said", "speaker"),
    [
        ("Dr. ALVAREZ: The largest obstacle is not money.", "Dr. ALVAREZ", "Mr. JONES"),
        ("Senator SMITH. The largest obstacle is not money.", "Senator SMITH", "Mr. JONES"),
        ("Mr. BATES: The largest obstacle is not money.", "Mr. BATES", "Mr. JONES"),
        ('Dr. ALVAREZ: "The largest obstacle is not money."', "Dr. ALVAREZ", "Mr. JONES"),
        ("A. Did you sign the contract?", "A", "MR. COLE"),
    ],
)
def test_another_speaker_differs(text: str, said: str, speaker: str) -> None:
    (one,) = checked(text)
    (difference,) = one.differences
    assert one.verdict == "differs"
    assert (difference.kind, difference.claim, difference.document) == ("speaker", said, speaker)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Robert Jones", "Mr. JONES", True),
        ("Dr Jones", "Robert Jones Jr.", True),
        ("Mr. JOHNSON of Georgia", "Hank Johnson", True),
        ("Tom", "Tom Reyes", True),
        ("Reyes asks", "Tom Reyes", True),
        ("Ms Lee said", "Tom Reyes", False),
        ("Speaker 1", "Speaker 2", False),
        ("Dr. Smith", "Dr. Jones", False),
        ("The Chairman", "Senator SMITH", False),
    ],
)
def test_speakers_are_compared_by_their_last_names(one: str, other: str, expected: bool) -> None:
    assert are_same(one, other) is are_same(other, one) is expected
