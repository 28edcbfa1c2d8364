"""What shape a PageSum model has."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ..configuration import ModelConfig, choice
from ..layers.dpp import DppOptions


@dataclass
class PageSumConfig(DppOptions, ModelConfig):
    """BART's configuration, and how pages are decoded.

    Attributes:
        decoding: ``pages``: each page is decoded alone, mixed by page confidences (the paper, eq. 7-9). ``global``: one
            ordinary decoder attends to the encodings of all pages (the paper's ablation).
        decoder_start_token_id: The decoder's first input.
        generation: The checkpoint's own generation settings under Transformers' names.
        label_smoothing: ε of the training loss (eq. 1).
        scale_embedding: Whether word embeddings are multiplied by the square root of ``D``.
        untrained_confidence: Whether the confidence layer is new, as in a model made from a BART checkpoint.
        dpp_pages: Where the past of DPP attention was read. ``own``: on the page itself, so that pages stay apart.
            ``uniform``: on all pages of the document, the mean. ``confidence``: on all pages, weighted by the layer's
            own confidences: eq. 7–8 applied, with the model's confidence layer and without gradients, to the output
            states of the layer that has read. (The paper's page confidences exist only after the last layer.)
    """

    model_type: ClassVar[str] = "pagesum"

    encoder_layers: int = 12
    decoder_layers: int = 12
    encoder_attention_heads: int = 16
    decoder_attention_heads: int = 16
    encoder_ffn_dim: int = 4096
    decoder_ffn_dim: int = 4096
    activation_function: str = "gelu"
    decoder_start_token_id: int = 2
    scale_embedding: bool = False
    decoding: str = choice("pages", "global")
    label_smoothing: float = 0.1
    untrained_confidence: bool = False
    dpp_pages: str = choice("own", "uniform", "confidence")
    generation: dict[str, Any] = field(default_factory=dict)

    def check(self) -> None:
        """Check the values against each other."""
        super().check()
        if self.dpp and self.decoder_layers < 2:
            raise ValueError(
                f"decoder_layers is {self.decoder_layers}, expected 2 or more with dpp: the first has no past"
            )
        if self.decoding == "global" and self.dpp_pages != "own":  # there is one row a document
            raise ValueError(f"dpp_pages is {self.dpp_pages!r}, expected own with global decoding")
