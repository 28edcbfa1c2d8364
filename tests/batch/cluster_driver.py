"""A driver for tests: summarizes a file of records on a cluster, where some documents do what their
ids say.

``kill-once``: ends its worker the first time. ``kill``: ends it every time.
"""

import os
import signal
import sys
from contextlib import closing
from pathlib import Path

from pagesum_cli.batch.cluster import ClusterOptions, summarized
from pagesum_cli.batch.jobs import jobs_of
from pagesum_cli.batch.shards import Shards
from pagesum_cli.batch.talk import Silent
from pagesum_cli.batch.worker import Worker
from pagesum_cli.errors import PagesumError
from pagesum_cli.options import GenerationOptions, ModelOptions, PagingOptions


def renderer(scratch):
    """What makes the text of a summary in a worker."""

    def render(summary, documents, name):
        kind = name.rpartition("#")[2]
        marker = scratch / kind
        if kind == "kill" or (kind == "kill-once" and not marker.exists()):
            marker.write_text("")
            os.kill(os.getpid(), signal.SIGKILL)
        return f"{summary.to_line()}\n"

    return render


def main(address, corpus, model, folder, scratch):
    shards = Shards(folder, {}, size=5)
    with shards.locked():
        worker = Worker(
            ModelOptions(model=model), PagingOptions(), GenerationOptions(), Silent(), history=False
        )
        todo, done = shards.pending(jobs_of([corpus], None, print), [], "", print)
        print("done before:", done, flush=True)
        options = ClusterOptions(engine="ray", ray_address=address, workers=2)
        with closing(
            summarized(worker, todo, renderer(Path(scratch)), options, in_order=False)
        ) as results:
            for job, text, _, _ in results:
                if isinstance(text, PagesumError):
                    print("left out:", job.label.rpartition("#")[2], text.message, flush=True)
                else:
                    shards.write(todo[job], job.digest, text)
                    print("wrote:", job.label.rpartition("#")[2], flush=True)
        shards.finish()


if __name__ == "__main__":
    main(*sys.argv[1:])
