"""``pagesum eval``: documents with references → summaries → scores that can be published."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..documents.records import Record
from ..errors import PagesumError, UsageError
from ..evaluation.data import DATA_SETS, SAMPLE, DataRequest, read_data, read_texts
from ..evaluation.pair import Metric
from ..evaluation.published import DOCUMENTS, PUBLISHED
from ..evaluation.readers import source_texts
from ..evaluation.registry import BASELINES, NAMES, NEEDS_MODEL, MetricRequest, make_metrics
from ..evaluation.results import (
    Result,
    finish_run,
    prepare_folder,
    read_results,
    read_run,
    refuse_mixed,
    refuse_to_mix,
)
from ..evaluation.scoring import available_cores, score_results
from ..evaluation.world import World, joined_world, launched_world
from ..model.registry import DEFAULT, checkpoint_folder, settings_of
from . import console, options

if TYPE_CHECKING:
    from ..evaluation.report import Evaluation
    from ..evaluation.run import RunRequest
    from ..summarizer import PageSummarizer

DATA = "Data"
SCORES = "Scores"
FORMATS = ("table", "markdown", "latex", "json", "csv")
SPLITS = ("test", "validation", "train")
# Flags that change nothing about the numbers, and so do not belong to the line that gives them again.
OF_THIS_CALL = {"output", "output_format", "quiet", "debug", "processes", "help"}
# Flags that say which documents, where a named data set lies, what one on the hub is like, how summaries are written.
OF_DATA = ("data_dir", "split", "limit", "shuffle_seed", "data_config", "document_column", "summary_column", "locality")
OF_NAMED_DATA = ("data_dir",)
OF_HUB_DATA = ("data_config", "document_column", "summary_column")
OF_PAGES = ("page_tokens", "max_pages", "num_pages", "overflow")
OF_SUMMARIES = ("beams", "length", "min_length", "max_length", "no_repeat_ngram", "length_penalty")
OF_A_RUN = (*OF_PAGES, "model", "dtype", "batch_size", *OF_SUMMARIES)

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


def _option(*names: str, help: str, panel: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, metavar=metavar, show_default=False)


@app.command()
def evaluate(
    ctx: typer.Context,
    data: Annotated[
        str | None,
        _option(
            "--data",
            metavar="NAME|PATH",
            panel=DATA,
            help=f"{', '.join(DATA_SETS)}, sample (in the package); a file or folder; owner/name on the hub.",
        ),
    ] = None,
    data_dir: Annotated[
        Path | None,
        _option(
            "--data-dir", metavar="DIR", panel=DATA, help="Where the named data set lies. Default: the hub's cache."
        ),
    ] = None,
    split: Annotated[
        str, options.choice("--split", values=SPLITS, panel=DATA, help="Which part of the data.")
    ] = "test",
    limit: Annotated[
        int | None, options.number("--limit", least=1, panel=DATA, help="At most so many documents.")
    ] = None,
    shuffle_seed: Annotated[
        int | None, options.number("--shuffle-seed", least=0, panel=DATA, help="Mix the order before --limit.")
    ] = None,
    data_config: Annotated[
        str, _option("--data-config", metavar="NAME", panel=DATA, help="Configuration of a data set on the hub.")
    ] = "",
    document_column: Annotated[
        str,
        _option("--document-column", metavar="NAME", panel=DATA, help="Of a data set on the hub. Default: document."),
    ] = "document",
    summary_column: Annotated[
        str, _option("--summary-column", metavar="NAME", panel=DATA, help="Of a data set on the hub. Default: summary.")
    ] = "summary",
    check: Annotated[
        bool, _option("--check", panel=DATA, help="Only tell what the data are like and what would be cut.")
    ] = False,
    predictions: Annotated[
        Path | None,
        _option("--predictions", metavar="FILE", panel=DATA, help="Score these, one a line, instead of a model's."),
    ] = None,
    references: Annotated[
        Path | None, _option("--references", metavar="FILE", panel=DATA, help="For --predictions, one a line.")
    ] = None,
    from_results: Annotated[
        Path | None, _option("--from", metavar="FILE", panel=DATA, help="Score a results.jsonl again, without a model.")
    ] = None,
    compare: Annotated[
        tuple[Path, Path] | None,
        _option("--compare", metavar="A B", panel=DATA, help="Two results.jsonl: differences and their p-values."),
    ] = None,
    metrics: Annotated[
        str,
        _option("--metrics", metavar="LIST", panel=SCORES, help=f"Of {', '.join(NAMES)}. Default: the first three."),
    ] = "rouge1,rouge2,rougeLsum",
    metric_model: Annotated[
        list[str] | None,
        _option(
            "--metric-model",
            metavar="METRIC=NAME",
            panel=SCORES,
            help=f"The model, by name or folder, for {', '.join(NEEDS_MODEL)}. May be given several times.",
        ),
    ] = None,
    tokenize: Annotated[
        str,
        options.choice(
            "--tokenize", values=("none", "ptb"), panel=SCORES, help="ptb: Penn Treebank tokens, as the paper scored."
        ),
    ] = "none",
    baseline: Annotated[
        str, _option("--baseline", metavar="LIST", panel=SCORES, help=f"Further rows: {', '.join(BASELINES)}.")
    ] = "",
    table: Annotated[
        str | None,
        options.choice("--table", values=("paper",), panel=SCORES, help="Put the paper's published rows beside ours."),
    ] = None,
    processes: Annotated[
        int | None, options.number("--processes", least=1, panel=SCORES, help="That score. Default: one a core.")
    ] = None,
    locality: options.Locality = "auto",
    page_tokens: options.PageTokens = None,
    max_pages: options.MaxPages = None,
    num_pages: options.NumPages = None,
    overflow: options.Overflow = "continue",
    model: options.Model = DEFAULT,
    device: options.Device = "auto",
    dtype: options.Dtype = "auto",
    batch_size: Annotated[
        int | None,
        options.number(
            "--batch-size", least=1, panel=options.MODEL, help="Documents at a time. Default: 1 on a CPU, else 8."
        ),
    ] = None,
    beams: options.Beams = None,
    length: options.Length = None,
    min_length: options.MinLength = None,
    max_length: options.MaxLength = None,
    no_repeat_ngram: options.NoRepeatNgram = None,
    length_penalty: options.LengthPenalty = None,
    output_format: Annotated[
        str, options.choice("--format", values=FORMATS, panel=options.OUTPUT, help="How the scores are shown.")
    ] = "table",
    output: Annotated[
        Path | None,
        _option(
            "--output",
            "-o",
            metavar="DIR",
            panel=options.OUTPUT,
            help="Keep every document's result here; a stopped run goes on from it.",
        ),
    ] = None,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Summarize a data set and score the summaries; or score what any system wrote; or compare two systems.

    The table says which ROUGE-L it is (Lsum, as papers print it), how sure each figure is, and how to get it again.
    """
    talk = console.Talk(quiet=quiet or launched_world().rank > 0)
    wanted = MetricRequest(_list(metrics), tokenize, _models(metric_model or []), device)
    if not wanted.names:
        raise UsageError("--metrics names none", f"there are {', '.join(NAMES)}")
    if compare:
        others = ("data", "predictions", "references", "from_results", "baseline", "table", "check", "output")
        if flag := _given_flag(ctx, (*others, *OF_DATA, *OF_A_RUN)):
            raise UsageError(
                f"--compare given together with {flag}", "--compare takes two files, and flags about their scores"
            )
        _compare(*compare, wanted, processes, output_format, talk)
        return
    if bool(predictions) + bool(from_results) > 1:
        raise UsageError("--predictions given together with --from", "give one of them")
    if references and not predictions:
        raise UsageError("--references without --predictions", "give both, or --data")
    if not (data or predictions or from_results):
        raise UsageError(
            "nothing to score", "give --data NAME, or --predictions FILE --references FILE, or --from FILE"
        )
    if check and not data:
        raise UsageError("--check without data", "give --data NAME")
    if predictions and not (references or data):
        raise UsageError("--predictions without references", "give --references FILE or --data NAME")
    baselines = _list(baseline)
    for name in baselines:
        if name not in BASELINES:
            raise UsageError(f"no baseline {name!r}", f"there are {', '.join(BASELINES)}")
    if baselines and not data:
        raise UsageError("--baseline needs the documents", "give the data set with --data")
    _refuse_idle_flags(ctx, data, predictions, from_results)
    options.check_lengths(length, min_length, max_length)
    options.check_pages(num_pages, max_pages, overflow)
    if locality == "auto" and data in DATA_SETS:
        locality = DATA_SETS[data].locality
    cutting = {
        "locality": locality,
        "page_tokens": page_tokens,
        "max_pages": max_pages,
        "num_pages": num_pages,
        "overflow": overflow,
    }
    generation = {
        "length": length,
        "beams": beams,
        "min_length": min_length,
        "max_length": max_length,
        "no_repeat_ngram": no_repeat_ngram,
        "length_penalty": length_penalty,
    }
    if not (predictions or from_results):
        options.check_model(model, page_tokens, max_length)
        if data in DATA_SETS:
            _fill_in_from_paper(data, model, cutting, generation, talk)
    problems: list[str] = []
    records: list[Record] = []
    if data:
        try:
            records = read_data(
                DataRequest(
                    data, data_dir, split, limit, shuffle_seed, locality, data_config, document_column, summary_column
                ),
                problems.append,
            )
        finally:
            _tell_problems(problems, talk)
    if check:
        _check(records, len(problems), cutting, generation["max_length"], model, talk, everything=True)
        return
    if output:
        prepare_folder(output)
    with joined_world() as world:
        cores = processes or max(1, available_cores() // world.size)
        if world.rank > 0:  # the first process scores with models, once all summaries are there
            wanted = replace(wanted, names=[name for name in wanted.names if name not in NEEDS_MODEL])
        with talk.loading("loading the metrics"):
            chosen = make_metrics(wanted)
        scoring = Scoring(chosen, cores, {record.id: record for record in records}, talk)
        if predictions:
            name = predictions.name
            results = _given(predictions, references, records, output, scoring)
        elif from_results:
            results = _again(from_results, output, scoring)
            name = _name_of(results, from_results)
        else:
            if world.size > 1 and output is None:
                raise UsageError("several processes need a common place for their results", "give --output DIR")
            name = model
            if world.rank == 0:
                _check(records, len(problems), cutting, generation["max_length"], model, talk, everything=False)
            with talk.loading(f"loading {model}"):
                from ..evaluation.run import RunRequest
                from ..summarizer import PageSummarizer

                summarizer = PageSummarizer.from_pretrained(model, device=world.device(device), dtype=dtype)
            if summarizer.model.config.untrained_confidence:
                talk.warn(f"{model} is a plain BART: its page confidences are untrained, and say nothing")
            request = RunRequest(model, cutting, generation, batch_size, {"data": data, "split": split})
            results = _run(records, summarizer, request, scoring, output, world)
        if world.rank > 0:
            return
        what = data or str(results[0].settings.get("data") or references or from_results)
        evaluation = _evaluation(what, name, results, scoring, baselines, _command(ctx))
        published = _published(what, evaluation.n, tokenize, talk) if table else {}
        if evaluation.system.empty:
            talk.warn(f"{evaluation.system.empty} of {evaluation.n} predictions are empty and score 0")
        try:
            if output:
                text = json.dumps(evaluation.to_json(), indent=2, ensure_ascii=False)
                (output / "evaluation.json").write_text(f"{text}\n", encoding="utf-8")
        finally:  # a full disk does not take the figures away
            _show(evaluation, published, output_format)


@dataclass(frozen=True)
class Scoring:
    """The metrics, and what they may need of the data.

    Attributes:
        metrics: by which results are scored.
        processes: that score.
        records: of the data set, by id; empty where none was given.
        talk: is told how it goes.
    """

    metrics: Sequence[Metric]
    processes: int
    records: dict[str, Record]
    talk: console.Talk

    def score(self, results: Sequence[Result], path: Path) -> list[Result]:
        """Results with the scores of all metrics.

        Raises:
            PagesumError: there are none.
        """
        if not results:
            raise PagesumError(f"{path}: no results", "a results.jsonl holds one JSON object a line")
        sources = {one.id: source_texts(self.records[one.id]) for one in results if one.id in self.records}
        with self.talk.progress("scoring") as bar:
            return score_results(
                results,
                self.metrics,
                sources,
                self.processes,
                lambda done: bar.update("scoring", done, len(results)),
            )


def _run(
    records: Sequence[Record],
    summarizer: "PageSummarizer",
    request: "RunRequest",
    scoring: Scoring,
    output: Path | None,
    world: World,
) -> list[Result]:
    from ..evaluation.run import Listener, run

    scored = [record for record in records if record.summary]
    _tell_without_reference(len(records), len(scored), scoring.talk)
    try:
        with scoring.talk.progress("summarizing") as bar:
            view = Running(bar, scoring.talk)
            listener = Listener(scoring.talk.warn, view.resumed, view.scored, view.metric)
            return run(scored, summarizer, request, scoring.metrics, output, scoring.processes, world, listener)
    except KeyboardInterrupt:
        kept = f"are in {output}; the same command goes on from there" if output else "are lost without --output DIR"
        scoring.talk.note(f"{view.done} of {len(scored)} documents {kept}")
        raise


def _tell_without_reference(documents: int, with_reference: int, talk: console.Talk) -> None:
    if not with_reference:
        raise PagesumError("none of the documents has a reference", "see docs/eval.md for what data hold")
    if with_reference < documents:
        talk.warn(f"{documents - with_reference} documents without a reference are left out")


class Running:
    """The progress of a run: documents a second and the scores so far."""

    def __init__(self, bar: console.Bar, talk: console.Talk) -> None:
        self.done = 0
        self._bar = bar
        self._talk = talk
        self._before = self._total = 0
        self._began = 0.0
        self._scores: dict[str, list[float]] = {}

    def resumed(self, results: Sequence[Result], missing: int) -> None:
        """The model is there; so many documents were done before, so many are left for this process."""
        self.done = self._before = len(results)
        self._total = self.done + missing
        if results:
            self._talk.note(f"{self.done} documents were done before")
        for result in results:
            self._add(result)
        self._began = perf_counter()
        self._bar.update("summarizing", self.done, self._total)

    def scored(self, result: Result) -> None:
        """One more is done."""
        self.done += 1
        self._add(result)
        scores = ", ".join(f"{name} {sum(all_) / len(all_):.2f}" for name, all_ in list(self._scores.items())[:3])
        speed = (self.done - self._before) / (perf_counter() - self._began)
        self._bar.update(f"summarizing, {speed:.2f} documents/s, {scores}", self.done, self._total)

    def metric(self, done: int) -> None:
        """A metric that is computed after the run is so far."""
        self._bar.update("scoring", done, self._total)

    def _add(self, result: Result) -> None:
        for name, score in result.scores.items():
            self._scores.setdefault(name, []).append(score["f"] if "f" in score else score["value"])


def _given(
    predictions: Path, references: Path | None, records: Sequence[Record], output: Path | None, scoring: Scoring
) -> list[Result]:
    """The results of predictions from a file."""
    if references:
        pairs = read_texts(predictions, references)
        if records and len(records) != len(pairs):
            raise PagesumError(
                f"{predictions} has {len(pairs)} lines, --data has {len(records)} documents; expected as many of each",
                "leave --data out, or give the same documents in the same order",
            )
        ids = [record.id for record in records] or [str(number) for number in range(1, len(pairs) + 1)]
    else:
        lines = [prediction for prediction, _ in read_texts(predictions, predictions)]
        if len(lines) != len(records):
            raise PagesumError(
                f"{predictions} has {len(lines)} lines, --data has {len(records)} documents; expected as many of each",
                "one prediction a line is expected, in the order of the data",
            )
        pairs = list(zip(lines, (record.summary for record in records), strict=True))
        ids = [record.id for record in records]
    settings = {"predictions": str(predictions)}
    results = [
        Result(identity, prediction, reference, settings=settings)
        for identity, (prediction, reference) in zip(ids, pairs, strict=True)
        if reference
    ]
    _tell_without_reference(len(pairs), len(results), scoring.talk)
    if output:
        refuse_to_mix(output, read_run(output, scoring.talk.warn).values(), settings)
    scored = scoring.score(results, predictions)
    if output:
        finish_run(output, scored)
    return scored


def _again(path: Path, output: Path | None, scoring: Scoring) -> list[Result]:
    """The results of a file, with the scores asked for."""
    results = read_results(path, scoring.talk.warn)
    refuse_mixed(path, results)
    earlier = read_run(output, scoring.talk.warn) if output else {}
    if output and results:
        refuse_to_mix(output, earlier.values(), results[0].settings)
    scored = scoring.score(results, path)
    if output:
        finish_run(output, {**earlier, **{one.id: one for one in scored}}.values())
    return scored


def _fill_in_from_paper(
    data: str, model: str, cutting: dict[str, Any], generation: dict[str, Any], talk: console.Talk
) -> None:
    """Give a checkpoint that has no settings of its own, as the official ones, those of the paper for this data set."""
    from ..training.settings import load_settings

    config = settings_of(checkpoint_folder(model, weights=False))
    if config.get("model_type") != "bart":
        return
    paper = load_settings(data)
    most = config.get("max_position_embeddings", 1024)
    wanted = {"page_tokens": min(paper.page_tokens, most)}
    if cutting["locality"] == paper.locality and not cutting["max_pages"] and cutting["overflow"] == "continue":
        wanted["num_pages"] = paper.num_pages
    wanted |= {"beams": paper.beams, "no_repeat_ngram": paper.no_repeat_ngram, "length_penalty": paper.length_penalty}
    if all(generation[name] is None for name in ("length", "min_length", "max_length")):
        wanted["min_length"] = min(paper.min_length, most - 1)
        wanted["max_length"] = min(paper.max_length, most - 1)
    filled = []
    for name, value in wanted.items():
        settings = cutting if name in cutting else generation
        if settings[name] is None:
            settings[name] = value
            filled.append(f"--{name.replace('_', '-')} {value:g}")
    if filled:
        talk.note(f"{model} says nothing of pages; as in the paper for {data}: {' '.join(filled)}")


def _published(data: str, n: int, tokenize: str, talk: console.Talk) -> dict[str, dict[str, float]]:
    """The paper's rows for a data set, and what is to be known before they are compared with."""
    if data not in PUBLISHED:
        talk.warn(
            f"--table paper adds nothing: figures of the paper could be checked for {', '.join(PUBLISHED)} only, and "
            f"others are not shown; this is {data}"
        )
        return {}
    if n != DOCUMENTS[data]:
        talk.warn(f"the published figures are means over {DOCUMENTS[data]} documents, these over {n}")
    if tokenize != "ptb":
        talk.warn("the paper scored tokenized text: --tokenize ptb compares with it")
    return PUBLISHED[data]


def _check(
    records: Sequence[Record],
    left_out: int,
    cutting: dict[str, Any],
    max_length: int | None,
    model: str,
    talk: console.Talk,
    *,
    everything: bool,
) -> None:
    """Tell what the data are like: all of it on stdout, or what is odd on stderr."""
    from ..evaluation.check import check_records
    from ..tokenization import PageTokenizer, load_tokenizer
    from ..views.evaluation import check_lines, check_view

    folder = checkpoint_folder(model, weights=False)
    settings = settings_of(folder)
    tokenizer = PageTokenizer(load_tokenizer(folder), settings.get("first_mark"))
    positions = settings.get("max_position_embeddings", 1024)
    filled = {
        **cutting,
        "page_tokens": cutting["page_tokens"] or min(settings.get("page_tokens", positions), positions),
        "num_pages": cutting["num_pages"] or settings.get("num_pages"),
        "special_tokens": tokenizer.special_tokens,
        "title_tokens": tokenizer.title_tokens,
    }
    longest = max_length or positions - 1
    with talk.progress("checking the data"):
        found = check_records(records, left_out, tokenizer.count, filled, longest, everything)
    if everything:
        console.show(check_view(found))
        return
    lines = dict(check_lines(found))
    talk.note("; ".join(f"{label}: {lines[label]}" for label in ("documents", "words", "pages")))
    for label, count in (("duplicate texts", found.duplicates), ("cut documents", found.cut)):
        if count:
            talk.warn(f"{label}: {lines[label]}")


def _compare(
    first: Path, second: Path, wanted: MetricRequest, processes: int | None, output_format: str, talk: console.Talk
) -> None:
    from ..evaluation.report import ComparisonReport, comparison_of, full_signature
    from ..views.evaluation import as_csv, as_latex, as_markdown, comparison_table, comparison_view

    scoring = Scoring(make_metrics(wanted), processes or available_cores(), {}, talk)
    results = []
    for path in (first, second):
        found = read_results(path, talk.warn)
        refuse_mixed(path, found)
        results.append(scoring.score(found, path))
    by_id = [{one.id: one for one in found} for found in results]
    common = [identity for identity in by_id[0] if identity in by_id[1]]
    for path, found in zip((first, second), by_id, strict=True):
        if alone := [identity for identity in found if identity not in set(common)]:
            raise PagesumError(
                f"{path}: {len(alone)} of {len(found)} documents are not in the other file, the first is {alone[0]!r}",
                "compare results on the same documents",
            )
    for identity in common:
        if by_id[0][identity].reference != by_id[1][identity].reference:
            raise PagesumError(
                f"{identity} has different references in the two files", "compare results on the same data"
            )
    report = ComparisonReport(
        _name_of(results[0], first),
        _name_of(results[1], second),
        len(common),
        full_signature(metric.signature for metric in scoring.metrics),
        comparison_of(*([found[identity].scores for identity in common] for found in by_id)),
    )
    if output_format == "json":
        console.data(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
    elif output_format == "table":
        console.show(comparison_view(report))
    else:
        writer = {"markdown": as_markdown, "latex": as_latex, "csv": as_csv}[output_format]
        console.data(writer(*comparison_table(report)))


def _evaluation(
    data: str, model: str, results: Sequence[Result], scoring: Scoring, baselines: Sequence[str], command: str
) -> "Evaluation":
    from ..evaluation.baselines import baseline_row
    from ..evaluation.report import Evaluation, full_signature, row_of

    light = [metric for metric in scoring.metrics if metric.needs != "sentences"]
    records = [scoring.records[one.id] for one in results if one.id in scoring.records] if baselines else []
    if len(records) < len(results) and baselines:
        raise PagesumError(
            f"--data lacks {len(results) - len(records)} of the documents", "give the data of the results"
        )
    rows = {}
    with scoring.talk.progress("baselines") as bar:
        for place, name in enumerate(baselines):
            bar.update(f"baseline {name}", place, len(baselines))
            rows[name] = baseline_row(name, records, light, scoring.processes)
    columns = [column for metric in scoring.metrics for column in metric.columns]
    asked = [{column: one.scores[column] for column in columns if column in one.scores} for one in results]
    return Evaluation(
        data=data,
        model=model,
        n=len(results),
        signature=full_signature(metric.signature for metric in scoring.metrics),
        system=row_of(asked, (one.prediction for one in results)),
        baselines=rows,
        reference_words=sum(len(one.reference.split()) for one in results) / len(results),
        command=command,
    )


def _show(evaluation: "Evaluation", published: dict[str, dict[str, float]], output_format: str) -> None:
    from ..views.evaluation import as_csv, as_latex, as_markdown, evaluation_view, long_table, systems_table

    if output_format == "json":
        extra = {"published": published} if published else {}
        console.data(json.dumps({**evaluation.to_json(), **extra}, ensure_ascii=False, indent=2))
    elif output_format == "table":
        console.show(evaluation_view(evaluation, published))
    elif output_format == "csv":
        console.data(as_csv(*long_table(evaluation, published)))
    elif output_format == "markdown":
        console.data(f"{as_markdown(*systems_table(evaluation, published))}\n\n`{evaluation.signature}`")
    else:
        console.data(f"% {evaluation.signature}\n{as_latex(*systems_table(evaluation, published))}")


def _name_of(results: Sequence[Result], path: Path) -> str:
    settings = results[0].settings
    return str(settings.get("model") or settings.get("predictions") or path)


def _tell_problems(problems: Sequence[str], talk: console.Talk, most: int = 5) -> None:
    for problem in problems[:most]:
        talk.warn(problem)
    if len(problems) > most:
        talk.warn(f"{len(problems) - most} more records were left out")


def _refuse_idle_flags(
    ctx: typer.Context, data: str | None, predictions: Path | None, from_results: Path | None
) -> None:
    """Refuse flags that would do nothing, which the user does not expect."""
    is_named = data in DATA_SETS
    is_on_hub = bool(data) and not is_named and data != SAMPLE and not Path(data).exists()
    ways = (
        (bool(data), OF_DATA, "without --data", "give --data NAME"),
        (is_named, OF_NAMED_DATA, f"for --data {data}", f"it is for {', '.join(DATA_SETS)}"),
        (is_on_hub, OF_HUB_DATA, f"for --data {data}", "it is for --data owner/name, a data set on the hub"),
        (
            not (predictions or from_results) or bool(ctx.params["check"]),
            OF_A_RUN,
            "for summaries that are there already",
            "leave it out",
        ),
    )
    for fits, names, where, hint in ways:
        if not fits and (flag := _given_flag(ctx, names)):
            raise UsageError(f"{flag} does nothing {where}", hint)


def _given_flag(ctx: typer.Context, names: Sequence[str]) -> str | None:
    """The first of these parameters that stands on the command line, as it is called there."""
    for parameter in ctx.command.params:
        source = ctx.get_parameter_source(parameter.name or "")
        if parameter.name in names and source is not None and source.name == "COMMANDLINE":
            return parameter.opts[0]
    return None


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _models(pairs: Sequence[str]) -> dict[str, str]:
    models = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not value:
            raise UsageError(f"--metric-model {pair!r}, expected METRIC=NAME", "for example bertscore=roberta-large")
        models[name] = value
    return models


def _command(ctx: typer.Context) -> str:
    """The line that gives the same figures again."""
    words = ["pagesum", "eval"]
    for parameter in ctx.command.params:
        value = ctx.params.get(parameter.name or "")
        if parameter.name in OF_THIS_CALL or value in (None, False, "", [], ()) or value == parameter.default:
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            words += [parameter.opts[0]] if value is True else [parameter.opts[0], str(one)]
    return shlex.join(words)
