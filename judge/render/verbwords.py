"""What the manual says of each verb, and of the chapters that it has: :mod:`judge.mail.verbs` is the table of verbs.

A test asks for a sentence of every verb, so that none can be there and unknown to the players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from judge.render.catalogue import N_


@dataclass(frozen=True, slots=True)
class Word:
    """A verb in the manual: how it is written (its words are the same in every language, since every language understands
    them), and what it does. ``master``: what it does when the game master says it, if that is something else."""

    form: str
    does: str
    master: str = ""

    def of(self, role: str) -> str:
        """What it does when ``role`` says it."""
        return (role == "master" and self.master) or self.does


#: chapter -> its title; the key is what stands behind HELP
TOPICS: Mapping[str, str] = {
    "orders": N_("Orders"),
    "game": N_("The game"),
    "talk": N_("Press"),
    "agree": N_("Votes"),
    "clock": N_("Deadlines"),
    "me": N_("Your address and you"),
    "join": N_("Games to join"),
    "master": N_("The game master"),
}

#: the chapters that have something for a role; a test compares them with the table of verbs
CHAPTERS: Mapping[str, tuple[str, ...]] = {
    "player": ("orders", "game", "talk", "agree", "clock", "me"),
    "master": ("orders", "game", "talk", "clock", "me", "master"),
    "anyone": ("game", "me", "join"),
}

#: verb -> what the manual says
WORDS: Mapping[str, Word] = {
    "CLEAR": Word("CLEAR", N_("drop all orders I have sent for this phase")),
    "STATUS": Word(
        "STATUS",
        N_("who plays, centres, units, the deadline"),
        N_("who plays, whose orders are missing, the deadline"),
    ),
    "RULES": Word("RULES", N_("all house rules of this game, in plain words")),
    "SUMMARY": Word("SUMMARY", N_("the supply centres of every power, year by year")),
    "RESIGN": Word("RESIGN", N_("give up my power for good; I am asked once whether I mean it")),
    "REPLACE": Word(
        "REPLACE POWER ADDRESS",
        N_("propose that a seat be declared open, where no game master decides"),
        N_("that address plays the power from now on; without an address: nobody does, who wants may"),
    ),
    "STANDBY": Word(
        "STANDBY game",
        N_("I stand ready to take over a power that loses its player, in that game or, without one, in any; STANDBY OFF"),
    ),
    "OFFER SEAT": Word("OFFER SEAT POWER", N_("a power without a player is offered to those who stand ready to play")),
    "EJECT": Word("EJECT POWER BECAUSE …", N_("take a power away from its player, who is told why")),
    "ORDER AS": Word(
        "ORDER AS POWER", N_("the orders below it, to END, are put on file for that power; its player is told")
    ),
    "PROMOTE": Word("PROMOTE ADDRESS", N_("that address masters the game from now on, and I do not any more")),
    "ABSENCE": Word(
        "ABSENCE 2026-12-20..2026-12-27",
        N_("I am away from one day to the other, in all my games: deadlines wait; ABSENCE OFF takes it back"),
    ),
    "RECORD": Word(
        "RECORD",
        N_("how often my orders came in time, in all my games"),
        N_("how often the players' orders came in time, in all their games"),
    ),
    "SHOW": Word("SHOW", N_("the game: who plays, how far it is, what is agreed")),
    "WHY": Word("WHY A VIE F1901M", N_("why the unit that stood there fared as it did: the strengths and the rule")),
    "HISTORY": Word("HISTORY", N_("the results so far; HISTORY S1901M..F1902M brings those phases")),
    "PREVIEW": Word(
        "PREVIEW",
        N_("what would come of the orders below it, to END; none of them is kept, and nobody sees it"),
        N_("what would come of the orders on file now, or of those below it, to END"),
    ),
    "HELP": Word("HELP", N_("the manual; HELP and one of its chapters brings that alone")),
    "READY": Word("READY", N_("my orders are final: no need to wait for me")),
    "WAIT": Word("WAIT", N_("don't run the phase before the deadline")),
    "START": Word("START", N_("start the game: the players get their first mail")),
    "DEADLINE": Word("DEADLINE …", N_("a new deadline, as “Sat 21:00” or “2026-12-05 21:00”, in your time zone")),
    "EXTEND": Word(
        "EXTEND …",
        N_("propose that the deadline be put off, where no game master decides"),
        N_("put the deadline off: “EXTEND 48 h”, or “EXTEND UNTIL” and a day with its time"),
    ),
    "PAUSE": Word(
        "PAUSE",
        N_("propose a pause until a day, where no game master decides"),
        N_("no deadline runs until RESUME; “PAUSE UNTIL” and a day: it goes on by itself"),
    ),
    "RESUME": Word(
        "RESUME",
        N_("propose that the game go on, where no game master decides"),
        N_("the game goes on, with as much time as there was"),
    ),
    "PROCESS": Word("PROCESS", N_("run the open phase now; PROCESS NOW, if orders are missing")),
    "ROLLBACK": Word("ROLLBACK …", N_("back to a phase that was played, its orders on file again")),
    "ACCEPT": Word(
        "ACCEPT power",
        N_("take the orders of that power that came late; the phase is run again with them, if it has been run"),
    ),
    "CORRECT POSITION": Word(
        "CORRECT POSITION",
        N_(
            "correct the position: below it one change a line, each a unit with its power, “REMOVE” with a unit, or “OWNER”"
            " with a centre and a power; then a line WHY, and END"
        ),
    ),
    "SET COMMENT": Word("SET COMMENT", N_("a note that all read with STATUS: the lines below it, to END")),
    "SET NO COMMENT": Word("SET NO COMMENT", N_("take the note off")),
    "END GAME": Word("END GAME", N_("end the game without a result; END GAME DRAW: those who are left share a draw")),
    "LOG": Word("LOG", N_("what was done to the game, when and by whom")),
    "LIST": Word("LIST", N_("the games that are open, have a power to take over, or are played")),
    "JOIN": Word("JOIN game powers", N_("a seat in that game for me; the powers I should like, the best first")),
    "NEW": Word(
        "NEW spring42",
        N_(
            "I make a game of that name, and invite the mail addresses in the lines below it, to END; lines like “rules"
            " standard”, “schedule every 24 h”, “master me” and “open” may stand there too"
        ),
    ),
    "INVITE": Word("INVITE game ADDRESS", N_("one more is invited into the game that I have made, before it starts")),
    "LEAVE": Word("LEAVE game", N_("I do not want to play after all; before the game starts")),
    "OBSERVE": Word("OBSERVE game", N_("the results of that game to me, who do not play it")),
    "STOP OBSERVING": Word("STOP OBSERVING game", N_("no more of them")),
    "GAMES": Word("GAMES", N_("all my games: deadlines, what is missing, where to answer")),
    "LINK": Word("LINK", N_("my reply addresses once more, sent to my registered address alone")),
    "LANGUAGE": Word("LANGUAGE name", N_("the language of all mails to me: English, 日本語, 简体中文, 繁體中文")),
    "TIMEZONE": Word("TIMEZONE name", N_("the time zone of all mails to me, like Tokyo, Europe/Paris or UTC+8")),
    "NAME": Word(
        "NAME Anna", N_("players I meet may be told that I go by that name, never my address; NAME OFF: I have none")
    ),
    "EXPORT": Word("EXPORT", N_("all that is kept about me, as a file")),
    "MAIL": Word(
        "MAIL RESULTS", N_("press and news wait for the next result; MAIL DIGEST: once a day; MAIL ALL: at once; MAIL: now")
    ),
    "FORGET": Word("FORGET", N_("a pseudonym in place of my address and name, when no game of mine is played any more")),
    "ADDRESS": Word("ADDRESS mail", N_("I move to that mail address, which is asked first")),
    "DRAW": Word("DRAW", N_("I vote for a draw; where the rules allow lists, of the powers named: DRAW FRANCE ITALY")),
    "NO DRAW": Word("NO DRAW", N_("I take back my vote for a draw")),
    "CONCEDE": Word("CONCEDE FRANCE", N_("I concede the game to that power; it has won when all others do")),
    "NO CONCEDE": Word("NO CONCEDE", N_("I do not concede any more")),
    "PROPOSE": Word("PROPOSE EXTEND 48 h", N_("put that to the vote where no master decides; so do PAUSE, RESUME, REPLACE")),
    "AYE": Word("AYE 3", N_("I am for the motion with that number")),
    "NAY": Word("NAY 3", N_("I am against it")),
    "STATEMENT": Word("STATEMENT", N_("the lines below it, to END, go to all when the game is over")),
    "COMMITMENTS": Word(
        "COMMITMENTS S1901M",
        N_("the hashes that the receipts of a phase bore, and how to check that your orders were not changed"),
        N_("the hashes that the receipts of a phase bore"),
    ),
    "SIGNS": Word("SIGNS", N_("signs that two powers may be played by one person; facts, and no verdict")),
    "NEW ADDRESS": Word("NEW ADDRESS", N_("a new reply address for me; the old one is refused")),
}


def forms(names: Iterable[str]) -> str:
    """How verbs are written, as one text to be quoted."""
    return " / ".join(WORDS[name].form for name in names)
