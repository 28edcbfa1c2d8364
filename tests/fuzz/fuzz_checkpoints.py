"""Fuzzes checkpoints: settings, tokenizers and weights, which are loaded and used.

python tests/fuzz/fuzz_checkpoints.py --seed 0 --count 500
"""

import json
import random
import struct
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import torch
from fuzzing import main, mutated
from safetensors.torch import load

from pagesum_cli import PageSummarizer
from pagesum_cli.batch.cutting import cut_for
from pagesum_cli.documents.article.building import document
from pagesum_cli.documents.model import Paragraph, Section
from pagesum_cli.options import PagingOptions

TEXT = document(
    "letter",
    [Section("", (Paragraph("The harvest was late this year. Rain fell for eleven days."),) * 5)],
)
VALUES: tuple[Any, ...] = (
    *(
        10**9,
        10**400,
        -1,
        0,
        1,
        2,
        3,
        1.5,
        1e999,
        -1e999,
        float("nan"),
        True,
        False,
        None,
        "",
        "1",
        "wide",
        "NaN",
    ),
    *(
        [],
        [1],
        {},
        {"a": 1},
        1 << 24,
        1 << 31,
        1 << 63,
        1e-300,
        "\ud800",
        "../../x",
        "__import__('os')",
        "pagesum",
        "bart",
    ),
)


@cache
def _checkpoints() -> dict[str, dict[str, bytes]]:
    """The files of a generating and of an extractive checkpoint."""
    import tiny  # in the folder above, see fuzzing.py

    made = {}
    with tempfile.TemporaryDirectory() as place:
        for name in ("pagesum", "extractive"):
            tokenizer = tiny.word_piece(tiny.TEXTS, control_tokens=name == "extractive")
            shape = {"vocab_size": tokenizer.vocab_size, "max_position_embeddings": 128}
            generation = {
                "num_beams": 2,
                "max_length": 12,
                "min_length": 2,
                "no_repeat_ngram_size": 3,
            }
            generation |= {
                "length_penalty": 1.0,
                "length_normalization": "gnmt",
                "blocking": "sentence",
            }
            generation |= {
                "coverage_penalty": 0.0,
                "attention_temperature": 1.0,
                "unblocked_token_ids": [5],
            }
            if name == "pagesum":
                model = tiny.pagesum(1, generation=generation, **shape, **tiny.TOKENS)
            else:
                model = tiny.extractive(1, **shape)
            folder = tiny.save_checkpoint(Path(place) / name, model, tokenizer)
            made[name] = {
                path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()
            }
    return made


def _use(folder: Path) -> None:
    """What ``pages --model FOLDER`` and ``summarize --model FOLDER`` do."""
    try:
        cut_for(str(folder), [TEXT], PagingOptions())
    finally:
        PageSummarizer.from_pretrained(str(folder), device="cpu", dtype="float32").summarize(TEXT)


def _changed(
    change: Callable[[random.Random, dict[str, bytes]], None],
) -> Callable[[random.Random, Path], None]:
    def attack(random: random.Random, folder: Path) -> None:
        files = dict(_checkpoints()[random.choice(("pagesum", "extractive"))])
        change(random, files)
        for name, data in files.items():
            (folder / name).write_bytes(data)
        _use(folder)

    return attack


def _settings(random: random.Random, files: dict[str, bytes]) -> None:
    """Values of another type, out of range, absent, or of another checkpoint."""
    settings = json.loads(files["config.json"])
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        name = random.choice([*settings, "model_type", "generation"])
        if isinstance(settings.get(name), dict) and settings[name] and random.random() < 0.8:
            settings[name][random.choice(list(settings[name]))] = random.choice(VALUES)
        elif random.random() < 0.1:
            settings.pop(name, None)
        else:
            settings[name] = random.choice(VALUES)
    files["config.json"] = json.dumps(settings).encode()
    if random.random() < 0.1:
        files["generation_config.json"] = json.dumps({"num_beams": random.choice(VALUES)}).encode()


def _bytes_of(name: str) -> Callable[[random.Random, dict[str, bytes]], None]:
    def change(random: random.Random, files: dict[str, bytes]) -> None:
        tokens = [
            b"null",
            b"[]",
            b"{",
            b"}",
            b'""',
            b"-1",
            b"true",
            b"[UNK]",
            b'"id": 99999999,',
            b'"type": "BPE"',
        ]
        files[name] = mutated(random, files[name], [files[name]], tokens)

    return change


def _tokenizer(random: random.Random, files: dict[str, bytes]) -> None:
    """A tokenizer with a part removed, or replaced by an odd value."""
    whole = json.loads(files["tokenizer.json"])
    place = whole
    for _ in range(random.choice((1, 2, 3, 4))):
        inner = [key for key, value in place.items() if isinstance(value, dict) and value]
        if not inner:
            break
        place = place[random.choice(inner)]
    key = random.choice(list(place))
    if random.random() < 0.3:
        del place[key]
    else:
        place[key] = random.choice(VALUES)
    files["tokenizer.json"] = json.dumps(whole).encode()


def _header(random: random.Random, files: dict[str, bytes]) -> None:
    """A safetensors header with other shapes, types and offsets."""
    data = files["model.safetensors"]
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    entry = header[random.choice([name for name in header if name != "__metadata__"])]
    numbers = (0, -1, 1, 2**24, 2**31, 2**63, 2**64 - 1)
    change = random.randrange(4)
    if change == 0:
        entry["shape"] = [random.choice(numbers) for _ in range(random.choice((0, 1, 2, 2, 5)))]
    elif change == 1:
        entry["dtype"] = random.choice(
            ("F64", "F16", "BF16", "I64", "I8", "U8", "BOOL", "F8_E4M3", "X", "")
        )
    elif change == 2:
        entry["data_offsets"] = [random.choice(numbers), random.choice(numbers)]
    else:
        header[random.choice(("x" * 10_000, "", "a.b", "\ud800", "lm_head.weight"))] = entry
    packed = json.dumps(header).encode()
    length = random.choice((len(packed), len(packed), len(packed), 0, 2**63, len(packed) - 1))
    files["model.safetensors"] = struct.pack("<Q", length) + packed + data[8 + size :]


def _weights(random: random.Random, files: dict[str, bytes]) -> None:
    """A state dict with odd tensors, written by PyTorch."""
    weights: dict[str, Any] = load(files.pop("model.safetensors"))
    name = random.choice(list(weights))
    value = weights[name]
    odd = (
        *(
            float("nan"),
            None,
            "text",
            {},
            [value],
            value.to(torch.complex64),
            value.int(),
            value.half() * 1e9,
        ),
        *(
            value.reshape(-1),
            value[:0],
            value.unsqueeze(0),
            torch.zeros(1).expand(1 << 20, 1 << 12),
            value.to_sparse(),
        ),
        *(
            torch.zeros(0, 1 << 30),
            value.double(),
            value * 1e30,
            torch.nn.Parameter(value),
            value.bool(),
            value[..., :1],
        ),
    )
    weights[name] = random.choice(odd)
    with tempfile.NamedTemporaryFile() as file:
        torch.save(weights, file.name, _use_new_zipfile_serialization=random.random() < 0.7)
        data = Path(file.name).read_bytes()
    files["pytorch_model.bin"] = mutated(random, data) if random.random() < 0.5 else data


ATTACKS = {
    "settings": _changed(_settings),
    "settings_bytes": _changed(_bytes_of("config.json")),
    "tokenizer": _changed(_tokenizer),
    "tokenizer_bytes": _changed(_bytes_of("tokenizer.json")),
    "safetensors_header": _changed(_header),
    "safetensors_bytes": _changed(_bytes_of("model.safetensors")),
    "pytorch": _changed(_weights),
}

if __name__ == "__main__":
    torch.set_num_threads(1)
    main("checkpoints", ATTACKS)
