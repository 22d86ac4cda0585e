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
    "DMARC of a public suffix": ("dmarc=pass header.from=org", False),
    "DMARC of a domain below": ("dmarc=pass header.from=a.mail.example.org", False),
    "DMARC, the policy's domain": ("dmarc=pass policy.from=mail.example.org", False),
    "DMARC said twice": ("dmarc=pass header.from=evil.example header.from=mail.example.org", False),
    "DMARC, a domain that goes on": ("dmarc=pass header.from=mail.example.org.evil.example", False),
    "DMARC failed, the signature of another": (
        "dkim=pass header.d=evil.example; dmarc=fail header.from=mail.example.org",
        False,
    ),
    "DMARC best guess": ("dmarc=bestguesspass header.from=mail.example.org", False),
    "DKIM of a dot": ("dkim=pass header.d=.", False),
    "DKIM of a domain with dots before": ("dkim=pass header.d=.example.org", False),
    "DKIM of the empty domain": ("dkim=pass header.d=", False),
    "DKIM temporary fault": ("dkim=temperror header.d=mail.example.org", False),
    "DKIM, of the policy": ("dkim=policy header.d=mail.example.org", False),
    "DKIM quoted": ('dkim=pass header.d="mail.example.org"', True),
    "DKIM, two in quotes": ('dkim=pass header.d="evil.example header.d=mail.example.org"', False),
    "DKIM, a comment in the value": ("dkim=pass header.d=evil.example(x)mail.example.org", False),
    "DKIM, folded": ("dkim=pass\r\n\theader.d=mail.example.org\r\n\theader.s=s1", True),
    "the sender's selector as a result": ("dkim=fail header.s=s1;dkim=pass header.d=evil.example", False),
    "SPF without a local part": ("spf=pass smtp.mailfrom=@mail.example.org", True),
    "SPF, angle brackets": ("spf=pass smtp.mailfrom=<camille@mail.example.org>", True),
    "SPF both ways": ("spf=pass smtp.mailfrom=mail.example.org; spf=fail smtp.mailfrom=mail.example.org", False),
    "SPF of nobody": ("spf=pass smtp.mailfrom=<>", False),
    "a result in a local part": ("spf=pass smtp.mailfrom=a;dkim=pass@evil.example", False),
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
    "in quotes": (f'"{SERVER}"', True),
    "in quotes with more": (f'"{SERVER} x"', False),
    "with a version in a comment": (f"{SERVER} (2) 1", True),
    "behind a semicolon": (f"; {SERVER}", False),
    "with a dot behind": (f"{SERVER}.", False),
    "two names": (f"mx.evil.example {SERVER}", False),
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


FORGED = f"{SERVER}; {GOOD}"
#: header lines above a good result, which some server or the sender wrote -> whether the good one counts
ABOVE = {
    "ours says fail": (f"Authentication-Results: {SERVER}; dmarc=fail header.from=mail.example.org", False),
    "ours says nothing": (f"Authentication-Results: {SERVER}; none", False),
    "ours, folded": (f"Authentication-Results:\r\n {SERVER};\r\n none", False),
    "ours, in capitals": (f"AUTHENTICATION-RESULTS: {SERVER}; none", False),
    "ours, a blank before the colon": (f"Authentication-Results : {SERVER}; none", False),
    "another's": ("Authentication-Results: mx.evil.example; none", False),
    "ours with a comment that does not end": (f"Authentication-Results: {SERVER} (; none", False),
    "empty": ("Authentication-Results:", False),
    "of a list (ARC), ours": (f"ARC-Authentication-Results: i=1; {SERVER}; none", True),
    "other trace headers": ("Received: by mx.judge.example.org\r\nReturn-Path: <a@b.example>\r\nReceived-SPF: none", True),
}


@pytest.mark.parametrize(("above", "counts"), ABOVE.values(), ids=ABOVE)
def test_what_stands_above_a_good_result(above: str, counts: bool) -> None:
    found = trusted(f"{above}\r\n".encode() + headers(GOOD), SERVER)
    assert (found is not None and found.proves(SENDER)) == counts


NO_RESULTS = {
    "ARC's results": f"ARC-Authentication-Results: {FORGED}",
    "ARC's with an instance": f"ARC-Authentication-Results: i=1; {FORGED}",
    "the results of old": f"X-Authentication-Results: {FORGED}",
    "the original ones": f"Authentication-Results-Original: {FORGED}",
    "in a subject": f"Subject: Authentication-Results: {FORGED}",
    "an encoded line end in a subject": f"Subject: =?utf-8?q?x=0D=0AAuthentication-Results:_{FORGED.replace(' ', '_')}?=",
    "a name that is encoded": f"=?utf-8?q?Authentication-Results?=: {FORGED}",
    "a name with a blank in it": f"Authentication- Results: {FORGED}",
    "in a folded header": f"X-A: 1\r\n Authentication-Results: {FORGED}",
}


@pytest.mark.parametrize("line", NO_RESULTS.values(), ids=NO_RESULTS)
def test_what_is_no_result(line: str) -> None:
    raw = f"{line}\r\nFrom: {SENDER}\r\n\r\nA Par - Bur\r\n".encode()
    assert trusted(raw, SERVER) is None


def test_results_in_the_body_or_in_a_part_are_text() -> None:
    part = f"--b\r\nAuthentication-Results: {FORGED}\r\nContent-Type: message/rfc822\r\n\r\n"
    part += f"Authentication-Results: {FORGED}\r\nFrom: {SENDER}\r\n\r\nA Par - Bur\r\n--b--\r\n"
    for head in ("", 'Content-Type: multipart/mixed; boundary="b"\r\n'):
        assert trusted(f"From: {SENDER}\r\n{head}\r\n{part}".encode(), SERVER) is None


IDN = {
    "A-label for U-label": ("dmarc=pass header.from=xn--bcher-kva.example", "eva@bücher.example", True),
    "U-label for A-label": ("dmarc=pass header.from=bücher.example", "eva@xn--bcher-kva.example", True),
    "in capitals": ("dkim=pass header.d=BÜCHER.example", "eva@bücher.example", True),
    "without the dots": ("dmarc=pass header.from=bucher.example", "eva@bücher.example", False),
    "a sharp s for two": ("dkim=pass header.d=straße.example", "eva@strasse.example", False),
    "two for a sharp s": ("dkim=pass header.d=strasse.example", "eva@straße.example", False),
    "a joiner": ("dkim=pass header.d=ex\u200dample.org", "eva@example.org", False),
    "a letter that looks alike": ("dkim=pass header.d=ex\u0430mple.org", "eva@example.org", False),
    "a dot of full width": ("dkim=pass header.d=evil．example", "eva@mail.evil.example", True),
}


@pytest.mark.parametrize(("value", "sender", "proved"), IDN.values(), ids=IDN)
def test_domains_beyond_ascii(value: str, sender: str, proved: bool) -> None:
    found = trusted(headers(value), SERVER)
    assert found is not None and found.proves(sender) == proved


def test_endless_results_are_looked_at_in_part() -> None:
    found = trusted(headers("none; " * 20_000 + GOOD), SERVER)
    assert found is None or not found.proves(SENDER)
    found = trusted(headers("(" * 4000 + GOOD), SERVER)
    assert found is None


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
