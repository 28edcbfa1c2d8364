"""The tools of ``pagesum mcp``."""
