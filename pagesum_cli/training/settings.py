"""Settings of a training run: presets (TOML), the user's file, flags. Imported without torch."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import Field, asdict, dataclass, field, fields, make_dataclass, replace
from pathlib import Path
from typing import Any

from .. import options
from ..datasets.named import AUTO, DATA_SETS, DataOptions
from ..errors import PagesumError, UsageError, shown
from ..options import GenerationOptions, PagingOptions, hints_of, kind_of, option, row_of
from ..options.presets import (
    COMBINED,
    NAMES,
    TOPDOWN,
    has_preset,
    preset_comments,
    preset_source,
    preset_values,
)

DEFAULT = "finetune"
SCRATCH = "scratch"

MIN_RATE = 0.02  # the part of the learning rate that the linear schedule ends with
PLATEAU_RATE = 1e-5  # the learning rate with which the plateau schedule ends

START, TRAINING = "Start", "Training"
FLAGS = "flags"  # what the command line is called in errors


def _shared(kind: Any, *names: str, panel: str | None = None) -> Iterator[tuple[str, Any, Any]]:
    """Settings of the names of options, with their rows; 0 stands for a number that is not
    given.
    """
    for shared in fields(kind):
        if shared.name in names:
            row, default = row_of(shared), shared.default
            if row.off is not None:
                default = row.paper if row.trained is None else row.trained
            elif default is None:
                row, default = replace(row, min=0, help=f"{row.help} 0: as if not given."), 0
            row = replace(row, panel=panel)
            yield (
                shared.name,
                kind_of(hints_of(kind)[shared.name]),
                field(default=default, metadata={"row": row}),
            )


SharedSettings: Any = make_dataclass(
    "SharedSettings",
    [
        *_shared(PagingOptions, "locality", "page_tokens", "num_pages", panel=TRAINING),
        *_shared(PagingOptions, "document_tokens", "source_tokens", panel=TRAINING),
        *_shared(PagingOptions, "max_pages"),
        *_shared(DataOptions, "rank_paragraphs", "chapter_summaries"),
        *_shared(GenerationOptions, *(stored.name for stored in options.STORED_OPTIONS)),
    ],
    frozen=True,
)
"""What is read, and how the trained model generates summaries: its checkpoint gets these values."""


@dataclass(frozen=True)
class Settings(SharedSettings):
    """Everything that the result of a run depends on, apart from the data; with a ``panel``, also a
    flag.
    """

    init: str = option(
        "mini",
        "Start from a bundled name, a folder or hub id (any known family, or BART), or scratch.",
        panel=START,
    )
    init_encoder: str = option(
        "",
        "Start from an encoder alone: a BERT-like one (folder or hub id), or mini; for quotes, a "
        "model like Llama (folder, hub id or GGUF file).",
        panel=START,
    )
    task: str = option(
        "auto",
        "abstractive: generate the summaries; extractive: select the sentences that cover them "
        "best; quotes: "
        "select those that an editor labelled; preferences: order them as the labels do, to adapt "
        "a head to few documents; importance: "
        "predict which words are in them; auto: what the starting point does.",
        choices=("auto", "abstractive", "extractive", "quotes", "preferences", "importance"),
        panel=START,
    )
    architecture: str = option(
        "auto", "Family of a new model; auto: the first that supports the task."
    )
    model: dict[str, Any] = field(default_factory=dict)
    """Further fields of the model's configuration, as in its config.json: ``{ dpp = true }``."""
    tagger: str = option(
        "",
        "With pooling = adaptive: the importance tagger, the folder of a trained model of "
        "architecture topdown-tagger.",
    )
    trainable: str = option(
        "auto",
        "Parameters that are trained: all, the head that scores sentences, or its last layer "
        "(output). auto: the head of an extractive checkpoint, everything in other models.",
        choices=("auto", "all", "head", "output"),
    )
    decoding: str = option(
        "auto",
        "pages: the decoder reads each part alone; global: all parts together; auto: as the "
        "starting point.",
        choices=("auto", "pages", "global"),
    )
    decoder_layers: tuple[int, ...] = option(
        (),
        "With init_encoder: the encoder layer that each decoder layer starts from; empty: three, "
        "evenly spread.",
    )
    scoring_layers: int = option(2, "Scoring layers of a new extractive model.", min=1, max=1000)
    vocabulary: int = option(
        8000, "Tokens of a tokenizer trained from scratch.", min=300, max=1_000_000
    )
    width: int = option(256, "Width of a model from scratch.", min=8, max=65_536)
    layers: int = option(4, "Layers of its encoder and of its decoder.", min=1, max=1000)
    heads: int = option(4, "Its attention heads.", min=1, max=1024)
    exclude_sources: tuple[str, ...] = option(
        (), "Leave out records with these values of their field source."
    )
    data_set: str = option(
        AUTO,
        "Name of the data set in the files of --data, as for eval: determines what their lists "
        "hold, and which of several sets in a folder is read. auto: by the locality.",
        choices=(AUTO, *DATA_SETS),
    )
    target_tokens: int = option(
        256,
        "Maximum number of tokens of a reference summary, special tokens included; "
        "the rest is cut.",
        min=4,
        panel=TRAINING,
    )
    unblocked: tuple[str, ...] = option(
        (),
        "Tokens whose runs may repeat; with blocking = sentence, the tokens that end a sentence.",
    )
    epochs: int = option(
        10, "Passes over the data.", min=1, panel=TRAINING, brief="Passes over the data."
    )
    updates: int = option(0, "Number of updates; 0: determined by epochs.", min=0)
    patience: int = option(
        0, "Stop after this many validations without improvement; 0: never.", min=0
    )
    batch: int = option(1, "Documents per micro-batch.", min=1, panel=TRAINING)
    accumulate: int = option(
        16, "Micro-batches per update, over all processes.", min=1, panel=TRAINING
    )
    optimizer: str = option(
        "adam",
        "Optimizer. adagrad: with an initial accumulator of 0.1; nesterov: "
        "with a momentum of 0.99.",
        choices=("adam", "adamw", "adafactor", "adagrad", "nesterov"),
    )
    adam_beta2: float = option(0.999, "β₂ of adam.", min=0.0, max=0.99999)
    schedule: str = option(
        "inverse_sqrt",
        "Learning rate at update n. inverse_sqrt: learning_rate · min(n^-0.5, n · warmup^-1.5), "
        "as in the paper; "
        "linear: up to learning_rate in warmup updates, then down to 2 % of it at the end; "
        "constant: learning_rate; "
        "plateau: a tenth of it after each validation that is no better, until 1e-5 is reached "
        "and training stops.",
        choices=("inverse_sqrt", "linear", "constant", "plateau"),
    )
    learning_rate: float = option(
        2e-3, "Learning rate of the schedule.", min=0.0, exclusive=True, max=1.0, panel=TRAINING
    )
    warmup: int = option(10000, "Updates of warm-up.", min=1)
    label_smoothing: float = option(0.1, "ε of the loss.", min=0.0, max=0.999)
    clip: float = option(0.0, "Maximum norm of the gradient; 0: none.", min=0.0, max=1e6)
    dropout: float = option(-1.0, "Dropout; -1: the starting point's.", min=-1.0, max=0.999)
    validate_every: int = option(1000, "Updates between validations; 0: once an epoch.", min=0)
    validation_batch: int = option(4, "Documents per batch of validation.", min=1)
    checkpoint_every: int = option(0, "Updates between checkpoints; 0: at each validation.", min=0)
    keep: int = option(2, "Number of checkpoints to keep; the best one is always kept too.", min=1)
    select: str = option(
        "loss",
        "Select the best weights by validation loss, or by ROUGE of the summaries of the "
        "validation data: ROUGE-1 and "
        "-2 (rouge), or ROUGE-2 alone.",
        choices=("loss", "rouge", "rouge2"),
        panel=TRAINING,
    )
    gradient_checkpointing: bool = option(False, "Compute layers twice to save memory.")
    dtype: str = option(
        "auto",
        "Number format for matrix products; weights stay float32. "
        "auto: bfloat16 where the hardware is faster with it.",
        choices=("auto", "float32", "bfloat16"),
        panel="Model",
    )
    seed: int = option(970903, "Random seed.", min=0, max=options.MAX_SEED, panel=TRAINING)

    def changed(self, values: Mapping[str, Any], where: str) -> "Settings":
        """These settings with other values."""
        known = {field.name: field for field in fields(self)}
        checked: dict[str, Any] = {}
        for name, value in values.items():
            name, _, inner = name.partition(".")
            if name == "model":
                checked[name] = {**checked.get(name, self.model), **_table(value, inner, where)}
                continue
            if name not in known or inner:
                message = (
                    f"--set {name}: unknown setting"
                    if where == FLAGS
                    else f"{where}: unknown setting {name!r}"
                )
                raise UsageError(
                    message, options.suggestion(name, known, f"known are {', '.join(known)}")
                )
            checked[name] = _checked(name, value, known[name], where)
        if values.get("init"):  # in place of the encoder of a preset
            checked.setdefault("init_encoder", "")
        settings = replace(self, **checked)
        if settings.min_length > settings.max_length:
            raise UsageError(
                f"{where}: min_length {settings.min_length} is above "
                f"max_length {settings.max_length}"
            )
        if settings.document_tokens and settings.source_tokens:
            raise UsageError(
                f"{where}: document_tokens {settings.document_tokens} together with source_tokens "
                f"{settings.source_tokens}",
                "set one of them to 0",
            )
        return settings

    def total_updates(self, updates: int) -> int:
        """Updates of the run, of the updates of an epoch."""
        return self.updates or self.epochs * updates

    def rate(self, update: int, updates: int) -> float:
        """Learning rate of an update, counted from 1, of all updates of the run."""
        if self.schedule in ("constant", "plateau"):
            return self.learning_rate
        if self.schedule == "linear":
            down = (updates - update) / max(updates - self.warmup, 1)
            return self.learning_rate * min(update / self.warmup, max(MIN_RATE, down))
        return self.learning_rate * min(update**-0.5, update * self.warmup**-1.5)


def preset_text(name: str) -> str:
    """A preset as TOML, with everything that it takes over from another."""
    _check_preset(name)
    return preset_source(name) or f"{preset_comments(name)}\n{_toml(preset_values(name))}"


def _check_preset(name: str) -> None:
    if not has_preset(name):
        message = (
            f"no preset {name!r}; there are {', '.join(NAMES)}, and combinations such as "
            f"{COMBINED[0]} and {TOPDOWN[0]}"
        )
        hint = options.suggestion(
            name, (*NAMES, *COMBINED), "pagesum train --show-preset NAME prints one"
        )
        raise UsageError(message, hint)


def load_settings(
    preset: str = DEFAULT, config: Path | None = None, flags: Mapping[str, Any] | None = None
) -> Settings:
    """A preset, overridden by a file, overridden by flags."""
    _check_preset(preset)
    settings = Settings().changed(preset_values(preset), f"preset {preset}")
    if config is not None:
        settings = settings.changed(_read(config), str(config))
    return settings.changed(flags or {}, FLAGS)


def value_of(text: str) -> tuple[str, Any]:
    """``name=value`` as typed after ``--set``."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(f"--set {shown(text)}, expected name=value", "for example --set epochs=3")
    try:
        return name.strip(), tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):  # a word without quotes
        return name.strip(), value.strip()


def toml_of(settings: Settings) -> str:
    """The settings as TOML."""
    return _toml(asdict(settings))


def _toml(values: Mapping[str, Any]) -> str:
    return "".join(f"{name} = {_toml_value(value)}\n" for name, value in values.items())


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        inside = ", ".join(f"{name} = {_toml_value(item)}" for name, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    # that character apart, it is TOML, too
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _table(value: Any, inner: str, where: str) -> dict[str, Any]:
    if inner:
        return {inner: value}
    if not isinstance(value, dict):
        raise UsageError(
            f"{where}: model {shown(value)}, expected a table", "for example model = { dpp = true }"
        )
    return value


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PagesumError(
            f"{path}: cannot be read ({error.strerror})", "check the path"
        ) from error
    except (ValueError, RecursionError) as error:
        message = f"{path}: expected TOML, found something else ({error})"
        raise PagesumError(message, "pagesum train --show-preset finetune is an example") from error


def _checked(name: str, value: Any, setting: Field[Any], where: str) -> Any:
    kind = hints_of(Settings)[name]
    found = options.fault(value, kind, row_of(setting))
    if found:
        hint = found.hint or f"for example {name} = {setting.default}"
        raise UsageError(f"{where}: {name} {shown(value)}: {found.expected}", hint)
    return tuple(value) if isinstance(value, list) else float(value) if kind is float else value
