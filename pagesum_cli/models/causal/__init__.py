"""Decoder-only language models that read a document page by page: each page is a context of its
own, and the pages' next-token distributions are mixed.
"""
