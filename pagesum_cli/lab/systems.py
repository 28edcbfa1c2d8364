"""Other systems: sequence-to-sequence models of Transformers (LED, PRIMERA, BART, Pegasus, T5 …) by
name.

Each reads as much of a document as it has positions for, and decodes by its own generation
settings.
"""

import copy
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import AutoConfig, AutoModelForSeq2SeqLM, AutoTokenizer, GenerationConfig
from transformers.models.auto.modeling_auto import MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING

from ..batch.talk import Talk
from ..datasets.record import Record
from ..errors import PagesumError, UsageError, require_packages
from ..evaluation.metrics.encoders import loading, token_ids
from ..evaluation.results import Result
from ..evaluation.systems import RunRequest, default_batch_size, weights_hash
from ..models.catalog import checkpoint_folder
from ..models.weights import pick_device, pick_dtype
from ..options import STORED, GenerationOptions
from ..version import __version__

SEPARATOR = "<doc-sep>"  # PRIMERA's token after each document of a cluster (Xiao et al. 2022)
LINE_BREAK = "<n>"  # Pegasus' token between sentences

POSITIONS = ("max_encoder_position_embeddings", "max_position_embeddings", "n_positions")
UNLIMITED = 10**9  # tokenizers without a limit state a larger one


def check_system(name: str, generation: GenerationOptions) -> None:
    """Check that a system exists and can be run, from its settings and tokenizer alone."""
    config, _ = _settings_and_tokenizer(name)
    positions = getattr(
        config, "max_decoder_position_embeddings", getattr(config, "max_position_embeddings", None)
    )
    for flag, value in (
        ("--max-length", generation.max_length),
        ("--min-length", generation.min_length),
    ):
        if positions and value is not None and value + STORED["max_length"][1] > positions:
            limit = positions - STORED["max_length"][1]
            raise UsageError(
                f"{flag} {value}, but {name} generates at most {limit} tokens",
                f"use at most {limit}",
            )


def open_system(
    request: RunRequest, device: str, dtype: str, progress: Talk
) -> "TransformersSystem":
    """Load a system; warns if it does not state how long its summaries may be."""
    system = TransformersSystem(request, device, dtype)
    if not system.has_length:
        progress.warn(
            f"{request.model} does not state the length of its summaries: Transformers ends them "
            "after 20 tokens"
        )
    return system


class TransformersSystem:
    """A sequence-to-sequence model of Transformers; ``limit``: tokens that it reads, special ones
    included.
    """

    is_local = True

    def __init__(self, request: RunRequest, device: str = "auto", dtype: str = "auto") -> None:
        name, target = request.model, pick_device(device)
        config, self.tokenizer = _settings_and_tokenizer(name)
        number_format = pick_dtype(dtype, target)
        if dtype == "auto" and number_format == torch.float16:
            number_format = torch.float32
        folder = checkpoint_folder(name, weights=True)
        with loading(f"--system {name}"):
            model, info = AutoModelForSeq2SeqLM.from_pretrained(
                folder,
                dtype=number_format,
                trust_remote_code=False,
                weights_only=True,
                output_loading_info=True,
            )
        if missing := sorted(info["missing_keys"]):
            hint = "do weights and config.json belong together?"
            raise PagesumError(f"--system {name}: its weights lack {missing[0]}", hint)
        self.model = model.eval().to(target)
        self.limit = input_limit(config, self.tokenizer)
        self.batch_size = request.batch_size or default_batch_size(target.type)
        summarization = (getattr(config, "task_specific_params", None) or {}).get(
            "summarization", {}
        )
        self._prefix: str = summarization.get("prefix", "")
        self._decoding = decoding_of(
            self.model.generation_config, summarization, request.generation
        )
        self.has_length = bool(self._decoding.max_length or self._decoding.max_new_tokens)
        vocabulary = self.tokenizer.get_vocab()
        self._separator: int | None = (
            vocabulary.get(SEPARATOR) if config.model_type == "led" else None
        )
        self.settings = {
            **request.data,
            "model": name,
            "weights": weights_hash(folder),
            "dtype": str(number_format).removeprefix("torch."),
            "input_tokens": self.limit,
            **{ours: getattr(self._decoding, theirs) for ours, (theirs, _) in STORED.items()},
            "batch_size": self.batch_size,
            "pagesum": __version__,
        }

    def results(self, batch: Sequence[Record]) -> list[Result]:
        encoded = [self.encode(record.texts) for record in batch]
        texts = self._generate([ids for ids, _ in encoded])
        return [
            Result.of(record, text, cut_tokens=cut, source_tokens=len(ids), settings=self.settings)
            for record, text, (ids, cut) in zip(batch, texts, encoded, strict=True)
        ]

    def encode(self, texts: Sequence[str]) -> tuple[list[int], int]:
        """The input of a document or cluster, and the number of tokens that it leaves out.

        The documents of a cluster follow each other, and what is beyond the limit is cut off.
        PRIMERA reads an equal share of each, with its separator after it, as it was trained.
        """
        lines = [" ".join(text.split()) for text in texts]
        if self._separator is not None and self.limit and len(texts) > 1:
            share, ids, cut = max(self.limit // len(lines) - 2, 0), [self.tokenizer.bos_token_id], 0
            for line in lines:
                tokens = token_ids(self.tokenizer, line)
                ids += [*tokens[:share], self._separator]
                cut += max(0, len(tokens) - share)
            return [*ids[: self.limit - 1], self.tokenizer.eos_token_id], cut
        text = self._prefix + " ".join(lines)
        if self.limit is None:
            return self.tokenizer(text, split_special_tokens=True, verbose=False)["input_ids"], 0
        ids = self.tokenizer(
            text, truncation=True, max_length=self.limit, split_special_tokens=True
        )["input_ids"]
        room = self.limit - self.tokenizer.num_special_tokens_to_add(False)
        return ids, max(0, len(token_ids(self.tokenizer, text)) - room)

    def _generate(self, inputs: Sequence[list[int]]) -> list[str]:
        # (B, S)
        batch = self.tokenizer.pad({"input_ids": inputs}, padding_side="right", return_tensors="pt")
        batch = batch.to(self.model.device)
        if self.model.config.model_type == "bigbird_pegasus":
            # A short document changes the attention of all documents after it.
            self.model.get_encoder().set_attention_type(self.model.config.attention_type)
        torch.manual_seed(0)  # for models that sample: the same batch gives the same summaries
        try:
            with torch.inference_mode():
                more = self._global_attention(batch["input_ids"])
                generated = self.model.generate(**batch, **more, generation_config=self._decoding)
        except torch.OutOfMemoryError as error:
            raise PagesumError(
                f"the device's memory does not hold {len(inputs)} documents "
                f"of {max(map(len, inputs)):,} tokens with "
                f"{self._decoding.num_beams or 1} beams",
                "use --batch-size 1, --beams 1, --dtype bfloat16, or --device cpu",
            ) from error
        texts = self.tokenizer.batch_decode(generated, skip_special_tokens=True)
        return [" ".join(text.replace(LINE_BREAK, " ").split()) for text in texts]

    def _global_attention(self, ids: Tensor) -> dict[str, Tensor]:
        """The tokens that attend to all others: of LED the first, of PRIMERA also the
        separators.
        """
        if self.model.config.model_type != "led":
            return {}
        mask = torch.zeros_like(ids)  # (B, S)
        mask[:, 0] = 1
        if self._separator is not None:
            mask[ids == self._separator] = 1
        return {"global_attention_mask": mask}


def input_limit(config: Any, tokenizer: Any) -> int | None:
    """Number of tokens that a model reads: its positions, or what its tokenizer states for a model
    without any.

    Whole attention windows for LED, which fills up the last one.
    """
    stated = (getattr(config, name, None) for name in POSITIONS)
    limit = next((value for value in stated if value), tokenizer.model_max_length)
    window = getattr(config, "attention_window", 1)
    window = max(window) if isinstance(window, list) else window
    return None if limit > UNLIMITED else max(limit // window, 1) * window


def decoding_of(
    own: GenerationConfig, summarization: dict[str, Any], options: GenerationOptions
) -> GenerationConfig:
    """A model's own generation settings, its settings for summarization where it has no others, and
    given options.
    """
    decoding = copy.deepcopy(own)
    for name, (key, added) in STORED.items():
        value = getattr(options, name)
        if value is not None:
            setattr(decoding, key, value + added if added else value)
        elif getattr(own, key) is None and key in summarization:
            setattr(decoding, key, summarization[key])
    if options.max_length is not None:
        decoding.max_new_tokens = None
        decoding.min_length = min(decoding.min_length or 0, decoding.max_length)
    if options.min_length is not None:
        decoding.min_new_tokens = None
        if decoding.max_length is not None:
            decoding.max_length = max(decoding.max_length, decoding.min_length + 1)
    return decoding


def _settings_and_tokenizer(name: str) -> tuple[Any, Any]:
    folder = checkpoint_folder(name, weights=False)
    with loading(f"--system {name}"):
        config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
        if (
            type(config) not in MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING
            or not config.is_encoder_decoder
        ):
            message = (
                f"--system {name}: a {config.model_type!r} model, expected a "
                f"sequence-to-sequence one"
            )
            hint = "such as LED, BART, Pegasus or T5; models of this program are given with --model"
            raise PagesumError(message, hint)
        if list(folder.glob("*.model")) and not (folder / "tokenizer.json").exists():
            needed = {"sentencepiece": "sentencepiece", "google.protobuf": "protobuf"}
            require_packages((module, name, "systems") for module, name in needed.items())
        return config, AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
