"""The sentences of the house rules, by key and value: the one table that ``judge.render.ruleswords`` speaks from."""

from __future__ import annotations

from collections.abc import Mapping

from judge.render.catalogue import N_

#: key -> value as text -> the sentence. ``*`` stands for any other value; it is put in as ``%(value)s``.
SENTENCES: Mapping[str, Mapping[str, str]] = {
    "victory.centres": {
        "none": N_("No number of supply centres wins the game."),
        "*": N_("Whoever holds %(value)s supply centres when centres change hands wins at once."),
    },
    "victory.tie": {
        "draw": N_("Several powers that reach this number together share a draw."),
        "most": N_("Of several powers that reach this number together the one with the most wins; equal counts share."),
    },
    "victory.end.turn": {
        "": N_("There is no last turn."),
        "*": N_("The last turn is %(value)s, if nobody has won before."),
    },
    "victory.end.counts": {
        "units": N_("After it, whoever has the most units on the board wins; equal counts share a draw."),
        "centres": N_("After it, whoever owns the most supply centres wins; equal counts share a draw."),
    },
    "victory.end.when": {
        "after-adjustments": N_("The count is taken when the adjustments of that Fall are done."),
        "before-adjustments": N_("The count is taken before the adjustments of that Fall."),
    },
    "victory.clock.at": {
        "": N_("No date ends the game."),
        "*": N_(
            "The game ends with the phase that is running on %(value)s, and with the retreats due after it; if that has"
            " passed when this rule comes into force, with the first phase that is played by it."
        ),
    },
    "victory.clock.after": {
        "": N_("No length of time ends the game."),
        "*": N_(
            "The game ends with the phase that is running %(value)s after its start, and with the retreats due after it; if"
            " that has passed when this rule comes into force, with the first phase that is played by it."
        ),
    },
    "victory.clock.counts": {
        "units": N_("Whoever then has the most units on the board wins; equal counts share a draw."),
        "centres": N_("Whoever then owns the most supply centres wins; equal counts share a draw."),
    },
    "draw.kind": {
        "dias": N_("When all who are left have voted for a draw in one phase, the game ends, and all of them share it."),
        "lists": N_(
            "Players may vote for a draw among powers that they name; when all who are left have voted in one phase, the"
            " game ends with the draw that all of them accept."
        ),
        "none": N_("The players cannot vote for a draw."),
    },
    "draw.votes": {
        "secret": N_("Nobody is told of a vote for a draw, or of a concession, before it has ended the game."),
        "counts": N_("All are told how many have voted for a draw or conceded the game, but not who."),
        "open": N_("All are told who votes for a draw, and who concedes the game."),
    },
    "draw.concede": {
        "yes": N_("When all others concede it to one power in one phase, the game ends, and that power has won."),
        "no": N_("The players cannot concede the game."),
    },
    "powers.assign": {
        "master": N_("The game master says who plays which power."),
        "random": N_("Who plays which power is drawn by lot."),
        "first-come": N_("Powers go to those who come first; the others draw from what is left."),
        "preference": N_("Each player may wish for one power, and gets it if nobody else wishes for it."),
        "best-ranks": N_("Each player may rank the powers; they are given out so that the sum of all ranks is best."),
    },
    "powers.clash": {
        "claimants": N_(
            "A power that several wish for is drawn among them; those who lose, and those without a wish, draw from"
            " the rest."
        ),
        "pool": N_(
            "All who wish for the same power, and all without a wish, draw from one pool of what was not granted."
        ),
    },
    "powers.unplayed": {
        "": N_("No power is left out of the game."),
        "*": N_(
            "Nobody plays %(value)s: units there hold and can be supported, those that are dislodged disband, nothing is"
            " built, and nobody wins with these centres."
        ),
    },
    "powers.addresses": {
        "hidden": N_("Players are not told each other's mail addresses."),
        "shown": N_("Players are told each other's mail addresses."),
    },
    "powers.names": {
        "open": N_("Players are told by which names the others play, if these have given one."),
        "end": N_(
            "Nobody is told who plays which power until the game is over; then all are, by the names they have given."
        ),
        "never": N_("Nobody is ever told who plays which power."),
    },
    "powers.takeover": {
        "master": N_("Only the game master gives a seat without a player to somebody while the game is played."),
        "open": N_("Whoever asks first may take over a seat without a player while the game is played."),
    },
    "powers.offers": {
        "none": N_("A seat that loses its player is not offered to those who stand ready to play."),
        "*": N_(
            "A seat that loses its player is offered to those who stand ready to play, one after the other; each has"
            " %(value)s for an answer, or half a phase if that is shorter."
        ),
    },
    "powers.start": {
        "master": N_("The game starts when the game master says so."),
        "full": N_("The game starts by itself as soon as every power has a player."),
    },
    "coast.unspecified": {
        "infer": N_(
            "A fleet ordered to a province with two coasts without naming one goes to the only coast that it can"
            " reach; if it"
            " can reach both, the order is void."
        ),
        "void": N_(
            "A fleet ordered to a province with two coasts must name one, also where only one can be meant; if it"
            " does not,"
            " the order is void."
        ),
        "default-coast": N_(
            "A fleet ordered to a province with two coasts without naming one goes to the first one on the board's"
            " list that"
            " it can reach."
        ),
    },
    "coast.impossible": {
        "void": N_("A fleet's order to a coast that it cannot reach is void."),
        "ignored": N_("A fleet ordered to a coast that it cannot reach goes to the other one, if it can reach that."),
    },
    "coast.support": {
        "optional": N_(
            "A support of a fleet's move need not name the coast; a coast that it does name must be the right one."
        ),
        "required": N_("A support of a fleet's move to a province with two coasts must name the coast."),
        "required-foreign": N_(
            "A support of another power's fleet to a province with two coasts must name the coast; for a fleet of"
            " one's own"
            " it need not."
        ),
        "ignored": N_("A coast named in a support makes no difference."),
    },
    "coast.wrong_start": {
        "ignored": N_("A wrong coast written for where the ordered fleet stands makes no difference."),
        "void": N_("An order that names a wrong coast for where its fleet stands is void."),
    },
    "coast.irrelevant": {
        "ignored": N_("A coast named where there is none to choose makes no difference."),
        "void": N_("An order that names a coast where there is none to choose is void."),
    },
    "coast.build": {
        "void": N_("A fleet built in a province with two coasts must name one; if it does not, the build is void."),
        "default-coast": N_(
            "A fleet built in a province with two coasts without naming one stands on the first that the board lists."
        ),
    },
    "coast.aliases": {
        "": N_("Coasts have their usual names."),
        "*": N_("In this game, %(value)s."),
    },
    "units.missing_type": {
        "valid": N_("An order need not say whether its unit is an army or a fleet."),
        "void": N_("An order must say whether its unit is an army or a fleet; if it does not, it is void."),
        "yields": N_(
            "An order that does not say army or fleet gives way to another order for that unit that says it rightly."
        ),
    },
    "units.wrong_type": {
        "ignored": N_("An order counts even if it calls an army a fleet, or a fleet an army."),
        "void": N_("An order that calls an army a fleet, or a fleet an army, is void."),
        "yields": N_(
            "An order that calls an army a fleet, or a fleet an army, gives way to another order for that unit that"
            " says it"
            " rightly."
        ),
    },
    "units.missing_build_type": {
        "coast": N_("A build that does not say army or fleet is an army inland, and a fleet where it names a coast."),
        "inland": N_("A build that does not say army or fleet is an army inland; elsewhere it is void."),
        "void": N_("A build must say army or fleet; if it does not, it is void."),
    },
    "units.fleet_inland": {
        "void": N_("A fleet built inland is void."),
        "army": N_("A fleet built inland becomes an army."),
    },
    "units.missing_nationality": {
        "valid": N_("A support of another power's unit need not say whose unit it is."),
        "void": N_("A support of another power's unit must say whose unit it is; if it does not, it is void."),
        "yields": N_(
            "A support of another power's unit that does not say whose unit it is gives way to another order for the"
            " supporting unit."
        ),
    },
    "units.wrong_nationality": {
        "ignored": N_("The wrong power written for a supported unit makes no difference."),
        "void": N_("A support that names the wrong power for the supported unit is void."),
        "yields": N_(
            "A support that names the wrong power for the supported unit gives way to another order for the supporting"
            " unit."
        ),
    },
    "orders.sets": {
        "combine": N_("A later mail changes only the units that it orders; what it does not mention stays as it was."),
        "replace": N_("A later mail with orders replaces all that was ordered for the phase before."),
        "first": N_("The first mail with orders counts; later ones are used only after CLEAR."),
    },
    "orders.undated": {
        "arrival": N_("If nobody can tell which of two mails was written later, the one that came later is the later one."),
        "combine": N_("If nobody can tell which of two mails was written later, both count as one mail."),
        "void": N_("If nobody can tell which of two mails was written later, what they order differently is void."),
    },
    "orders.duplicate": {
        "last": N_("Of two orders for one unit in one mail the last counts."),
        "first": N_("Of two orders for one unit in one mail the first counts."),
        "void": N_("Two different orders for one unit in one mail are both void."),
    },
    "orders.too_many_builds": {
        "first": N_("If more builds are ordered than are due, the first of them are made."),
        "last": N_("If more builds are ordered than are due, the last of them are made."),
        "none": N_("If more builds are ordered than are due, none is made."),
    },
    "orders.same_site": {
        "first": N_("Of two builds in one centre the first is made."),
        "last": N_("Of two builds in one centre the last is made."),
        "none": N_("Of two builds in one centre neither is made."),
    },
    "orders.too_many_removals": {
        "first": N_("If more removals are ordered than are due, the first of them count."),
        "last": N_("If more removals are ordered than are due, the last of them count."),
        "automatic": N_("If more removals are ordered than are due, none of them counts and the rules choose."),
    },
    "orders.illegal": {
        "ignored": N_("A unit with an impossible order holds, and can be supported so."),
        "fails": N_("A unit with an impossible move counts as one that moves and fails: no support to hold helps it."),
    },
    "orders.proxy": {
        "no": N_("Every player orders the units of its own power alone."),
        "yes": N_(
            "A player may let another power order a unit for the turn that is open: write PROXY, the unit, TO and the"
            " power, or ALL for all units; OFF in the place of TO and the power takes them back."
        ),
    },
    "orders.perpetual": {
        "no": N_("An order is for one turn only: what is not ordered again is not done again."),
        "yes": N_(
            "A unit that nothing is ordered for repeats the order that it was last given for a movement, as long as it"
            " has not moved and the order is still legal."
        ),
    },
    "orders.reading": {
        "singly": N_("Each order is read by itself: whoever writes one that may mean several things is asked which."),
        "as-set": N_(
            "An order that may mean several things is taken as what goes with the other orders of the same mail;"
            " whoever wrote it is asked only if that leaves it open."
        ),
    },
    "orders.implicit": {
        "no": N_("A unit without an order holds, whatever its own power's supports and convoys say of it."),
        "yes": N_("A unit without an order does what its own power's support or convoy says of it."),
    },
    "orders.secrecy": {
        "open-receipts": N_("Receipts show their reader the orders that are held."),
        "sealed": N_(
            "No player may show written orders to another: before the results are out, receipts say only which units"
            " have an order on file, never which order."
        ),
    },
    "move.convoy_swap": {
        "true": N_("Two units may change places if one of them goes by convoy."),
        "false": N_("Two units never change places, not even by convoy."),
    },
    "move.dislodged_contest": {
        "head-to-head": N_(
            "A dislodged unit has no effect on the province that its attacker came from, if the two attacked each"
            " other; it"
            " has, if that attacker came by convoy."
        ),
        "never": N_("A dislodged unit never has an effect on the province that its attacker came from."),
    },
    "support.own_dislodge": {
        "no-count": N_(
            "A support of another power's unit into a province where a unit of your own stays does not help to"
            " dislodge it, but"
            " counts against all others."
        ),
        "void": N_(
            "A support of another power's unit into a province where a unit of your own stays counts for nothing."
        ),
        "becomes-hold": N_(
            "A support of another power's unit into a province where a unit of your own stays does not help to"
            " dislodge it; if"
            " your unit was ordered to move and was stopped, the support becomes one of your own unit in holding, against"
            " everybody."
        ),
    },
    "support.cut_by_own": {
        "false": N_("An attack by the supporter's own power does not cut a support."),
        "true": N_("An attack by the supporter's own power cuts a support as any other does."),
    },
    "support.cut_if_dislodged_by_target": {
        "true": N_(
            "A dislodged unit gives no support, even if the attack came from where its support goes."
        ),
        "false": N_("A unit that is dislodged from where its support goes has given it all the same."),
    },
    "support.cut_via_convoy": {
        "false": N_("An army that comes by convoy from the province that a support goes into does not cut it."),
        "true": N_("An army that comes by convoy from the province that a support goes into cuts it."),
    },
    "support.civil_disorder": {
        "given": N_("A unit whose power sent no orders at all can be supported in holding by others."),
        "void": N_("A unit whose power sent no orders at all cannot be supported in holding by others."),
    },
    "convoy.disruption": {
        "all-routes": N_("A convoy with several routes fails only if all of them are broken."),
        "any-route": N_("A convoy with several routes fails if any of them is broken."),
        "any-fleet": N_(
            "A convoy fails if any fleet that is ordered to carry the army is driven out, even one on no complete route."
        ),
    },
    "convoy.paradox": {
        "szykman": N_(
            "If a convoy's success would depend on what the carried army's own attack does, that convoy fails."
        ),
        "2000": N_(
            "An army that comes by convoy does not cut a support of an attack on a fleet that its convoy needs (the"
            " rules of"
            " 2000)."
        ),
        "1982": N_(
            "An army that comes by convoy does not cut a support into a sea where a fleet convoys (the rules of 1982)."
        ),
        "1971": N_(
            "An army that comes by convoy does not cut a support of an attack on any fleet of its convoy (the rules"
            " of 1971)."
        ),
        "all-hold": N_(
            "If a convoy's success would depend on what the carried army's own attack does, all moves of that circle"
            " fail."
        ),
    },
    "convoy.adjacent": {
        "intent": N_(
            "An army ordered to a neighbour walks, unless its order says by convoy or a fleet of its own power is"
            " ordered to"
            " carry it."
        ),
        "explicit": N_("An army ordered to a neighbour walks, unless its order says by convoy."),
        "swap": N_(
            "An army ordered to a neighbour walks, unless its order says by convoy, or a convoy is ordered and the"
            " unit there"
            " moves the other way."
        ),
        "1971": N_(
            "An army ordered to a neighbour walks, unless its order says by convoy, or a convoy is ordered and not"
            " broken and"
            " the unit there moves the other way."
        ),
        "always": N_("An army ordered to a neighbour goes by convoy whenever a complete convoy is ordered for it."),
    },
    "convoy.fallback": {
        "none": N_("An army that is to go to a neighbour by convoy never walks instead."),
        "unordered": N_(
            "An army that is to go to a neighbour by convoy walks instead if no complete convoy was ordered."
        ),
        "disrupted": N_(
            "An army that is to go to a neighbour by convoy walks instead if no complete convoy was ordered or it"
            " was broken."
        ),
    },
    "convoy.needless": {
        "void": N_("A convoy order that no route needs is void."),
        "counts": N_("A convoy order that no route needs counts, and shows that the army means to go by sea."),
        "carries": N_("A convoy order that no route needs counts like any other once the army goes by sea."),
    },
    "convoy.route": {
        "ignored": N_("A route written in the army's order makes no difference."),
        "counts": N_(
            "If an army's order writes its route, only the fleets that it names carry it, and all of them must."
        ),
        "required": N_(
            "An army that goes by convoy must write its route; only the fleets that it names carry it, and all must."
        ),
    },
    "convoy.own_dislodge": {
        "allowed": N_("A fleet may carry another power's army even against a unit of the fleet's own power."),
        "void": N_(
            "A convoy of another power's army is void if that army would dislodge a unit of the fleet's own power."
        ),
    },
    "retreat.into_standoff": {
        "false": N_("No unit may retreat to a province that a stand-off left empty."),
        "true": N_("A unit may retreat to a province that a stand-off left empty."),
    },
    "retreat.to_convoy_origin": {
        "true": N_("A unit dislodged by an army that came by convoy may retreat to where that army came from."),
        "false": N_("No unit may retreat to where its attacker came from, not even if that came by convoy."),
    },
    "ownership.when": {
        "after-retreats": N_("Supply centres change hands once a year, after the Fall retreats."),
        "before-retreats": N_(
            "Supply centres change hands once a year, after the Fall moves and before their retreats."
        ),
    },
    "builds.where": {
        "owned-home": N_("Units are built in vacant home centres that their power still owns."),
        "any-owned": N_("Units are built in any vacant centre that their power owns."),
        "any-home": N_("Units are built in vacant home centres, whoever owns them."),
        "none-while-one-lost": N_("Units are built in vacant home centres, and not at all while one of these is lost."),
    },
    "builds.waive": {
        "allowed": N_("A build may be given up; what is not built can be built in a later year."),
        "forbidden": N_(
            "A build may not be given up; what is not ordered becomes an army in the first free home centre by name."
        ),
    },
    "removal.order": {
        "2023": N_(
            "Units that must go and were not named: first those farthest from the centres that their power owns,"
            " fleets before"
            " armies, then by name."
        ),
        "older": N_(
            "Units that must go and were not named: first those farthest from the home centres of their power,"
            " fleets before"
            " armies, then by name."
        ),
    },
    "removal.surplus": {
        "next-adjustments": N_("A unit too many that a mistake left on the board goes in the next adjustments."),
        "at-once": N_("Units too many that a mistake left on the board are taken off before the Spring movement."),
    },
    "turn.notation": {
        "S1901M": N_("Turns are written in words; the form 01-S is read too."),
        "01-S": N_("Turns are written 01-S and 01-F."),
    },
    "press.phases": {
        "all": N_("Press is passed on at any time."),
        "movement": N_("Press is passed on only while orders for movement are awaited: retreats and adjustments are"
        " written"
                       " without talk."),
    },
    "press.kinds": {
        "white": N_("Press is signed with its sender's power."),
        "grey": N_("Press does not say which power sent it."),
        "both": N_("Press may be signed with its sender's power, or hide it."),
        "none": N_("The judge passes on no press between players."),
    },
    "nmr": {
        "hold": N_("The units of a power without orders at the deadline hold."),
        "civil-disorder": N_(
            "A power that sends no orders at all is in civil disorder until it orders again: its units hold, it builds"
            " nothing, and nobody waits for it."
        ),
        "postpone": N_("If a power has no orders at the deadline, the deadline is put off once; after that its units hold."),
    },
    "entry.reliability": {
        "none": N_("Anybody may join, however reliable they have been."),
        "*": N_("Who joins must have sent orders in time for %(value)s of the phases that they owed them for."),
    },
    "entry.private": {
        "no": N_("Anybody may be told of the game."),
        "yes": N_("The game is private: nobody is told of it but those who take part in it, or watch it already."),
    },
    "entry.newcomers": {
        "yes": N_("Who has owed orders for fewer than ten phases may join all the same."),
        "no": N_("Who has owed orders for fewer than ten phases cannot join."),
    },
    "clock.absence": {
        "none": N_("No deadline is put off because a player is away."),
        "*": N_("For a player who is away and owes orders deadlines are put off, by %(value)s in all for each."),
    },
}  # fmt: skip
