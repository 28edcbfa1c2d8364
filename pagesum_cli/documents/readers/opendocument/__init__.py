"""The markup of OpenDocument texts."""
