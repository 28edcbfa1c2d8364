"""The divisions of lessons in Markdown."""

import pytest

from pagesum_cli.documents.model import Document
from pagesum_cli.documents.readers.markdown import markdown_document
from pagesum_cli.quoting.cues import View, cues_of

LESSON = """\
---
title: Milling
---

::::::::: objectives

- Explain how a mill works.

:::::::::

A mill needs water.

## Stones

Stones wear down.

::: callout

## French stones

French stones last longer.

:::

Dress the stones in spring.

:::::: challenge

## Dull stones

How do you see that a stone is dull?

::: solution

Look at the flour.

:::
::::::

::: keypoints

- Dry grain mills best.

:::
"""
OLDER = """\
---
title: Milling
objectives:
- "Explain how a mill works."
keypoints:
- "Dry grain mills best."
- Wet grain
  clogs the stones.
---
A mill needs water.

> ## Dull stones
>
> How do you see that a stone is dull?
>
> > ## Solution
> >
> > Look at the flour.
> {: .solution}
{: .challenge}

Dress the stones in spring.
"""
DIRECTIVES = """\
# Milling

```{objectives}
- Explain how a mill works.
```

A mill needs water.

````{exercise} Dull stones
:label: dull
How do you see that a stone is dull?

```{solution}
Look at the flour.
```
````

Dress the stones in spring.

```{keypoints}
- Dry grain mills best.
```
"""


def _read(text: str) -> Document:
    return markdown_document(text, "mill.md", "mill.md")


def _sections(text: str) -> list[tuple[str, str]]:
    return [
        (one.heading, " ".join(paragraph.text for paragraph in one.paragraphs))
        for one in _read(text).sections
    ]


TASK = ("Exercise: Dull stones", "How do you see that a stone is dull?")


def test_a_division_has_a_heading_which_ends_with_it() -> None:
    assert _sections(LESSON) == [
        ("Objectives", "Explain how a mill works."),
        ("", "A mill needs water."),
        ("Stones", "Stones wear down."),
        ("French stones", "French stones last longer."),
        ("Stones", "Dress the stones in spring."),
        TASK,
        ("Exercise: solution", "Look at the flour."),
        ("Key points", "Dry grain mills best."),
    ]


def test_front_matter_and_quotations_of_older_lessons() -> None:
    assert _sections(OLDER) == [
        ("Objectives", "Explain how a mill works."),
        ("", "A mill needs water."),
        TASK,
        ("Exercise: Solution", "Look at the flour."),
        ("", "Dress the stones in spring."),
        ("Key points", "Dry grain mills best. Wet grain clogs the stones."),
    ]


def test_directives_of_lessons() -> None:
    assert _sections(DIRECTIVES) == [
        ("Objectives", "Explain how a mill works."),
        ("", "A mill needs water."),
        TASK,
        ("Exercise: solution", "Look at the flour."),
        ("", "Dress the stones in spring."),
        ("Key points", "Dry grain mills best."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "::: challenge\n\nIt is cold.\n\n## Wheels\n\nThey turn.\n",
        "```md\n::: challenge\n:::\n```\n\nIt is cold.\n\n## Wheels\n\nThey turn.\n",
        "::: {.column width=50%}\n\nIt is cold.\n\n## Wheels\n\n:::\n\nThey turn.\n",
        "> It is cold.\n\n## Wheels\n\nThey turn.\n{: .solution}\n",
    ],
    ids=["without end", "code", "another name", "quotation"],
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    sections = _sections(f"# Mill\n\n## Water\n\n{text}")
    assert sections == [("Water", "It is cold."), ("Wheels", "They turn.")]


@pytest.mark.parametrize("heading", ["Exercise: Dull stones", "Quiz 1.4: Mills", "Exercise 3.1"])
def test_exercises_are_not_quoted(heading: str) -> None:
    assert [one.name for one in cues_of(View("Stones wear down.", heading))] == ["back section"]


@pytest.mark.parametrize("heading", ["Exercise", "Solution", "Key points", "Exercise 3 times"])
def test_other_headings_have_no_cue(heading: str) -> None:
    assert not [*cues_of(View("Stones wear down.", heading))]


def test_deep_quotations_and_many_divisions_take_little_time() -> None:
    deep = "".join(f"{'> ' * depth}a\n" for depth in range(200, 0, -1))
    assert _read(f"# Mill\n\n{deep}{{: .solution}}\n").sections
    assert _read("# Mill\n\nIt is cold.\n" + "::: challenge\n" * 5_000).sections
