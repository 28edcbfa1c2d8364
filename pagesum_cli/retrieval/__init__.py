"""A question → the sentences, numbers and table rows that answer it: one engine for ``find``,
``--focus`` and ``mcp``.
"""
