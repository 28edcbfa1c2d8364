"""Which numbers of a room can be raised by half without a failing test.

    python tests/benchmarks/constants.py ROOM TESTS [TESTS ...]

``ROOM`` is a folder of the package, such as ``quoting``; its named constants are changed one after
another, in a copy, and ``TESTS`` are run each time. Those that no test holds are printed.
"""

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
RAISED = 1.5


def constants(tree: ast.Module) -> Iterator[tuple[str, ast.Constant]]:
    """The numbers of the constants of a module, each with the names that it has or is one of."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(
            statement.targets[0], ast.Name | ast.Tuple
        ):
            names = ast.unparse(statement.targets[0])
            values = statement.value
            parts = values.elts if isinstance(values, ast.Tuple) else [values]
            for part in parts:
                number = part.operand if isinstance(part, ast.UnaryOp) else part
                if names.isupper() and is_number(number):
                    yield names, number


def is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def raised(source: str, number: ast.Constant) -> str:
    """A module's text with one of its numbers raised."""
    lines = source.splitlines(keepends=True)
    line = lines[number.lineno - 1].encode()
    value = type(number.value)(RAISED * number.value + (number.value == 1))
    new = line[: number.col_offset] + str(value).encode() + line[number.end_col_offset :]
    lines[number.lineno - 1] = new.decode()
    return "".join(lines)


def copied(folder: Path) -> Path:
    """A copy of the package; its assets are linked."""
    package = folder / "pagesum_cli"
    shutil.copytree(ROOT / "pagesum_cli", package, ignore=shutil.ignore_patterns("assets"))
    (package / "assets").symlink_to(ROOT / "pagesum_cli" / "assets")
    return package


def passes(folder: Path, tests: list[str]) -> bool:
    """Whether tests pass with the copy of the package in a folder."""
    pytest = str(Path(sys.executable).with_name("pytest"))  # python -m would find this folder first
    command = [pytest, "-qx", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    return not subprocess.run(command, cwd=ROOT, env=environment, capture_output=True).returncode


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("room")
    parser.add_argument("tests", nargs="+")
    arguments = parser.parse_args()
    count, free = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        package = copied(Path(folder))
        for path in sorted((package / arguments.room).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            for names, number in constants(ast.parse(source)):
                path.write_text(raised(source, number), encoding="utf-8")
                count += 1
                if passes(Path(folder), arguments.tests):
                    free += 1
                    print(f"{path.relative_to(package)}: {names}, {number.value}", flush=True)
            path.write_text(source, encoding="utf-8")
    print(f"{free} of {count} numbers are held by no test")


if __name__ == "__main__":
    main()
