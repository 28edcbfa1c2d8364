"""Where a training run starts: a checkpoint, an encoder, or random weights and a new tokenizer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, cast

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from ..documents.model import words
from ..errors import PagesumError, UsageError
from ..models.base import PageModel
from ..models.catalog import checkpoint_folder, settings_of
from ..models.layers.dpp import DppAttention
from ..models.pagesum.model import PageSumModel
from ..models.registry import MODEL_TYPES, model_class
from ..models.topdown.model import TopDownModel
from ..models.topdown.tagger import TopDownTagger
from ..options import GenerationOptions, PagingOptions, nearest, stored_form
from ..tokenization import CONTROL_TOKENS, PageTokenizer
from .examples import Plan
from .settings import SCRATCH, Settings
from .sources import read_split
from .warm_start import from_encoder, load_checkpoint

BEGIN, PAD, END, UNKNOWN = "<s>", "<pad>", "</s>", "<unk>"
FIRST_CONTROL_TOKEN = 4
SCRATCH_PAGE_TOKENS = 512
DEFAULT_TASK = "abstractive"
WEIGHTED = "abstractive-weighted"
"""The task of models that pool by importance."""

TOP_DOWN = (TopDownModel, TopDownTagger)
"""Architectures that can start from a BART or PageSum."""
TAGGER_FIELDS = (
    *("d_model", "vocab_size", "scale_embedding", "activation_function", "first_control_token"),
    *("encoder_layers", "encoder_attention_heads", "encoder_ffn_dim", "local_layers", "segment_layers"),
    *("window", "kernel", "stride", "max_segments", "segment_positions", "update"),
    *("max_source_positions", "positions", "special_tokens"),
)
"""Configuration that a model shares with its tagger."""


@dataclass(frozen=True)
class Start:
    """A model to train, its tokenizer, and the name of the task that it learns."""

    model: Any
    tokenizer: PageTokenizer
    task: str

    def plan(self, settings: Settings) -> Plan:
        """How records become this model's examples."""
        config = self.model.config
        paging = PagingOptions(
            locality=config.locality,
            page_tokens=config.page_tokens,
            num_pages=config.num_pages,
            max_pages=None if config.num_pages else settings.max_pages or None,
            document_tokens=settings.document_tokens or None,
            source_tokens=config.source_tokens,
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
        )


def starting_point(settings: Settings, data: Sequence[str], checkpoint: Path | None = None) -> Start:
    """The model and tokenizer that a run begins or continues with, in float32 on the CPU, shaped by the settings.

    Args:
        settings: Of the run.
        data: A tokenizer is trained on its training split if the start is ``scratch``.
        checkpoint: The run's last checkpoint, to continue.

    Raises:
        PagesumError: There is no such checkpoint, or it is damaged, or has no tokenizer.
        UsageError: The family does not learn the task, or pages or summaries are longer than the model's positions.
    """
    if checkpoint is not None:
        model, tokenizer = load_checkpoint(str(checkpoint))
    elif settings.init_encoder:
        family = _family(settings)
        # Not all of its layers are those of the encoder: it is made of a model that has them.
        model, tokenizer = from_encoder(settings, PageSumModel if issubclass(family, TOP_DOWN) else family)
        model = converted(model, settings)
    elif settings.init == SCRATCH:
        model, tokenizer = _from_scratch(settings, data)
    else:
        model, tokenizer = load_checkpoint(settings.init)
        model = converted(model, settings)
    task = model.tasks[0] if settings.task == "auto" else settings.task
    if task not in model.tasks:
        base = settings.init_encoder or settings.init
        raise UsageError(
            f"{base} is an {model.config.model_type} model and cannot learn the task {task}",
            "--set architecture=topdown-tagger"
            if task == "importance"
            else f"task = {model.tasks[0]}, or --init-encoder {base} for a new model with its encoder",
        )
    if task == "importance" and settings.select != "loss":
        raise UsageError(f"select = {settings.select}, but a tagger makes no summaries", "select = loss")
    if checkpoint is None:
        shape(model, settings, tokenizer)
        _check_tokenizer(model, tokenizer)
        insert_tagger(model, settings, tokenizer)
    return Start(model, tokenizer, WEIGHTED if model.reads_importance else task)


def configured(family: type[PageModel], values: dict[str, Any], changes: dict[str, Any]) -> Any:
    """A family's configuration; it takes the fields of ``values`` that it knows, and all of ``changes``.

    Raises:
        UsageError: It does not know a field of ``changes``, or a value is out of range.
    """
    known = {one.name for one in fields(family.config_class)}
    for name in changes:
        if name not in known:
            near = nearest(name, known)
            raise UsageError(
                f"model: a {family.config_class.model_type} model has no field {name!r}",
                f"did you mean {near}?" if near else f"it has {', '.join(sorted(known))}",
            )
    try:
        return family.config_class.from_dict({**values, **changes})
    except ValueError as error:
        raise UsageError(f"model: {error}") from error


def converted(model: PageModel, settings: Settings) -> PageModel:
    """A checkpoint's model as one of the architecture of the settings, with their fields in its configuration.

    Raises:
        UsageError: There is no way from its architecture to the other one, or its weights do not fit.
    """
    if settings.architecture == "auto" or isinstance(model, family := _family(settings)):
        return changed(model, settings.model)
    if not (isinstance(model, PageSumModel) and issubclass(family, TOP_DOWN)):
        raise UsageError(
            f"architecture = {settings.architecture}, but training starts from a {model.config.model_type} model",
            "topdown models can start from BART or PageSum; or use --init scratch",
        )
    configured(family, {}, settings.model)  # refuses fields that it does not have
    try:
        return family.from_bart(model, **settings.model)
    except ValueError as error:
        raise UsageError(f"model: {error}") from error


def changed(model: PageModel, changes: dict[str, Any]) -> PageModel:
    """A checkpoint's model with other fields in its configuration, and new weights where these need some.

    A new projection of DPP attention's past begins as the identity, which is what ``dpp_past = none`` computes.

    Raises:
        UsageError: Its weights do not fit.
    """
    if not changes:
        return model
    other = type(model)(configured(type(model), model.config.to_dict(), changes))
    try:
        missing, left = other.load_state_dict(model.state_dict(), strict=False)
        for name, module in other.named_modules():
            if isinstance(module, DppAttention) and f"{name}.past_proj.weight" in missing:
                torch.nn.init.eye_(module.past_proj.weight)
                torch.nn.init.zeros_(module.past_proj.bias)
    except RuntimeError as error:
        left = [str(error).splitlines()[-1].strip()]
    if left:
        raise UsageError(
            f"model: the checkpoint's weights do not fit the changed configuration ({left[0]})",
            "change only what leaves its shape as it is",
        )
    return other


def insert_tagger(model: PageModel, settings: Settings, tokenizer: PageTokenizer) -> None:
    """Give a model with adaptive pooling the trained tagger that the settings name.

    Raises:
        PagesumError: There is no such tagger.
        UsageError: None is named, or it is of another shape or vocabulary.
    """
    is_adaptive = isinstance(model, TopDownModel) and model.config.pooling == "adaptive"
    if not is_adaptive and settings.tagger:
        raise UsageError(
            f"tagger = {settings.tagger}, but the model does not pool by importance",
            'model = { pooling = "adaptive" } with architecture = topdown',
        )
    if not is_adaptive or (not settings.tagger and _has_trained_tagger(settings)):
        return
    how = "pagesum train --set architecture=topdown-tagger trains one from the same starting point"
    if not settings.tagger:
        raise UsageError("pooling = adaptive, but no importance tagger is named", f"--set tagger=FOLDER; {how}")
    tagger, its_tokenizer = load_checkpoint(settings.tagger)
    if not isinstance(tagger, TopDownTagger):
        raise UsageError(f"tagger = {settings.tagger}, but that is a {tagger.config.model_type} model", how)
    if its_tokenizer.backend.get_vocab() != tokenizer.backend.get_vocab():
        raise UsageError(f"tagger = {settings.tagger}, but its vocabulary is not the model's", how)
    for name in TAGGER_FIELDS:
        given, expected = getattr(tagger.config, name), getattr(model.config, name)
        if given != expected:
            raise UsageError(
                f"tagger = {settings.tagger}, but its {name} is {given}, that of the model {expected}",
                f"--set model.{name}={given}, or train another tagger",
            )
    cast(TopDownModel, model).tagger.load_state_dict(tagger.tagger.state_dict())


def _has_trained_tagger(settings: Settings) -> bool:
    """Whether training starts from a model that has its tagger."""
    if settings.init_encoder or settings.init == SCRATCH:
        return False
    return settings_of(checkpoint_folder(settings.init, weights=False)).get("pooling") == "adaptive"


def shape(model: PageModel, settings: Settings, tokenizer: PageTokenizer) -> None:
    """Write the settings for pages, dropout and generation into the model's configuration.

    Raises:
        UsageError: Pages or summaries are longer than the model's positions, the model cannot generate by the settings,
            or the tokenizer lacks a token that they name.
    """
    config: Any = model.config
    positions = config.max_position_embeddings
    limits = {"page_tokens": positions, "max_length": positions - 1}
    if model.generates:
        limits["target_tokens"] = positions + 1
    for name, limit in limits.items():
        if getattr(settings, name) > limit:
            raise UsageError(
                f"{name} {getattr(settings, name)}, but the model has positions for {limit} only",
                f"set {name} to {limit} or less, or start from a model with more positions",
            )
    most = model.max_source_tokens
    if most is not None and not 0 < (settings.source_tokens or config.source_tokens or 0) < most:
        raise UsageError(
            f"source_tokens {settings.source_tokens}, but the model has positions for {most} tokens of a source",
            f"--source-tokens {most // 2}",
        )
    config.page_tokens = settings.page_tokens or config.page_tokens
    config.num_pages = settings.num_pages or config.num_pages
    config.source_tokens = settings.source_tokens or (None if settings.document_tokens else config.source_tokens)
    if settings.locality != "auto":
        config.locality = settings.locality
    config.languages = []  # those of the data are not known
    if settings.dropout >= 0:
        config.dropout = settings.dropout
        model.set_dropout(settings.dropout)
    if not model.generates:
        config.max_length = settings.max_length
        return
    config.label_smoothing = settings.label_smoothing
    if hasattr(config, "untrained_confidence"):
        config.untrained_confidence = False
    if settings.decoding != "auto":
        if not hasattr(config, "decoding"):
            raise UsageError(
                f"decoding = {settings.decoding} with a {config.model_type} model, which has one decoder for all parts",
                "leave it out",
            )
        config.decoding = settings.decoding
        try:
            config.check()
        except ValueError as error:
            raise UsageError(f"decoding = {settings.decoding}: {error}") from error
    unblocked = _token_ids(tokenizer, settings.unblocked)
    if settings.blocking == "sentence" and not unblocked:
        raise UsageError("blocking = sentence, but no token ends a sentence", 'for example unblocked = ["."]')
    config.generation = {
        **{name: config.generation.get(name) for name in ("forced_bos_token_id", "forced_eos_token_id")},
        **stored_form(settings),
        "unblocked_token_ids": unblocked,
    }
    model.generation_options(GenerationOptions())  # refused, if so, before the model is trained


def _token_ids(tokenizer: PageTokenizer, unblocked: Sequence[str]) -> list[int]:
    ids = []
    for token in unblocked:
        number = tokenizer.backend.token_to_id(token)
        if number is None:
            raise UsageError(f"unblocked: the tokenizer has no token {token!r}", "name tokens of its vocabulary")
        ids.append(number)
    return ids


def _family(settings: Settings) -> type[PageModel]:
    """The class of a new model: the first that learns the task, unless an architecture is named."""
    if settings.architecture == "auto":
        task = DEFAULT_TASK if settings.task == "auto" else settings.task
        return next(one for one in map(model_class, MODEL_TYPES) if task in one.tasks)
    if settings.architecture not in MODEL_TYPES:
        near = nearest(settings.architecture, MODEL_TYPES)
        raise UsageError(
            f"no architecture {settings.architecture!r}; there are {', '.join(MODEL_TYPES)}",
            f"did you mean {near}?" if near else None,
        )
    return model_class(settings.architecture)


def _check_tokenizer(model: PageModel, tokenizer: PageTokenizer) -> None:
    """Refuse a tokenizer whose ids mean something else to the model."""
    config = model.config
    ids = tokenizer.encode("x")
    hint = "do tokenizer and model belong together?"
    if tokenizer.vocab_size > config.vocab_size:
        raise PagesumError(f"the tokenizer has {tokenizer.vocab_size} tokens, the model {config.vocab_size}", hint)
    if (ids[0], ids[-1]) != (config.bos_token_id, config.eos_token_id):
        raise PagesumError(
            f"the tokenizer puts tokens {ids[0]} and {ids[-1]} around a text, config.json has {config.bos_token_id} "
            f"and {config.eos_token_id}",
            hint,
        )


def _from_scratch(settings: Settings, data: Sequence[str]) -> tuple[PageModel, PageTokenizer]:
    if settings.width % settings.heads:
        message = f"width {settings.width} is not a multiple of heads {settings.heads}"
        raise UsageError(message, "for example width = 256")
    family = _family(settings)
    train_tokenizer = _train_words if family.vocabulary_of == "words" else _train_pieces
    tokenizer = train_tokenizer(settings, data, CONTROL_TOKENS if "extractive" in family.tasks else 0)
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
        values["max_position_embeddings"] = max(page_tokens, settings.target_tokens, settings.max_length + 1)
    return family(configured(family, values, settings.model)), tokenizer


def _train_pieces(settings: Settings, data: Sequence[str], controls: int) -> PageTokenizer:
    """A byte-level BPE tokenizer of the training split, with control tokens after the special ones."""
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    special = _special(controls)
    trainer = trainers.BpeTrainer(
        vocab_size=settings.vocabulary,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator(_texts(settings, data), trainer)
    return _finished(backend, controls)


def _train_words(settings: Settings, data: Sequence[str], controls: int) -> PageTokenizer:
    """The most frequent words of the training split, in lower case and without accents."""
    backend = Tokenizer(models.WordLevel(unk_token=UNKNOWN))
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = _special(controls)
    trainer = trainers.WordLevelTrainer(vocab_size=settings.vocabulary, special_tokens=special, show_progress=False)
    backend.train_from_iterator(_texts(settings, data), trainer)
    return _finished(backend, controls)


def _special(controls: int) -> list[str]:
    return [BEGIN, PAD, END, UNKNOWN, *(f"<control{number}>" for number in range(controls))]


def _texts(settings: Settings, data: Sequence[str]) -> Iterator[str]:
    """The summaries and documents of the training split."""
    for record in read_split(data, "train", settings.locality, chapter_summaries=settings.chapter_summaries):
        yield record.summary
        for document in record.documents:
            yield " ".join(words(document))


def _finished(backend: Tokenizer, controls: int) -> PageTokenizer:
    ends = [(token, backend.token_to_id(token)) for token in (BEGIN, END)]
    backend.post_processor = processors.TemplateProcessing(single=f"{BEGIN} $A {END}", special_tokens=ends)
    return PageTokenizer(backend, FIRST_CONTROL_TOKEN if controls else None)
