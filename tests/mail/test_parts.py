"""The smaller pieces of the mail room: charsets, headers, parts, sections, commands, authentication results."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.authres import trusted
from judge.mail.bodies import unflow
from judge.mail.charsets import decode
from judge.mail.commands import VERBS, find_commands
from judge.mail.commands import parse as parse_command
from judge.mail.mime import decode_header, parameters, parse
from judge.mail.sentmail import order_like


@pytest.mark.parametrize(
    ("data", "label", "text"),
    [
        (b"Here\x92s \x96", "iso-8859-1", "Here’s –"),
        (b"\x81\x8d", "windows-1252", "\x81\x8d"),
        ("镕".encode("gbk"), "GB2312", "镕"),
        ("①ハンカク".encode("cp932"), "Shift_JIS", "①ハンカク"),
        ("命令です".encode("iso2022_jp"), "ISO-2022-JP", "命令です"),
        ("我的命令".encode("big5"), "big5", "我的命令"),
        ("명령".encode("cp949"), "ks_c_5601-1987", "명령"),
        ("Приказ".encode("koi8_r"), "koi8-r", "Приказ"),
        ("é".encode(), "us-ascii", "é"),
        (b"\xe9t\xe9", "", "été"),
        (b"\xe9t\xe9", "utf-8", "été"),
        (b"\xe9t\xe9", "x-klingon", "été"),
        ("巴黎到勃艮第".encode("gbk"), "", "巴黎到勃艮第"),
        (codecs.BOM_UTF8 + b"A", "iso-8859-1", "A"),
        ("A é".encode("utf-16"), "utf-16", "A é"),
        ("A é".encode("utf-16-le"), "utf-16", "A é"),
        (b"A PAR-BUR", "utf-16", "A PAR-BUR"),
        (b"+AOk-", "utf-7", "é"),
        ("パリ陸軍→ブルゴーニュ".encode("iso2022_jp"), "", "パリ陸軍→ブルゴーニュ"),
        ("パリ陸軍→ブルゴーニュ".encode("iso2022_jp"), "us-ascii", "パリ陸軍→ブルゴーニュ"),
        ("パリ陸軍→ブルゴーニュ".encode("iso2022_jp"), "shift_jis", "パリ陸軍→ブルゴーニュ"),
        ("パリ陸軍→ブルゴーニュ".encode("euc_jp"), "", "パリ陸軍→ブルゴーニュ"),
        ("パリ陸軍→ブルゴーニュ".encode("euc_jp"), "iso-8859-1", "パリ陸軍→ブルゴーニュ"),
        ("パリ陸軍→ブルゴーニュ".encode("cp932"), "", "パリ陸軍→ブルゴーニュ"),
        ("パリ陸軍→ブルゴーニュ".encode("cp932"), "iso-8859-1", "パリ陸軍→ブルゴーニュ"),
        ("パリ陸軍→ブルゴーニュ".encode("cp932"), "iso-2022-jp", "パリ陸軍→ブルゴーニュ"),
        ("陸軍 巴黎移動到勃艮第，謝謝您".encode("big5"), "", "陸軍 巴黎移動到勃艮第，謝謝您"),
        ("巴黎陆军移动到勃艮第，谢谢".encode("gbk"), "iso-8859-1", "巴黎陆军移动到勃艮第，谢谢"),
        ("A Par – Bur, « déjà »".encode(), "iso-8859-1", "A Par – Bur, « déjà »"),
        ("Çà et là, à Évian: «déjà»".encode("cp1252"), "", "Çà et là, à Évian: «déjà»"),
        ("Grüße aus Österreich, schöne Äpfel".encode("cp1252"), "iso-8859-1", "Grüße aus Österreich, schöne Äpfel"),
        ("ÀÉÈ ÜÖÄ".encode("cp1252"), "iso-8859-1", "ÀÉÈ ÜÖÄ"),
        (b"abc", "rot13", "abc"),
        (b"abc", "base64", "abc"),
        (b"\\x41", "unicode_escape", "\\x41"),
        (b"abc", "a\0b", "abc"),
    ],
)
def test_charsets(data: bytes, label: str, text: str) -> None:
    assert decode(data, label) == text


@given(
    st.binary(max_size=200),
    st.text(max_size=20) | st.sampled_from(["utf-8", "utf-7", "hz-gb-2312", "iso-2022-jp", "idna", "utf-16"]),
)
def test_no_bytes_and_no_label_make_decoding_fail(data: bytes, label: str) -> None:
    assert isinstance(decode(data, label), str)


@given(
    st.from_regex(r"[ -~\n]{0,80}", fullmatch=True),
    st.sampled_from(["", "utf-8", "iso-8859-1", "gb2312", "shift_jis", "big5", "euc-kr", "koi8-r"]),
)
def test_ascii_is_ascii_in_all_of_them(text: str, label: str) -> None:
    assert decode(text.encode(), label) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"=?utf-8?b?5ZG95Luk?=", "命令"),
        (b"=?utf-8?q?a_b?= =?utf-8?q?c?=", "a bc"),
        (b"=?iso-8859-1*en?Q?=E9?=", "é"),
        (b"=?utf-8?b?A?=", ""),
        (b"=?x-klingon?q?a=FF?=", "aÿ"),
        (b"x =?utf-8?q?=0D=0ABcc:_y?=", "x Bcc: y"),
        ("命令".encode(), "命令"),
        (b"folded\r\n text", "folded text"),
        (b"=?utf-8?q?open", "=?utf-8?q?open"),
    ],
)
def test_headers(raw: bytes, text: str) -> None:
    assert decode_header(raw) == text


def test_parameters_of_rfc_2231() -> None:
    value = "text/plain; name*0*=utf-8''%E5%91%BD; name*1*=%E4%BB%A4; name*2=.txt; Charset=\"UTF-8\"; x=y"
    assert parameters(value) == {"charset": "UTF-8", "x": "y", "name": "命令.txt"}


@given(st.binary(max_size=500))
def test_any_bytes_have_parts(raw: bytes) -> None:
    assert parse(raw).walk()


def test_a_cut_off_multipart_still_has_its_text() -> None:
    message = parse(b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nA PAR-BUR\r\n")
    assert [p.type for p in message.walk()] == ["multipart/mixed", "text/plain"]
    assert message.walk()[1].text().strip() == "A PAR-BUR"


def test_flowed_text_is_put_together() -> None:
    lines = ["a long ", "line", " From here", "> quoted ", "> on", "-- ", "sig"]
    assert unflow(lines, False) == ["a long line", "From here", "> quoted on", "-- ", "sig"]
    assert unflow(["foo ", "bar"], True) == ["foobar"]


@pytest.mark.parametrize("verb", VERBS, ids=lambda v: v.name)
def test_every_spelling_is_its_verb(verb) -> None:  # type: ignore[no-untyped-def]
    for spelling in verb.spellings:
        for line in (spelling, spelling.upper(), f"  {spelling} ", f"{spelling}.", f"* {spelling}!"):
            found = parse_command(line)
            if verb.bare:
                assert found is not None and found.name == verb.name, line
            else:  # it says nothing without what follows
                assert found is None, line


def test_no_two_verbs_share_a_spelling() -> None:
    spellings = [s for verb in VERBS for s in verb.spellings]
    assert len(spellings) == len(set(spellings))


@pytest.mark.parametrize(
    "line",
    [
        "A PAR H",
        "please wait for England",
        "help Munich",
        "I am ready to attack Munich tomorrow",
        "clear the Channel",
        "F Status - Bre",
        "A Par - Bur",
        "W",
        "",
        "ready?" * 50,
        "help me take Munich from the Germans",
    ],
)
def test_lines_that_are_no_command(line: str) -> None:
    found = parse_command(line)
    assert found is None or found.name == "HELP"
    assert not (found and order_like(line) and found.name != "HELP")


def test_commands_are_taken_out_in_order() -> None:
    commands, rest = find_commands(["hello", "CLEAR", "A Par - Bur", "ready", "help press"])
    assert [str(c) for c in commands] == ["CLEAR", "READY", "HELP press"]
    assert rest == ["hello", "A Par - Bur"]


RESULTS = b"""Authentication-Results: mx.judge.example.org (x); dkim=fail header.d=a.org; dkim=pass header.d=example.org;
\tspf=pass smtp.mailfrom=a@example.org; dmarc=pass (p=none) header.from=example.org
Authentication-Results: mx.judge.example.org; dmarc=pass header.from=evil.example
From: a@example.org

"""


def test_only_the_topmost_results_of_the_trusted_server_count() -> None:
    found = trusted(RESULTS, "mx.judge.example.org")
    assert found is not None
    assert found.results == {"dkim": "pass", "spf": "pass", "dmarc": "pass"}
    assert found.proves("a@example.org") and not found.proves("a@evil.example")
    assert trusted(RESULTS, "mx.example.net") is None
    assert trusted(RESULTS, "") is None
    assert trusted(b"Authentication-Results: evil; dmarc=pass\n" + RESULTS, "mx.judge.example.org") is None


@given(st.binary(max_size=300))
def test_any_results_are_read(raw: bytes) -> None:
    trusted(b"Authentication-Results: x; " + raw + b"\n\n", "x")


@pytest.mark.parametrize(
    "line",
    [
        "A Par - Bur",
        "F Stp/sc - Bot",
        "Army Paris to Burgundy",
        "Paris - Burgundy",
        "1. A PAR H",
        "France: A Par-Bur",
        "A巴黎-勃艮第",
        "陸軍 パリ→ブルゴーニュ",
        "法国舰队 布列斯特 支援 陆军 巴黎-皮卡第",
        "[held] A PAR-PIC",
        "build A Paris",
        "Ａ　Ｐａｒ－Ｂｕｒ",
        "A Par S A Mar-Bur",
    ],
)
def test_lines_with_the_look_of_orders(line: str) -> None:
    assert order_like(line)


@pytest.mark.parametrize(
    "line",
    [
        "Orders held for you now:",
        "Game spring42, Spring 1901 movement. You play France.",
        "Answer this mail with new orders",
        "Camille",
        "Deadline: Fri 5 Jun 2026 20:00 UTC. Answer this mail with new orders",
        "to replace them.",
        "よろしくお願いします。",
    ],
)
def test_lines_without_it(line: str) -> None:
    assert not order_like(line)
