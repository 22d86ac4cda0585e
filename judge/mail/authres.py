"""Authentication-Results (RFC 8601): what the relay in front of us found out about a sender.

Anybody can write such a header. Only the topmost one counts, and only if it names the server that the settings trust.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from judge.mail.mime import parse

_METHOD = re.compile(r"\s*([a-z][a-z0-9-]{0,30})(?:/\d{1,3})?\s*=\s*([a-z]{1,20})\b(.*)", re.IGNORECASE | re.DOTALL)
_PROPERTY = re.compile(r"([a-z]{1,12}\.[a-z-]{1,20})\s*=\s*\"?([^\s\";]{1,254})", re.IGNORECASE)
_COMMENT = re.compile(r"\([^()]{0,500}\)")


@dataclass(frozen=True, slots=True)
class Authentication:
    """Results by method (``{"spf": "pass", "dkim": "pass", "dmarc": "pass"}``) and properties (``header.from``).

    Of several results of one method the best counts, as a mail may carry many signatures.
    """

    results: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)

    def proves(self, address: str) -> bool:
        """Whether the From address is proved: DMARC passed for its domain."""
        domain = address.rpartition("@")[2].lower()
        return self.results.get("dmarc") == "pass" and self.properties.get("header.from", domain).lower() == domain


def trusted(raw: bytes, authserv_id: str) -> Authentication | None:
    """What the trusted server says, or ``None``: the topmost header is another's, or there is none."""
    values = parse(raw[:200_000]).root.headers("authentication-results")
    if not values or not authserv_id:
        return None
    first, *items = _COMMENT.sub(" ", values[0][:5000]).split(";")
    named = first.split()[0].lower() if first.split() else ""
    if named != authserv_id.strip().lower():
        return None
    found = Authentication()
    for item in items[:50]:
        method = _METHOD.match(item)
        if method is None:
            continue
        name, result = method[1].lower(), method[2].lower()
        if found.results.get(name) != "pass":
            found.results[name] = result
            found.properties.update((key.lower(), value) for key, value in _PROPERTY.findall(method[3]))
    return found
