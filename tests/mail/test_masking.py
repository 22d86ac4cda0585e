"""Tokens are cut out wherever they hide, and the mail still reads as before."""

from __future__ import annotations

import base64
import json
import quopri
import random
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail import masking
from judge.mail.hashing import HEADER_OCTETS, content_hash
from judge.mail.identity import MASK, PLACEHOLDER, Keys
from judge.mail.masking import mask
from judge.mail.reading import read

DATA = Path(__file__).parent / "data"
CASES = {
    f"{folder}/{name}": case
    for folder in ("handed", "more")
    for name, case in json.loads((DATA / f"{folder}.json").read_text(encoding="utf-8")).items()
}
KEYS = Keys(b"0123456789abcdef")
TOKEN = KEYS.token("spring42", "France")
ADDRESS = f"spring42+{TOKEN}@judge.example.org"


LIVE = frozenset({TOKEN})


def plain(text: str) -> bytes:
    return text.encode()


def base64_lines(text: str) -> bytes:
    return base64.encodebytes(text.encode())


def quoted_printable(text: str) -> bytes:
    return quopri.encodestring(text.encode())


def soft_breaks(text: str) -> bytes:
    units = [b"=%02X" % b if b in b"=\r\n" else bytes([b]) for b in text.encode()]
    return b"=\r\n".join(b"".join(units[n : n + 7]) for n in range(0, len(units), 7))


def hex_pairs(text: str) -> bytes:
    return b"".join(b"=%02X" % b for b in text.encode())


def percent(text: str) -> bytes:
    return quote(text, safe="").encode()


def percent_all(text: str) -> bytes:
    return b"".join(b"%%%02x" % b for b in text.encode())


def decimal_entities(text: str) -> bytes:
    return "".join(f"&#{ord(c)};" for c in text).encode()


def hex_entities(text: str) -> bytes:
    return "".join(f"&#x{ord(c):x};" for c in text).encode()


def word_breaks(text: str) -> bytes:
    return text.replace("+", "+<wbr>").encode()[:20] + b"<wbr/>" + text.replace("+", "+<wbr>").encode()[20:]


def utf16(text: str) -> bytes:
    return text.encode("utf-16")


def utf16_big(text: str) -> bytes:
    return text.encode("utf-16-be")


def utf32(text: str) -> bytes:
    return text.encode("utf-32-le")


def b_words(text: str) -> bytes:
    raw = text.encode()
    halves = [raw[:15], raw[15:]]
    return b"\r\n ".join(b"=?utf-8?B?" + base64.b64encode(half) + b"?=" for half in halves)


def q_words(text: str) -> bytes:
    raw = text.encode().replace(b"p", b"=70").replace(b" ", b"_")
    return b"=?utf-8?q?" + raw[:18] + b"?= =?utf-8?q?" + raw[18:] + b"?="


ENCODINGS = [
    plain,
    base64_lines,
    quoted_printable,
    soft_breaks,
    hex_pairs,
    percent,
    percent_all,
    decimal_entities,
    hex_entities,
    word_breaks,
    utf16,
    utf16_big,
    utf32,
    b_words,
    q_words,
]


@pytest.mark.parametrize("encode", ENCODINGS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("text", [ADDRESS, ADDRESS.upper(), f"see {TOKEN} there"], ids=["address", "upper", "bare"])
@pytest.mark.parametrize("inside", [plain, base64_lines, quoted_printable], ids=lambda f: f.__name__)
def test_every_encoding(encode, text: str, inside) -> None:  # type: ignore[no-untyped-def]
    raw = encode(text)
    if inside is not plain:
        raw = inside(raw.decode("latin-1")) if raw.isascii() else base64.encodebytes(raw)
    masked = mask(raw, LIVE, domain="judge.example.org")
    assert masked != raw
    assert len(masked) == len(raw)
    assert mask(masked, LIVE, domain="judge.example.org") == masked
    # what it would decode to holds the token no more: encoding the masked text gives the masked bytes
    assert mask(raw, ()) == raw


def test_what_it_decodes_to_is_the_mask() -> None:
    inner = f"Reply-To: {ADDRESS}\n\nhello\n"
    masked = mask(base64_lines("a" * 40 + inner), LIVE)
    assert base64.decodebytes(masked) == ("a" * 40 + inner.replace(TOKEN, MASK)).encode()
    masked = mask(soft_breaks(inner), LIVE)
    assert quopri.decodestring(masked) == inner.replace(TOKEN, MASK).encode()


def test_without_a_list_of_live_tokens_everything_that_stands_like_one_is_cut() -> None:
    other = KEYS.token("x", "y")
    assert mask(f"To: x+{other}@judge.example.org".encode()) == f"To: x+{MASK}@judge.example.org".encode()
    assert mask(f"token {other}\n".encode()) == f"token {MASK}\n".encode()
    assert mask(b"their responsibilities end") == b"their responsibilities end"


def test_other_peoples_addresses_stay() -> None:
    raw = b"From: john.constantinopolis@example.com, a+constantinopoli@example.com"
    assert mask(raw, LIVE, domain="judge.example.org") == raw


def test_the_placeholder_stays() -> None:
    raw = f"Reply-To: spring42+{PLACEHOLDER}@judge.example.org".encode()
    assert mask(raw, LIVE, domain="judge.example.org") == raw


@given(st.binary(max_size=2000))
def test_any_bytes_keep_their_length_and_mask_once(raw: bytes) -> None:
    for tokens in (LIVE, None):
        masked = mask(raw, tokens, domain="judge.example.org")
        assert len(masked) == len(raw)
        assert mask(masked, tokens, domain="judge.example.org") == masked


@given(
    st.sampled_from(ENCODINGS),
    st.lists(st.sampled_from([base64_lines, quoted_printable, soft_breaks, hex_pairs]), max_size=2),
    st.binary(max_size=30),
    st.binary(max_size=30),
)
def test_a_token_in_encodings_in_encodings_between_any_bytes(inner, outer, before: bytes, after: bytes) -> None:  # type: ignore[no-untyped-def]
    raw = inner(ADDRESS)
    for layer in outer:
        raw = layer(raw.decode()) if raw.isascii() else base64.encodebytes(raw)
    masked = mask(before + b"\n\n" + raw + b"\n\n" + after, LIVE, domain="judge.example.org")
    assert TOKEN.encode() not in masked
    assert raw not in masked


def with_real_token(name: str) -> bytes:
    """The mail with the invented token of its address replaced by a real one, also where the mail is encoded."""
    raw = (DATA / f"{name}.eml").read_bytes()
    for short in ("d3n6v0rb", "k7q2m9xw", "p4t8z1ce", "s9h5y2lf", "w1g7b4uk", "m8c3j6qa", "r2x9f5td"):
        raw = raw.replace(short.encode(), TOKEN.encode())
    return raw


@pytest.mark.parametrize("name", CASES)
def test_a_masked_mail_reads_as_before(name: str) -> None:
    raw = with_real_token(name)
    masked = mask(raw, LIVE, domain="judge.example.org")
    assert TOKEN.encode() not in masked
    sent = [(DATA / "sent" / f"{CASES[name]['power']}.txt").read_text(encoding="utf-8")]

    def words(data: bytes) -> object:
        found = read(data, sent=sent, own_addresses=["spring42@judge.example.org"], domain="judge.example.org")
        return found.kind, found.own_lines, found.player_text, found.doubtful, found.press

    assert words(masked) == words(raw)


def test_hostile_nesting_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = 0
    layer = masking._Masker.layer

    def counting(self: masking._Masker, data: bytes, depth: int) -> bytes:
        nonlocal looked_at
        looked_at += len(data) if self.work >= 0 else 0
        return layer(self, data, depth)

    monkeypatch.setattr(masking._Masker, "layer", counting)
    raw = b"A" * 3000
    for _ in range(9):
        raw = base64.encodebytes(raw)
    mask(raw, LIVE)
    assert 2 * len(raw) < looked_at < 25 * len(raw) + 1_000_000


@pytest.mark.parametrize("shift", range(9))
@pytest.mark.parametrize("end", range(9))
def test_a_token_is_found_wherever_it_stands(shift: int, end: int) -> None:
    others = {KEYS.token("spring42", f"seat {n}") for n in range(40)}
    raw = b"a" * shift + TOKEN.upper().encode() + b"7" * end
    assert mask(raw, others | {TOKEN}) == b"a" * shift + MASK.encode() + b"7" * end
    assert mask(raw, others) == raw
    # half a token is none, and one that overlaps the end of the bytes is none
    assert mask(raw[: shift + 15], {TOKEN}) == raw[: shift + 15]
    assert mask(raw[:shift] + raw[shift + 1 :], {TOKEN}) == raw[:shift] + raw[shift + 1 :]


@pytest.mark.parametrize("encode", [percent_all, hex_pairs, soft_breaks, decimal_entities], ids=lambda f: f.__name__)
def test_a_token_across_the_pieces_of_a_long_encoded_line(encode) -> None:  # type: ignore[no-untyped-def]
    middle = masking._PIECE * 700 // len(encode("a" * 700))
    for before in range(middle - 24, middle + 8):
        text = "a" * before + TOKEN + "z" * 3000
        masked = mask(encode(text), LIVE)
        assert len(masked) == len(encode(text))
        assert mask(masked, LIVE) == masked != encode(text)
        assert masked[-2000:] == encode(text)[-2000:]


def test_a_long_mail_of_many_scattered_units_is_masked_in_each() -> None:
    part = b"plain words\r\n" * 200 + percent_all(ADDRESS) + b"\r\n" + soft_breaks(ADDRESS) + b"\r\n"
    masked = mask(part * 6, LIVE)
    assert masked == mask(part, LIVE) * 6
    assert percent_all(TOKEN) not in masked


def test_content_hash_ignores_the_way_and_nothing_else() -> None:
    first = (DATA / "handed" / "01-gmail-web-en-top.eml").read_bytes()
    again = (DATA / "handed" / "40-duplicate-message-id.eml").read_bytes()
    assert first != again
    assert content_hash(first) == content_hash(again)
    assert content_hash(first.replace(b"\r\n", b"\n")) == content_hash(first)
    assert content_hash(first.replace(b"A Par - Bur", b"A Par - Pic")) != content_hash(first)
    assert content_hash(first.replace(b"Re: spring42", b"Re: autumn7")) != content_hash(first)


def test_content_hash_of_headers_without_end() -> None:
    start = b"X-Filler: a\r\n" * (HEADER_OCTETS // 13 + 1)
    assert content_hash(start + b"a") != content_hash(start + b"b")


@given(st.binary(max_size=300))
def test_content_hash_of_any_bytes(raw: bytes) -> None:
    assert len(content_hash(raw)) == 64


def test_random_tokens_are_found_in_random_text() -> None:
    rng = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    for n in range(200):
        token = KEYS.token("g", str(n))
        around = ["".join(rng.choice(letters) for _ in range(rng.randrange(40))) for _ in range(2)]
        masked = mask((around[0] + token + around[1]).encode(), {token})
        assert token.encode() not in masked
