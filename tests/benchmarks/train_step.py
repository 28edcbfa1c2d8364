"""A training step beside the original program's: tokens per second and memory, on this machine.

    python tests/benchmarks/train_step.py --size base --device auto

The other is the original's step as its description has it, on the same weights and the same
documents: every page padded to the full page length, attention weights held in memory, the
decoder's self-attention computed on every page, logits of all positions with their log-softmax and
dense smoothed targets, float32. Ours is the step of ``pagesum train``. Both losses are printed: in
float32 without dropout they are equal. Each step (loss, gradients, Adam) runs in a process of its
own, one after the other, so that peak memory is its own.
"""

import argparse
import json
import lzma
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pagesum_cli.evaluation.efficiency import peak_memory
from pagesum_cli.models.layers.attention import Attention
from pagesum_cli.models.layers.transformer import POSITION_OFFSET
from pagesum_cli.models.pagesum import PageSumConfig, PageSumModel
from pagesum_cli.models.weights import pick_device, pick_dtype

SIZES = {
    "tiny": (64, 2, 4, 1000),
    "small": (384, 6, 12, 30522),
    "base": (768, 6, 12, 50265),
    "large": (1024, 12, 16, 50265),
}
LENGTHS = Path(__file__).parents[3] / "shared" / "data" / "papers_and_proposals.dev.jsonl.xz"
TOKENS_A_WORD = 1.35
"""Of BART's tokenizer on papers, about."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", choices=SIZES, default="base")
    parser.add_argument("--pages", type=int, default=7)
    parser.add_argument("--page-tokens", type=int, default=1024)
    parser.add_argument("--target-tokens", type=int, default=400)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--dtype", default="auto", help="ours; the original's is float32")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument(
        "--full",
        action="store_true",
        help="all pages full, instead of the lengths of real documents",
    )
    parser.add_argument(
        "--checkpointing", action="store_true", help="ours with gradient checkpointing"
    )
    parser.add_argument("--only", choices=("ours", "original"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only:
        print(json.dumps(measure(arguments)))
        return
    results = {}
    for which in ("original", "ours"):
        process = subprocess.run(
            [sys.executable, __file__, *sys.argv[1:], "--only", which],
            stdout=subprocess.PIPE,
            check=True,
        )
        results[which] = json.loads(process.stdout)
        print(which, json.dumps(results[which]))
    ours, original = results["ours"], results["original"]
    print(
        f"tokens per second: {ours['tokens_per_second'] / original['tokens_per_second']:.2f} "
        f"times the original's"
    )
    print(f"memory: {ours['memory_mib'] / original['memory_mib']:.2f} times the original's")


def measure(arguments: argparse.Namespace) -> dict:
    device = pick_device(arguments.device)
    ours = arguments.only == "ours"
    dtype = pick_dtype(arguments.dtype, device) if ours else torch.float32
    dtype = torch.bfloat16 if dtype == torch.bfloat16 else torch.float32
    model = build(arguments).to(device).train()
    if ours and arguments.checkpointing:
        model.enable_gradient_checkpointing()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-5, **({"fused": True} if ours else {}))
    seconds, losses, tokens = [], [], 0
    for number, batch in enumerate(batches(arguments, padded=not ours)):
        batch = {key: value.to(device) for key, value in batch.items()}
        began = time.perf_counter()
        if ours:
            with torch.autocast(device.type, torch.bfloat16, enabled=dtype == torch.bfloat16):
                loss = model(**batch, return_logits=False).loss
        else:
            loss = original_loss(model, **batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(round(loss.item(), 4))  # waits for the device
        if number:  # the first step warms up
            seconds.append(time.perf_counter() - began)
            tokens += int(batch["attention_mask"].sum() + (batch["labels"] != -100).sum())
    return {
        "device": torch.cuda.get_device_name()
        if device.type == "cuda"
        else f"cpu, {torch.get_num_threads()} threads",
        "dtype": str(dtype).removeprefix("torch."),
        "losses": losses,
        "median_seconds": round(statistics.median(seconds), 3),
        "tokens_per_second": round(tokens / sum(seconds), 1),
        "memory_mib": peak_memory() >> 20,
    }


def build(arguments: argparse.Namespace) -> PageSumModel:
    width, layers, heads, vocabulary = SIZES[arguments.size]
    torch.manual_seed(0)
    return PageSumModel(
        PageSumConfig(
            vocab_size=vocabulary,
            d_model=width,
            encoder_layers=layers,
            decoder_layers=layers,
            encoder_attention_heads=heads,
            decoder_attention_heads=heads,
            encoder_ffn_dim=4 * width,
            decoder_ffn_dim=4 * width,
            max_position_embeddings=max(arguments.page_tokens, arguments.target_tokens),
            dropout=0.0,
        )
    )


def document_words(count: int) -> list[int]:
    """Words of real papers and proposals, in the order of the file; 3800 each where it is not
    here.
    """
    if not LENGTHS.exists():
        return [3800] * count
    with lzma.open(LENGTHS, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for _, line in zip(range(count), lines, strict=False)]
    return [
        sum(len(section["text"].split()) for section in record["sections"]) for record in records
    ]


def batches(arguments: argparse.Namespace, padded: bool) -> Iterator[dict[str, Tensor]]:
    """One document a step, in pages of equal numbers of tokens, as spatial locality cuts them."""
    generator = torch.Generator().manual_seed(1)
    vocabulary = SIZES[arguments.size][3]
    for words in document_words(arguments.steps + 1):
        room = arguments.page_tokens
        size = (
            room
            if arguments.full
            else min(room, max(3, round(words * TOKENS_A_WORD / arguments.pages)))
        )
        ids = torch.randint(4, vocabulary, (1, arguments.pages, room), generator=generator)
        mask = (torch.arange(room) < size).expand(ids.shape)
        width = room if padded else size
        target = torch.randint(4, vocabulary, (1, arguments.target_tokens), generator=generator)
        yield {
            "input_ids": ids.masked_fill(~mask, 1)[..., :width],
            "attention_mask": mask[..., :width],
            "decoder_input_ids": target[:, :-1],
            "labels": target[:, 1:],
        }


def original_loss(
    model: PageSumModel,
    input_ids: Tensor,
    attention_mask: Tensor,
    decoder_input_ids: Tensor,
    labels: Tensor,
) -> Tensor:
    """The loss as the original program computes it, over the same weights."""
    body, (b, p, s), t = model.model, input_ids.shape, decoder_input_ids.shape[1]
    states = embed(body.encoder, body.shared(input_ids.view(b * p, s)))
    hidden = torch.where(attention_mask.view(b * p, 1, 1, s), 0.0, -1e9)
    for layer in body.encoder.layers:
        states = layer.add(
            states, attend(layer.self_attn, states, states, hidden), layer.self_attn_layer_norm
        )
        states = layer.feed_forward(states)
    decoded = embed(body.decoder, body.shared(decoder_input_ids.repeat_interleave(p, 0)))
    future = torch.full((t, t), -1e9, device=states.device).triu(1)
    for layer in body.decoder.layers:
        decoded = layer.add(
            decoded, attend(layer.self_attn, decoded, decoded, future), layer.self_attn_layer_norm
        )
        crossed = attend(layer.encoder_attn, decoded, states, hidden)
        decoded = layer.feed_forward(layer.add(decoded, crossed, layer.encoder_attn_layer_norm))
    decoded = decoded.view(b, p, t, -1)
    confidence = model.lin(decoded).softmax(dim=1)
    logits = F.linear((decoded * confidence).sum(1), body.shared.weight) + model.final_logits_bias
    known = (labels != -100).unsqueeze(-1)
    log_probabilities = logits.log_softmax(-1)
    smooth = model.config.label_smoothing
    dense = torch.full_like(log_probabilities, smooth / logits.shape[-1])
    dense.scatter_add_(
        -1, labels.clamp(min=0).unsqueeze(-1), torch.full_like(dense[..., :1], 1 - smooth)
    )
    return -(dense * log_probabilities).masked_fill(~known, 0.0).sum() / known.sum()


def embed(stack: nn.Module, embedded: Tensor) -> Tensor:
    positions = stack.embed_positions.weight[POSITION_OFFSET : POSITION_OFFSET + embedded.shape[1]]
    return stack.layernorm_embedding(embedded + positions)


def attend(attention: Attention, queries: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
    """Attention with its weights ``(rows, H, queries, keys)`` in memory."""
    key, value = attention.keys_values(keys)
    query = attention.split(attention.q_proj(queries))
    weights = (query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5 + mask).softmax(-1)
    return attention.out_proj((weights @ value).transpose(1, 2).flatten(2))


if __name__ == "__main__":
    main()
