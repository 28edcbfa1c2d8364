"""A language model judges whether passages support a claim that comparing words cannot prove."""
