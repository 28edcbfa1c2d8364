"""The names of the verbs, with what they do."""

VERBS = {
    "summarize": "Summarize documents and show where each sentence comes from.",
    "inspect": "Show how strongly each part of a document contributed to each sentence.",
    "check": "Check whether the documents support what a summary says.",
    "find": "Find every sentence, number and table row that answers a question.",
    "pages": "Show how a file is divided into parts, without a model.",
    "demo": "Show what the program does, without a file.",
    "mcp": "Let an assistant read, search and check the documents in folders.",
    "eval": "Score the summaries of a model or of any other system.",
    "label": "Label which sentences of documents should be quoted, for training.",
    "train": "Train or fine-tune a model on documents with summaries.",
    "analyze": "Run the paper's analyses on documents or data sets.",
    "reproduce": "Reproduce the tables and figures of the papers.",
    "models": "List the known models and where to get them.",
}

GROUPS = {
    "Summaries": ("summarize", "inspect", "check", "find", "pages", "demo", "mcp"),
    "Models": ("models", "label", "train"),
    "Research": ("eval", "analyze", "reproduce"),
}
"""The verbs as the help lists them."""
