"""A driver for tests: summarizes a file of records on a cluster, where some documents do what their ids say.

``kill-once``: ends its worker the first time. ``kill``: ends it every time. ``wait``: waits in the worker the first
time until the test has done something to its machine.
"""

import os
import resource
import signal
import sys
import time
from contextlib import closing
from pathlib import Path

from pagesum_cli.batch.cluster import ClusterOptions, summarized
from pagesum_cli.batch.columns import Silent
from pagesum_cli.batch.jobs import jobs_of
from pagesum_cli.batch.shards import Shards
from pagesum_cli.batch.worker import Worker
from pagesum_cli.errors import PagesumError
from pagesum_cli.options import GenerationOptions, ModelOptions, PagingOptions


def renderer(scratch):
    """What makes the text of a summary in a worker."""

    def render(summary, documents, name):
        import ray

        kind = name.rpartition("#")[2].rstrip("0123456789-")
        marker = scratch / f"{kind}-{ray.get_runtime_context().get_node_id()}"
        seen = list(scratch.glob(f"{kind}-*"))
        if kind == "kill" or (kind == "kill-once" and not seen):
            marker.write_text("")
            os.kill(os.getpid(), signal.SIGKILL)
        if kind == "wait" and not seen:
            marker.write_text("")
            while not (scratch / "go").exists():
                time.sleep(0.05)
        return f"{summary.to_line()}\n"

    return render


def main(address, corpus, model, folder, scratch, limit="0"):
    shards = Shards(folder, {}, size=5)
    with shards.locked():
        worker = Worker(ModelOptions(model=model), PagingOptions(), GenerationOptions(), Silent(), history=False)
        todo, done = shards.pending(jobs_of([corpus], None, print), [], "", print)
        print("done before:", done, flush=True)
        options = ClusterOptions(engine="ray", ray_address=address, workers=3)
        with closing(summarized(worker, todo, renderer(Path(scratch)), options)) as results:
            for job, text, _, _ in results:
                if isinstance(text, PagesumError):
                    print("left out:", job.label.rpartition("#")[2], text.message, flush=True)
                else:
                    if int(limit):  # as if the disk were full, for this file
                        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), resource.RLIM_INFINITY))
                    shards.write(todo[job], job.digest, text)
                    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
                    print("wrote:", job.label.rpartition("#")[2], flush=True)
        shards.finish()


if __name__ == "__main__":
    main(*sys.argv[1:])
