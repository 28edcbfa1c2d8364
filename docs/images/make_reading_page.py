"""Make ``docs/examples/summary.html``, and its picture ``reading_page.png`` with a headless Chromium and Pillow.

Run it in the root of the repository: ``python docs/images/make_reading_page.py``.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

PAGE = Path("docs/examples/summary.html")
PICTURE = Path("docs/images/reading_page.png")
COLORS = 256


def main() -> None:
    """Summarize, write, look at it."""
    command = ["pagesum", "summarize", "docs/examples/paper.pdf", "--locality", "discourse"]
    PAGE.unlink(missing_ok=True)
    subprocess.run([*command, "--output", str(PAGE)], check=True)
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as profile:
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}"]
        flags += ["--window-size=1360,800", "--virtual-time-budget=3000", f"--screenshot={PICTURE}"]
        subprocess.run([chromium, *flags, f"{PAGE.resolve().as_uri()}#q2"], check=True)
    with Image.open(PICTURE) as picture:
        picture.convert("RGB").quantize(COLORS).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
