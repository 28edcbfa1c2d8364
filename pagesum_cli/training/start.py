"""Where a training run starts: a checkpoint, a BERT-like encoder, or random weights and a new tokenizer."""

from collections.abc import Iterator
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import GenerationConfig, PreTrainedTokenizerBase, PreTrainedTokenizerFast

from ..documents.document import words
from ..errors import PagesumError, UsageError
from ..model.checkpoints import load_model
from ..model.configuration import PageSumConfig
from ..model.modeling import PageSumForConditionalGeneration, PageSumLayer, PageSumStack
from ..model.registry import checkpoint_folder, settings_of
from ..tokenization import load_tokenizer
from .prepare import read_split
from .settings import SCRATCH, Settings
from .warm_start import warm_start

START, PAD, END, UNKNOWN = "<s>", "<pad>", "</s>", "<unk>"
SCRATCH_PAGE_TOKENS = 512


def starting_point(settings: Settings, data: str) -> tuple[PageSumForConditionalGeneration, PreTrainedTokenizerBase]:
    """The model and tokenizer that a run begins with, in float32 on the CPU, shaped by the settings.

    Args:
        settings: of the run.
        data: a tokenizer is trained on its training split where the start is ``scratch``.

    Raises:
        PagesumError: there is no such checkpoint, or it is damaged, or has no tokenizer.
        UsageError: pages or summaries are longer than the model's positions.
    """
    if settings.init_encoder:
        model, tokenizer = _from_encoder(settings)
    elif settings.init == SCRATCH:
        model, tokenizer = _from_scratch(settings, data)
    else:
        model, tokenizer = load_model(settings.init, device="cpu", dtype="float32")
        if tokenizer is None:
            raise PagesumError(
                f"{settings.init} has no tokenizer, expected tokenizer.json, or vocab.json with merges.txt",
                "copy the tokenizer of the checkpoint that it was made from into its folder",
            )
    shape(model, settings)
    _check_tokenizer(model, tokenizer)
    return model, tokenizer


def shape(model: PageSumForConditionalGeneration, settings: Settings) -> None:
    """Write what the settings say about pages, dropout and generation into the model's configuration.

    Raises:
        UsageError: pages or summaries are longer than the model's positions.
    """
    config = model.config
    positions = config.max_position_embeddings
    for name, most in (("page_tokens", positions), ("target_tokens", positions + 1), ("max_length", positions - 1)):
        if getattr(settings, name) > most:
            raise UsageError(
                f"{name} {getattr(settings, name)}, but the model has positions for {most} only",
                f"set {name} to {most} or less, or start from a model with more positions",
            )
    config.page_tokens = settings.page_tokens or config.page_tokens
    config.num_pages = settings.num_pages or config.num_pages
    config.label_smoothing = settings.label_smoothing
    config.untrained_confidence = False
    if settings.learn == "choosing" and model.judge is None:
        raise UsageError(f"{settings.init} does not plan what it says, so it cannot learn choosing", "learn = writing")
    config.plans = settings.learn == "choosing" or (settings.learn == "auto" and config.plans)
    if settings.dropout >= 0:
        config.dropout = settings.dropout
        for module in model.modules():
            if isinstance(module, PageSumLayer | PageSumStack):
                module.dropout = settings.dropout
    own = model.generation_config
    beams = 1 if config.plans else settings.beams
    model.generation_config = GenerationConfig(
        num_beams=beams,
        max_length=settings.max_length + 2,
        min_length=settings.min_length + 1,
        no_repeat_ngram_size=0 if config.plans else settings.no_repeat_ngram,
        length_penalty=settings.length_penalty if beams > 1 else None,
        early_stopping=False,
        forced_bos_token_id=own.forced_bos_token_id,
        forced_eos_token_id=own.forced_eos_token_id,
        decoder_start_token_id=config.decoder_start_token_id,
        bos_token_id=config.bos_token_id,
        eos_token_id=config.eos_token_id,
        pad_token_id=config.pad_token_id,
    )


def freeze(model: PageSumForConditionalGeneration) -> None:
    """Of a model that plans, leave all but the judge as it is, and without dropout."""
    if not model.config.plans:
        return
    model.requires_grad_(False)
    model.judge.requires_grad_(True)
    for module in model.model.modules():
        if isinstance(module, PageSumLayer | PageSumStack):
            module.dropout = 0.0


def _check_tokenizer(model: PageSumForConditionalGeneration, tokenizer: PreTrainedTokenizerBase) -> None:
    """Refuse a tokenizer whose ids mean something else to the model."""
    config = model.config
    ids = tokenizer.backend_tokenizer.encode("x").ids
    if len(tokenizer) > config.vocab_size:
        raise PagesumError(
            f"the tokenizer has {len(tokenizer)} tokens, the model {config.vocab_size}",
            "do tokenizer and model belong together?",
        )
    if (ids[0], ids[-1]) != (config.bos_token_id, config.eos_token_id):
        raise PagesumError(
            f"the tokenizer puts tokens {ids[0]} and {ids[-1]} around a text, config.json says {config.bos_token_id} "
            f"and {config.eos_token_id}",
            "do tokenizer and model belong together?",
        )


def _from_encoder(settings: Settings) -> tuple[PageSumForConditionalGeneration, PreTrainedTokenizerBase]:
    folder = checkpoint_folder(settings.init_encoder, weights=True)
    backend = load_tokenizer(folder)
    start, end = (backend.token_to_id(token) for token in ("[CLS]", "[SEP]"))
    if start is None or end is None:
        raise PagesumError(
            f"the tokenizer in {folder} has no [CLS] and [SEP], expected a BERT-like encoder",
            "--init starts from BART and PageSum checkpoints",
        )
    if backend.post_processor is None:  # a bare vocab.txt
        backend.post_processor = processors.BertProcessing(("[SEP]", end), ("[CLS]", start))
    special = {"bos_token": "[CLS]", "eos_token": "[SEP]", "pad_token": "[PAD]", "unk_token": "[UNK]"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, **special)
    layers = settings.decoder_layers or _spread(_layers_of(folder), 3)
    try:
        model = warm_start(
            folder,
            layers,
            bos_token_id=start,
            eos_token_id=end,
            decoder_start_token_id=start,
            forced_eos_token_id=None,
        )
    except (KeyError, OSError, RuntimeError, TypeError) as error:
        raise PagesumError(
            f"{folder} holds no BERT-like encoder: {_line(error)}",
            "expected config.json and model.safetensors of a BERT, and decoder_layers that it has",
        ) from error
    model.config.page_tokens = min(model.config.page_tokens, model.config.max_position_embeddings)
    model.generation_config.forced_bos_token_id = None
    return model, tokenizer


def _layers_of(folder: Path) -> int:
    layers = settings_of(folder).get("num_hidden_layers")
    if not isinstance(layers, int):
        raise PagesumError(f"{folder}: config.json names no num_hidden_layers, expected a BERT-like encoder")
    return layers


def _spread(layers: int, wanted: int) -> tuple[int, ...]:
    """About evenly, from the first layer to the last."""
    wanted = min(layers, wanted)
    return tuple(round(place * (layers - 1) / max(wanted - 1, 1)) for place in range(wanted))


def _from_scratch(settings: Settings, data: str) -> tuple[PageSumForConditionalGeneration, PreTrainedTokenizerBase]:
    if settings.width % settings.heads:
        raise UsageError(f"width {settings.width} is no multiple of heads {settings.heads}", "for example width = 256")
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    special = [START, PAD, END, UNKNOWN]
    trainer = trainers.BpeTrainer(
        vocab_size=settings.vocabulary,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator(_texts(data, settings.locality), trainer)
    backend.post_processor = processors.TemplateProcessing(
        single=f"{START} $A {END}", special_tokens=[(token, special.index(token)) for token in (START, END)]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend, bos_token=START, pad_token=PAD, eos_token=END, unk_token=UNKNOWN
    )
    page_tokens = settings.page_tokens or SCRATCH_PAGE_TOKENS
    config = PageSumConfig(
        vocab_size=backend.get_vocab_size(),
        d_model=settings.width,
        encoder_layers=settings.layers,
        decoder_layers=settings.layers,
        encoder_attention_heads=settings.heads,
        decoder_attention_heads=settings.heads,
        encoder_ffn_dim=4 * settings.width,
        decoder_ffn_dim=4 * settings.width,
        max_position_embeddings=max(page_tokens, settings.target_tokens, settings.max_length + 1),
        page_tokens=page_tokens,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=0,
        forced_eos_token_id=None,
    )
    return PageSumForConditionalGeneration(config), tokenizer


def _texts(data: str, locality: str) -> Iterator[str]:
    for record in read_split(data, "train", locality, lambda message: None):
        yield record.summary
        for document in record.documents:
            yield " ".join(words(document))


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
