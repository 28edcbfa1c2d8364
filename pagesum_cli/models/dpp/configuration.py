"""What shape the small sequence-to-sequence models have."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ..configuration import ModelConfig, choice
from ..layers.dpp import DppOptions


@dataclass
class SequenceConfig(DppOptions, ModelConfig):
    """What the three models share. The defaults are those of the authors' runs.

    Attributes:
        unk_token_id: What the encoder and the decoder read for a word that the vocabulary lacks.
        decoder_start_token_id: The decoder's first input.
        coverage_loss: λ of the coverage loss, which is added to that of each token; 0 for none.
        generation: The checkpoint's own generation settings under Transformers' names.
        label_smoothing: ε of the training loss, where words are not copied: the loss of copying has none.
    """

    vocab_size: int = 50000
    d_model: int = 512
    max_position_embeddings: int = 4096
    page_tokens: int = 512
    unk_token_id: int = 3
    decoder_start_token_id: int = 0
    coverage_loss: float = 0.0
    label_smoothing: float = 0.0
    generation: dict[str, Any] = field(default_factory=dict)


@dataclass
class RecurrentConfig(SequenceConfig):
    """A pointer-generator network.

    Attributes:
        embedding_width: Of word embeddings.
        encoder_layers: Of the bidirectional LSTM, each half as wide as ``D`` in either direction.
        coverage_vector: Whether the source's states are changed by what has been read of them (+CovVec).
        dpp_recurrence: What the past is the mean of: the decoder's ``output`` f(h, c), or the ``context`` c (eq. 8).
    """

    model_type: ClassVar[str] = "pointer-generator"

    embedding_width: int = 128
    encoder_layers: int = 1
    coverage_vector: bool = False
    dpp_recurrence: str = choice("output", "context")

    def check(self) -> None:
        """Check the values against each other."""
        super().check()
        if self.d_model % 2:
            raise ValueError(f"d_model is {self.d_model}, expected an even number")


@dataclass
class TransformerConfig(SequenceConfig):
    """A Transformer of which one head copies.

    Attributes:
        norm_first: Normalize before each sublayer and at the end (the authors' program); otherwise after each
            sublayer (eq. 17–19).
        tie_output: Whether the projection to the vocabulary is the word embeddings.
    """

    model_type: ClassVar[str] = "copy-transformer"
    activation_function: ClassVar[str] = "relu"

    encoder_layers: int = 4
    decoder_layers: int = 4
    encoder_attention_heads: int = 8
    decoder_attention_heads: int = 8
    encoder_ffn_dim: int = 2048
    decoder_ffn_dim: int = 2048
    dropout: float = 0.2
    attention_dropout: float = 0.1
    activation_dropout: float = 0.2
    norm_first: bool = True
    tie_output: bool = False


@dataclass
class ConvolutionalConfig(SequenceConfig):
    """A convolutional sequence-to-sequence model (Gehring et al., 2017), which does not copy.

    Attributes:
        d_model: Channels of the convolutions.
        embedding_width: Of word and position embeddings.
        output_width: Before the projection to the vocabulary.
        encoder_layers, decoder_layers: Convolutions.
        kernel_size: Tokens that a convolution sees.
        scale_context: Whether the context is multiplied by the square root of the number of source tokens (the
            authors' program), after the past has been taken.
    """

    model_type: ClassVar[str] = "conv-seq2seq"

    d_model: int = 256
    embedding_width: int = 256
    output_width: int = 256
    encoder_layers: int = 4
    decoder_layers: int = 3
    kernel_size: int = 3
    dropout: float = 0.2
    max_position_embeddings: int = 1024
    scale_context: bool = True
    dpp_rescale: bool = False

    @property
    def max_source_tokens(self) -> int:
        """One learned position a token."""
        return self.max_position_embeddings
