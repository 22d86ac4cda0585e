"""What concerns a person outside of any game: questions before anything is done, their games, how they are written to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from judge.render.answers.joining import many, power_names
from judge.render.answers.pieces import Head, Items, Link, Links, Piece, Rows, Says, Section, Writer
from judge.render.catalogue import N_, NN_
from judge.render.commonfacts import Common
from judge.render.layout import one_line
from judge.render.words import Words

#: the languages of our mails, in their own words
LANGUAGES: Mapping[str, str] = {"en": "English", "ja": "日本語", "zh-Hans": "简体中文", "zh-Hant": "繁體中文"}

# questions


def question(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``number`` of the question, ``lines``: what was asked, in the judge's own words; ``known``: the reader is known."""
    if args["known"]:
        why = N_(
            "A mail in your name asked me for this, but nothing in it proves that it is from you, so nothing is done yet:"
        )
    else:
        why = N_(
            "A mail from your address asked me for this. I don't know you yet, and anybody can write a sender's name on a"
            " mail, so nothing is done yet:"
        )
    how = words.translate(
        N_(
            "If you want it, answer this mail with the one word “YES”. If not, do nothing: nothing is done, and in"
            " a week the question is gone."
        )
    )
    pieces: tuple[Piece, ...] = (
        Says(words.translate(why)),
        Items(tuple(_quoted(line, words) for line in args["lines"])),
        Says(how),
    )
    return Section(words.translate(N_("Please confirm")), pieces, words.translate(N_("please confirm")))


def _quoted(line: str, words: Words) -> str:
    return words.translate(N_("“%(line)s”")) % {"line": line}


def question_of_move(_args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To the new address of somebody who moves."""
    why = N_(
        "Somebody who plays Diplomacy here asked me to write to this address from now on. If that is you,"
        " answer this mail"
        " with the one word “YES”: all your games move here, with new reply addresses. If it is not, do nothing: within a"
        " week it is all forgotten."
    )
    return Section(
        words.translate(N_("Please confirm")), (Says(words.translate(why)),), words.translate(N_("please confirm"))
    )


_TOLD: Mapping[str, str] = {
    "dropped": N_("Nothing is done of what you were asked about (%(number)s)."),
    "already-done": N_("What you were asked about (%(number)s) had been done before: nothing has changed."),
    "already-dropped": N_(
        "What you were asked about (%(number)s) had been dropped before. Ask for it again if you want it."
    ),
    "unclear": N_("About %(number)s you say both yes and no, so nothing was done."),
    "too-late": N_("That cannot be done any more."),
}


def told(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """What came of an answer to a question: ``number`` and ``result``."""
    text = words.translate(_TOLD[args["result"]]) % {"number": args["number"]}
    return Section(words.translate(N_("Your answer")), (Says(text),), words.translate(N_("what came of your answer")))


def which(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """An answer that fits several questions, or none: ``asks``, those that wait, with number and lines."""
    title, news = words.translate(N_("Your answer")), words.translate(N_("what came of your answer"))
    if not args["asks"]:
        return Section(title, (Says(words.translate(N_("Nothing waits for your answer."))),), news)
    lead = words.translate(N_("More than one thing waits for your answer. Answer with the number, like “YES %(number)s”:"))
    rows = tuple((str(number), words.chain(_quoted(line, words) for line in lines)) for number, lines in args["asks"])
    return Section(title, (Says(lead % {"number": rows[0][0]}), Rows(rows)), news)


def welcome(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """The first YES: how the reader is written to, as the first mail let it be guessed."""
    known = words.translate(
        N_("You are known here from now on. Answers to this mail are known to be yours; write so whenever it is about you.")
    )
    rows = (
        (words.translate(N_("Language")), LANGUAGES[args["language"]]),
        (words.translate(N_("Time zone")), words.zone_name),
    )
    how = words.translate(N_("“LANGUAGE” and “TIMEZONE” with a name change these: “LANGUAGE English”, “TIMEZONE Tokyo”."))
    return Section(words.translate(N_("Welcome")), (Says(known), Rows(rows), Says(how)), words.translate(N_("welcome")))


# their games


def games(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``seats``: rows with game, power, phase, deadline, what is owed and the address; ``waiting``: [game, board, powers];
    ``watched``: games."""
    pieces: list[Piece] = []
    for row in args["seats"]:
        pieces += [Head(_seat(row, words)), Rows(tuple(_state(row, words))), Links((_link(row, words),))]
    if args["waiting"]:
        pieces.append(Head(words.translate(N_("Not started yet"))))
        none = words.translate(N_("no power named"))
        rows = ((game, words.chain(power_names(board, wish, words)) or none) for game, board, wish in args["waiting"])
        pieces.append(Rows(tuple(rows)))
    if args["watched"]:
        pieces.append(Says(words.translate(N_("You watch %(games)s.")) % {"games": words.listing(args["watched"])}))
    if not pieces:
        pieces.append(Says(words.translate(N_("You play in no game. “LIST” tells which games are open."))))
    return Section(words.translate(N_("Your games")), tuple(pieces), words.translate(N_("your games")))


def _seat(row: Mapping[str, Any], words: Words) -> str:
    if row["power"] == "master":
        return words.translate(N_("%(game)s, as the game master")) % {"game": row["game"]}
    (power,) = power_names(row["variant"], [row["power"]], words)
    return words.translate(N_("%(power)s in %(game)s")) % {"power": power, "game": row["game"]}


def _state(row: Mapping[str, Any], words: Words) -> Iterable[tuple[str, str]]:
    states = {"forming": N_("waits for players"), "running": N_("is played"), "ended": N_("is over")}
    yield words.translate(N_("State")), words.translate(states[row["state"]])
    if row["phase"]:
        yield words.translate(N_("Phase")), words.translate(N_("%(phase)s is open")) % {"phase": words.phase(row["phase"])}
    if row["deadline"]:
        yield words.translate(N_("Next deadline")), words.when(row["deadline"])
    if row["phase"] and row["power"] != "master":
        yield words.translate(N_("Orders")), _owed(row, words)


def _owed(row: Mapping[str, Any], words: Words) -> str:
    if row["owed"] == "missing":
        return many(words, NN_("%(n)s is missing", "%(n)s are missing"), row["missing"])
    return words.translate(N_("all are here") if row["owed"] == "complete" else N_("nothing to order"))


def _link(row: Mapping[str, Any], words: Words) -> Link:
    return Link(words.translate(N_("Write to %(seat)s")) % {"seat": _seat(row, words)}, row["address"], f"[{row['game']}]")


def addresses(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``seats`` with their addresses."""
    if not args["seats"]:
        none = words.translate(N_("You play in no game. “LIST” tells which games are open."))
        pieces: tuple[Piece, ...] = (Says(none),)
    else:
        lead = words.translate(
            N_(
                "Somebody, probably you, asked for your reply addresses. Keep them to yourself: whoever has one can"
                " order for you."
            )
        )
        pieces = (Says(lead), Links(tuple(_link(row, words) for row in args["seats"])))
    return Section(words.translate(N_("Your reply addresses")), pieces, words.translate(N_("your reply addresses")))


def link_sent(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """What anybody is told who asks for reply addresses; ``own``: it was about the address that this goes to."""
    if args["own"]:
        text = N_("Nobody plays here by this address. If you play by another one, say so: “LINK camille@example.org”.")
    else:
        text = N_(
            "If somebody plays here by that address, their reply addresses have been sent to it; not oftener"
            " than once a day."
        )
    return Section(
        words.translate(N_("Reply addresses")), (Says(words.translate(text)),), words.translate(N_("reply addresses"))
    )


# how they are written to


def reader(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``language`` or ``timezone``, and whether anything ``changed``."""
    if args["language"]:
        text = (
            N_("All mails to you are in %(name)s.") if args["changed"] else N_("All mails to you are in %(name)s already.")
        )
        text = words.translate(text) % {"name": LANGUAGES[args["language"]]}
        return Section(words.translate(N_("Language")), (Says(text),), words.translate(N_("your language")))
    name = words.zone_label(args["timezone"])
    text = (
        N_("Times in mails to you are those of %(name)s.")
        if args["changed"]
        else N_("Times in mails to you are those of %(name)s already.")
    )
    said = (Says(words.translate(text) % {"name": name}),)
    return Section(words.translate(N_("Time zone")), said, words.translate(N_("your time zone")))


_NAMED: Mapping[str, str] = {
    "open": N_("In %(games)s the other players are told your name."),
    "end": N_("In %(games)s nobody is told it before the game is over."),
    "never": N_("In %(games)s nobody is ever told it."),
}


def name(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``name`` of the reader (empty: none), whether it has ``changed`` (``None``: it was asked for), and the reader's games
    by what their rules let the players know: ``open``, ``end``, ``never``."""
    if not args["name"]:
        text = (
            N_("You have no name here any more.") if args["changed"] else N_("You have no name here: “NAME Anna” gives one.")
        )
    elif args["changed"]:
        text = N_("You go by the name of “%(name)s” from now on.")
    else:
        text = (
            N_("You go by the name of “%(name)s”.")
            if args["changed"] is None
            else N_("You go by the name of “%(name)s” already.")
        )
    told = [words.translate(text) % {"name": one_line(args["name"], 60)}]
    if args["name"]:
        told += [words.translate(said) % {"games": words.listing(args[when])} for when, said in _NAMED.items() if args[when]]
        told.append(words.translate(N_("Your mail address is told with it nowhere but where the house rules say so.")))
    return Section(words.translate(N_("Your name")), (Says(words.sentences(told)),), words.translate(N_("your name")))


def export(_args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """The file itself is attached to the mail."""
    text = words.translate(
        N_(
            "All that is kept about you is attached as a file: your address, language and time zone, your seats with their"
            " orders and press, and your mails as they came."
        )
    )
    return Section(
        words.translate(N_("What is kept about you")), (Says(text),), words.translate(N_("what is kept about you"))
    )


def export_sent(_args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To a seat: the file goes out by itself."""
    text = words.translate(N_("All that is kept about you goes to you as a file, in a mail of its own."))
    return Section(
        words.translate(N_("What is kept about you")), (Says(text),), words.translate(N_("what is kept about you"))
    )


def question_of_forgetting(_args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To somebody who wishes to be forgotten: what that means, before it is done."""
    texts = (
        N_(
            "You ask me to forget you. A pseudonym then takes the place of your addresses, your name and the heads of your"
            " mails in all that is kept here. Games that you watch or wait for do without you."
        ),
        N_(
            "Your orders, the results and the press that you wrote stay, since they are part of the games of others. Nobody"
            " can undo it, and I shall not know you any more. “EXPORT” brings you a copy of everything before."
        ),
        N_(
            "If you want it, answer this mail with the one word “YES”. If not, do nothing: nothing is done, and in"
            " a week the question is gone."
        ),
    )
    pieces = tuple(Says(words.translate(text)) for text in texts)
    return Section(words.translate(N_("Please confirm")), pieces, words.translate(N_("please confirm")))


_FORGETTING: Mapping[str, str] = {
    "asked": N_("I have asked at your registered address whether you want to be forgotten. Nothing is done before YES."),
    "asked-again": N_("I have asked that at your registered address already, and wait for YES from there."),
    "done": N_(
        "This is my last mail to you. When it has gone, a pseudonym takes the place of your address and your name, within a"
        " few hours. Thank you for playing."
    ),
}


def _forgetting(key: str, words: Words) -> Section:
    text = words.translate(_FORGETTING[key])
    title, news = words.translate(N_("Being forgotten")), words.translate(N_("being forgotten"))
    return Section(title, (Says(text),), news)


def forget_asked(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """To a seat: the question went to the registered address; ``again``: before this."""
    return _forgetting("asked-again" if args["again"] else "asked", words)


def forgotten(_args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """The last mail to somebody."""
    return _forgetting("done", words)


_MOVED: Mapping[str, tuple[str, str]] = {
    "address-asked": (
        N_("Your address"),
        N_("I have asked at %(address)s. When YES comes from there, all your games move; until then nothing changes."),
    ),
    "address-moved": (
        N_("Your address"),
        N_(
            "All your games have moved to this address. The reply addresses of earlier mails are refused: “LINK”"
            " brings the new ones."
        ),
    ),
    "address-left": (
        N_("Your address"),
        N_(
            "Your games have moved to another mail address, as you asked, and this one gets no more mails of"
            " them. If it was"
            " not you who asked, write to the operator of this judge, postmaster@%(domain)s, at once."
        ),
    ),
}


def _moved(code: str) -> Writer:
    def write(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
        title, text = _MOVED[code]
        return Section(words.translate(title), (Says(words.translate(text) % args),), words.translate(N_("your address")))

    return write


WRITERS: Mapping[str, Writer] = {
    "ask": question,
    "ask-move": question_of_move,
    "ask-told": told,
    "ask-which": which,
    "welcome": welcome,
    "games": games,
    "addresses": addresses,
    "link-sent": link_sent,
    "reader": reader,
    "name": name,
    "export": export,
    "ask-forget": question_of_forgetting,
    "forget-asked": forget_asked,
    "forgotten": forgotten,
    "export-sent": export_sent,
    **{code: _moved(code) for code in _MOVED},
}
