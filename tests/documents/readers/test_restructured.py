"""reStructuredText: headings, directives and roles."""

import pytest

from pagesum_cli.documents.guard.reading import read_data
from pagesum_cli.documents.input import Input
from pagesum_cli.documents.readers import restructured
from pagesum_cli.errors import PagesumError

SOURCE = """
====
Owls
====

:Author: Ann

They eat 10\\ :sup:`6` mice, see :ref:`the time <time>` [1]_.

.. note::

   They hunt at night.

.. versionadded:: 2.0
   They sleep, by :func:`~birds.sleep`.

.. code-block:: python

   No = 1

.. toctree::

   no

.. include:: /etc/passwd

.. [1] No note.
.. No comment.

Food
----

* Mice, :math:`x_i^2`

Bats
----

No owls.
"""


def test_restructured_text() -> None:
    document = restructured.read(Input("a.rst", "a.rst", given=SOURCE.encode()))[0]
    assert document.title == "Owls"
    assert [(one.heading, [part.text for part in one.paragraphs]) for one in document.sections] == [
        (
            "Owls",
            [
                "They eat 10⁶ mice, see the time.",
                "They hunt at night.",
                "Added in version 2.0: They sleep, by birds.sleep.",
            ],
        ),
        ("Food", ["Mice, xᵢ²"]),
        ("Bats", ["No owls."]),
    ]
    assert {one.reason for one in document.left_out} == {"front matter", "code", "footnote", "mark"}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("By Ann_, see `the mill <x_>`_ and |z|.", "By Ann, see the mill and z."),
        (".. versionchanged:: 2.5\n\nOwls hunt.", "Changed in version 2.5.\n\nOwls hunt."),
        (".. seealso::\n   :ref:`the mill` too.\n\n.. x:: :any:`bats`", "the mill too.\n\nbats"),
        (
            ".. sidebar:: Bats\n\n   No.\n\n.. topic:: Owls\n\n   6 hunt.",
            "Bats\n\nNo.\n\nOwls\n\n6 hunt.",
        ),
        ("-a, --all=N  takes 5 owls\n-b  bats", "-a, --all=N\n\ntakes 5 owls\n\n-b\n\nbats"),
    ],
)
def test_no_word_is_lost(source: str, text: str) -> None:
    assert read_data(source.encode(), "a.rst")[0].text == text


@pytest.mark.parametrize("source", [b".. image::", b"`a <b>`__ :x:`y` |z|", b"a\n=\n\nb\n--\n\nc"])
def test_broken_markup_is_text(source: bytes) -> None:
    assert read_data(source + b"\n\nOwls hunt.\n", "a.rst")[0].text.endswith("Owls hunt.")


@pytest.mark.parametrize(
    ("source", "reported"),
    [
        (".. ipython:: python\n\n   x = 128", "code: x = 128"),
        (".. raw:: html\n\n   <b>64</b>", "code: <b>64</b>"),
        (".. autoclass:: owls.Owl32\n   :members:", "code: owls.Owl32"),
        ("= ==\na b\n=", "code: = == a b ="),
        ("See [PEP-8]_ here.\n\n.. [PEP-8] A guide.", "mark: [PEP-8]"),
        (".. toctree::\n\n   part", ""),
    ],
)
def test_what_is_not_read_is_reported(source: str, reported: str) -> None:
    document = read_data(f"Owls hunt.\n\n{source}\n".encode(), "a.rst")[0]
    texts = [f"{one.reason}: {one.text}" for one in document.left_out]
    assert reported in (texts or [""])


def test_a_file_without_paragraphs_says_so() -> None:
    with pytest.raises(PagesumError, match="expected text, found headings only"):
        read_data(b"Owls\n====\n\n.. toctree::\n\n   part\n", "a.rst")


def test_items_of_lists_have_their_labels() -> None:
    source = "3. third\n4. fourth\n\n   * bullet\n\n   (b) more\n   (c) most\n\niv) roman\n\nText."
    (document,) = restructured.read(Input("a.rst", "a.rst", given=source.encode()))
    paragraphs = document.sections[0].paragraphs
    assert [(one.label, one.text) for one in paragraphs] == [
        ("3.", "third"),
        ("4.", "fourth"),
        ("", "bullet"),
        ("(b)", "more"),
        ("(c)", "most"),
        ("iv)", "roman"),
        ("", "Text."),
    ]


def test_messages_of_docutils_are_no_text_of_a_reference() -> None:
    source = (
        "Text is here.\n\n.. [A2004] One. doi:`10.1 <https://a.org/1>`_\n\n"
        ".. [B2004] Two. doi:`10.1 <https://a.org/2>`_\n"
    )
    (document,) = restructured.read(Input("a.rst", "a.rst", given=source.encode()))
    assert "INFO" not in " ".join(one.text for one in document.left_out)
