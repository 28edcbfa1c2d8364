"""What every family's configuration has."""

from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar, Self

from ..tokenization import CONTROL_TOKENS
from .catalog import LARGEST, RANGES, check_ranges


def choice(default: str, *others: str) -> Any:
    """A field that has one of several values."""
    return field(default=default, metadata={"choices": (default, *others)})


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

    @property
    def max_source_tokens(self) -> int | None:
        """How many tokens all pages of a document may have together; None for any number."""
        return None

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The configuration in a ``config.json``; unknown keys are ignored."""
        known = {field_.name: field_ for field_ in fields(cls)}
        given = {name: value for name, value in values.items() if name in known}
        for name, value in given.items():
            _check_type(name, value, known[name].type)
        check_ranges(given, RANGES)
        config = cls(**given)
        config.check()
        return config

    def check(self) -> None:
        """Check the values against each other."""
        for known in fields(self):
            choices = known.metadata.get("choices")
            if choices and getattr(self, known.name) not in choices:
                value = getattr(self, known.name)
                raise ValueError(f"{known.name} is {value!r}, expected one of {', '.join(choices)}")
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
        ok = isinstance(value, list) and all(isinstance(item, str) for item in value)
    else:
        ok = type(value).__name__ == allowed[0].partition("[")[0]
    if not ok:
        raise ValueError(f"{name} is {value!r}, expected {annotation}")
