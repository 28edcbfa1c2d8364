"""Metrics that read a file of the user's: word vectors, and triples."""

import gzip
import json
import math
from pathlib import Path

import pytest

from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.evaluation.metrics.base import Metric, Pair
from pagesum_cli.evaluation.metrics.registry import MetricRequest
from pagesum_cli.evaluation.metrics.similarity import SentenceMoversByWords

VECTORS = {
    ",": (0.1, 0.1, 0.1),
    "dog": (1.0, 0.0, 0.0),
    "sat": (0.0, 1.0, 0.0),
    "cat": (0.8, 0.2, 0.0),
    "ran": (0.0, 0.9, 0.3),
    "fish": (0.0, 0.0, 1.0),
    "swam": (0.5, -0.5, 0.25),
    "the": (9.0, 9.0, 9.0),  # a stop word
    "2": (9.0, 9.0, 9.0),  # no letters
}


def glove(path: Path, vectors: dict[str, tuple[float, ...]] = VECTORS) -> Path:
    text = "".join(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in vectors.items())
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def metric(name: str, file: Path) -> Metric:
    return MetricRequest((name,), models={name: str(file)}).make()[0]


def mean(*words: str) -> list[float]:
    return [
        sum(numbers) / len(words)
        for numbers in zip(*(VECTORS[word] for word in words), strict=True)
    ]


def vectors_of(metric, words):
    return [metric.vectors[word] for word in words if metric.vectors[word] is not None]


@pytest.mark.parametrize("name", ["vectors.txt", "vectors.txt.gz"])
def test_sentences_are_moved_as_the_means_of_their_words_vectors(name: str, tmp_path: Path) -> None:
    pytest.importorskip("ot")
    sms = metric("sms", glove(tmp_path / name))
    # Sentences of equal weight: the best of two ways to pair them.
    pair = Pair("1", "The dog sat. Fish swam.", "Fish, unknown! The cat ran.")
    sms.prepare([pair, Pair("2", "the dog", "a cat")])
    # "unknown" has no vector: that sentence has one of three words, and so a third of the weight.
    cost = [
        [math.dist(a, b) for b in (mean("fish"), mean("cat", "ran"))]
        for a in (mean("dog", "sat"), mean("fish", "swam"))
    ]
    # Weights ½, ½ → ⅓, ⅔: one sentence goes to the second as a whole, the other is split.
    cheapest = min(
        cost[0][1] / 2 + cost[1][0] / 3 + cost[1][1] / 6,
        cost[1][1] / 2 + cost[0][0] / 3 + cost[0][1] / 6,
    )
    assert sms.score(pair)["sms"]["value"] == pytest.approx(100 * math.exp(-cheapest), abs=1e-3)
    assert sms.score(Pair("2", "The dog.", "A dog!"))["sms"]["value"] == pytest.approx(100)
    assert sms.score(Pair("3", "unheard", "A dog!"))["sms"]["value"] == 0
    assert sms.score(Pair("4", "", "A dog!"))["sms"]["value"] == 0
    assert f"vectors:{name}," in sms.signature
    assert "3-numbers" in sms.signature


def test_only_the_words_that_are_needed_are_kept_and_the_file_is_read_once(tmp_path: Path) -> None:
    file = glove(tmp_path / "vectors.txt")
    vectors = SentenceMoversByWords(model=str(file))
    vectors.look_up(["dog", "unheard", "dog"])
    file.unlink()
    vectors.look_up(["unheard", "dog"])  # nothing new: nothing is read
    assert [list(vector) for vector in vectors_of(vectors, ["unheard", "dog"])] == [[1, 0, 0]]
    with pytest.raises(PagesumError, match="no such file"):
        vectors.look_up(["cat"])


def test_words_with_spaces_in_the_largest_file_of_glove_are_no_errors(tmp_path: Path) -> None:
    file = glove(
        tmp_path / "vectors.txt",
        {**VECTORS, ". . .": (1.0, 2.0, 3.0), "at name@domain.com": (1.0, 1.0, 1.0)},
    )
    vectors = SentenceMoversByWords(model=str(file))
    vectors.look_up(["dog", "."])
    assert len(vectors_of(vectors, ["dog", "."])) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        # the first line of word2vec's format
        ("9 3\ndog 1 2 3\n", "line 1: expected a word vector, found 2 fields"),
        ("", "line 1: expected a word vector, found 0 fields"),
        ("some text of words\n", "line 1: expected a word vector"),
        ("a 1 2 3\ndog 1 2\n", "line 2: expected a word and 3 numbers as in line 1"),
        ("a 1 2 3\ndog 1 two 3\n", "line 2: expected a word and 3 numbers"),
        ("a 1 2 3\ndog 1 nan 3\n", "line 2: expected a word and 3 numbers"),
        ("a 1 2 3\n\n", "line 2: expected a word and 3 numbers"),
        ("le 1 2 3\nchien 1 2 3\n", "has none of the 2 words of the texts, such as 'dog'"),
    ],
)
def test_what_is_wrong_in_a_file_of_vectors_is_said_in_one_line(
    content: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text(content)
    with pytest.raises(PagesumError, match=message) as error:
        SentenceMoversByWords(model=str(file)).look_up(["dog", "sat"])
    assert "\n" not in error.value.message
    assert error.value.message.startswith(str(file))
    assert error.value.hint


def test_a_broken_or_missing_file_of_vectors_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PagesumError, match="no such file"):
        SentenceMoversByWords(model=str(tmp_path / "none.txt"))
    packed = glove(tmp_path / "vectors.txt.gz")
    packed.write_bytes(packed.read_bytes()[:-9])
    with pytest.raises(PagesumError, match="broken"):
        SentenceMoversByWords(model=str(packed)).look_up(["fish"])
    with pytest.raises(UsageError, match="--metrics sms needs a file of word vectors"):
        MetricRequest(("sms",))


def triples(path: Path, facts: dict[str, list]) -> Path:
    path.write_text(
        "".join(
            json.dumps({"text": text, "triples": found}) + "\n" for text, found in facts.items()
        )
    )
    return path


def test_facts_are_compared_where_subject_and_relation_are_the_same(tmp_path: Path) -> None:
    facts = {
        "Ann was born in Oslo.": [
            ["Ann", "born in", "Oslo"],
            ["ann", "Born-in", "oslo"],  # the same
            ["Ann", "died in", "Rome"],  # not in the reference
            ["Ann", "studied", "law at Bergen"],
            ["Ann", "wrote", "Plays"],
            ["Ann", "is", ""],  # nothing
        ],
        "Of Ann.": [
            ["Ann", "born in", "Oslo, Norway"],
            ["Ann", "studied", "Law"],
            ["Ann", "wrote", "songs"],
            ["Ann", "wrote", "playscripts"],  # not a word of the other
            ["Bob", "died in", "Rome"],
            ["Ann", "is", "old"],
        ],
        "Nothing.": [],
    }
    accuracy = metric("fact-accuracy", triples(tmp_path / "triples.jsonl", facts))
    pair = Pair("1", " Ann was  born in Oslo.", "Of Ann.")  # spaces do not count
    accuracy.prepare([pair])
    assert accuracy.score(pair)["fact-accuracy"]["value"] == pytest.approx(100 * 2 / 3)
    assert accuracy.score(Pair("2", "Nothing.", "Of Ann.")) == {"fact-accuracy": {"value": 0}}
    assert accuracy.score(Pair("3", "", "Of Ann.")) == {"fact-accuracy": {"value": 0}}
    # only the reference leaves a document out
    assert accuracy.score(Pair("4", "Of Ann.", "Nothing.")) == {}
    with pytest.raises(PagesumError, match="has no triples of the prediction of 4"):
        accuracy.prepare([Pair("4", "Another text.", "Of Ann.")])
    other = metric("fact-accuracy", triples(tmp_path / "triples.jsonl", {"Of Ann.": []}))
    assert accuracy.signature != other.signature


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"text": "a"}',
        '{"text": 1, "triples": []}',
        '{"text": "a", "triples": [["one", "two"]]}',
    ],
)
def test_what_is_wrong_in_a_file_of_triples_is_said_with_its_line(
    line: str, tmp_path: Path
) -> None:
    file = tmp_path / "triples.jsonl"
    file.write_text(f'{{"text": "b", "triples": []}}\n{line}\n')
    with pytest.raises(PagesumError, match=r"triples.jsonl, line 2: no triples of a text") as error:
        metric("fact-accuracy", file)
    assert "\n" not in error.value.message


def test_metrics_of_files_are_computed_by_the_command(tmp_path: Path, pagesum) -> None:
    pytest.importorskip("ot")
    (tmp_path / "a.txt").write_text("The dog sat.\nA cat ran.\n")
    (tmp_path / "b.txt").write_text("A cat sat.\nA cat ran.\n")
    files = {
        "sms": glove(tmp_path / "vectors.txt"),
        "fact-accuracy": triples(
            tmp_path / "triples.jsonl",
            {
                "The dog sat.": [["dog", "sat", "on a mat"]],
                "A cat sat.": [["dog", "sat", "nowhere"]],
                "A cat ran.": [],
            },
        ),
    }
    flags = [word for name, file in files.items() for word in ("--metric-model", f"{name}={file}")]
    command = [
        "eval",
        "--predictions",
        tmp_path / "a.txt",
        "--references",
        tmp_path / "b.txt",
        "--format",
        "json",
    ]
    done = pagesum(*command, "--metrics", "sms,fact-accuracy,rouge1", *flags)
    assert done.code == 0, done.err
    scores = json.loads(done.out)["metrics"]
    assert 50 < scores["sms"]["value"] < 100
    assert (scores["fact-accuracy"]["value"], scores["fact-accuracy"]["n"]) == (0, 1)
    missing = pagesum(
        *command, "--metrics", "sms", "--metric-model", f"sms={tmp_path / 'none.txt'}"
    )
    assert (missing.code, "none.txt: no such file" in missing.err) == (1, True)
