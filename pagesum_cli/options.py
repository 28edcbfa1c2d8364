"""Options for cutting pages and for generating summaries: their choices, defaults and limits, written once.

Flags, presets, checkpoints' defaults and the Python API all fill these dataclasses. ``cli.options.with_flags`` makes
the flags of a verb from them; see :func:`option` for what it reads.
"""

import difflib
from collections.abc import Iterable
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, ClassVar, Self

from .errors import UsageError

LOCALITIES = ["auto", "spatial", "discourse", "document"]
"""Names of the localities; :data:`pagesum_cli.locality.LOCALITIES` has what forms their units."""
OVERFLOWS = ("continue", "truncate")
LENGTHS = ("short", "medium", "long")
LENGTH_NORMALIZATIONS = ("power", "gnmt")
BLOCKINGS = ("ngram", "sentence")
MAX_COVERAGE_PENALTY = 1000.0
TEMPERATURES = (0.01, 100.0)
"""The lowest and the highest temperature of the attention."""
DEVICES = ("auto", "cpu", "cuda", "mps")
DTYPES = ("auto", "float32", "bfloat16", "float16")
DEFAULT_MODEL = "mini"

MIN_PAGE_TOKENS = 34


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The most similar known name, for a hint; None if none is similar."""
    matches = difflib.get_close_matches(name.lower(), list(known), n=1, cutoff=0.5)
    return matches[0] if matches else None


def option(default: Any, help: str, **limits: Any) -> Any:
    """A field of an option dataclass, checked by :func:`check_value`.

    Args:
        default: Its default value.
        help: What it does, as shown by ``--help``.
        limits: ``choices``; ``min`` and ``max`` (``exclusive``: the minimum itself is not allowed); ``metavar``;
            ``flags``: names instead of ``--field-name`` (``-x`` alone is added to it); ``panel``: the heading in the
            help instead of the dataclass's own; ``hidden``: not shown in the help.
    """
    return field(default=default, metadata={"help": help, **limits})


def flags_of(one: Field[Any]) -> list[str]:
    """The flags of a field, as ``--long``, ``-s`` or ``--on/--off``."""
    names = list(one.metadata.get("flags", ()))
    if not any(name.startswith("--") for name in names):
        names.insert(0, f"--{one.name.replace('_', '-')}")
    return names


@dataclass(frozen=True)
class Options:
    """Base of all option dataclasses: every value is checked once, when it is made.

    Attributes:
        panel: The heading above its flags in the help.
    """

    panel: ClassVar[str] = "Options"

    def __post_init__(self) -> None:
        for one in fields(self):
            check_value(one.name, getattr(self, one.name), one.metadata)

    def changed(self, **changes: Any) -> Self:
        """A copy with the given values, where they are not None."""
        return replace(self, **{name: value for name, value in changes.items() if value is not None})


def check_value(name: str, value: Any, limits: Any) -> None:
    """Check a value against the metadata of its field.

    Raises:
        UsageError: It is not among the choices, or out of range.
    """
    flag = name.replace("_", "-")
    if value is None:
        return
    choices = limits.get("choices")
    if choices and value not in choices:
        near = nearest(str(value), choices)
        raise UsageError(
            f"{flag} {value!r}: expected one of {', '.join(choices)}",
            f"did you mean {near}?" if near else f"for example --{flag} {choices[0]}",
        )
    low, high = limits.get("min"), limits.get("max")
    if value != value:  # NaN
        raise UsageError(f"{flag} {value}: expected a number")
    if low is not None and (value <= low if limits.get("exclusive") else value < low):
        raise UsageError(f"{flag} {value}: expected {'more than' if limits.get('exclusive') else 'at least'} {low}")
    if high is not None and value > high:
        raise UsageError(f"{flag} {value}: expected at most {high}")


@dataclass(frozen=True)
class PagingOptions(Options):
    """How documents are cut into pages. None stands for the checkpoint's own value.

    Attributes:
        locality: ``spatial``, ``discourse``, ``document``, or ``auto`` (the checkpoint's own, else document for several
            documents, else discourse where headings were found, else spatial).
        page_tokens: ``S``, tokens of a page, special tokens included.
        max_pages: Read no more pages than this; None reads all.
        num_pages: ``P`` of an official checkpoint: exactly this many pages, formed as in the paper.
        document_tokens: Read only the first tokens of each document, special tokens not counted; None reads all.
        source_tokens: Read this many tokens of all documents together, special tokens not counted: of each of ``m``
            documents the first ``source_tokens / m``, and more of the longer ones where others are shorter.
        overflow: What happens to a unit longer than a page: ``continue`` on further pages, or ``truncate``.
        beyond_abstract: Leave out the abstract, and do not repeat it.
    """

    panel: ClassVar[str] = "Parts"

    locality: str = option(
        "auto",
        "How the text is divided into parts: by runs of sentences (spatial), sections (discourse) or files (document). "
        "auto: as the model was trained; else document for several files, discourse if sections are found, or spatial.",
        choices=LOCALITIES,
    )
    page_tokens: int | None = option(
        None, "Tokens per part. Default: the model's own.", min=MIN_PAGE_TOKENS, metavar="N"
    )
    max_pages: int | None = option(None, "Read at most N parts, and report what is not read.", min=1, metavar="N")
    num_pages: int | None = option(
        None, "Divide the text into exactly N parts, as the original PageSum program does.", min=1, metavar="N"
    )
    document_tokens: int | None = option(
        None, "Read only the first N tokens of each document, whatever the size of its parts.", min=1, metavar="N"
    )
    source_tokens: int | None = option(
        None,
        "Read only N tokens of all documents together: the first N/m of each of m documents, and more of the longer "
        "ones where others are shorter. Default: as the model was trained.",
        min=1,
        metavar="N",
    )
    overflow: str = option(
        "continue",
        "What to do with a section too long for one part: continue in further parts, or truncate it as the paper does.",
        choices=OVERFLOWS,
    )
    beyond_abstract: bool = option(
        False, "Leave out the abstract, which people have read already, and summarize the rest without repeating it."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.num_pages is not None and (self.max_pages is not None or self.overflow != "continue"):
            raise UsageError(
                f"num-pages {self.num_pages} given together with max-pages or overflow",
                "num-pages divides the text as the original program does, which truncates",
            )
        if self.document_tokens is not None and self.source_tokens is not None:
            raise UsageError(
                f"document-tokens {self.document_tokens} given together with source-tokens {self.source_tokens}",
                "document-tokens limits each document, source-tokens all of them together: give one or the other",
            )

    def filled(
        self,
        page_tokens: int,
        num_pages: int | None,
        max_position_embeddings: int,
        locality: str = "auto",
        source_tokens: int | None = None,
    ) -> "PagingOptions":
        """The options with a checkpoint's own values where nothing was given.

        Raises:
            UsageError: Pages are longer than the model's positions.
        """
        chosen = self.page_tokens or min(page_tokens, max_position_embeddings)
        if chosen > max_position_embeddings:
            raise UsageError(
                f"page-tokens {chosen}, but the model has {max_position_embeddings} positions",
                f"give at most {max_position_embeddings}",
            )
        fixed = self.num_pages
        if fixed is None and self.max_pages is None and self.overflow == "continue":
            fixed = num_pages
        elif fixed is None and num_pages is not None:
            raise UsageError(
                f"a checkpoint with a fixed number of {num_pages} parts takes neither max-pages nor overflow",
                "leave them out: its parts are formed as in the paper",
            )
        chosen_locality = locality if self.locality == "auto" else self.locality
        read = self.source_tokens if self.source_tokens or self.document_tokens else source_tokens
        return replace(self, locality=chosen_locality, page_tokens=chosen, num_pages=fixed, source_tokens=read)


@dataclass(frozen=True)
class GenerationOptions(Options):
    """How long a summary is and how it is searched for. None stands for the checkpoint's own value.

    Attributes:
        length: ``short``, ``medium`` or ``long``: half, as much as, or up to twice the checkpoint's own length.
        words, sentences: About so many words, or so many sentences.
        focus: A question or topic; sentences relevant to it are selected (extractive models only).
        beams: ``K``; 1 for greedy search.
        min_length, max_length: Tokens of the summary, special tokens not counted.
        no_repeat_ngram: No n-gram of this size occurs twice; 0 for no such rule.
        blocking: ``ngram``: n-grams with one of the checkpoint's ``unblocked_token_ids`` may repeat, others may not;
            ``sentence``: n-grams of an earlier sentence may not; those tokens end sentences.
        length_penalty: Values above 1 favor longer summaries (beams only).
        length_normalization: What sums of log probabilities are divided by (beams only): ``power`` is ``length ** α``,
            ``gnmt`` is ``((5 + length) / 6) ** α``, with α the ``length_penalty``.
        coverage_penalty: β of the stepwise penalty of repeated attention (beams only; models that trace ``attention``).
        attention_temperature: τ; attention scores are divided by it before the softmax
            (models with ``has_attention_temperature``).
        early_stopping: Stop at the first ``beams`` finished summaries (beams only).
    """

    panel: ClassVar[str] = "Summary"

    length: str | None = option(
        None,
        "Length relative to the model's default.",
        choices=LENGTHS,
    )
    words: int | None = option(None, "Length in words, within 10 % or half a sentence.", min=1, metavar="N")
    sentences: int | None = option(None, "Length in sentences.", min=1, metavar="N")
    focus: str | None = option(
        None, "Question or topic; selects sentences relevant to it (extractive models only).", metavar="TEXT"
    )
    beams: int | None = option(
        None, "Number of beams; 1 is greedy search. Default: the model's own.", min=1, metavar="N"
    )
    min_length: int | None = option(None, "Minimum number of tokens in the summary.", min=0, metavar="N")
    max_length: int | None = option(None, "Maximum number of tokens in the summary.", min=1, metavar="N")
    no_repeat_ngram: int | None = option(
        None, "Never repeat a sequence of this many tokens; 0 disables the rule.", min=0, metavar="N"
    )
    blocking: str | None = option(
        None,
        "What no-repeat-ngram prevents: all repetitions, except of tokens that the model exempts, such as a period "
        "(ngram), or only those of an earlier sentence (sentence). Default: the model's own.",
        choices=BLOCKINGS,
    )
    length_penalty: float | None = option(
        None, "Values above 1 favor longer summaries.", min=float("-inf"), metavar="X"
    )
    length_normalization: str | None = option(
        None,
        "How scores are normalized by a length-penalty of X: divided by length ** X (power), or by "
        "((5 + length) / 6) ** X (gnmt). Default: the model's own.",
        choices=LENGTH_NORMALIZATIONS,
    )
    coverage_penalty: float | None = option(
        None,
        "Penalty for attending to the same source words repeatedly; 0 disables it. Only with beams, and for "
        "pointer-generator, copy-transformer and conv-seq2seq models. Default: the model's own.",
        min=0.0,
        max=MAX_COVERAGE_PENALTY,
        metavar="X",
    )
    attention_temperature: float | None = option(
        None,
        "Temperature of the attention to the source; below 1 sharpens it. Only for the same models. Default: the "
        "model's own.",
        min=TEMPERATURES[0],
        max=TEMPERATURES[1],
        metavar="X",
    )
    early_stopping: bool | None = option(None, "Stop at the first finished beams.", hidden=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        tokens = self.max_length if self.min_length is None else self.min_length
        lengths = {"length": self.length, "words": self.words, "sentences": self.sentences}
        given = [name for name, value in {**lengths, "min-length or max-length": tokens}.items() if value is not None]
        if len(given) > 1:
            raise UsageError(f"{given[0]} given together with {given[1]}", "give one or the other")
        if self.focus is not None and not self.focus.strip():
            raise UsageError("focus is empty", "give a question or a topic")
        if self.min_length is not None and self.max_length is not None and self.min_length > self.max_length:
            raise UsageError(f"min-length {self.min_length} is above max-length {self.max_length}")


@dataclass(frozen=True)
class EndingOptions(Options):
    """How a generated summary ends."""

    panel: ClassVar[str] = "Summary"

    trim: bool = option(
        False, "Leave out the last sentence if it breaks off, as at the maximum length (generating models only)."
    )


def unfinished_quotes(model: str) -> UsageError:
    """The error where ``trim`` is given with a model that quotes whole sentences."""
    return UsageError(f"trim does nothing with {model}, which quotes whole sentences", "leave it out")


@dataclass(frozen=True)
class RecursionOptions(Options):
    """Whether documents are books, which are summarized chapter by chapter."""

    panel: ClassVar[str] = "Books"

    recursive: bool = option(
        False,
        "Summarize each chapter of a book, then the chapters' summaries. Each of several files is a chapter; with "
        "--each, a book.",
    )
    chapter_model: str | None = option(
        None, "With --recursive: the model that summarizes the chapters. Default: the same --model.", metavar="NAME"
    )

    def check(self, paging: PagingOptions) -> None:
        """Check the flags of books.

        Raises:
            UsageError: One is missing or contradicts another.
        """
        if self.chapter_model and not self.recursive:
            raise UsageError("--chapter-model without --recursive", "give both, or only --model")
        if self.recursive and paging.beyond_abstract:
            raise UsageError("--beyond-abstract given together with --recursive", "leave one of them out")


@dataclass(frozen=True)
class ModelNameOptions(Options):
    """Which checkpoint is used."""

    panel: ClassVar[str] = "Model"

    model: str = option(
        DEFAULT_MODEL,
        "Name of a bundled or added model, folder of a checkpoint, or Hugging Face id.",
        metavar="NAME",
        flags=("-m",),
    )


@dataclass(frozen=True)
class ModelOptions(ModelNameOptions):
    """Which checkpoint is used, and how it computes."""

    device: str = option("auto", "Device to compute on. auto: a GPU if there is one.", choices=DEVICES)
    dtype: str | None = option(
        None,
        "Number format of the weights. auto: bfloat16 where the hardware supports it natively. "
        "Default: float32 in eval, otherwise auto.",
        choices=DTYPES,
    )
