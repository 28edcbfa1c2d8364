"""Sentences are selected by score, without repetition, up to a length; and which pages competed for
each.
"""

from dataclasses import replace

import numpy as np
import pytest
from tiny import assert_linear

from pagesum_cli.quoting.candidates import STUB, UNUSUAL, WHOLE, Candidate
from pagesum_cli.quoting.choice import Selection, select_sentences
from pagesum_cli.quoting.introductions import GOOD_FOR_NAME, Named
from pagesum_cli.quoting.length import Target

ANY_LENGTH = Target(length=1e9, max_length=1000)
ABSTRACT = [True, True, True, False, False]


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


def measured(*scores: float, **fields: list) -> list[Candidate]:
    """Such sentences, and two stubs at the end which make the standard deviation of scores one."""
    mean, count = np.mean(scores), len(scores) + 2
    apart = ((count - np.square(np.subtract(scores, mean)).sum()) / 2) ** 0.5
    low, high = candidates(mean - apart, mean + apart, level=[STUB, STUB])
    low, high = replace(low, tokens=[9000]), replace(high, tokens=[9001])
    return [*candidates(*scores, **fields), low, high]


def selected(sentences: list[Candidate], target: Target = ANY_LENGTH, pages: int = 3) -> list[int]:
    return [
        choice.candidate for choice in select_sentences(Selection(sentences, pages, 1.0), target)
    ]


def in_words(words: float) -> Target:
    return Target(words, size=lambda candidate: candidate.words, is_exact=True)


def in_sentences(sentences: int) -> Target:
    return Target(sentences, size=lambda candidate: 1, is_exact=True, tolerance=0)


def alike(first: Candidate, other: Candidate, shared: int) -> Candidate:
    """The other one, of whose ten tokens some are the last ones of the first, backwards."""
    return replace(other, tokens=(*other.tokens[shared:], *first.tokens[::-1][:shared]))


def test_the_best_up_to_the_target_in_document_order() -> None:
    sentences = candidates(0.1, 3.0, 0.2, 2.0, 1.0)
    assert selected(sentences, Target(length=33, max_length=1000)) == [1, 3, 4]
    assert selected(sentences, Target(length=1, max_length=1000)) == [1]
    assert selected(sentences, Target(length=1, min_length=20, max_length=1000)) == [1, 3]
    assert selected(sentences, Target(length=1e9, max_length=25)) == [1, 3]


def test_what_hardly_stands_alone_scores_less() -> None:
    assert selected(measured(0.75, 0.0, alone=[0.5, 1.0]), Target(11)) == [0]
    assert selected(measured(0.68, 0.0, alone=[0.5, 1.0]), Target(11)) == [1]


@pytest.mark.parametrize(("follows", "expected"), [(True, [0, 1]), (False, [0, 2])])
def test_but_not_after_the_sentence_before_it(follows: bool, expected: list[int]) -> None:
    fields = {"alone": [1.0, 0.5, 1.0], "follows": [False, follows, False]}
    assert selected(measured(2.0, 0.1, 0.0, **fields), Target(22)) == expected


@pytest.mark.parametrize(("alone", "expected"), [(0.4, [1]), (0.6, [0])])
def test_what_is_not_understood_alone_is_left_out(alone: float, expected: list[int]) -> None:
    assert selected(candidates(9.0, 0.0, alone=[alone, 1.0]), Target(11)) == expected


def test_what_needs_the_sentence_before_it_brings_that_along() -> None:
    fields = {"alone": [1.0, 0.1, 1.0], "follows": [False, True, False]}
    sentences = candidates(2.0, 9.0, 3.0, **fields)
    assert selected(sentences, Target(22)) == [0, 1]
    assert selected(sentences, Target(11)) == [0, 1]
    assert selected(sentences, Target(11, is_exact=True)) == [2]  # both do not fit
    assert selected(sentences, Target(11, max_length=15)) == [2]


def test_or_is_quoted_after_it() -> None:
    fields = {"alone": [1.0, 0.1, 1.0], "follows": [False, True, False]}
    selection = Selection(candidates(2.0, 9.0, 3.0, **fields), 1, 1.0)
    assert selection.best() == [0, 1]
    selection.choose(0)
    assert selection.best() == [1]


@pytest.mark.parametrize(
    "changes",
    [{"level": STUB}, {"alone": 0.1}, {"tokens": range(9000, 9010)}],
    ids=["a stub", "needs another one", "known"],
)
def test_or_is_left_out_where_that_cannot_be_quoted(changes: dict) -> None:
    fields = {"alone": [1.0, 0.1, 1.0], "follows": [False, True, False]}
    first, second, third = candidates(2.0, 9.0, 3.0, **fields)
    sentences = [replace(first, **changes), second, third]
    assert Selection(sentences, 1, 1.0, known=[range(9000, 9010)]).best() == [2]


def test_nothing_is_brought_along_from_another_paragraph() -> None:
    assert selected(candidates(2.0, 9.0, 3.0, alone=[1.0, 0.1, 1.0]), Target(22)) == [0, 2]


def test_what_is_about_a_focus_is_quoted_even_if_it_is_not_understood_alone() -> None:
    fields = {"alone": [0.1, 1.0], "is_central": [True, False]}
    assert selected(candidates(9.0, 0.0, **fields), Target(11)) == [0]


@pytest.mark.parametrize(("shared", "expected"), [(5, [0, 1]), (4, [0, 2])])
def test_what_repeats_is_left_out_in_any_order(shared: int, expected: list[int]) -> None:
    first, second, again, *rest = candidates(3.0, 1.0, 2.0, *[0.0] * 17)
    sentences = [first, second, alike(first, again, shared), *rest]
    assert selected(sentences, Target(22)) == expected


@pytest.mark.parametrize(("documents", "expected"), [([0, 1], [0, 1]), ([0, 0], [0, 2])])
def test_rules_of_two_documents_in_like_words_are_two(
    documents: list[int], expected: list[int]
) -> None:
    first, again, *rest = candidates(3.0, 2.0, *[0.0] * 17)
    first = replace(first, document=documents[0], binds=True)
    again = replace(alike(first, again, 8), document=documents[1], binds=True)
    assert selected([first, again, *rest], Target(22)) == expected


def test_what_the_reader_knows_is_not_repeated() -> None:
    sentences = candidates(3.0, 2.0)
    choices = select_sentences(Selection(sentences, 1, 1.0, [sentences[0].tokens]), ANY_LENGTH)
    assert [choice.candidate for choice in choices] == [1]


def test_what_the_reader_knows_is_not_repeated_where_another_abstract_is_quoted() -> None:
    first, second = candidates(2.0, 1.0, is_abstract=[True, False])
    selection = Selection([first, second], 1, 1.0, known=[second.tokens])
    assert selection.best() == [0]
    selection.choose(0)
    assert selection.best() == []


@pytest.mark.parametrize(("score", "expected"), [(0.65, [0, 2]), (0.5, [0, 1])])
def test_every_document_of_a_cluster_has_its_turn(score: float, expected: list[int]) -> None:
    sentences = measured(2.0, 1.0, score, document=[0, 0, 1])
    assert selected(sentences, Target(22)) == expected
    alone = [replace(item, document=0) for item in sentences]
    assert selected(alone, Target(22)) == [0, 1]


@pytest.mark.parametrize("words", [40, 100, 130, 257])
def test_words_are_met_within_a_tenth_or_half_a_sentence(words: int) -> None:
    generator = np.random.default_rng(words)
    sizes = generator.integers(8, 45, 60).tolist()
    sentences = candidates(*generator.normal(0, 2, 60), words=sizes)
    total = sum(sizes[number] for number in selected(sentences, in_words(words)))
    assert abs(total - words) <= max(0.1 * words, max(sizes) / 2)


def test_the_last_sentence_is_one_that_fits() -> None:
    assert selected(candidates(3.0, 2.0, 1.0, words=[50, 70, 45]), in_words(100)) == [0, 2]
    assert selected(candidates(3.0, 2.0, 1.0, words=[95, 70, 5]), in_words(100)) == [0]


@pytest.mark.parametrize("count", [1, 2, 9, 30])
def test_sentences_are_as_many_as_were_asked_for(count: int) -> None:
    generator = np.random.default_rng(count)
    assert len(selected(candidates(*generator.normal(0, 2, 40)), in_sentences(count))) == count


def test_ten_sentences_are_not_eleven_where_the_last_one_brings_another_along() -> None:
    fields = {"alone": [1.0] * 10 + [0.1], "follows": [False] * 10 + [True]}
    sentences = candidates(*range(20, 11, -1), -5.0, 9.0, **fields)
    assert len(selected(sentences, in_sentences(10))) == 10


def test_stubs_are_quoted_only_where_there_is_nothing_else() -> None:
    assert selected(candidates(9.0, 1.0, level=[STUB, WHOLE])) == [1]
    assert selected(candidates(1.0, 9.0, level=[STUB, STUB]), Target(11)) == [1]
    assert selected(candidates(9.0, 5.0, level=[STUB, UNUSUAL])) == [1]


def test_long_sentences_are_quoted_where_a_length_was_asked_for_but_fragments_are_not() -> None:
    sentences = candidates(1.0, 9.0, 5.0, level=[WHOLE, STUB, UNUSUAL])
    assert selected(sentences) == [0]
    assert selected(sentences, in_sentences(9)) == [0, 2]


def test_a_sentence_that_needs_another_one_comes_before_a_long_one() -> None:
    assert selected(candidates(9.0, 1.0, level=[UNUSUAL, WHOLE], alone=[1.0, 0.1])) == [1]


@pytest.mark.parametrize(
    "target", [Target(5, max_length=5), Target(5, is_exact=True), in_words(0.5)]
)
def test_a_selection_is_never_empty(target: Target) -> None:
    assert selected(candidates(1.0, 9.0), target) == [1]
    assert selected(candidates(1.0, 9.0, level=[STUB, STUB], alone=[0.1, 0.1]), target) == [1]
    assert selected(candidates(1.0), target) == [0]


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


def test_what_cannot_be_understood_does_not_compete() -> None:
    fields = {"pages": [0, 1, 2], "alone": [1.0, 0.1, 1.0]}
    first = Selection(candidates(1.0, 1.0, 1.0, **fields), 3, 1.0).choose(0)
    assert first.page_confidences == pytest.approx([0.5, 0, 0.5])
    follows = candidates(1.0, 1.0, 1.0, **fields, follows=[False, True, False])
    assert Selection(follows, 3, 1.0).choose(0).page_confidences == pytest.approx([1 / 3] * 3)


def test_quotes_of_a_comparison_compete_with_those_of_their_document() -> None:
    sentences = candidates(1.0, 1.0, 1.0, pages=[0, 1, 2], document=[0, 0, 1])
    selection = Selection(sentences, 3, 1.0)
    selection.apart = True
    assert selection.choose(0).page_confidences == pytest.approx([0.5, 0.5, 0])
    assert selection.choose(2).page_confidences == pytest.approx([0, 0, 1])


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


def test_an_abstract_is_quoted_whole_where_it_has_about_the_target_length() -> None:
    sentences = candidates(0.1, -2.0, 0.2, 9.0, 8.0, is_abstract=ABSTRACT)
    assert selected(sentences, Target(33)) == [0, 1, 2]
    assert selected(sentences, Target(14)) == [0, 1, 2]
    assert selected(sentences, Target(13)) == [3]  # it is too long
    assert selected(sentences, Target(33, max_length=30)) == [3, 4]
    choices = select_sentences(Selection(sentences, 3, 1.0), Target(22), whole_abstract=False)
    assert [choice.candidate for choice in choices] == [3, 4]


def test_beside_a_short_abstract_others_are_quoted() -> None:
    sentences = candidates(0.1, -2.0, 0.2, 9.0, 8.0, is_abstract=ABSTRACT)
    assert selected(sentences, Target(80)) == [0, 1, 2]
    assert selected(sentences, Target(90)) == [0, 1, 2, 3, 4]
    assert selected(sentences, Target(33, is_exact=True)) == [0, 1, 2]
    assert selected(sentences, Target(55, is_exact=True)) == [0, 1, 2, 3, 4]


def test_the_abstracts_of_a_cluster_are_not_quoted_whole() -> None:
    sentences = candidates(
        0.1, -2.0, 0.2, 9.0, 8.0, is_abstract=ABSTRACT, document=[0] * 3 + [1] * 2
    )
    assert selected(sentences, Target(33)) == [2, 3, 4]


def test_an_abstract_of_one_sentence_is_a_sentence_like_others() -> None:
    assert selected(candidates(1.0, 9.0, is_abstract=[True, False]), Target(11)) == [1]


@pytest.mark.parametrize(("level", "expected"), [(STUB, [0, 1]), (UNUSUAL, [0, 1, 2, 3])])
def test_a_sentence_of_the_abstract_that_needs_one_left_out_is_left_out_too(
    level: int, expected: list[int]
) -> None:
    fields = {"level": [WHOLE, WHOLE, level, WHOLE], "alone": [1.0, 1.0, 1.0, 0.1]}
    fields["follows"] = [False, False, False, True]
    sentences = candidates(1.0, 1.0, 1.0, 1.0, is_abstract=[True] * 4, **fields)
    assert selected(sentences, Target(33)) == expected


def test_the_conclusion_of_an_abstract_is_understood_after_its_results() -> None:
    fields = {"alone": [1.0, 1.0, 0.1, 1.0], "follows": [False] * 4}
    sentences = candidates(1.0, 1.0, 1.0, 1.0, is_abstract=[True] * 3 + [False], **fields)
    assert selected(sentences, Target(33)) == [0, 1, 2]


def test_very_short_sentences_of_an_abstract_are_left_out() -> None:
    first, second, third, *rest = candidates(1.0, 1.0, 1.0, 9.0, 9.0, is_abstract=ABSTRACT)
    short = replace(second, tokens=second.tokens[:7], level=UNUSUAL)
    assert selected([first, short, third, *rest], Target(33)) == [0, 2]


def test_what_the_abstract_says_is_not_quoted_again_from_the_text() -> None:
    first, second, third = candidates(5.0, 4.0, 3.0, is_abstract=[True, False, False])
    again = alike(first, second, 9)
    assert selected([first, again, third], Target(22)) == [0, 2]
    both = [first, replace(again, is_abstract=True), third]  # but in the abstract it may
    choices = select_sentences(Selection(both, 3, 1.0), Target(22), whole_abstract=False)
    assert [choice.candidate for choice in choices] == [0, 1]


def test_of_sentences_with_equal_scores_the_one_that_stands_alone_is_quoted() -> None:
    assert selected(candidates(1.0, 1.0, alone=[0.6, 1.0]), Target(11)) == [1]


@pytest.mark.parametrize("alone", [1.0, 0.1])
def test_time_grows_with_the_number_of_sentences(alone: float) -> None:
    def select(count: int) -> None:
        generator = np.random.default_rng(0)
        fields = {"alone": [alone] * count, "follows": [True] * count}
        pages = [n // 50 for n in range(count)]
        sentences = candidates(*generator.normal(0, 1, count), pages=pages, **fields)
        select_sentences(Selection(sentences, count // 50 + 1, 1.0), Target(300))

    assert_linear(select, 4000)


def test_time_grows_so_also_where_no_sentence_fits() -> None:
    def select(count: int) -> None:
        generator = np.random.default_rng(0)
        sentences = candidates(*generator.normal(0, 1, count))
        select_sentences(Selection(sentences, 1, 1.0), Target(5, max_length=5))

    assert_linear(select, 1500)


def test_an_abstract_that_is_quoted_whole_wins_by_far() -> None:
    sentences = candidates(1.0, 0.0, 2.0, pages=[0, 0, 1], is_abstract=[True, True, False])
    choices = select_sentences(Selection(sentences, 2, 1.0), Target(22))
    assert [choice.candidate for choice in choices] == [0, 1]
    odds = np.exp(3 * np.std([1.0, 0.0, 2.0])) * (np.exp(1) + np.exp(0)) / np.exp(2)
    assert choices[0].page_confidences[0] == pytest.approx(odds / (1 + odds))


def naming(sentences: list[Candidate], *words: str, assumed: dict[int, str]) -> Selection:
    """A choice from sentences, each of which names a word, and some of which assume one."""
    named = [
        Named(frozenset([word]), tuple(assumed.get(number, "").split()))
        for number, word in enumerate(words)
    ]
    return Selection(sentences, 1, 1.0, named=named)


@pytest.mark.parametrize(
    ("score", "target", "expected"),
    [
        (GOOD_FOR_NAME, Target(22), [0, 2]),
        (GOOD_FOR_NAME - 0.1, Target(22), [1, 2]),  # not good enough itself
        (GOOD_FOR_NAME, Target(11, is_exact=True), [2]),  # both do not fit
    ],
)
def test_a_name_brings_along_what_introduces_it(
    score: float, target: Target, expected: list[int]
) -> None:
    sentences = candidates(score, 2.0, 9.0)
    selection = naming(sentences, "Rogers", "May", "Rogers", assumed={2: "Rogers"})
    chosen = [choice.candidate for choice in select_sentences(selection, target)]
    assert chosen == expected


def test_an_introduction_does_not_say_the_same() -> None:
    first, other, last = candidates(5.0, 2.0, 9.0)
    sentences = [replace(first, is_chosen=True), other, alike(first, last, 8)]
    selection = naming(sentences, "Rogers", "May", "Rogers", assumed={2: "Rogers"})
    assert selection.best() == [2]
    assert naming(
        [first, other, last], "Rogers", "May", "Rogers", assumed={2: "Rogers"}
    ).best() == [0, 2]


@pytest.mark.parametrize(
    ("score", "follows", "expected"),
    [
        (GOOD_FOR_NAME, True, [0, 1]),
        (GOOD_FOR_NAME - 0.1, True, [1]),
        (GOOD_FOR_NAME, False, [1]),
    ],
)
def test_what_leans_on_a_good_sentence_before_it_brings_that_along(
    score: float, follows: bool, expected: list[int]
) -> None:
    sentences = candidates(score, 9.0, leans=[False, True], follows=[False, follows])
    assert naming(sentences, "May", "Rye", assumed={}).best() == expected
