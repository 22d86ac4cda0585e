"""The schema, as versioned migrations, and the legal states of everything that waits.

A row changes its state only along these edges, each edge being one committed transaction. A crash between any two
leaves the row in the state of the last commit, and the loops start from there.

A mail that came in (``inbox.state``)::

    (no row)  --door: raw bytes and row committed, then 250 is said-->  waiting
    waiting   --play.intake: orders, receipt, row, one commit------->  handled    (outcome says what it was)
    waiting   --play.intake raised; attempts + 1------------------->  waiting    (not again before retry_at)
    waiting   --third failure------------------------------------->  set-aside  (the bytes are kept; player and operator
                                                                                  are told)
    The same mail again (same recipient, Message-ID, content): no new row, ``copies`` + 1, 250.

A game (``games.state``)::

    (no row)  --play.setup: game and seats, one commit------------------------->  forming
    forming   --play.setup: powers given out, first phase, start mails, one commit-->  running
    running   --play.turn: the last result, one commit------------------------>  ended
    ended     --play.rollback: back to a phase that was played, one commit----->  running
    A running game may be paused (``paused_at``): its open phase has no deadline then, and is not due, until somebody
    resumes it or ``paused_until`` comes.

A seat (``seats.role``) is a power's or the game master's: both have a signed reply address, and only a power's has
units. A seat changes hands by a new ``generation``, and a player gets a new address by one: the addresses of the one before
are refused from then on.

What became of a seat (``seat_changes.kind``; each row is final)::

    played    --RESIGN----------------------------------------->  resigned
    played    --the master's EJECT----------------------------->  ejected
    played    --the master's REPLACE POWER--------------------->  opened
    played    --the master's REPLACE POWER ADDRESS------------->  replaced, and taken
    open      --JOIN, or the master's REPLACE POWER ADDRESS---->  taken      (``put_off``: with a later deadline)

When somebody is away (``absences.state``; what was put off for it stands in ``absence_moves``)::

    (no row)  --ABSENCE----------------------------------------->  told
    told      --ABSENCE OFF------------------------------------->  taken-back  (deadlines stay as they are)

Who owed orders for a phase (``duties``)::

    (no row)  --play.turn: the phase runs----------------------->  (final; a mailbox may get another name)

A phase (``phases.state``)::

    (no row)  --game starts, or the phase before it is processed-->  open
    open      --play.turn: result, next phase, outbox lines, one commit-->  processed
    open      --play.concluding: the players or the master end the game, end mails, one commit-->  processed    (called_off:
                                                                          nothing ran, the position stays as it was)
    open      --play.absence: deadline and run_at later, notices, one commit-->  open       (postponed + 1)
    open      --play.turn raised, or waits for a mail that came in time-->  open       (not again before retry_at)
    open      --play.extending, play.pausing: deadline and run_at set or taken away, notices, one commit-->  open
    open      --play.hurrying: the master's PROCESS; hurried_at-->  open       (due at once)
    open, processed  --play.rollback: the game goes back to a phase before, which opens anew (attempt + 1) with its orders,
                       one commit-->  processed, undone_at   (kept, and counted nowhere; one that was open has no result)
    It is due at ``run_at`` (the deadline, or earlier when all orders are in), but never before ``retry_at``. Processing
    requires state = open inside the same BEGIN IMMEDIATE, so two servers on one database process a phase once.

Orders (``orders.state``)::

    (no row)  --a mail's order, or an answer's----------------->  held
    (no row)  --its phase opens anew (play.rollback)----------->  held       (a copy)
    held      --a correction of the position makes it illegal-->  cleared
    held      --a later order for the same slot, or a later mail's builds, where all would be too many-->  replaced
    held      --CLEAR------------------------------------------>  cleared
    held      --a later mail with orders, but not this one (``orders.sets = replace``)-->  cleared
    held      --a later mail whose orders for its slot cancel each other out-->  cleared
    held      --its unit is taken out of the hands of who gave it (``PROXY OFF``, CLEAR, or to somebody else)-->  cleared
    replaced  --CLEAR, where it had cancelled out and its slot has none on file-->  cleared
    (no row)  --an order that came too late for its phase------>  late

    Where two mails in unknown order cancel out (``orders.undated``), both orders are ``replaced``, by nothing.

A unit in another power's hands (``proxies.state``)::

    (no row)  --the owner's PROXY----------------------------->  handed
    handed    --PROXY OFF, CLEAR, or to somebody else--------->  taken-back   (since ``back_at``; the other's order: cleared)

A question that a receipt asked (``questions.state``)::

    (no row)  --with the receipt that asks it---------------->  asked
    asked     --a number of its choices comes---------------->  answered   (``answered``: the choice, from 0)
    asked     --CLEAR, or a later mail that settles it------->  dropped

A mail that goes out (``outbox.state``)::

    (no row)  --the event's own transaction--------------->  new        (event and arguments; nothing rendered)
    new       --play.writing: rendered, bytes frozen------>  ready
    new       --rendering failed; attempts + 1------------>  new        (the third time: parked)
    ready     --relay said 250, then committed------------>  sent       (final)
    ready     --4xx, time-out, no connection-------------->  ready      (next_attempt later, attempts + 1)
    ready     --5xx, or too many days--------------------->  parked     (a person looks)
    parked    --a person asks for another try------------->  ready, or new if it never was rendered
    A crash between the relay's 250 and our commit delivers the same bytes with the same Message-ID again: the only way in
    which anything goes out twice.

A commitment (``commitments``; the hash of what is on file when a receipt is written)::

    (no row)  --the receipt's own transaction------------->  (final)

What is final is sealed (``seals``: a hash of a row, or of rows that belong together, in a chain a game)::

    (no row)  --a seat's mail handled, a phase processed, a mail of ours frozen, a line of the log, the end-->  sealed
    sealed    --whoever changes it after all---------------->  sealed again  (the last seal counts)

A change of the house rules (``rule_changes.state``)::

    (no row)  --play.rulings: row, log and notices, one commit-->  pending
    pending   --the phase that it waits for opens------------->  in-force   (that phase and all later ones keep the rules)
    pending   --another change of the same key, or the end---->  dropped
    in-force  --the game goes back to before its phase-------->  pending

Lines for a phase that is not open yet (``later_orders.state``)::

    (no row)  --a mail with lines under the heading of a later phase-->  kept
    kept      --the phase opens: its good orders are held, the result tells of the others-->  read
    kept      --the phase is passed over, owes nothing, or the game ends; the result says so-->  not-needed
    kept      --CLEAR LATER, CLEAR F1903M------------------------>  cleared
    read, not-needed  --the game goes back to before its phase-->  kept

A vote for a draw, or a concession (``votes.state``); it counts while its phase is open::

    (no row)  --DRAW, CONCEDE----------------------------------->  standing
    standing  --the same power's next vote of that kind--------->  replaced
    standing  --NO DRAW, NO CONCEDE----------------------------->  taken-back
    standing  --all that it needs are there: the game ends, in the same commit-->  carried
    standing  --the seat changes hands-------------------------->  lapsed

A motion of the players, where no master decides (``motions.state``)::

    (no row)  --EXTEND, PAUSE, RESUME, REPLACE by a player; word to all, one commit-->  open
    open      --the ballot that makes it more than half, or its time is up with more for it than against-->  passed
                                                    (what it wants is done in the same commit)
    open      --more than half are against it, or too few for it when its time is up-->  failed
    open      --it has the ballots, but cannot be done any more-->  not-done
    open      --its phase is over------------------------------->  dropped

A ballot on a motion (``ballots.state``)::

    (no row)  --AYE, NAY, or the motion itself------------------>  counted
    counted   --the same power's next one----------------------->  replaced
    counted   --the seat changes hands-------------------------->  lapsed

Press (``press.state``)::

    (no row)  --a mail's press, with the mails to its recipients, one commit-->  passed-on
    (no row)  --a mail's press that the house rules or its form forbid--------->  refused    (``why``; the text is kept)

A correction of a phase's position (``corrections``; no state: a fact of the phase, which verifying takes in)::

    (no row)  --play.correcting: position corrected, orders that it makes illegal cleared, mails, one commit-->  made

A mail that did not reach a seat (``failed_mails.state``; only what the seat's signed envelope address or our relay told)::

    (no row)  --play.reaching: a bounce, or a refusal by the relay; word to the master, one commit-->  counted
    counted   --a mail of the seat's player comes------------->  over
    over      --the master's STATUS says so------------------->  told

A mail of which it is not certain that a seat's player wrote it (``held_mails.state``; its inbox row is ``handled``, with the
outcome ``held``)::

    (no row)  --play.confirming: row, and the question to the registered address if none went within a day-->  held
    held      --the player's YES: all that the mail says is done, in the same commit-------->  confirmed
    held      --the player's NO, or another seat's YES to the same mail--------------------->  dropped
    A mail to ``GAME@`` that is proved or confirmed becomes its seat's (``inbox.kind``, ``inbox.power``).

A person, with an address of their own outside of any game (``persons.state``)::

    (no row)  --play.callers: a first mail that asks for something; the question goes out, one commit-->  asked
    asked     --YES from the signed address--------------------->  confirmed
    asked     --7 days without one (play.upkeep)---------------->  (no row)
    (no row)  --a player's mail to a seat asks for something that is the person's-->  confirmed
    confirmed --FORGET------------------------------------------>  forgotten    (a pseudonym takes the address's place)

What was asked in a person's name by a mail that proved nothing (``asks.state``)::

    (no row)  --play.callers, with the question--------------->  asked
    asked     --YES from the signed address; what was asked is done in the same commit-->  done
    asked     --NO------------------------------------------->  dropped
    asked, done, dropped  --7 days (play.upkeep)-------------->  (no row)

No row of games, seats, phases, orders, questions or press is ever deleted, and no mail to or for a seat. Strangers' mail and
our answers go after 7 days, the operator's after 90 (:mod:`judge.play.upkeep`); so does, when its phase is over, a held mail
to ``GAME@`` that nobody confirmed. Ids of mails are never given again (AUTOINCREMENT).
No stored byte holds a live token: raw mail is masked before it is kept, outgoing bytes are frozen with a placeholder.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("judge")


def _run_all(db: Database, statements: str) -> None:
    """Run statements with semicolons between them; inside the transaction that brings the schema up to date."""
    for statement in statements.split(";"):
        if statement.strip():
            db.execute(statement)


_FIRST = """
CREATE TABLE raws (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    bytes BLOB NOT NULL,
    content_hash TEXT NOT NULL,
    message_id TEXT,
    envelope_from TEXT NOT NULL,
    peer TEXT NOT NULL,
    received_at TEXT NOT NULL
) STRICT;
CREATE TABLE inbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    raw_id INTEGER NOT NULL REFERENCES raws(id),
    kind TEXT NOT NULL CHECK (kind IN ('seat','game','judge','operator','bounce')),
    game TEXT,
    power TEXT,
    local TEXT NOT NULL,
    received_at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting','handled','set-aside')),
    attempts INTEGER NOT NULL DEFAULT 0,
    copies INTEGER NOT NULL DEFAULT 0,
    outcome TEXT,
    error TEXT,
    handled_at TEXT,
    words TEXT,
    same_as TEXT NOT NULL
) STRICT;
CREATE INDEX inbox_waiting ON inbox(attempts, id) WHERE state = 'waiting';
CREATE INDEX inbox_kind ON inbox(kind, received_at);
CREATE INDEX raws_received ON raws(received_at);
CREATE INDEX inbox_same ON inbox(same_as, received_at);
CREATE INDEX inbox_game ON inbox(game, received_at);
CREATE INDEX inbox_raw ON inbox(raw_id);
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    variant TEXT NOT NULL,
    rules TEXT NOT NULL,
    rules_name TEXT NOT NULL,
    schedule TEXT NOT NULL,
    early INTEGER NOT NULL DEFAULT 1,
    state TEXT NOT NULL DEFAULT 'forming' CHECK (state IN ('forming','running','ended')),
    created_at TEXT NOT NULL,
    started_at TEXT,
    ended_at TEXT,
    ending TEXT
) STRICT;
CREATE TABLE seats (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games(id),
    power TEXT NOT NULL,
    address TEXT,
    language TEXT NOT NULL DEFAULT 'en',
    timezone TEXT NOT NULL DEFAULT 'UTC',
    generation INTEGER NOT NULL DEFAULT 0,
    receipts INTEGER NOT NULL DEFAULT 0,
    bounces INTEGER NOT NULL DEFAULT 0,
    UNIQUE (game_id, power)
) STRICT;
CREATE INDEX seats_address ON seats(address);
CREATE TABLE phases (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games(id),
    number INTEGER NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 1,
    name TEXT NOT NULL,
    position TEXT NOT NULL,
    opened_at TEXT NOT NULL,
    deadline TEXT,
    run_at TEXT,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open','processed')),
    processed_at TEXT,
    result TEXT,
    UNIQUE (game_id, number, attempt)
) STRICT;
CREATE UNIQUE INDEX phases_open ON phases(game_id) WHERE state = 'open';
CREATE INDEX phases_due ON phases(run_at) WHERE state = 'open';
CREATE TABLE standings (
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL,
    ready INTEGER NOT NULL DEFAULT 0,
    wait INTEGER NOT NULL DEFAULT 0,
    orders_date TEXT,
    PRIMARY KEY (phase_id, power)
) STRICT;
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL,
    slot TEXT NOT NULL,
    text TEXT NOT NULL,
    inbox_id INTEGER REFERENCES inbox(id),
    set_at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('held','replaced','cleared','late'))
) STRICT;
CREATE UNIQUE INDEX orders_held ON orders(phase_id, power, slot) WHERE state = 'held';
CREATE INDEX orders_phase ON orders(phase_id, power);
CREATE INDEX orders_mail ON orders(inbox_id);
CREATE TABLE questions (
    id INTEGER PRIMARY KEY,
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL,
    inbox_id INTEGER NOT NULL REFERENCES inbox(id),
    code TEXT NOT NULL,
    first INTEGER NOT NULL,
    choices TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    answered INTEGER,
    state TEXT NOT NULL DEFAULT 'asked' CHECK (state IN ('asked','answered','dropped'))
) STRICT;
CREATE INDEX questions_mail ON questions(inbox_id);
CREATE INDEX questions_open ON questions(phase_id, power) WHERE state = 'asked';
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL,
    args TEXT NOT NULL,
    game_id INTEGER REFERENCES games(id),
    phase_id INTEGER REFERENCES phases(id),
    power TEXT,
    generation INTEGER NOT NULL DEFAULT 0,
    address TEXT NOT NULL,
    language TEXT NOT NULL DEFAULT 'en',
    timezone TEXT NOT NULL DEFAULT 'UTC',
    message_id TEXT NOT NULL UNIQUE,
    in_reply_to TEXT,
    refs TEXT,
    created_at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new','ready','sent','parked')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt TEXT,
    frozen BLOB,
    subject TEXT,
    body TEXT,
    sent_at TEXT,
    reply TEXT,
    error TEXT
) STRICT;
CREATE INDEX outbox_new ON outbox(attempts, id) WHERE state = 'new';
CREATE INDEX outbox_ready ON outbox(next_attempt, id) WHERE state = 'ready';
CREATE INDEX outbox_seat ON outbox(game_id, power);
CREATE INDEX outbox_phase ON outbox(phase_id);
CREATE INDEX outbox_address ON outbox(address COLLATE NOCASE, event, created_at);
CREATE TABLE log (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    game_id INTEGER REFERENCES games(id),
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    facts TEXT NOT NULL
) STRICT;
CREATE INDEX log_game ON log(game_id, id);
"""


@migrations()
def first(db: Database) -> None:
    """All tables of the first release."""
    _run_all(db, _FIRST)


_SECOND = """
CREATE TABLE wishes (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games(id),
    number INTEGER NOT NULL,
    address TEXT NOT NULL,
    powers TEXT NOT NULL,
    language TEXT NOT NULL DEFAULT 'en',
    timezone TEXT NOT NULL DEFAULT 'UTC',
    made_at TEXT NOT NULL,
    UNIQUE (game_id, number)
) STRICT;
CREATE TABLE draws (
    game_id INTEGER PRIMARY KEY REFERENCES games(id),
    method TEXT NOT NULL,
    clash TEXT NOT NULL,
    powers TEXT NOT NULL,
    seed TEXT NOT NULL,
    given TEXT NOT NULL,
    drawn_at TEXT NOT NULL
) STRICT;
CREATE TABLE rule_changes (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games(id),
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    key TEXT NOT NULL,
    old TEXT NOT NULL,
    new TEXT NOT NULL,
    waits_for TEXT NOT NULL CHECK (waits_for IN ('phase','movement')),
    who TEXT NOT NULL,
    why TEXT,
    made_at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending','in-force','dropped')),
    from_phase TEXT
) STRICT;
CREATE INDEX rule_changes_game ON rule_changes(game_id, id);
ALTER TABLE phases ADD COLUMN rules TEXT
"""


@migrations()
def second(db: Database) -> None:
    """Wishes and the draw of powers; changes of the house rules, and the rules of a phase that follows one."""
    _run_all(db, _SECOND)


@migrations()
def third(db: Database) -> None:
    """How often the deadline of a phase was put off because orders were missing."""
    db.execute("ALTER TABLE phases ADD COLUMN postponed INTEGER NOT NULL DEFAULT 0")


@migrations()
def fourth(db: Database) -> None:
    """When a phase, or a mail, is tried again after a fault; apart from when it is due."""
    db.execute("ALTER TABLE phases ADD COLUMN retry_at TEXT")
    db.execute("ALTER TABLE inbox ADD COLUMN retry_at TEXT")


@migrations()
def masters_seat(db: Database) -> None:
    """The game master has a seat too: a signed reply address, a language, a time zone, but no power."""
    db.execute("ALTER TABLE seats ADD COLUMN role TEXT NOT NULL DEFAULT 'power' CHECK (role IN ('power','master'))")


_PRESS = """
CREATE TABLE press (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games(id),
    phase_id INTEGER REFERENCES phases(id),
    sender TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('white','grey')),
    recipients TEXT NOT NULL,
    everybody INTEGER NOT NULL,
    text TEXT NOT NULL,
    inbox_id INTEGER NOT NULL REFERENCES inbox(id),
    at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('passed-on','refused')),
    why TEXT,
    address TEXT,
    CHECK ((state = 'refused') = (why IS NOT NULL))
) STRICT;
CREATE INDEX press_game ON press(game_id, id);
CREATE INDEX press_sender ON press(game_id, sender, at);
CREATE INDEX press_mail ON press(inbox_id)
"""


@migrations()
def press(db: Database) -> None:
    """What players write to each other through the judge."""
    _run_all(db, _PRESS)


_UNITS_IN_OTHER_HANDS = """
CREATE TABLE proxies (
    id INTEGER PRIMARY KEY,
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL,
    place TEXT NOT NULL,
    proxy TEXT NOT NULL CHECK (proxy <> power),
    inbox_id INTEGER NOT NULL REFERENCES inbox(id),
    at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('handed','taken-back')),
    back_at TEXT
) STRICT;
CREATE INDEX proxies_phase ON proxies(phase_id);
CREATE UNIQUE INDEX proxies_handed ON proxies(phase_id, power, place) WHERE state = 'handed';
CREATE INDEX proxies_mail ON proxies(inbox_id)
"""


@migrations()
def units_in_other_hands(db: Database) -> None:
    """Units that a power lets another one order for a phase."""
    _run_all(db, _UNITS_IN_OTHER_HANDS)


_HELD_MAILS = """
CREATE TABLE held_mails (
    id INTEGER PRIMARY KEY,
    inbox_id INTEGER NOT NULL REFERENCES inbox(id),
    game_id INTEGER NOT NULL REFERENCES games(id),
    phase_id INTEGER REFERENCES phases(id),
    power TEXT NOT NULL,
    number INTEGER NOT NULL,
    sender TEXT NOT NULL,
    why TEXT NOT NULL CHECK (why IN ('not-proved','strange-address')),
    words TEXT NOT NULL,
    held_at TEXT NOT NULL,
    until TEXT,
    asked_at TEXT,
    asked_in TEXT,
    state TEXT NOT NULL DEFAULT 'held' CHECK (state IN ('held','confirmed','dropped')),
    decided_at TEXT,
    UNIQUE (game_id, power, number),
    UNIQUE (inbox_id, power),
    CHECK ((asked_at IS NULL) = (asked_in IS NULL))
) STRICT;
CREATE INDEX held_mails_question ON held_mails(asked_in);
CREATE INDEX held_mails_unasked ON held_mails(game_id, power) WHERE state = 'held' AND asked_in IS NULL;
CREATE INDEX held_mails_phase ON held_mails(phase_id);
ALTER TABLE raws ADD COLUMN signed_by TEXT
"""


@migrations()
def held_mails(db: Database) -> None:
    """Mails that wait for their player's word; the domains whose signature (DKIM) a mail was found to carry at the door."""
    _run_all(db, _HELD_MAILS)


_LATER_ORDERS = """
CREATE TABLE later_orders (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games(id),
    power TEXT NOT NULL,
    phase TEXT NOT NULL,
    lines TEXT NOT NULL,
    inbox_id INTEGER NOT NULL REFERENCES inbox(id),
    at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('kept','read','not-needed','cleared'))
) STRICT;
CREATE INDEX later_orders_kept ON later_orders(game_id, power) WHERE state = 'kept';
CREATE INDEX later_orders_mail ON later_orders(inbox_id)
"""


@migrations()
def later_orders(db: Database) -> None:
    """Orders that players wrote ahead, for phases that are not open yet."""
    _run_all(db, _LATER_ORDERS)


@migrations()
def draw_seeds(db: Database) -> None:
    """Whether the seed of a draw came by chance or was chosen by somebody."""
    db.execute("ALTER TABLE draws ADD COLUMN seed_from TEXT CHECK (seed_from IN ('chance','chosen'))")


_FAILED_MAILS = """
CREATE TABLE failed_mails (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games(id),
    power TEXT NOT NULL,
    generation INTEGER NOT NULL,
    at TEXT NOT NULL,
    status TEXT NOT NULL,
    late INTEGER NOT NULL CHECK (late IN (0,1)),
    told_by TEXT NOT NULL CHECK (told_by IN ('bounce','relay')),
    mail INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'counted' CHECK (state IN ('counted','over','told')),
    over_at TEXT,
    CHECK ((state = 'counted') = (over_at IS NULL))
) STRICT;
CREATE INDEX failed_mails_open ON failed_mails(game_id, power) WHERE state != 'told';
ALTER TABLE seats DROP COLUMN bounces
"""


@migrations()
def failed_mails(db: Database) -> None:
    """Mails that did not reach a seat, each with its reason; a mere count could be neither explained nor ended."""
    _run_all(db, _FAILED_MAILS)


_PEOPLE = """
CREATE TABLE persons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    address TEXT NOT NULL,
    mailbox TEXT NOT NULL UNIQUE,
    language TEXT NOT NULL,
    timezone TEXT NOT NULL,
    mail TEXT NOT NULL DEFAULT 'all' CHECK (mail IN ('all','results')),
    generation INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL CHECK (state IN ('asked','confirmed','forgotten')),
    made_at TEXT NOT NULL,
    confirmed_at TEXT
) STRICT;
CREATE TABLE asks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    person_id INTEGER NOT NULL REFERENCES persons(id),
    commands TEXT NOT NULL,
    mover INTEGER REFERENCES persons(id),
    asked_in TEXT,
    made_at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'asked' CHECK (state IN ('asked','done','dropped')),
    decided_at TEXT
) STRICT;
CREATE INDEX asks_person ON asks(person_id);
CREATE INDEX asks_mover ON asks(mover);
CREATE TABLE observers (
    game_id INTEGER NOT NULL REFERENCES games(id),
    person_id INTEGER NOT NULL REFERENCES persons(id),
    since TEXT NOT NULL,
    PRIMARY KEY (game_id, person_id)
) STRICT;
ALTER TABLE outbox ADD COLUMN person INTEGER REFERENCES persons(id);
CREATE INDEX outbox_person ON outbox(person) WHERE person IS NOT NULL;
ALTER TABLE inbox ADD COLUMN person INTEGER
"""


@migrations()
def people(db: Database) -> None:
    """People outside of any game: their own addresses, what they asked for before they confirmed it, whom they watch."""
    _run_all(db, _PEOPLE)


_COMMITMENTS_AND_SEALS = """
CREATE TABLE commitments (
    id INTEGER PRIMARY KEY,
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL,
    number INTEGER NOT NULL,
    orders TEXT NOT NULL,
    hash TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (phase_id, power, number)
) STRICT;
CREATE TABLE readings (
    inbox_id INTEGER NOT NULL REFERENCES inbox(id),
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL,
    sent_up_to INTEGER NOT NULL,
    lent TEXT NOT NULL,
    lines TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (inbox_id, phase_id)
) STRICT;
CREATE INDEX readings_phase ON readings(phase_id);
CREATE TABLE seals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game_id INTEGER NOT NULL REFERENCES games(id),
    what TEXT NOT NULL CHECK (what IN ('mail','phase','sent','log','end')),
    ref INTEGER NOT NULL,
    hash TEXT NOT NULL,
    chain TEXT NOT NULL
) STRICT;
CREATE INDEX seals_game ON seals(game_id, id);
CREATE INDEX seals_ref ON seals(what, ref);
ALTER TABLE raws ADD COLUMN bytes_hash TEXT
"""


@migrations()
def commitments_and_seals(db: Database) -> None:
    """Commitments of receipts; how mails were read; hashes of what is final, and of the bytes that came in."""
    _run_all(db, _COMMITMENTS_AND_SEALS)


_VOTES = """
CREATE TABLE votes (
    id INTEGER PRIMARY KEY,
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('draw','concede')),
    powers TEXT NOT NULL,
    inbox_id INTEGER NOT NULL REFERENCES inbox(id),
    at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('standing','replaced','taken-back','carried','lapsed')),
    settled_at TEXT
) STRICT;
CREATE UNIQUE INDEX votes_standing ON votes(phase_id, power, kind) WHERE state = 'standing';
CREATE INDEX votes_mail ON votes(inbox_id);
ALTER TABLE phases ADD COLUMN called_off INTEGER NOT NULL DEFAULT 0 CHECK (called_off IN (0,1))
"""


@migrations()
def votes(db: Database) -> None:
    """Votes for a draw and concessions; phases that were open when the game was ended otherwise, and never ran."""
    _run_all(db, _VOTES)


@migrations()
def statements(db: Database) -> None:
    """Press that was a final statement, of a game that was over."""
    db.execute("ALTER TABLE press ADD COLUMN statement INTEGER NOT NULL DEFAULT 0 CHECK (statement IN (0,1))")


_SEAT_CHANGES = """
CREATE TABLE seat_changes (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games(id),
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('resigned','ejected','opened','replaced','taken')),
    mailbox TEXT NOT NULL,
    put_off INTEGER NOT NULL DEFAULT 0 CHECK (put_off IN (0,1)),
    at TEXT NOT NULL
) STRICT;
CREATE INDEX seat_changes_game ON seat_changes(game_id, power);
CREATE INDEX seat_changes_phase ON seat_changes(phase_id);
CREATE INDEX seat_changes_mailbox ON seat_changes(mailbox)
"""


@migrations()
def seat_changes(db: Database) -> None:
    """Who gave up a seat of a running game, from whom one was taken, who came."""
    _run_all(db, _SEAT_CHANGES)


@migrations()
def exports(db: Database) -> None:
    """When a person last got all that is kept about them."""
    db.execute("ALTER TABLE persons ADD COLUMN exported_at TEXT")


_ABSENCES = """
CREATE TABLE absences (
    id INTEGER PRIMARY KEY,
    mailbox TEXT NOT NULL,
    first TEXT NOT NULL,
    last TEXT NOT NULL,
    starts_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    made_at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'told' CHECK (state IN ('told','taken-back')),
    back_at TEXT,
    CHECK ((state = 'told') = (back_at IS NULL))
) STRICT;
CREATE INDEX absences_ahead ON absences(ends_at) WHERE state = 'told';
CREATE INDEX absences_mailbox ON absences(mailbox);
CREATE TABLE absence_moves (
    id INTEGER PRIMARY KEY,
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    mailbox TEXT NOT NULL,
    seconds INTEGER NOT NULL CHECK (seconds > 0),
    at TEXT NOT NULL
) STRICT;
CREATE INDEX absence_moves_phase ON absence_moves(phase_id);
CREATE INDEX absence_moves_mailbox ON absence_moves(mailbox)
"""


@migrations()
def absences(db: Database) -> None:
    """When people are away, and by how much deadlines were put off for it."""
    _run_all(db, _ABSENCES)


_MASTERING = """
ALTER TABLE games ADD COLUMN paused_at TEXT;
ALTER TABLE games ADD COLUMN paused_until TEXT;
ALTER TABLE games ADD COLUMN paused_left INTEGER;
ALTER TABLE games ADD COLUMN comment TEXT NOT NULL DEFAULT '';
CREATE INDEX games_paused ON games(paused_until) WHERE paused_until IS NOT NULL;
ALTER TABLE phases ADD COLUMN hurried_at TEXT;
ALTER TABLE phases ADD COLUMN hurried_by TEXT;
ALTER TABLE phases ADD COLUMN undone_at TEXT;
CREATE INDEX phases_opened ON phases(game_id, opened_at);
CREATE TABLE corrections (
    id INTEGER PRIMARY KEY,
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    changes TEXT NOT NULL,
    before TEXT NOT NULL,
    who TEXT NOT NULL,
    why TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX corrections_phase ON corrections(phase_id, id)
"""


@migrations()
def mastering(db: Database) -> None:
    """A game paused, its clock moved, gone back in, corrected, ended by its master; the master's note."""
    _run_all(db, _MASTERING)


_MOTIONS = """
CREATE TABLE motions (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games(id),
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    number INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('extend','pause','resume','replace')),
    args TEXT NOT NULL,
    proposer TEXT NOT NULL,
    inbox_id INTEGER NOT NULL REFERENCES inbox(id),
    made_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open','passed','failed','not-done','dropped')),
    decided_at TEXT,
    UNIQUE (game_id, number),
    CHECK ((state = 'open') = (decided_at IS NULL))
) STRICT;
CREATE INDEX motions_phase ON motions(phase_id);
CREATE INDEX motions_open ON motions(expires_at) WHERE state = 'open';
CREATE INDEX motions_mail ON motions(inbox_id);
CREATE TABLE ballots (
    id INTEGER PRIMARY KEY,
    motion_id INTEGER NOT NULL REFERENCES motions(id),
    power TEXT NOT NULL,
    aye INTEGER NOT NULL CHECK (aye IN (0,1)),
    inbox_id INTEGER NOT NULL REFERENCES inbox(id),
    at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('counted','replaced','lapsed'))
) STRICT;
CREATE UNIQUE INDEX ballots_counted ON ballots(motion_id, power) WHERE state = 'counted';
CREATE INDEX ballots_mail ON ballots(inbox_id)
"""


@migrations()
def motions(db: Database) -> None:
    """Motions of the players where no master decides, and the ballots on them."""
    _run_all(db, _MOTIONS)


_DUTIES = """
CREATE TABLE duties (
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL,
    mailbox TEXT NOT NULL,
    PRIMARY KEY (phase_id, power)
) STRICT;
CREATE INDEX duties_mailbox ON duties(mailbox)
"""


@migrations()
def duties(db: Database) -> None:
    """Who owed orders for a phase when it ran."""
    _run_all(db, _DUTIES)


_QUERIES_PER_MAIL = """
CREATE INDEX inbox_seat ON inbox(game, power, kind, id);
CREATE INDEX inbox_words ON inbox(words, received_at) WHERE words IS NOT NULL;
CREATE INDEX inbox_arrivals ON inbox(received_at) WHERE state = 'waiting';
CREATE INDEX outbox_answers ON outbox(game_id, in_reply_to);
CREATE INDEX outbox_event ON outbox(event, created_at);
CREATE INDEX raws_message_id ON raws(message_id) WHERE message_id IS NOT NULL;
CREATE INDEX seats_mailbox ON seats(address COLLATE NOCASE);
CREATE INDEX questions_phase ON questions(phase_id, power);
CREATE INDEX observers_person ON observers(person_id)
"""


@migrations()
def queries_per_mail(db: Database) -> None:
    """Indexes for what is asked of the store with every mail, however many there were before."""
    _run_all(db, _QUERIES_PER_MAIL)
