"""The HTML part in a real browser: no mail is wider than a phone. Pictures to look at go to ``.artefacts/mails``."""

from __future__ import annotations

import html
import re
import subprocess
from pathlib import Path

import pytest

from judge.render.facts import Facts
from judge.render.mails import render

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]

ARTEFACTS = Path(__file__).parents[2] / ".artefacts" / "mails"

#: a page that shows each mail in a frame as wide as a phone, and says how wide its content came out
FRAME = """<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
<iframe id="f" style="border:0;width:{width}px;height:10px" srcdoc="{mail}"></iframe><p id="out"></p><script>
f.onload = () => {{ const d = f.contentDocument.documentElement; f.style.height = d.scrollHeight + "px";
const small = [...f.contentDocument.querySelectorAll("td,p,div,li,th,a")].filter(e => e.textContent.trim() &&
parseFloat(getComputedStyle(e).fontSize) < 12 && getComputedStyle(e).display != "none").length;
out.textContent = "WIDE=" + d.scrollWidth + " HIGH=" + d.scrollHeight + " SMALL=" + small; }};</script>"""


def browse(tmp_path: Path, *arguments: str) -> str:
    command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--incognito"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


@pytest.mark.parametrize("width", [320, 360, 600, 1000])
def test_no_mail_is_wider_than_the_screen(width: int, mails: dict[str, Facts], tmp_path: Path) -> None:
    """All examples in one page, so that the browser starts once a width."""
    frames = []
    for facts in mails.values():
        page = FRAME.format(width=width, mail=html.escape(render(facts, timezone="America/New_York").html))
        body = page.partition("<body")[2].partition(">")[2]
        index = len(frames)
        frames.append(
            "<div>" + body.replace('"f"', f'"f{index}"').replace("f.", f"f{index}.").replace("out", f"out{index}") + "</div>"
        )
    path = tmp_path / "all.html"
    path.write_text('<!DOCTYPE html><meta charset="utf-8"><body>' + "".join(frames), encoding="utf-8")
    dom = browse(tmp_path, "--virtual-time-budget=20000", "--dump-dom", path.as_uri())
    said = re.findall(r">WIDE=(\d+) HIGH=(\d+) SMALL=(\d+)<", dom)
    assert len(said) == len(mails)
    too_wide = {name: w for name, (w, _, _) in zip(mails, said, strict=True) if int(w) > width}
    assert too_wide == {}
    assert all(int(high) > 100 for _, high, _ in said)
    assert all(small == "0" for _, _, small in said), "letters under 12 px"


@pytest.mark.parametrize("name", ["start", "receipt", "result", "end"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pictures_to_look_at(name: str, dark: bool, mails: dict[str, Facts], tmp_path: Path) -> None:
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    path = tmp_path / "mail.html"
    page = render(mails[name], timezone="Europe/Paris").html
    if dark:
        # the browser's own switch for this is not for the command line: the dark rules are made to hold always
        page = page.replace("@media (prefers-color-scheme: dark)", "@media all")
    path.write_text(page, encoding="utf-8")
    picture = ARTEFACTS / f"{name}-{'dark' if dark else 'light'}.png"
    picture.unlink(missing_ok=True)
    browse(tmp_path, "--window-size=640,2200", f"--screenshot={picture}", path.as_uri())
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 20_000
