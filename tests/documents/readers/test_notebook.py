"""Jupyter notebooks: text is read, code and what it prints are reported."""

import json
from typing import Any

import pytest

from pagesum_cli.documents.guard.reading import read_data
from pagesum_cli.errors import PagesumError

CELLS: list[dict[str, Any]] = [
    {"cell_type": "markdown", "source": ["# Owls\n", "They hunt at $10^{-4}$ Hz."]},
    {
        "cell_type": "code",
        "source": 'print("""```""")',
        "outputs": [
            {"output_type": "stream", "text": ["12 owls\n"]},
            {"output_type": "display_data", "data": {"text/plain": ["<Figure 1>"]}},
        ],
    },
    {"cell_type": "markdown", "source": "They eat mice."},
]


def test_a_notebook() -> None:
    data = json.dumps({"cells": CELLS, "nbformat": 4}).encode()
    document = read_data(data, "a.ipynb")[0]
    assert document.text == "Owls\n\nThey hunt at 10⁻⁴ Hz.\n\nThey eat mice."
    assert [(one.reason, one.text) for one in document.left_out] == [
        ("code", 'print("""```""")'),
        ("code", "12 owls"),
        ("code", "<Figure 1>"),
    ]


def test_a_notebook_of_version_3() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Owls"},
        {"cell_type": "markdown", "source": "Owls hunt."},
        {"cell_type": "code", "input": "x = 1", "outputs": []},
    ]
    data = json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}).encode()
    assert read_data(data, "a.ipynb")[0].text == "Owls\n\nOwls hunt."


@pytest.mark.parametrize("data", [b"{", b"[1]", b'{"cells": [3]}', b'{"cells": {"a": 1}}'])
def test_other_data_is_no_notebook(data: bytes) -> None:
    with pytest.raises(PagesumError, match="expected a notebook"):
        read_data(data, "a.ipynb")
