"""Tiny models, tokenizers and summaries, built in one place; and how time grows with size."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

from pagesum_cli.models.base import PageBatch
from pagesum_cli.models.dpp.convolutional import ConvolutionalModel
from pagesum_cli.models.dpp.model import (
    ConvolutionalConfig,
    RecurrentConfig,
    SequenceModel,
    TransformerConfig,
)
from pagesum_cli.models.dpp.recurrent import PointerGenerator
from pagesum_cli.models.dpp.transformer import CopyTransformer
from pagesum_cli.models.extractive.model import ExtractiveConfig, ExtractiveModel
from pagesum_cli.models.pagesum import PageSumConfig, PageSumModel
from pagesum_cli.models.topdown.model import TopDownModel
from pagesum_cli.summary.summary import (
    PageShare,
    Summary,
    SummaryPage,
    SummarySentence,
    SummaryToken,
)
from pagesum_cli.tokenization import CONTROL_TOKENS, PageTokenizer

# English enough for a vocabulary, and for a document.
TEXTS = (
    "The harvest was late this year. Rain fell for eleven days in April, and the fields stood "
    "under water until May.",
    "Prices rose in most towns. Wheat cost a third more than the year before, and bread followed "
    "in the summer.",
    "The council met twice. It lent seed to forty farms and asked the mills to hold their prices "
    "until the winter.",
    "Methods. We asked two hundred farmers what they sowed, when they sowed it, and what they "
    "sold it for.",
    "Results. Farms on the hills lost a tenth of their wheat; "
    "farms by the river lost nearly half of it.",
)

PAD, UNKNOWN, START, END = 0, 1, 2, 3
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]

SHAPE: dict[str, Any] = {
    "d_model": 32,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 96,
    "page_tokens": 64,
    "init_std": 0.5,
}
TOKENS: dict[str, Any] = {
    "pad_token_id": PAD,
    "bos_token_id": START,
    "eos_token_id": END,
    "decoder_start_token_id": START,
}


def pagesum(seed: int = 0, **settings: Any) -> PageSumModel:
    """A PageSum model of random weights, with BART's special tokens unless others are given."""
    torch.manual_seed(seed)
    return PageSumModel(PageSumConfig(**{**SHAPE, "vocab_size": 60, **settings})).eval()


TOPDOWN: dict[str, Any] = {"window": 10, "kernel": 8, "stride": 6, "max_source_positions": 120}


def topdown(seed: int = 0, **settings: Any) -> TopDownModel:
    """A top-down transformer of random weights in float64, made from a BART of three layers."""
    start = pagesum(seed, encoder_layers=3, d_model=16)
    return TopDownModel.from_bart(start, **{**TOPDOWN, **settings}).double().eval()


def page_batch(*documents: list[int], seed: int = 0) -> PageBatch:
    """Documents of pages with given numbers of random words, each page between BART's start and end
    tokens.

    Importance is random.
    """
    torch.manual_seed(seed)
    width, pages = max(max(one) for one in documents) + 2, max(map(len, documents))
    ids = torch.full((len(documents), pages, width), 1)
    mask = torch.zeros(ids.shape)
    for b, document in enumerate(documents):
        for p, count in enumerate(document):
            ids[b, p, : count + 2] = torch.tensor([0, *torch.randint(4, 60, (count,)), 2])
            mask[b, p, : count + 2] = 1
    return PageBatch(ids, mask, importance=torch.randint(0, 2, ids.shape).double())


def extractive(seed: int = 0, **settings: Any) -> ExtractiveModel:
    """An extractive model of random weights."""
    torch.manual_seed(seed)
    shape = {name: value for name, value in SHAPE.items() if not name.startswith("decoder")}
    tokens = {name: value for name, value in TOKENS.items() if not name.startswith("decoder")}
    defaults = {"vocab_size": 60, "scoring_layers": 1, "first_control_token": 4}
    return ExtractiveModel(ExtractiveConfig(**{**shape, **tokens, **defaults, **settings})).eval()


SEQUENCE: dict[str, tuple[type[SequenceModel], Any, dict[str, Any]]] = {
    "recurrent": (PointerGenerator, RecurrentConfig, {"embedding_width": 6}),
    "transformer": (
        CopyTransformer,
        TransformerConfig,
        {
            "encoder_layers": 1,
            "decoder_layers": 3,
            "encoder_attention_heads": 2,
            "decoder_attention_heads": 2,
            "encoder_ffn_dim": 12,
            "decoder_ffn_dim": 12,
        },
    ),
    "convolutional": (
        ConvolutionalModel,
        ConvolutionalConfig,
        {
            "embedding_width": 6,
            "output_width": 5,
            "encoder_layers": 2,
            "max_position_embeddings": 24,
        },
    ),
}
"""The models of whole words: class, configuration and a tiny shape."""


def sequence(kind: str, seed: int = 0, spread: float = 0.5, **settings: Any) -> SequenceModel:
    """One of the models that read a document as one sequence, of random weights; its vocabulary has
    12 words.
    """
    family, config, shape = SEQUENCE[kind]
    tokens = {
        "vocab_size": 12,
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "decoder_start_token_id": 1,
    }
    torch.manual_seed(seed)
    model = family(config(**{"d_model": 8, "page_tokens": 24, **tokens, **shape, **settings}))
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn_like(weight), alpha=spread)
    return model.eval()


def word_piece(
    texts: Iterable[str], size: int = 400, control_tokens: bool = False
) -> PageTokenizer:
    """A lower-case WordPiece tokenizer, as BERT has it: the texts' characters, beginnings and most
    frequent words.

    It is not trained: the library's trainer orders pieces of equal counts by chance, and tests
    would vary by the run.
    """
    normalizer, pre_tokenizer = (
        normalizers.BertNormalizer(lowercase=True),
        pre_tokenizers.BertPreTokenizer(),
    )
    words = [
        one
        for text in texts
        for one, _ in pre_tokenizer.pre_tokenize_str(normalizer.normalize_str(text))
    ]
    unused = [f"[unused{number}]" for number in range(CONTROL_TOKENS)] if control_tokens else []
    characters = sorted({character for word in words for character in word})
    parts = [
        part
        for word in words
        for part in (word, word[:2], word[:3], f"##{word[-2:]}", f"##{word[-3:]}")
    ]
    frequent = sorted(Counter(parts).items(), key=lambda pair: (-pair[1], pair[0]))
    pieces = [
        *SPECIAL,
        *unused,
        *characters,
        *(f"##{one}" for one in characters),
        *(part for part, _ in frequent),
    ]
    vocabulary = {piece: number for number, piece in enumerate(list(dict.fromkeys(pieces))[:size])}
    backend = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    backend.add_special_tokens(SPECIAL)
    backend.normalizer, backend.pre_tokenizer = normalizer, pre_tokenizer
    backend.decoder = decoders.WordPiece()
    return _finished(backend, len(SPECIAL) if control_tokens else None)


def byte_level(texts: Iterable[str], size: int = 400) -> PageTokenizer:
    """A byte-level BPE tokenizer, as BART has it."""
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    backend.train_from_iterator(list(texts), trainer)
    return _finished(backend)


def words(known: Iterable[str]) -> PageTokenizer:
    """A lower-case vocabulary of whole words, as the small models have it."""
    backend = Tokenizer(
        models.WordLevel({word: n for n, word in enumerate([*SPECIAL, *known])}, unk_token="[UNK]")
    )
    backend.add_special_tokens(SPECIAL)
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return _finished(backend)


def _finished(backend: Tokenizer, first_control_token: int | None = None) -> PageTokenizer:
    special = [("[CLS]", START), ("[SEP]", END)]
    backend.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=special
    )
    return PageTokenizer(backend, first_control_token)


def save_checkpoint(
    folder: Path, model: PageSumModel | ExtractiveModel, tokenizer: PageTokenizer
) -> Path:
    """A checkpoint's folder."""
    model.save_pretrained(folder)
    tokenizer.save(folder)
    return folder


def bart_vocabulary(folder: Path, texts: Iterable[str] = TEXTS) -> Path:
    """``vocab.json`` and ``merges.txt`` of a small byte-level BPE, in BART's form: ``<s>`` is 0,
    ``</s>`` is 2.
    """
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator(list(texts), trainer)
    backend.model.save(str(folder))
    return folder


def assert_linear(work: Callable[[int], object], size: int, slack: float = 0.3) -> None:
    """Twice as much takes at most about twice as long: by the process's own time, with some seconds
    of slack.

    Another try is allowed: a busy machine, or a collection of garbage, slows down one call and not
    the other.
    """

    def seconds(amount: int) -> float:
        began = time.process_time()
        work(amount)
        return time.process_time() - began

    seconds(size)  # what is imported and compiled once
    assert any(seconds(2 * size) < 3 * seconds(size) + slack for _ in range(3))


class Words:
    """What pagination knows of a tokenizer, of which each word has the same number of tokens."""

    def __init__(self, title_tokens: int = 0, special_tokens: int = 2, per_word: int = 1) -> None:
        self.title_tokens = title_tokens
        self.special_tokens = special_tokens
        self.per_word = per_word

    def count(self, texts: Sequence[str]) -> list[int]:
        return [self.per_word * len(text.split()) for text in texts]


def summary_of(
    pieces: Sequence[tuple[str, tuple[float, ...]]],
    sentences: Sequence[tuple[str, int]],
    pages: int = 2,
) -> Summary:
    """A summary of ``(piece, confidences)`` and ``(sentence, strongest page)`` pairs."""
    tokens = tuple(SummaryToken(text, tuple(row)) for text, row in pieces)
    shares = [
        sum(column) / len(tokens)
        for column in zip(*(token.confidences for token in tokens), strict=True)
    ]
    return Summary(
        model="m",
        locality="spatial",
        title="",
        text="".join(text for text, _ in pieces),
        sentences=tuple(
            SummarySentence(
                text,
                (
                    PageShare(top, 0.9),
                    *(PageShare(page, 0.1) for page in range(pages) if page != top),
                ),
            )
            for text, top in sentences
        ),
        tokens=tokens,
        pages=tuple(
            SummaryPage(page, f"page {page}", "a.pdf", (page + 1,), 10, False, shares[page])
            for page in range(pages)
        ),
        settings={},
        seconds={},
    )


TWO_SENTENCES = summary_of(
    [
        ("The", (0.8, 0.2)),
        (" har", (0.6, 0.4)),
        ("vest", (0.2, 0.8)),
        (" failed.", (0.9, 0.1)),
        (" Prices", (0.1, 0.9)),
        (" rose.", (0.3, 0.7)),
    ],
    [("The harvest failed.", 0), ("Prices rose.", 1)],
)


GGUF_NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "model.layers": "blk",
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
}
"""How Transformers and GGUF name parts of a model like Llama."""
