"""Threads that work ahead."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

from ..system import next_of, no_interruptions

T = TypeVar("T")
R = TypeVar("R")


def in_order(
    function: Callable[[T], R], items: Iterable[T], threads: int
) -> Iterator[R | Exception]:
    """What a function returns, or raises, for each item, in order; threads compute some results
    ahead.
    """
    tasks: SimpleQueue[tuple[T, SimpleQueue[R | Exception]] | None] = SimpleQueue()
    waiting: deque[SimpleQueue[R | Exception]] = deque()

    def work() -> None:
        while task := tasks.get():
            try:
                task[1].put(function(task[0]))
            except Exception as failure:
                task[1].put(failure)

    with no_interruptions():
        for _ in range(threads):
            Thread(target=work, daemon=True).start()
    try:
        for item in items:
            waiting.append(SimpleQueue())
            tasks.put((item, waiting[-1]))
            if len(waiting) > 2 * threads - 1:
                yield next_of(waiting.popleft())
        while waiting:
            yield next_of(waiting.popleft())
    finally:
        for _ in range(threads):
            tasks.put(None)
