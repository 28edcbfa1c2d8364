"""Sentences are selected by score, without repetition, up to a length; and which pages competed for
each.
"""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tiny import assert_linear

from pagesum_cli.models.extractive.selection import (
    Candidate,
    Selection,
    Target,
    beyond_abstract,
    select_sentences,
)

ANY_LENGTH = Target(length=1e9, max_length=1000)


def candidates(*scores: float, pages: list[int] | None = None, **fields: list) -> list[Candidate]:
    """Sentences of ten tokens that have nothing in common."""
    return [
        Candidate(
            page=pages[n] if pages else 0,
            sentence=n,
            tokens=tuple(range(100 * n, 100 * n + 10)),
            score=score,
            **{name: values[n] for name, values in fields.items()},
        )
        for n, score in enumerate(scores)
    ]


def selected(sentences: list[Candidate], target: Target = ANY_LENGTH, pages: int = 3) -> list[int]:
    return [
        choice.candidate for choice in select_sentences(Selection(sentences, pages, 1.0), target)
    ]


def test_the_beginning_of_news_is_preferred() -> None:
    sentences = candidates(0.0, 0.0, 1.0, 1.5, lead=[1.0, 0.6, 0.0, 0.0])
    assert selected(sentences, Target(length=22, max_length=1000)) == [0, 1]


def test_the_best_up_to_the_target_in_document_order() -> None:
    sentences = candidates(0.1, 3.0, 0.2, 2.0, 1.0)
    assert selected(sentences, Target(length=33, min_length=0, max_length=1000)) == [1, 3, 4]
    assert selected(sentences, Target(length=1, min_length=0, max_length=1000)) == [1]
    assert selected(sentences, Target(length=1, min_length=20, max_length=1000)) == [1, 3]
    assert selected(sentences, Target(length=1e9, min_length=0, max_length=25)) == [1, 3]


def test_a_selection_has_room_for_as_many_words_as_were_asked_for() -> None:
    sentences = [replace(one, words=20) for one in candidates(1.0, 2.0)]
    in_words = Target(50, size=lambda candidate: candidate.words)
    assert in_words.spare_words(sentences) == pytest.approx(15)
    assert Target(33).spare_words(sentences) == pytest.approx((36.3 - 22) * 40 / 22)  # in tokens
    assert in_words.spare_words([]) == 0


def test_what_repeats_is_left_out() -> None:
    first, second, third = candidates(3.0, 2.9, 1.0)
    again = Candidate(0, 1, first.tokens[:6] + second.tokens[:4], 2.9)
    assert selected([first, again, third]) == [0, 2]


def test_what_refers_back_needs_the_sentence_before_it() -> None:
    back = [0.0, 0.9, 0.0, 0.9]
    assert selected(candidates(0.0, 9.0, 3.0, 4.0, needs_context=back), Target(22)) == [2, 3]


def test_what_refers_back_brings_the_sentence_before_it_along_if_the_two_are_worth_it() -> None:
    back, follows = [0.0, 0.9, 0.0], [False, True, False]
    assert selected(candidates(2.0, 9.0, 3.0, needs_context=back, follows=follows), Target(22)) == [
        0,
        1,
    ]
    assert selected(
        candidates(-9.0, 9.0, 3.0, needs_context=back, follows=follows), Target(11)
    ) == [2]


def test_neighbors_of_what_is_selected_are_preferred_but_not_in_a_paper() -> None:
    follows = [False, True, True, False]
    assert selected(candidates(2.0, 5.0, 2.0, 2.5, follows=follows), Target(22)) == [0, 1]
    likely = [0.0, 0.0, 0.4, 0.0]  # is understood after the sentence before it
    assert selected(
        candidates(1.9, 5.0, 2.0, 2.5, follows=follows, needs_context=likely), Target(22)
    ) == [1, 2]
    roles = [0.0, 0.0, 0.0, 0.1]
    assert selected(
        candidates(2.0, 5.0, 2.0, 2.5, follows=follows, background=roles), Target(22)
    ) == [1, 3]


def test_what_is_likely_to_need_context_scores_less() -> None:
    assert selected(candidates(2.0, 1.5, needs_context=[0.45, 0.0]), Target(11)) == [1]


def test_the_same_words_in_other_sentences_are_selected_once() -> None:
    first, second, *rest = candidates(3.0, 1.0, *[0.0] * 20)
    alike = Candidate(0, 2, (*first.tokens[:5], 9001, 9002, 9003, 9004, 9005)[::-1], 2.0)
    assert selected([first, second, alike, *rest], Target(22)) == [0, 1]


def test_what_others_found_scores_less() -> None:
    assert selected(candidates(2.0, 1.5, is_others=[True, False]), Target(11)) == [1]


def test_the_aim_is_told_once() -> None:
    assert selected(candidates(2.0, 3.0, 1.0, 2.5, is_aim=[True, True, False, True])) == [1, 2]


def test_what_the_reader_knows_is_not_repeated() -> None:
    sentences = candidates(3.0, 2.0)
    known = set(pairwise(sentences[0].tokens))
    choices = select_sentences(Selection(sentences, 1, 1.0, known), ANY_LENGTH)
    assert [choice.candidate for choice in choices] == [1]


def test_a_fact_is_told_once_also_in_another_order() -> None:
    """The same words in another order have no pair of words in common."""
    first, other, again = candidates(3.0, 1.0, 2.0, document=[0, 0, 1])
    again = replace(again, tokens=first.tokens[::-1])
    assert selected([first, other, again]) == [0, 1]


@pytest.mark.parametrize("words", [40, 100, 130, 257])
def test_words_are_met_within_a_tenth_or_half_a_sentence(words: int) -> None:
    generator = np.random.default_rng(words)
    sizes = generator.integers(8, 45, 60).tolist()
    sentences = candidates(*generator.normal(0, 2, 60), words=sizes)
    total = sum(
        sizes[number]
        for number in selected(
            sentences, Target(words, size=lambda candidate: candidate.words, is_exact=True)
        )
    )
    assert abs(total - words) <= max(0.1 * words, max(sizes) / 2)


def test_what_refers_away_scores_less() -> None:
    assert selected(candidates(2.0, 1.5, refers_away=[True, False]), Target(11, 0, 1000)) == [1]


def test_every_document_of_a_cluster_has_its_turn() -> None:
    assert selected(candidates(3.0, 2.9, 2.5, document=[0, 0, 1]), Target(22, 0, 1000)) == [0, 2]


def test_stubs_are_quoted_only_where_there_is_nothing_else() -> None:
    assert selected(candidates(9.0, 1.0, is_eligible=[False, True])) == [1]
    assert selected(candidates(1.0, 9.0, is_eligible=[False, False]), Target(11)) == [1]
    # Short sentences before fragments; fragments not even where a length was asked for.
    assert selected(candidates(9.0, 5.0, is_eligible=[False, False], is_whole=[False, True])) == [1]
    kinds = {"is_eligible": [True, False, False], "is_whole": [True, False, True]}
    assert selected(candidates(1.0, 9.0, 5.0, **kinds)) == [0]
    assert selected(
        candidates(1.0, 9.0, 5.0, **kinds), Target(9, size=lambda candidate: 1, is_exact=True)
    ) == [0, 2]
    assert selected(candidates(1.0, 9.0), Target(5, 0, 5)) == [1]  # none fits


def test_a_sentence_that_needs_another_one_comes_before_a_stub() -> None:
    stub, sentence = (
        {"is_eligible": [False, True], "is_whole": [False, True]},
        {"needs_context": [0.0, 0.9]},
    )
    assert selected(candidates(9.0, 1.0, **stub, **sentence)) == [1]


def test_confidences_are_the_shares_of_what_can_still_be_chosen() -> None:
    sentences = candidates(2.0, 1.0, 0.0, pages=[0, 1, 1])
    selection = Selection(sentences, 3, temperature=0.5)
    first = selection.choose(0).page_confidences
    weights = np.exp(np.array([2.0, 1.0, 0.0]) / 0.5)
    assert first == pytest.approx(
        [weights[0] / weights.sum(), weights[1:].sum() / weights.sum(), 0]
    )
    second = selection.choose(1).page_confidences
    assert second == pytest.approx([0, 1, 0])  # nothing is left on the first page


def test_columns_differ_and_sum_to_one() -> None:
    generator = np.random.default_rng(0)
    sentences = candidates(*generator.normal(0, 2, 60), pages=[n // 10 for n in range(60)])
    rows = np.array(
        [
            choice.page_confidences
            for choice in select_sentences(Selection(sentences, 6, 0.7), Target(99))
        ]
    )
    assert rows.sum(1) == pytest.approx(1)
    assert len(np.unique(rows.round(6), axis=0)) == len(rows) > 5


def test_irrelevant_sentences_hardly_move_the_confidences() -> None:
    scores = [2.0, 1.0, 1.5, 0.5, -4.0, -4.5]
    pages = [0, 0, 1, 1, 2, 2]
    few = select_sentences(Selection(candidates(*scores, pages=pages), 3, 0.7), Target(33))
    more = candidates(*scores, *[-6.0] * 40, pages=[*pages, *[2] * 40])
    many = select_sentences(Selection(more, 3, 0.7), Target(33))
    assert [choice.candidate for choice in few] == [choice.candidate for choice in many]
    for one, other in zip(few, many, strict=True):
        assert one.page_confidences == pytest.approx(other.page_confidences, abs=0.01)


def test_time_grows_with_the_number_of_sentences() -> None:
    def select(count: int) -> None:
        generator = np.random.default_rng(0)
        sentences = candidates(
            *generator.normal(0, 1, count), pages=[n // 50 for n in range(count)]
        )
        select_sentences(Selection(sentences, count // 50 + 1, 1.0), Target(300))

    assert_linear(select, 4000)


def test_a_paper_s_finding_with_a_number_is_selected_whatever_scores_more() -> None:
    assert selected(candidates(5.0, 1.0, 2.0, is_key=[False, True, False]), Target(22)) == [0, 1]
    assert selected(candidates(5.0, 1.0, 2.0, is_key=[False, True, False]), Target(11)) == [1]


def test_beyond_the_abstract_findings_and_limitations_count_more_than_background() -> None:
    sentences = candidates(
        1.0,
        0.8,
        0.5,
        background=[1.0, 0.0, 0.0],
        finding=[0.0, 0.0, 0.9],
        limitation=[0.0, 0.2, 0.0],
    )
    assert selected(beyond_abstract(sentences), Target(22)) == [1, 2]


def test_the_aim_in_the_abstract_is_selected_after_the_finding() -> None:
    sentences = candidates(
        5.0,
        0.0,
        2.0,
        is_key=[False, False, True],
        is_aim=[False, True, False],
        is_abstract=[False, True, False],
    )
    assert selected(sentences, Target(22)) == [1, 2]
    assert selected(sentences, Target(11)) == [2]


def test_what_the_abstract_says_is_not_quoted_again_from_the_text() -> None:
    sentences = candidates(5.0, 4.0, 3.0, is_abstract=[True, False, False])
    again = replace(sentences[1], tokens=(*sentences[0].tokens[:4], *range(200, 206)))
    assert selected([sentences[0], again, sentences[2]], Target(22)) == [0, 2]
    both = replace(sentences[0], is_abstract=False)
    assert selected([both, again, sentences[2]], Target(22)) == [0, 1]


def test_aims_and_background_are_quoted_from_the_abstract_where_there_is_one() -> None:
    fields = {"is_aim": [False, True, False, False], "background": [0.0, 0.0, 1.0, 0.0]}
    sentences = candidates(1.0, 4.0, 3.0, 2.0, is_abstract=[True, False, False, False], **fields)
    assert selected(sentences, Target(22)) == [0, 3]
    assert selected(candidates(1.0, 4.0, 3.0, 2.0, **fields), Target(22)) == [1, 2]


def test_beside_an_abstract_only_findings_and_limitations_are_quoted() -> None:
    fields = {"finding": [0.2, 0.1, 0.8, 0.1], "limitation": [0.0, 0.1, 0.1, 0.9]}
    sentences = candidates(1.0, 9.0, 3.0, 2.0, is_abstract=[True, False, False, False], **fields)
    assert selected(sentences) == [0, 2, 3]
    assert 1 in selected(candidates(1.0, 9.0, 3.0, 2.0, **fields))


def test_an_abstract_is_quoted_whole_where_it_has_about_the_target_length() -> None:
    sentences = candidates(0.1, -2.0, 0.2, 9.0, 8.0, is_abstract=[True, True, True, False, False])
    assert selected(sentences, Target(33)) == [0, 1, 2]
    assert selected(sentences, Target(14)) == [0, 1, 2]
    assert selected(sentences, Target(12)) == [0]
    assert selected([replace(item, finding=0.1) for item in sentences], Target(12)) == [2]
    assert selected(sentences, Target(100)) == [0, 1, 2, 3]
    assert selected(sentences, Target(33, is_exact=True)) == [0, 1, 2]
    assert selected(sentences, Target(55, is_exact=True)) == [0, 1, 2, 3, 4]
    choices = select_sentences(Selection(sentences, 3, 1.0), Target(22), whole_abstract=False)
    assert [choice.candidate for choice in choices] == [3, 4]


def test_a_sentence_of_the_abstract_that_needs_one_left_out_is_left_out_too() -> None:
    whole = [True, True, False, True]
    fields = {
        "is_abstract": [True] * 4,
        "is_whole": whole,
        "is_eligible": whole,
        "needs_context": [0.0, 0.0, 0.0, 0.9],
    }
    assert selected(candidates(1.0, 1.0, 1.0, 1.0, **fields), Target(33)) == [0, 1]


def test_the_abstract_of_a_document_does_not_restrict_the_others_of_a_cluster() -> None:
    fields = {
        "document": [0, 0, 1],
        "is_abstract": [True, False, False],
        "background": [0.9, 0.9, 0.9],
    }
    assert selected(candidates(3.0, 2.0, 1.0, **fields)) == [0, 2]


def test_what_the_reader_knows_is_not_repeated_where_another_abstract_is_quoted() -> None:
    first, second = candidates(2.0, 1.0, is_abstract=[True, False])
    selection = Selection([first, second], 1, 1.0, known=set(pairwise(second.tokens)))
    assert selection.best() == [0]
    selection.choose(0)
    assert selection.best() == []
