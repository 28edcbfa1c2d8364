"""Language models that choose among numbered lines, by the name that an option gives them."""

import json
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from ..editing.choosers import Chooser, Server, is_address
from ..errors import UsageError
from .catalog import fingerprint

if TYPE_CHECKING:
    from .causal.choosing import CausalChooser

_LOADING = Lock()  # several threads summarize, and share the model


def chooser_of(name: str, option: str, device: str, *, allow_network: bool) -> Chooser:
    """A server by its address, or a language model that is loaded here.

    Args:
        name: The address or the model.
        option: The option that names it, for errors.
        device: Where a model is loaded.
        allow_network: Whether the server may be on another machine.

    Raises:
        UsageError: It is neither, or the server is on another machine.
    """
    if is_address(name):
        return Server.of(name, allow_network=allow_network, option=option)
    with _LOADING:
        return _loaded(name, option, device)


@lru_cache(maxsize=1)
def _loaded(name: str, option: str, device: str) -> "CausalChooser":
    """A language model on a device; it stays loaded."""
    from .base import load_model
    from .causal.choosing import CausalChooser
    from .causal.model import CausalModel

    model, tokenizer = load_model(name, device=device)
    if not isinstance(model, CausalModel) or tokenizer is None:
        raise no_language_model(name, option)
    return CausalChooser(model, tokenizer, json.dumps(fingerprint(name)))


def no_language_model(name: str, option: str) -> UsageError:
    """The error for a model that cannot answer."""
    return UsageError(
        f"{option} {name}: expected a language model, or URL#NAME of a server",
        "for example smollm2, or http://localhost:11434/v1#NAME",
    )
