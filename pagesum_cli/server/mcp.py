"""Tools over the Model Context Protocol, on standard input and output."""

import sys
from collections.abc import Awaitable, Callable
from functools import wraps
from io import TextIOWrapper

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations

from ..documents.guard.reading import stop_reading
from ..errors import explained
from ..options import GenerationOptions, ModelOptions
from ..version import __version__
from .folders import Folders
from .lines import MendedLines
from .tools import Answer, Tools

INSTRUCTIONS = """\
Reads the documents of the user's folders. Quotes are exact. Put the citation of a quote \
after what you state from it.
Before you answer, give your statements to check, and correct what differs or is not found."""


def serve(folders: Folders, model: ModelOptions, generation: GenerationOptions) -> None:
    """Answer calls, one after another, until the input ends."""
    tools = Tools(folders, model, anyio.from_thread.check_cancelled, generation)
    lock = anyio.Lock()
    tools_of_server = list[Tool]()
    for work in (tools.map, tools.read, tools.summarize, tools.find, tools.check):
        tools_of_server.append(tool_of(in_thread(work, lock)))
    server = MCPServer(
        "pagesum",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="CRITICAL",
        tools=tools_of_server,
    )
    sys.stdin = TextIOWrapper(MendedLines(sys.stdin.buffer))
    server.run()


def tool_of(work: Callable[..., Awaitable[Answer]]) -> Tool:
    """A tool that refuses arguments that it does not have, which would be ignored otherwise."""
    only = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    tool = Tool.from_function(work, annotations=only)
    arguments = tool.fn_metadata.arg_model
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    return tool.model_copy(update={"parameters": arguments.model_json_schema(by_alias=True)})


def in_thread(work: Callable[..., Answer], lock: anyio.Lock) -> Callable[..., Awaitable[Answer]]:
    """The function in a thread; what it raises becomes a ToolError, a line for people.

    Where the call is cancelled, a file being read is given up, and the next step raises.
    """

    def answered(arguments: dict[str, object]) -> Answer:
        try:
            return work(**arguments)
        except Exception as failure:
            error = explained(failure)
            raise ToolError(
                f"{error.message}; {error.hint}" if error.hint else error.message
            ) from failure

    @wraps(work)
    async def call(**arguments: object) -> Answer:
        async with lock:
            try:
                return await anyio.to_thread.run_sync(answered, arguments, abandon_on_cancel=True)
            finally:
                stop_reading()

    return call
