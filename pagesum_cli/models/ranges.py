"""Types and ranges of the values in ``config.json``, checked as it is read. Independent of torch."""

from dataclasses import Field, dataclass
from typing import Any

from ..options import LOCALITIES, STORED_OPTIONS, GenerationOptions, hints_of, kind_of, row_of, stored_name

LARGEST = 1 << 24
"""No size or token id is larger."""


@dataclass(frozen=True)
class Range:
    """What a value may be; None stands for a value that is not given.

    Attributes:
        kind: ``int``, ``float`` (or a whole number), ``bool``, ``str``, or ``list`` (of whole numbers).
        low, high: The smallest and the largest number.
        choices: The texts, where only some are allowed.
    """

    kind: type
    low: float = 0
    high: float = LARGEST
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.kind is int:
            return f"a whole number from {int(self.low):,} to {int(self.high):,}"
        if self.kind is float:
            return f"a number from {self.low:g} to {self.high:g}"
        if self.kind is list:
            return f"a list of whole numbers from {int(self.low):,} to {int(self.high):,}"
        return "true or false" if self.kind is bool else f"one of {', '.join(self.choices)}"

    def holds(self, value: Any) -> bool:
        """Whether a value is of the type and in the range; NaN is in none."""
        if self.kind is bool:
            return isinstance(value, bool)
        if self.kind is str:
            return value in self.choices if isinstance(value, str) else False
        if self.kind is list:
            return isinstance(value, list) and all(type(one) is int and self.low <= one <= self.high for one in value)
        is_number = type(value) is int or (self.kind is float and type(value) is float)
        return is_number and self.low <= value <= self.high


_SIZE, _COUNT, _TOKEN = Range(int, 1), Range(int, 0, 1000), Range(int)
_LAYERS, _HEADS, _SHARE = Range(int, 1, 1000), Range(int, 1, 1024), Range(float, 0, 1)

RANGES = {
    **dict.fromkeys(("vocab_size", "d_model", "encoder_ffn_dim", "decoder_ffn_dim"), _SIZE),
    **dict.fromkeys(("max_position_embeddings", "max_source_positions", "page_tokens"), Range(int, 1, 1 << 20)),
    **dict.fromkeys(("pad_token_id", "bos_token_id", "eos_token_id", "decoder_start_token_id"), _TOKEN),
    "first_control_token": _TOKEN,
    **dict.fromkeys(("encoder_layers", "decoder_layers"), _LAYERS),
    **dict.fromkeys(("scoring_layers", "judge_layers", "local_layers", "segment_layers"), _COUNT),
    **dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), _HEADS),
    **dict.fromkeys(("dropout", "attention_dropout", "activation_dropout", "label_smoothing"), _SHARE),
    **dict.fromkeys(("scale_embedding", "untrained_confidence"), Range(bool)),
    **dict.fromkeys(("window", "kernel", "stride", "max_segments"), Range(int, 1, 1 << 20)),
    "num_pages": Range(int, 1, 10_000),
    "source_tokens": _SIZE,
    "locality": Range(str, choices=tuple(LOCALITIES)),
    **dict.fromkeys(("init_std", "update_gain"), Range(float, 0, 1000)),
    "temperature": Range(float, 1e-6, 1e6),
    "activation_function": Range(str, choices=("gelu", "gelu_new", "relu", "silu", "swish", "tanh")),
}
"""Of the shape of a model, by name; families may have more values, whose types are those of their dataclasses."""


def _range_of(option: Field[Any]) -> Range:
    """The range of an option of generation in checkpoints."""
    row = row_of(option)
    if row.choices:
        return Range(str, choices=tuple(row.choices))
    # What counts the start and end token, too, may be less than these.
    low, high = 0 if row.added else row.min or 0, LARGEST if row.max is None else row.max
    return Range(kind_of(hints_of(GenerationOptions)[option.name]), low, high)


GENERATION = {
    **{stored_name(option): _range_of(option) for option in STORED_OPTIONS},
    **dict.fromkeys(("forced_bos_token_id", "forced_eos_token_id"), _TOKEN),
    "unblocked_token_ids": Range(list),
}
"""Of the generation settings, under Transformers' names as far as it has them."""


def check_ranges(values: dict[str, Any], ranges: dict[str, Range]) -> None:
    """Check the values that have a range.

    Raises:
        ValueError: One is of another type, or out of range.
    """
    for name, allowed in ranges.items():
        value = values.get(name)
        if value is not None and not allowed.holds(value):
            shown = repr(value)
            raise ValueError(f"{name} is {shown if len(shown) <= 40 else shown[:39] + '…'}, expected {allowed}")
