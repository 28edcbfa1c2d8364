"""The configuration of the extractive family, and sizes that its engines share. Independent of
torch.
"""

from dataclasses import dataclass
from typing import ClassVar

from ..configuration import ModelConfig


@dataclass
class ExtractiveConfig(ModelConfig):
    """An encoder, and layers that score sentences."""

    model_type: ClassVar[str] = "extractive"

    encoder_layers: int = 6
    encoder_attention_heads: int = 12
    encoder_ffn_dim: int = 1536
    activation_function: str = "gelu"
    scoring_layers: int = 2  # layers that see all sentences of a document beside each other
    max_length: int = 446  # maximum number of tokens of a summary
    # τ of the page confidences: p(sentence) ∝ exp(score / τ), fitted on development documents
    temperature: float = 1.0

    def check(self) -> None:
        super().check()
        if self.first_control_token is None:
            raise ValueError(
                "first_control_token is null, expected the id of the first control token"
            )


# number of first sentences with an embedding each, and of equal parts of a document with one each
POSITIONS = 32
# maximum number of sentences scored beside each other, so that a long document takes linear time
RUN = 1024
