"""Models: tensors in, tensors out. Files, text, options and terminals are unknown here, except to
checkpoints.
"""
