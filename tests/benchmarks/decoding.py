"""How fast pages are decoded, against the plain way of doing it, with peak memory.

    python tests/benchmarks/decoding.py [--size base|large|small|tiny] [--pages 1 3 7] [--device cpu|cuda]
        [--dtype float32]

Random weights, pages of 1024 tokens, one document, 4 beams, no-repeat 3-grams, 64 new tokens. Rivals, each in a process
of its own, in turn:

- ``pagesum``: this program.
- ``repeated``: Transformers' BART decoder in the plain way: every page's encoder states, keys and values repeated for
  every beam and reordered at every step, under this program's beam search. Same summaries.
- ``global``: this program with global decoding: one decoder attends to all pages, whose shares of the cross-attention
  are computed beside the fused kernel.
- ``transformers``: BART's own ``generate``, which has no pages (1 page only).
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

SIZES = {  # width, layers of encoder and decoder, heads, feed-forward width, vocabulary
    "tiny": (32, 1, 1, 2, 64, 50265),
    "small": (384, 6, 3, 12, 1536, 30522),
    "base": (768, 6, 6, 12, 3072, 50265),
    "large": (1024, 12, 12, 16, 4096, 50265),
}
TOKENS, BEAMS, NEW = 1024, 4, 64
SEARCH = {"num_beams": BEAMS, "max_length": NEW + 1, "min_length": NEW + 1, "no_repeat_ngram_size": 3}


def shape_of(size: str) -> dict[str, Any]:
    """The configuration of a size, under BART's names."""
    width, encoder, decoder, heads, inner, vocabulary = SIZES[size]
    return {
        "d_model": width,
        "encoder_layers": encoder,
        "decoder_layers": decoder,
        "encoder_attention_heads": heads,
        "decoder_attention_heads": heads,
        "encoder_ffn_dim": inner,
        "decoder_ffn_dim": inner,
        "vocab_size": vocabulary,
        "init_std": 0.1,
    }


def random_model(size: str) -> Any:
    """A PageSum model of random weights."""
    import torch

    from pagesum_cli import PageSumConfig, PageSumModel

    torch.manual_seed(0)
    return PageSumModel(PageSumConfig(**shape_of(size), generation={"forced_eos_token_id": 2})).eval()


def timed(run: Callable[[], Any], device: str) -> tuple[float, Any]:
    """The median of three times, in seconds, after a run to warm up, and what that run returned."""
    import torch

    run()
    times = []
    for number in range(3):
        if device == "cuda":
            torch.cuda.synchronize()
        began = time.perf_counter()
        result = run()
        if device == "cuda":
            torch.cuda.synchronize()
        times.append((time.perf_counter() - began, number, result))
    seconds, _, result = sorted(times)[1]
    return seconds, result


def measure(rival: str, size: str, pages: int, device: str, dtype: str, threads: int) -> dict[str, float]:
    """Seconds to encode and in all, peak memory in MB, and the summary."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    torch.set_num_threads(threads)
    shape = shape_of(size)
    model = random_model(size)
    if rival == "global":
        model.config.decoding = "global"
    elif rival != "pagesum":
        bart = BartForConditionalGeneration(BartConfig(**shape)).eval()
        bart.load_state_dict(model.state_dict(), strict=False)
        bart.tie_weights()
        bart.to(device, getattr(torch, dtype))
    model.to(device, getattr(torch, dtype))
    ids = torch.randint(4, shape["vocab_size"], (1, pages, TOKENS), device=device)
    settings = SEARCH

    def run() -> tuple[float, list[int]]:
        if rival in ("pagesum", "global"):
            found = model.generate(ids, **settings)
            return found.encode_seconds, found.sequences[0].tolist()
        if rival == "repeated":
            return repeated(model, bart, ids, settings)
        found = bart.generate(ids[:, 0], attention_mask=torch.ones_like(ids[:, 0]), do_sample=False, **settings)
        return float("nan"), found[0].tolist()

    seconds, (encode, summary) = timed(run, device)
    peak = torch.cuda.max_memory_allocated() / 2**20 if device == "cuda" else peak_memory()
    return {"seconds": seconds, "encode": encode, "peak": peak, "summary": summary}


def repeated(model, bart, ids, settings) -> tuple[float, list[int]]:
    """The plain way: one row of the decoder's batch for every page and beam."""
    import torch
    from transformers import DynamicCache, EncoderDecoderCache

    from pagesum_cli.decoding.rules import standard_rules
    from pagesum_cli.decoding.scorer import Step
    from pagesum_cli.decoding.search import beam_search

    pages, beams = ids.shape[1], settings["num_beams"]

    class Repeated:
        def __init__(self) -> None:
            states = [bart.model.encoder(ids[:, page]).last_hidden_state for page in range(pages)]
            self.encoded = torch.cat(states).repeat_interleave(beams, dim=0)  # (P·K, S, D)
            self.cache = EncoderDecoderCache(DynamicCache(), DynamicCache())

        def step(self, tokens, parents):
            if parents is not None:
                first = torch.arange(pages, device=ids.device)[:, None] * beams
                self.cache.reorder_cache((first + parents).flatten())
            out = bart.model.decoder(
                tokens.expand(pages, -1).reshape(-1, 1),
                encoder_hidden_states=self.encoded,
                past_key_values=self.cache,
                use_cache=True,
            )
            states = out.last_hidden_state.view(pages, beams, -1)
            confidences = model.lin(states).squeeze(-1).softmax(0)  # (P, K)
            mixed = (confidences[..., None] * states).sum(0)
            return Step(model.project(mixed)[None], {"page": confidences.T[None]})

    with torch.no_grad():
        began = time.perf_counter()
        scorer = Repeated()
        encode = time.perf_counter() - began
        length = settings["max_length"]
        rules = standard_rules(length, settings["min_length"], settings["no_repeat_ngram_size"], 2, None, 2)
        ends = {"max_length": length, "eos_token_id": 2, "pad_token_id": 1}
        start = torch.tensor([2], device=ids.device)
        found = beam_search(scorer, start, beams, rules, **ends, length_penalty=1.0, early_stopping=False)
    return encode, found.tokens[0].tolist()


def peak_memory() -> float:
    """Greatest resident memory of this process so far, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=SIZES, default="base")
    parser.add_argument("--pages", type=int, nargs="+", default=[1, 3, 7])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    common = (arguments.device, arguments.dtype, arguments.threads)
    if arguments.one:
        print(json.dumps(measure(arguments.one, arguments.size, arguments.pages[0], *common)))
        return
    print("| pages | way | encode s | whole s | tokens/s | peak MB | faster | same summary |\n|---" * 1, end="")
    print("|---" * 7 + "|")
    for pages in arguments.pages:
        rivals = [*(["transformers"] if pages == 1 else []), "repeated", "global", "pagesum"]
        found = {}
        for rival in rivals:
            command = [sys.executable, __file__, "--one", rival, "--size", arguments.size, "--pages", str(pages)]
            command += ["--device", common[0], "--dtype", common[1], "--threads", str(common[2])]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            found[rival] = json.loads(done.stdout.splitlines()[-1])
        for rival, result in found.items():
            faster = result["seconds"] / found["pagesum"]["seconds"]
            same = "yes" if result["summary"] == found["pagesum"]["summary"] else "no"
            print(
                f"| {pages} | {rival} | {result['encode']:.2f} | {result['seconds']:.2f} "
                f"| {NEW / result['seconds']:.1f} | {result['peak']:.0f} | {faster:.2f}× | {same} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
