"""The model: token ids in, logits and page confidences out. Knows nothing of files, text or terminals."""
