"""The sentences of all reasons: English messages by code, said in the reader's language with the reader's names.

The codes and their arguments are those of ``judge.rules.reasons``. ``judge adjudicate`` says them in English with the
board's ids (:class:`Plain`); mails say them through ``judge.render.words``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Protocol

from judge.render.catalogue import N_
from judge.rules.board import Unit, province_of
from judge.rules.houserules import HouseRules, keys
from judge.rules.outcome import Arg, Reason

SENTENCES: Mapping[str, str] = {
    # moves
    "moved": N_("Nothing stood in its way."),
    "won": N_("It got in with strength %(attack)s against %(over)s."),
    "ring": N_("All of %(units)s moved on in a circle."),
    "bounced": N_("It came with strength %(attack)s and met others bound for the same place: %(rivals)s."),
    "held-off": N_("It came with strength %(attack)s; %(holder)s stood there with strength %(strength)s."),
    "held-off-and-bounced": N_(
        "It came with strength %(attack)s; %(holder)s stood there with strength %(strength)s, and others were bound for the "
        "same place: %(rivals)s."
    ),
    "own-unit": N_("%(holder)s of the same power did not leave, and nobody drives out a unit of its own power."),
    "own-unit-and-bounced": N_(
        "%(holder)s of the same power did not leave, and others were bound for the same place: %(rivals)s against its "
        "%(attack)s."
    ),
    "head-to-head": N_("It met %(holder)s coming the other way: strength %(attack)s against %(strength)s."),
    "head-to-head-and-bounced": N_(
        "It came with strength %(attack)s, met %(holder)s coming the other way with strength %(strength)s, and others were "
        "bound for the same place: %(rivals)s."
    ),
    "no-route": N_("No fleet was ordered to carry it."),
    "incomplete-route": N_("The fleets ordered to carry it make no complete route: %(fleets)s."),
    "route-not-ordered": N_("Not every fleet of its written route was ordered to carry it; those that were: %(fleets)s."),
    "route-broken": N_("Its convoy was broken: %(by)s drove out %(fleets)s."),
    "carriers-void": N_(
        "%(fleets)s could not carry it: it would have driven out %(holder)s of their own power, so that order was void."
    ),
    "paradox": N_(
        "Its own arrival would decide whether %(fleets)s can carry it, attacked by %(by)s: in such a circle the convoy "
        "fails."
    ),
    "all-hold": N_("Convoy and attack hang on each other in a circle, so none of these moves is made: %(units)s."),
    # supports
    "given": N_("The support counted."),
    "given-not-against-own": N_("The support was given, but it does not help to drive out %(holder)s of the same power."),
    "turned-to-hold": N_("%(holder)s of the same power did not get away: the support became a support of its holding."),
    "voided-by-own": N_("%(holder)s of the same power stayed there: the support counted for nothing."),
    "cut": N_("The support was cut by the attack of %(by)s."),
    "cut-dislodged": N_("The support was cut by the attack of %(by)s, and the unit driven out."),
    "supported-unit-moves": N_("%(unit)s was ordered to move to %(to)s, not to stay."),
    "supported-unit-holds": N_("%(unit)s was not ordered to move to %(to)s."),
    "supported-unit-elsewhere": N_("%(unit)s was ordered to move to %(went)s, not to %(to)s."),
    "supported-other-coast": N_("%(unit)s was ordered to move to %(went)s, not to %(to)s."),
    "supported-coast-missing": N_("The support of %(unit)s to %(to)s had to name the coast."),
    "supported-disorder": N_("The power of %(unit)s gave no orders, so its units take no support."),
    "supported-impossible": N_("%(unit)s was ordered to make an impossible move, and takes no support in holding."),
    # convoys
    "carried": N_("It carried the army."),
    "ready": N_("It was ready to carry, but the army did not get in."),
    "convoyed-unit-holds": N_("%(unit)s was not ordered to move to %(to)s."),
    "convoyed-unit-elsewhere": N_("%(unit)s was ordered to move to %(went)s, not to %(to)s."),
    "walked": N_("%(unit)s went by land."),
    "not-on-route": N_("The order of %(unit)s names a route without this fleet."),
    "disrupted": N_("The convoy was disrupted: %(by)s drove the fleet out."),
    "failed-paradox": N_(
        "Whether it can carry %(unit)s, attacked by %(by)s, would hang on that army's own arrival: in such a circle the "
        "convoy fails."
    ),
    "against-own": N_("It would have carried %(unit)s to drive out %(holder)s of its own power: the order is void."),
    # holds
    "holds": N_("It stayed where it was."),
    "no-order": N_("It had no order, so it stayed where it was."),
    "stood": N_("It stood with strength %(strength)s against %(by)s."),
    "dislodged": N_("%(by)s drove it out: strength %(attack)s against %(strength)s."),
    # void orders
    "unreadable": N_("The line could not be read as an order."),
    "wrong-phase": N_("This kind of order is not for this phase."),
    "unknown-place": N_("The board has no place %(at)s."),
    "no-unit": N_("There is no unit in %(at)s."),
    "not-yours": N_("%(unit)s belongs to another power."),
    "power-unplayed": N_("Nobody plays %(power)s in this game."),
    "type-missing": N_("The order does not say whether %(unit)s is an army or a fleet."),
    "type-wrong": N_("The order has the wrong letter: it is %(unit)s."),
    "type-yields": N_("Another order for %(unit)s has the right letter and counts instead."),
    "nationality-yields": N_("It does not say rightly whose %(of)s is, and gives way to another order for %(unit)s."),
    "replaced": N_("A later order for %(unit)s counts instead."),
    "first-counts": N_("An earlier order for %(unit)s counts instead."),
    "contradictory": N_("There are two different orders for %(unit)s, so neither counts."),
    "repeated": N_("The same order for %(unit)s was given twice; once is enough."),
    "coast-wrong-start": N_("The order names the wrong coast: it is %(unit)s."),
    "coast-irrelevant": N_("The order names a coast where there is none to name: %(to)s."),
    "coast-missing": N_("The order must say which coast: %(coasts)s."),
    "coast-unknown": N_("There is no coast %(to)s; the order must name one that there is: %(coasts)s."),
    "coast-unreachable": N_("%(unit)s does not reach %(to)s, only %(coasts)s."),
    "same-place": N_("%(unit)s is there already."),
    "army-at-sea": N_("An army does not go to sea: %(to)s."),
    "fleet-inland": N_("A fleet does not go inland: %(to)s."),
    "not-adjacent": N_("%(unit)s does not reach %(to)s."),
    "no-convoy-possible": N_("%(unit)s reaches %(to)s by convoy alone, and no fleets stand where they could carry it."),
    "route-impossible": N_("The written route does not lead %(unit)s to %(to)s over seas with fleets."),
    "route-required": N_("The order of %(unit)s must name the seas of its convoy."),
    "support-itself": N_("A unit does not support itself."),
    "support-no-unit": N_("There is no unit in %(of)s to support."),
    "support-own-place": N_("%(unit)s stands in the very place that it was to support into."),
    "support-unreachable": N_("%(unit)s could not go to %(to)s itself, so it does not support there."),
    "support-impossible": N_("%(of)s cannot go to %(to)s."),
    "nationality-missing": N_("The support must say whose unit %(of)s is."),
    "nationality-wrong": N_("The support names the wrong power for %(of)s."),
    "convoy-not-fleet": N_("%(unit)s is no fleet, so it carries nobody."),
    "convoy-not-at-sea": N_("%(unit)s does not stand at sea, so it carries nobody."),
    "convoy-no-army": N_("There is no army in %(at)s to carry."),
    "convoy-not-coastal": N_("No convoy leads to %(to)s."),
    "convoy-same-place": N_("%(of)s is there already."),
    "convoy-impossible": N_("No fleets stand where they could carry %(of)s to %(to)s with it."),
    "convoy-needless": N_("No route of %(of)s to %(to)s needs this fleet."),
    # retreats
    "retreated": N_("It got away."),
    "retreat-collided": N_("Others retreated to %(to)s too, so all of them are destroyed: %(units)s."),
    "not-dislodged": N_("%(unit)s was not driven out, so it does not retreat."),
    "retreat-impossible": N_("No retreat leads to %(to)s. Open are: %(retreats)s."),
    "retreat-occupied": N_("No retreat to %(to)s: %(holder)s stands there."),
    "retreat-attacker": N_("No retreat to %(to)s: the attack came from there."),
    "retreat-contested": N_("No retreat to %(to)s: a stand-off left it empty."),
    "disbanded": N_("It disbanded, as ordered."),
    "no-retreat-order": N_("It had no retreat order, so it disbanded."),
    "no-retreat-possible": N_("It had nowhere to go, so it was destroyed."),
    # adjustments
    "built": N_("The unit was built."),
    "removed": N_("The unit was removed, as ordered."),
    "waived": N_("The build was given up, as ordered."),
    "waived-silently": N_("No order used this build, so it was given up."),
    "raised": N_("No order used this build, so an army was raised in the first free home centre by name."),
    "waive-forbidden": N_("Builds cannot be given up in this game."),
    "nothing-to-build": N_("No build is due: centres %(centres)s, units %(units)s."),
    "nothing-to-remove": N_("No removal is due: centres %(centres)s, units %(units)s."),
    "too-many-builds": N_("More builds were ordered than are due: %(builds)s."),
    "too-many-removals": N_("More removals were ordered than are due: %(removals)s."),
    "site-not-centre": N_("%(at)s is no supply centre."),
    "site-not-home": N_("%(at)s is no home centre of this power."),
    "site-lost": N_("%(at)s is not owned now."),
    "site-occupied": N_("%(holder)s stands in %(at)s."),
    "site-twice": N_("One unit a centre: another build in %(at)s counts."),
    "home-lost": N_("No unit is built while the home centre %(at)s is lost."),
    "build-type-missing": N_("The order does not say whether an army or a fleet is built in %(at)s."),
    "build-fleet-inland": N_("No fleet is built inland: %(at)s."),
    "removed-twice": N_("%(unit)s is removed already; it goes only once."),
    "gone-before": N_("%(unit)s was taken off before the movement: its power had more units than centres."),
    "removed-no-choice": N_("All units of this power must go."),
    "removed-farthest": N_("It was the farthest from a centre of its power: distance %(distance)s."),
    "removed-fleet-first": N_("Of those equally far (distance %(distance)s) fleets go before armies."),
    "removed-by-name": N_("Of those equally far (distance %(distance)s) the first by name goes."),
}

_WITH_STRENGTH = N_("%(unit)s with %(strength)s")
_WITH_RULE = N_("%(sentence)s (House rule: %(rule)s.)")

#: arguments whose strengths stand beside them in ``strengths``
_STRONG = ("rivals", "over", "by")
#: arguments that are places (and not units, numbers or powers)
_PLACES = ("to", "at", "of", "went")
_POWERS = ("owner", "power")
#: codes whose sentence is about a province with all its coasts
_WHOLE_PROVINCE = ("retreat-collided",)


class Speaker(Protocol):
    """How units, places, powers and lists are said."""

    def translate(self, message: str) -> str:
        """The message in the reader's language."""
        ...

    def unit(self, unit: Unit) -> str: ...

    def place(self, location: str) -> str: ...

    def power(self, name: str) -> str: ...

    def last_turn(self, text: str) -> str:
        """A turn, ``F1902``."""
        ...

    def listing(self, items: Iterable[str]) -> str:
        """Several things, one after the other."""
        ...


class Plain:
    """English with the board's ids, as in canonical orders: ``A MUN``, ``STP/SC``."""

    def translate(self, message: str) -> str:
        """English is what the messages are written in."""
        return message

    def unit(self, unit: Unit) -> str:
        """``F STP/SC``"""
        return f"{unit.type} {unit.at.upper()}"

    def place(self, location: str) -> str:
        """``STP/SC``"""
        return location.upper()

    def power(self, name: str) -> str:
        """As the board writes it."""
        return name

    def last_turn(self, text: str) -> str:
        """``F1902``"""
        return text

    def listing(self, items: Iterable[str]) -> str:
        """``A, B and C``"""
        *most, last = items or ("none",)
        return f"{', '.join(most)} and {last}" if most else last


PLAIN = Plain()


def sentence(reason: Reason, speaker: Speaker = PLAIN, rules: HouseRules | None = None) -> str:
    """The sentence of a reason; the house rule that decided, if one did, is named with its value in ``rules``."""
    said = speaker.translate(SENTENCES[reason.code])
    if reason.args:
        strengths = reason.args.get("strengths", ())
        args = {name: value for name, value in reason.args.items() if name != "strengths"}
        if reason.code in _WHOLE_PROVINCE and isinstance(args.get("to"), str):
            args["to"] = province_of(str(args["to"]))  # they may have gone to another coast of it
        said %= {name: _said(name, value, strengths, speaker) for name, value in args.items()}
    return said if reason.rule is None else with_rule(said, reason.rule, speaker, rules)


def with_rule(said: str, rule: str, speaker: Speaker, rules: HouseRules | None) -> str:
    """A sentence with the house rule that decided, and its value in ``rules``."""
    return speaker.translate(_WITH_RULE) % {"sentence": said, "rule": f"{rule} = {_value(rule, rules)}"}


def _said(name: str, value: Arg, strengths: Arg, speaker: Speaker) -> str:
    if isinstance(value, Unit):
        return speaker.unit(value)
    if isinstance(value, str):
        if name in _POWERS:
            return speaker.power(value)
        return speaker.place(value) if name in _PLACES else value
    if isinstance(value, int):
        return str(value)
    items = [speaker.unit(item) if isinstance(item, Unit) else speaker.place(str(item)) for item in value]
    if name in _STRONG and isinstance(strengths, tuple) and len(strengths) == len(items):
        pattern = speaker.translate(_WITH_STRENGTH)
        items = [pattern % {"unit": item, "strength": strength} for item, strength in zip(items, strengths, strict=True)]
    return speaker.listing(items)


@lru_cache(maxsize=256)
def _value(key: str, rules: HouseRules | None) -> str:
    """What the house rule says, as a file would: ``any-route``, ``true``."""
    value = getattr(rules, keys()[key].field) if rules is not None else keys()[key].default
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
