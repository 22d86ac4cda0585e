"""Authentication-Results (RFC 8601): what the relay in front of us found out about a sender.

Anybody can write such a header. Only the topmost one counts, and only if it names the server that the settings trust.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from judge.mail.addresses import domain_key
from judge.mail.mime import parse

_METHOD = re.compile(r"\s*([a-z][a-z0-9-]{0,30})(?:\s*/\s*\d{1,3})?=([a-z]{1,20})(?![\w.])(.*)", re.IGNORECASE | re.DOTALL)
_PROPERTY = re.compile(r"(?<!\S)([a-z]{1,12}\.[a-z-]{1,20})=(\S{1,320})", re.IGNORECASE)
_AROUND_EQUALS = re.compile(r"\s*=\s*")
#: stands for what a quoted string holds beyond the characters of an address: nothing in quotes can end a result
_OPAQUE = "\ufffd"


@dataclass(frozen=True, slots=True)
class Method:
    """One result: ``dkim``, ``pass``, ``{"header.d": "example.org"}``; all lower case but the properties' values."""

    name: str
    result: str
    properties: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Authentication:
    """Results by method (``{"spf": "pass", "dkim": "pass", "dmarc": "pass"}``) and properties (``header.from``).

    Of several results of one method the best counts, as a mail may carry many signatures. ``methods`` has each with the
    properties of its own.
    """

    results: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    methods: tuple[Method, ...] = ()

    def proves(self, address: str) -> bool:
        """Whether the From address is proved, as far as its domain: DMARC passed for just this domain, or SPF for an
        envelope sender, or DKIM for a signature, of this domain or of one above it (:func:`vouches`)."""
        domain = domain_key(address.rpartition("@")[2])
        return bool(domain) and (self._dmarc(domain) or self._spf(domain) or self._dkim(domain))

    def delivered_by(self, address: str) -> bool:
        """Whether the domain of the address, or one above it, handed the mail in itself (SPF): nobody had it between."""
        domain = domain_key(address.rpartition("@")[2])
        return bool(domain) and self._spf(domain)

    def _dmarc(self, domain: str) -> bool:
        found = self._of("dmarc")
        # a server gives one result: several contradict each other, or somebody got one in
        return bool(found) and all(m.result == "pass" and _domain(m, "header.from") == domain for m in found)

    def _spf(self, domain: str) -> bool:
        found = [m for m in self._of("spf") if "smtp.mailfrom" in m.properties]
        return bool(found) and all(m.result == "pass" and vouches(_domain(m, "smtp.mailfrom"), domain) for m in found)

    def _dkim(self, domain: str) -> bool:
        return any(m.result == "pass" and vouches(_signer(m), domain) for m in self._of("dkim"))

    def _of(self, name: str) -> list[Method]:
        return [method for method in self.methods if method.name == name]


def vouches(signer: str, domain: str) -> bool:
    """Whether ``signer`` may speak for addresses at ``domain``: it is the domain, or one above it with at least two labels.

    Not one below it: who may sign for a name under a shared domain (``alice.example.com`` at a host of other people's
    pages) is not who runs the domain.
    """
    signer, domain = domain_key(signer), domain_key(domain)
    return bool(signer) and (signer == domain or ("." in signer and domain.endswith("." + signer)))


def _domain(method: Method, name: str) -> str:
    """The domain of a property that holds an address or a domain; empty if there is none."""
    return domain_key(method.properties.get(name, "").rpartition("@")[2].strip("<>"))


def _signer(method: Method) -> str:
    """The domain of a signature: ``header.d``, or where a server gives only the identity, that of ``header.i``."""
    return _domain(method, "header.d" if "header.d" in method.properties else "header.i")


def trusted(raw: bytes, authserv_id: str) -> Authentication | None:
    """What the trusted server says, or ``None``: the topmost header is another's, or there is none."""
    values = parse(raw[:200_000]).root.headers("authentication-results")
    if not values or not authserv_id.strip():
        return None
    plain = _plain(values[0][:5000])
    if plain is None:
        return None
    first, *items = plain.split(";")
    named = first.split()[0].lower() if first.split() else ""
    if named != authserv_id.strip().lower():
        return None
    methods = tuple(method for method in map(_method, items[:50]) if method is not None)
    results: dict[str, str] = {}
    properties: dict[str, str] = {}
    for method in methods:
        if results.get(method.name) != "pass":
            results[method.name] = method.result
            properties.update(method.properties)
    return Authentication(results, properties, methods)


def _method(item: str) -> Method | None:
    found = _METHOD.match(item)
    if found is None:
        return None
    properties: dict[str, str] = {}
    for key, value in _PROPERTY.findall(found[3]):
        properties.setdefault(key.lower(), value)
    return Method(found[1].lower(), found[2].lower(), properties)


def _plain(value: str) -> str | None:
    """The header without comments, its quoted strings made opaque, no blanks around ``=``; ``None``: a comment or a string
    does not end. What a sender chose (a local part, a reason) may stand in both, and must not read as a result."""
    out: list[str] = []
    depth, quoted, at = 0, False, 0
    while at < len(value):
        character = value[at]
        if character == "\\" and (depth or quoted):
            out += [_OPAQUE] if quoted else []
            at += 2
            continue
        if quoted:
            quoted = character != '"'
            if quoted:
                out.append(character if re.match(r"[\w.@+-]", character) else _OPAQUE)
        elif character == '"' and not depth:
            quoted = True
        elif character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            out.append(" ")
            if depth < 0:
                return None
        elif not depth:
            out.append(character)
        at += 1
    return None if depth or quoted else _AROUND_EQUALS.sub("=", "".join(out))
