"""The importance tagger: which tokens of a document have words that its summary has (AdaPool)."""

from dataclasses import replace

import torch
from torch import Tensor, nn

from ..layers.transformer import embedding
from .configuration import TopDownConfig
from .encoder import TopDownEncoder


class Tagger(nn.Module):
    """A top-down encoder, whose pooling is the mean, and a linear layer."""

    def __init__(self, config: TopDownConfig) -> None:
        super().__init__()
        self.scale = config.d_model**0.5 if config.scale_embedding else 1.0
        self.shared = embedding(config.vocab_size, config.d_model, config.pad_token_id)
        self.encoder = TopDownEncoder(replace(config, pooling="average"))
        self.classifier = nn.Linear(config.d_model, 1)

    def forward(self, ids: Tensor, mask: Tensor, places: Tensor) -> Tensor:
        """Token ids, mask and positions ``(B, L)`` → the logit of each token's importance ``(B, L)``."""
        states = self.encoder(self.shared(ids) * self.scale, mask, places)
        return self.classifier(states).squeeze(-1)

    @torch.no_grad()
    def predict(self, ids: Tensor, mask: Tensor, places: Tensor) -> Tensor:
        """The probability ``(B, L)`` that each token is important."""
        was_training = self.training
        self.eval()
        probabilities = self(ids, mask, places).float().sigmoid()
        self.train(was_training)
        return probabilities
