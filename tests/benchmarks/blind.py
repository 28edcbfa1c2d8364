"""Blind reading: readers grade the extracts of several versions without knowing which is which.

    python tests/benchmarks/blind.py sheets DOCUMENTS.jsonl.xz VERSION=FOLDER VERSION=FOLDER \\
        [...] --output SHEETS [--readers 4] [--seed 0]
    python tests/benchmarks/blind.py count SHEETS reader1.jsonl reader2.jsonl [...]

``DOCUMENTS`` is a file of JSON Lines (also .xz) with a document a line: ``id``, ``kind``,
``title``, ``budget`` and ``sentences`` as pairs of heading and text. Each ``FOLDER`` has for each
document an extract, ``NAME.json``: ``{"sentences": [{"text": ..., "begins": true}, ...]}``, where
``begins`` says that there is a line break before the sentence. ``NAME`` is the id with ``_`` for
every character other than letters, digits, ``.``, ``_`` and ``-``.

``sheets`` writes what readers get to ``SHEETS/readers``: the guide (``blind.md``), a file of
sheets for each reader (``reader1.md`` ...) and the texts (``documents/NAME.txt``). Two readers get
each document, with the extracts in another order. ``SHEETS/key.json`` says which extract is which
version; readers must not see it. What exists is not overwritten.

``count`` checks the answers of all readers, in files named after their sheets (the answers to
``reader1.md`` are ``reader1.jsonl``), and prints Markdown tables: grades and preferences by
version and by kind, the agreement of the two readers, and their remarks.
"""

import argparse
import json
import lzma
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

GUIDE = Path(__file__).with_suffix(".md")
GRADES = range(1, 6)
UNDECIDED = "none"
COLUMNS = ("Version", "Words", "Content", "Reading", "Sentences lost", "Preferred")
AGREEMENT = ("Documents", "Same preference", "Content differs by", "Reading differs by")

Row = dict[str, Any]
Extracts = Mapping[str, Mapping[str, Sequence[Row]]]


class Refused(Exception):
    """What was given cannot be used; the message is one line."""


@dataclass(frozen=True)
class Grade:
    """What a reader says of one extract."""

    version: str
    words: int
    sentences: int
    content: int
    reading: int
    lost: int
    worst: str


@dataclass(frozen=True)
class Answer:
    """What a reader says of one document; without a preference, ``preferred`` is None."""

    document: str
    kind: str
    reader: str
    grades: Sequence[Grade]
    preferred: str | None


def name_of(identifier: str) -> str:
    """The name of a document's files."""
    return re.sub(r"[^\w.-]", "_", identifier)


def one_line(text: str) -> str:
    return " ".join(text.split())


def read_json(text: str, place: str) -> Row:
    """A JSON object; ``place`` is where it stands."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise Refused(f"{place}: no JSON: {error}") from error
    if not isinstance(value, dict):
        raise Refused(f"{place}: no JSON object")
    return value


def read_lines(path: Path) -> Iterator[tuple[str, Row]]:
    """The objects of a file of JSON Lines, each after its place: file and line."""
    opened = lzma.open if path.suffix == ".xz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                place = f"{path}:{number}"
                yield place, read_json(line, place)


def read_documents(path: Path) -> dict[str, Row]:
    """Documents by the name of their files."""
    documents: dict[str, Row] = {}
    for place, row in read_lines(path):
        missing = [field for field in ("id", "kind", "title", "sentences") if field not in row]
        if missing:
            raise Refused(f"{place}: the document has no {', '.join(missing)}")
        name = name_of(row["id"])
        if name in documents:
            raise Refused(f"{place}: there is a document {name} already")
        documents[name] = row
    if not documents:
        raise Refused(f"{path}: no documents")
    return documents


def read_extract(path: Path) -> list[Row]:
    """The sentences of an extract."""
    sentences = read_json(path.read_text(encoding="utf-8"), str(path)).get("sentences")
    if not isinstance(sentences, list) or not sentences:
        raise Refused(f"{path}: no sentences")
    for one in sentences:
        if not isinstance(one, dict) or not one.get("text") or "begins" not in one:
            raise Refused(f"{path}: each sentence needs a text and begins")
    return sentences


def read_version(version: str, folder: Path, names: Sequence[str]) -> dict[str, list[Row]]:
    """The extracts of a version by the name of the document."""
    paths = {name: folder / f"{name}.json" for name in names}
    missing = [path.name for path in paths.values() if not path.is_file()]
    if missing:
        raise Refused(
            f"{version}: {len(missing)} of {len(paths)} missing in {folder}, {missing[0]} first"
        )
    return {name: read_extract(path) for name, path in paths.items()}


def readers_of(kinds: Mapping[str, str], readers: Sequence[str], random: Random) -> dict[str, Row]:
    """Two readers for each document, by kind, so that all read about as much, in all pairs."""
    names = list(kinds)
    random.shuffle(names)
    loads: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    given: dict[str, Row] = {}
    for name in sorted(names, key=lambda name: kinds[name]):
        pair = min(
            combinations(readers, 2), key=lambda pair: (loads[pair[0]] + loads[pair[1]], met[pair])
        )
        loads.update(pair)
        met[pair] += 1
        given[name] = dict.fromkeys(pair)
    return given


def two_orders(versions: Sequence[str], random: Random) -> tuple[list[str], list[str]]:
    """Two orders of the versions, without one in the same place."""
    first = random.sample(versions, len(versions))
    turn = random.randrange(1, len(versions))
    return first, first[turn:] + first[:turn]


def key_of(documents: Mapping[str, Row], extracts: Extracts, readers: int, seed: int) -> Row:
    """Who reads what, and which extract is which version."""
    random = Random(seed)
    kinds = {name: row["kind"] for name, row in documents.items()}
    given = readers_of(kinds, [f"reader{number}" for number in range(1, readers + 1)], random)
    versions = list(extracts)
    for pair in given.values():
        pair.update(zip(list(pair), two_orders(versions, random), strict=True))
    rows = {
        name: {
            "kind": kinds[name],
            "extracts": {version: size_of(extracts[version][name]) for version in versions},
            "readers": given[name],
        }
        for name in documents
    }
    return {"seed": seed, "versions": versions, "documents": rows}


def size_of(extract: Sequence[Row]) -> dict[str, int]:
    return {"sentences": len(extract), "words": sum(len(one["text"].split()) for one in extract)}


def text_of(row: Row) -> str:
    """A document as a text file: its title, its headings, its sentences as paragraphs."""
    paragraphs = [f"# {one_line(row['title'])}"]
    for heading, pairs in groupby(row["sentences"], lambda pair: pair[0]):
        paragraphs += [f"## {one_line(heading)}"] * bool(heading)
        paragraphs += [one_line(text) for _, text in pairs if text.strip()]
    return "\n\n".join(paragraphs) + "\n"


def shown(extract: Sequence[Row], number: int) -> str:
    """An extract with its sentences numbered, and a line where a run of them begins."""
    lines = [f"### Extract {number}", ""]
    for place, one in enumerate(extract, 1):
        lines += ["", "---", ""] * bool(one["begins"] and place > 1)
        lines.append(f"{number}.{place} {one_line(one['text'])}")
    return "\n".join(lines)


def sheet_of(name: str, row: Row, extracts: Sequence[Sequence[Row]]) -> str:
    """The sheet of a document, with its extracts in the order given."""
    facts = {"Kind": row["kind"], "Title": row["title"], "Text": f"documents/{name}.txt"}
    head = "\n".join(f"- {fact}: {one_line(value)}" for fact, value in facts.items())
    numbered = (shown(extract, number) for number, extract in enumerate(extracts, 1))
    return "\n\n".join((f"## {name}", head, *numbered))


def sheets_of(key: Row, documents: Mapping[str, Row], extracts: Extracts) -> dict[str, str]:
    """The sheets of each reader that has some, each in an order of their own."""
    random = Random(key["seed"])
    names: defaultdict[str, list[str]] = defaultdict(list)
    for name, row in key["documents"].items():
        for reader in row["readers"]:
            names[reader].append(name)
    sheets = {}
    for reader, own in sorted(names.items()):
        random.shuffle(own)
        title = f"# Sheets for {reader}: {len(own)} documents"
        first = f"The guide is `blind.md`. The answers go to `{reader}.jsonl`."
        orders = {name: key["documents"][name]["readers"][reader] for name in own}
        bodies = (
            sheet_of(name, documents[name], [extracts[version][name] for version in order])
            for name, order in orders.items()
        )
        sheets[reader] = "\n\n".join((title, first, *bodies)) + "\n"
    return sheets


def write_sheets(arguments: argparse.Namespace) -> None:
    versions = dict(arguments.versions)
    if len(versions) < max(2, len(arguments.versions)):
        raise Refused("there must be two versions or more, with a name each")
    if arguments.readers < 2:
        raise Refused("there must be two readers or more")
    if arguments.output.exists():
        raise Refused(f"{arguments.output} exists already")
    documents = read_documents(arguments.documents)
    extracts = {
        version: read_version(version, folder, list(documents))
        for version, folder in versions.items()
    }
    key = key_of(documents, extracts, arguments.readers, arguments.seed)
    files = {
        f"readers/{reader}.md": text for reader, text in sheets_of(key, documents, extracts).items()
    }
    files |= {f"readers/documents/{name}.txt": text_of(row) for name, row in documents.items()}
    files["readers/blind.md"] = GUIDE.read_text(encoding="utf-8")
    files["key.json"] = json.dumps(key, indent=1, ensure_ascii=False) + "\n"
    for name, text in files.items():
        path = arguments.output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"for readers: {arguments.output / 'readers'}; not: {arguments.output / 'key.json'}")


def read_grade(number: str, version: str, given: Any, size: Mapping[str, int]) -> Grade:
    """The grade of an extract that has ``number`` on the sheet."""
    if not isinstance(given, dict) or set(given) != {"content", "reading", "lost", "worst"}:
        raise Refused(f"extract {number} needs content, reading, lost and worst")
    for question in ("content", "reading"):
        if type(given[question]) is not int or given[question] not in GRADES:
            raise Refused(f"extract {number}: {question} must be 1, 2, 3, 4 or 5")
    if not isinstance(given["worst"], str) or not given["worst"].strip():
        raise Refused(f"extract {number}: worst must be a few words")
    lost = read_lost(number, given["lost"], size["sentences"])
    worst = one_line(given["worst"])
    return Grade(
        version, size["words"], size["sentences"], given["content"], given["reading"], lost, worst
    )


def read_lost(number: str, given: Any, sentences: int) -> int:
    """How many sentences of an extract are lost. 1.10 without quotes would be sentence 1.1."""
    known = {f"{number}.{place}" for place in range(1, sentences + 1)}
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise Refused(f'extract {number}: lost must be numbers in quotes, ["{number}.1"]')
    unknown = set(given) - known
    if unknown:
        raise Refused(f"extract {number}: lost: there is no sentence {min(unknown)}")
    return len(set(given))


def read_answer(row: Row, reader: str, documents: Mapping[str, Row]) -> Answer:
    """A reader's answer for one of the documents, joined with the key."""
    name = row.get("document")
    if not isinstance(name, str) or reader not in documents.get(name, {"readers": {}})["readers"]:
        raise Refused(f"there is no document {name} on the sheets of {reader}")
    order = documents[name]["readers"][reader]
    numbered = {str(number): version for number, version in enumerate(order, 1)}
    given = row.get("extracts")
    if not isinstance(given, dict) or set(given) != set(numbered):
        raise Refused(f"extracts must be {', '.join(numbered)}")
    if row.get("preferred") not in (*numbered, UNDECIDED):
        raise Refused(f"preferred must be {', '.join(numbered)} or {UNDECIDED}, in quotes")
    sizes = documents[name]["extracts"]
    grades = [
        read_grade(number, version, given[number], sizes[version])
        for number, version in numbered.items()
    ]
    return Answer(name, documents[name]["kind"], reader, grades, numbered.get(row["preferred"]))


def read_answers(path: Path, documents: Mapping[str, Row]) -> list[Answer]:
    """The answers of a reader for all their documents."""
    reader = path.stem
    own = [name for name, row in documents.items() if reader in row["readers"]]
    if not own:
        raise Refused(
            f"{path}: there are no sheets {reader}.md; answers are named after their sheets"
        )
    answers: dict[str, Answer] = {}
    for place, row in read_lines(path):
        try:
            answer = read_answer(row, reader, documents)
        except Refused as error:
            raise Refused(f"{place}: {error}") from error
        if answer.document in answers:
            raise Refused(f"{place}: {answer.document} is answered already")
        answers[answer.document] = answer
    missing = [name for name in own if name not in answers]
    if missing:
        raise Refused(f"{path}: {len(missing)} of {len(own)} not answered, {missing[0]} first")
    return list(answers.values())


def all_answers(paths: Sequence[Path], documents: Mapping[str, Row]) -> list[Answer]:
    """The answers of all readers."""
    given = Counter(path.stem for path in paths)
    missing = sorted(
        {reader for row in documents.values() for reader in row["readers"]} - set(given)
    )
    if missing:
        raise Refused(f"there are no answers of {', '.join(missing)}")
    reader, files = given.most_common(1)[0]
    if files > 1:
        raise Refused(f"there are {files} files of {reader}")
    return [answer for path in paths for answer in read_answers(path, documents)]


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines
    )


def figures(answers: Sequence[Answer], version: str) -> list[str]:
    """What readers say of a version."""
    grades = [grade for answer in answers for grade in answer.grades if grade.version == version]
    decided = [answer.preferred for answer in answers if answer.preferred]
    lost = sum(grade.lost for grade in grades) / sum(grade.sentences for grade in grades)
    return [
        version,
        f"{mean(grade.words for grade in grades):.0f}",
        f"{mean(grade.content for grade in grades):.2f}",
        f"{mean(grade.reading for grade in grades):.2f}",
        f"{lost:.1%}",
        f"{decided.count(version)} of {len(decided)}",
    ]


def figures_by_kind(answers: Sequence[Answer], versions: Sequence[str]) -> list[list[str]]:
    kinds: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        kinds[answer.kind].append(answer)
    return [
        [kind, *figures(own, version)]
        for kind, own in sorted(kinds.items())
        for version in versions
    ]


def agreement(answers: Sequence[Answer], versions: Sequence[str]) -> list[str]:
    """How far the two readers of a document agree."""
    pairs: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        pairs[answer.document].append(answer)
    same = mean(first.preferred == second.preferred for first, second in pairs.values())
    content, reading = [], []
    for pair in pairs.values():
        for version in versions:
            one, other = (
                grade for answer in pair for grade in answer.grades if grade.version == version
            )
            content.append(abs(one.content - other.content))
            reading.append(abs(one.reading - other.reading))
    return [str(len(pairs)), f"{same:.0%}", f"{mean(content):.2f}", f"{mean(reading):.2f}"]


def remarks(answers: Sequence[Answer], version: str) -> str:
    """The sentences of a version that should least be there, a line for each grade."""
    lines = [
        f"- {answer.document} ({answer.reader}): {grade.worst}"
        for answer in sorted(
            answers, key=lambda answer: (answer.kind, answer.document, answer.reader)
        )
        for grade in answer.grades
        if grade.version == version
    ]
    return "\n".join(lines)


def count_answers(arguments: argparse.Namespace) -> None:
    path = arguments.sheets / "key.json"
    key = read_json(path.read_text(encoding="utf-8"), str(path))
    versions = key["versions"]
    answers = all_answers(arguments.answers, key["documents"])
    parts = [
        "## By version",
        table(COLUMNS, [figures(answers, version) for version in versions]),
        "## By kind",
        table(("Kind", *COLUMNS), figures_by_kind(answers, versions)),
        "## Agreement of the two readers of a document",
        table(AGREEMENT, [agreement(answers, versions)]),
        "## Sentences that should least be there",
    ]
    for version in versions:
        parts += [f"### {version}", remarks(answers, version)]
    print("\n\n".join(parts))


def version_and_folder(text: str) -> tuple[str, Path]:
    version, mark, folder = text.partition("=")
    if not (version and mark and folder):
        raise argparse.ArgumentTypeError(f"{text} is not VERSION=FOLDER")
    return version, Path(folder)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    sheets = commands.add_parser("sheets", help="Write the sheets.")
    sheets.set_defaults(command=write_sheets)
    sheets.add_argument("documents", type=Path)
    sheets.add_argument("versions", type=version_and_folder, nargs="+", metavar="VERSION=FOLDER")
    sheets.add_argument("--output", type=Path, required=True, help="The folder to make.")
    sheets.add_argument("--readers", type=int, default=4, help="How many read; two or more.")
    sheets.add_argument("--seed", type=int, default=0, help="Decides all orders.")
    count = commands.add_parser("count", help="Check and count the answers.")
    count.set_defaults(command=count_answers)
    count.add_argument("sheets", type=Path, help="The folder that sheets made.")
    count.add_argument("answers", type=Path, nargs="+", metavar="READER.jsonl")
    arguments = parser.parse_args()
    try:
        arguments.command(arguments)
    except (Refused, OSError, UnicodeError, lzma.LZMAError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
