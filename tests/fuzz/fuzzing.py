"""Attacks the program with inputs made from a seed, each under a limit of time and memory.

A fuzzer is a script with a table of attacks. An attack gets a random generator and an empty folder,
makes an input there and uses it as a user would; it may raise a :class:`PagesumError`, and nothing
else. Input ``i`` of seed ``s`` is always the same one: ``--seed s --first i --count 1`` repeats it,
here in this process with ``--debug``.
"""

import argparse
import math
import os
import random
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pagesum_cli.errors import PagesumError

sys.path.append(str(Path(__file__).parents[1]))  # for tiny.py, beside this folder

SECONDS = 30
"""CPU seconds that one input may take."""

MEMORY = 1 << 30
"""Bytes that a worker may take beyond what it has when it starts."""

Attack = Callable[[random.Random, Path], None]


@dataclass(frozen=True)
class Outcome:
    """What became of an input.

    Attributes:
        number: Its number.
        kind: The name of the attack.
        seconds: CPU seconds it took.
        result: ``done``, ``refused`` (a PagesumError), or what went wrong.
    """

    number: int
    kind: str
    seconds: float
    result: str

    @property
    def failed(self) -> bool:
        """Whether something else happened than a result or a clear error."""
        return self.result not in ("done", "refused")


def main(name: str, attacks: Mapping[str, Attack]) -> None:
    """The command line of a fuzzer: prints a line for each failure, and a table; exit code 1 if
    there was any.
    """
    parser = argparse.ArgumentParser(description=f"Fuzzes {name}.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--kinds", nargs="*", choices=sorted(attacks), help="only these attacks")
    parser.add_argument(
        "--debug", action="store_true", help="in this process, with tracebacks and without limits"
    )
    asked = parser.parse_args()
    chosen = {kind: attacks[kind] for kind in asked.kinds or attacks}
    numbers = range(asked.first, asked.first + asked.count)
    if asked.debug:
        for number in numbers:
            with tempfile.TemporaryDirectory() as folder:
                _attack(chosen, asked.seed, number)(Path(folder))
        return
    outcomes = []
    for outcome in fuzz(chosen, asked.seed, numbers):
        outcomes.append(outcome)
        if outcome.failed:
            print(
                f"--seed {asked.seed} --first {outcome.number}: {outcome.kind}: {outcome.result}",
                flush=True,
            )
    _report(outcomes)
    sys.exit(any(outcome.failed for outcome in outcomes))


def _report(outcomes: Iterable[Outcome]) -> None:
    counts: dict[str, Counter[str]] = {}
    slowest: dict[str, Outcome] = {}
    for one in outcomes:
        counts.setdefault(one.kind, Counter())["failed" if one.failed else one.result] += 1
        slowest[one.kind] = max(
            slowest.get(one.kind, one), one, key=lambda outcome: outcome.seconds
        )
    for kind, results in sorted(counts.items()):
        slow = slowest[kind]
        row = ", ".join(f"{results[name]} {name}" for name in ("done", "refused", "failed"))
        print(
            f"{kind:20} {results.total():6} inputs: {row}; slowest {slow.seconds:.1f} s "
            f"(number {slow.number})"
        )


def fuzz(
    attacks: Mapping[str, Attack],
    seed: int,
    numbers: Iterable[int],
    seconds: int = SECONDS,
    memory: int = MEMORY,
) -> Iterator[Outcome]:
    """Attack with some inputs in a forked worker; one that dies is replaced, and its input
    reported.

    Args:
        attacks: The attacks by name; each input is of one of them, in turn.
        seed: Of the random generators.
        numbers: Which inputs.
        seconds: CPU seconds for one input; four times as long by the clock.
        memory: Bytes for all inputs of a worker.
    """
    waiting = list(numbers)
    kinds = list(attacks)
    while waiting:
        reader, writer = os.pipe()
        worker = os.fork()
        if not worker:
            os.close(reader)
            _work(attacks, seed, waiting, writer, seconds, memory)
        os.close(writer)
        with os.fdopen(reader, "rb", buffering=0) as lines:
            while waiting:
                number, began = waiting[0], time.monotonic()
                kind = kinds[number % len(kinds)]
                line = (
                    lines.readline() if select.select([lines], [], [], 4 * seconds)[0] else b"hang"
                )
                if line in (b"", b"hang"):
                    break
                waiting.pop(0)
                spent, _, result = line.decode().strip().partition(" ")
                yield Outcome(number, kind, float(spent), result)
                if result.startswith("MemoryError"):
                    break
        if not waiting and line not in (b"", b"hang"):
            os.waitpid(worker, 0)
            return
        os.kill(worker, signal.SIGKILL)
        _, status = os.waitpid(worker, 0)
        if line in (b"", b"hang"):
            waiting.pop(0)
            yield Outcome(number, kind, time.monotonic() - began, _cause(line, status))


def _cause(line: bytes, status: int) -> str:
    if line == b"hang":
        return "hang"
    ended = (
        signal.Signals(os.WTERMSIG(status)).name
        if os.WIFSIGNALED(status)
        else f"exit {os.WEXITSTATUS(status)}"
    )
    return "hang (CPU time)" if ended == "SIGXCPU" else f"died: {ended}"


def _attack(attacks: Mapping[str, Attack], seed: int, number: int) -> Callable[[Path], None]:
    kind = list(attacks)[number % len(attacks)]
    return lambda folder: attacks[kind](random.Random(f"{seed} {kind} {number}"), folder)


def _work(
    attacks: Mapping[str, Attack],
    seed: int,
    numbers: Iterable[int],
    writer: int,
    seconds: int,
    memory: int,
) -> None:
    """The worker: a line for each input, ``seconds result``. Does not return."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(
        resource.RLIMIT_AS, (pages * resource.getpagesize() + memory, resource.RLIM_INFINITY)
    )
    for number in numbers:
        began = time.process_time()
        resource.setrlimit(
            resource.RLIMIT_CPU, (math.ceil(began) + seconds, resource.RLIM_INFINITY)
        )
        with tempfile.TemporaryDirectory() as folder:
            try:
                _attack(attacks, seed, number)(Path(folder))
                result = "done"
            except PagesumError as error:
                result = (
                    "refused"
                    if "\n" not in error.message
                    else f"a message of several lines: {error.message!r}"
                )
            except BaseException as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{Path(place.filename).name}:{place.lineno}"
                result = f"{type(error).__name__} at {where}: {' '.join(str(error).split())[:200]}"
        os.write(writer, f"{time.process_time() - began:.2f} {result}\n".encode("utf-8", "replace"))
    os._exit(0)


# --- mutations ------------------------------------------------------------------------------------

NUMBERS = (
    b"0",
    b"-1",
    b"1",
    b"65536",
    b"2147483648",
    b"99999999999999999999",
    b"1e308",
    b"-1e20",
    b"0.0000001",
    b"NaN",
)


def mutated(
    random: random.Random, data: bytes, others: Iterable[bytes] = (), tokens: Iterable[bytes] = ()
) -> bytes:
    """A few changes to some bytes: of single bytes, of numbers and known tokens, cuts, repetitions
    and splices.
    """
    others, tokens = list(others), list(tokens)
    for _ in range(random.choice((1, 1, 2, 3, 5, 10))):
        if not data:
            break
        start = random.randrange(len(data))
        end = min(len(data), start + int(2 ** random.uniform(0, 10)))
        change = random.randrange(9)
        if change == 0:
            changed = bytearray(data)
            for _ in range(random.choice((1, 4, 32))):
                changed[random.randrange(len(data))] = random.randrange(256)
            data = bytes(changed)
        elif change == 1:
            data = data[:start]
        elif change == 2:
            data = data[:start] + data[end:]
        elif change == 3:
            data = data[:end] + data[start:end] * random.choice((1, 2, 10, 100)) + data[end:]
        elif change == 4 and others:
            other = random.choice(others)
            begin = random.randrange(len(other) + 1)
            data = (
                data[:start]
                + other[begin : begin + random.choice((10, 1000, 100_000))]
                + data[end:]
            )
        elif change in (5, 6):
            data = _with_number(random, data, start)
        elif tokens:
            token = random.choice(tokens) * random.choice((1, 1, 1, 10, 1000))
            data = data[:start] + token + data[random.choice((start, end)) :]
    return data[:1_000_000]


def _with_number(random: random.Random, data: bytes, start: int) -> bytes:
    """The next number replaced by an extreme one."""
    digits = [
        place for place in range(start, min(start + 200, len(data))) if 48 <= data[place] <= 57
    ]
    if not digits:
        return data
    first = last = digits[0]
    while last < len(data) and 48 <= data[last] <= 57:
        last += 1
    return data[:first] + random.choice(NUMBERS) + data[last:]


def pumped(random: random.Random, parts: Iterable[str], size: int) -> str:
    """A text of about a size that repeats a few random parts: what makes a pattern with two loops
    explode.
    """
    chosen = random.choices(list(parts), k=random.choice((1, 1, 2, 3, 5)))
    unit = "".join(chosen)
    text = unit * (size // max(len(unit), 1) + 1)
    return (
        random.choice(("", "".join(random.choices(list(parts), k=5))))
        + text[:size]
        + random.choice(("", "!", "\n\nx"))
    )
