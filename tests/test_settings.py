"""Settings: faults are named by file and line with what is allowed; secrets are read from files that others cannot read."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from judge import settings
from judge.cli import main
from judge.errors import BadSettings
from judge.mail.reading import DOOR_LIMIT
from judge.settings import HostPort, Settings

GOOD = 'domain = "judge.example.org"\n'

FAULTS = [
    ("no domain", "", {}, "f:1: the file: Object missing required field 'domain'"),
    ("a domain of the wrong kind", "\ndomain = 3", {}, "f:2: domain: Expected 'str', got 'int'"),
    ("no domain name", "domain = 'a b'", {}, "f:1: 'a b' is no domain; a name like judge.example.org is allowed"),
    ("a domain not in ASCII", "domain = '例え.jp'", {}, "f:1: '例え.jp' is no domain"),
    ("not TOML", GOOD + "[listen\n", {}, "f:2: not TOML: "),
    ("a key twice", GOOD + GOOD, {}, "f:2: not TOML: "),
    ("an unknown key", GOOD + "colour = 1", {}, "f:2: no key 'colour' here; allowed are: domain, separator, operator"),
    ("an unknown key of a table", GOOD + "[listen]\n# why\nhuor = 1", {}, "f:4: no key 'huor' here; allowed are: host, "),
    ("an unknown table", GOOD + "\n[lissen]\nport = 1", {}, "f:3: no key 'lissen' here; allowed are: domain"),
    ("a dotted unknown key", GOOD + "relay.hsot = 'x'", {}, "f:2: no key 'hsot' here; allowed are: host, port, starttls"),
    ("home is no key", GOOD + "home = '/'", {}, "f:2: no key 'home' here"),
    ("a word for a number", GOOD + "[listen]\nhost = 'a'\nport = 'b'", {}, "f:4: listen.port: Expected 'int', got 'str'"),
    ("a port too large", GOOD + "[relay]\nport = 70000", {}, "f:3: relay.port: Expected 'int' <= 65535"),
    ("a size too small", GOOD + "[limits]\nmail_bytes = 5", {}, "f:3: limits.mail_bytes: Expected 'int' >= 10000"),
    ("a number in a list of words", GOOD + "[listen]\nrelays = ['a', 3]", {}, "f:3: listen.relays: Expected 'str'"),
    ("a value for a table", GOOD + "relay = 3", {}, "f:2: relay: Expected 'object', got 'int'"),
    ("a separator of game names", GOOD + "separator = '-'", {}, "f:2: separator: Invalid enum value '-'; allowed are: '+'"),
    ("no place for LMTP", GOOD + "[listen]\nlmtp = '24'", {}, "f:3: '24' is no place to listen; HOST:PORT is allowed"),
    ("no operator", GOOD + "operator = 'me'", {}, "f:2: 'me' is no mail address"),
    (
        "an operator at the judge",
        GOOD + "operator = 'me@Judge.Example.org.'",
        {},
        "f:2: 'me@Judge.Example.org.' is an address",
    ),
    (
        "an operator at the judge, in letters",
        "domain = 'xn--bcher-kva.example'\noperator = 'me@Bücher.example'",
        {},
        "f:2: 'me@Bücher.example' is an address of the judge itself",
    ),
    ("a size too large", GOOD + "[limits]\nmail_bytes = 10000001", {}, "f:3: limits.mail_bytes: Expected 'int' <= 10000000"),
    ("a user without a password", GOOD + "[relay]\nuser = 'x'", {}, "f:3: needs relay.password_file besides"),
    ("a password in the clear", GOOD + "[relay]\nuser = 'x'\npassword_file = 'y'", {}, 'f:2: must be "always"'),
    ("a key without a certificate", GOOD + "[listen]\ncertificate_key = 'x'", {}, "f:3: is of no use without"),
    ("an unknown variable", GOOD, {"JUDGE_LISTEN__PRT": "1"}, "environment:JUDGE_LISTEN__PRT: no key 'prt' here"),
    ("a variable too deep", GOOD, {"JUDGE_LISTEN__PORT__X": "1"}, "environment:JUDGE_LISTEN__PORT__X: no key 'x' here"),
    ("a variable of the wrong kind", GOOD, {"JUDGE_RELAY__PORT": "x"}, "environment:JUDGE_RELAY__PORT: Expected 'int'"),
    ("a variable for a table", GOOD, {"JUDGE_RELAY": "x"}, "environment:JUDGE_RELAY: names a whole table"),
    ("a bad choice by variable", GOOD, {"JUDGE_RELAY__STARTTLS": "no"}, "environment:JUDGE_RELAY__STARTTLS: Invalid enum"),
    ("a bad domain by variable", GOOD, {"JUDGE_DOMAIN": "a b"}, "environment:JUDGE_DOMAIN: 'a b' is no domain"),
]


@pytest.mark.parametrize(("text", "environ", "message"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_fault_is_named_with_its_place(text, environ, message):
    with pytest.raises(BadSettings) as fault:
        settings.parse(text, "f", Path(), environ)
    assert str(fault.value).startswith(message)


def test_the_environment_overrides_the_file(tmp_path):
    environ = {
        "JUDGE_HOME": "/elsewhere",
        "JUDGE_OTHER": "not ours",
        "JUDGE_DOMAIN": "Other.Example.ORG",
        "JUDGE_RELAY__PORT": "2600",
        "JUDGE_LISTEN__RELAYS": "10.0.0.1, ::1",
        "JUDGE_LIMITS__IDLE_SECONDS": "1.5",
    }
    chosen = settings.parse(GOOD + "[relay]\nport = 25", "f", tmp_path, environ)
    assert chosen.domain == "other.example.org"
    assert chosen.relay.port == 2600
    assert chosen.listen.relays == ("10.0.0.1", "::1")
    assert chosen.limits.idle_seconds == 1.5
    assert chosen.home == tmp_path


def test_an_operator_at_a_domain_above_or_below_the_judge_s_is_allowed(tmp_path):
    for domain in ("example.org", "mail.judge.example.org", "x" * 70 + ".example"):
        assert settings.parse(GOOD + f"operator = 'me@{domain}'", "f", tmp_path, {}).operator == f"me@{domain}"


def test_the_largest_mail_that_the_door_may_take_is_what_the_reader_looks_at():
    assert settings.parse(GOOD + f"[limits]\nmail_bytes = {DOOR_LIMIT}", "f", Path(), {}).limits == settings.Limits()
    with pytest.raises(BadSettings):
        settings.parse(GOOD + f"[limits]\nmail_bytes = {DOOR_LIMIT + 1}", "f", Path(), {})


def test_the_example_says_every_key_with_its_usual_value(tmp_path):
    text = settings.example("judge.example.org", HostPort("127.0.0.1", 2525), HostPort("127.0.0.1", 25))
    assert settings.parse(text, "f", tmp_path, {}) == Settings(domain="judge.example.org", home=tmp_path)
    written = tomllib.loads(text)
    for field in msgspec.structs.fields(Settings):
        if field.name == "home":
            continue
        assert field.name in written
        if isinstance(written[field.name], dict):
            assert set(written[field.name]) == {f.name for f in msgspec.structs.fields(field.type)}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("127.0.0.1:2525", HostPort("127.0.0.1", 2525)),
        ("[::1]:25", HostPort("::1", 25)),
        ("mail.example.org:0", HostPort("mail.example.org", 0)),
        ("run/lmtp", Path("/home/run/lmtp")),
        ("/run/judge/lmtp", Path("/run/judge/lmtp")),
    ],
)
def test_places_to_listen(text, place):
    assert settings.listen_place(text, Path("/home")) == place


@pytest.mark.parametrize("text", ["", "25", "a:b", "::1:25", "a:99999", "a b:25", ":25", "a:25\n"])
def test_what_is_no_place_to_listen(text):
    with pytest.raises(ValueError, match="HOST:PORT is allowed"):
        settings.host_port(text)


def test_init_writes_settings_that_load_and_a_key_that_others_cannot_read(tmp_path):
    home = tmp_path / "new" / "judge"
    said = CliRunner().invoke(
        main,
        ["init", str(home), "--domain", "judge.example.org", "--listen", "[::1]:0", "--relay", "mail:26",
         "--lmtp", "run/lmtp", "--operator", "me@example.org"],
    )  # fmt: skip
    assert said.exit_code == 0, said.output
    chosen = settings.load(home, {})
    assert (chosen.listen.host, chosen.listen.port) == ("::1", 0)
    assert (chosen.relay.host, chosen.relay.port) == ("mail", 26)
    assert chosen.lmtp == home / "run/lmtp"
    assert chosen.operator == "me@example.org"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert not chosen.database_path.exists()
    assert stat.S_IMODE(chosen.key_path.stat().st_mode) == 0o600
    key = settings.load_key(chosen)
    assert len(key) == settings.KEY_BYTES

    again = CliRunner().invoke(main, ["init", str(home), "--domain", "other.example.org"])
    assert again.exit_code == 1
    assert "nothing was changed" in again.stderr
    assert settings.load_key(chosen) == key


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--domain", "a b"], 1),
        (["--domain", "judge.example.org", "--listen", "25"], 2),
        (["--domain", 'x"\n[relay]'], 1),
        ([], 2),
    ],
    ids=["no domain", "no place", "TOML in a domain", "nothing said"],
)
def test_init_refuses_and_leaves_nothing(tmp_path, arguments, code):
    said = CliRunner().invoke(main, ["init", str(tmp_path / "judge"), *arguments])
    assert said.exit_code == code
    assert not (tmp_path / "judge").exists()


@pytest.mark.parametrize(
    ("content", "mode", "message"),
    [
        (None, 0o600, "there is no such file"),
        ("ab" * 32, 0o604, "can be read or changed by others"),
        ("ab" * 32, 0o620, "can be read or changed by others"),
        ("ab" * 31, 0o600, "holds no key"),
        ("not hexadecimal" * 9, 0o600, "holds no key"),
        ("", 0o600, "holds no key"),
    ],
    ids=["absent", "others read", "group writes", "short", "not hexadecimal", "empty"],
)
def test_a_key_that_cannot_be_used_is_refused(tmp_path, content, mode, message):
    chosen = Settings(domain="judge.example.org", home=tmp_path)
    if content is not None:
        chosen.key_path.write_text(content)
        os.chmod(chosen.key_path, mode)
    with pytest.raises(BadSettings, match=message):
        settings.load_key(chosen)


def test_the_relays_password_is_the_first_line_of_its_file(tmp_path):
    text = GOOD + "[relay]\nuser = 'judge'\npassword_file = 'password'\nstarttls = 'always'"
    chosen = settings.parse(text, "f", tmp_path, {})
    with pytest.raises(BadSettings, match="there is no such file"):
        settings.load_password(chosen)
    (tmp_path / "password").write_text("s3cret\nmore\n")
    os.chmod(tmp_path / "password", 0o600)
    assert settings.load_password(chosen) == "s3cret"
    assert settings.load_password(settings.parse(GOOD, "f", tmp_path, {})) is None


def test_no_settings_file_is_told(tmp_path):
    with pytest.raises(BadSettings, match="`judge init` writes one"):
        settings.load(tmp_path, {})
