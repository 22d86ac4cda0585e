"""House rules as values: every key typed, documented and defaulted here, and nowhere else.

A key ``convoy.disruption`` is the field ``convoy_disruption``. The defaults are the ``standard`` preset: the 2023 rules with
the DATC's preferred choices. The engine looks a choice up at the one place where the rule applies; there is no
``if preset == ...`` anywhere. ``judge.variants`` fills this type from ``games/houserules/*.toml``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HouseRules:
    """One game's rules."""

    #: name of the preset or file they come from
    name: str = "standard"


STANDARD = HouseRules()
