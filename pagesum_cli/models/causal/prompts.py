"""The prompt around a page: the chat template's text before and after it."""

from dataclasses import dataclass
from typing import Any

from ...errors import PagesumError, UsageError
from ..weights import first_line
from .configuration import PAGE, CausalConfig

# stands for the page while the template is filled in: a character that no template has
PLACE = "\ue000"


@dataclass(frozen=True)
class Prompt:
    """Token ids around a page."""

    before: tuple[int, ...]
    after: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.before) + len(self.after)


def prompt_of(chat: Any, config: CausalConfig, instruction: str | None = None) -> Prompt:
    """The prompt of a model.

    Args:
        chat: Transformers' tokenizer of the model.
        config: The model's settings.
        instruction: What to ask instead of the model's own instruction.

    Raises:
        UsageError: The instruction does not say where the page is.
        PagesumError: The chat template fails, or leaves the page out.
    """
    instruction = instruction or config.instruction
    if instruction.count(PAGE) != 1:
        raise UsageError(
            f"the instruction has {PAGE} {instruction.count(PAGE)} times, expected once",
            f"for example: Summarize this text. {PAGE}",
        )
    content = instruction.replace(PAGE, PLACE)
    messages = [{"role": "user", "content": content}]
    if config.system:
        messages.insert(0, {"role": "system", "content": config.system})
    template = config.template or chat.chat_template
    text = _filled(chat, messages, template) if template else _plain(chat, messages)
    if text.count(PLACE) != 1:
        raise PagesumError(
            f"the chat template has the page {text.count(PLACE)} times, expected once",
            'set "template" in pagesum.json to another one',
        )
    before, _, after = text.partition(PLACE)
    return Prompt(_ids(chat, before), _ids(chat, after))


def _filled(chat: Any, messages: list[dict[str, str]], template: str) -> str:
    try:
        return chat.apply_chat_template(
            messages,
            chat_template=template,
            tokenize=False,
            add_generation_prompt=True,
            enable_thinking=False,  # a variable of templates of models that think aloud
        )
    except Exception as error:  # whatever a template raises
        raise PagesumError(
            f"the chat template fails: {first_line(error)}",
            'set "template" in pagesum.json to another one, or leave "system" out',
        ) from error


def _plain(chat: Any, messages: list[dict[str, str]]) -> str:
    """The messages one after another, for a model without a chat template."""
    text = "\n\n".join(message["content"] for message in messages)
    return f"{chat.bos_token or ''}{text}\n\n"


def _ids(chat: Any, text: str) -> tuple[int, ...]:
    return tuple(chat(text, add_special_tokens=False)["input_ids"]) if text else ()
