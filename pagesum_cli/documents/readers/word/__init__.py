"""The markup of Word documents (WordprocessingML, Office Math)."""
