"""How much is too much: token buckets for mails, and counters of connections and of memory. Values only, no I/O."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime

#: A map of buckets forgets the longest untouched one beyond this many, so that made-up senders cannot fill the memory.
MOST_BUCKETS = 20_000


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: datetime


class Buckets:
    """A token bucket a key: it holds ``per_hour`` mails and fills again at that rate. ``per_hour`` 0: no limit."""

    def __init__(self, per_hour: int, most: int = MOST_BUCKETS) -> None:
        self._per_hour = per_hour
        self._most = most
        self._buckets: OrderedDict[Hashable, _Bucket] = OrderedDict()

    def has(self, key: Hashable, now: datetime) -> bool:
        """Whether ``key`` may send one more now; takes nothing."""
        return not self._per_hour or self._filled(key, now) >= 1

    def take(self, key: Hashable, now: datetime) -> bool:
        """Take one token of ``key``; ``False`` if there is none."""
        if not self._per_hour:
            return True
        tokens = self._filled(key, now)
        taken = tokens >= 1
        self._buckets[key] = _Bucket(tokens - taken, now)
        self._buckets.move_to_end(key)
        while len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return taken

    def _filled(self, key: Hashable, now: datetime) -> float:
        bucket = self._buckets.get(key)
        if bucket is None:
            return float(self._per_hour)
        # a clock that was set back fills nothing, and takes nothing away
        seconds = max(0.0, (now - bucket.at).total_seconds())
        return min(float(self._per_hour), bucket.tokens + seconds * self._per_hour / 3600)


class Crowd:
    """Counts the connections that are open, in all and a peer."""

    def __init__(self, most: int, most_per_peer: int) -> None:
        self._most = most
        self._most_per_peer = most_per_peer
        self._open: Counter[str] = Counter()
        self.total = 0

    def enter(self, peer: str, *, trusted: bool) -> bool:
        """Count one more connection of ``peer``; ``False`` (and nothing counted) if it is one too many."""
        if self.total >= self._most or (not trusted and self._open[peer] >= self._most_per_peer):
            return False
        self._open[peer] += 1
        self.total += 1
        return True

    def leave(self, peer: str) -> None:
        """Count a connection of ``peer`` as gone."""
        self.total -= 1
        self._open[peer] -= 1
        if not self._open[peer]:
            del self._open[peer]


class Memory:
    """Octets of mails that are held at once, all sessions together."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.held = 0

    def claim(self, octets: int) -> bool:
        """Claim ``octets`` more; ``False`` (and nothing claimed) if they are too many."""
        if self.held + octets > self._most:
            return False
        self.held += octets
        return True

    def give_back(self, octets: int) -> None:
        """Give claimed octets back."""
        self.held -= octets
