"""Every verb with its arguments and options, for the pages that list them all."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .verbs import VERBS


@dataclass(frozen=True)
class Verb:
    """A verb of the command line, as Typer knows it."""

    name: str  # with the verbs above it: ``pagesum models add``
    command: Any
    depth: int = 0  # the number of verbs above it

    @property
    def below(self) -> list["Verb"]:
        """The verbs below it."""
        commands = getattr(self.command, "commands", {})
        return [Verb(f"{self.name} {name}", one, self.depth + 1) for name, one in commands.items()]

    @property
    def usage(self) -> str:
        """How it is typed."""
        is_optional = getattr(self.command, "invoke_without_command", False)
        verb = "[VERB]" if is_optional else "VERB"
        words = [self.name, *([verb] if self.below else []), "[OPTIONS]"]
        return " ".join([*words, *map(_usage_of, self.arguments)])

    @property
    def arguments(self) -> list[Any]:
        """Its arguments, in order."""
        return [one for one in self._shown if one.param_type_name == "argument"]

    @property
    def panels(self) -> dict[str, list[Any]]:
        """Its options by the title of their panel, in the order of their first options."""
        panels: dict[str, list[Any]] = {}
        for one in self._shown:
            if one.param_type_name == "option":
                panels.setdefault(one.rich_help_panel or "Options", []).append(one)
        return panels

    @property
    def _shown(self) -> list[Any]:
        return [one for one in self.command.params if not one.hidden]


def all_verbs(top: Any) -> list[Verb]:
    """Every verb of the command line, each before the verbs below it."""
    return [
        one
        for name in VERBS
        for one in _with_those_below(Verb(f"pagesum {name}", top.get_command(None, name)))
    ]


def names_of(option: Any) -> list[str]:
    """The flags of an option, longest first."""
    return sorted([*option.opts, *option.secondary_opts], key=len, reverse=True)


def default_of(option: Any) -> str:
    """The default of an option as it is typed; empty if it has none."""
    is_shown = option.show_default and option.default not in (None, False)
    return str(option.default) if is_shown else ""


def range_of(option: Any) -> str:
    """The range of an option's number: ``from 0 to 1``, ``≥ 1``, or empty."""
    if not option.metavar or getattr(option, "min", None) is None:
        return ""
    if option.max is not None:
        return f"from {option.min:g} to {option.max:g}"
    return f"≥ {option.min:g}"


def help_of(option: Any) -> str:
    """What an option does, without the choices that :func:`choices_of` has."""
    return str(option.help).partition(" Choices: ")[0]


def choices_of(option: Any) -> tuple[str, ...]:
    """The values that an option may have, if they are few."""
    return tuple(option.type_descriptor.choices or ())


def _with_those_below(verb: Verb) -> Iterator[Verb]:
    yield verb
    for one in verb.below:
        yield from _with_those_below(one)


def _usage_of(argument: Any) -> str:
    several = "..." if argument.nargs != 1 else ""
    shown = f"{argument.metavar}{several}"
    return shown if argument.required else f"[{shown}]"
