"""Several processes that share the work, started by ``accelerate launch`` or ``torchrun``."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

LONGEST_WAIT = timedelta(days=7)
"""For the slowest process; the default of half an hour would end a run over a large data set."""


@dataclass(frozen=True)
class World:
    """This process among all of them."""

    rank: int = 0
    size: int = 1
    local_rank: int = 0

    def wait(self) -> None:
        """Wait until all processes are here."""
        if self.size > 1:
            from torch import distributed

            distributed.barrier()

    def device(self, device: str) -> str:
        """The device of this process: its own GPU if there are several processes and GPUs."""
        if self.size == 1 or device not in ("auto", "cuda"):
            return device
        import torch

        return f"cuda:{self.local_rank % torch.cuda.device_count()}" if torch.cuda.is_available() else device


def launched_world() -> World:
    """This process, as described by the launcher in the environment."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        return World()
    return World(int(os.environ["RANK"]), size, int(os.environ.get("LOCAL_RANK", "0")))


@contextmanager
def joined_world() -> Iterator[World]:
    """Connect all processes; they only wait for each other, so that any backend suffices."""
    world = launched_world()
    if world.size == 1:
        yield world
        return
    from torch import distributed

    distributed.init_process_group("gloo", timeout=LONGEST_WAIT)
    try:
        yield world
    finally:
        distributed.destroy_process_group()
