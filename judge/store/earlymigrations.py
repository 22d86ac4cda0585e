"""The schema of the first release and what was added up to the seeds of draws: landed, and never changed again."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("judge")


def run_all(db: Database, statements: str) -> None:
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
    run_all(db, _FIRST)


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
    run_all(db, _SECOND)


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
    run_all(db, _PRESS)


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
    run_all(db, _UNITS_IN_OTHER_HANDS)


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
    run_all(db, _HELD_MAILS)


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
    run_all(db, _LATER_ORDERS)


@migrations()
def draw_seeds(db: Database) -> None:
    """Whether the seed of a draw came by chance or was chosen by somebody."""
    db.execute("ALTER TABLE draws ADD COLUMN seed_from TEXT CHECK (seed_from IN ('chance','chosen'))")
