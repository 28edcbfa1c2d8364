"""Fusion sentences and how far apart their sources are."""

import pytest
from tiny import assert_linear

from pagesum_cli.analysis.long_distance import long_distance
from pagesum_cli.analysis.texts import Text, texts_of
from pagesum_cli.errors import PagesumError
from pagesum_cli.views.analyses import distance_file, distance_view

RAIN = "Rain fell for eleven days in April."
PRICES = "Wheat cost a third more than the year before."
FILLER = tuple(f"Sentence number {place} tells nothing new about matter {place}." for place in range(8))
FUSED = "Rain fell for eleven days and wheat cost a third more."


def test_a_fusion_is_found_with_its_distance():
    result = long_distance([Text("a", (RAIN, *FILLER, PRICES), (FUSED,))])
    (pair,) = result.pairs
    assert {pair.first, pair.second} == {0, 9}
    assert pair.distance == pytest.approx(0.9)
    assert 50 < pair.recall <= 100


@pytest.mark.parametrize(
    "summary", [RAIN, "Nothing of this stands in the document at all.", "", "Rain.", "of the and in a"]
)
def test_copies_and_inventions_are_no_fusions(summary):
    assert long_distance([Text("a", (RAIN, *FILLER, PRICES), (summary,))]).pairs == ()


def test_of_equal_sources_the_nearest_counts():
    result = long_distance([Text("a", (PRICES, RAIN, PRICES, *FILLER, PRICES), (FUSED,))])
    assert abs(result.pairs[0].first - result.pairs[0].second) == 1


def test_texts_without_a_summary_are_skipped():
    texts = [Text("a", (RAIN,)), Text("b", (), ("x y z",))]
    with pytest.raises(PagesumError, match="no document here has a summary"):
        long_distance(texts)
    assert long_distance([*texts, Text("c", (RAIN,), (RAIN,))]).documents == 1


def test_shares_of_the_histogram_sum_to_one():
    texts = [Text(str(gap), (RAIN, *FILLER[:gap], PRICES, *FILLER[gap:]), (FUSED,)) for gap in range(9)]
    edges, shares = long_distance(texts).histogram()
    assert sum(shares) == pytest.approx(1)
    assert len(edges) == len(shares) + 1


def test_it_can_be_shown_and_saved():
    from rich.console import Console

    result = long_distance([Text("a", (RAIN, *FILLER, PRICES), (FUSED,))])
    console = Console(width=80, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(distance_view(result))
    assert "1 (100.0%) fuse two source sentences" in console.export_text()
    assert distance_file(result, ".csv").decode().splitlines()[1].startswith("a,0,")
    pytest.importorskip("matplotlib")
    assert distance_file(result, ".pdf").startswith(b"%PDF")


def test_twice_the_documents_take_twice_the_time():
    def compare(documents):
        words = [f"word{place * 7919 % 1500}" for place in range(4_000)]
        sentences = tuple(" ".join(words[begin : begin + 20]) for begin in range(0, 4_000, 20))
        summary = tuple(f"{one} {other}" for one, other in zip(sentences[::25], sentences[13::25], strict=False))
        result = long_distance([Text("a", sentences, summary)] * documents)
        assert len(result.pairs) == documents * len(summary)

    assert_linear(compare, 4)


def test_texts_come_from_files_folders_and_records(tmp_path, letter):
    records = tmp_path / "records.jsonl"
    records.write_text('{"id": "r", "text": "It rained. Prices rose.", "summary": "Rain. Prices."}\n' * 3)
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
