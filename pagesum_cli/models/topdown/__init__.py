"""The top-down transformer: local attention over tokens, corrected by segments that see each
other.
"""
