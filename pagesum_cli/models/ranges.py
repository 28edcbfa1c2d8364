"""Types and ranges of the values in ``config.json``, checked as it is read. Independent of torch."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..options import LOCALITIES, STORED_OPTIONS, GenerationOptions, Row, fault, hints_of, row_of, shown, stored_name

LARGEST = 1 << 24
"""No size or token id is larger."""

Range = tuple[Any, Row]
"""The type of a value, and what is known of it."""


def _range(kind: Any, low: float = 0, high: float = LARGEST, choices: Sequence[str] = ()) -> Range:
    return kind, Row(help="", min=low, max=high, choices=choices)


_SIZE, _COUNT, _TOKEN = _range(int, 1), _range(int, 0, 1000), _range(int)
_LAYERS, _HEADS, _SHARE = _range(int, 1, 1000), _range(int, 1, 1024), _range(float, 0, 1)

RANGES = {
    **dict.fromkeys(("vocab_size", "d_model", "encoder_ffn_dim", "decoder_ffn_dim"), _SIZE),
    **dict.fromkeys(("max_position_embeddings", "max_source_positions", "page_tokens"), _range(int, 1, 1 << 20)),
    **dict.fromkeys(("pad_token_id", "bos_token_id", "eos_token_id", "decoder_start_token_id"), _TOKEN),
    "first_control_token": _TOKEN,
    **dict.fromkeys(("encoder_layers", "decoder_layers"), _LAYERS),
    **dict.fromkeys(("scoring_layers", "judge_layers", "local_layers", "segment_layers"), _COUNT),
    **dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), _HEADS),
    **dict.fromkeys(("dropout", "attention_dropout", "activation_dropout", "label_smoothing"), _SHARE),
    **dict.fromkeys(("scale_embedding", "untrained_confidence"), _range(bool)),
    **dict.fromkeys(("window", "kernel", "stride", "max_segments"), _range(int, 1, 1 << 20)),
    "num_pages": _range(int, 1, 10_000),
    "source_tokens": _SIZE,
    "locality": _range(str, choices=LOCALITIES),
    **dict.fromkeys(("init_std", "update_gain"), _range(float, 0, 1000)),
    "temperature": _range(float, 1e-6, 1e6),
    "activation_function": _range(str, choices=("gelu", "gelu_new", "relu", "silu", "swish", "tanh")),
}
"""Of the shape of a model, by name; families may have more values, whose types are those of their dataclasses."""

GENERATION = {
    # What counts the start and end token, too, may be less than these.
    **{
        stored_name(option): (hints_of(GenerationOptions)[option.name], replace(row, min=0) if row.added else row)
        for option, row in ((option, row_of(option)) for option in STORED_OPTIONS)
    },
    **dict.fromkeys(("forced_bos_token_id", "forced_eos_token_id"), _TOKEN),
    "unblocked_token_ids": _range(list[int]),
}
"""Of the generation settings, under Transformers' names as far as it has them."""


def check_ranges(values: dict[str, Any], ranges: Mapping[str, Range]) -> None:
    """Check the values that have a range; None stands for a value that is not given.

    Raises:
        ValueError: One is of another type, or out of range.
    """
    for name, (kind, row) in ranges.items():
        if found := fault(values.get(name), kind, row):
            raise ValueError(f"{name} is {shown(values[name])}, {found.expected}")
