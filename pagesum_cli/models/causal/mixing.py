"""How the next-token distributions of a document's pages become one.

Each page p gives a distribution q_p(y) of the next token y. The weights w_p sum to 1 over the
pages:

- ``switch``: a hidden Markov model. The state is the page that the next token is written from; it
  stays with probability 1 - ε and is drawn again from the shares s_p with probability ε. So
  w = (1 - ε) · posterior + ε · s, and the mixture is Σ_p w_p q_p(y). Once the token y is known,
  Bayes' rule gives the posterior of the page: w_p q_p(y) / Σ_p w_p q_p(y).
- ``mean``: the same with ε = 1: Σ_p s_p q_p(y).
- ``product``: Σ_p s_p log q_p(y), normalized: PageSum's eq. 9, because a linear vocabulary
  projection of averaged states is the average of the pages' logits.

Once the whole text is known, later tokens tell of the pages of earlier ones, too: a backward pass
gives the posterior of each token's page given all of them (the forward-backward algorithm).

The shares s are the softmax of the confidence layer's scores (eq. 7-8), or all equal without one.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

SMALLEST = torch.finfo(torch.float32).tiny  # instead of 0 in a logarithm


@dataclass(frozen=True)
class PageRule:
    """A rule by its name, and its parameters."""

    name: str = "switch"
    switching: float = 0.1  # ε
    contrast: float = 0.0  # α

    @property
    def has_posterior(self) -> bool:
        """Whether a token changes what is believed of the pages."""
        return self.name != "product"

    def weights(self, posterior: Tensor, shares: Tensor) -> Tensor:
        """The pages' weights for the next token, from the posterior so far; ``(B, P, …)`` all."""
        if self.name != "switch":
            return shares
        return (1 - self.switching) * posterior + self.switching * shares

    def posterior(self, weights: Tensor, scores: Tensor) -> Tensor:
        """The posterior of the pages once a token is known.

        Args:
            weights: ``(B, P, …)``, see :meth:`weights`.
            scores: ``(B, P, …)``, the pages' log probabilities of that token; minus infinity where
                there is no page.
        """
        if not self.has_posterior:
            return weights
        return (_log(weights) + scores).softmax(dim=1)

    def mixed(self, weights: Tensor, scores: Tensor) -> Tensor:
        """The log probabilities of the next token ``(B, …, V)``.

        Args:
            weights: ``(B, P, …)``.
            scores: ``(B, P, …, V)``, the pages' log probabilities; minus infinity where there is no
                page.
        """
        weights = weights[..., None]
        if self.has_posterior:
            return (_log(weights) + scores).logsumexp(dim=1)
        # no page has no share, and 0 · -∞ is not 0
        scores = scores.masked_fill(scores == float("-inf"), SMALLEST)
        return (weights * scores).sum(dim=1).log_softmax(dim=-1)

    def contrasted(self, scores: Tensor, without: Tensor) -> Tensor:
        """Take off what a prompt without a page predicts: (1 + α) log p - α log p₀, normalized."""
        return ((1 + self.contrast) * scores - self.contrast * without).log_softmax(dim=-1)


def shares_of(scores: Tensor) -> Tensor:
    """The pages' shares ``(B, P, …)`` by the scores of the confidence layer, minus infinity where
    there is no page (eq. 8).
    """
    return scores.softmax(dim=1)


def filtered(rule: PageRule, shares: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """The weights before each token of a given summary, and the posteriors after it, ``(B, P, T)``
    both.

    Args:
        rule: How pages are mixed.
        shares: ``(B, P, T)``.
        targets: ``(B, P, T)``, each page's log probability of the token there; minus infinity where
            there is no page.
    """
    posterior = shares[:, :, 0]
    weights, posteriors = [], []
    for step in range(targets.shape[2]):
        weights.append(rule.weights(posterior, shares[:, :, step]))
        posterior = rule.posterior(weights[-1], targets[:, :, step])
        posteriors.append(posterior)
    return torch.stack(weights, dim=2), torch.stack(posteriors, dim=2)


def smoothed(rule: PageRule, shares: Tensor, weights: Tensor, posteriors: Tensor) -> Tensor:
    """The posteriors ``(B, P, T)`` of the pages at each token given all tokens of a text.

    Args:
        rule: How pages are mixed.
        shares: ``(B, P, T)``; as all others 0 where there is no page.
        weights, posteriors: Those of :func:`filtered`; equal where a token is not known, and 0
            after the end of a text.
    """
    if not rule.has_posterior:
        return posteriors
    switching = 1.0 if rule.name == "mean" else rule.switching
    found = [posteriors[:, :, -1]]
    for step in range(posteriors.shape[2] - 2, -1, -1):
        before = weights[:, :, step + 1]
        # how much more probable the later tokens make each page of the next token
        factors = found[-1] / before.clamp(min=SMALLEST)
        of_any = (shares[:, :, step + 1] * factors).sum(dim=1, keepdim=True)
        factors = (1 - switching) * factors + switching * of_any
        is_last = before.sum(dim=1, keepdim=True) == 0
        found.append(posteriors[:, :, step] * factors.masked_fill(is_last, 1.0))
    return torch.stack(found[::-1], dim=2)


def _log(weights: Tensor) -> Tensor:
    return weights.clamp(min=SMALLEST).log()
