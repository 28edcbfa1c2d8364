"""Fuzzes data sets: records in JSON, packed files, pairs of files and folders.

python tests/fuzz/fuzz_records.py --seed 0 --count 1000
"""

import bz2
import gzip
import json
import lzma
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz_readers import CHARACTERS, ROOT, WORDS, use
from fuzzing import main, mutated, pumped

from pagesum_cli.datasets.named import DataRequest, read_data, read_texts
from pagesum_cli.options import LOCALITIES

RECORDS: tuple[dict[str, Any], ...] = (
    {"id": "a", "text": "The end. It rained.", "summary": "It rained."},
    {
        "id": "b",
        "sections": [{"heading": "1 Methods", "level": 2, "text": ["One.", "Two."]}],
        "summary": ["A.", "B."],
    },
    {
        "id": "c",
        "documents": [{"name": "x", "text": "One. Two."}, {"sections": [{"text": "x y"}]}],
        "summary": "",
    },
    {"article": ["One.", "Two."], "abstract": ["Three."]},
    {
        "article_id": "d",
        "article_text": ["a b ."],
        "abstract_text": ["<S> c </S>"],
        "sections": [["a b ."]],
    }
    | {"section_names": ["Intro"], "labels": None},
    {
        "report": [
            {"section_title": "A", "paragraphs": ["x"], "subsections": [{"paragraphs": ["y"]}]}
        ],
        "summary": [],
    },
    {"document": "One. ||||| Two. story_separator_special_tag Three.", "summary": "– One."},
    {"article": "One. Two.", "highlights": "One .\nTwo ."},
    {"filename": "e.json", "Transcript": ["A : Yes .", "B : n@@ o ."], "Recap": ["A asks B ."]},
    {"chapter": "CHAPTER I\n\nOne.", "summary_text": "One.", "summary_name": "Chapter 1"},
    {"text": "One.", "summary": "One.", "chapter_summaries": [{"heading": "I", "text": "One."}]},
)
VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        0,
        -1,
        10**400,
        1.5,
        1e999,
        float("nan"),
        "",
        " ",
        "\ud800",
        "\x00",
        "a" * 1000,
        "漢" * 300,
        "../x",
    ),
    *(
        [],
        [[]],
        [None],
        ["", ""],
        [1, "a"],
        {},
        {"text": {}},
        {"": ""},
        [{"heading": 1}],
        "\x1b[2J",
        "a\u2028b",
        "|||||",
    ),
)
TOKENS = [
    b'"text":',
    b'"',
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"\n",
    b"\\ud800",
    b"NaN",
    b"1e999",
    b"\xff",
    b"\xef\xbb\xbf",
]


def _changed(random: random.Random, value: Any) -> Any:
    """A copy with some values replaced, at any depth."""
    if random.random() < 0.15:
        return random.choice(VALUES)
    if isinstance(value, dict):
        return {
            random.choice([name] * 20 + ["", "id", "text"]): _changed(random, one)
            for name, one in value.items()
        }
    if isinstance(value, list):
        times = random.choice((1, 1, 1, 1, 0, 2, 50))
        return [_changed(random, one) for one in value] * (times if len(repr(value)) < 1000 else 1)
    if isinstance(value, str) and random.random() < 0.2:
        return pumped(random, (*CHARACTERS, *WORDS), random.choice((10, 1000, 20_000)))
    return value


def _lines(random: random.Random) -> bytes:
    records = [
        _changed(random, random.choice(RECORDS)) for _ in range(random.choice((1, 2, 5, 20)))
    ]
    whole = "".join(json.dumps(one, ensure_ascii=random.random() < 0.5) + "\n" for one in records)
    return whole.encode("utf-8", "surrogatepass")


def _read(random: random.Random, path: Path, split: str = "test") -> None:
    read_data(
        DataRequest(data=str(path), split=split), lambda message: None, random.choice(LOCALITIES)
    )


def _json(random: random.Random, folder: Path) -> None:
    """Records with changed values and bytes, as JSON Lines and as one JSON file; read as data and
    as documents.
    """
    data = _lines(random)
    if random.random() < 0.5:
        data = mutated(random, data, [json.dumps(one).encode() for one in RECORDS], TOKENS)
    if random.random() < 0.2:
        data = b"[" + data.replace(b"\n", b",")[:-1] + b"]"
    if random.random() < 0.03:
        data = random.choice((b"[", b'{"a":', b'{"text":[')) * 100_000
    path = folder / random.choice(("r.jsonl", "r.json"))
    path.write_bytes(data[:1_000_000])
    if random.random() < 0.5:
        use(path, random.choice(LOCALITIES))
    else:
        _read(random, path)


def _packed(random: random.Random, folder: Path) -> None:
    """Packed files that are cut, changed, packed otherwise than their names say, or unpack to much
    more.
    """
    suffix = random.choice((".gz", ".xz"))
    pack: Callable[[bytes], bytes] = {".gz": gzip.compress, ".xz": lzma.compress}[suffix]
    if random.random() < 0.1:
        pack = random.choice((gzip.compress, lzma.compress, bz2.compress, bytes))
    data = _lines(random) * random.choice((1, 1, 1, 20))
    if random.random() < 0.02:
        data = random.choice((b" ", b"\n", b"[", b'{"text": "a"}\n', b'"')) * int(
            10 ** random.uniform(6, 7.5)
        )
    packed = pack(data)
    if random.random() < 0.7:
        packed = mutated(random, packed, [packed, gzip.compress(b"a"), lzma.compress(b"a")])
    path = folder / f"r{random.choice(('.jsonl', '.json'))}{suffix}"
    path.write_bytes(packed)
    if random.random() < 0.5:
        use(path, "auto")
    else:
        _read(random, path)


def _pair(random: random.Random, folder: Path) -> None:
    """Multi-News' pairs, and predictions with references."""
    parts = [part for part in (*CHARACTERS, *WORDS) if "\n" not in part or random.random() < 0.05]
    parts += [
        " ||||| ",
        "story_separator_special_tag",
        " NEWLINE_CHAR ",
        " <EOT> ",
        " <EOP> ",
        " <SNT> ",
    ]
    for name in ("test.src", "test.tgt"):
        text = "".join(
            f"{''.join(random.choices(parts, k=20))}\n"
            for _ in range(random.choice((0, 1, 3, 3, 3)))
        )
        data = text.encode("utf-8", "surrogatepass")
        (folder / name).write_bytes(mutated(random, data) if random.random() < 0.3 else data)
    if random.random() < 0.3:
        read_texts(folder / "test.src", folder / "test.tgt")
    else:
        _read(random, folder)


def _folders(random: random.Random, folder: Path) -> None:
    """Folders in each of the known forms, with files missing, changed, or of another kind."""
    names = (
        "test/0.json",
        "test/1.json",
        "crs/R1.json",
        "gao/G1.json",
        "split_ids/crs_test.ids",
        "split_ids/gao_test.ids",
    )
    names += (
        "test.jsonl",
        "test.txt",
        "test.json",
        "test.jsonl.gz",
        "validation/0.json",
        "test/x.json",
    )
    for name in random.sample(names, random.choice((1, 2, 4))):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        if random.random() < 0.05:
            path.mkdir()
        elif name.endswith(".ids"):
            path.write_bytes(
                random.choice(
                    (b"R1\n", b"G1\nR1\n", b"../../etc/passwd\n", b"\xff\n\x00\n", b"a" * 5000)
                )
            )
        else:
            path.write_bytes(
                mutated(random, _lines(random)) if random.random() < 0.4 else _lines(random)
            )
    _read(random, folder, random.choice(("test", "validation")))


def _sample(random: random.Random, folder: Path) -> None:
    """The package's own sample and the tests' records, with changes."""
    seeds = [
        (ROOT / "pagesum_cli/assets/sample/sample.jsonl").read_bytes(),
        (ROOT / "tests/data/govreport.jsonl").read_bytes(),
    ]
    path = folder / "r.jsonl"
    path.write_bytes(
        mutated(random, random.choice(seeds)[: random.choice((2000, 100_000))], seeds, TOKENS)
    )
    _read(random, path)


ATTACKS = {"json": _json, "packed": _packed, "pair": _pair, "folders": _folders, "sample": _sample}

if __name__ == "__main__":
    main("records", ATTACKS)
