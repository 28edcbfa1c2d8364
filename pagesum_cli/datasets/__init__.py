"""Records and named data sets, for evaluation, training and summarizing alike."""
