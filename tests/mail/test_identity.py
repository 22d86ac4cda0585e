"""Tokens and the addresses that carry them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.addresses import Destination, is_game_name, parse, split
from judge.mail.identity import MASK, PLACEHOLDER, TOKEN, TOKEN_LENGTH, Keys, address, bounce_address

KEYS = Keys(b"0123456789abcdef0123456789abcdef")
DOMAIN = "judge.example.org"
GAMES = st.from_regex(r"[a-z0-9-]{1,20}", fullmatch=True).filter(is_game_name)


@given(GAMES, st.text(min_size=1, max_size=20), st.integers(0, 99))
def test_a_token_is_right_for_its_seat_alone(game: str, seat: str, generation: int) -> None:
    token = KEYS.token(game, seat, generation)
    assert TOKEN.fullmatch(token) and token == token.lower()
    assert KEYS.check(token, game, seat, generation)
    assert KEYS.check(token.upper(), game, seat, generation)
    assert not KEYS.check(token, game, seat, generation + 1)
    assert not KEYS.check(token, game, seat + "x", generation)
    assert not KEYS.check(token, game + "x", seat, generation)
    assert not KEYS.check(token[:-1], game, seat, generation)
    assert not KEYS.check("é" * TOKEN_LENGTH, game, seat, generation)
    assert not Keys(b"another secret of 16 bytes").check(token, game, seat, generation)


def test_facts_do_not_run_into_each_other() -> None:
    assert KEYS.token("ab", "c") != KEYS.token("a", "bc")
    assert KEYS.token("a", "b", 1) != KEYS.token("a", "b1")


def test_a_bounce_token_gives_no_orders() -> None:
    bounce = KEYS.bounce_token("spring42", "France")
    assert KEYS.check_bounce(bounce, "spring42", "France")
    assert not KEYS.check(bounce, "spring42", "France")


def test_a_short_secret_is_refused_and_a_secret_is_never_shown() -> None:
    with pytest.raises(ValueError, match="too short"):
        Keys(b"short")
    assert "0123" not in repr(KEYS)


def test_placeholder_and_mask_have_a_tokens_shape() -> None:
    assert TOKEN.fullmatch(PLACEHOLDER) and TOKEN.fullmatch(MASK)


@given(GAMES, st.sampled_from(["+", ".", "=", "_"]), st.sampled_from([None, "me", "some.one"]), st.booleans())
def test_addresses_read_back(game: str, separator: str, mailbox: str | None, upper: bool) -> None:
    token = KEYS.token(game, "France")
    for make, kind in ((address, "seat"), (bounce_address, "bounce")):
        made = make(game, token, DOMAIN, separator, mailbox)
        assert len(made.partition("@")[0]) <= 64
        found = parse(made.upper() if upper else made, DOMAIN, separator, mailbox)
        assert found == Destination(kind, game, token)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("spring42@judge.example.org", Destination("game", "spring42")),
        ("<SPRING42@Judge.Example.ORG.>", Destination("game", "spring42")),
        ("judge@judge.example.org", Destination("judge")),
        ("Postmaster@judge.example.org", Destination("operator")),
        ("abuse@judge.example.org", Destination("operator")),
        ("press@judge.example.org", None),
        ("spring42@example.org", None),
        ("spring42", None),
        ("@judge.example.org", None),
        ("spring42+short@judge.example.org", None),
        ("spring_42@judge.example.org", None),
        ("a-name-that-is-too-long-by-one@judge.example.org", None),
        ("x" * 65 + "@judge.example.org", None),
        ("spring42\r\n@judge.example.org", None),
        ('"spring42"@judge.example.org', Destination("game", "spring42")),
        ("spring42+aaaaaaaaaaaaaaa1@judge.example.org", None),
        ("judge+aaaaaaaaaaaaaaaa@judge.example.org", None),
    ],
)
def test_what_an_address_means(text: str, wanted: Destination | None) -> None:
    assert parse(text, DOMAIN) == wanted


def test_an_international_domain_is_one_domain_in_both_forms() -> None:
    assert parse("spring42@xn--r8jz45g.jp", "例え.jp") == Destination("game", "spring42")
    assert parse("spring42@例え.jp", "xn--r8jz45g.jp") == Destination("game", "spring42")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("me@home.example", Destination("judge")),
        ("me+judge@home.example", Destination("judge")),
        ("me+spring42@home.example", Destination("game", "spring42")),
        ("you@home.example", None),
        ("postmaster@home.example", Destination("operator")),
    ],
)
def test_addresses_of_a_fetched_mailbox(text: str, wanted: Destination | None) -> None:
    assert parse(text, "home.example", "+", "me") == wanted


@pytest.mark.parametrize(
    "name", ["judge", "postmaster", "list", "", "-a", "a-", "Spring", "a b", "x-aaaaaaaaaaaaaaaa", "a" * 21]
)
def test_names_no_game_may_have(name: str) -> None:
    assert not is_game_name(name)


@given(st.text(max_size=100))
def test_no_text_makes_it_fail(text: str) -> None:
    parse(text, DOMAIN)
    parse(f"{text}@{DOMAIN}", DOMAIN)
    split(text)
