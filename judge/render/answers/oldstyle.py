"""What a mail in the classic judge's style is taught: each of its old commands in this judge's words.

The codes are those of :mod:`judge.mail.oldstyle`. Nothing of the mail is told: there is a password in most of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.render.answers.pieces import Items, Section, Writer
from judge.render.catalogue import N_
from judge.render.commonfacts import Common
from judge.render.words import Words

#: an old command -> what is written in its place here
SHORTER: Mapping[str, tuple[str, str]] = {
    "endpress": ("ENDPRESS", "END"),
    "wait": ("SET WAIT", "WAIT"),
    "nowait": ("SET NOWAIT", "READY"),
    "draw": ("SET DRAW", "DRAW"),
    "nodraw": ("SET NODRAW", "NO DRAW"),
    "vote-letters": ("SET DRAW EF", "DRAW ENGLAND FRANCE"),
    "concede-letters": ("SET CONCEDE F", "CONCEDE FRANCE"),
    "noconcede": ("SET NO CONCEDE", "NO CONCEDE"),
    "absence": ("SET ABSENCE … TO …", "ABSENCE 2026-12-24..2027-01-03"),
    "absence-off": ("SET NO ABSENCE", "ABSENCE OFF"),
    "address": ("SET ADDRESS", "ADDRESS you@example.org"),
    "comment": ("SET COMMENT …", "SET COMMENT … END"),
    "phase": ("PHASE …", "LATER …"),
    "withdraw": ("WITHDRAW", "RESIGN"),
    "become": ("BECOME FRANCE", "ORDER AS FRANCE … END"),
    "terminate": ("TERMINATE", "END GAME"),
    "begin": ("FORCE BEGIN", "START"),
    "observe": ("OBSERVE spring42 …", "OBSERVE spring42"),
    "list-full": ("LIST FULL", "LIST"),
    "list-game": ("LIST spring42", "SHOW spring42"),
    "who": ("WHO GAME spring42", "SHOW spring42"),
    "status-game": ("STATUS spring42", "SUMMARY spring42"),
    "history": ("HISTORY spring42 FROM …", "HISTORY spring42 1901..1902"),
    "get": ("GET", "HELP"),
}

#: what is told of an old command that has no such counterpart
SENTENCES: Mapping[str, str] = {
    "signon": N_("You need no SIGNON and no password: your reply address says who you are."),
    "signon-other": N_(
        "The SIGNON in your mail names another game or another power than the address that you wrote to. What stands below"
        " it was not used. Write to that game in answer to one of its own mails."
    ),
    "signon-join": N_(
        "A game is joined with “JOIN spring42”, with the powers that you want behind it; no password is needed."
    ),
    "signon-outside": N_(
        "You need no SIGNON and no password: send orders and press in answer to a mail of the game. “LINK” sends your reply"
        " addresses again."
    ),
    "signoff": N_("You need no SIGNOFF: signatures and quoted mails are passed over."),
    "press-letters": N_("In press you may write the names of the powers: “PRESS TO FRANCE RUSSIA”."),
    "register": N_(
        "You need not register. Nothing of the form was used: “LANGUAGE” and “TIMEZONE” are all that the judge wants"
        " to know."
    ),
    "postal": N_("This judge has no postal press, and nothing of it was sent. “BROADCAST” goes to all at once."),
    "fake": N_("Press cannot name false recipients here, and nothing of it was sent. “GREY PRESS TO” goes without a name."),
    "diary": N_("This judge keeps no diaries, and nothing of it was kept. A “STATEMENT” is for the end of the game."),
    "password": N_("There are no passwords here. “NEW ADDRESS” gets you a new reply address, if yours became known."),
    "address-bare": N_("To be written to at another address, send “ADDRESS you@example.org”; both addresses are asked."),
    "preference": N_("The powers that you want stand behind the name of the game: “JOIN spring42 ENGLAND FRANCE”."),
    "mute": N_("“MAIL RESULTS” keeps press back until the next result; it cannot be turned off."),
    "option": N_("The options of games are house rules here: “RULES” lists them, and the game master sets them."),
    "whois": N_("The judge tells nobody who others are or where they live."),
    "version": N_("“HELP” tells all that this judge can do."),
    "map": N_("The board comes with every result, in words."),
    "also": N_("To be written to at another address, send “ADDRESS you@example.org”; both addresses are asked."),
    "create": N_("Games are not made with CREATE here, but with “NEW” and a name; “HELP” tells what can be done."),
}


def old_style(args: Mapping[str, Any], words: Words, _: Common | None) -> Section:
    """``codes`` of what there is to teach."""
    texts = [one for one in (_sentence(code, words) for code in args["codes"]) if one]
    return Section(
        words.translate(N_("Old commands, and the short way")),
        (Items(tuple(dict.fromkeys(texts))),),
        words.translate(N_("the short way")),
    )


def _sentence(code: str, words: Words) -> str:
    if code in SENTENCES:
        return words.translate(SENTENCES[code])
    if code not in SHORTER:
        return ""
    old, new = SHORTER[code]
    return words.translate(N_("For “%(old)s” it is enough to write “%(new)s”.")) % {"old": old, "new": new}


WRITERS: Mapping[str, Writer] = {"old-style": old_style}
