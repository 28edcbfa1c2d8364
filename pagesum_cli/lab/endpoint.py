"""An OpenAI-compatible endpoint as a system: ``openai:URL#MODEL``.

The model reads the whole document where it fits into its context; otherwise parts of it, and then
their summaries.
"""

from collections.abc import Sequence
from hashlib import sha256

from ..chat import Address, Answer, ChatModel
from ..datasets.formats import record_of
from ..datasets.record import Record
from ..errors import UsageError
from ..evaluation.results import Result
from ..evaluation.systems import RunRequest
from ..locality import paginate
from ..options import PagingOptions
from ..version import __version__
from .data_sizes import counting_tokenizer

PREFIX = "openai:"
LIMITS = "in at most {words} words. Answer with the summary alone, as plain text.\n\n{text}"
WHOLE = f"Summarize the document below {LIMITS}"
PART = f"Summarize the part of a document below {LIMITS}"
MERGE = (
    f"Below are summaries of the parts of a document, in order. Combine them into one "
    f"summary of it {LIMITS}"
)
PROMPTS = sha256("\0".join((WHOLE, PART, MERGE)).encode()).hexdigest()[:16]

MAX_TOKENS = 512  # tokens of an answer, where --max-length does not say
WORDS = 0.7  # words for each of them that are asked for
OWN_TOKENS = 1.25  # tokens that a model may have for each of BART's, by which texts are measured
FRAME = 128  # tokens of the prompt
HINT = "with --output, finished work is kept: run the same command to continue"
ROUNDS = 8  # times that summaries are summarized


class Endpoint:
    """A chat model behind an address; documents go to it one by one."""

    batch_size = 1
    is_local = False

    def __init__(
        self, request: RunRequest, context: int | None, *, allow_network: bool = False
    ) -> None:
        address = Address.of(request.model, "--system", PREFIX)
        address.check(allow_network=allow_network)
        self._model = ChatModel(address, HINT)
        self._length = request.generation.max_length or MAX_TOKENS
        context = context or self._model.context()
        self._room = int((context - self._length - FRAME) / OWN_TOKENS)
        if self._room < 2 * self._length:
            sizes = f"a context of {context:,} tokens for answers of {self._length:,}"
            raise UsageError(
                f"--system {request.model}: {sizes}",
                "use a smaller --max-length, or set --context-tokens",
            )
        _, self._tokenizer = counting_tokenizer(None)
        own = {
            "prompts": PROMPTS,
            "context_tokens": context,
            "max_length": self._length,
            "temperature": 0,
        }
        self.settings = {**request.data, "model": request.model, **own, "pagesum": __version__}

    def results(self, batch: Sequence[Record]) -> list[Result]:
        return [self._result(record) for record in batch]

    def _result(self, record: Record) -> Result:
        text, documents, prompt = "\n\n".join(record.texts), record.documents, WHOLE
        answers: list[Answer] = []
        for _ in range(ROUNDS):
            if sum(self._tokenizer.count([text])) <= self._room:
                break
            paging = PagingOptions(locality="spatial", page_tokens=self._room)
            pages = paginate(documents, paging, self._tokenizer).pages
            parts = [self._ask(PART, page.text) for page in pages]
            answers += parts
            text, prompt = "\n\n".join(part.text for part in parts), MERGE
            documents = record_of({"id": record.id, "text": text, "summary": "-"}).documents
        answers.append(self._ask(prompt, text))
        counts = {
            "source_tokens": sum(answer.read for answer in answers),
            "generated_tokens": sum(answer.generated for answer in answers),
        }
        summary = " ".join(answers[-1].text.split())
        return Result.of(record, summary, **counts, settings=self.settings)

    def _ask(self, prompt: str, text: str) -> Answer:
        content = prompt.format(words=int(WORDS * self._length), text=text)
        return self._model.ask(content, self._length)
