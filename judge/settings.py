"""The settings of one judge: a typed TOML file in its home folder, overridden by the environment.

The file is ``HOME/judge.toml``; the database and the key file lie in the same folder unless named otherwise. Every key
may be overridden by an environment variable: ``JUDGE_DOMAIN`` for a key at the top, ``JUDGE_RELAY__PORT`` for one in a
table. Secrets (the key that signs reply addresses, the relay's password) are only ever named by their files.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from judge.errors import BadSettings
from judge.settingstext import EXAMPLE

FILE_NAME = "judge.toml"
ENVIRONMENT_PREFIX = "JUDGE_"
NOT_SETTINGS = frozenset({"JUDGE_HOME"})
"""Environment variables with our prefix that are no settings."""

KEY_BYTES = 32
"""Length of the signing key in octets; the file holds it as hexadecimal text."""

Port = Annotated[int, Meta(ge=0, le=65535)]
Positive = Annotated[int, Meta(ge=1)]
NotNegative = Annotated[int, Meta(ge=0)]

_DOMAIN = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\Z")
_PART = r"(?:[\w-]+|\"[^\"]*\"|'[^']*')"
_DOTTED_KEY = re.compile(rf"\s*({_PART}(?:\s*\.\s*{_PART})*)\s*=")
_MAIL_ADDRESS = re.compile(r"[^\s@<>\"(),:;\[\]\\\x00-\x1f]{1,64}@[^\s@<>\x00-\x1f]{1,253}\Z")


class HostPort(NamedTuple):
    """Where to listen or whom to call over TCP."""

    host: str
    port: int


class Listen(Struct, frozen=True, forbid_unknown_fields=True):
    """The door: where mail comes in."""

    host: str = "127.0.0.1"
    """Address to listen on by SMTP."""
    port: Port = 2525
    """Port for SMTP; 0 takes a free one."""
    lmtp: str = ""
    """``HOST:PORT`` or the path of a socket for LMTP besides; empty for none."""
    certificate: str = ""
    """PEM file with the certificate chain; with it STARTTLS is offered."""
    certificate_key: str = ""
    """PEM file with the certificate's private key; empty if it is in the same file."""
    relays: tuple[str, ...] = ("127.0.0.1", "::1")
    """Addresses of mail servers of our own in front of the judge: no cap on connections a peer for them."""


class Relay(Struct, frozen=True, forbid_unknown_fields=True):
    """The mail server that takes what we send."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65535)] = 25
    starttls: Literal["never", "offered", "always"] = "offered"
    """``offered``: encrypt when the relay can; ``always``: send nothing without; ``never``: not even then."""
    user: str = ""
    password_file: str = ""
    """File whose first line is the password."""
    connections: Annotated[int, Meta(ge=1, le=50)] = 4
    """Connections at once."""
    timeout: Annotated[float, Meta(gt=0)] = 60.0
    """Seconds to wait for one answer of the relay."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Caps of the door."""

    # at most what the reader looks at (judge.mail.reading.DOOR_LIMIT, which this layer may not import): what the door takes
    # must not be thrown away unread
    mail_bytes: Annotated[int, Meta(ge=10_000, le=10_000_000)] = 10_000_000
    """Largest mail in octets."""
    recipients: Positive = 20
    """Recipients of one mail."""
    connections: Positive = 100
    """Connections at once, all peers together."""
    connections_per_peer: Positive = 10
    """Connections at once of one peer (but our own relays)."""
    commands: Positive = 1000
    """Uses of one command in one session."""
    idle_seconds: Annotated[float, Meta(gt=0)] = 300.0
    """How long a client may be silent."""
    session_seconds: Annotated[float, Meta(gt=0)] = 1800.0
    """How long one session may last."""


class Rates(Struct, frozen=True, forbid_unknown_fields=True):
    """How many mails an hour are taken before the sender is asked to wait; 0 means no limit."""

    seat_per_hour: NotNegative = 120
    """Mails to one seat's signed address."""
    sender_per_hour: NotNegative = 120
    """Mails of one envelope sender to addresses without a token."""
    game_per_hour: NotNegative = 600
    """Mails to one game's address without a token, all senders together."""


class Senders(Struct, frozen=True, forbid_unknown_fields=True):
    """How it is known that a mail without a signed address is from whom it names."""

    trust_authserv: str = ""
    """Name by which the mail server in front signs its ``Authentication-Results``; empty: there is none that checks."""
    check_dkim: bool = True
    """Without such a server: whether the judge checks signatures (DKIM) itself, which asks DNS."""
    dns_seconds: Annotated[float, Meta(gt=0, le=30)] = 4.0
    """Seconds that one mail's check may take."""


class Games(Struct, frozen=True, forbid_unknown_fields=True):
    """Who may make games by mail, and how much mail to others that may cause."""

    create: tuple[str, ...] = ("anyone",)
    """``anyone`` (whose address is confirmed), ``shell`` (nobody by mail), or the addresses of those who may."""
    forming_per_person: NotNegative = 3
    """Games of one person that may wait for players at once."""
    invitations_per_day: NotNegative = 20
    """Invitations that one person may cause a day."""
    invitations_to_one_per_day: NotNegative = 3
    """Invitations that go to one address a day, whoever sends them."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings of one judge. Paths in it are as written; the properties resolve them against ``home``."""

    domain: str
    """Domain of the judge's addresses, lower case."""
    separator: Literal["+", "=", "_", "."] = "+"
    """What stands between game and token in a reply address."""
    operator: str = ""
    """Mail address of the person who runs this judge: postmaster@ and abuse@ go there."""
    database: str = "judge.db"
    key_file: str = "judge.key"
    listen: Listen = Listen()
    relay: Relay = Relay()
    limits: Limits = Limits()
    rates: Rates = Rates()
    senders: Senders = Senders()
    games: Games = Games()
    home: Path = Path()
    """Folder that relative paths start from; not a key of the file."""

    @property
    def database_path(self) -> Path:
        """Path of the SQLite file."""
        return self.home / self.database

    @property
    def key_path(self) -> Path:
        """Path of the file with the signing key."""
        return self.home / self.key_file

    @property
    def lmtp(self) -> HostPort | Path | None:
        """Where LMTP listens: host and port, a socket's path, or nothing."""
        return listen_place(self.listen.lmtp, self.home) if self.listen.lmtp else None


def load(home: Path, environ: Mapping[str, str]) -> Settings:
    """Read ``home/judge.toml``, apply the environment's overrides, check all of it.

    :raises BadSettings: no such file, not TOML, an unknown key, a value of the wrong kind; with file and line.
    """
    path = home / FILE_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadSettings("there is no such file; `judge init` writes one", str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings(f"cannot be read ({error.__class__.__name__}): UTF-8 text is wanted", str(path)) from None
    return parse(text, str(path), home, environ)


def parse(text: str, name: str, home: Path, environ: Mapping[str, str]) -> Settings:
    """Return the settings that the TOML ``text`` holds; ``name`` is the file's name in messages.

    :raises BadSettings: as `load`.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        where = f"{name}:{line[1] if line else len(text.splitlines())}"
        raise BadSettings(f"not TOML: {error}", where) from None
    origin: dict[tuple[str, ...], str] = {}
    _override(raw, environ, origin)
    if "home" in raw:
        raise BadSettings(_unknown("home", Settings), _where(name, text, ("home",), origin))
    try:
        settings = msgspec.convert(raw, Settings)
    except msgspec.ValidationError as error:
        message, keys = _explain(str(error))
        raise BadSettings(message, _where(name, text, keys, origin)) from None
    settings = msgspec.structs.replace(settings, home=home, domain=settings.domain.lower().rstrip("."))
    for keys, message in _faults(settings):
        raise BadSettings(message, _where(name, text, keys, origin))
    return settings


def _faults(settings: Settings) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what the types cannot say: the key's path, and what is wrong with what is allowed."""
    if not _DOMAIN.match(settings.domain):
        yield ("domain",), f"{settings.domain!r} is no domain; a name like judge.example.org is allowed (IDNA: xn--…)"
    if settings.operator and not _MAIL_ADDRESS.match(settings.operator):
        yield ("operator",), f"{settings.operator!r} is no mail address; one like you@example.org is allowed"
    elif settings.operator and _same_domain(settings.operator.rpartition("@")[2], settings.domain):
        message = f"{settings.operator!r} is an address of the judge itself: its mail would come back for ever"
        yield ("operator",), f"{message}; an address at any other domain than {settings.domain} is allowed"
    create = settings.games.create
    if not create or (len(create) > 1 and {"anyone", "shell"} & set(create)):
        yield ("games", "create"), 'is ["anyone"], ["shell"], or a list of mail addresses'
    for one in create:
        if one not in ("anyone", "shell") and not _MAIL_ADDRESS.match(one):
            yield ("games", "create"), f'{one!r} is no mail address; ["anyone"], ["shell"] or addresses are allowed'
    if settings.listen.lmtp:
        try:
            listen_place(settings.listen.lmtp, settings.home)
        except ValueError as error:
            yield ("listen", "lmtp"), str(error)
    if settings.listen.certificate_key and not settings.listen.certificate:
        yield ("listen", "certificate_key"), "is of no use without listen.certificate"
    if bool(settings.relay.user) != bool(settings.relay.password_file):
        lacking = "password_file" if settings.relay.user else "user"
        yield ("relay", "user" if settings.relay.user else "password_file"), f"needs relay.{lacking} besides"
    if settings.relay.user and settings.relay.starttls != "always":
        # a password must not go out in the clear because somebody on the way left out "STARTTLS"
        yield ("relay", "starttls"), 'must be "always" when relay.user is set: the password is sent encrypted alone'


def _same_domain(one: str, other: str) -> bool:
    """Whether two domains are one, in whatever case, with a last dot or not, in letters or as IDNA."""

    def key(domain: str) -> str:
        domain = domain.lower().rstrip(".")
        try:
            return domain.encode("idna").decode("ascii")
        except UnicodeError:
            return domain

    return key(one) == key(other)


def host_port(text: str) -> HostPort:
    """Return host and port of ``HOST:PORT`` or ``[IPV6]:PORT``.

    :raises ValueError: it is neither; the message says what is allowed.
    """
    match = re.match(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]\s/]+)):(\d{1,5})\Z", text)
    if not match or int(match[3]) > 65535:
        raise ValueError(f"{text!r} is no place to listen; HOST:PORT is allowed, like 127.0.0.1:2525 or [::1]:2525")
    return HostPort(match[1] or match[2], int(match[3]))


def listen_place(text: str, home: Path) -> HostPort | Path:
    """Return the host and port, or the path of a socket (anything with a slash), that ``text`` names.

    :raises ValueError: it is neither.
    """
    return home / text if "/" in text else host_port(text)


# ---- secrets ---------------------------------------------------------------------------------------------------------


def load_key(settings: Settings) -> bytes:
    """Return the signing key: 32 octets or more.

    :raises BadSettings: no file, not hexadecimal, too short, or others than its owner may read it.
    """
    path = settings.key_path
    text = _secret(path, "`judge init` makes one")
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) < KEY_BYTES:
        message = f"holds no key; one line of at least {2 * KEY_BYTES} hexadecimal digits is allowed"
        raise BadSettings(message, str(path))
    return key


def load_password(settings: Settings) -> str | None:
    """Return the relay's password, or None when the settings name no user.

    :raises BadSettings: the file is not there, empty, or others than its owner may read it.
    """
    if not settings.relay.user:
        return None
    path = settings.home / settings.relay.password_file
    password = _secret(path, "write the password into its first line")
    if not password:
        raise BadSettings("is empty; the password is its first line", str(path))
    return password


def _secret(path: Path, cure: str) -> str:
    """Return the first line of a file that only its owner (or root's group, for a service's credentials) may read."""
    try:
        with path.open(encoding="utf-8") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.readline().strip()
    except FileNotFoundError:
        raise BadSettings(f"there is no such file; {cure}", str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings(f"cannot be read ({error.__class__.__name__})", str(path)) from None
    if mode & (stat.S_IRWXO | stat.S_IWGRP):
        raise BadSettings("can be read or changed by others; `chmod 600` it", str(path))
    return text


# ---- overrides and messages ------------------------------------------------------------------------------------------


def _override(raw: dict[str, Any], environ: Mapping[str, str], origin: dict[tuple[str, ...], str]) -> None:
    """Put the values of ``JUDGE_…`` variables into ``raw``; ``origin`` learns which key came from which variable."""
    for variable in sorted(environ):
        if not variable.startswith(ENVIRONMENT_PREFIX) or variable in NOT_SETTINGS:
            continue
        keys = tuple(variable.removeprefix(ENVIRONMENT_PREFIX).lower().split("__"))
        if len(keys) == 1 and keys[0] not in _types(Settings):
            continue  # other programs' variables may begin with the same word
        kind: Any = Settings
        table: Any = raw
        for depth, key in enumerate(keys):
            kinds = _types(kind) if isinstance(kind, type) and issubclass(kind, Struct) else {}
            if key not in kinds or (depth == 0 and key == "home"):
                raise BadSettings(_unknown(key, kind), f"environment:{variable}")
            kind = kinds[key]
            if depth + 1 < len(keys):
                table = table.setdefault(key, {}) if isinstance(table, dict) else {}
        if isinstance(table, dict):
            table[keys[-1]] = _from_text(environ[variable], kind, variable)
        origin[keys] = f"environment:{variable}"


def _from_text(text: str, kind: Any, variable: str) -> Any:
    """Return the value of type ``kind`` that a variable's text means; a list is comma-separated."""
    plain = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if get_origin(plain) in (Union, UnionType) or (isinstance(plain, type) and issubclass(plain, Struct)):
        raise BadSettings("names a whole table; name one of its keys after two underscores", f"environment:{variable}")
    value: Any = [part.strip() for part in text.split(",") if part.strip()] if get_origin(plain) is tuple else text
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError as error:
        message = str(error).partition(" - at `")[0].replace("`", "'") + _allowed(kind)
        raise BadSettings(message, f"environment:{variable}") from None


def _types(struct: type[Struct]) -> dict[str, Any]:
    """Return the fields of a struct with their types."""
    return {field.name: field.type for field in msgspec.structs.fields(struct)}


def _unknown(key: str, kind: Any) -> str:
    known = _types(kind) if isinstance(kind, type) and issubclass(kind, Struct) else {}
    return f"no key {key!r} here; allowed are: {', '.join(name for name in known if name != 'home')}"


def _explain(error: str) -> tuple[str, tuple[str, ...]]:
    """Turn msgspec's message into ours: what, what is allowed, and the path of keys it speaks of."""
    message, _, path = error.partition(" - at `")
    keys = tuple(part for part in re.split(r"[.\[]", path.rstrip("`").removeprefix("$")) if part.isidentifier())
    unknown = re.search(r"unknown field `([^`]*)`", message)
    kind: Any = Settings
    for key in keys:
        kind = _types(kind).get(key) if isinstance(kind, type) and issubclass(kind, Struct) else None
    if not unknown:
        return f"{'.'.join(keys) or 'the file'}: {message}".replace("`", "'") + _allowed(kind), keys
    return _unknown(unknown[1], kind), (*keys, unknown[1])


def _allowed(kind: Any) -> str:
    """Return the words that a choice allows, to end a message with; nothing for another type."""
    words = get_args(kind) if get_origin(kind) is Literal else ()
    return f"; allowed are: {', '.join(repr(word) for word in words)}" if words else ""


def _where(name: str, text: str, keys: tuple[str, ...], origin: Mapping[tuple[str, ...], str]) -> str:
    """Return ``FILE:LINE`` of the key (or of its deepest table that is written), or the variable it came from."""
    if keys in origin:
        return origin[keys]
    lines = {path: number for path, number in reversed(list(_key_lines(text)))}
    for depth in range(len(keys), 0, -1):
        if keys[:depth] in lines:
            return f"{name}:{lines[keys[:depth]]}"
    return f"{name}:1"


def _key_lines(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the dotted path and line of each table and key of a TOML text that has been read without error."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*\[{1,2}([^\[\]#]+)\]", line):
            table = _parts(match[1])
            yield table, number
        elif match := _DOTTED_KEY.match(line):
            path = table + _parts(match[1])
            for depth in range(len(table) + 1, len(path) + 1):
                yield path[:depth], number


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


# ---- the file that `judge init` writes -------------------------------------------------------------------------------


def example(domain: str, listen: HostPort, relay: HostPort, *, operator: str = "", lmtp: str = "") -> str:
    """Return the text of a commented settings file with every key in it.

    :raises BadSettings: a value that `parse` would refuse.
    """
    text = EXAMPLE.format(
        domain=_quoted(domain), plain_domain=domain, operator=_quoted(operator), lmtp=_quoted(lmtp),
        listen_host=_quoted(listen.host), listen_port=listen.port,
        relay_host=_quoted(relay.host), relay_port=relay.port,
    )  # fmt: skip
    parse(text, FILE_NAME, Path(), {})
    return text


def _quoted(text: str) -> str:
    """Return ``text`` as a TOML basic string (JSON's escapes are a subset of TOML's)."""
    return msgspec.json.encode(text).decode()


def write_home(home: Path, text: str, key: bytes) -> None:
    """Write settings and key into the folder ``home``; a new folder, and the key, are for their owner alone.

    :raises BadSettings: a judge lives there already: neither file is ever overwritten.
    """
    for path in (home / FILE_NAME, home / "judge.key"):
        if path.exists():
            raise BadSettings("is there already; nothing was changed", str(path))
    if len(key) < KEY_BYTES:
        raise ValueError(f"a key has at least {KEY_BYTES} octets")
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write_new(home / "judge.key", key.hex() + "\n", 0o600)
    _write_new(home / FILE_NAME, text, 0o644)


def _write_new(path: Path, text: str, mode: int) -> None:
    """Write a new file with its permissions from the first instant on, and see it on the disk."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
