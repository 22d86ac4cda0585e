"""``games/words/LANG.toml``: the words that orders are made of, in every language, by what they do in an order.

Provinces, coasts and powers are not here but in :mod:`judge.variants.names`. A table is ``KIND = [spellings]``;
``"KIND:VALUE"`` gives its words a value. The kinds:

- ``UNIT`` (value ``A``, ``F`` or ``*``: either kind); ``UNITPRE`` counts only before its place (陸 パリ)
- ``DET`` articles and "my", ``ART`` an indefinite article before a unit word, ``POSS`` the mark of a possessive
- ``AT``, ``FROM`` before where a unit is, ``FROMPOST`` after it (から); ``OF2`` joins a place or power to its unit (の 的)
- ``TO`` before where it goes, ``TOPOST`` after it (へ); ``ONTO`` before it, but only after a verb of moving
- ``MOVE HOLD SUP CON RET DIS BUILD WAIVE`` verbs and their nouns; ``STAY`` a hold that only follows its unit
- ``BYCON`` by convoy; ``VIA`` before a route, ``VIAPOST`` after it; ``OTB`` off the board
- ``TOPIC`` after the unit of which something is said (は), ``PRE`` before it (将); ``TAIL`` ends a verb (する)
- ``THAT`` makes a noun of a movement (のを); ``PART`` the second half of a German verb; ``INF`` before a verb
- ``OF`` before the unit whose move is supported ("the move of"), ``WITH`` before the unit that does it
- ``AND OR ALSO PLEASE GREET``; ``ALL``, ``REST`` all units, all other units; ``NOUN ONE TWO THREE`` what is waived
- ``OBJECT SUBJECT`` after what is done to (を), and after who does it (が), where the former stands first
- ``STILL`` after an order that stands as before; ``ORDERING`` "I order", before one
- ``TALK`` words that no order has (I, if, not, promised): a line with one speaks about orders
- ``HEAD TURN SEASON`` (value ``S``, ``F``, ``W``) words of a heading
- ``LINE`` phrases of a line of its own that changes what the orders beside it mean (:mod:`judge.notation.contexts`); ``^``
  before one that begins the line, ``=`` before one that is all of it. Values: ``undo`` takes back, if ``this`` or nothing
  is its object (``above``: what stands above; ``earlier``: what was sent before, which is no doubt about this mail);
  ``off``, ``off-above`` say by themselves that what stands below, above is not meant; ``old`` and ``new`` introduce what
  counts no more, and what does; ``or`` between two orders, ``choice`` before one of them; ``said`` what others (``they``)
  do; ``asks`` a question about orders; ``later`` another turn; ``skip`` words that say nothing beside ``undo``
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from judge.resources import data_dir
from judge.variants.tomlfile import TomlFile, allowed

KINDS = frozenset((
    "UNIT", "UNITPRE", "DET", "ART", "POSS", "AT", "FROM", "FROMPOST", "OF", "OF2", "TO", "TOPOST", "ONTO",
    "TOPIC", "PRE", "MOVE", "HOLD", "STAY", "SUP", "CON", "BYCON", "VIA", "VIAPOST", "RET", "DIS", "OTB", "BUILD",
    "WAIVE", "TAIL", "THAT", "PART", "INF", "WITH", "AND", "OR", "ALSO", "PLEASE", "GREET", "ALL", "REST", "TALK",
    "NOUN", "OBJECT", "SUBJECT", "STILL", "ORDERING", "ONE", "TWO", "THREE", "HEAD", "TURN", "SEASON", "LINE",
))  # fmt: skip


@cache
def load_words() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return language -> kind (``"SUP"``, ``"UNIT:A"``) -> spellings.

    :raises BadInput: a table is faulty; ``where`` is ``FILE:LINE``.
    """
    words: dict[str, dict[str, tuple[str, ...]]] = {}
    for path in sorted((data_dir("games") / "words").glob("*.toml")):
        file = TomlFile.read(path)
        for kind, spellings in file.data.items():
            if kind.partition(":")[0] not in KINDS:
                raise file.fault([kind], f"unknown kind of word {kind!r}: {allowed(kind, KINDS)}")
            if not isinstance(spellings, list) or not all(isinstance(s, str) and s for s in spellings):
                raise file.fault([kind], f"{kind} is a list of spellings")
        words[path.stem] = {kind: tuple(spellings) for kind, spellings in file.data.items()}
    return words
