"""Options for generating or selecting a summary.

A new option of generation is a field of :class:`GenerationOptions`, and what uses it. Its flag, its
training setting, its default in checkpoints with its range there, its names in Python, and the
errors where it does nothing come from its row.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import Field, dataclass, fields, replace
from typing import Any

from ..errors import UsageError
from .paging import PagingOptions
from .table import Options, Row, option, row_of, suggestion

MAX_TOKENS = 1 << 20
MAX_BEAMS = 1000

CAPABILITIES = {
    "words": "a length in words",
    "sentences": "a length in sentences",
    "focus": "selecting sentences by a question or topic",
    "quotes": "quoting sentences",
    "editor": "an editor that chooses sentences",
    "text": "generating text token by token",
    "beams": "beam search",
    "attention": "tracing the attention to source words",
    "attention_temperature": "a temperature of the attention",
    "prompt": "reading parts with a prompt",
}
"""What a model may offer, by its name in ``PageModel.capabilities``."""


def _editor() -> Any:
    return option(
        None,
        "Let a language model choose the sentences by their numbers: URL#NAME of a server on this "
        "machine, such as Ollama, llama.cpp or vLLM, a name in pagesum models, such as smollm2, or "
        "a folder. Another address needs --allow-network (extractive models only).",
        metavar="MODEL",
        needs="editor",
        brief="A language model that chooses the sentences.",
    )


def _guide() -> Any:
    return option(
        None,
        "With --editor: a text file of at most a page that says what matters to the reader.",
        metavar="FILE",
        needs="editor",
        requires="editor",
        brief="With --editor: what matters to the reader.",
    )


@dataclass(frozen=True)
class EditorOptions(Options, panel="Summary"):
    """What chooses sentences where there are no other options of generation."""

    editor: str | None = _editor()
    guide: str | None = _guide()
    allow_network: bool = option(False, "Let the editor be on another machine.", requires="editor")

    def generation(self) -> "GenerationOptions":
        """Options of generation with these values."""
        return GenerationOptions(
            editor=self.editor, guide=self.guide, editor_network=self.allow_network or None
        )


@dataclass(frozen=True)
class GenerationOptions(Options, panel="Summary"):
    """How long a summary is and how it is searched for. None stands for the checkpoint's own value.

    In the symbols of the papers, ``beams`` is K, ``length_penalty`` α, ``coverage_penalty`` β and
    ``attention_temperature`` τ. Lengths in tokens do not count special tokens.
    """

    length: str | None = option(
        None,
        "Length relative to the model's default.",
        choices=("short", "medium", "long"),
        brief="short, medium or long.",
    )
    words: int | None = option(
        None,
        "Length in words, within 10 % or half a sentence.",
        min=1,
        needs="words",
        brief="Length in words.",
    )
    sentences: int | None = option(
        None, "Length in sentences.", min=1, needs="sentences", brief="Length in sentences."
    )
    focus: str | None = option(
        None,
        "Question or topic; selects sentences relevant to it (extractive models only).",
        metavar="TEXT",
        needs="focus",
        brief="Select sentences for a question or topic.",
    )
    verbatim: bool | None = option(
        None,
        "Quote whole sentences exactly, without repairs (extractive models only).",
        flags=("--verbatim",),
        needs="quotes",
        brief="Quote whole sentences exactly.",
    )
    editor: str | None = _editor()
    guide: str | None = _guide()
    editor_network: bool | None = option(
        None,
        "Let the editor be on another machine, as --allow-network does.",
        flags=("--editor-network",),
        hidden=True,
        needs="editor",
        off=False,
    )
    beams: int | None = option(
        None,
        "Number of beams; 1 is greedy search. Default: the model's own.",
        min=1,
        max=MAX_BEAMS,
        needs="beams",
        off=1,
        own=4,
        stored="num_beams",
        research=True,
    )
    min_length: int | None = option(
        None,
        "Minimum number of tokens in the summary.",
        min=0,
        max=MAX_TOKENS,
        off=0,
        stored="min_length",
        added=1,
        research=True,
    )
    max_length: int | None = option(
        None,
        "Maximum number of tokens in the summary.",
        min=1,
        max=MAX_TOKENS,
        off=18,
        own=256,
        stored="max_length",
        added=2,
        trained=254,
        research=True,
    )
    no_repeat_ngram: int | None = option(
        None,
        "Never repeat a sequence of this many tokens; 0 disables the rule.",
        min=0,
        max=MAX_TOKENS,
        needs="text",
        off=0,
        own=3,
        stored="no_repeat_ngram_size",
        research=True,
    )
    blocking: str | None = option(
        None,
        "What no-repeat-ngram prevents: all repetitions, except of tokens that the model "
        "exempts, such as a period "
        "(ngram), or only those of an earlier sentence (sentence). Default: the model's own.",
        choices=("ngram", "sentence"),
        needs="text",
        off="ngram",
        research=True,
    )
    length_penalty: float | None = option(
        None,
        "Values above 1 favor longer summaries.",
        min=-1000.0,
        max=1000.0,
        needs="beams",
        beams_only=True,
        off=1.0,
        own=2.0,
        stored="length_penalty",
        research=True,
    )
    length_normalization: str | None = option(
        None,
        "How scores are normalized by a length-penalty of X: divided by length ** X (power), or by "
        "((5 + length) / 6) ** X (gnmt). Default: the model's own.",
        choices=("power", "gnmt"),
        needs="beams",
        beams_only=True,
        off="power",
        research=True,
    )
    coverage_penalty: float | None = option(
        None,
        "Penalty for attending to the same source words repeatedly; 0 disables it. Only with "
        "beams, and for "
        "pointer-generator, copy-transformer and conv-seq2seq models. Default: the model's own.",
        min=0.0,
        max=1000.0,
        needs="attention",
        beams_only=True,
        off=0.0,
        research=True,
    )
    attention_temperature: float | None = option(
        None,
        "Temperature of the attention to the source; below 1 sharpens it. Only for "
        "pointer-generator, copy-transformer and conv-seq2seq models. Default: the model's own; "
        "1 in greedy search with a model that uses beams.",
        min=0.01,
        max=100.0,
        needs="attention_temperature",
        chosen_with_beams=True,
        off=1.0,
        research=True,
    )
    early_stopping: bool | None = option(
        None,
        "Stop at the first finished beams.",
        hidden=True,
        needs="beams",
        beams_only=True,
        off=False,
        stored="early_stopping",
    )

    instruction: str | None = option(
        None,
        "Prompt for a language model; {page} stands for the part that it reads. Default: "
        "the model's own.",
        metavar="TEXT",
        needs="prompt",
    )
    page_rule: str | None = option(
        None,
        "How a language model's predictions for the parts are combined: by a hidden Markov model "
        "over the parts (switch), the mean of their probabilities (mean), or their "
        "normalized product (product). Default: the model's own.",
        choices=("switch", "mean", "product"),
        needs="prompt",
        research=True,
    )
    switching: float | None = option(
        None,
        "With --page-rule switch: the probability that the part changes at a token. Default: the "
        "model's own.",
        min=0.0,
        max=1.0,
        needs="prompt",
        research=True,
    )
    contrast: float | None = option(
        None,
        "How strongly to subtract what a language model would write without any part; 0 disables "
        "this. Default: the model's own.",
        min=0.0,
        max=100.0,
        needs="prompt",
        research=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        tokens = self.max_length if self.min_length is None else self.min_length
        lengths = {"length": self.length, "words": self.words, "sentences": self.sentences}
        given = [
            name
            for name, value in {**lengths, "min-length or --max-length": tokens}.items()
            if value is not None
        ]
        if len(given) > 1:
            raise UsageError(
                f"--{given[0]} given together with --{given[1]}", "use one or the other"
            )
        if self.focus is not None and not self.focus.strip():
            raise UsageError("--focus is empty", "name a question or a topic")
        if (
            self.min_length is not None
            and self.max_length is not None
            and self.min_length > self.max_length
        ):
            raise UsageError(
                f"--min-length {self.min_length} is above --max-length {self.max_length}"
            )


@dataclass(frozen=True)
class EndingOptions(Options, panel="Summary"):
    """How a generated summary ends."""

    trim: bool = option(
        False,
        "Leave out the last sentence if it is cut off, for example at the maximum length "
        "(generating models only).",
        needs="text",
        off=False,
    )


def unused(
    options: Options, capabilities: Collection[str], *, greedy: GenerationOptions | None = None
) -> Iterator[Field[Any]]:
    """The given options that do nothing with a model; a value that has no effect anywhere is none
    of them.

    ``greedy`` has the model's own options, if it searches without beams; the same values are not
    refused, because a summary's settings state them.
    """
    for field in fields(options):
        row, value = row_of(field), getattr(options, field.name)
        if value in (None, row.off):
            continue
        is_for_beams = (
            row.beams_only and greedy is not None and value != getattr(greedy, field.name)
        )
        if (row.needs and row.needs not in capabilities) or is_for_beams:
            yield field


def supported(options: GenerationOptions, capabilities: Collection[str]) -> GenerationOptions:
    """The options without those that do nothing with a model."""
    needs = {field.name: row_of(field).needs for field in fields(options)}
    return replace(
        options, **{name: None for name, need in needs.items() if need and need not in capabilities}
    )


def refuse_unused(
    options: Options,
    capabilities: Collection[str],
    model: str,
    *,
    greedy: GenerationOptions | None = None,
) -> None:
    """Refuse options that do nothing with a model; see :func:`unused`."""
    for field in unused(options, capabilities, greedy=greedy):
        row, name = row_of(field), field.name.replace("_", "-")
        if row.needs and row.needs not in capabilities:
            need = CAPABILITIES[row.needs]
            hint = f"leave it out, or choose a --model that supports {need}"
            raise UsageError(
                f"--{name} does nothing with {model}, which does not support {need}", hint
            )
        raise UsageError(
            f"--{name} does nothing in greedy search", "leave it out, or use at least 2 beams"
        )


STORED_OPTIONS = tuple(
    field for field in fields(GenerationOptions) if row_of(field).off is not None
)
"""The options that checkpoints store."""

STORED = {
    field.name: (row_of(field).stored, row_of(field).added)
    for field in STORED_OPTIONS
    if row_of(field).stored
}
"""Names of the options that Transformers has, too, with its name and what is added to ours."""

DEFAULTS = GenerationOptions(**{field.name: row_of(field).paper for field in STORED_OPTIONS})
"""The paper's settings, for checkpoints without their own."""


UNCONSTRAINED = GenerationOptions(
    **{field.name: row_of(field).off for field in STORED_OPTIONS if field.name != "max_length"}
)
"""Greedy search without any rule, whatever the checkpoint's own settings are: up to its maximum
length.
"""


def for_beams(own: GenerationOptions, beams: int | None) -> GenerationOptions:
    """A checkpoint's own options in a search with so many beams; None: with its own number.

    In a greedy search instead of its beam search, what was chosen for the latter has no effect.
    """
    if beams != 1 or own.beams == 1:
        return own
    return replace(own, **_off_without_beams())


def _off_without_beams() -> dict[str, Any]:
    """Values without effect of the options that a checkpoint's were chosen for its beam search;
    none of them has another name in checkpoints.
    """
    rows = {field.name: row_of(field) for field in STORED_OPTIONS}
    return {name: row.off for name, row in rows.items() if row.chosen_with_beams}


def stored_name(field: Field[Any]) -> str:
    """The name of an option in checkpoints, and of ``model.generate``."""
    return row_of(field).stored or field.name


def stored_form(values: Any) -> dict[str, Any]:
    """Options, or settings of the same names, as checkpoints store them; what has no value is left
    out.
    """
    found = {field: getattr(values, field.name) for field in STORED_OPTIONS}
    return {
        stored_name(field): _added(value, row_of(field))
        for field, value in found.items()
        if value is not None
    }


def from_stored(stored: Mapping[str, Any]) -> GenerationOptions:
    """A checkpoint's generation settings; the paper's where it has none."""
    own = {}
    for field in STORED_OPTIONS:
        row, value = row_of(field), stored.get(stored_name(field))
        if value is not None:
            own[field.name] = max(value - row.added, row.min or 0) if row.added else value
    return DEFAULTS.changed(**own)


def searched(given: Mapping[str, Any], stored: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a search by their names in checkpoints: given, or stored, or such that they
    have no effect.
    """
    rows = {stored_name(field): row_of(field) for field in STORED_OPTIONS}
    for name in given:
        if name not in rows:
            raise UsageError(f"no option {name!r} of generation", suggestion(name, rows))
    values = {name: _added(row.off, row) for name, row in rows.items()}
    is_greedy_instead = given.get("num_beams") == 1 and stored.get("num_beams", 1) > 1
    of_beams = _off_without_beams() if is_greedy_instead else {}
    for source in ({**stored, **of_beams}, given):
        values |= {name: source[name] for name in rows if source.get(name) is not None}
    return values


def with_options(
    paging: PagingOptions | None, generation: GenerationOptions | None, options: dict[str, Any]
) -> tuple[PagingOptions, GenerationOptions]:
    """The options, changed where single ones are given by name."""
    paging, generation = paging or PagingOptions(), generation or GenerationOptions()
    for_paging = {name: value for name, value in options.items() if hasattr(paging, name)}
    for_generation = {name: value for name, value in options.items() if hasattr(generation, name)}
    unknown = options.keys() - for_paging.keys() - for_generation.keys()
    if unknown:
        raise UsageError(f"no option {sorted(unknown)[0]!r} of paging or generation")
    return paging.changed(**for_paging), generation.changed(**for_generation)


def _added(value: Any, row: Row) -> Any:
    return value + row.added if row.added else value
