"""PageSum: pages encoded and decoded alone, mixed by learned page confidences."""
