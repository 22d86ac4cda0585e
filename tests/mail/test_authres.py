"""Authentication-Results (RFC 8601): what a trusted server's header proves of a sender, and what nobody gets it to say."""

from __future__ import annotations

import pytest

from judge.mail.authres import trusted, vouches

SERVER = "mx.judge.example.org"
SENDER = "camille@mail.example.org"

#: what stands after the server's name -> whether it proves SENDER
PROVES = {
    "DMARC": ("dmarc=pass (p=reject dis=none) header.from=mail.example.org", True),
    "DMARC, other case": ("DMARC=Pass header.from=Mail.Example.ORG", True),
    "DMARC without the domain": ("dmarc=pass", False),
    "DMARC of the domain above": ("dmarc=pass header.from=example.org", False),
    "DMARC of another": ("dmarc=pass header.from=evil.example", False),
    "DMARC failed": ("dmarc=fail header.from=mail.example.org", False),
    "DMARC both ways": ("dmarc=fail header.from=mail.example.org; dmarc=pass header.from=mail.example.org", False),
    "DKIM": ("dkim=pass header.d=mail.example.org header.s=s1", True),
    "DKIM with a version": ("dkim/1=pass header.d=mail.example.org", True),
    "DKIM with blanks": ("dkim = pass header.d = mail.example.org", True),
    "DKIM by identity": ("dkim=pass header.i=@mail.example.org", True),
    "DKIM of the domain above": ("dkim=pass header.d=example.org", True),
    "DKIM of a name below": ("dkim=pass header.d=a.mail.example.org", False),
    "DKIM of the top level": ("dkim=pass header.d=org", False),
    "DKIM of a name that ends alike": ("dkim=pass header.d=xample.org", False),
    "DKIM of a longer name": ("dkim=pass header.d=mail.example.org.evil.example", False),
    "DKIM, one of several": ("dkim=fail header.d=mail.example.org; dkim=pass header.d=mail.example.org", True),
    "DKIM, the other one passed": ("dkim=fail header.d=mail.example.org; dkim=pass header.d=evil.example", False),
    "DKIM passed, identity of another": ("dkim=pass header.d=evil.example header.i=@mail.example.org", False),
    "DKIM said twice": ("dkim=pass header.d=evil.example header.d=mail.example.org", False),
    "DKIM neutral": ("dkim=neutral header.d=mail.example.org", False),
    "DKIM passes for nothing": ("dkim=passing header.d=mail.example.org", False),
    "SPF": ("spf=pass smtp.mailfrom=camille@mail.example.org", True),
    "SPF, the domain alone": ("spf=pass smtp.mailfrom=mail.example.org", True),
    "SPF of the domain above": ("spf=pass smtp.mailfrom=bounces@example.org", True),
    "SPF of another": ("spf=pass smtp.mailfrom=camille@evil.example", False),
    "SPF of the greeting": ("spf=pass smtp.helo=mail.example.org", False),
    "SPF failed": ("spf=softfail smtp.mailfrom=camille@mail.example.org", False),
    "SPF, a quoted local part": (r'spf=pass smtp.mailfrom="x; dmarc=pass header.from=mail.example.org"@evil.example', False),
    "SPF, a quote that ends early": (
        r'spf=pass smtp.mailfrom="\"; dkim=pass header.d=mail.example.org"@evil.example',
        False,
    ),
    "SPF, the address in a local part": ('spf=pass smtp.mailfrom="a@mail.example.org"@evil.example', False),
    "a result in a comment": ("dkim=fail (x; dkim=pass header.d=mail.example.org) header.d=evil.example", False),
    "a result in a nested comment": ("none (a (b; dmarc=pass header.from=mail.example.org) c)", False),
    "a comment that does not end": ("none (x; dmarc=pass header.from=mail.example.org", False),
    "a comment that ends twice": ("none (x)); dmarc=pass header.from=mail.example.org", False),
    "a quote that does not end": ('dkim=pass reason="x; header.d=mail.example.org', False),
    "a result in a reason": ('dkim=fail reason="no; dmarc=pass header.from=mail.example.org"', False),
    "another method": ("arc=pass header.d=mail.example.org", False),
    "iprev": ("iprev=pass policy.iprev=192.0.2.1", False),
    "none": ("none", False),
    "nothing": ("", False),
}


def headers(value: str, server: str = SERVER) -> bytes:
    return f"Authentication-Results: {server}; {value}\r\nFrom: {SENDER}\r\n\r\nA Par - Bur\r\n".encode()


@pytest.mark.parametrize(("value", "proved"), PROVES.values(), ids=PROVES)
def test_what_proves_the_sender(value: str, proved: bool) -> None:
    found = trusted(headers(value), SERVER)
    assert (found is not None and found.proves(SENDER)) == proved
    assert found is None or not found.proves("mallory@evil.example.org.invalid")


GOOD = "dmarc=pass header.from=mail.example.org"
NAMED = {
    "as it is": (SERVER, True),
    "in capitals": (SERVER.upper(), True),
    "with a version": (f"{SERVER} 1", True),
    "with a comment": (f"(ours) {SERVER} (really)", True),
    "folded": (f"\r\n\t{SERVER}", True),
    "another": ("mx.evil.example", False),
    "one that begins alike": (f"{SERVER}.evil.example", False),
    "one that ends alike": (f"evil-{SERVER}", False),
    "in a comment": (f"mx.evil.example ({SERVER})", False),
    "nothing": ("", False),
}


@pytest.mark.parametrize(("server", "counts"), NAMED.values(), ids=NAMED)
def test_the_server_must_be_the_trusted_one(server: str, counts: bool) -> None:
    found = trusted(headers(GOOD, server), SERVER)
    assert (found is not None and found.proves(SENDER)) == counts


def test_only_the_topmost_header_counts() -> None:
    other = b"Authentication-Results: mx.evil.example; none\r\n"
    assert trusted(other + headers(GOOD), SERVER) is None
    bad = headers("dmarc=fail header.from=mail.example.org").partition(b"From")[0]
    failed = trusted(bad + headers(GOOD), SERVER)
    assert failed is not None and not failed.proves(SENDER)


@pytest.mark.parametrize(
    ("signer", "domain", "may"),
    [
        ("example.org", "example.org", True),
        ("Example.ORG.", "example.org", True),
        ("example.org", "a.b.example.org", True),
        ("a.example.org", "example.org", False),
        ("org", "example.org", False),
        ("", "example.org", False),
        ("example.org", "", False),
        ("xn--bcher-kva.example", "bücher.example", True),
    ],
)
def test_who_may_speak_for_a_domain(signer: str, domain: str, may: bool) -> None:
    assert vouches(signer, domain) == may
