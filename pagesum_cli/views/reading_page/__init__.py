"""Summary → one HTML file: the summary beside the text that it comes from. It needs no network."""
