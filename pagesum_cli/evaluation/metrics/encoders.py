"""Models that metrics and analyses use, by name or folder, and text that is longer than their
input.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from huggingface_hub import snapshot_download
from numpy.typing import NDArray
from torch import Tensor
from transformers import AutoModel, AutoTokenizer, BatchEncoding
from transformers.utils import cached_file, logging

from ...errors import PagesumError
from ...models.weights import pick_device
from .base import Metric


class ModelMetric(Metric):
    """A metric that holds a model."""

    auto_class = "AutoModel"
    head = ""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        auto_class = getattr(transformers, self.auto_class)
        self.model, self.tokenizer = load(auto_class, self.model_name, self.device, self.head)


@contextmanager
def loading(name: str) -> Iterator[None]:
    """Turn whatever Transformers raises while it loads a model into an error of one line, and keep
    it quiet.
    """
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    except PagesumError:
        raise
    except Exception as error:  # Transformers raises whatever its parts raise
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        message = f"{name}: cannot be loaded as a model ({first})"
        raise PagesumError(message, "check the name and the network, or use a folder") from error


def load(auto_class: Any, name: str, device: str, head: str = "") -> tuple[Any, Any]:
    """Load a model in float32, which must have a trained head, and its tokenizer."""
    with loading(name):
        # without a network, this fails at once, and from_pretrained after half a minute
        if not Path(name).is_dir():
            snapshot_download(name, allow_patterns="config.json")
        # Not in the checkpoint's own number format, which Transformers keeps: figures would be
        # rounded.
        model, info = auto_class.from_pretrained(
            name, dtype=torch.float32, output_loading_info=True
        )
        tokenizer = AutoTokenizer.from_pretrained(name)
    if head and info["missing_keys"]:
        message = f"{name} has no {head} (it lacks {sorted(info['missing_keys'])[0]})"
        raise PagesumError(message, "use a model that was trained for it")
    return model.eval().to(pick_device(device)), tokenizer


def reach(model: Any, tokenizer: Any) -> int:
    """Number of tokens that a model reads at once, special tokens included."""
    limit = model.config.max_position_embeddings
    if model.config.model_type in ("roberta", "xlm-roberta", "camembert", "mpnet"):
        limit -= 2  # these count positions from after the padding token's id
    return min(limit, tokenizer.model_max_length)


def token_ids(tokenizer: Any, text: str) -> list[int]:
    """The tokens of a text of any length, special tokens neither added nor recognized in it."""
    return tokenizer(text, add_special_tokens=False, truncation=False, verbose=False)["input_ids"]


def framed(tokenizer: Any, *parts: list[int]) -> tuple[Any, int]:
    """Tokens of one text, or of a pair, with the special tokens around them, as a batch of one.

    Returns:
        The model's inputs, and the number of special tokens before the first part.
    """
    example = tokenizer(
        *["a"] * len(parts), return_special_tokens_mask=True, return_token_type_ids=True
    )
    special = example["special_tokens_mask"]
    before = special.index(0)
    ids: list[int] = []
    types: list[int] = []
    waiting = iter(parts)
    tokens = zip(special, example["token_type_ids"], example["input_ids"], strict=True)
    for (is_special, kind), group in groupby(tokens, key=lambda token: token[:2]):
        new = [number for *_, number in group] if is_special else next(waiting)
        ids += new
        types += [kind] * len(new)
    inputs = {"input_ids": [ids], "token_type_ids": [types]}
    known = tokenizer.model_input_names
    return BatchEncoding(
        {key: inputs[key] for key in inputs if key in known}, tensor_type="pt"
    ), before


def token_states(model: Any, tokenizer: Any, ids: list[int], layer: int | None = None) -> Tensor:
    """A layer's state of every token, ``(tokens, D)``: the last layer's, unless its number is
    given, from 1.

    A text longer than the model's input is read in windows that overlap by half; each token is
    taken from the window in which it is furthest from an edge.
    """
    room = reach(model, tokenizer) - tokenizer.num_special_tokens_to_add(False)
    states = []
    for start, end, first, last in windows(len(ids), room):
        inputs, before = framed(tokenizer, ids[start:end])
        with torch.inference_mode():
            output = model(**inputs.to(model.device), output_hidden_states=layer is not None)
        # (window, D)
        hidden = (output.last_hidden_state if layer is None else output.hidden_states[layer])[0]
        states.append(hidden[before + first - start : before + last - start].float().cpu())
    return torch.cat(states)


def windows(length: int, room: int) -> Iterator[tuple[int, int, int, int]]:
    """``(start, end, first, last)``: windows of at most ``room`` tokens, and the tokens that are
    taken from each.
    """
    step = room // 2
    margin = (room - step) // 2
    for start in range(0, length, step):
        end = min(start + room, length)
        first = 0 if start == 0 else start + margin
        last = length if end == length else start + margin + step
        yield start, end, first, last
        if end == length:
            return


AT_ONCE = 64
TOKENS = 256  # number of tokens of a sentence that are read; the rest is ignored


class SentenceEmbedder:
    """An encoder's vectors of sentences, by name on the Hugging Face hub or folder.

    Pooling is ``cls``: the last state of the first token, as unsupervised SimCSE has it;
    ``pooler``: that after the encoder's pooling layer, as supervised SimCSE; ``mean``: the mean of
    the last states of all tokens; or ``auto``: what the model's folder says in the form of
    sentence-transformers, otherwise ``mean``.
    """

    def __init__(self, name: str, pooling: str = "auto") -> None:
        self.model, self.tokenizer = load(
            AutoModel, name, "auto", "pooler" if pooling == "pooler" else ""
        )
        self.pooling = configured_pooling(name) if pooling == "auto" else pooling

    @torch.inference_mode()
    def __call__(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        order = sorted(range(len(sentences)), key=lambda place: len(sentences[place]))
        vectors = np.zeros((len(sentences), self.model.config.hidden_size))
        for begin in range(0, len(order), AT_ONCE):
            places = order[begin : begin + AT_ONCE]
            texts = [sentences[place] for place in places]
            limits: Any = {
                "truncation": True,
                "max_length": min(TOKENS, reach(self.model, self.tokenizer)),
            }
            batch = self.tokenizer(texts, **limits, padding=True, return_tensors="pt").to(
                self.model.device
            )
            output = self.model(**batch)
            states = output.last_hidden_state  # (n, S, D)
            if self.pooling == "pooler":
                pooled = output.pooler_output
            elif self.pooling == "cls":
                pooled = states[:, 0]
            else:
                mask = batch["attention_mask"].unsqueeze(-1).to(states.dtype)  # (n, S, 1)
                pooled = (states * mask).sum(1) / mask.sum(1)
            vectors[places] = pooled.double().cpu().numpy()
        return vectors


def configured_pooling(name: str) -> str:
    """The pooling that a model of sentence-transformers is made for, ``cls`` or ``mean``; ``mean``
    for others.
    """
    try:
        path = cached_file(name, "1_Pooling/config.json")
        settings = json.loads(Path(str(path)).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # other models have none
        return "mean"
    return (
        "cls" if isinstance(settings, dict) and settings.get("pooling_mode_cls_token") else "mean"
    )
