"""The paper's analyses of documents and summaries."""
