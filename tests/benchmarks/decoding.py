"""How fast pages are encoded and decoded, beside what the machine's products and copies allow, with
peak memory.

    python tests/benchmarks/decoding.py [--size base|large|small|tiny] [--pages 1 7 20] \\
        [--dtypes float32 bfloat16] [--ways pagesum repeated] \\
        [--original FOLDER --original-python PYTHON] [--rounds 3] [--device cpu|cuda]
    python tests/benchmarks/decoding.py --pages 10 20 50 100 200 --dtypes bfloat16 \\
        --ways pagesum --new 16  # growth

Random weights (scaled so that outputs depend on the input), one document, pages of 1024 tokens, 4
beams, no-repeat 3-grams, 64 new tokens. Each way runs in a process of its own, twice, of which the
second run counts; the ways take turns for some rounds, and medians of the rounds are printed. On a
machine with other work, ``--threads 1 --cpu-time`` counts the process's own time.

- ``pagesum``: this program.
- ``repeated``: Transformers' BART decoder in the plain way: every page's encoder states, keys and
  values repeated for every beam and reordered at every step, under this program's beam search.
- ``global``: this program with global decoding: one decoder attends to all pages.
- ``transformers``: BART's own ``generate``, which has no pages (1 page only).
- ``original``: the original program, unmodified, where its folder is given (float32; see
  ``original.py``).

The floor of a step is its floating-point operations over the rate of products of as many rows with
a weight that stays in the cache, and the bytes of weights, keys and values over the rate of copies.
Encoding is compared with the rate of the feed-forward layer's product. Rates are measured in the
process whose share is printed, before and after its runs; the better ones count.
"""

import argparse
import itertools
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SIZES = {  # width, layers of encoder and decoder, heads, feed-forward width, vocabulary
    "tiny": (32, 1, 1, 2, 64, 50265),
    "small": (384, 6, 3, 12, 1536, 30522),
    "base": (768, 6, 6, 12, 3072, 50265),
    "large": (1024, 12, 12, 16, 4096, 50265),
}
TOKENS, BEAMS, NEW = 1024, 4, 64
SEARCH = {
    "num_beams": BEAMS,
    "max_length": NEW + 1,
    "min_length": NEW + 1,
    "no_repeat_ngram_size": 3,
}
COPIED = 1 << 28  # bytes, more than caches hold
OPERATIONS = int(1e9)  # of the products by which a rate is measured, at least
CLOCKS = {False: time.perf_counter, True: time.process_time}


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
        "init_std": 0.06,  # beams of smaller ones are tied; of larger ones, rounding decides
    }


def random_model(size: str) -> Any:
    """A PageSum model of random weights."""
    import torch

    from pagesum_cli import PageSumConfig, PageSumModel

    torch.manual_seed(0)
    return PageSumModel(
        PageSumConfig(**shape_of(size), generation={"forced_eos_token_id": 2})
    ).eval()


def random_ids(size: str, pages: int) -> Any:
    """The document, ``(1, P, S)``."""
    import torch

    return torch.randint(
        4, SIZES[size][-1], (1, pages, TOKENS), generator=torch.Generator().manual_seed(1)
    )


def timed(run: Callable[[], Any], device: str) -> tuple[float, Any]:
    """The median of three times, in seconds, after a run to warm up, and what that run returned."""
    run()
    times = [(*once(run, device), number) for number in range(3)]
    seconds, result, _ = sorted(times, key=lambda one: one[0])[1]
    return seconds, result


def once(
    run: Callable[[], Any], device: str, clock: Callable[[], float] = time.perf_counter
) -> tuple[float, Any]:
    """Seconds of a run, and what it returned."""
    import torch

    if device == "cuda":
        torch.cuda.synchronize()
    began = clock()
    result = run()
    if device == "cuda":
        torch.cuda.synchronize()
    return clock() - began, result


# What the machine allows


def work_of(size: str, pages: int, new: int) -> dict[str, float]:
    """Operations to encode (keys and values of the decoder included) and of a step, and numbers
    that a step reads.
    """
    width, encoder, decoder, _, inner, vocabulary = SIZES[size]
    tokens, rows = pages * TOKENS, pages * BEAMS
    layer = 4 * width * width + 2 * width * inner
    encoding = (
        encoder * (2 * tokens * layer + 4 * tokens * TOKENS * width)
        + decoder * 4 * tokens * width * width
    )
    # weights of a decoder layer that a step uses
    step_layer = 6 * width * width + 2 * width * inner
    own = new / 2  # tokens so far, on average
    step = (
        decoder * (2 * rows * step_layer + 4 * rows * (TOKENS + own) * width)
        + 2 * BEAMS * width * vocabulary
    )
    read = decoder * (step_layer + 2 * pages * (TOKENS + own) * width) + width * vocabulary
    return {"encoding": encoding, "step": step, "read": read}


def rates_of(
    size: str, pages: int, dtype: str, device: str, clock: Callable[[], float]
) -> dict[str, float]:
    """Operations per second of a step's and the encoder's products, and bytes that are copied per
    second.
    """
    import torch
    import torch.nn.functional as F

    from pagesum_cli.models.layers.packed import PackedLinear, can_pack

    width, inner, form = SIZES[size][0], SIZES[size][4], getattr(torch, dtype)

    def product(rows: int, out: int) -> float:
        states, weight = (torch.randn(some, width, device=device).to(form) for some in (rows, out))
        ways = [lambda: F.linear(states, weight)]
        if can_pack(weight):
            layer = PackedLinear(weight, None)
            ways.append(lambda: layer(states))
        repeats = max(1, OPERATIONS // (2 * rows * out * width))
        fastest = min(best(lambda way=way: [way() for _ in range(repeats)]) for way in ways)
        return 2 * rows * out * width * repeats / fastest

    def best(run: Callable[[], Any]) -> float:
        run()
        return min(once(run, device, clock)[0] for _ in range(7))

    with torch.no_grad():
        source = torch.ones(COPIED, dtype=torch.uint8, device=device)
        target = torch.empty_like(source)
        copies = 2 * COPIED / best(lambda: target.copy_(source))
        encoder = product(min(pages, 8) * TOKENS, inner)
        return {"step": product(pages * BEAMS, width), "encoder": encoder, "copies": copies}


# Ways


def measure(
    way: str, size: str, pages: int, dtype: str, new: int, device: str, threads: int, cpu: bool
) -> dict[str, Any]:
    """Seconds of the second run, to encode and of each step, peak memory in MB, the summary, the
    machine's rates.
    """
    import torch

    from pagesum_cli.system import keep_memory

    torch.set_num_threads(threads)
    clock = CLOCKS[cpu]
    if way in ("pagesum", "global"):
        keep_memory()  # as the commands do
    model = random_model(size)
    form = getattr(torch, dtype)
    if way == "global":
        model.config.decoding = "global"
    if way in ("repeated", "transformers"):
        from transformers import BartConfig, BartForConditionalGeneration

        bart = BartForConditionalGeneration(BartConfig(**shape_of(size))).eval()
        bart.load_state_dict(model.state_dict(), strict=False)
        bart.tie_weights()
        bart.to(device, form)
    model.to(device, form)
    ids = random_ids(size, pages).to(device)
    settings = {**SEARCH, "max_length": new + 1, "min_length": new + 1}
    before = rates_of(size, pages, dtype, device, clock) if way == "pagesum" else {}
    resident = peak_memory()
    stamps: list[float] = []

    def on_step(*_: Any) -> None:
        stamps.append(clock())

    def scorer(*given: Any) -> Any:
        made = type(model).scorer(model, *given)
        stamps.append(clock())
        return made

    model.scorer = scorer

    def run() -> tuple[float, list[int]]:
        stamps.clear()
        began = clock()
        if way in ("pagesum", "global"):
            found = model.generate(ids, **settings, on_step=on_step)
            return stamps[0] - began, found.sequences[0].tolist()
        if way == "repeated":
            return repeated(model, bart, ids, settings, on_step, clock)
        found = bart.generate(
            ids[:, 0], attention_mask=torch.ones_like(ids[:, 0]), do_sample=False, **settings
        )
        return float("nan"), found[0].tolist()

    run()
    seconds, (encode, summary) = once(run, device, clock)
    steps = [after - earlier for earlier, after in itertools.pairwise(stamps)]
    peak = torch.cuda.max_memory_allocated() / 2**20 if device == "cuda" else peak_memory()
    after = rates_of(size, pages, dtype, device, clock) if way == "pagesum" else {}
    rates = {name: max(rate, after[name]) for name, rate in before.items()}
    result = {
        "seconds": seconds,
        "encode": encode,
        "steps": steps,
        "peak": peak,
        "summary": summary,
        "rates": rates,
    }
    return {**result, "added": peak - resident}


def repeated(
    model: Any, bart: Any, ids: Any, settings: Any, on_step: Any, clock: Any
) -> tuple[float, list[int]]:
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
        began = clock()
        scorer = Repeated()
        encode = clock() - began
        length = settings["max_length"]
        rules = standard_rules(
            length, settings["min_length"], settings["no_repeat_ngram_size"], 2, None, 2
        )
        ends = {"max_length": length, "eos_token_id": 2, "pad_token_id": 1, "on_step": on_step}
        start = torch.tensor([2], device=ids.device)
        found = beam_search(
            scorer, start, beams, rules, **ends, length_penalty=1.0, early_stopping=False
        )
    return encode, found.tokens[0].tolist()


def peak_memory() -> float:
    """Greatest resident memory of this process so far, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# Report


def run_original(arguments: argparse.Namespace, pages: int) -> dict[str, Any]:
    """Measure the original program with the same weights, inputs and settings."""
    import torch

    model = random_model(arguments.size)
    config = {name: value for name, value in shape_of(arguments.size).items() if name != "init_std"}
    settings = {**SEARCH, "max_length": arguments.new + 1, "min_length": arguments.new + 1}
    settings |= {"length_penalty": 1.0, "early_stopping": False}
    job = {
        "config": config,
        "weights": model.state_dict(),
        "ids": random_ids(arguments.size, pages),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "job.pt"
        torch.save(
            {**job, "search": settings, "threads": arguments.threads, "cpu": arguments.cpu_time},
            path,
        )
        del model, job
        script = Path(__file__).with_name("original.py")
        return child(
            [arguments.original_python, str(script), str(arguments.original.resolve()), str(path)]
        )


def child(command: list[str]) -> dict[str, Any]:
    """What a process prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def summed_up(
    rounds: list[dict[str, Any]], size: str, pages: int, dtype: str, new: int
) -> dict[str, Any]:
    """Medians of the rounds; a token takes the median of a round's steps."""
    result: dict[str, Any] = {}
    for name in ("seconds", "encode", "peak"):
        result[name] = statistics.median(one[name] for one in rounds)
    tokens = [statistics.median(one["steps"]) if one["steps"] else float("nan") for one in rounds]
    result |= {"token": statistics.median(tokens), "summary": rounds[0]["summary"]}
    # Of whole runs, what is neither encoding nor a step like the others.
    shares = [
        one["seconds"] / (one["encode"] + new * token) - 1
        for one, token in zip(rounds, tokens, strict=True)
    ]
    result["rest"] = statistics.median(shares)
    work = work_of(size, pages, new)
    if rounds[0].get("rates"):
        width = 4 if dtype == "float32" else 2
        floors, products = [], []
        for one in rounds:
            floors.append(
                work["step"] / one["rates"]["step"] + width * work["read"] / one["rates"]["copies"]
            )
            products.append(work["encoding"] / one["rates"]["encoder"])
        result["floor"] = statistics.median(floors)
        result["share"] = statistics.median(
            floor / token for floor, token in zip(floors, tokens, strict=True)
        )
        result["encoding"] = statistics.median(
            product / one["encode"] for product, one in zip(products, rounds, strict=True)
        )
        best = {name: max(one["rates"][name] for one in rounds) for name in rounds[0]["rates"]}
        read = width * work["read"] / 1e6
        result["rates"] = (
            f"{pages} pages, {dtype}: a step is {work['step'] / 1e9:.2f} GFLOP and "
            f"reads {read:.0f} MB; products of "
            f"{pages * BEAMS} rows {best['step'] / 1e9:.0f} GFLOP/s, of the "
            f"encoder {best['encoder'] / 1e9:.0f}, "
            f"copies {best['copies'] / 1e9:.1f} GB/s"
        )
    return result


def line(
    way: str, pages: int, dtype: str, found: dict[str, Any], result: dict[str, Any], new: int
) -> str:
    """A row of the table."""
    ours = found["pagesum"]
    floor = (
        f"{1e3 * result['floor']:.1f} | {result['share']:.0%} | {result['encoding']:.0%}"
        if "floor" in result
        else "||"
    )
    slower = result["seconds"] / ours["seconds"]
    same = "yes" if result["summary"] == ours["summary"] else "no"
    return (
        f"| {pages} | {dtype} | {way} | {result['encode']:.2f} | {result['seconds']:.2f} "
        f"| {result['rest']:+.0%} "
        f"| {new / result['seconds']:.1f} | {1e3 * result['token']:.1f} | {floor} "
        f"| {result['peak']:.0f} "
        f"| {slower:.2f} | {same} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", choices=SIZES, default="base")
    parser.add_argument("--pages", type=int, nargs="+", default=[1, 7, 20])
    parser.add_argument("--dtypes", nargs="+", default=["float32", "bfloat16"])
    parser.add_argument("--ways", nargs="+", default=["pagesum", "repeated"])
    parser.add_argument("--original", type=Path, help="folder of the original program")
    parser.add_argument("--original-python", help="a Python with Transformers 4.6.1")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--new", type=int, default=NEW, help="new tokens")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--cpu-time", action="store_true", help="seconds of the process, with one thread"
    )
    parser.add_argument("--one", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    size, new = arguments.size, arguments.new
    common = (new, arguments.device, arguments.threads, arguments.cpu_time)
    if arguments.one:
        print(
            json.dumps(
                measure(arguments.one, size, arguments.pages[0], arguments.dtypes[0], *common)
            )
        )
        return
    print(
        "| pages | type | way | encode s | whole s | rest | tokens/s | ms a token | floor ms | "
        "share of the floor ",
        end="",
    )
    print(
        "| encoding: share of products | peak MB | times as long | same summary |\n"
        + "|---" * 14
        + "|",
        flush=True,
    )
    notes = []
    for pages in arguments.pages:
        for dtype in arguments.dtypes:
            ways = [way for way in arguments.ways if way != "transformers" or pages == 1]
            ways += ["original"] if arguments.original and dtype == "float32" else []
            rounds: dict[str, list[dict[str, Any]]] = {way: [] for way in ways}
            loads = []
            for _ in range(arguments.rounds):
                for way in ways:
                    loads.append(os.getloadavg()[0])
                    command = [
                        sys.executable,
                        __file__,
                        "--one",
                        way,
                        "--size",
                        size,
                        "--pages",
                        str(pages),
                    ]
                    command += ["--dtypes", dtype, "--new", str(new), "--device", arguments.device]
                    command += [
                        "--threads",
                        str(arguments.threads),
                        *["--cpu-time"] * arguments.cpu_time,
                    ]
                    rounds[way].append(
                        run_original(arguments, pages) if way == "original" else child(command)
                    )
            found = {way: summed_up(some, size, pages, dtype, new) for way, some in rounds.items()}
            for way, result in found.items():
                print(line(way, pages, dtype, found, result, new), flush=True)
            notes.append(f"{found['pagesum']['rates']}; load {min(loads):.1f} to {max(loads):.1f}")
    print("\n" + "\n".join(f"- {note}" for note in notes))


if __name__ == "__main__":
    main()
