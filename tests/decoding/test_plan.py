"""Which sentences a summary is to say."""

from dataclasses import replace

from pagesum_cli.decoding.plan import LONGEST, Pointing, choose_sentences, said


def sentence(start: int, length: int = 10) -> list[int]:
    return list(range(start, start + length))


def test_the_most_salient_sentences_that_fit_in_reading_order() -> None:
    sentences = [sentence(100 * n) for n in range(10)]
    salience = [0.1, 0.9, 0.2, 0.8, 0.0, 0.7, 0.3, 0.3, 0.3, 0.3]
    assert choose_sentences(salience, sentences, 22) == [1, 3]
    assert choose_sentences(salience, sentences, 42) == [1, 3, 5]


def test_what_was_said_is_not_said_again() -> None:
    sentences = [sentence(0), sentence(1), *(sentence(100 * n) for n in range(1, 9))]
    salience = [0.9, 0.8, 0.7, *[0.0] * 7]
    assert choose_sentences(salience, sentences, 22) == [0, 2]


def test_stubs_and_lists_are_not_chosen() -> None:
    sentences = [sentence(0, 3), sentence(1000, LONGEST + 1), *(sentence(100 * n) for n in range(1, 9))]
    assert choose_sentences([9, 8, *range(8)], sentences, 11) == [9]


def test_what_is_not_closed_is_not_chosen() -> None:
    sentences = [sentence(100 * n) for n in range(10)]
    assert choose_sentences(range(10), sentences, 22, ends={509, 209, 308}) == [2, 5]


def test_a_short_document_is_not_repeated_whole() -> None:
    sentences = [sentence(100 * n) for n in range(5)]
    assert choose_sentences([1, 2, 3, 4, 5], sentences, 500) == [3, 4]
    assert choose_sentences([1, 2, 3, 4, 5], sentences, 500, least=33) == [2, 3, 4]
    assert choose_sentences([1], [sentence(0)], 500) == [0]
    assert choose_sentences([], [], 500) == []


def test_a_longer_or_shorter_summary_is_so_of_a_short_document_too() -> None:
    sentences = [sentence(100 * n) for n in range(10)]
    assert len(choose_sentences(range(10), sentences, 500)) == 4
    assert len(choose_sentences(range(10), sentences, 500, scale=0.5)) == 2
    assert len(choose_sentences(range(10), sentences, 500, scale=2)) == 8


def test_all_documents_of_a_cluster_are_heard() -> None:
    sentences = [sentence(100 * n) for n in range(10)]
    salience = [3.0, 2.9, 2.8, 2.7, *[0.0] * 3, 2.2, 1.0, 0.0]
    parts = [0] * 4 + [1] * 6
    assert choose_sentences(salience, sentences, 33) == [0, 1, 2]
    assert choose_sentences(salience, sentences, 33, parts=parts) == [0, 1, 7]
    assert choose_sentences(salience, sentences, 33, parts=[0] * 10) == [0, 1, 2]


def test_what_points_back_is_said_behind_what_it_points_to() -> None:
    they, this, is_, paper = 7, 8, 9, 10
    pointing = Pointing(words={they}, this={this}, verbs={is_})
    sentences = [sentence(100 * n) for n in range(1, 11)]
    sentences[0][0] = sentences[3][0] = they
    sentences[5][:2] = this, is_
    sentences[7][:2] = this, paper
    salience = [8, 0, 0, 9, 0, 10, 0, 7, 0, 0]
    assert choose_sentences(salience, sentences, 33) == [0, 3, 5]
    assert choose_sentences(salience, sentences, 22, pointing=pointing) == [0, 7]
    salience[4] = 11
    assert choose_sentences(salience, sentences, 22, pointing=pointing) == [4, 5]
    assert choose_sentences([1, 2], [[they] * 9, [they]], 20, pointing=pointing) == [0]
    assert not pointing.begins([11, they, 12])
    pointing = replace(pointing, before={11})
    assert pointing.begins([11, they])
    assert pointing.begins([11, this, is_])
    assert not pointing.begins([11, this, paper])
    assert not pointing.begins([11])
    assert choose_sentences([1], [[]], 20, pointing=pointing) == [0]


def test_what_leads_away_to_a_figure_is_less_salient() -> None:
    this, table, stop, one, two = 7, 8, 9, 10, 11
    pointing = Pointing(this={this}, shown={table}, numbers={one, two})
    for phrase in ([this, table], [table, one], [table, stop, two]):
        sentences = [sentence(100 * n) for n in range(1, 11)]
        sentences[3] = [*sentences[3][: 10 - len(phrase)], *phrase]
        salience = [0, 2, 0, 2.5, 0, 0, 0, 0, 0, 0]
        assert choose_sentences(salience, sentences, 11) == [3]
        assert choose_sentences(salience, sentences, 11, pointing=pointing) == [1]
        salience[3] = 3.5
        assert choose_sentences(salience, sentences, 11, pointing=pointing) == [3]
    assert not pointing.leads_away([table])
    assert not pointing.leads_away([one, table, stop])


def test_what_cannot_be_said_well_is_said_where_there_is_nothing_else() -> None:
    sentences = [sentence(0, 3), sentence(100, 4), sentence(200, 50)]
    assert choose_sentences([1, 2], sentences[:2], 500) == [1]
    assert choose_sentences([1, 2, 3], sentences, 12) == [2]  # of which as much is said as fits
    assert choose_sentences([1, 2], [sentence(0, 20), sentence(100, 30)], 25) == [0]


def test_a_summary_says_each_sentence_whole_behind_its_number() -> None:
    assert said([[20, 21], [30]], first_number=5, end=1) == [5, 20, 21, 6, 30, 1]
    assert said([], first_number=5, end=1) == [1]
