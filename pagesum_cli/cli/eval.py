"""``pagesum eval``: documents with references → summaries → scores that can be published."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..documents.records import Record
from ..errors import PagesumError, UsageError
from ..evaluation.data import DATA_SETS, DataRequest, read_data, read_texts
from ..evaluation.pair import Metric
from ..evaluation.published import PUBLISHED
from ..evaluation.readers import source_texts
from ..evaluation.registry import BASELINES, NAMES, NEEDS_MODEL, MetricRequest, make_metrics
from ..evaluation.results import Result, finish_run, read_results, read_run, refuse_to_mix
from ..evaluation.scoring import available_cores, score_results
from ..evaluation.world import World, joined_world, launched_world
from ..model.registry import DEFAULT, checkpoint_folder, settings_of
from . import console, options

if TYPE_CHECKING:
    from ..evaluation.report import Evaluation

DATA = "Data"
SCORES = "Scores"
FORMATS = ("table", "markdown", "latex", "json", "csv")
SPLITS = ("test", "validation", "train")
# Flags that change nothing about the numbers, and so do not belong to the line that gives them again.
OF_THIS_CALL = {"output", "output_format", "quiet", "debug", "processes", "help"}

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
    if compare:
        _refuse(ctx, "--compare", ("data", "predictions", "references", "from_results", "baseline", "output"))
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
    if not (predictions or from_results):
        options.check_model(model, page_tokens, max_length)
    problems: list[str] = []
    records: list[Record] = []
    if data:
        request = DataRequest(
            data, data_dir, split, limit, shuffle_seed, locality, data_config, document_column, summary_column
        )
        records = read_data(request, problems.append)
        _tell_problems(problems, talk)
    if check:
        _check(records, len(problems), cutting, max_length, model, talk, everything=True)
        return
    with joined_world() as world:
        cores = processes or max(1, available_cores() // world.size)
        scoring = Scoring(make_metrics(wanted), cores, {record.id: record for record in records}, talk)
        if predictions:
            name = predictions.name
            results = _given(predictions, references, records, output, scoring)
        elif from_results:
            results = scoring.score(read_results(from_results, talk.warn), from_results)
            name = _name_of(results, from_results)
        else:
            if world.size > 1 and output is None:
                raise UsageError("several processes need a common place for their results", "give --output DIR")
            name = model
            if world.rank == 0:
                _check(records, len(problems), cutting, max_length, model, talk, everything=False)
            generation = {
                "length": length,
                "beams": beams,
                "min_length": min_length,
                "max_length": max_length,
                "no_repeat_ngram": no_repeat_ngram,
                "length_penalty": length_penalty,
            }
            of_data = {"data": data, "split": split}
            results = _run(
                records, (model, device, dtype, cutting, generation, batch_size, of_data), scoring, output, world
            )
        if world.rank > 0:
            return
        what = data or str(results[0].settings.get("data") or references or from_results)
        evaluation = _evaluation(what, name, results, scoring, baselines, _command(ctx))
        published = PUBLISHED.get(data or "", {}) if table else {}
        if table and not published:
            talk.note(f"no published figures are on file for {what}")
        if published and tokenize != "ptb":
            talk.warn("the paper scored tokenized text: --tokenize ptb compares with it")
        if evaluation.system.empty:
            talk.warn(f"{evaluation.system.empty} of {evaluation.n} predictions are empty and score 0")
        if output:
            output.mkdir(parents=True, exist_ok=True)
            (output / "evaluation.json").write_text(
                json.dumps(evaluation.to_json(), indent=2, ensure_ascii=False) + "\n"
            )
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
    records: Sequence[Record], request: tuple[Any, ...], scoring: Scoring, output: Path | None, world: World
) -> list[Result]:
    from ..evaluation.run import Listener, RunRequest, run

    scored = [record for record in records if record.summary]
    if not scored:
        raise PagesumError("none of the documents has a reference", "see docs/eval.md for what data hold")
    if len(scored) < len(records):
        scoring.talk.warn(f"{len(records) - len(scored)} documents without a reference are left out")
    with scoring.talk.progress("loading the model") as bar:
        view = Running(bar, scoring.talk)
        listener = Listener(scoring.talk.warn, view.resumed, view.scored, view.metric)
        return run(scored, RunRequest(*request), scoring.metrics, output, scoring.processes, world, listener)


class Running:
    """The progress of a run: documents a second and the scores so far."""

    def __init__(self, bar: console.Bar, talk: console.Talk) -> None:
        self._bar = bar
        self._talk = talk
        self._done = self._here = self._total = 0
        self._began = 0.0
        self._sums: dict[str, float] = {}

    def resumed(self, done: int, total: int) -> None:
        """The model is there; so many documents were done before."""
        if done:
            self._talk.note(f"{done} of {total} documents were done before")
        self._done, self._total, self._began = done, total, perf_counter()
        self._bar.update("summarizing", done, total)

    def scored(self, result: Result) -> None:
        """One more is done."""
        self._done += 1
        self._here += 1
        for name, score in result.scores.items():
            self._sums[name] = self._sums.get(name, 0.0) + (score["f"] if "f" in score else score["value"])
        scores = ", ".join(f"{name} {self._sums[name] / self._here:.2f}" for name in list(self._sums)[:3])
        speed = self._here / (perf_counter() - self._began)
        self._bar.update(f"summarizing, {speed:.2f} documents/s, {scores}", self._done, self._total)

    def metric(self, done: int) -> None:
        """A metric that is computed after the run is so far."""
        self._bar.update("scoring", done, self._total)


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
    ]
    if output:
        refuse_to_mix(output, read_run(output, scoring.talk.warn).values(), settings)
    scored = scoring.score(results, predictions)
    if output:
        finish_run(output, scored)
    return scored


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
    results = [scoring.score(read_results(path, talk.warn), path) for path in (first, second)]
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


def _refuse(ctx: typer.Context, flag: str, others: Sequence[str]) -> None:
    for other in others:
        if ctx.params.get(other):
            name = "from" if other == "from_results" else other
            raise UsageError(f"{flag} given together with --{name}", f"{flag} takes two files and nothing else")


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
