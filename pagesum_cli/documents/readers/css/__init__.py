"""As much of CSS as tells what a browser shows of an element, and in which colors."""
