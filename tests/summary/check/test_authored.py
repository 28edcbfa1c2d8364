"""Claims that cite one of several documents by author and year."""

import pytest

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.report import to_json
from pagesum_cli.summary.check.results import Checked

MILL = "The mill may raise the yield of the winter wheat in the valley."
FARM = "In the two fields 62 kinds of herbs were identified."
BOTH = "The river had been low in all of the dry years."


def document(name: str, author: str, year: int, *texts: str) -> Document:
    notice = LeftOut("running head", f"Journal of Farms {year}, 5:3", 5)
    section = Section("", tuple(map(Paragraph, texts)))
    return Document(name, (section,), authors=(author, "Ida Lee"), left_out=(notice,))


DOCUMENTS = [
    document("a.pdf", "Ada Harlow", 2010, FARM, BOTH),
    document("b.pdf", "Ben Moss", 2018, MILL, BOTH),
]


def check(claim: str) -> Checked:
    return Checker.of(DOCUMENTS).check(Claim(claim))


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        (f"{MILL[:-1]} (Harlow et al., 2010).", False),
        (f"{MILL[:-1]} (Moss et al., 2018).", True),
        (f"Harlow et al. (2010) found that {MILL[0].lower()}{MILL[1:]}", False),
        ("The fields had 62 kinds of herbs in all (Moss & Lee, 2018).", False),
        ("The fields had 62 kinds of herbs in all (Harlow & Lee, 2010).", True),
        # no document has this author or this year
        (f"{MILL[:-1]} (Smith et al., 2010).", None),
        (f"{MILL[:-1]} (Lee et al., 2010).", None),
        (f"{MILL[:-1]} (Harlow et al., 2010; Smith, 2011).", None),
        (f"{MILL[:-1]} (Harlow et al., 2010; Moss et al., 2018).", True),
        # no document says so
        ("Mills have been shown to prevent floods in towns (Harlow et al., 2010).", None),
    ],
)
def test_a_claim_is_in_the_document_that_it_cites(claim: str, is_right: bool | None) -> None:
    found = check(claim)
    assert found.is_cited_right is is_right
    assert found.fails() is (is_right is False or found.verdict == "not found")


@pytest.mark.parametrize(("author", "year", "file"), [("Harlow", 2010, 0), ("Moss", 2018, 1)])
def test_the_passage_of_the_cited_document_is_shown(author: str, year: int, file: int) -> None:
    (place,) = check(f"{BOTH[:-1]} ({author} et al., {year}).").sources
    assert place.document == file


def test_a_passage_that_cites_the_work_itself_is_no_wrong_document() -> None:
    text = f"{MILL[:-1]}, as Harlow has it."
    documents = [DOCUMENTS[0], document("b.pdf", "Ben Moss", 2018, text)]
    claim = Claim(f"{MILL[:-1]} (Harlow et al., 2010).")
    assert Checker.of(documents).check(claim).is_cited_right is not False


def test_json_names_the_file_that_is_cited() -> None:
    found = check(f"{MILL[:-1]} (Harlow et al., 2010).")
    (claim,) = to_json([found], DOCUMENTS, {})["claims"]
    assert claim["citation"] == {"text": "Harlow 2010", "holds": False, "file": "a.pdf"}
    assert claim["source"]["file"] == "b.pdf"
