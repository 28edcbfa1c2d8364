"""Several processes that share the work, as ``accelerate launch`` or ``torchrun`` starts them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

LONGEST_WAIT = timedelta(days=7)
"""For the slowest process; the default of half an hour would end a run over a large data set."""


@dataclass(frozen=True)
class World:
    """This process among all of them.

    Attributes:
        rank: its number, from 0.
        size: how many there are.
        local_rank: its number on this machine, which chooses the GPU.
    """

    rank: int = 0
    size: int = 1
    local_rank: int = 0

    def wait(self) -> None:
        """Wait until all processes are here."""
        if self.size > 1:
            from torch import distributed

            distributed.barrier()

    def device(self, wanted: str) -> str:
        """The device of this process: its own GPU where there are several processes and GPUs."""
        if self.size == 1 or wanted not in ("auto", "cuda"):
            return wanted
        import torch

        return f"cuda:{self.local_rank % torch.cuda.device_count()}" if torch.cuda.is_available() else wanted


def launched_world() -> World:
    """Which of the processes this is, as the launcher tells in the environment."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        return World()
    return World(int(os.environ["RANK"]), size, int(os.environ.get("LOCAL_RANK", "0")))


@contextmanager
def joined_world() -> Iterator[World]:
    """All the processes together; only waiting goes over the wire, so that any backend does."""
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
