"""Fusion sentences and how far apart their sources are."""

import json

import pytest
from tiny import assert_linear

from pagesum_cli.errors import PagesumError
from pagesum_cli.lab.long_distance import (
    ROUGES,
    Distances,
    Fusion,
    coverage,
    long_distance,
    random_shares,
)
from pagesum_cli.lab.texts import Text, texts_of
from pagesum_cli.views.analyses import distance_file, distance_view
from pagesum_cli.views.plain import unstyled

RAIN = "Rain fell for eleven days in April."
PRICES = "Wheat cost a third more than the year before."
FILLER = tuple(
    f"Sentence number {place} tells nothing new about matter {place}." for place in range(8)
)
FUSED = "Rain fell for eleven days and wheat cost a third more."


def found(texts, **settings):
    return long_distance(texts, Fusion(**settings)).pairs


def test_a_fusion_is_found_with_its_distance_and_texts():
    (pair,) = found([Text("a", (RAIN, *FILLER, PRICES), (FUSED,))])
    assert (pair.first, pair.second, pair.distance) == (0, 9, pytest.approx(0.9))
    assert 50 < pair.recall <= 100
    assert (pair.summary_text, pair.first_text, pair.second_text) == (FUSED, RAIN, PRICES)
    assert not pair.across


@pytest.mark.parametrize(
    "summary",
    [RAIN, "Nothing of this stands in the document at all.", "", "Rain.", "of the and in a"],
)
def test_copies_and_inventions_are_no_fusions(summary):
    assert found([Text("a", (RAIN, *FILLER, PRICES), (summary,))]) == ()


def test_both_thresholds_hold_for_both_sentences():
    ten = "a b c d e f g h i j"
    assert len(found([Text("x", ("a b c d", "e f g"), (ten,))])) == 1
    # the second has 20 points alone, not more
    assert found([Text("x", ("a b c d", "e f"), (ten,))]) == ()
    # together only 10 points more than the first
    assert found([Text("x", ("a b c d e", "a b f"), (ten,))]) == ()
    assert len(found([Text("x", ("a b c d", "e f"), (ten,))], min_recall=19)) == 1
    assert len(found([Text("x", ("a b c d e", "a b f"), (ten,))], min_gain=9)) == 1
    assert found([Text("x", ("a c e g", "b d f h"), (ten,))], rouge="rouge2") == ()


def test_of_equal_pairs_the_first_counts():
    (pair,) = found([Text("a", (PRICES, *FILLER, RAIN, PRICES, RAIN), (FUSED,))])
    assert (pair.first, pair.second) == (0, 9)


def test_clusters_are_numbered_through_and_pairs_over_two_documents_are_counted_apart(tmp_path):
    records = tmp_path / "records.jsonl"
    documents = [
        {"name": "a", "text": f"{RAIN} {FILLER[0]}"},
        {"name": "b", "text": f"{FILLER[1]} {PRICES}"},
    ]
    one = [{"name": "a", "text": f"{RAIN} {FILLER[0]} {FILLER[1]} {PRICES}"}]
    lines = [{"id": str(len(own)), "documents": own, "summary": FUSED} for own in (documents, one)]
    records.write_text("\n".join(map(json.dumps, lines)))
    result = long_distance(texts_of([str(records)]), Fusion())
    assert [(pair.first, pair.second, pair.across) for pair in result.pairs] == [
        (0, 3, True),
        (0, 3, False),
    ]
    assert (result.counts()[7], sum(result.counts())) == (2, 2)
    assert (result.counts(across=True)[7], sum(result.counts(across=True))) == (1, 1)


def test_texts_without_a_summary_are_skipped():
    texts = [Text("a", (RAIN,)), Text("b", (), ("x y z",))]
    with pytest.raises(PagesumError, match="no document here has a summary"):
        found(texts)
    assert long_distance([*texts, Text("c", (RAIN,), (RAIN,))], Fusion()).documents == 1


def test_shares_of_the_bins_sum_to_one():
    texts = [
        Text(str(gap), (RAIN, *FILLER[:gap], PRICES, *FILLER[gap:]), (FUSED,)) for gap in range(9)
    ]
    result = long_distance(texts, Fusion())
    # the distances are 0.1, 0.2 … 0.9, each the beginning of its bin
    assert result.counts() == [0, *[1] * 9]
    assert sum(result.shares()) == pytest.approx(1)
    assert sum(random_shares()) == pytest.approx(1)
    assert long_distance([Text("a", (RAIN,), (RAIN,))], Fusion()).shares() == [0] * 10


OUTPUTS = {
    "both": "Farms struggled. "
    "It was the eleven days of rain that raised the cost of wheat by a third.",
    "first": "The days of rain were eleven. The price of bread was up.",
    "second": "Wheat cost a third more.",
    "none": "The council met for many days.",
}


@pytest.mark.parametrize("expected", OUTPUTS)
def test_what_an_output_covers(expected):
    (pair,) = found([Text("a", (RAIN, *FILLER, PRICES), (FUSED,))])
    assert coverage([pair], {"a": (OUTPUTS[expected], FUSED)}) == [expected]


def test_the_case_is_the_widest_pair_of_which_one_sentence_is_covered():
    texts = [
        Text("near", (RAIN, PRICES, *FILLER), (FUSED,)),
        Text("far", (RAIN, *FILLER, PRICES), (FUSED,)),
    ]
    analysis = long_distance(texts, Fusion(), "reports")
    halves = coverage(analysis.pairs, dict.fromkeys(("near", "far"), (OUTPUTS["second"], FUSED)))
    result = Distances(Fusion(), (analysis,), tuple(halves))
    assert result.case is not None
    assert result.case.document == "far"
    shown = unstyled(distance_view(result))
    assert f"Sentence 1, missed: {RAIN}" in shown
    assert f"Sentence {len(FILLER) + 2}, covered: {PRICES}" in shown
    assert Distances(Fusion(), (analysis,), ("both", "none")).case is None


def test_outputs_of_other_data_are_refused():
    pairs = found([Text(name, (RAIN, *FILLER, PRICES), (FUSED,)) for name in "ab"])
    assert coverage(pairs, {"b": (FUSED, FUSED)}) == [None, "both"]
    with pytest.raises(PagesumError, match="a has a different reference"):
        coverage(pairs, {"a": (FUSED, RAIN)})
    with pytest.raises(PagesumError, match="no result is of a document"):
        coverage(pairs, {"c": (FUSED, FUSED)})


def test_it_can_be_shown_and_saved():
    from rich.console import Console

    data_sets = tuple(
        long_distance(
            [Text(str(gap), (RAIN, *FILLER[:gap], PRICES), (FUSED,)) for gap in gaps],
            Fusion(),
            name,
        )
        for name, gaps in (("near", (0, 1)), ("far$", (6, 7, 8)))
    )
    result = Distances(Fusion(), data_sets)
    console = Console(width=80, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(distance_view(result))
    shown = console.export_text()
    assert "near" in shown
    assert "3 (100.0%) fuse two source sentences" in shown
    assert "ROUGE-1 recall" in shown
    lines = distance_file(result, ".csv").decode().splitlines()
    assert len(lines) == 6
    assert lines[1].startswith("near,0,0,0,1,")
    assert FUSED in lines[1]
    numbers = json.loads(distance_file(result, ".json"))
    assert [sum(one["counts"]) for one in numbers["data_sets"]] == [2, 3]
    assert numbers["data_sets"][1]["pairs"][0]["second_text"] == PRICES
    pytest.importorskip("matplotlib")
    assert distance_file(result, ".pdf").startswith(b"%PDF")
    assert b"</svg>" in distance_file(result, ".svg")


@pytest.mark.parametrize("rouge", ROUGES)
def test_twice_the_documents_take_twice_the_time(rouge):
    def compare(documents):
        words = [f"word{place * 7919 % 1500}" for place in range(4_000)]
        sentences = tuple(" ".join(words[begin : begin + 20]) for begin in range(0, 4_000, 20))
        summary = tuple(
            f"{one} {other}" for one, other in zip(sentences[::25], sentences[13::25], strict=False)
        )
        assert len(
            found([Text("a", sentences, summary)] * documents, rouge=rouge)
        ) == documents * len(summary)

    assert_linear(compare, 4)


def test_texts_come_from_files_folders_and_records(tmp_path, letter):
    records = tmp_path / "records.jsonl"
    records.write_text(
        '{"id": "r", "text": "It rained. Prices rose.", "summary": "Rain. Prices."}\n' * 3
    )
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_text("One sentence. Another sentence.")
    found = list(texts_of([str(records), str(letter), str(folder)]))
    assert [text.id for text in found] == ["r", "r", "r", "letter.txt", "a.txt"]
    assert found[0].sentences == ("It rained.", "Prices rose.")
    assert found[0].summary == ("Rain.", "Prices.")
    assert len(list(texts_of([str(records)], limit=2))) == 2
    with pytest.raises(PagesumError):
        list(texts_of([str(tmp_path / "missing.txt")]))
