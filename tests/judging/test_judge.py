"""A language model judges claims: what it is asked, and what becomes of its answers."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from editing.server import Reply, serving

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.editing.answered import Answers
from pagesum_cli.editing.choosers import Server
from pagesum_cli.judging.judge import Judge, announced, label_of
from pagesum_cli.judging.passages import MOST, Passages, is_open
from pagesum_cli.judging.prompts import meanings, question
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.results import CONTRADICTED, SUPPORTED, UNSETTLED, Checked

PENALTIES = "A breach of this rule is an offense punishable by a fine of up to $5,000 per tree."
TEXT = (
    "The council protects old oaks and beeches in all of the town.",
    "The arborist reviews each plan.",
    PENALTIES,
    "An owner may appeal to the planning board within two weeks.",
)
CLAIM = "Illegal felling can cost up to $5,000 for every tree."


def document() -> Document:
    paragraphs = tuple(Paragraph(text) for text in TEXT)
    return Document("rules.txt", (Section("Trees", paragraphs),))


PASSAGES = Passages([document()])


def checked(text: str, *, is_quotation: bool = False) -> Checked:
    return Checker.of([document()]).check(Claim(text, is_quotation=is_quotation))


def judged(text: str, reply: Reply, folder: Path, *, times: int = 1) -> tuple[Checked, list[str]]:
    """A claim after a model has answered, and the messages that it got."""
    with serving(lambda message: reply) as server:
        model = Server.of(server.name, allow_network=False)
        judge = Judge(model, Answers(model.name, folder), "fake")
        for _ in range(times):
            found = judge.judged(checked(text), PASSAGES.of(checked(text)))
        return found, server.messages


def test_the_right_passage_is_read_although_the_claim_is_in_other_words() -> None:
    found = PASSAGES.of(checked(CLAIM))
    assert found[0].place.sentence.text == PENALTIES
    assert found[0].text.startswith("(Trees) The arborist reviews each plan. A breach")
    assert 1 <= len(found) <= MOST


def test_an_answer_names_the_passage(tmp_path: Path) -> None:
    result, (message,) = judged(CLAIM, '{"numbers": [1]}', tmp_path)
    assert result.answer == SUPPORTED
    assert result.judgement
    assert result.judgement.place
    assert result.judgement.place.sentence.text == PENALTIES
    assert f"<claim>\n{CLAIM}\n</claim>" in message
    assert "[1] Passage A supports the claim." in message
    assert "[2] Passage A contradicts the claim." in message


def test_a_contradicted_claim_fails(tmp_path: Path) -> None:
    text = "An owner may appeal to the planning board within four weeks of a decision."
    result, _ = judged(text, '{"numbers": [2]}', tmp_path)
    assert result.answer == CONTRADICTED
    assert result.fails()


def test_strict_asks_for_a_proof_or_a_judge(tmp_path: Path) -> None:
    text = "The board hears an appeal of the owner within two weeks."
    open_claim = checked(text)
    assert open_claim.verdict == "paraphrase"
    assert open_claim.fails(strict=True)
    result, _ = judged(text, '{"numbers": [1]}', tmp_path)
    assert not result.fails(strict=True)


def test_what_is_proven_or_quoted_is_not_open() -> None:
    assert is_open(checked(CLAIM))
    assert not is_open(checked(TEXT[0]))
    assert not is_open(checked("up to $500 per tree", is_quotation=True))


def test_the_nearest_passage_of_what_is_not_found_is_shown() -> None:
    result = PASSAGES.with_nearest(Checked(Claim(CLAIM), "not found", 0.0))
    assert result.nearest
    assert result.nearest.sentence.text == PENALTIES


def test_a_paraphrase_gets_a_passage_with_words_that_its_own_lacks() -> None:
    claim = "Fines for breaching the rule reach $5,000."
    result = checked("The arborist reviews each plan.")
    other = replace(result, claim=Claim(claim), verdict="paraphrase", missing_words=("Fines",))
    assert PASSAGES.with_nearest(other).nearest
    assert PASSAGES.with_nearest(replace(other, missing_words=("reach",))).nearest is None


@pytest.mark.parametrize("reply", ["supported", '{"numbers": [99]}', '{"numbers": []}', 500])
def test_what_is_no_answer_leaves_the_claim_as_it_is(reply: Reply, tmp_path: Path) -> None:
    with serving(lambda message: reply) as server:
        model = Server.of(server.name, allow_network=False)
        judge = Judge(model, Answers("m", tmp_path), "fake")
        found = checked(CLAIM)
        assert judge.judged(found, PASSAGES.of(found)).judgement is None
    (note,) = judge.notes()
    assert note.startswith("fake did not judge 1 of the claims: ")
    assert not list(judge.notes())


def test_a_server_that_fails_is_not_asked_for_ever(tmp_path: Path) -> None:
    claims = [f"{CLAIM[:-1]} in ward {number}." for number in range(9)]
    with serving(lambda message: 503) as server:
        model = Server.of(server.name, allow_network=False)
        judge = Judge(model, Answers("m", tmp_path), "fake")
        for claim in claims:
            judge.judged(checked(claim), PASSAGES.of(checked(claim)))
        assert len(server.messages) == 3


def test_answers_are_kept(tmp_path: Path) -> None:
    _, messages = judged(CLAIM, '{"numbers": [1]}', tmp_path, times=3)
    assert len(messages) == 1


def test_each_answer_has_a_number() -> None:
    found = meanings(3)
    assert len(found) == 7
    assert list(found) == [1, 2, 3, 4, 5, 6, 7]
    assert found[3] == (SUPPORTED, 1)
    assert found[7] == (UNSETTLED, None)
    message = question("A claim.", ["One.", "Two.", "Three."])
    assert "[7] The passages do not settle the claim." in message
    assert json.loads('{"numbers": [7]}')


def test_what_leaves_this_machine_is_announced() -> None:
    assert not list(announced("http://localhost:11434/v1#mistral"))
    (line,) = announced("https://example.org/v1#mistral")
    assert line.endswith("go to https://example.org/v1")
    assert label_of("https://example.org/v1#mistral") == "mistral"
    assert label_of("smollm2") == "smollm2"
