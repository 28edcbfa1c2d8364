"""What shape a top-down transformer has."""

from dataclasses import dataclass
from typing import ClassVar

from ..configuration import choice
from ..pagesum.configuration import PageSumConfig


@dataclass
class TopDownConfig(PageSumConfig):
    """BART's configuration, and how tokens and segments meet. The defaults are the paper's, for BART-large.

    Attributes:
        local_layers: ``N1``, token layers before the top-down update, of ``encoder_layers`` (12); the others (``N3``)
            are top-down layers. By default two thirds.
        segment_layers: ``N2``.
        window: ``w``; a token sees ``w // 2`` tokens to either side.
        kernel, stride: Tokens of a segment, and how far the next one begins.
        max_segments: Tokens after the last segment are in none, but read all of them.
        segment_positions: Whether segments have learned positions. (The paper does not say; its number of parameters
            speaks for none.)
        pooling: How tokens become segments (eq. 3, 4). ``average``: AvgPool. ``adaptive``: AdaPool, by the importance
            that a tagger inside the model predicts. ``oracle``: by given importance.
        update: How tokens read segments in the top-down layers: by cross-``attention``, by ``concat`` with their own
            segment, or ``none``, where all layers are local.
        decoding: ``global``: one decoder reads all tokens (the paper). ``pages``: PageSum's, where each page is
            decoded alone; its tokens have read those of other pages through windows and segments.
        update_gain: With what factor the update of a new model begins: 1 as normalized states have it; with 0 a model
            made from a BART computes what it would without the update until it is trained. (The paper does not say.)
        max_source_positions: Positions of the encoder, for all tokens of a document.
        positions: Whether they run through the ``document`` or begin again on each ``page``.
        special_tokens: Whether a start and an end token surround the ``document`` or each ``page``.
        source_tokens: By default what the positions suffice for.
    """

    model_type: ClassVar[str] = "topdown"

    decoding: str = choice("global", "pages")
    local_layers: int | None = None
    segment_layers: int = 2
    window: int = 1024
    kernel: int = 32
    stride: int = 24
    max_segments: int = 512
    segment_positions: bool = False
    pooling: str = choice("average", "adaptive", "oracle")
    update: str = choice("attention", "concat", "none")
    update_gain: float = 1.0
    max_source_positions: int = 16384
    positions: str = choice("document", "page")
    special_tokens: str = choice("document", "page")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.local_layers is None:
            self.local_layers = self.encoder_layers - self.encoder_layers // 3
        if self.source_tokens is None and self.positions == "document":
            self.source_tokens = max(self.max_source_positions - 2, 1)

    def check(self) -> None:
        """Check the values against each other."""
        super().check()
        if not 0 <= (self.local_layers or 0) <= self.encoder_layers:
            raise ValueError(f"local_layers is {self.local_layers}, expected at most {self.encoder_layers}")
        for name in ("window", "kernel", "stride", "max_segments", "max_source_positions"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, expected 1 or more")
        if self.stride > self.kernel:
            raise ValueError(f"stride is {self.stride}, expected at most kernel, {self.kernel}: no token is left out")
        if self.update == "none" and self.pooling != "average":
            raise ValueError(f"pooling is {self.pooling!r}, but without an update nothing is pooled")

    @property
    def max_source_tokens(self) -> int | None:
        """Tokens that a document may have; None for any number, where positions begin again on each page."""
        return self.max_source_positions if self.positions == "document" else None

    @property
    def reach(self) -> int:
        """How far a token sees to either side."""
        return self.window // 2

    def segments(self, tokens: int) -> int:
        """``M`` of a document: as many as cover its tokens, at most ``max_segments``."""
        return min(-(-max(tokens - self.kernel, 0) // self.stride) + 1, self.max_segments)

    @property
    def segment_tokens(self) -> int:
        """How many tokens the segments cover at most."""
        return (self.max_segments - 1) * self.stride + self.kernel


@dataclass
class TaggerConfig(TopDownConfig):
    """The configuration of an importance tagger: that of the summarizer which it serves, whose decoder it lacks."""

    model_type: ClassVar[str] = "topdown-tagger"

    def check(self) -> None:
        """Check the values against each other."""
        super().check()
        if self.pooling != "average":
            raise ValueError(f"pooling is {self.pooling!r}, expected average in a tagger")
