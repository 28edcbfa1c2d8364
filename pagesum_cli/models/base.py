"""What a family of models offers, and what all families share.

A family is a folder with ``configuration.py`` (a :class:`ModelConfig`) and ``model.py`` (a generating or a selecting
model), and one line in ``registry.py``.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Self

import torch
from torch import Tensor, nn

from ..errors import PagesumError
from ..locality.page import Pages
from ..options import GenerationOptions
from ..summary.summary import Draft
from ..tokenization import CONTROL_TOKENS, EncodedPage, PageTokenizer
from .layers.transformer import Layer, Stack
from .ranges import LARGEST, RANGES, check_ranges

OnEncode = Callable[[int, int], None]
"""Called with how many pages have been encoded, and how many there are."""


@dataclass
class ModelConfig:
    """What every configuration has. Attributes have BART's names in ``config.json``.

    Attributes:
        vocab_size: ``V``.
        d_model: ``D``.
        max_position_embeddings: The longest page and summary in tokens.
        pad_token_id, bos_token_id, eos_token_id: Special tokens.
        page_tokens: ``S``, tokens of a page, special tokens included, that the model was trained with.
        num_pages: The fixed number of pages that the model was trained with, a missing page being the text ``"."``
            (the official checkpoints); None where a document has as many pages as it needs.
        locality: The locality that the model was trained with; ``auto`` for any.
        source_tokens: Tokens of a document, or of a cluster together, that the model was trained to read; None for all.
            See :class:`~pagesum_cli.options.PagingOptions`.
        first_control_token: See :mod:`pagesum_cli.tokenization`; None for pages without control tokens.
        languages: Codes (ISO 639-1) of the languages that it was trained on; empty if unknown.
        init_std: Standard deviation of new weights.
        dropout, attention_dropout, activation_dropout: Of states, attention weights and inner activations.
    """

    model_type: ClassVar[str] = ""

    vocab_size: int = 50265
    d_model: int = 1024
    max_position_embeddings: int = 1024
    pad_token_id: int = 1
    bos_token_id: int = 0
    eos_token_id: int = 2
    page_tokens: int = 1024
    num_pages: int | None = None
    locality: str = "auto"
    source_tokens: int | None = None
    first_control_token: int | None = None
    languages: list[str] = field(default_factory=list)
    init_std: float = 0.02
    dropout: float = 0.1
    attention_dropout: float = 0.0
    activation_dropout: float = 0.0

    def __post_init__(self) -> None:
        self.page_tokens = min(self.page_tokens, self.max_position_embeddings)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The configuration in a ``config.json``; unknown keys are ignored.

        Raises:
            ValueError: A value has another type, is out of range, or contradicts another.
        """
        known = {one.name: one for one in fields(cls)}
        given = {name: value for name, value in values.items() if name in known}
        for name, value in given.items():
            _check_type(name, value, known[name].type)
        check_ranges(given, RANGES)
        config = cls(**given)
        config.check()
        return config

    def check(self) -> None:
        """Check the values against each other.

        Raises:
            ValueError: They contradict each other.
        """
        for name, value in vars(self).items():
            if name.endswith("_attention_heads") and self.d_model % value:
                raise ValueError(f"d_model is {self.d_model}, expected a multiple of {name}, {value}")
            if name.endswith("_token_id") and value >= self.vocab_size:
                raise ValueError(f"{name} is {value}, expected less than vocab_size, {self.vocab_size}")
        if (self.first_control_token or 0) + CONTROL_TOKENS > self.vocab_size and self.first_control_token is not None:
            raise ValueError(f"first_control_token is {self.first_control_token}, expected room for {CONTROL_TOKENS}")

    def to_dict(self) -> dict[str, Any]:
        """What ``config.json`` holds."""
        return {"model_type": self.model_type, **asdict(self)}


def _check_type(name: str, value: Any, kind: Any) -> None:
    annotation = getattr(kind, "__name__", str(kind))
    allowed = annotation.replace(" ", "").split("|")
    if value is None and "None" in allowed:
        return
    if "int" in allowed:
        ok = type(value) is int and abs(value) <= LARGEST
    elif "float" in allowed:
        ok = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6
    elif annotation == "list":
        ok = isinstance(value, list) and all(isinstance(one, str) for one in value)
    else:
        ok = type(value).__name__ == allowed[0].partition("[")[0]
    if not ok:
        raise ValueError(f"{name} is {value!r}, expected {annotation}")


@dataclass(frozen=True)
class PageBatch:
    """Documents as a model's input.

    Attributes:
        input_ids, attention_mask: ``(B, P, S)``; a missing page has no token.
        encoded: The pages that they were made of, by document; empty where only tensors were given.
        importance: ``(B, P, S)``, how much each token matters, for families that pool tokens by it; None where the
            model finds out itself.
    """

    input_ids: Tensor
    attention_mask: Tensor | None = None
    encoded: tuple[tuple[EncodedPage, ...], ...] = ()
    importance: Tensor | None = field(default=None, kw_only=True)


class PageModel(nn.Module, ABC):
    """A model that reads pages.

    Attributes:
        config: See :class:`ModelConfig`.
        generates: Whether it generates text token by token; otherwise it selects sentences.
        capabilities: What it offers, by the names of :data:`~pagesum_cli.options.CAPABILITIES`: options that need
            anything else are refused. It has those of its configuration, see :meth:`capabilities_of`.
        tasks: Names of the training tasks that make sense for it.
        vocabulary_of: What the tokenizer of a new model is made of: ``pieces`` of words (byte-level BPE) or whole,
            lower-case ``words``.
        revision: The commit on the Hugging Face hub that it was loaded from; empty if it was loaded from a folder.
    """

    config_class: ClassVar[type[ModelConfig]]
    revision: str = ""
    generates: ClassVar[bool]
    capabilities: ClassVar[frozenset[str]] = frozenset()
    tasks: ClassVar[tuple[str, ...]]
    vocabulary_of: ClassVar[str] = "pieces"

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.config = config

    @classmethod
    def capabilities_of(cls, config: Mapping[str, Any]) -> frozenset[str]:
        """What a model with a configuration offers, by the fields of ``config.json``."""
        return cls.capabilities

    @property
    def offers(self) -> frozenset[str]:
        """What this model offers."""
        return self.capabilities_of(vars(self.config))

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.parameters()).device

    @property
    def dtype(self) -> torch.dtype:
        """The number format of the weights."""
        return next(self.parameters()).dtype

    @property
    def max_source_tokens(self) -> int | None:
        """How many tokens all pages of a document may have together; None for any number."""
        return None

    @property
    def reads_importance(self) -> bool:
        """Whether training gives it the importance of each token, by the reference summary."""
        return False

    @property
    def needs_reference(self) -> bool:
        """Whether it reads the reference summary even to summarize, as an upper bound in experiments."""
        return False

    def with_references(
        self,
        batch: "PageBatch",
        tokenizer: PageTokenizer,
        documents: Sequence[Pages],
        references: Sequence[str],
        spaced: bool,
    ) -> "PageBatch":
        """A batch with what the model reads of the documents' reference summaries.

        Args:
            batch: See :meth:`prepare`, which has the same ``tokenizer``, ``documents`` and ``spaced``.
            references: The summary of each document.
        """
        return batch

    @property
    def number_format(self) -> str:
        """Its name: ``float32``, ``bfloat16`` or ``float16``."""
        return str(self.dtype).removeprefix("torch.")

    def init_weights(self) -> None:
        """Give all weights their initial values, as BART does: normal with ``init_std``, biases 0.

        On the meta device, where a checkpoint's weights will take their place, nothing is done.
        """
        if self.device.type == "meta":
            return
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=self.config.init_std)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)
            if isinstance(module, nn.Embedding) and module.padding_idx is not None:
                nn.init.zeros_(module.weight.data[module.padding_idx])

    def reset_head(self) -> None:
        """Give the layers after encoder and decoder the values that training begins with from a trained encoder."""

    def enable_gradient_checkpointing(self) -> None:
        """Compute layers twice in training, and hold less in memory."""
        for module in self.modules():
            if isinstance(module, Stack):
                module.gradient_checkpointing = True

    def set_dropout(self, dropout: float) -> None:
        """Change the dropout of states in every layer."""
        for module in self.modules():
            if isinstance(module, Layer | Stack):
                module.dropout = dropout

    def prepare(
        self, tokenizer: PageTokenizer, documents: Sequence[Pages], page_tokens: int, spaced: bool
    ) -> PageBatch:
        """Turn documents' pages into the model's input.

        Args:
            tokenizer: The checkpoint's.
            documents: The pages of each document (or cluster of documents).
            page_tokens: ``S``.
            spaced: See ``PageTokenizer.encode_pages``.
        """
        encoded = tuple(tuple(tokenizer.encode_pages(pages, page_tokens, spaced=spaced)) for pages in documents)
        return self.batch(encoded)

    def batch(self, encoded: Sequence[Sequence[EncodedPage]]) -> PageBatch:
        """Put encoded pages into tensors on the model's device."""
        pages = max(map(len, encoded))
        width = max(len(page.ids) for document in encoded for page in document)
        ids = torch.full((len(encoded), pages, width), self.config.pad_token_id)  # (B, P, S)
        mask = torch.zeros(ids.shape, dtype=torch.bool)  # (B, P, S)
        for b, document in enumerate(encoded):
            for p, page in enumerate(document):
                ids[b, p, : len(page.ids)] = torch.tensor(page.ids)
                mask[b, p, : len(page.ids)] = True
        self.check_ids(int(ids.max()))
        return PageBatch(ids.to(self.device), mask.to(self.device), tuple(map(tuple, encoded)))

    def check_ids(self, largest: int) -> None:
        """Check that the model has a token with the largest id of a batch.

        Raises:
            PagesumError: It has not.
        """
        if largest >= self.config.vocab_size:
            raise PagesumError(
                f"the tokenizer has token {largest:,}, but the model has {self.config.vocab_size:,} tokens",
                "do tokenizer and weights belong together?",
            )

    @abstractmethod
    def encode(self, batch: PageBatch, on_encode: OnEncode | None = None) -> Any:
        """Read the pages; what this returns is the family's own memory of them."""

    @abstractmethod
    def generation_options(self, options: GenerationOptions) -> GenerationOptions:
        """Fill in the checkpoint's own values.

        Raises:
            UsageError: A length is beyond the model's positions, or an option does not apply to the family.
        """

    def save_pretrained(self, folder: Path | str) -> None:
        """Write ``config.json`` and ``model.safetensors`` into a folder."""
        from safetensors.torch import save_file

        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.save_config(folder)
        weights = {name: value.detach().cpu().contiguous() for name, value in self.state_dict().items()}
        save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
        (folder / "model.safetensors").chmod(0o644)  # written by way of a private file

    def save_config(self, folder: Path | str) -> None:
        """Write ``config.json`` into a folder."""
        text = json.dumps(self.config.to_dict(), indent=2, ensure_ascii=False)
        (Path(folder) / "config.json").write_text(f"{text}\n", encoding="utf-8")

    @classmethod
    def from_pretrained(cls, name: str | Path, **options: Any) -> Self:
        """Load a checkpoint of this family; see :func:`~pagesum_cli.models.checkpoints.load_model`.

        Raises:
            PagesumError: It cannot be loaded, or is of another family.
        """
        # By name, because it imports this module.
        model = import_module(".checkpoints", __package__).load_weights(str(name), **options)
        if not isinstance(model, cls):
            raise PagesumError(f"{name} holds a {model.config.model_type} model, expected {cls.__name__}")
        return model

    def push_to_hub(self, repository: str, *, private: bool | None = None) -> str:
        """Upload the weights and configuration to the Hugging Face hub; returns the commit's address."""
        import tempfile

        from huggingface_hub import HfApi

        with tempfile.TemporaryDirectory() as folder:
            self.save_pretrained(folder)
            api = HfApi()
            api.create_repo(repository, private=private, exist_ok=True)
            return str(api.upload_folder(repo_id=repository, folder_path=folder))


class SelectingModel(PageModel):
    """A model that selects sentences of its documents."""

    generates = False
    capabilities: ClassVar[frozenset[str]] = frozenset({"words", "sentences", "focus"})
    tasks = ("extractive",)

    @abstractmethod
    def select(self, batch: PageBatch, options: GenerationOptions, on_encode: OnEncode | None = None) -> list[Draft]:
        """Select the sentences of each document's summary, in document order."""

    @abstractmethod
    def align(self, batch: PageBatch, chosen: Sequence[tuple[int, int]]) -> Draft:
        """The draft of one document that consists of given sentences ``(page, sentence)``, in the given order."""


@dataclass
class Output:
    """What one pass of a generating model returns.

    Attributes:
        loss: Where labels were given.
        logits: ``(B, T, V)``.
        page_confidences: ``(B, T, P)``, summing to 1 over the pages that hold any token; 0 for the others.
        page_scores: ``(B, T, P)``, before the softmax, minus infinity for pages without a token; None for families
            whose confidences come from attention.
    """

    loss: Tensor | None = None
    logits: Tensor | None = None
    page_confidences: Tensor | None = None
    page_scores: Tensor | None = None


@dataclass(frozen=True)
class Generation:
    """What ``generate`` returns, for ``n`` summaries of each document.

    Attributes:
        sequences: Token ids ``(B·n, T + 1)``, beginning with the start token.
        sequences_scores: ``(B·n,)``. Beams: sum of log probabilities, less the coverage penalty, divided by
            the length as ``length_normalization`` says; greedy: the sum.
        page_confidences: ``(B·n, T, P)``: row ``t`` belongs to token ``t + 1``; 0 after the end.
        encode_seconds, decode_seconds: Time taken.
        traces: Everything that the scorer traced, by name.
    """

    sequences: Tensor
    sequences_scores: Tensor
    page_confidences: Tensor
    encode_seconds: float
    decode_seconds: float
    traces: dict[str, Tensor] = field(default_factory=dict)
