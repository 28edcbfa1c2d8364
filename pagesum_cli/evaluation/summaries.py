"""Where the scored summaries come from: a model, a file of texts, an earlier run, or another
system.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from ..batch.cutting import cutter_of
from ..batch.talk import Silent, Talk
from ..datasets.named import DATA_SETS, check_data, read_data, read_texts
from ..datasets.record import Record
from ..documents.model import words
from ..errors import PagesumError
from ..files import safe_name
from ..locality import paginate
from ..models.catalog import checkpoint_folder, settings_of
from ..options import GenerationOptions, PagingOptions, supported
from ..options.presets import has_preset, preset_values
from ..text.words import plain_words
from .metrics.base import Metric
from .options import BatchOptions, EvaluationOptions
from .results import USES_REFERENCE, Result, check_same_settings, finish_run, read_results, read_run
from .run import Made, RunProgress, on_cluster, run
from .scoring import World, score_results
from .systems import BookSystem, PageSystem, RunRequest, System

SHOWN_PROBLEMS = 5
# what Pegasus, PreSumm, pointer-generator networks and others write between or around sentences
SEPARATORS = ("<n>", "<q>", "<t>", "<s>", "</s>", "<sep>", "[SEP]", "<S>")
# number format of the weights: a lower precision can change which summary beam search finds
DTYPE = "float32"

OpenSystem = Callable[[RunRequest, str, str, Talk], System]
"""Opens another system; gets the request, the device, the number format, and what warns the user.
"""


SAMPLE = 200  # number of documents that are cut into pages before a run


class Check(NamedTuple):
    """Figures of a data set in words, by label; and the labels of those that are problems."""

    lines: dict[str, str]
    problems: list[str]


def _digest(record: Record) -> bytes:
    text = " ".join(word for document in record.documents for word in words(document))
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


def _range(numbers: Sequence[int]) -> str:
    return f"{sum(numbers) / len(numbers):,.0f} on average, {max(numbers):,} at most"


@dataclass(frozen=True)
class Data:
    """The records of a data set, and the number of those that could not be used."""

    records: list[Record]
    left_out: int = 0

    @property
    def scored(self) -> list[Record]:
        return [record for record in self.records if record.summary]


def completed(options: EvaluationOptions, progress: Talk) -> EvaluationOptions:
    """The options with the model's locality or the paper's, and the paper's settings for a
    checkpoint without any.
    """
    model, paging = options.model.model if options.runs_model else None, options.paging
    if model and paging.locality == "auto":
        paging = paging.changed(
            locality=settings_of(checkpoint_folder(model, weights=False)).get("locality")
        )
    paging, generation = fill_in_from_paper(
        options.data.data, model, paging, options.generation, progress
    )
    if options.reads_documents:
        system = options.system
        needs_summaries = not (system.references or system.from_results or system.check)
        check_data(options.data, paging.locality, summaries=needs_summaries)
    return replace(options, paging=paging, generation=generation)


def read(options: EvaluationOptions, progress: Talk) -> Data:
    """The data set, if it is needed; warns of records that cannot be used."""
    if not options.reads_documents:
        return Data([])
    problems: list[str] = []
    try:
        records = read_data(options.data, problems.append, options.paging.locality)
    finally:
        for problem in problems[:SHOWN_PROBLEMS]:
            progress.warn(problem)
        if len(problems) > SHOWN_PROBLEMS:
            progress.warn(f"{len(problems) - SHOWN_PROBLEMS} more records were left out")
    return Data(records, len(problems))


def checked(options: EvaluationOptions, data: Data, progress: Talk, sample: int) -> Check:
    """Count words, pages and tokens, the latter two of about ``sample`` records spread over the
    data.
    """
    records = data.records
    with progress.progress("checking the data"):
        tokenizer, filled, positions = cutter_of(options.model.model, options.paging)
        lengths = [
            sum(1 for document in record.documents for _ in words(document)) for record in records
        ]
        references = [len(record.summary.split()) for record in records]
        duplicates = len(records) - len(set(map(_digest, records)))
        sampled = range(0, len(records), -(-len(records) // sample))
        cut = [paginate(records[i].documents, filled, tokenizer) for i in sampled]
        pages, lost = [len(own.pages) for own in cut], [own.unread_words for own in cut]
        sampled_words = sum(lengths[i] for i in sampled)
        sampled_tokens = sum(sum(tokenizer.count(records[i].texts)) for i in sampled)
        longest = options.generation.max_length or positions - 1
        long_references = sum(
            number > longest for number in tokenizer.count([records[i].summary for i in sampled])
        )
    tokens = (
        f", about {sum(lost) * max(sampled_tokens, 1) / sampled_words:,.0f} tokens"
        if any(lost)
        else ""
    )
    note = "" if len(pages) == len(records) else f" (in a sample of {len(pages)})"
    cut_documents = sum(words > 0 for words in lost)
    lines = {
        "documents": f"{len(records):,}, without {data.left_out:,} that cannot be used",
        "words": _range(lengths),
        "reference words": _range(references),
        "without reference": f"{references.count(0):,}",
        "duplicate texts": f"{duplicates:,}",
        "parts": f"{sum(pages) / len(pages):.1f} on average, {max(pages)} at most{note}",
        "cut documents": f"{cut_documents:,}, {sum(lost):,} of {sampled_words:,} words not "
        f"read{tokens}{note}",
        "long references": f"{long_references:,} exceed the maximum summary length{note}",
    }
    counts = {"duplicate texts": duplicates, "cut documents": cut_documents}
    return Check(lines, [label for label, count in counts.items() if count])


@dataclass(frozen=True)
class Session:
    """Everything that summaries are made and scored with."""

    options: EvaluationOptions
    data: Data
    folder: Path | None
    metrics: Sequence[Metric]
    processes: int
    world: World
    progress: Talk

    @property
    def records(self) -> dict[str, Record]:
        return {record.id: record for record in self.data.records}

    @property
    def metrics_without_pages(self) -> list[Metric]:
        return [metric for metric in self.metrics if metric.needs != "sentences"]

    def score(self, results: Sequence[Result], path: Path) -> list[Result]:
        if not results:
            raise PagesumError(
                f"{path}: no results", "a results.jsonl holds one JSON object per line"
            )
        records = self.records
        sources = {
            result.id: records[result.id].texts for result in results if result.id in records
        }
        with self.progress.progress("scoring") as bar:
            return score_results(
                results,
                self.metrics,
                sources,
                self.processes,
                lambda done: bar.update("scoring", done, len(results)),
            )

    def generated(self, chapter_paging: PagingOptions) -> list[Result]:
        """The results of a model; of two, if a book's chapters have one of their own, which gets
        the given paging.
        """
        options, progress, name = self.options, self.progress, self.options.model.model
        if self.world.rank == 0:
            check = checked(options, self.data, progress, SAMPLE)
            progress.note(
                "; ".join(
                    f"{label}: {check.lines[label]}" for label in ("documents", "words", "parts")
                )
            )
            for label in check.problems:
                progress.warn(f"{label}: {check.lines[label]}")
        system = self._opened(chapter_paging)
        summarizer = system.summarizer
        if getattr(summarizer.model.config, "untrained_confidence", False):
            progress.warn(
                f"{name} is a plain BART: its page confidences are untrained and mean nothing"
            )
        dtype = summarizer.model.number_format
        beams = (
            summarizer.generation(supported(options.generation, summarizer.model.offers)).beams or 1
        )
        if dtype != DTYPE and summarizer.model.generates and beams > 1:
            progress.warn(
                f"{dtype} is less precise than {DTYPE}, the default of eval: "
                f"with {beams} beams, another summary can win, and scores change"
            )
        _warn_without_reference(len(self.data.records), len(self.data.scored), progress)
        _warn_of_other_scripts(map(attrgetter("summary"), self.data.scored), progress)
        made = None
        if options.cluster.engine:
            same = replace(options, batch=BatchOptions(batch_size=system.batch_size))
            there = replace(self, options=same, data=Data([]), metrics=(), progress=Silent())
            made = partial(on_cluster, partial(there._opened, chapter_paging), options.cluster)
        return self._run(system, self.data.scored, made=made)

    def _opened(self, chapter_paging: PagingOptions) -> PageSystem:
        """The model, with another one for chapters if they have one."""
        options, name = self.options, self.options.model.model
        other, summarizer = options.recursion.chapter_model, self._load(name)
        request = RunRequest(
            name, options.paging, options.generation, options.batch.batch_size, origin(options)
        )
        if not options.recursion.recursive:
            return PageSystem(summarizer, request)
        if other and other != name:
            return BookSystem(summarizer, request, self._load(other), chapter_paging)
        return BookSystem(summarizer, request, summarizer, options.paging)

    def opened_system(self, name: str, given: EvaluationOptions, open_system: OpenSystem) -> System:
        """Open another system."""
        # The paper's settings are not those of other systems: these are the given ones.
        request = RunRequest(
            name, generation=given.generation, batch_size=given.batch.batch_size, data=origin(given)
        )
        device = self.world.device(given.model.device)
        with self.progress.loading(f"loading {name}"):
            return open_system(request, device, given.model.dtype or DTYPE, self.progress)

    def of_system(self, name: str, system: System, records: Sequence[Record]) -> list[Result]:
        """The results of another system on the same documents, kept in a folder of its own."""
        return self._run(system, records, name)

    def of_texts(self) -> list[Result]:
        """The results of summaries in a file, one per line."""
        predictions, references = self.options.system.predictions, self.options.system.references
        records = self.data.records
        assert predictions
        pairs = read_texts(predictions, references or predictions)
        if records and len(records) != len(pairs):
            raise PagesumError(
                f"{predictions} has {len(pairs)} lines, --data has {len(records)} documents; "
                f"expected equal numbers",
                "leave --data out, or use the same documents in the same order",
            )
        sentences: list[tuple[str, ...]] = [()] * len(pairs)
        if not references:
            pairs = [
                (prediction, record.summary)
                for (prediction, _), record in zip(pairs, records, strict=True)
            ]
            sentences = [record.summary_sentences for record in records]
        ids = [record.id for record in records] or [
            str(number) for number in range(1, len(pairs) + 1)
        ]
        settings = {"predictions": str(predictions)}
        results = [
            Result(identity, prediction, reference, settings=settings, reference_sentences=given)
            for identity, (prediction, reference), given in zip(ids, pairs, sentences, strict=True)
            if reference
        ]
        _warn_without_reference(len(pairs), len(results), self.progress)
        _warn_of_other_scripts(map(attrgetter("reference"), results), self.progress)
        _warn_of_separators([text for pair in pairs for text in pair], self.progress)
        return self._kept(results, predictions, settings, replaces=True)

    def of_results(self) -> list[Result]:
        """The results of an earlier run, with the requested scores."""
        options, path = self.options, self.options.system.from_results
        assert path
        results = read_results(path, self.progress.warn)
        check_same_settings(path, results)
        settings = results[0].settings if results else {}
        names = [
            str(name or "").removesuffix("-discourse")
            for name in (settings.get("data"), options.data.data)
        ]
        if (
            not options.reads_documents
            and names[1]
            and names[0] in DATA_SETS
            and names[0] != names[1]
        ):
            raise PagesumError(
                f"{path} holds results on {names[0]}, not on {names[1]}", "leave --data out"
            )
        records = self.records
        if options.reads_documents and (
            lacking := [one.id for one in results if one.id not in records]
        ):
            raise PagesumError(
                f"--data lacks {len(lacking)} of the {len(results)} documents of {path}, the "
                f"first is {lacking[0]!r}",
                "use the data of the results",
            )
        return self._kept(results, path, settings, replaces=False)

    def _kept(
        self, results: list[Result], path: Path, settings: dict[str, Any], *, replaces: bool
    ) -> list[Result]:
        """Score results, and write them into the folder: instead of those in it, or among them."""
        earlier = read_run(self.folder, self.progress.warn) if self.folder else {}
        if self.folder and results:
            check_same_settings(self.folder, earlier.values(), settings)
        scored = self.score(results, path)
        if self.folder:
            by_id = {result.id: result for result in scored}
            finish_run(self.folder, by_id.values() if replaces else {**earlier, **by_id}.values())
        return scored

    def _load(self, name: str) -> Any:
        with self.progress.loading(f"loading {name}"):
            from ..summarizer import PageSummarizer

            device, dtype = (
                self.world.device(self.options.model.device),
                self.options.model.dtype or DTYPE,
            )
            return PageSummarizer.from_pretrained(name, device=device, dtype=dtype)

    def _run(
        self, system: System, records: Sequence[Record], name: str = "", made: Made | None = None
    ) -> list[Result]:
        folder = self.folder / "systems" / safe_name(name) if self.folder and name else self.folder
        metrics = self.metrics_without_pages if name else self.metrics
        prefix, progress = f"{name}: " if name else "", self.progress
        if (
            self.options.scores.efficiency
            and system.is_local
            and not (made or self.options.recursion.recursive)
        ):
            # what comes first is slower
            system.results([min(records, key=lambda record: sum(map(len, record.texts)))])
        with progress.progress(f"{prefix}summarizing") as bar:
            view = RunProgress(progress, bar, name)
            try:
                return run(records, system, metrics, folder, self.processes, self.world, view, made)
            except KeyboardInterrupt:
                bar.stop()
                state = (
                    f"are in {folder}; the same command continues from there"
                    if folder
                    else "are lost without --output"
                )
                progress.note(f"{prefix}{view.done} of {len(records)} documents {state}")
                raise


def origin(options: EvaluationOptions) -> dict[str, Any]:
    """The data set in the settings of results."""
    oracles = {
        name: True
        for name in ("rank_paragraphs", "chapter_summaries")
        if getattr(options.data, name)
    }
    uses_reference = {USES_REFERENCE: True} if oracles else {}
    return {"data": options.data.data, "split": options.data.split, **oracles, **uses_reference}


def _warn_without_reference(documents: int, with_reference: int, progress: Talk) -> None:
    if not with_reference:
        raise PagesumError(
            "none of the documents has a reference", "see docs/eval.md for the data formats"
        )
    if with_reference < documents:
        number = documents - with_reference
        progress.warn(f"without a reference, and left out: {number} document{'s' * (number > 1)}")


def _warn_of_other_scripts(references: Iterable[str], progress: Talk) -> None:
    """Warn of references in which ROUGE finds no word, which score 0 whatever is predicted."""
    without = [one for one in references if any(map(str.isalpha, one)) and not plain_words(one)]
    if without:
        progress.warn(
            f"ROUGE reads a–z and 0–9 only, and {len(without):,} references have none of them: "
            "their scores of 0.00 mean nothing"
        )


def _warn_of_separators(texts: Iterable[str], progress: Talk) -> None:
    """Warn of marks that other programs write between sentences, which ROUGE reads as words."""
    found = Counter(mark for text in texts for mark in SEPARATORS if mark in text)
    for mark, count in found.items():
        progress.warn(
            f"{count:,} text{'s' * (count > 1)} with {mark}, which some programs put between "
            "sentences: its letters are scored as words; use a space instead"
        )


def _pages_of_paper(
    paper: Mapping[str, Any], paging: PagingOptions, positions: int
) -> dict[str, Any]:
    """The paper's pages, as far as the model has positions; their number for its own locality."""
    pages = {"page_tokens": min(paper["page_tokens"], positions)}
    has_all = not paging.max_pages and paging.overflow == "continue"
    if has_all and paging.locality == paper["locality"]:
        pages["num_pages"] = paper["num_pages"]
    return pages


def _search_of_paper(
    paper: Mapping[str, Any], generation: GenerationOptions, positions: int
) -> dict[str, Any]:
    """The paper's settings of the search; its lengths only where none is given."""
    search = {name: paper[name] for name in ("beams", "no_repeat_ngram", "length_penalty")}
    if generation.beams == 1:
        del search["length_penalty"]  # only beams use it
    lengths = (generation.length, generation.min_length, generation.max_length)
    if all(length is None for length in lengths):
        search |= {name: min(paper[name], positions - 1) for name in ("min_length", "max_length")}
    return search


def _unset(options: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of what the options leave open."""
    return {name: value for name, value in values.items() if getattr(options, name) is None}


def fill_in_from_paper(
    data: str | None,
    model: str | None,
    paging: PagingOptions,
    generation: GenerationOptions,
    progress: Talk,
) -> tuple[PagingOptions, GenerationOptions]:
    """Use the paper's locality for a data set, and its settings with a checkpoint that has none, as
    the official ones.

    A locality of which the paper has a row on the same data (arXiv by sections, MultiNews by
    sentences) has its pages.
    """
    if data not in DATA_SETS:
        return paging, generation
    if paging.locality == "auto":
        paging = paging.changed(locality=DATA_SETS[data].locality)
    config = settings_of(checkpoint_folder(model, weights=False)) if model else {}
    if config.get("model_type") != "bart" or not has_preset(data):
        return paging, generation
    variant = f"{data}-{paging.locality}"
    paper = preset_values(variant if has_preset(variant) else data)
    positions = config.get("max_position_embeddings", 1024)
    pages = _unset(paging, _pages_of_paper(paper, paging, positions))
    search = _unset(generation, _search_of_paper(paper, generation, positions))
    if settings := {**pages, **search}:
        flags = " ".join(
            f"--{name.replace('_', '-')} {value:g}" for name, value in settings.items()
        )
        progress.note(
            f"{model} has no page settings of its own; as in the paper for {data}: {flags}"
        )
    return replace(paging, **pages), replace(generation, **search)
