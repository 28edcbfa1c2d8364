"""The parties of a case, by their names and by their roles."""

from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim


def check(claim: str, text: str) -> str:
    return Checker.of([plain_document(text, "a")]).check(Claim(claim)).verdict


CASE = (
    "HARLOW MILLS LTD. … APPELLANT\n\nVERSUS\n\nBENTON FARMS … RESPONDENT\n\n"
    "The panel however granted the Appellant 10 days’ time to challenge the order of"
    " the panel if it so desired."
)


def test_a_party_is_the_same_by_its_role() -> None:
    assert (
        check("The panel gave Harlow Mills 10 days to challenge its order.", CASE) == "paraphrase"
    )


def test_another_party_differs() -> None:
    assert check("The panel gave Benton Farms 10 days to challenge its order.", CASE) == "differs"
