"""Does what a summary says stand in the documents?"""
