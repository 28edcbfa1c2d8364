"""Reading in another process, with limits that the operating system sets: files are made by
anybody.
"""
