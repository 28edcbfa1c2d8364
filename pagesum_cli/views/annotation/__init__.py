"""Human evaluation: the pages on which annotators mark errors or choose the better summary, and the report."""
