"""What every family's configuration has."""

from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar, Self

from ..errors import PagesumError
from ..options import Row
from ..tokenization import CONTROL_TOKENS
from .catalog import RANGES, check_ranges


def choice(default: str, *others: str) -> Any:
    """A field that has one of several values."""
    return field(default=default, metadata={"choices": (default, *others)})


@dataclass
class ModelConfig:
    """What every configuration has. Attributes have BART's names in ``config.json``."""

    model_type: ClassVar[str] = ""

    vocab_size: int = 50265  # ``V``
    d_model: int = 1024  # ``D``
    max_position_embeddings: int = 1024  # the longest page and summary in tokens
    # pad_token_id, bos_token_id, eos_token_id: special tokens
    pad_token_id: int = 1
    bos_token_id: int = 0
    eos_token_id: int = 2
    # ``S``, tokens of a page, special tokens included, that the model was trained with
    page_tokens: int = 1024
    # The fixed number of pages that the model was trained with, a missing page being the text
    # ``"."`` (the official checkpoints), or ``units`` or ``tokens``; None where a document has as
    # many pages as it needs.
    num_pages: int | str | None = None
    locality: str = "auto"  # the locality that the model was trained with; ``auto`` for any
    # Tokens of a document, or of a cluster together, that the model was trained to read; None for
    # all. See :class:`~pagesum_cli.options.PagingOptions`.
    source_tokens: int | None = None
    # see :mod:`pagesum_cli.tokenization`; None for pages without control tokens
    first_control_token: int | None = None
    # Codes (ISO 639-1) of the languages that it was trained on; empty if unknown
    languages: list[str] = field(default_factory=list)
    init_std: float = 0.02  # standard deviation of new weights
    # dropout, attention_dropout, activation_dropout: of states, attention weights and inner
    # activations
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
        given = {
            name: value for name, value in values.items() if name in known and value is not None
        }
        # The settings of generation were checked as they were read.
        own = {
            name: (item.type, Row(help="", **item.metadata))
            for name, item in known.items()
            if name != "generation"
        }
        check_ranges(given, {**own, **{name: RANGES[name] for name in own.keys() & RANGES.keys()}})
        config = cls(**given)
        config.check()
        return config

    def check(self) -> None:
        """Check the values against each other."""
        for name, value in vars(self).items():
            if name.endswith("_attention_heads") and self.d_model % value:
                raise ValueError(
                    f"d_model is {self.d_model}, expected a multiple of {name}, {value}"
                )
            if name.endswith("_token_id") and value >= self.vocab_size:
                raise ValueError(
                    f"{name} is {value}, expected less than vocab_size, {self.vocab_size}"
                )
        if (
            self.first_control_token or 0
        ) + CONTROL_TOKENS > self.vocab_size and self.first_control_token is not None:
            raise ValueError(
                f"first_control_token is {self.first_control_token}, expected room "
                f"for {CONTROL_TOKENS}"
            )

    def check_ids(self, largest: int) -> None:
        """Check that there is a token with the largest id of some pages."""
        if largest >= self.vocab_size:
            message = (
                f"the tokenizer has token {largest:,}, but the model has {self.vocab_size:,} tokens"
            )
            raise PagesumError(message, "do tokenizer and weights belong together?")

    def to_dict(self) -> dict[str, Any]:
        """What ``config.json`` holds."""
        return {"model_type": self.model_type, **asdict(self)}
