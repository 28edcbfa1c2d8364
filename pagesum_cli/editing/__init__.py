"""A language model chooses sentences by their numbers; every word stays the document's."""
