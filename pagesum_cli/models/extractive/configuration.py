"""What shape an extractive model has."""

from dataclasses import dataclass
from typing import ClassVar

from ..base import ModelConfig


@dataclass
class ExtractiveConfig(ModelConfig):
    """An encoder, and layers that score sentences.

    Attributes:
        scoring_layers: Layers that see all sentences of a document beside each other.
        max_length: Maximum number of tokens of a summary.
        temperature: τ of the page confidences: p(sentence) ∝ exp(score / τ), fitted on development documents.
    """

    model_type: ClassVar[str] = "extractive"

    encoder_layers: int = 6
    encoder_attention_heads: int = 12
    encoder_ffn_dim: int = 1536
    activation_function: str = "gelu"
    scoring_layers: int = 2
    max_length: int = 446
    temperature: float = 1.0

    def check(self) -> None:
        """Check the values against each other; sentences are scored at their control tokens."""
        super().check()
        if self.first_control_token is None:
            raise ValueError("first_control_token is null, expected the id of the first control token")
