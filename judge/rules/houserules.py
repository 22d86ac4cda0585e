"""House rules as values: every key typed, documented and defaulted here, and nowhere else.

A key ``convoy.disruption`` is the field ``convoy_disruption``. The defaults are the ``standard`` preset: the 2023
rules with the DATC's preferred choices. The engine looks a choice up at the one place where the rule applies; there is
no ``if preset == ...`` anywhere. ``judge.variants`` fills this type from ``games/houserules/*.toml``, and
``games/houserules/README.md`` is made from what stands here.

``JP-15``, ``CN-17`` are the rows of the two rule books that the presets ``japan-1910`` and ``china`` follow; ``4.A.1``
is an issue of the DATC's chapter 4. Keys marked "play" or "mail" are obeyed outside this room: they are part of the
agreement that a game is played under, so they stand with the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints


def _key(default: Any, doc: str, *, datc: str = "", rows: str = "", used_by: str = "engine") -> Any:
    return field(default=default, metadata={"doc": doc, "datc": datc, "rows": rows, "used_by": used_by})


@dataclass(frozen=True, slots=True)
class HouseRules:
    """One game's rules."""

    #: name of the preset or file they come from
    name: str = "standard"

    # ── how a game ends ──────────────────────────────────────────────────────────────────────────────────────────────
    victory_centres: int | Literal["board", "none"] = _key(
        "board",
        "Supply centres that win, at the moment ownership changes; 'board' is the board's own number (18 of 34), "
        "'none' no victory by centres.",
        rows="JP-2 CN-1",
    )
    victory_tie: Literal["draw", "most"] = _key(
        "draw",
        "When several powers reach the centres that win in one turn: all of them share a draw, or the one with the "
        "most wins (equal counts share).",
        rows="CN-1",
    )
    victory_end_turn: str = _key("", "The last turn (F1910, or 05-F); empty: play until somebody wins.", rows="JP-3 CN-1")
    victory_end_counts: Literal["centres", "units"] = _key(
        "centres", "What is counted after the last turn; equal counts share a draw.", rows="JP-3 CN-1"
    )
    victory_end_when: Literal["after-adjustments", "before-adjustments"] = _key(
        "after-adjustments",
        "Whether a last turn in Fall is counted after the adjustments of that Fall or before them.",
        rows="JP-3",
    )
    victory_clock_at: str = _key(
        "",
        "An agreed instant (2026-03-01T20:00Z) at which the game ends with the phase then running; empty: none.",
        rows="CN-1",
        used_by="play",
    )
    victory_clock_after: str = _key(
        "", "An agreed duration (2 h, 30 d) after which the game ends, as victory.clock.at.", rows="CN-1", used_by="play"
    )
    victory_clock_counts: Literal["centres", "units"] = _key(
        "centres", "What is counted when the agreed time is over.", rows="CN-1", used_by="play"
    )
    draw_kind: Literal["dias", "lists", "none"] = _key(
        "dias",
        "Draws by vote of all who are left: shared by all of them; also among powers that each voter names; or none.",
        used_by="play",
    )
    draw_votes: Literal["secret", "counts", "open"] = _key(
        "secret",
        "What is told of a vote for a draw or a concession before it ends the game: nothing, how many there are, or whose.",
        used_by="play",
    )
    draw_concede: Literal["yes", "no"] = _key(
        "yes", "Whether the game ends when all others concede it to one power.", used_by="play"
    )

    # ── who plays whom ───────────────────────────────────────────────────────────────────────────────────────────────
    powers_assign: Literal["master", "random", "first-come", "preference", "best-ranks"] = _key(
        "master",
        "How powers are given out: by the game master, by lot, first come first served, by one wish each, or from "
        "ranked lists so that the sum of ranks is best.",
        rows="JP-1",
        used_by="play",
    )
    powers_clash: Literal["claimants", "pool"] = _key(
        "claimants",
        "A power wanted by several (powers.assign = preference) is drawn among those who want it, or all that is not "
        "granted outright is drawn from one pool.",
        rows="JP-1",
        used_by="play",
    )
    powers_unplayed: tuple[str, ...] = _key(
        (),
        "Powers that nobody plays, as in set-ups for fewer players (['Italy', 'Germany']): their units hold and can be "
        "supported, dislodged ones disband, they build nothing, what must go goes by removal.order, and they never win: "
        "what they own counts for nobody.",
    )
    powers_addresses: Literal["hidden", "shown"] = _key(
        "hidden", "Whether players see each other's mail addresses.", rows="JP-4", used_by="play"
    )
    powers_names: Literal["open", "end", "never"] = _key(
        "open",
        "Whether players are told who plays which power, by the names that people chose for themselves (NAME): all along, "
        "when the game is over, or never. Where it is not told, addresses are not either (powers.addresses), a player's "
        "name is taken off the foot of their press, and a game master who plays is told no more than the others.",
        used_by="play",
    )
    powers_takeover: Literal["master", "open"] = _key(
        "master",
        "Who fills a seat that lost its player, or never had one, in a running game: the game master alone; or whoever asks "
        "for it first.",
        used_by="play",
    )
    powers_offers: Literal["none", "6 h", "12 h", "24 h", "48 h"] = _key(
        "24 h",
        "So long somebody who stands ready (STANDBY) has for an answer when a seat without a player is offered to them, or "
        "half a phase if that is shorter; then it is offered to the next. Only where anybody may take a seat over "
        "(powers.takeover), or where the game master has one offered (OFFER SEAT).",
        used_by="play",
    )
    powers_start: Literal["master", "full"] = _key(
        "master",
        "When a game starts: when the game master says so; or by itself too, as soon as every power has a player.",
        used_by="play",
    )

    # ── coasts ───────────────────────────────────────────────────────────────────────────────────────────────────────
    coast_unspecified: Literal["infer", "void", "default-coast"] = _key(
        "infer",
        "A fleet ordered to a province with split coasts without naming one: the only coast it can reach is meant (and "
        "the order is void if there are two), the order is always void, or the first coast of the board's list that it "
        "can reach is taken.",
        datc="4.B.1 4.B.2",
        rows="JP-7 CN-5 CN-13",
    )
    coast_impossible: Literal["void", "ignored"] = _key(
        "void",
        "A fleet ordered to a coast that it cannot reach, though it can reach the other: void, or the coast is ignored.",
        datc="4.B.3",
    )
    coast_support: Literal["optional", "required", "required-foreign", "ignored"] = _key(
        "optional",
        "A coast in the support of a fleet's move: optional, but one that is named must be the one moved to; required; "
        "required for other powers' units; or ignored.",
        datc="4.B.4",
        rows="CN-9",
    )
    coast_wrong_start: Literal["ignored", "void"] = _key(
        "ignored",
        "A wrong coast written for where the ordered fleet stands: the coast is ignored, or the order is void.",
        datc="4.B.5",
    )
    coast_irrelevant: Literal["ignored", "void"] = _key(
        "ignored",
        "A coast where none matters (an army's, or one that the province does not have): it is ignored, or the order is "
        "void.",
        datc="4.B.6",
    )
    coast_build: Literal["void", "default-coast"] = _key(
        "void",
        "A fleet built in a province with split coasts without naming one: void, or on the first coast of the board's list.",
        datc="4.B.7",
        rows="CN-15",
    )
    coast_aliases: tuple[tuple[str, str], ...] = _key(
        (),
        "Other names of coasts, read and printed in this game, the other name first: { 'bul/nc' = 'bul/ec' } calls the "
        "east coast of Bulgaria its north coast.",
        rows="JP-7",
        used_by="mail",
    )

    # ── unit letters and nationalities ───────────────────────────────────────────────────────────────────────────────
    units_missing_type: Literal["valid", "void", "yields"] = _key(
        "valid",
        "An order without A or F: valid, void, or it yields to another order for that unit with the right letter.",
        datc="4.C.1",
    )
    units_wrong_type: Literal["ignored", "void", "yields"] = _key(
        "ignored",
        "The wrong letter for the ordered unit: ignored, the order is void, or it yields to another order for that "
        "unit with the right letter.",
        datc="4.C.2",
    )
    units_missing_build_type: Literal["coast", "inland", "void"] = _key(
        "coast",
        "A build without A or F: an army inland and a fleet where a coast is named; only the army inland; or void.",
        datc="4.C.3",
    )
    units_fleet_inland: Literal["void", "army"] = _key(
        "void", "A fleet built inland: void, or an army is built.", datc="4.C.4"
    )
    units_missing_nationality: Literal["valid", "void", "yields"] = _key(
        "valid",
        "The support of another power's unit without its nationality: valid, void, or it yields to another order for the "
        "supporting unit that lacks nothing.",
        datc="4.C.5",
    )
    units_wrong_nationality: Literal["ignored", "void", "yields"] = _key(
        "ignored",
        "The support of a unit under the wrong nationality: the nationality is ignored, the order is void, or it yields to "
        "another order for the supporting unit in which nothing is wrong.",
        datc="4.C.6",
    )

    # ── orders ───────────────────────────────────────────────────────────────────────────────────────────────────────
    orders_sets: Literal["combine", "replace", "first"] = _key(
        "combine",
        "A later mail of the same phase changes only the units that it orders, or replaces all that was ordered; or the "
        "first mail with orders counts, and later ones only when CLEAR has taken it off.",
        datc="4.D.1",
        used_by="play",
    )
    orders_undated: Literal["arrival", "combine", "void"] = _key(
        "arrival",
        "Two mails of which nobody can tell which was written later (one has no usable Date, or both the same, and neither "
        "answers a mail that the other one led to): the later to arrive counts, unit by unit; both are one list, in which "
        "orders.duplicate decides; or what they order differently is void.",
        datc="4.D.2",
        used_by="play",
    )
    orders_duplicate: Literal["last", "first", "void"] = _key(
        "last",
        "Two different legal orders for one unit in one list: the last or the first counts, or the unit holds (the DATC's "
        "choice; of a mail judge the last is expected).",
        datc="4.D.3",
    )
    orders_too_many_builds: Literal["first", "last", "none"] = _key(
        "first", "More builds ordered than are due: the first, the last, or none of them are made.", datc="4.D.4"
    )
    orders_same_site: Literal["first", "last", "none"] = _key(
        "first", "Two builds in one centre: the first, the last, or neither is made.", datc="4.D.5"
    )
    orders_too_many_removals: Literal["first", "last", "automatic"] = _key(
        "first",
        "More removals ordered than are due: the first or the last of them count, or all go by the rule for removals "
        "that were not ordered.",
        datc="4.D.6",
    )
    orders_illegal: Literal["ignored", "fails"] = _key(
        "ignored",
        "A move that is impossible: the unit holds and can be supported so, or the order stands as a move that fails "
        "(and the unit takes no hold support).",
        datc="4.E.1",
        rows="CN-5",
    )
    orders_proxy: Literal["no", "yes"] = _key(
        "no",
        "Whether a player may let another power order a unit, or all of them, for the movement or retreats that are open; "
        "the owner's own order for such a unit counts only if none comes from there.",
        datc="4.E.5",
        used_by="play",
    )
    orders_perpetual: Literal["no", "yes"] = _key(
        "no",
        "A unit without an order in a movement holds; or, if it still stands where it stood, it repeats the order that it "
        "was last given for a movement, as long as that is legal; what nmr says is still about what a power sends for the "
        "turn.",
        datc="4.E.4",
        used_by="play",
    )
    orders_reading: Literal["singly", "as-set"] = _key(
        "singly",
        "An order whose place or coast may be meant in several ways: the player is asked, whatever the other orders are; or "
        "it is taken in the one way that goes with the rest of the list (another order supports or convoys exactly that, or "
        "only one of the units meant has no order yet), and the player is asked only where that leaves it open.",
        datc="4.E.2",
        used_by="mail",
    )
    orders_implicit: Literal["no", "yes"] = _key(
        "no",
        "Whether a unit without an order does what its own power's support or convoy of it says; if not, it holds.",
        datc="4.E.3",
    )
    orders_secrecy: Literal["open-receipts", "sealed"] = _key(
        "open-receipts",
        "Whether receipts show the orders on file. 'sealed': no mail before the results does. A receipt names the units "
        "that have an order and those that have none (in adjustments it only counts), quotes the lines that were not used, "
        "and shows the choices of a question, but not which was taken; so it gives a third party nothing to verify.",
        rows="CN-19",
        used_by="play",
    )

    # ── moves and supports ───────────────────────────────────────────────────────────────────────────────────────────
    move_convoy_swap: bool = _key(
        True, "Whether two units may change places when one of them (or both) goes by convoy.", rows="JP-11"
    )
    move_dislodged_contest: Literal["head-to-head", "never"] = _key(
        "head-to-head",
        "A dislodged unit has no effect on the province its attacker came from only after a head-to-head battle, or "
        "never, also when the attacker came by convoy.",
        datc="4.A.7",
        rows="JP-19",
    )
    support_own_dislodge: Literal["no-count", "void", "becomes-hold"] = _key(
        "no-count",
        "A support of another power's unit into a province where a unit of the supporter's own power stays: it does not "
        "help to dislodge, but still stands off third parties; it counts for nothing; or, if that unit was ordered to "
        "move, it counts for nothing there and becomes a hold support of that unit.",
        rows="JP-15",
    )
    support_cut_by_own: bool = _key(
        False, "Whether an attack by the supporter's own power cuts a support.", rows="JP-20 CN-12"
    )
    support_cut_if_dislodged_by_target: bool = _key(
        True,
        "Whether a support is cut when the supporter is dislodged from the very province that it supports into.",
        rows="JP-20 CN-12",
    )
    support_cut_via_convoy: bool = _key(
        False,
        "Whether an army that comes by convoy out of the province that is supported into cuts that support.",
        datc="4.A.4",
    )
    support_civil_disorder: Literal["given", "void"] = _key(
        "given",
        "Hold support by others for a unit whose power gave no orders at all: given as any other, or void.",
        datc="4.D.9",
    )

    # ── convoys ──────────────────────────────────────────────────────────────────────────────────────────────────────
    convoy_disruption: Literal["all-routes", "any-route", "any-fleet"] = _key(
        "all-routes",
        "A convoy with several routes fails when all of them are broken; when any of them is; or when any fleet ordered "
        "to carry the army is driven out, even one on no complete route.",
        datc="4.A.1",
        rows="JP-24 CN-16",
    )
    convoy_paradox: Literal["szykman", "2000", "1982", "1971", "all-hold"] = _key(
        "szykman",
        "An army whose convoy depends on what its own attack does. szykman: the convoys of the circle fail. 2000: it "
        "does not cut a support of an attack on a fleet that its convoy needs. 1971: nor on any fleet of its convoy. "
        "1982: nor any support into a sea with a convoying fleet. all-hold: all moves of the circle fail. What 2000, "
        "1982 and 1971 leave open goes by szykman.",
        datc="4.A.2",
    )
    convoy_adjacent: Literal["intent", "explicit", "swap", "1971", "always"] = _key(
        "intent",
        "An army ordered to a neighbour goes by convoy: if it says so or a fleet of its own power is ordered to carry "
        "it; only if it says so; also if any convoy is ordered and the unit there moves the other way; the same, unless "
        "that convoy is disrupted (1971); or whenever a complete convoy is ordered.",
        datc="4.A.3",
    )
    convoy_fallback: Literal["none", "unordered", "disrupted"] = _key(
        "none",
        "An army that would go to a neighbour by convoy walks instead: never; if no complete convoy was ordered; or "
        "also if it was disrupted.",
        datc="4.A.3",
    )
    convoy_needless: Literal["void", "counts", "carries"] = _key(
        "void",
        "The convoy order of a fleet that no route needs: void; it counts (and so shows the intent to go by sea); or it "
        "counts for an army that goes by sea anyway, but shows no intent.",
        datc="4.E.1",
        rows="CN-16",
    )
    convoy_route: Literal["ignored", "counts", "required"] = _key(
        "ignored",
        "A route written in the army's order: ignored; only the fleets that it names carry, and all of them must; or "
        "the same, and an order by sea without a route is void.",
        datc="4.A.6",
        rows="CN-16",
    )
    convoy_own_dislodge: Literal["allowed", "void"] = _key(
        "allowed",
        "Carrying another power's army against a unit of one's own that it would dislodge: allowed, or that convoy "
        "order is void.",
        rows="CN-17",
    )

    # ── retreats, ownership, adjustments ─────────────────────────────────────────────────────────────────────────────
    retreat_into_standoff: bool = _key(
        False, "Whether a unit may retreat into a province left empty by a stand-off.", rows="JP-21 CN-13"
    )
    retreat_to_convoy_origin: bool = _key(
        True,
        "Whether a unit dislodged by an army that came by convoy may retreat to where that army came from.",
        datc="4.A.5",
        rows="JP-21 CN-13",
    )
    ownership_when: Literal["after-retreats", "before-retreats"] = _key(
        "after-retreats", "Whether centres change hands after the Fall retreats or before them.", rows="JP-25 CN-20"
    )
    builds_where: Literal["owned-home", "any-owned", "any-home", "none-while-one-lost"] = _key(
        "owned-home",
        "Where units are built, always in a vacant centre: in home centres still owned; in any owned centre; in any "
        "home centre; or in home centres, and not at all while one of them is lost.",
        rows="JP-26 CN-15",
    )
    builds_waive: Literal["allowed", "forbidden"] = _key(
        "allowed",
        "Whether builds may be declined; if not, an army is raised in the first free home centre by name.",
        datc="4.D.7",
        rows="JP-26 CN-15",
    )
    removal_order: Literal["2023", "older"] = _key(
        "2023",
        "Which units go when a power does not say. 2023: the farthest from the centres it owns, counting provinces (so "
        "none on a centre if another can go); older: the farthest from its home centres, fleets by sea, armies over "
        "land and sea. Then fleets before armies, then by name.",
        datc="4.D.8",
    )
    removal_surplus: Literal["next-adjustments", "at-once"] = _key(
        "next-adjustments",
        "A power that has more units than centres in Spring, which only a mistake can bring about: it removes them in its "
        "next adjustments; or they are taken off before the movement is resolved, by removal.order.",
        datc="4.E.6",
    )

    # ── everything around the board ──────────────────────────────────────────────────────────────────────────────────
    turn_notation: Literal["S1901M", "01-S"] = _key(
        "S1901M", "How turns are written to the players; both are read.", rows="CN-2", used_by="mail"
    )
    press_phases: Literal["all", "movement"] = _key(
        "all", "When press is passed on: always, or only while movement orders are awaited.", rows="CN-14", used_by="play"
    )
    press_kinds: Literal["white", "grey", "both", "none"] = _key(
        "both",
        "What press is passed on between players: signed with its sender's power (white), without it (grey), both, or none. "
        "To the game master, and from there, it always is.",
        rows="JP-4",
        used_by="play",
    )
    nmr: Literal["hold", "civil-disorder", "postpone"] = _key(
        "hold",
        "A power that owes orders and has none at all at the deadline: its units hold; it is in civil disorder until it "
        "orders again (its units hold, those dislodged disband, it builds nothing, removals go by removal.order, and nobody "
        "waits for it); or the deadline is postponed once, and then its units hold.",
        used_by="play",
    )
    entry_reliability: Literal["none", "50 %", "70 %", "80 %", "90 %", "95 %"] = _key(
        "none",
        "Of a hundred phases that somebody owed orders for, in all games of this judge, so many must have had them in time, "
        "or they cannot join, or take over a seat; the game master may seat anybody.",
        used_by="play",
    )
    entry_newcomers: Literal["yes", "no"] = _key(
        "yes",
        "Whether those may join of whom nothing can be said yet, since they owed orders for fewer than ten phases.",
        used_by="play",
    )
    entry_private: Literal["no", "yes"] = _key(
        "no",
        "Whether the game is private: only its players, its master, and those who wait for a power or watch it are told of "
        "it (LIST, SHOW and the like); to anybody else who writes its name, there is no such game. The game master and the "
        "operator seat whom they like.",
        used_by="play",
    )
    clock_absence: Literal["none", "3 d", "7 d", "15 d", "30 d"] = _key(
        "15 d",
        "By how much the deadlines of a game are put off in all for one player who has said to be away (ABSENCE) and owes "
        "orders; none: not at all.",
        used_by="play",
    )


STANDARD = HouseRules()


#: What a value of a key is: one of its words, true or false, a text, a number or word, pairs of names, a list of powers.
Kind = Literal["word", "flag", "text", "number-or-word", "table", "list"]


@dataclass(frozen=True, slots=True)
class Key:
    """What there is to know of one key.

    ``values``: the words allowed, empty where any number, text, table or list (of powers) of the ``kind`` is.
    """

    name: str
    field: str
    kind: Kind
    values: tuple[str, ...]
    default: Any
    doc: str
    datc: tuple[str, ...]
    rows: tuple[str, ...]
    used_by: str


@cache
def keys() -> dict[str, Key]:
    """All keys by their dotted name, in the order of the type."""
    return {key.name: key for key in _keys()}


#: Sections that have a section below them: their fields have two dots.
_SUBSECTIONS = ("victory_end_", "victory_clock_")


def _keys() -> Iterator[Key]:
    types = get_type_hints(HouseRules)
    for entry in fields(HouseRules):
        if entry.name == "name":
            continue
        hint = types[entry.name]
        words = tuple(str(word) for word in _words(hint))
        kind: Kind
        if hint is bool:
            kind = "flag"
        elif hint is str:
            kind = "text"
        elif get_origin(hint) is tuple:
            kind = "list" if get_args(hint)[0] is str else "table"
        else:
            kind = "number-or-word" if int in get_args(hint) else "word"
        data = entry.metadata
        yield Key(
            _dotted(entry.name),
            entry.name,
            kind,
            words,
            entry.default,
            data["doc"],
            tuple(data["datc"].split()),
            tuple(data["rows"].split()),
            data["used_by"],
        )


def _words(hint: Any) -> Iterator[Any]:
    if get_origin(hint) is Literal:
        yield from get_args(hint)
    else:
        for part in get_args(hint):
            if get_origin(part) is Literal:
                yield from get_args(part)


def _dotted(name: str) -> str:
    for prefix in _SUBSECTIONS:
        if name.startswith(prefix):
            return prefix.replace("_", ".") + name.removeprefix(prefix)
    section, _, key = name.partition("_")
    return f"{section}.{key}" if key else section
