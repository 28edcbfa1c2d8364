"""Time and memory of local attention and of the whole top-down encoder, by the number of tokens, \
beside full attention.

    python tests/benchmarks/local_attention.py    # 1,024 to 16,384 tokens on the CPU
    python tests/benchmarks/local_attention.py --lengths 1024 4096 --training --device cuda

``local`` and ``full`` are one layer's self-attention at BART-large's width (1,024, 16 heads; a
window of 1,024). ``layer`` is one whole top-down layer of that width, ``encoder`` an encoder of
three layers and width 256. Each measurement is made in a process of its own, whose peak memory is
that above what it had before the first pass.
"""

import argparse
import json
import resource
import subprocess
import sys
import time

import torch

from pagesum_cli.models.layers.attention import Attention
from pagesum_cli.models.layers.transformer import local_attention
from pagesum_cli.models.topdown.encoder import TopDownConfig, TopDownEncoder, TopDownLayer, pool

KINDS = ("local", "full", "layer", "encoder")
WIDTH, HEADS, WINDOW = 1024, 16, 1024
SMALL = {
    "d_model": 256,
    "encoder_layers": 3,
    "encoder_attention_heads": 4,
    "encoder_ffn_dim": 1024,
    "vocab_size": 9,
}


def work(kind: str, length: int, device: str) -> tuple[torch.Tensor, torch.nn.Module, object]:
    """The input ``(1, L, D)``, the module, and what computes the output."""
    torch.manual_seed(0)
    config = TopDownConfig(**(SMALL if kind == "encoder" else {}), window=WINDOW, max_segments=700)
    states = torch.randn(1, length, config.d_model, device=device)
    mask = torch.ones(1, length, dtype=torch.bool, device=device)
    if kind == "encoder":
        encoder = TopDownEncoder(config).to(device)
        for weight in encoder.parameters():
            torch.nn.init.normal_(weight, std=0.02)
        places = torch.arange(length, device=device)[None]
        return states, encoder, lambda: encoder(states, mask, places)
    if kind == "layer":
        layer = TopDownLayer(config).to(device)
        return (
            states,
            layer,
            lambda: layer(states, None, config.reach, pool(states, mask, None, config)[0]),
        )
    attention = Attention(WIDTH, HEADS, 0.0).to(device)
    if kind == "local":
        return states, attention, lambda: local_attention(attention, states, None, config.reach)
    return states, attention, lambda: attention(states, attention.keys_values(states))


def measure(kind: str, length: int, training: bool, device: str) -> dict[str, float]:
    """Seconds of a pass, the better of two (on a CPU the process's own), and peak memory in MiB."""
    states, module, compute = work(kind, length, device)
    module.train(training)
    states.requires_grad_(training)
    on_gpu = device == "cuda"
    clock = time.perf_counter if on_gpu else time.process_time
    before = torch.cuda.memory_allocated() / 2**20 if on_gpu else peak()
    seconds = []
    for _ in range(2):
        began = clock()
        with torch.set_grad_enabled(training):
            output = compute()  # type: ignore[operator]
            if training:
                output.sum().backward()
        if on_gpu:
            torch.cuda.synchronize()
        seconds.append(clock() - began)
    after = torch.cuda.max_memory_allocated() / 2**20 if on_gpu else peak()
    return {"seconds": min(seconds), "memory": after - before}


def peak() -> float:
    """Peak memory of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lengths", type=int, nargs="+", default=[1024, 2048, 4096, 8192, 16384])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--training", action="store_true", help="forward and backward pass")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(
            json.dumps(
                measure(
                    arguments.kinds[0], arguments.lengths[0], arguments.training, arguments.device
                )
            )
        )
        return
    print("| kind | tokens | seconds | MiB | seconds, ratio | MiB, ratio |")
    for kind in arguments.kinds:
        before: dict[str, float] = {}
        for length in arguments.lengths:
            command = [sys.executable, __file__, "--one", "--kinds", kind, "--lengths", str(length)]
            command += [
                "--device",
                arguments.device,
                *(["--training"] if arguments.training else []),
            ]
            run = subprocess.run(command, capture_output=True, text=True, check=True)
            now = json.loads(run.stdout)
            ratios = [
                f"{now[name] / before[name]:.2f}" if before else ""
                for name in ("seconds", "memory")
            ]
            print(
                f"| {kind} | {length:,} | {now['seconds']:.3f} | {now['memory']:.0f} "
                f"| {' | '.join(ratios)} |",
                flush=True,
            )
            before = now


if __name__ == "__main__":
    main()
