"""A recipe in miniature: data, models and settings so small that each of its commands takes
seconds; ``miniature.toml`` has them.
"""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..text.tables import table
from .miniature_data import SENTENCES, write_data, write_outputs
from .reproduce import FACTS, VECTORS, Item, Places, all_items

_MINIATURE = table(__file__, "miniature.toml")
_SPECIAL = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
_START, _PAD, _END, _UNKNOWN = range(4)
_WITHOUT_START = {"pg", "ctf", "cvs2s"}  # parts of the names of presets that train from scratch
START = "bart"


def miniature_places(folder: Path) -> Places:
    """Where the files of a miniature are."""
    return Places(folder / "data", folder / "checkpoints", folder / "runs")


def make_files(item: Item, folder: Path) -> None:
    """Write the data and the models that an item needs, unless they are there."""
    places = miniature_places(folder)
    assert places.data
    assert places.checkpoints
    for kind, name in item.needs:
        if kind == "data" and not places.find(kind, name):
            write_data(places.data, name)
    models = places.checkpoints
    has_models = any(not line.startswith("analyze data ") for line in item.commands)
    if has_models and not (models / START).exists():
        write_outputs(places.data, _MINIATURE["outputs"]["names"])
        _write_vectors(places.data / VECTORS)
        (places.data / FACTS).touch()  # overwritten before it is read
        _write_checkpoints(models)
        _write_other_models(models)


def small_command(words: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """A command with a miniature's models in place of those on other machines, and with flags that
    make it take seconds.
    """
    models = folder / "checkpoints"
    found = list(words)
    for place, (flag, value) in enumerate(pairwise(words), start=1):
        if flag == "--system":
            found[place] = str(models / _as_folder(value))
        elif flag == "--embeddings":
            found[place] = str(models / flag.removeprefix("--"))
        elif flag == "--metric-model":
            metric = value.partition("=")[0]
            if metric in _MINIATURE["models"]:
                found[place] = f"{metric}={models / metric}"
    for beginning, flags in _MINIATURE["flags"].items():
        if " ".join(words).startswith(beginning):
            found += flags
    if words[0] == "train":
        found += _settings(words, models / START)
    return tuple(found)


def write_facts(places: Places) -> None:
    """Write a triple of each text that has been generated or is a reference, as a tool that
    extracts facts would.
    """
    assert places.data
    texts: set[str] = set()
    for file in places.output.rglob("results.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            result = json.loads(line)
            texts |= {result["prediction"], result["reference"]}
    lines = [
        json.dumps({"text": text, "triples": [["the text", "begins with", text.split()[0]]]})
        for text in sorted(texts)
        if text.strip()
    ]
    (places.data / FACTS).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _settings(words: tuple[str, ...], start: Path) -> list[str]:
    """The flags of a training run."""
    parts = words[words.index("--preset") + 1].split("-")
    settings = _MINIATURE["settings"]
    chosen = [one for name in ("all", *parts) for one in settings.get(name, ())]
    flags = [word for one in chosen for word in ("--set", one)]
    if "--init" in words or _WITHOUT_START & {*parts}:
        return flags
    return ["--init", str(start), *flags]


def _write_vectors(path: Path) -> None:
    """Write vectors of the words, as GloVe has them."""
    words = sorted({word.strip(".,").lower() for one in SENTENCES for word in one.split()})
    lines = [f"{word} {len(word) / 10} {number / 10}\n" for number, word in enumerate(words)]
    path.write_text("".join(lines), encoding="utf-8")


def _tokenizer() -> Any:
    """A byte-level BPE of the sentences, in BART's form."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=list(_SPECIAL.values()),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator(SENTENCES, trainer)
    backend.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> $B </s>",
        special_tokens=[("<s>", _START), ("</s>", _END)],
    )
    return backend


def _write_checkpoints(folder: Path) -> None:
    """Write what training starts from, and what stands for the published checkpoints."""
    import torch

    from ..models.pagesum import PageSumConfig, PageSumModel
    from ..tokenization import PageTokenizer

    tokenizer = PageTokenizer(_tokenizer())
    generation = {"num_beams": 2, "max_length": 12, "min_length": 4, "no_repeat_ngram_size": 3}
    for name, own in {START: {}, **_MINIATURE["checkpoints"]}.items():
        torch.manual_seed(len(name))
        config = PageSumConfig(
            vocab_size=tokenizer.vocab_size,
            generation=generation,
            pad_token_id=_PAD,
            bos_token_id=_START,
            eos_token_id=_END,
            decoder_start_token_id=_END,
            **_MINIATURE["shape"],
            **own,
        )
        PageSumModel(config).save_pretrained(folder / name)
        tokenizer.save(folder / name)


def _as_folder(name: str) -> str:
    """The folder of what stands for a system on the hub."""
    return name.replace("/", "-")


def _other_systems() -> set[str]:
    """The folders of all systems that recipes name."""
    lines = "\n".join(line for item in all_items().values() for line in item.commands)
    return {_as_folder(name) for name in re.findall(r"--system (\S+)", lines)}


def _write_other_models(folder: Path) -> None:
    """Write what stands for other systems and for the models of metrics and analyses."""
    import torch
    import transformers

    transformers.utils.logging.disable_progress_bar()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=_tokenizer(), model_max_length=512, **_SPECIAL
    )
    shape: dict[str, Any] = {
        "vocab_size": len(tokenizer),
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 16,
        "pad_token_id": _PAD,
    }
    labels = {0: "CORRECT", 1: "INCORRECT"}
    torch.manual_seed(0)
    models = {
        name: getattr(transformers, kind)(transformers.BertConfig(**shape, id2label=labels))
        for name, kind in _MINIATURE["models"].items()
    }
    width = {name: _MINIATURE["shape"][name] for name in _MINIATURE["shape"] if name != "init_std"}
    del width["max_position_embeddings"]
    led = transformers.LEDConfig(
        vocab_size=len(tokenizer),
        max_encoder_position_embeddings=512,
        max_decoder_position_embeddings=64,
        attention_window=[8, 8],
        pad_token_id=_PAD,
        bos_token_id=_START,
        eos_token_id=_END,
        decoder_start_token_id=_END,
        **width,
    )
    for name in _other_systems():
        models[name] = transformers.LEDForConditionalGeneration(led)
        models[name].generation_config.update(num_beams=2, max_length=12, min_length=4)
    for name, model in models.items():
        model.save_pretrained(folder / name)
        tokenizer.save_pretrained(folder / name)
