"""A value of a claim may not be one that the document gives to something else."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.results import Checked

LIMITS = (
    "Among the tested crops, a limit was set for barley, rye and winter wheat with a "
    "limit of 0.25 mg/ml, while the limit for maize and sugar beet was 0.5 mg/ml, see Table 4."
)
SEEDS = (
    "The addition of lime made at farm 2A led to a growth of seed in soil with diesel oil (137%) "
    "and waste engine oil (120%)."
)
YIELDS = (
    "Oil was lower in the fresh leaves and the dry roots (yield of 5 ml/kg and 80 ml/kg "
    "respectively)."
)
COSTS = (
    "The council approved the following and their costs: entertainment for children at a cost of "
    "£225.",
    "The band of 2019 at a cost of £250.",
)
RECALL = (
    "An Officer may be recalled by a two-thirds (2/3) majority vote at a General Meeting called "
    "for that."
)


def check(claim: str, *texts: str) -> Checked:
    section = Section("", tuple(map(Paragraph, texts)))
    return Checker.of([Document("a.txt", (section,))]).check(Claim(claim))


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("The limit was 0.25 mg/ml for maize and sugar beet.", [LIMITS]),
        ("Winter wheat had a limit of 0.5 mg/ml.", [LIMITS]),
        ("Lime led to a growth of seed in soil with waste engine oil (137%) and diesel oil (120%).",
         [SEEDS]),
        ("The yield was 5 ml/kg of the dry roots and 80 ml/kg of the fresh leaves.", [YIELDS]),
        ("The council approved children's entertainment at a cost of £250.", COSTS),
        ("An Officer may be recalled by a simple majority at a General Meeting called for that.",
         [RECALL]),
    ],
)  # fmt: skip
def test_a_value_of_something_else_differs(claim: str, texts: list[str]) -> None:
    checked = check(claim, *texts)
    assert checked.verdict == "differs", checked
    assert {"number", "order"} & {one.kind for one in checked.differences}


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("The limit for maize and sugar beet was 0.5 mg/ml.", [LIMITS]),
        ("Winter wheat had a limit of 0.25 mg/ml.", [LIMITS]),
        ("Lime led to a growth of seed in soil with diesel oil (137%) and waste engine oil (120%).",
         [SEEDS]),
        ("The yield was 5 ml/kg of the fresh leaves and 80 ml/kg of the dry roots.", [YIELDS]),
        ("The council approved entertainment for children at a cost of £225.", COSTS),
        ("An Officer may be recalled by a majority of two-thirds at a General Meeting.", [RECALL]),
        # a noun holds for the values behind it, too
        ("Only 12 mills were left in 1990.", ["There were 40 mills in 1950, and 12 in 1990."]),
        ("Of the roots, the yield was 0.74%.",
         ["The yield was 1.33% for the leaves and 0.74% for the roots."]),
        ("The mill cost £300 and was sold to farmers in Harlow.",
         ["The mill cost £300 and was sold for £500 to farmers in Harlow."]),
    ],
)  # fmt: skip
def test_the_value_of_what_the_claim_names_does_not_differ(claim: str, texts: list[str]) -> None:
    checked = check(claim, *texts)
    assert checked.verdict in ("verbatim", "edited", "paraphrase"), checked
    assert not {"number", "order"} & {one.kind for one in checked.differences}
