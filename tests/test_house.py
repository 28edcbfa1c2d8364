"""How hard the package is to read, in numbers that may only fall.

A function is complex if it has more than ten ways through it: conditions, boolean operators, loops
and comprehensions are counted.
"""

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "pagesum_cli"
RANK_C = 10  # complexity above which a function is hard to read

BRANCHES = (
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.Assert),
    ast.match_case,
)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

# Of each room: complex functions, and nodes of the expressions of a statement (90th percentile).
LIMITS = {
    "(top)": (4, 25),
    "batch": (7, 24),
    "cli": (19, 23),
    "datasets": (6, 26),
    "decoding": (0, 30),
    "documents": (6, 24),
    "documents/article": (3, 28),
    "documents/books": (2, 25),
    "documents/guard": (2, 21),
    "documents/pdf": (58, 30),
    "documents/readers": (31, 25),
    "documents/units": (0, 24),
    "editing": (0, 25),
    "evaluation": (16, 27),
    "judging": (0, 25),
    "lab": (13, 25),
    "locality": (5, 28),
    "models": (3, 24),
    "models/causal": (0, 22),
    "models/dpp": (0, 27),
    "models/extractive": (1, 27),
    "models/layers": (2, 28),
    "models/topdown": (0, 26),
    "options": (2, 25),
    "quoting": (0, 25),
    "retrieval": (0, 25),
    "server": (1, 27),
    "shapes": (2, 25),
    "summary": (16, 29),
    "text": (6, 28),
    "training": (7, 24),
    "views": (27, 27),
}


def room_of(file: Path) -> str:
    parts = file.relative_to(PACKAGE).parts
    depth = 2 if parts[0] in ("documents", "models") and len(parts) > 2 else 1
    return "/".join(parts[:depth]) if len(parts) > 1 else "(top)"


def complexity(function: ast.AST) -> int:
    """The number of ways through a function, those of functions inside of it apart."""
    count, nodes = 1, list(ast.iter_child_nodes(function))
    while nodes:
        node = nodes.pop()
        if isinstance(node, (*SCOPES, ast.Lambda)):
            continue
        count += isinstance(node, BRANCHES)
        if isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        if isinstance(node, ast.comprehension):
            count += 1 + len(node.ifs)
        nodes += ast.iter_child_nodes(node)
    return count


def sizes(tree: ast.AST) -> Iterator[int]:
    """Nodes in the expressions of each statement, docstrings and headers of functions apart."""
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not isinstance(node, ast.stmt) or isinstance(node, SCOPES) or is_text:
            continue
        parts = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        yield sum(1 for part in parts for _ in ast.walk(part))


def measured() -> dict[str, tuple[int, int]]:
    """Of each room: complex functions, and the 90th percentile of the size of expressions."""
    complex_functions: dict[str, int] = defaultdict(int)
    expressions: dict[str, list[int]] = defaultdict(list)
    for file in PACKAGE.rglob("*.py"):
        tree, room = ast.parse(file.read_text(encoding="utf-8")), room_of(file)
        functions = (node for node in ast.walk(tree) if isinstance(node, SCOPES[:2]))
        complex_functions[room] += sum(complexity(node) > RANK_C for node in functions)
        expressions[room] += sizes(tree)
    return {
        room: (complex_functions[room], sorted(found)[9 * len(found) // 10])
        for room, found in expressions.items()
        if found
    }


@pytest.fixture(scope="module")
def rooms() -> dict[str, tuple[int, int]]:
    return measured()


@pytest.mark.parametrize("room", LIMITS)
def test_no_room_gets_harder_to_read(room: str, rooms: dict[str, tuple[int, int]]) -> None:
    most, largest = LIMITS[room]
    count, size = rooms[room]
    assert count <= most, "split the function that has become complex"
    assert size <= largest, "name the parts of the expressions that have grown"


def test_a_room_that_has_become_easier_stays_so(rooms: dict[str, tuple[int, int]]) -> None:
    assert {room: most for room, (most, _) in LIMITS.items()} == {
        room: count for room, (count, _) in rooms.items()
    }


def test_complexity_counts_ways() -> None:
    text = "def f(a):\n if a and a.b:\n  return [x for x in a if x]\n return 1 if a else 2\n"
    assert complexity(ast.parse(text).body[0]) == 6


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.toml")), ids=lambda file: file.stem)
def test_every_table_is_toml(file: Path) -> None:
    tomllib.loads(file.read_text(encoding="utf-8"))
