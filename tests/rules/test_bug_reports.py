"""Faults that players of other judges reported, as positions (data/adjudication_bugs.jsonl names their sources)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.rules import adjudicate, owing
from judge.rules.orders import Disband, Move
from judge.rules.outcome import GivenOrder
from judge.rules.position import Phase

#: two places as the reports write them; reading names is the reader's business
_IDS = {"NAT": "NAO"}


def _order(text: str) -> str:
    """The reports' ``A HOL - LON``, ``REMOVE F SPA``, ``A VIE R TRI`` in canonical text."""
    if text.startswith("REMOVE "):
        return text.removeprefix("REMOVE ") + " D"
    words = text.replace(" - ", "-").replace(" R ", "-")
    for other, ours in _IDS.items():
        words = words.replace(f"-{other}", f"-{ours}")
    return words


def _row(bug: Mapping[str, Any]) -> dict[str, Any]:
    def units() -> Iterator[dict[str, str]]:
        for power, texts in bug["units"].items():
            for text in texts:
                type_, at = text.split(" ", 1)
                yield {"power": power, "type": type_, "at": at.lower()}

    return {
        "phase": bug.get("phase", "S1901M"),
        "units": list(units()),
        "centres": {power: [c.lower() for c in centres] for power, centres in (bug.get("centers") or {}).items()},
        "orders": [{"power": p, "text": _order(text)} for p, texts in bug["orders"].items() for text in texts],
    }


def test_report(bench: Any, bug: dict[str, Any]) -> None:
    """What the report says is right is what happens."""
    result = bench.run(_row(bug))
    standing = {f"{u.type} {u.at.upper()}" for u in result.units}
    fallen = {f"{d.unit.type} {d.unit.at.upper()}": [at.upper() for at in d.retreats] for d in result.dislodged}
    checked = 0
    for key, value in bug["expect"].items():
        checked += 1
        if key == "retreats":
            assert {unit: fallen[unit] for unit in value} == {unit: sorted(options) for unit, options in value.items()}
        elif key == "retreats_include":
            assert all(set(options) <= set(fallen[unit]) for unit, options in value.items())
        elif key == "removed":
            assert standing.isdisjoint(value)
        elif key == "remaining":
            assert set(value) <= standing
        elif key == "next_phase":
            assert str(result.position.phase) == value
        elif key == "winner":
            assert value is None and result.end is None
        elif key in ("nmr", "turkey_centres", "austria", "after_retreat"):
            pass  # asked below, where the next phase is played
        elif value == "dislodged":
            assert key in fallen
        elif value in ("bounce", "ok", "void"):
            assert key in standing
        else:
            assert key[0] + " " + value in standing
    assert checked
    _then(bench, bug, result)


def _then(bench: Any, bug: Mapping[str, Any], result: Any) -> None:
    """The phase after, for reports that go on."""
    if "then" in bug:
        orders = [
            GivenOrder(bench.powers[power.lower()], bench.parse(_order(text)))
            for power, texts in bug["then"].items()
            if isinstance(texts, list)
            for text in texts
        ]
        after = adjudicate(bench.board, result.position, orders, bench.preset("standard"))
        if "turkey_centres" in bug["expect"]:
            assert len(after.position.centres("Turkey")) == bug["expect"]["turkey_centres"]
            assert [c.upper() for c in after.position.centres("Austria")] == bug["expect"]["austria"]
            assert after.end is None
            assert after.position.phase == Phase.parse("W1907A")
        else:
            gone = {d.unit for d in result.position.dislodged}
            assert gone
            assert len(after.units) == len(result.units)
            told = [o for o in after.outcomes if o.unit in gone]
            assert {o.unit for o in told} == gone
            assert all(isinstance(o.order, Disband | Move) for o in told)
    if bug["expect"].get("nmr") is False:
        row = _row(bug)
        owed = owing(bench.board, bench.position(row), bench.preset("standard"))
        if row["phase"].endswith("A"):
            assert owed == {}  # a removal without a choice is nobody's duty
