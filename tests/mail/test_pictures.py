"""Pictures in HTML: programs set arrows and emoji as such; of what nobody sees, nothing is read."""

from __future__ import annotations

import pytest

from judge.mail.html import html_lines

PICTURES = {
    "an arrow": ('<img alt="→" src="x">', "A Par→Bur"),
    "an arrow with a selector": ('<img alt="➡️">', "A Par➡️Bur"),
    "a dash": ('<img alt="-" width="16">', "A Par-Bur"),
    "a face": ('<img alt="🙂">', "A Par 🙂 Bur"),
    "a comma": ('<img alt=",">', "A Par , Bur"),
    "a name": ('<img alt="hold">', "A ParBur"),
    "none": ("<img>", "A ParBur"),
    "not displayed": ('<img alt="→" style="display:none">', "A ParBur"),
    "hidden": ('<img alt="→" hidden>', "A ParBur"),
    "of no size": ('<img alt="→" width=0 height=0>', "A ParBur"),
    "of one dot": ('<img alt="→" width="1px" height="1px">', "A ParBur"),
    "transparent": ('<img alt="→" style="opacity:0">', "A ParBur"),
}


@pytest.mark.parametrize(("picture", "shown"), PICTURES.values(), ids=PICTURES)
def test_a_picture_between_two_names(picture: str, shown: str) -> None:
    assert [line.text for line in html_lines(f"<p>A Par{picture}Bur</p>") if line.text] == [shown]
