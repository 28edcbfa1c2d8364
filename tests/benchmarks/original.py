"""Times the original PageSum program, its folder unmodified: run by ``decoding.py`` in an
environment of its own.

    PYTHON tests/benchmarks/original.py FOLDER JOB.pt

PYTHON has Transformers 4.6.1 and any PyTorch. (Where no wheel of its tokenizers fits, ``pip install
--no-deps transformers==4.6.1 huggingface_hub==0.0.8`` and ``pip install torch filelock tqdm regex
requests packaging sacremoses`` will do: no tokenizer is used.) ``JOB.pt`` holds weights, inputs and
settings; the result is one line of JSON.
"""

import json
import resource
import sys
import time
from typing import Any


def main() -> None:
    """Generate twice, and print what the second run took."""
    folder, job_file = sys.argv[1:]
    sys.path.insert(0, folder)
    import torch
    from modeling_bart_ours import PageSumModel
    from transformers import BartConfig

    job = torch.load(job_file)
    torch.set_num_threads(job["threads"])
    model = PageSumModel(
        BartConfig(**job["config"], forced_eos_token_id=2, forced_bos_token_id=None)
    ).eval()
    missing = model.load_state_dict(job["weights"], strict=False).missing_keys
    model.tie_weights()
    assert all("embed_tokens" in name or "lm_head" in name for name in missing), missing
    ids = job["ids"]  # (1, P, S)
    clock = time.process_time if job["cpu"] else time.perf_counter
    began_steps: list[float] = []
    prepare = model.prepare_inputs_for_generation

    def timed(*rest: Any, **named: Any) -> Any:
        began_steps.append(clock())
        return prepare(*rest, **named)

    model.prepare_inputs_for_generation = timed
    model.set_seq_num(ids.shape[1])
    for _ in range(2):
        began_steps.clear()
        began = clock()
        flat = ids.flatten(1)
        with torch.no_grad():
            found = model.generate(
                flat, attention_mask=torch.ones_like(flat), seq_num=ids.shape[1], **job["search"]
            )
        ended = clock()
    steps = [after - before for before, after in zip(began_steps, [*began_steps[1:], ended])]  # noqa: B905
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    result = {
        "seconds": ended - began,
        "encode": began_steps[0] - began,
        "steps": steps,
        "peak": peak,
    }
    print(json.dumps({**result, "summary": found[0].tolist()}))


if __name__ == "__main__":
    main()
