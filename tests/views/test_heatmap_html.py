"""The explorable page, also in a real browser where there is one."""

import json
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from pagesum_cli.summary.summary import SourceSentence
from pagesum_cli.views.heatmap_html import heat_map_html

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = """
    --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync --hide-scrollbars --window-size=1200,900 --virtual-time-budget=3000
    """.split()  # noqa: SIM905

HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"


@pytest.fixture
def page(summary):
    """A page about hostile text."""
    first, *rest = summary.sentences
    evidence = (SourceSentence(HOSTILE, 4, (5,), 0.5),)
    first = replace(first, text=HOSTILE, evidence=evidence, supported=False)
    pages = tuple(replace(one, label=HOSTILE) if one.page == 2 else one for one in summary.pages)
    said = [HOSTILE.split(), *(sentence.text.split() for sentence in rest)]
    tokens = tuple(
        replace(token, text=f" {word}") for token, words in zip(summary.tokens, said, strict=True) for word in words
    )
    return heat_map_html(replace(summary, title=HOSTILE, sentences=(first, *rest), tokens=tokens, pages=pages))


def test_text_is_escaped(page):
    assert page.count("<script") == 2
    assert "<img" not in page


def test_the_file_needs_nothing_else(page):
    assert not re.findall(r"""(?:src|href)=["']""", page.replace("&quot;", ""))
    assert "default-src 'none'" in page


def test_parts_without_a_share_have_one_row_together_in_map_and_table(a_summary):
    many = a_summary(labels=[f"Section {number}" for number in range(400)])
    page = heat_map_html(many)
    labels = re.findall(r"<div>([^<]*)</div>", page)
    assert 3 <= len(labels) <= 60
    assert re.fullmatch(r"\d+ further parts", labels[-1])
    assert page.count('<tr class="p"') == len(labels)
    assert page.count(f"<th scope=row>{labels[-1]}</th>") == 1
    confidences = json.loads(re.search(r'"confidences":(\[\[.*?\]\])', page).group(1))
    assert all(len(column) == len(labels) for column in confidences)
    assert all(sum(column) == pytest.approx(1, abs=0.01) for column in confidences)
    shares = [float(share) for share in re.findall(r'<td class="n now">([\d.]+)%', page)]
    assert sum(shares) == pytest.approx(100, abs=2)
    assert page.count("share</th>") == 1


def chromium(tmp_path, text, *flags):
    file = tmp_path / "page.html"
    file.write_text(text, encoding="utf-8")
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", *flags, file.as_uri()]
    return subprocess.run(command, capture_output=True, timeout=120, check=True).stdout.decode()


needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


@pytest.mark.slow
@needs_chromium
def test_the_script_runs_under_its_policy_and_hostile_text_does_not(page, tmp_path):
    dom = chromium(tmp_path, page, "--dump-dom")
    assert re.search(r'<span id="top">(≥ )?\d+%</span>', dom)
    assert "<title>owned" not in dom


DRIVER = """
const said = {}, word = document.getElementById("w8"), row = document.getElementById("p4");
const share = () => [...document.querySelectorAll(".now")].map((cell) => cell.textContent).join(" ");
const key = (element, name) => element.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
const before = share();
word.dispatchEvent(new MouseEvent("mouseenter"));
said.hovered = share() !== before && word.classList.contains("on");
word.dispatchEvent(new MouseEvent("mouseleave"));
said.left = share() === before && !word.classList.contains("on");
row.dispatchEvent(new MouseEvent("mouseenter"));
said.lit = [...document.querySelectorAll(".w")].filter((one) => one.style.backgroundColor).length;
row.dispatchEvent(new MouseEvent("mouseleave"));
document.getElementById("w0").focus();
key(document.activeElement, "ArrowRight");
said.focus = document.activeElement.id;
said.stops = document.querySelectorAll('.w[tabindex="0"]').length;
key(document.activeElement, "End");
said.end = document.activeElement === [...document.querySelectorAll(".w")].at(-1);
said.live = document.getElementById("live").textContent;
key(document.activeElement, "Escape");
said.escaped = share() === before && document.getElementById("live").textContent === "";
document.getElementById("p0").focus();
key(document.activeElement, "ArrowDown");
said.row = document.activeElement.id;
document.body.setAttribute("data-said", JSON.stringify(said));
"""


@pytest.mark.slow
@needs_chromium
def test_words_light_pages_and_pages_light_words_by_mouse_and_keyboard(page, summary, tmp_path):
    # The policy lets no script in but the page's own: a copy without it takes the one that plays the user.
    open_to_all = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    dom = chromium(tmp_path, open_to_all.replace("</body>", f"<script>{DRIVER}</script></body>"), "--dump-dom")
    said = re.search(r'data-said="([^"]*)"', dom).group(1).replace("&quot;", '"')
    words = page.count('class="w"')
    for part in ('"hovered":true', '"left":true', f'"lit":{words}', '"focus":"w1"', '"stops":1', '"end":true'):
        assert part in said
    assert '"escaped":true' in said
    assert '"row":"p1"' in said
    assert re.search(r': \d+%","escaped"', said)


@pytest.mark.slow
@needs_chromium
def test_it_can_be_looked_at(page, tmp_path):
    picture = tmp_path / "page.png"
    chromium(tmp_path, page, f"--screenshot={picture}")
    assert picture.read_bytes().startswith(b"\x89PNG")
