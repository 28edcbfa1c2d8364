"""What a training run depends on: presets (TOML), the user's file, flags. Known without torch."""

import difflib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from ..errors import PagesumError, UsageError

PRESETS = Path(__file__).parents[1] / "presets"
NAMES = ("arxiv", "arxiv-discourse", "pubmed", "govreport", "multinews", "finetune", "mini")
DEFAULT = "finetune"
SCRATCH = "scratch"

CHOICES = {
    "learn": ("auto", "choosing", "writing"),
    "locality": ("auto", "spatial", "discourse", "document"),
    "optimizer": ("adam", "adafactor"),
    "select": ("loss", "rouge"),
    "dtype": ("auto", "float32", "bfloat16"),
}
# The least value of each number; 0 has the meaning that the attribute's text gives it.
LEAST = {
    "num_pages": 0,
    "max_pages": 0,
    "page_tokens": 0,
    "target_tokens": 4,
    "min_length": 0,
    "max_length": 1,
    "beams": 1,
    "no_repeat_ngram": 0,
    "learning_rate": 0.0,
    "warmup": 1,
    "label_smoothing": 0.0,
    "clip": 0.0,
    "dropout": -1.0,
    "batch": 1,
    "accumulate": 1,
    "epochs": 1,
    "validate_every": 0,
    "validation_batch": 1,
    "checkpoint_every": 0,
    "keep": 1,
    "seed": 0,
    "vocabulary": 300,
    "width": 8,
    "layers": 1,
    "heads": 1,
}


@dataclass(frozen=True)
class Settings:
    """Everything that the result of a run depends on, apart from the data.

    Attributes:
        init: where to start: a bundled name, a folder, a Hugging Face id (PageSum or BART), or ``scratch``.
        init_encoder: folder of a BERT-like encoder to start from instead; empty for none.
        learn: ``choosing``: which sentences of a document say what its summary says; only the judge of a checkpoint
            that plans is trained, and it goes on to quote. ``writing``: the summaries word by word, as in the paper.
            ``auto``: choosing where the starting point plans.
        decoder_layers: with ``init_encoder``, the encoder layer that each decoder layer starts from; empty: three of
            them, evenly spread.
        vocabulary, width, layers, heads: the shape of a model from scratch.
        locality, max_pages: how documents are cut; ``max_pages`` 0: all pages are read.
        num_pages: ``P``, fixed, formed as in the paper; 0: what the starting point was trained with.
        page_tokens: ``S``; 0: what the starting point was trained with.
        target_tokens: of a summary at most, special tokens included.
        min_length, max_length: of the trained model's summaries.
        beams, no_repeat_ngram, length_penalty: how it writes, unless it quotes.
        optimizer: ``adam`` or ``adafactor``.
        learning_rate, warmup: at update ``n``: learning_rate · min(n^-0.5, n · warmup^-1.5).
        label_smoothing: ε of the loss.
        clip: the greatest norm of a gradient; 0: any.
        dropout: -1: that of the starting point.
        batch: documents of a micro-batch.
        accumulate: micro-batches of an update, over all processes.
        epochs: passes over the data.
        validate_every: updates between validations; 0: once an epoch.
        validation_batch: documents of a batch in validation.
        checkpoint_every: updates between checkpoints; 0: at each validation.
        keep: checkpoints kept, the last ones; the best is kept beside them.
        select: what the best checkpoint is best at on the validation data: ``loss``, or ``rouge`` by generation.
        gradient_checkpointing: compute layers twice and hold less in memory.
        dtype: of products; weights stay float32. ``auto``: bfloat16 where the hardware multiplies it natively.
        seed: of everything random.
    """

    init: str = "mini"
    init_encoder: str = ""
    learn: str = "auto"
    decoder_layers: tuple[int, ...] = ()
    vocabulary: int = 8000
    width: int = 256
    layers: int = 4
    heads: int = 4
    locality: str = "auto"
    num_pages: int = 0
    max_pages: int = 0
    page_tokens: int = 0
    target_tokens: int = 256
    min_length: int = 0
    max_length: int = 254
    beams: int = 4
    no_repeat_ngram: int = 3
    length_penalty: float = 2.0
    optimizer: str = "adam"
    learning_rate: float = 2e-3
    warmup: int = 10000
    label_smoothing: float = 0.1
    clip: float = 0.0
    dropout: float = -1.0
    batch: int = 1
    accumulate: int = 16
    epochs: int = 10
    validate_every: int = 1000
    validation_batch: int = 4
    checkpoint_every: int = 0
    keep: int = 2
    select: str = "loss"
    gradient_checkpointing: bool = False
    dtype: str = "auto"
    seed: int = 970903

    def changed(self, values: Mapping[str, Any], where: str) -> "Settings":
        """These settings with other values.

        Args:
            values: by name.
            where: what to call their origin in errors.

        Raises:
            UsageError: an unknown name (the nearest known one is told), or a value of another kind or out of range.
        """
        known = {field.name: field.default for field in fields(self)}
        checked = {}
        for name, value in values.items():
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
                hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
                raise UsageError(f"{where}: no setting {name!r}", hint)
            checked[name] = _checked(name, value, known[name], where)
        settings = replace(self, **checked)
        if settings.min_length > settings.max_length:
            raise UsageError(f"{where}: min_length {settings.min_length} is above max_length {settings.max_length}")
        return settings

    def rate(self, update: int) -> float:
        """The learning rate of an update, counted from 1 (paper, appendix; the original's schedule)."""
        return self.learning_rate * min(update**-0.5, update * self.warmup**-1.5)


def preset_text(name: str) -> str:
    """A preset as TOML.

    Raises:
        UsageError: there is none of that name.
    """
    if name not in NAMES:
        near = difflib.get_close_matches(name, NAMES, n=1)
        hint = f"did you mean {near[0]}?" if near else "pagesum train --show-preset NAME shows one"
        raise UsageError(f"no preset {name!r}; there are {', '.join(NAMES)}", hint)
    return (PRESETS / f"{name}.toml").read_text(encoding="utf-8")


def load_settings(
    preset: str = DEFAULT, config: Path | None = None, flags: Mapping[str, Any] | None = None
) -> Settings:
    """A preset, overridden by a file, overridden by flags.

    Args:
        preset: its name.
        config: a TOML file of settings.
        flags: settings by name.

    Raises:
        UsageError: an unknown preset, setting or value.
        PagesumError: the file cannot be read.
    """
    settings = Settings().changed(tomllib.loads(preset_text(preset)), f"preset {preset}")
    if config is not None:
        settings = settings.changed(_read(config), str(config))
    return settings.changed(flags or {}, "flags")


def value_of(text: str) -> tuple[str, Any]:
    """``name=value`` as typed behind ``--set``.

    Raises:
        UsageError: it has another form.
    """
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(f"--set {text!r}, expected name=value", "for example --set epochs=3")
    try:
        return name.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:  # a word without quotes
        return name.strip(), value.strip()


def toml_of(settings: Settings) -> str:
    """The settings as TOML."""
    # JSON's numbers, strings, booleans and lists of numbers are TOML's.
    return "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in asdict(settings).items())


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PagesumError(f"{path}: cannot be read ({error.strerror})", "check the path") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PagesumError(
            f"{path}: expected TOML, found something else ({error})",
            "pagesum train --show-preset finetune is an example",
        ) from error


def _checked(name: str, value: Any, default: Any, where: str) -> Any:
    example = f"for example {name} = {default}"
    if isinstance(default, tuple):
        if not isinstance(value, (list, tuple)) or not all(type(one) is int and one >= 0 for one in value):
            raise UsageError(f"{where}: {name} {value!r}, expected a list of numbers", "for example [0, 2, 5]")
        return tuple(value)
    if isinstance(default, float) and type(value) is int:
        value = float(value)
    if type(value) is not type(default):
        kinds = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}
        raise UsageError(f"{where}: {name} {value!r}, expected {kinds[type(default)]}", example)
    if name in CHOICES and value not in CHOICES[name]:
        near = difflib.get_close_matches(value, CHOICES[name], n=1)
        hint = f"did you mean {near[0]}?" if near else example
        raise UsageError(f"{where}: {name} {value!r}, expected one of {', '.join(CHOICES[name])}", hint)
    # "not >=" refuses NaN too.
    if name in LEAST and not value >= LEAST[name]:
        raise UsageError(f"{where}: {name} {value}, expected at least {LEAST[name]}", example)
    if name == "learning_rate" and not 0 < value < 1:
        raise UsageError(f"{where}: {name} {value}, expected above 0 and below 1", example)
    if name in ("label_smoothing", "dropout") and value >= 1:
        raise UsageError(f"{where}: {name} {value}, expected below 1", example)
    return value
