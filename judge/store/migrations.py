"""The schema, as versioned migrations: those of :mod:`judge.store.earlymigrations`, and after them these, in this order. One
that has landed is never changed. The legal states of what they make stand in :mod:`judge.store.states`."""

from __future__ import annotations

from sqlite_utils import Database

from judge.store.earlymigrations import migrations, run_all

__all__ = ["migrations"]

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
    run_all(db, _FAILED_MAILS)


_PEOPLE = """
CREATE TABLE persons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    address TEXT NOT NULL,
    mailbox TEXT NOT NULL UNIQUE,
    language TEXT NOT NULL,
    timezone TEXT NOT NULL,
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
    run_all(db, _PEOPLE)


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
    run_all(db, _COMMITMENTS_AND_SEALS)


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
    run_all(db, _VOTES)


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
    run_all(db, _SEAT_CHANGES)


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
    run_all(db, _ABSENCES)


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
    run_all(db, _MASTERING)


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
    run_all(db, _MOTIONS)


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
    run_all(db, _DUTIES)


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
    run_all(db, _QUERIES_PER_MAIL)


_FORGETTINGS = """
CREATE TABLE forgettings (
    id INTEGER PRIMARY KEY,
    person_id INTEGER NOT NULL REFERENCES persons(id),
    wished_at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('wished','done','dropped')),
    decided_at TEXT,
    CHECK ((state = 'wished') = (decided_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX forgettings_wished ON forgettings(person_id) WHERE state = 'wished'
"""


@migrations()
def forgettings(db: Database) -> None:
    """Who wishes to be forgotten, until their last mail has gone."""
    run_all(db, _FORGETTINGS)


_STANDBY = """
CREATE TABLE standbys (
    id INTEGER PRIMARY KEY,
    person_id INTEGER NOT NULL REFERENCES persons(id),
    game_id INTEGER REFERENCES games(id),
    since TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX standbys_person ON standbys(person_id, coalesce(game_id, 0));
CREATE INDEX standbys_since ON standbys(since, id);
CREATE TABLE offers (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games(id),
    power TEXT NOT NULL,
    generation INTEGER NOT NULL,
    person_id INTEGER NOT NULL REFERENCES persons(id),
    ask_id INTEGER NOT NULL UNIQUE,
    by_master INTEGER NOT NULL CHECK (by_master IN (0,1)),
    made_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open','accepted','declined','lapsed','gone')),
    decided_at TEXT,
    CHECK ((state = 'open') = (decided_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX offers_open_seat ON offers(game_id, power) WHERE state = 'open';
CREATE INDEX offers_open ON offers(expires_at) WHERE state = 'open';
CREATE INDEX offers_seat ON offers(game_id, power, generation);
CREATE INDEX offers_person ON offers(person_id, made_at);
CREATE INDEX seats_open ON seats(game_id) WHERE address IS NULL
"""


@migrations()
def standby(db: Database) -> None:
    """Who stands ready to take a power over, and to whom which one was offered."""
    run_all(db, _STANDBY)


_KEPT_MAILS = """
CREATE TABLE mail_choices (
    mailbox TEXT NOT NULL,
    game_id INTEGER NOT NULL,
    choice TEXT NOT NULL CHECK (choice IN ('all','results','digest')),
    at TEXT NOT NULL,
    PRIMARY KEY (mailbox, game_id)
) STRICT;
CREATE TABLE kept_mails (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games(id),
    phase_id INTEGER NOT NULL REFERENCES phases(id),
    power TEXT NOT NULL,
    mailbox TEXT NOT NULL,
    event TEXT NOT NULL CHECK (event IN ('press','notice')),
    args TEXT NOT NULL,
    at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('kept','told')),
    told_at TEXT,
    CHECK ((state = 'kept') = (told_at IS NULL))
) STRICT;
CREATE INDEX kept_mails_waiting ON kept_mails(game_id, power, mailbox) WHERE state = 'kept';
CREATE INDEX kept_mails_phase ON kept_mails(phase_id);
CREATE INDEX kept_mails_mailbox ON kept_mails(mailbox)
"""


@migrations()
def kept_mails(db: Database) -> None:
    """Who wants which mails at once, and what waits for them meanwhile."""
    run_all(db, _KEPT_MAILS)


@migrations()
def names_of_people(db: Database) -> None:
    """The name that a person chose to be called by; empty: none."""
    db.execute("ALTER TABLE persons ADD COLUMN name TEXT NOT NULL DEFAULT ''")


_INVITATIONS = """
CREATE TABLE makers (
    game_id INTEGER PRIMARY KEY REFERENCES games(id),
    person_id INTEGER NOT NULL
) STRICT;
CREATE INDEX makers_person ON makers(person_id);
CREATE TABLE invitations (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games(id),
    person_id INTEGER NOT NULL,
    ask_id INTEGER NOT NULL,
    made_by INTEGER NOT NULL,
    digest TEXT NOT NULL,
    made_at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open','accepted','declined','lapsed')),
    decided_at TEXT,
    CHECK ((state = 'open') = (decided_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX invitations_game ON invitations(game_id, digest);
CREATE INDEX invitations_ask ON invitations(ask_id);
CREATE INDEX invitations_maker ON invitations(made_by, made_at);
CREATE INDEX invitations_digest ON invitations(digest, made_at);
CREATE INDEX invitations_person ON invitations(person_id);
CREATE INDEX invitations_open ON invitations(made_at) WHERE state = 'open';
CREATE TABLE uninvited (
    digest TEXT PRIMARY KEY,
    at TEXT NOT NULL
) STRICT
"""


@migrations()
def invitations(db: Database) -> None:
    """Who made a game by mail, whom they invited, and who wants no invitation."""
    run_all(db, _INVITATIONS)
