"""Where a training run starts: a checkpoint, an encoder, or random weights and a new tokenizer."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import torch
from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

from ..documents.model import words
from ..errors import PagesumError, UsageError
from ..models.base import PageModel
from ..models.catalog import MODEL_TYPES, model_class
from ..models.causal.tasks import InOwnWords
from ..models.configuration import ModelConfig
from ..models.tasks import Plan, Task
from ..models.warm_start import from_encoder, load_checkpoint
from ..options import UNITS, GenerationOptions, PagingOptions, stored_form
from ..system import free_memory
from ..tokenization import CONTROL_TOKENS, PageTokenizer
from .prepare import read_split
from .settings import SCRATCH, Settings

BEGIN, PAD, END, UNKNOWN = "<s>", "<pad>", "</s>", "<unk>"
FIRST_CONTROL_TOKEN = 4
SCRATCH_PAGE_TOKENS = 512
DEFAULT_TASK = "abstractive"

# settings that only some families have, and what says nothing
OF_SOME_FAMILIES = {"decoding": "auto", "tagger": ""}


@dataclass(frozen=True)
class Start:
    """A model to train, its tokenizer, and the task that it learns."""

    model: Any
    tokenizer: PageTokenizer
    task: Task

    def plan(self, settings: Settings) -> Plan:
        """How records become this model's examples."""
        config = self.model.config
        paging = PagingOptions(
            locality=config.locality,
            page_tokens=config.page_tokens,
            num_pages=config.num_pages,
            max_pages=settings.max_pages or None if config.num_pages in (None, UNITS) else None,
            document_tokens=settings.document_tokens or None,
            # some families have a limit of their own where none is stored
            source_tokens=None if settings.document_tokens else config.source_tokens,
        )
        return Plan(
            task=self.task,
            tokenizer=self.tokenizer.backend.to_str(),
            first_control_token=config.first_control_token,
            paging=paging,
            target_tokens=settings.target_tokens,
            exclude_sources=settings.exclude_sources,
            rank_paragraphs=settings.rank_paragraphs,
            chapter_summaries=settings.chapter_summaries,
            data_set=settings.data_set,
        )


def starting_point(
    settings: Settings, data: Sequence[str], checkpoint: Path | None = None
) -> Start:
    """The model and tokenizer that a run begins or continues with, in float32 on the CPU, shaped by
    the settings.
    """
    start = None
    if checkpoint is not None:
        model, tokenizer = load_checkpoint(str(checkpoint))
    elif settings.init_encoder:
        family = _family(settings)
        model, tokenizer = from_encoder(
            settings.init_encoder,
            # not all layers of a family that starts from another are those of an encoder
            family.starts_from or family,
            decoder_layers=settings.decoder_layers,
            scoring_layers=settings.scoring_layers,
            seed=settings.seed,
        )
        model = _converted(model, settings)
    elif settings.init == SCRATCH:
        model, tokenizer = _from_scratch(settings, data)
    else:
        model, tokenizer = load_checkpoint(settings.init)
        start = model.config
        model = _converted(model, settings)
    task = _task(model, settings)
    if checkpoint is None:
        shape(model, settings, tokenizer, start)
    return Start(model, tokenizer, task)


def shape(
    model: PageModel, settings: Settings, tokenizer: PageTokenizer, start: ModelConfig | None = None
) -> None:
    """Write the settings into the model's configuration; ``start`` is that of the checkpoint that
    it starts from.
    """
    _check_lengths(model, settings)
    _set_paging(model, settings)
    if model.generates:
        _set_generation(model, settings, tokenizer)
    if not isinstance(model.task(DEFAULT_TASK), InOwnWords):
        _check_tokenizer(model, tokenizer)
    for name, default in OF_SOME_FAMILIES.items():
        if getattr(settings, name) != default and name not in model.training_settings:
            message = (
                f"{name} = {getattr(settings, name)} with a {model.config.model_type} "
                f"model, which has none"
            )
            raise UsageError(message, "leave it out")
    model.adopt(settings, tokenizer, start)


def _task(model: PageModel, settings: Settings) -> Task:
    _check_trains(type(model))
    default = model.tasks[0].name
    name = default if settings.task == "auto" else settings.task
    task = model.task(name)
    if task is None:
        base = settings.init_encoder or settings.init
        message = f"{base} is an {model.config.model_type} model and cannot learn the task {name}"
        raise UsageError(message, f"task = {default}, or another --set architecture")
    if settings.select != "loss" and not task.predicts_summaries:
        raise UsageError(
            f"select = {settings.select}, but the task {task.name} makes no summaries",
            "select = loss",
        )
    return task


def configured(family: type[PageModel], values: dict[str, Any], changes: dict[str, Any]) -> Any:
    """A family's configuration; it takes the fields of ``values`` that it knows, and all of
    ``changes``.
    """
    _check_fields(family, changes)
    try:
        config = family.config_class.from_dict({**values, **changes})
        with torch.device("meta"):
            size = sum(4 * parameter.numel() for parameter in family(config).parameters())
    except ValueError as error:
        raise UsageError(f"model: {error}") from error
    if size > (free := free_memory()):
        message = (
            f"the model's weights take {size / 2**30:,.0f} GiB, but {free / 2**30:,.0f} "
            f"GiB of memory are free"
        )
        raise UsageError(message, "a smaller width, fewer layers, or smaller values of model")
    return config


def _check_fields(family: type[PageModel], changes: dict[str, Any]) -> None:
    """Check that a family's configuration has the fields."""
    known = {field.name for field in fields(family.config_class)}
    for name in changes:
        if name not in known:
            message = f"model: a {family.config_class.model_type} model has no field {name!r}"
            raise UsageError(message, f"it has {', '.join(sorted(known))}")


def _converted(model: PageModel, settings: Settings) -> PageModel:
    """A checkpoint's model as one of the architecture of the settings, with their fields in its
    configuration.
    """
    if settings.architecture == "auto" or isinstance(model, family := _family(settings)):
        return changed(model, settings.model)
    if not (family.starts_from and isinstance(model, family.starts_from)):
        message = (
            f"architecture = {settings.architecture}, but training starts from "
            f"a {model.config.model_type} model"
        )
        raise UsageError(message, "--init scratch")
    _check_fields(family, settings.model)
    try:
        return family.from_bart(model, **settings.model)
    except ValueError as error:
        raise UsageError(f"model: {error}") from error


def changed(model: PageModel, changes: dict[str, Any]) -> PageModel:
    """A checkpoint's model with other fields in its configuration, and new weights where these need
    some.
    """
    if not changes:
        return model
    config = configured(type(model), model.config.to_dict(), changes)
    _, weights = model.complete(config.to_dict(), dict(model.state_dict()))
    other = type(model)(config)
    try:
        left = other.load_state_dict(weights, strict=False).unexpected_keys
    except RuntimeError as error:
        left = [str(error).splitlines()[-1].strip()]
    if left:
        message = (
            f"model: the checkpoint's weights do not fit the changed configuration ({left[0]})"
        )
        raise UsageError(message, "change only settings that do not alter its shape")
    return other


def _check_lengths(model: PageModel, settings: Settings) -> None:
    positions = model.config.max_position_embeddings
    limits = {"page_tokens": positions}
    if model.generates:  # the others have no decoder, whose positions these would be
        limits |= {"max_length": positions - 1, "target_tokens": positions + 1}
    for name, limit in limits.items():
        if getattr(settings, name) > limit:
            message = (
                f"{name} {getattr(settings, name)}, but the model has positions for {limit} only"
            )
            raise UsageError(
                message, f"set {name} to {limit} or less, or start from a model with more positions"
            )
    most = model.max_source_tokens
    if (
        most is not None
        and not 0 < (settings.source_tokens or model.config.source_tokens or 0) < most
    ):
        message = (
            f"source_tokens {settings.source_tokens}, but the model has positions "
            f"for {most} tokens of a source"
        )
        raise UsageError(message, f"--source-tokens {most // 2}")


def _set_paging(model: PageModel, settings: Settings) -> None:
    config = model.config
    config.page_tokens = settings.page_tokens or config.page_tokens
    config.num_pages = settings.num_pages or config.num_pages
    config.source_tokens = settings.source_tokens or (
        None if settings.document_tokens else config.source_tokens
    )
    if settings.locality != "auto":
        config.locality = settings.locality
    config.languages = []  # those of the data are not known
    if settings.dropout >= 0:
        config.dropout = settings.dropout
        model.set_dropout(settings.dropout)


def _set_generation(model: PageModel, settings: Settings, tokenizer: PageTokenizer) -> None:
    """Write the settings for generation into the model's configuration; refuse what it cannot
    do.
    """
    config = model.config
    unblocked = [tokenizer.backend.token_to_id(token) for token in settings.unblocked]
    if None in unblocked:
        unknown = settings.unblocked[unblocked.index(None)]
        raise UsageError(
            f"unblocked: the tokenizer has no token {unknown!r}", "name tokens of its vocabulary"
        )
    if settings.blocking == "sentence" and not unblocked:
        raise UsageError(
            "blocking = sentence, but no token ends a sentence", 'for example unblocked = ["."]'
        )
    config.label_smoothing = settings.label_smoothing
    forced = {
        name: config.generation.get(name) for name in ("forced_bos_token_id", "forced_eos_token_id")
    }
    config.generation = {**forced, **stored_form(settings), "unblocked_token_ids": unblocked}
    model.generation_options(GenerationOptions())  # refused, if so, before the model is trained


def _family(settings: Settings) -> type[PageModel]:
    """The class of a new model: the first that learns the task, unless an architecture is named."""
    if settings.architecture == "auto":
        name = DEFAULT_TASK if settings.task == "auto" else settings.task
        families = map(model_class, MODEL_TYPES)
        return next(family for family in families if name in (task.name for task in family.tasks))
    if settings.architecture not in MODEL_TYPES:
        raise UsageError(
            f"no architecture {settings.architecture!r}, expected one of {', '.join(MODEL_TYPES)}"
        )
    family = model_class(settings.architecture)
    _check_trains(family)
    return family


def _check_trains(family: type[PageModel]) -> None:
    if not family.tasks:
        message = f"a {family.config_class.model_type} model is not trained here"
        raise UsageError(message, "choose another --init, or another --set architecture")


def _check_tokenizer(model: PageModel, tokenizer: PageTokenizer) -> None:
    config, (start, *_, end) = model.config, tokenizer.encode("x")
    expected = (config.vocab_size, config.bos_token_id, config.eos_token_id)
    found = (tokenizer.vocab_size, start, end)
    if found[0] > expected[0] or found[1:] != expected[1:]:
        raise PagesumError(
            f"the tokenizer has {found[0]} tokens and begins and ends a text with {found[1:]}, "
            f"the model {expected}",
            "do tokenizer and model belong together?",
        )


def _from_scratch(settings: Settings, data: Sequence[str]) -> tuple[PageModel, PageTokenizer]:
    if settings.width % settings.heads:
        message = f"width {settings.width} is not a multiple of heads {settings.heads}"
        raise UsageError(message, "for example width = 256")
    family = _family(settings)
    tokenizer = _new_tokenizer(settings, data, family)
    page_tokens = settings.page_tokens or SCRATCH_PAGE_TOKENS
    values = {
        "vocab_size": tokenizer.vocab_size,
        "d_model": settings.width,
        "encoder_layers": settings.layers,
        "decoder_layers": settings.layers,
        "scoring_layers": settings.scoring_layers,
        "encoder_attention_heads": settings.heads,
        "decoder_attention_heads": settings.heads,
        "encoder_ffn_dim": 4 * settings.width,
        "decoder_ffn_dim": 4 * settings.width,
        "page_tokens": page_tokens,
        "first_control_token": tokenizer.first_control_token,
        "bos_token_id": 0,
        "pad_token_id": 1,
        "eos_token_id": 2,
        "unk_token_id": 3,
        "decoder_start_token_id": 0,
    }
    if family.vocabulary_of == "pieces":  # the others read all pages as one sequence
        values["max_position_embeddings"] = max(
            page_tokens, settings.target_tokens, settings.max_length + 1
        )
    return family(configured(family, values, settings.model)), tokenizer


def _new_tokenizer(
    settings: Settings, data: Sequence[str], family: type[PageModel]
) -> PageTokenizer:
    """A tokenizer of the training split, with control tokens, where needed, after the special ones.

    Byte-level BPE; or the most frequent words, in lower case and without accents.
    """
    controls = CONTROL_TOKENS if family.needs_control_tokens else 0
    special = [BEGIN, PAD, END, UNKNOWN, *(f"<control{number}>" for number in range(controls))]
    common: Any = {
        "vocab_size": settings.vocabulary,
        "special_tokens": special,
        "show_progress": False,
    }
    if family.vocabulary_of == "words":
        backend = Tokenizer(models.WordLevel(unk_token=UNKNOWN))
        backend.normalizer = normalizers.BertNormalizer(lowercase=True)
        backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        trainer: Any = trainers.WordLevelTrainer(**common)
    else:
        backend = Tokenizer(models.BPE())
        backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        backend.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            **common, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
        )
    backend.train_from_iterator(training_texts(settings, data), trainer)
    ends = [(token, backend.token_to_id(token)) for token in (BEGIN, END)]
    backend.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A {END}", special_tokens=ends
    )
    return PageTokenizer(backend, FIRST_CONTROL_TOKEN if controls else None)


def training_texts(settings: Settings, data: Sequence[str]) -> Iterator[str]:
    for record in read_split(
        data,
        "train",
        settings.locality,
        chapter_summaries=settings.chapter_summaries,
        data_set=settings.data_set,
    ):
        for text in (record.summary, *(" ".join(words(document)) for document in record.documents)):
            # training takes quadratic time in the length of a word
            yield re.sub(r"\S{100}", r"\g<0> ", text)
