"""An OpenAI-compatible endpoint as a system: ``openai:URL#MODEL``.

The model reads the whole document where it fits into its context; otherwise parts of it, and then
their summaries.
"""

import http.client
import json
import os
from collections.abc import Sequence
from hashlib import sha256
from time import sleep
from typing import Any
from urllib import request as web
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from ..datasets.formats import record_of
from ..datasets.record import Record
from ..errors import PagesumError, UsageError
from ..evaluation.results import Result
from ..evaluation.systems import RunRequest
from ..locality import paginate
from ..options import PagingOptions
from ..version import __version__
from .data_sizes import counting_tokenizer

PREFIX = "openai:"
KEY = "OPENAI_API_KEY"
INTERNAL = ("localhost", "127.0.0.1", "::1")
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
# in /v1/models
CONTEXT_NAMES = ("max_model_len", "context_length", "context_window", "max_context_length")

SILENCE, LONGEST_WAIT = 600.0, 120.0  # seconds without an answer; and between two attempts
ATTEMPTS = 4
SIZE = 1 << 24  # bytes of an answer
ROUNDS = 8  # times that summaries are summarized


def address_of(name: str) -> tuple[str, str, bool]:
    """Where the requests of a system go, its model, and whether that is on this machine."""
    url, _, model = name.removeprefix(PREFIX).partition("#")
    parts = urlsplit(url)
    if (
        parts.scheme not in ("http", "https")
        or not (parts.hostname and model)
        or parts.query
        or "@" in parts.netloc
    ):
        message = f"--system {PREFIX}…: expected {PREFIX}URL#MODEL, without a password or a query"
        raise UsageError(
            message, f"for example {PREFIX}http://127.0.0.1:8000#MODEL; the key is read from {KEY}"
        )
    base = url.rstrip("/") if parts.path.strip("/") else f"{parts.scheme}://{parts.netloc}/v1"
    return base, model, parts.hostname in INTERNAL


class Endpoint:
    """A chat model behind an address; documents go to it one by one."""

    batch_size = 1
    is_local = False

    def __init__(
        self, request: RunRequest, context: int | None, *, allow_network: bool = False
    ) -> None:
        self._url, self._model, self._is_internal = address_of(request.model)
        if not self._is_internal and not allow_network:
            raise UsageError(
                f"{self._url} is not this machine", "--allow-network sends the documents there"
            )
        if _key() and not self._is_internal and not self._url.startswith("https:"):
            raise UsageError(
                f"{self._url}: {KEY} would be sent without encryption", "give https://, or unset it"
            )
        self._length = request.generation.max_length or MAX_TOKENS
        context = context or self._stated_context()
        self._room = int((context - self._length - FRAME) / OWN_TOKENS)
        if self._room < 2 * self._length:
            sizes = f"a context of {context:,} tokens for answers of {self._length:,}"
            raise UsageError(
                f"--system {request.model}: {sizes}",
                "give a smaller --max-length, or --context-tokens",
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
        answers: list[tuple[str, int, int]] = []
        for _ in range(ROUNDS):
            if sum(self._tokenizer.count([text])) <= self._room:
                break
            paging = PagingOptions(locality="spatial", page_tokens=self._room)
            parts = [
                self._ask(PART, page.text)
                for page in paginate(documents, paging, self._tokenizer).pages
            ]
            answers += parts
            text, prompt = "\n\n".join(part for part, *_ in parts), MERGE
            documents = record_of({"id": record.id, "text": text, "summary": "-"}).documents
        answers.append(self._ask(prompt, text))
        texts, read, generated = zip(*answers, strict=True)
        counts = {"source_tokens": sum(read), "generated_tokens": sum(generated)}
        return Result.of(record, " ".join(texts[-1].split()), **counts, settings=self.settings)

    def _ask(self, prompt: str, text: str) -> tuple[str, int, int]:
        """The answer, and the tokens read and generated as the server counts them; 0 where it does
        not.
        """
        content = prompt.format(words=int(WORDS * self._length), text=text)
        asked = {
            "model": self._model,
            "messages": [{"role": "user", "content": content}],
            "temperature": 0,
        }
        found = self._request("/chat/completions", {**asked, "max_tokens": self._length})
        try:
            answer, usage = found["choices"][0]["message"]["content"], found.get("usage") or {}
            read, generated = (
                int(usage.get(name) or 0) for name in ("prompt_tokens", "completion_tokens")
            )
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            raise self._error(
                f"the answer is no chat completion: {json.dumps(found)[:80]}"
            ) from error
        if not isinstance(answer, str) or not answer.strip():
            raise self._error(
                "the answer has no text", "a larger --max-length leaves room after what it thinks"
            )
        return answer, read, generated

    def _stated_context(self) -> int:
        """The length of the context that the server states."""
        try:
            models = self._request("/models")
        except PagesumError as error:
            hint = (
                error.hint
                if KEY in str(error.hint)
                else "--context-tokens N gives the context, which is asked for"
            )
            raise PagesumError(error.message, hint) from error
        listed = models.get("data") if isinstance(models, dict) else None
        known = [
            one for one in listed or () if isinstance(one, dict) and one.get("id") == self._model
        ]
        for stated in (one.get(name) for one in known for name in CONTEXT_NAMES):
            if isinstance(stated, int):
                return stated
        raise self._error(f"it states no context of {self._model}", "--context-tokens N gives it")

    def _request(self, path: str, body: dict[str, Any] | None = None, attempt: int = 1) -> Any:
        """The answer to a request, which is repeated where that may help."""
        try:
            return self._once(path, body)
        except (OSError, http.client.HTTPException) as failure:
            code, after = 0, ""
            if isinstance(failure, HTTPError):
                code, after = failure.code, failure.headers.get("Retry-After", "")
            if attempt == ATTEMPTS or (code and code != 429 and code < 500):
                raise self._explained(failure) from None
        sleep(min(float(after) if after.isdecimal() else 2.0**attempt, LONGEST_WAIT))
        return self._request(path, body, attempt + 1)

    def _once(self, path: str, body: dict[str, Any] | None) -> Any:
        opener = web.OpenerDirector()  # follows no redirection, and keeps no cookies
        kinds = (
            web.HTTPHandler,
            web.HTTPSHandler,
            web.HTTPDefaultErrorHandler,
            web.HTTPErrorProcessor,
        )
        for handler in (
            web.ProxyHandler({} if self._is_internal else None),
            *(kind() for kind in kinds),
        ):
            opener.add_handler(handler)
        headers = {
            "Content-Type": "application/json",
            **({"Authorization": f"Bearer {_key()}"} if _key() else {}),
        }
        data = None if body is None else json.dumps(body).encode()
        with opener.open(web.Request(self._url + path, data, headers), timeout=SILENCE) as response:
            content = response.read(SIZE)
            if response.length:
                raise http.client.IncompleteRead(content, response.length)
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise self._error(
                f"the answer is no JSON: {content[:60].decode('utf-8', 'replace')!r}"
            ) from error

    def _explained(self, failure: Exception) -> PagesumError:
        reason = failure.reason if isinstance(failure, URLError) else failure
        if isinstance(failure, HTTPError):
            hint = f"set {KEY} in the environment" if failure.code in (401, 403) else None
            said = "" if hint else f": {failure.read(300).decode('utf-8', 'replace')}"
            return self._error(f"the server answers {failure.code}{said}", hint)
        if isinstance(reason, TimeoutError):
            return self._error(f"no answer in {SILENCE:g} seconds")
        if isinstance(reason, http.client.IncompleteRead):
            return self._error("the answer was cut off")
        return self._error(f"it cannot be reached ({getattr(reason, 'strerror', None) or reason})")

    def _error(self, what: str, hint: str | None = None) -> PagesumError:
        line = " ".join(f"{self._url}: {what}".split())
        line = line.replace(_key(), "…") if _key() else line
        return PagesumError(
            line, hint or "with --output, what is done is kept: the same command continues"
        )


def _key() -> str:
    """The key: from the environment, and nowhere else."""
    key = os.environ.get(KEY, "").strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise UsageError(f"{KEY} holds a character that no key has", "set it again")
    return key
