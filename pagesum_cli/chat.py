"""A client of chat models behind an OpenAI-compatible address, such as those of Ollama, llama.cpp,
vLLM or LM Studio: ``URL#MODEL``.
"""

import http.client
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from time import sleep
from typing import Any, Self
from urllib import request as web
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from .errors import PagesumError, UsageError

KEY = "OPENAI_API_KEY"

# in /v1/models
CONTEXT_NAMES = ("max_model_len", "context_length", "context_window", "max_context_length")

SILENCE, LONGEST_WAIT = 600.0, 120.0  # seconds without an answer; and between two attempts
ATTEMPTS = 4
SIZE = 1 << 24  # bytes of an answer


@dataclass(frozen=True)
class Address:
    """Where a chat model answers."""

    url: str  # that of its API: ``http://localhost:11434/v1``
    model: str  # its name there
    is_internal: bool  # whether it is on this machine

    @classmethod
    def of(cls, name: str, option: str, prefix: str = "") -> Self:
        """The address that an option names; raises UsageError where it is none."""
        url, _, model = name.removeprefix(prefix).partition("#")
        parts = urlsplit(url)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname and model)
        if not is_web or parts.query or "@" in parts.netloc:
            raise UsageError(
                f"{option} {prefix}…: expected {prefix}URL#MODEL, without a password or a query",
                f"for example {prefix}http://127.0.0.1:8000#MODEL; the key is read from {KEY}",
            )
        has_path = bool(parts.path.strip("/"))
        base = url.rstrip("/") if has_path else f"{parts.scheme}://{parts.netloc}/v1"
        return cls(base, model, _is_internal(parts.hostname or ""))

    def check(self, *, allow_network: bool) -> None:
        """Raise UsageError unless the documents may be sent there, and the key can be."""
        if not self.is_internal and not allow_network:
            raise UsageError(
                f"{self.url} is not this machine", "--allow-network sends the documents there"
            )
        if api_key() and not self.is_internal and not self.url.startswith("https:"):
            raise UsageError(
                f"{self.url}: {KEY} would be sent without encryption", "use https://, or unset it"
            )


@dataclass(frozen=True)
class Answer:
    """What a chat model answers."""

    text: str
    # tokens read and generated, as the server counts them; 0 where it does not
    read: int
    generated: int
    is_cut_off: bool = False  # whether it ends at the maximum length


class RefusedError(PagesumError):
    """The server does not accept a request, for example one for an answer of a given form."""


@dataclass(frozen=True)
class ChatModel:
    """A chat model behind an address.

    Args:
        hint: What to do where it fails.
        silence: Seconds to wait for an answer.
        attempts: How often a request is made that fails for a reason that may pass.
    """

    address: Address
    hint: str | None = None
    silence: float | None = None  # None: SILENCE
    attempts: int = ATTEMPTS

    def ask(self, content: str, max_tokens: int, **more: Any) -> Answer:
        """Answer a message, greedily.

        Args:
            content: The message.
            max_tokens: Of the answer.
            more: More of the request, such as ``response_format``.

        Raises:
            RefusedError: The server does not accept the request.
            PagesumError: It cannot be reached, or its answer is none.
        """
        asked = {
            "model": self.address.model,
            "messages": [{"role": "user", "content": content}],
            "temperature": 0,
            "max_tokens": max_tokens,
            **more,
        }
        found = self._request("/chat/completions", asked)
        try:
            choice, usage = found["choices"][0], found.get("usage") or {}
            text, is_cut_off = choice["message"]["content"], choice.get("finish_reason") == "length"
            counts = [int(usage.get(name) or 0) for name in ("prompt_tokens", "completion_tokens")]
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            raise self._error(
                f"the answer is not a chat completion: {json.dumps(found)[:80]}"
            ) from error
        if not isinstance(text, str) or not text.strip():
            raise self._error(
                "the answer has no text",
                "a larger --max-length leaves room for the answer after its reasoning",
            )
        return Answer(text, counts[0], counts[1], is_cut_off)

    def reach(self) -> None:
        """Raise PagesumError if nothing answers there; a server need not list its models."""
        with suppress(RefusedError):
            self._request("/models")

    def context(self) -> int:
        """The length of the context that the server states, in tokens."""
        try:
            models = self._request("/models")
        except PagesumError as error:
            is_about_key = KEY in str(error.hint)
            asked = "set the context length with --context-tokens N"
            raise PagesumError(error.message, error.hint if is_about_key else asked) from error
        stated = _stated_context(models, self.address.model)
        if stated is None:
            what = f"it does not state the context length of {self.address.model}"
            raise self._error(what, "set it with --context-tokens N")
        return stated

    def _request(self, path: str, body: dict[str, Any] | None = None, attempt: int = 1) -> Any:
        """The answer to a request, which is repeated where that may help."""
        try:
            return self._once(path, body)
        except (OSError, http.client.HTTPException) as failure:
            is_final = isinstance(failure, HTTPError) and not _may_pass(failure.code)
            if attempt == self.attempts or is_final:
                raise self._explained(failure) from None
            after = failure.headers.get("Retry-After", "") if isinstance(failure, HTTPError) else ""
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
        proxies = web.ProxyHandler({} if self.address.is_internal else None)
        for handler in (proxies, *(kind() for kind in kinds)):
            opener.add_handler(handler)
        headers = {"Content-Type": "application/json"}
        if api_key():
            headers["Authorization"] = f"Bearer {api_key()}"
        data = None if body is None else json.dumps(body).encode()
        request = web.Request(self.address.url + path, data, headers)
        with opener.open(request, timeout=self.silence or SILENCE) as response:
            content = response.read(SIZE)
            if response.length:
                raise http.client.IncompleteRead(content, response.length)
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise self._error(
                f"the answer is not JSON: {content[:60].decode('utf-8', 'replace')!r}"
            ) from error

    def _explained(self, failure: Exception) -> PagesumError:
        reason = failure.reason if isinstance(failure, URLError) else failure
        if isinstance(failure, HTTPError) and failure.code in (401, 403):
            return self._error(
                f"the server answers {failure.code}", f"set {KEY} in the environment"
            )
        if isinstance(failure, HTTPError):
            text = failure.read(300).decode("utf-8", "replace")
            error = self._error(f"the server answers {failure.code}: {text}")
            return RefusedError(error.message, error.hint) if failure.code < 500 else error
        what = f"it cannot be reached ({getattr(reason, 'strerror', None) or reason})"
        if isinstance(reason, TimeoutError):
            what = f"no answer in {self.silence or SILENCE:g} seconds"
        elif isinstance(reason, http.client.IncompleteRead):
            what = "the answer was cut off"
        return self._error(what)

    def _error(self, what: str, hint: str | None = None) -> PagesumError:
        line = " ".join(f"{self.address.url}: {what}".split())
        line = line.replace(api_key(), "…") if api_key() else line
        return PagesumError(line, hint or self.hint)


def _stated_context(models: Any, name: str) -> int | None:
    """The length of the context in an answer about all models of a server."""
    listed = models.get("data") if isinstance(models, dict) else None
    for model in listed or ():
        if isinstance(model, dict) and model.get("id") == name:
            stated = [model.get(key) for key in CONTEXT_NAMES]
            return next((length for length in stated if isinstance(length, int)), None)
    return None


def _is_internal(host: str) -> bool:
    """Whether a host is this machine: by name, or by an address that never leaves it."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _may_pass(code: int) -> bool:
    """Whether a server may answer later that answers with a status now."""
    return code == 429 or code >= 500


def api_key() -> str:
    """The key: from the environment, and nowhere else."""
    key = os.environ.get(KEY, "").strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise UsageError(f"{KEY} contains an invalid character", "set it again")
    return key
