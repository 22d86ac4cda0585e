"""Sentences for what a game master asked and cannot have: codes of ``judge.play`` with arguments, in the reader's words.

The shell says them in English and plain (:func:`english`), a mail in the reader's language (:func:`sentence`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from judge.render.catalogue import N_
from judge.render.words import Words

#: code -> message. Arguments: ``key`` a house rule, ``value`` what was typed, ``near`` keys or words that are like it,
#: ``values`` the words that are allowed, ``form`` a code of :data:`FORMS`, ``turn`` and ``first`` turns (``F1908``),
#: ``phase``, ``first_phase``, ``last_phase`` and ``open`` phases, ``phases`` several, ``place`` a province, ``at`` and
#: ``earliest`` instants, ``game`` a game's name, ``most``, ``more``, ``days`` and ``year`` numbers, ``verb`` and ``example``
#: what to write.
SENTENCES: Mapping[str, str] = {
    "rules.unknown-key": N_("There is no house rule %(key)s."),
    "rules.unknown-key-near": N_("There is no house rule %(key)s; perhaps %(near)s is meant."),
    "rules.bad-word": N_("%(value)s is no value of %(key)s; allowed: %(values)s."),
    "rules.bad-number": N_("%(value)s is no value of %(key)s; allowed: a number from 1 to %(most)s, or %(values)s."),
    "rules.bad-form": N_("%(value)s is no value of %(key)s; allowed: %(form)s."),
    "rules.before-the-start": N_("%(key)s stays as it is: the game begins in %(year)s, and cannot end with %(turn)s."),
    "rules.two-clocks": N_(
        "%(key)s stays as it is: a game ends at an agreed instant or after an agreed time, not both;"
        " set the other to nothing."
    ),
    "rules.repeat-or-hold": N_(
        "%(key)s stays as it is: in civil disorder (nmr) units hold, and with orders.perpetual they repeat; not both."
    ),
    "rules.nobody-left": N_("%(key)s stays as it is: somebody must play."),
    "rules.no-value": N_("%(key)s has no value here; write it as %(example)s."),
    "rules.over": N_("The game %(game)s is over; its rules stay as they were."),
    "rules.given-out": N_("%(key)s stays as it is: the powers have been given out."),
    "rules.addresses-told": N_(
        "%(key)s stays as it is: the first mail has told the players what they know of each other's addresses."
    ),
    "rules.names-told": N_(
        "%(key)s stays as it is: the players count on what they were told at the start of who is told their names."
    ),
    "rules.is-played": N_("%(key)s stays as it is: %(power)s has a player."),
    "rules.reached": N_("%(key)s stays as it is: %(power)s has %(count)s supply centres already."),
    "rules.last-turn": N_("%(key)s stays as it is: %(turn)s is the last turn by the rules in force, and it is under way."),
    "rules.would-be-last": N_(
        "%(key)s stays as it is: %(turn)s is under way and would become the last; the earliest last turn is %(first)s."
    ),
    "rules.ends-now": N_("%(key)s stays as it is: by the rules in force the game ends with %(phase)s, which is under way."),
    "rules.clock-too-early": N_(
        "%(key)s stays as it is: %(at)s would make %(phase)s, which is under way, the last phase; the earliest is after"
        " its deadline, %(earliest)s."
    ),
    "rules.clock-before-first": N_(
        "%(key)s: the game would end at %(at)s, with its very first phase, whose deadline is %(earliest)s; it must be later."
    ),
    "rules.twice-in-list": N_("%(value)s is no value of %(key)s: a power is there more than once."),
    "verb.master-only": N_("%(verb)s is for the game master."),
    "verb.player-only": N_("%(verb)s is for the players, from their own addresses."),
    "verb.anyone-only": N_("%(verb)s is for mail to the judge itself, outside of any game."),
    "verb.not-forming": N_("%(verb)s has no meaning before the game has started."),
    "verb.not-running": N_("%(verb)s has no meaning while the game is played."),
    "verb.not-ended": N_("%(verb)s has no meaning any more: the game is over."),
    "verb.out-of-turn": N_(
        "%(verb)s is about the phase that is open, and your mail answers another one; say it again in answer to the newest"
        " mail."
    ),
    "verb.too-often": N_("Of %(verb)s one mail may hold %(most)s; the rest was not answered."),
    "history.nothing-yet": N_("No phase has been played yet."),
    "history.no-phase": N_("“%(text)s” names no phase; a phase is written like F1901M."),
    "history.none-there": N_("No such phase has been played; those from %(first_phase)s to %(last_phase)s have been."),
    "why.which": N_("Which unit is meant? Write where it stood and, if you like, in which phase: WHY A VIE F1901M."),
    "why.no-place": N_("“%(text)s” names no place of the board, or may mean several."),
    "why.no-unit-then": N_("No order was about a unit in %(place)s in %(phase)s."),
    "preview.no-lines": N_(
        "The orders to try out are missing: write them below the word, and END below them. For other powers write"
        " the power's name and a colon above its orders."
    ),
    "preview.master-plays": N_(
        "Who plays a power does not see what is on file for the others; a preview of lines that you write is answered."
    ),
    "signs.master-plays": N_("Who plays a power here is not told of the others' mails; the operator can see the signs."),
    "preview.other-phase": N_("A preview is of the phase that is open, %(phase)s."),
    "draw.none": N_("By the house rules of this game nobody can vote for a draw (draw.kind)."),
    "draw.alone": N_("A draw is shared by two at least, and nobody else who is left has a player."),
    "draw.of-all": N_("In this game a draw is shared by all who are left (draw.kind): write DRAW alone."),
    "draw.of-one": N_("A draw is shared by two at least; write “%(example)s”."),
    "concede.none": N_("By the house rules of this game nobody can concede it (draw.concede)."),
    "concede.one": N_("The game is conceded to one power."),
    "concede.which": N_("Several powers have the most centres: say whom you concede the game to."),
    "concede.yourself": N_("You cannot concede the game to yourself."),
    "vote.eliminated": N_("%(power)s has nothing left on the board, and no vote any more."),
    "vote.not-in-play": N_("%(power)s has nothing left on the board, or no player."),
    "vote.unknown": N_("“%(text)s” does not name powers of this board."),
    "motion.master": N_("This game has a master who decides that: write to the master with “%(example)s”."),
    "motion.what": N_("It is not clear what you propose; a motion is one of: %(values)s."),
    "motion.no-deadline": N_("No deadline runs that could be put off."),
    "motion.extended-enough": N_("The deadline of a phase is put off by vote %(most)s times at most."),
    "motion.extension": N_("By vote a deadline is put off by from an hour to %(days)s days in a phase, all in all."),
    "motion.pause": N_("By vote a game is paused until an instant ahead, and for %(days)s days at most."),
    "motion.pause-until": N_("A pause that is voted has an end: “%(example)s”."),
    "motion.replace-open": N_("By vote a seat is declared open, and given to nobody: “%(example)s”."),
    "motion.your-own": N_("Your own seat you give up with “%(example)s”."),
    "motion.one-is-open": N_("Another motion of this kind is open: “%(example)s” is for it."),
    "motion.too-many": N_("One player makes %(most)s motions in a phase at most."),
    "motion.none-open": N_("No motion is open."),
    "motion.which": N_("Several motions are open; say which: %(values)s."),
    "motion.unknown": N_("There is no motion %(count)s."),
    "motion.decided": N_("Motion %(count)s is decided, or its time is up."),
    "statement.too-late": N_("Final statements were passed on until %(at)s."),
    "statement.too-long": N_("A statement has %(most)s characters at most."),
    "statement.empty": N_("Write what you have to say below the line “%(example)s”, and END below it."),
    "statement.enough": N_("Of one player %(most)s statements are passed on."),
    "seat.not-running": N_("The game %(game)s is not being played: nobody can take over a power of it."),
    "seat.no-power": N_("“%(text)s” names no power, or several; the powers are %(powers)s."),
    "seat.no-player": N_("Nobody plays %(power)s."),
    "seat.has-player": N_("%(power)s has a player."),
    "seat.unplayed": N_("Nobody plays %(power)s in this game: it is left out."),
    "seat.eliminated": N_("%(power)s has neither centres nor units any more: there is nothing to play."),
    "seat.theirs": N_("%(power)s is played from that address already."),
    "seat.another": N_("From that address %(power)s is played in this game; nobody plays two powers."),
    "seat.left-before": N_("Who has left a power of %(game)s comes back by the game master alone."),
    "standby.too-many": N_("You stand ready for %(most)s games already; “STANDBY” alone means any."),
    "offer.nobody": N_("Nobody who stands ready can play %(power)s: nobody does, or all have been asked."),
    "offer.never": N_("By the rules no seat is offered to those who stand ready to play."),
    "seat.no-address": N_("“%(text)s” is no mail address that mail can be sent to."),
    "seat.our-address": N_("“%(text)s” is an address of the judge itself; nobody plays there."),
    "order-as.master-plays": N_("Who plays a power orders for no other one."),
    "order-as.no-lines": N_("The orders are missing: write them below “%(example)s”, and END below them."),
    "promote.already": N_("That address is the game master's already."),
    "absence.no-date": N_("“%(text)s” names no day that there is; a day is written like 2026-12-20."),
    "absence.backwards": N_("“%(text)s” ends before it begins."),
    "absence.past": N_("These days are over already."),
    "absence.too-far": N_("An absence begins within a year, and is not longer than a year; this is more than a year."),
    "absence.too-many": N_("%(most)s absences may be told at a time; ABSENCE OFF takes them back."),
    "entry.unreliable": N_(
        "By the rules of this game who joins must have sent orders in time for %(percent)s per cent of the phases that they"
        " owed them for; of yours it is %(has)s per cent."
    ),
    "entry.newcomer": N_(
        "By the rules of this game who joins must have sent orders in time for %(percent)s per cent of at least %(most)s"
        " phases; you have not owed orders for so many yet."
    ),
    "verb.refused": N_("It cannot be done: %(text)s."),
    "verb.over": N_("The game is over."),
    "clock.paused": N_("%(verb)s is not for a paused game; RESUME lets it go on."),
    "clock.same": N_("The deadline is %(at)s already."),
    "clock.past": N_("%(at)s is past already; it must lie ahead."),
    "clock.too-far": N_("%(at)s is too far ahead; %(days)s days are the most."),
    "clock.not-later": N_("The deadline is later already: %(at)s. DEADLINE sets an earlier one."),
    "clock.no-instant": N_("I cannot read “%(text)s” as a day and a time; “Sat 21:00” and “2026-12-05 21:00” can be read."),
    "clock.extended": N_(
        "The deadline has been put off by as much already: it is %(at)s now. To put it off once more, say the same in answer"
        " to this mail; to be sure of one instant, write “%(example)s”."
    ),
    "clock.other-phase": N_("%(phase)s is not open now; %(open)s is. Nothing was run."),
    "clock.runs-already": N_("%(phase)s is run already; the result comes in a mail of its own."),
    "clock.master-plays": N_(
        "You play in this game, so you cannot be told whether all orders are in; write %(verb)s to have the phase run all"
        " the same. All players are told that you did."
    ),
    "clock.orders-missing": N_(
        "Not all orders for %(phase)s are in, or a player asked to wait; write %(verb)s to have it run all the same."
    ),
    "pause.already": N_("The game is paused already."),
    "pause.already-until": N_("The game is paused already, until %(at)s."),
    "pause.none": N_("The game is not paused."),
    "rollback.open": N_("%(phase)s is open now: there is nothing to go back to."),
    "rollback.nothing": N_("No phase has been played yet: there is nothing to go back to."),
    "rollback.not-played": N_("%(phase)s has not been played; the game can go back to %(phases)s."),
    "rollback.which": N_("Say to which phase, as in “%(example)s”; the game can go back to %(phases)s."),
    "accept.master-plays": N_(
        "You play in this game: whose late orders count is not for you to say. The operator of this judge can."
    ),
    "accept.nothing": N_("No orders of %(power)s came late for %(phases)s: there is nothing to take."),
    "accept.already": N_("The late orders of %(power)s for %(phase)s are on file already: nothing has changed."),
    "accept.useless": N_("None of the late orders of %(power)s can be used in %(phase)s: nothing has changed."),
    "accept.corrected": N_(
        "The position of %(open)s was corrected, which would be lost if %(phase)s were run again. Go back with ROLLBACK, if"
        " that is what you want."
    ),
    "correct.line": N_(
        "“%(text)s” is no correction. Below CORRECT POSITION stand lines with a unit, its place and its power; with REMOVE"
        " and a unit; or with OWNER, a centre and a power (or nobody). Nothing was corrected."
    ),
    "correct.empty": N_(
        "There is nothing to correct. Below CORRECT POSITION stand lines with a unit, its place and its power; with REMOVE"
        " and a unit; or with OWNER, a centre and a power (or nobody)."
    ),
    "correct.too-many": N_("One correction has %(most)s lines at most. Nothing was corrected."),
    "correct.no-centre": N_("“%(text)s”: only a supply centre has an owner. Nothing was corrected."),
    "correct.no-place-for-it": N_("“%(text)s”: no such unit can stand there. Nothing was corrected."),
    "correct.occupied": N_("“%(text)s”: a unit stands there already; remove it first. Nothing was corrected."),
    "correct.no-unit": N_("“%(text)s”: there is no such unit. Nothing was corrected."),
    "correct.which-unit": N_("“%(text)s”: more than one unit is there; say its kind and its power. Nothing was corrected."),
    "correct.no-reason": N_("A correction needs a reason, which all players read: a line that begins with %(example)s."),
    "correct.same": N_("The position is so already."),
    "comment.empty": N_("The note has no words: write them below it, up to END. %(example)s takes the note off."),
    "comment.same": N_("The note is so already."),
    "comment.too-long": N_("A note has %(most)s characters at most."),
    "help.no-such-chapter": N_("The manual has no such chapter; it has %(chapters)s."),
    "join.which": N_("Say which game: its name goes behind the command. “LIST” tells the games."),
    "join.no-game": N_("There is no game of that name. “LIST” tells the games."),
    "join.over": N_("The game %(game)s is over."),
    "join.running": N_("The game %(game)s has started, and its rules let only the game master give a power to somebody."),
    "join.by-master": N_("By its rules the game master of %(game)s says who plays; write to the game master."),
    "join.full": N_("No power is free in %(game)s."),
    "join.not-free": N_("That power cannot be had in %(game)s; free are %(powers)s."),
    "join.no-power": N_("I do not know each of the powers that you name; there are %(powers)s."),
    "join.by-lot": N_(
        "By the rules of %(game)s all powers are drawn by lot, and nobody wishes for one: write “JOIN %(game)s”."
    ),
    "join.one-wish": N_("By the rules of %(game)s each player wishes for one power at most."),
    "leave.not-in": N_("You are not in the game %(game)s."),
    "leave.started": N_(
        "The game %(game)s has started; whoever wants to leave it writes so from the reply address of the power."
    ),
    "observe.plays": N_("You play in %(game)s, and get all its results."),
    "observe.too-many": N_("Nobody watches more than %(most)s games at a time."),
    "observe.not": N_("You do not watch %(game)s."),
    "link.no-address": N_("That is no mail address that mail can be sent to."),
    "language.unknown": N_(
        "Mails are written in English, Japanese (日本語), Simplified Chinese (简体中文) and Traditional Chinese (繁體中文)."
    ),
    "timezone.unknown": N_(
        "I do not know that time zone. Name a large city in it, like Tokyo, or write Europe/Paris or UTC+8."
    ),
    "name.cannot": N_(
        "That cannot be shown as a name. A name has one to four words of letters, %(most)s characters at most; it names no"
        " power, nothing that reads as an order, and no part in the game such as the judge."
    ),
    "name.taken": N_("Somebody goes by that name in %(game)s, where you play too: choose another one."),
    "name.form": N_(
        "A line with a colon may be the foot of a mail or a form, so no name was taken from it. Write “%(example)s” if you"
        " want to be called so."
    ),
    "export.too-often": N_("That was sent to you less than half a day ago."),
    "forget.plays": N_(
        "You have a seat in %(game)s, which is not over. “RESIGN”, written to the game, gives it up; “PROMOTE” gives the"
        " master's to somebody else."
    ),
    "forget.too-often": N_("No more than %(most)s such questions go out a day."),
    "address.unusable": N_("To that address no mail can be sent."),
    "address.same": N_("That is your address already."),
    "address.too-often": N_("No more than %(most)s such questions go out a day."),
    "address.from-your-own": N_(
        "Ask for that from your own address here, by answering a mail of mine to you. “GAMES” brings you one."
    ),
    "new.form": N_(
        "“NEW” and the name of the game head the lines: “NEW spring42”, and below it the addresses of your friends."
    ),
    "new.name": N_("%(game)s cannot name a game: 1 to 20 letters a-z, digits and dashes, and no word that means something."),
    "new.taken": N_("There is a game of the name %(game)s; think of another name."),
    "new.not-by-mail": N_("On this judge games are made by who runs it; “LIST” tells which games are open."),
    "new.too-many": N_(
        "You have made %(most)s games that wait for players; one more can be made when one of them has started."
    ),
    "new.faults": N_(
        "Some of its lines cannot be used (faults: %(count)s), so nothing was made; “HELP JOIN” tells how it is written."
    ),
    "new.no-rules": N_("There are no house rules of that name; allowed: %(presets)s."),
    "new.schedule": N_("That is no schedule; these are: %(examples)s."),
    "new.set": N_("A house rule is set like this: %(example)s."),
    "new.master": N_("Either “master me” or “master none”; you may hand the game over to somebody else later (PROMOTE)."),
    "new.too-long": N_("That is too long: %(lines)s lines of %(most)s characters are read."),
    "new.by-master": N_("In a game that is made by mail the powers are given out by the judge: by wishes, or by lot."),
    "new.line": N_("I do not understand this line."),
    "new.no-address": N_("To that address no mail can be sent."),
    "new.too-many-friends": N_("One mail invites %(most)s people at most."),
    "new.yourself": N_("That is your own address: you are in the game anyhow."),
    "new.no-friends": N_(
        "Nobody is invited: write the mail addresses of your friends below, or “open”, so that anybody may join."
    ),
    "new.too-many-players": N_("That makes %(count)s players, and there are %(most)s powers to play."),
    "new.too-few": N_(
        "That makes %(count)s players, and there are %(most)s powers to play. Add addresses; or a line “open”, so that"
        " anybody may join; or a line like “set powers.unplayed=Italy” for powers that nobody plays; or “master me”, and"
        " start the game yourself."
    ),
    "invite.cannot": N_("No invitation can go to %(address)s now."),
    "invite.too-many": N_("No more than %(most)s invitations of one person go out a day."),
    "invite.started": N_("The game %(game)s has started."),
    "invite.not-yours": N_("Only who made the game %(game)s by mail can invite into it."),
    "invite.full": N_("There is no place left in %(game)s: everybody who is invited may still answer."),
    "help.no-chapter": N_("The manual has no chapter %(text)s; it has %(chapters)s."),
    "master.gave-way": N_("A later line of this mail sets %(key)s too, and counts instead of this one."),
    "master.not-understood": N_("I do not understand this line; a rule is set like this: %(example)s."),
    "master.command-form": N_("These words after a command are not understood; it is written “%(example)s”."),
    "master.no-command": N_("This is no command; you may mean “%(forms)s”."),
    "master.other-game": N_("This is for the game %(game)s: answer a mail of that game."),
    "master.too-many": N_("One mail may set %(most)s rules at most; this line and %(more)s more were not read."),
    "master.no-reason": N_("A reason goes with a rule that is set in the same mail; there is none."),
}

#: What a value that is no word looks like.
FORMS: Mapping[str, str] = {
    "flag": N_("true or false"),
    "turn": N_("a turn, like F1910 or 10-F"),
    "instant": N_("an instant, like 2026-03-01T20:00Z"),
    "duration": N_("a duration, like 90 min, 2 h or 30 d"),
    "table": N_("pairs, like bul/nc=bul/ec"),
    "list": N_("powers with commas between them"),
    "text": N_("a text"),
}

Args = Mapping[str, object]


def english(code: str, args: Args) -> str:
    """The sentence in plain English, for a shell."""
    said = {name: _plain(name, value) for name, value in args.items()}
    return SENTENCES[code] % said


def _plain(name: str, value: object) -> str:
    if name == "form":
        return FORMS[str(value)]
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M} UTC"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def sentence(code: str, args: Args, words: Words) -> str:
    """The sentence in the reader's language, turns and instants in the reader's notation and time zone."""
    said = {name: _said(name, value, words) for name, value in args.items()}
    return words.translate(SENTENCES[code]) % said


def _phase(text: str, words: Words) -> str:
    """A phase in the reader's words; what somebody took for one as they wrote it."""
    try:
        return words.phase(text)
    except ValueError:
        return text


def _said(name: str, value: object, words: Words) -> str:
    if name == "form":
        return words.translate(FORMS[str(value)])
    if name in ("turn", "first"):
        return words.last_turn(str(value))
    if name in ("phase", "first_phase", "last_phase", "open"):
        return _phase(str(value), words)
    if name == "phases":
        return words.alternatives([_phase(str(one), words) for one in value])  # type: ignore[attr-defined]
    if name == "place":
        return words.place(str(value))
    if name == "power":
        return words.power(str(value))
    if name == "powers" and isinstance(value, Sequence):
        return words.alternatives([words.power(str(one)) for one in value])
    if isinstance(value, datetime):
        return words.instant(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return words.alternatives([str(one) for one in value])
    return str(value)
