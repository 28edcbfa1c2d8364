"""What the sentences of an opinion of a court say."""

import pytest
from shape_texts import document_of, pages_of

from pagesum_cli.documents.model import Sentence
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.shapes.opinions import asides, fitting, is_opinion
from pagesum_cli.shapes.points import Point

FILL = "The mill stands at the brook"


def _slots(*texts: str) -> dict[str, list[str]]:
    """The sentences in each slot, the best first."""
    pages = pages_of(document_of({"I. Mill": ". ".join(texts) + "."}))
    sentences = pages.pages[0].sentences
    points = [Point((0, number), 0, one.text, 0.0) for number, one in enumerate(sentences)]
    return {name: [one.text for one in found] for name, found in fitting(points, pages).items()}


@pytest.mark.parametrize(
    "text",
    [
        "The judgment dismissing the claims of Mill Co against the county is AFFIRMED",
        "AFFIRMED",
        "REVERSED and REMANDED",
        "For these reasons, we AFFIRM",
        "Accordingly, we affirm the judgment",
        "Judgment affirmed",
        "She has no other claim, so the judgment of the district court is AFFIRMED",
    ],
)
def test_a_short_line_on_the_judgment_below_is_the_disposition(text: str) -> None:
    assert _slots(FILL, FILL, text)["disposition"][:1] == [f"{text}."]


def test_a_statement_of_another_court_is_no_disposition() -> None:
    assert not _slots(FILL, "The judge reversed his view of the mill")["disposition"]


def test_a_whole_sentence_on_the_judgment_comes_before_one_word_and_what_else_is_granted() -> None:
    whole = "Accordingly, the judgment of the district court is affirmed"
    texts = (FILL, whole, "AFFIRMED", "We GRANT his application for a lower fee")
    assert _slots(*texts)["disposition"][:2] == [f"{whole}.", "AFFIRMED."]


@pytest.mark.parametrize(
    "text",
    [
        "We agree and affirm",
        "We GRANT his application",
        "Under the deferential standard, we grant relief only to a miller",
        "When a mill has burnt, we may grant relief to its miller",
    ],
)
def test_what_is_decided_says_what_and_is_no_rule(text: str) -> None:
    assert not _slots(text, FILL)["holding"]


def test_a_rule_under_which_the_case_falls_is_a_holding() -> None:
    rule = "The ban would not apply once a mill has been built, as in the instant case"
    assert _slots(FILL, f"{rule}, where it has stood for years")["holding"] == [
        f"{rule}, where it has stood for years."
    ]


def test_what_is_decided_after_a_comma_and_after_a_certificate() -> None:
    texts = (
        "Thus, we conclude, no mill is at the brook",
        "We granted a certificate and now affirm",
    )
    assert _slots(*texts, FILL)["holding"] == [f"{one}." for one in texts]


@pytest.mark.parametrize("verb", ["brought an unfair trade claim against", "commenced this action"])
def test_a_case_is_brought_or_commenced(verb: str) -> None:
    assert _slots(f"While at the mill, Ms Brook {verb} the county", *[FILL] * 5)["case"]


def test_an_answer_without_what_it_answers_is_no_reason() -> None:
    assert not _slots(FILL, "We disagree", "Again, her argument fails")["reason"]
    assert _slots(FILL, "We disagree because the mill is old")["reason"]


def test_a_case_does_not_begin_with_what_points_back_nor_with_a_claim_given_up() -> None:
    texts = (
        "This case arises from a dispute on a bridge",
        "Having no answer, Mill Co sued the county",
        "Mill Co first sued the town, but voluntarily dismissed its claims",
    )
    assert _slots(*texts, *[FILL] * 5)["case"] == [f"{texts[0]}."]
    assert _slots("Mill Co sued the county", FILL, FILL)["case"] == ["Mill Co sued the county."]


def test_a_judgment_by_its_number_with_one_judge_is_an_opinion() -> None:
    texts = {
        "JUDGMENT": "Neutral Citation Number: [2020] EWHC 1 (Ch). "
        "The claimant and the defendant are millers. The claimant asks the judge for the mill. "
        "The defendant asks the court for the brook. The judge heard both in court. "
        "The claimant spoke in court. There will be judgment for the claimant"
    }
    assert is_opinion(document_of(texts))
    assert not is_opinion(document_of({"The mill": texts["JUDGMENT"].partition(". ")[2][:120]}))


@pytest.mark.parametrize(
    "end",
    [
        "The appeal will accordingly be allowed.",
        "The appeal must be dismissed with costs.",
        "\nORDER\n\nEntitlement to the mill is granted.",
    ],
)
def test_an_opinion_is_known_by_what_it_decides(end: str) -> None:
    text = "The appellant and the respondent are millers. The tribunal heard them in court. " * 4
    assert is_opinion(document_of({"The mill": text + end}))
    assert not is_opinion(document_of({"The mill": text}))


def test_a_decision_by_its_number_needs_no_court() -> None:
    text = "[2020] SGPDPC 1\nDECISION\nThe Commissioner directs the mill to pay. "
    assert is_opinion(document_of({"": text + "The complainant told the Commissioner. " * 4}))


def test_a_judge_who_sums_up_and_decides() -> None:
    slots = _slots(
        "This is a dispute between two brothers about a mill",
        *[FILL] * 5,
        "Counsel submits that the claim should be dismissed",
        "For these reasons I find that the mill is theirs",
        "I would dismiss the appeal",
    )
    assert slots["case"] == ["This is a dispute between two brothers about a mill."]
    assert slots["holding"][:1] == ["For these reasons I find that the mill is theirs."]
    assert slots["disposition"] == ["I would dismiss the appeal."]


def test_what_the_record_has_and_a_party_does_not_show_right_before_the_end_is_a_reason() -> None:
    notice = "In addition, the record on appeal reflects that the letter was delivered to the owner"
    proof = "The owner has provided no proof to the contrary"
    end = "We affirm the decision of the court"
    assert _slots(proof, *[FILL] * 12, notice, FILL, proof, end)["reason"] == [
        f"{one}." for one in (notice, proof)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The owner has appealed, asserting that he got no letter",
        "The miller asks us to reverse the decision on the brook",
    ],
)
def test_what_an_appeal_asserts_is_the_question(text: str) -> None:
    assert _slots(text, FILL, FILL)["question"] == [f"{text}."]


@pytest.mark.parametrize(
    "line",
    [
        "JUSTICE KAY, with whom JUSTICE MAY and JUSTICE LEE join, dissenting",
        "CHIEF JUSTICE MAY, concurring in part",
        "Anna Kay, Circuit Judge, dissenting",
    ],
)
def test_what_follows_the_line_above_another_opinion_is_not_the_courts(line: str) -> None:
    held = "We hold that the brook is common"
    assert _slots(f"{held}", FILL, line, "We hold that it is not")["holding"] == [f"{held}."]


def test_the_judges_who_filed_opinions_are_no_line_above_one() -> None:
    line = "KAY, J., filed an opinion dissenting in part"
    assert _slots(line, FILL, "We hold that it is common")["holding"]


@pytest.mark.parametrize(
    "end",
    [
        "In the result, we partly allow the appeal on the fee",
        "The appeal therefore fails and is dismissed with costs",
        "The petition is allowed only to the extent of the fee",
        "The writ petition stands disposed of",
        "Appeal is partly allowed in above terms",
        "For these reasons, I dismissed OS 12/2017",
        "In the circumstances, I dismissed the millers’ application to move the date",
        "I affirm the judgment of the learned District Judge and dismiss the appeal with costs",
        "In the result, the majority view is over-ruled and the reference is answered accordingly",
        "Accordingly, I set aside the sentence of the court below",
        "Affirmed in part, reversed in part and remanded to the court for a new fee",
        "Appeal allowed",
    ],
)
def test_the_outcome_at_the_end_is_the_disposition_and_no_decision_before_it(end: str) -> None:
    before = "The order of the mill court is set aside"
    assert _slots(before, *[FILL] * 9, end)["disposition"] == [f"{end}."]


def test_a_ruling_of_a_board_on_a_claim_is_a_disposition() -> None:
    text = "Entitlement to a mill in excess of 50 percent is denied"
    assert _slots(text, *[FILL] * 9)["disposition"] == [f"{text}."]


@pytest.mark.parametrize(
    "text",
    [
        "MAY, J., filed a dissenting opinion, in which LEE, J., joined",
        "Anna May, P.J., and Bo Lee, J., concur",
        "Judge May delivered the opinion of the Board in which Judge Lee joined",
        "Lady May and Lord Lee dissenting",
    ],
)
def test_who_concurs_or_dissents_is_the_vote(text: str) -> None:
    assert _slots(*[FILL] * 3, text)["vote"] == [f"{text}."]


def test_a_dissent_comes_first_and_one_in_another_case_is_no_vote() -> None:
    concurs, dissents = "MAY, J., concurs", "LEE, J., dissents"
    other = "In Mill v. Brook the court held that the gate was open, Lord May dissenting"
    assert _slots(concurs, dissents, other)["vote"] == [f"{one}." for one in (dissents, concurs)]


def test_the_title_of_a_case_above_another_opinion_opens_it() -> None:
    texts = (FILL, "ANNA MILL, PETITIONER v. TOWN OF BROOK concurring.", "We hold that it is not.")
    sentences = tuple(Sentence(text) for text in texts)
    pages = Pages("discourse", (Page("file", "file.pdf", "", sentences, 100),))
    assert asides(pages) == {(0, 1), (0, 2)}


def test_a_conclusion_that_is_reached_is_held() -> None:
    text = "We have, in any event, reached the conclusion that the board has no power to do this"
    assert _slots(text, *[FILL] * 5)["holding"] == [f"{text}."]
