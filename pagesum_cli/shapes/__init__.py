"""The shape of a summary: paragraphs with titles, from sentences that stand alone."""
