"""The kind of a document by its words."""

from dataclasses import replace

import pytest
from shape_texts import document_of

from pagesum_cli.documents.model import Document
from pagesum_cli.shapes import likely_kinds
from pagesum_cli.shapes.kinds import (
    NAMED_CONTRACT,
    NAMED_REPORT,
    OPINION,
    PAPER,
    REGULATION,
    SOFTWARE,
    kind_of,
)
from pagesum_cli.shapes.likely_kinds import OTHER, likely_kind, probabilities

JUDGMENT = (
    "The tribunal heard the appeal of Mr Ward against the refusal of his claim. Counsel for the "
    "respondent submitted that the claimant was not entitled to relief, because the notice was "
    "late. The claimant gave evidence, and I find that he was a credible witness. ",
    "The question is whether the judge below erred in law. Section 12 of the Act provides that a "
    "notice must be given within 28 days, unless the court considers that it is just to extend "
    "the time. In Reed v Lane the court held that a short delay is no bar to a claim. ",
    "The judge did not consider that authority, nor the evidence of the second witness. In my "
    "judgment this was an error of law. There is no merit in the second ground of appeal, which "
    "concerns the costs of the proceedings. For these reasons the appeal is allowed, the judgment "
    "of the court below is set aside, and the respondent must pay the costs of the claimant. ",
    "I agree with the judgment of my learned brother, and have nothing to add on the facts, the "
    "law or the order that he proposes in respect of the costs here and below. ",
)
STORY = (
    "Rain fell on the hill, and the old mill slept. Nobody came that night. The geese were quiet, "
    "and my grandmother looked out of the window and laughed. She put her hand on my head. "
)


def test_a_judgment_without_its_usual_form_is_an_opinion() -> None:
    document = document_of({"": " ".join([*JUDGMENT, JUDGMENT[-1]])})
    assert likely_kind(document) == "opinion"
    assert kind_of([document]) is OPINION


def test_another_text_is_of_no_kind() -> None:
    document = document_of({"": 8 * STORY})
    assert likely_kind(document) == ""
    assert kind_of([document]) is None
    assert kind_of([document_of({"": " ".join(JUDGMENT)}), document]) is None


def test_a_short_text_is_of_no_kind() -> None:
    assert likely_kind(Document("empty.txt", ())) == ""
    assert likely_kind(document_of({"": JUDGMENT[0]})) == ""


@pytest.mark.parametrize(
    ("name", "kind"),
    [("report", NAMED_REPORT), ("rules", REGULATION), ("software", PAPER), ("", PAPER)],
)
def test_words_turn_a_paper_into_a_report_or_rules(
    name: str, kind: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pagesum_cli.shapes.kinds.likely_kind", lambda document: name)
    document = document_of({"Abstract": "It is short.", "Methods": "We count.", "Results": "Two."})
    assert kind_of([document]) is kind


@pytest.mark.parametrize(("name", "kind"), [("contract", NAMED_CONTRACT), ("software", SOFTWARE)])
def test_words_name_the_kind_where_no_rule_does(
    name: str, kind: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pagesum_cli.shapes.kinds.likely_kind", lambda document: name)
    assert kind_of([document_of({"": 8 * STORY})]) is kind


def test_a_kind_must_be_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"": {"paper": 0, "release": 0, OTHER: 0}, "w mill": {"paper": 30}}
    monkeypatch.setattr(likely_kinds, "weights", lambda: own)
    document = document_of({"": 100 * "The mill. "})
    assert likely_kind(document) == "paper"
    own["w mill"] = {"paper": 1}
    assert likely_kind(document) == ""
    own["w mill"] = {OTHER: 90}
    assert likely_kind(replace(document, title="Mill")) == ""


def test_probabilities_do_not_depend_on_words_without_a_weight() -> None:
    own = {"": {"paper": 3, OTHER: 0}, "w mill": {"paper": 10}}
    found = probabilities({"w mill": 1.0, "w hill": 5.0}, own)
    assert found == probabilities({"w mill": 2.0}, own)
    assert sum(found.values()) == pytest.approx(1)
