"""What all tests share: hypothesis profiles, and programs that a test needs."""

from __future__ import annotations

import base64
import os
import random
import shutil
from collections.abc import Callable
from functools import lru_cache

import pytest
from hypothesis import HealthCheck, settings

# deadline=None: timing never decides a test; derandomize: a red test is red again
settings.register_profile(
    "judge", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("judge")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*programs): skipped without these programs; with CI=true that is a failure")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("needs"):
        missing = [p for p in marker.args if shutil.which(p, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") is None]
        if missing and os.environ.get("CI") == "true":
            pytest.fail(f"not installed: {', '.join(missing)}")
        if missing:
            pytest.skip(f"not installed: {', '.join(missing)}")


def _prime(bits: int, chance: random.Random) -> int:
    while True:
        number = chance.getrandbits(bits) | 1 | (3 << (bits - 2))
        if number % 65537 != 1 and all(pow(a, number - 1, number) == 1 for a in (2, 3, 5, 7, 11)):
            return number


def _der(tag: int, content: bytes) -> bytes:
    size = len(content)
    length = bytes([size]) if size < 128 else bytes([0x82]) + size.to_bytes(2, "big")
    return bytes([tag]) + length + content


def _integer(number: int) -> bytes:
    return _der(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


class DkimKey:
    """An RSA key for tests: its private half in PEM, its public half as a record of DNS."""

    def __init__(self, seed: int, bits: int = 1024) -> None:
        chance = random.Random(seed)
        p, q, e = _prime(bits // 2, chance), _prime(bits // 2, chance), 65537
        d = pow(e, -1, (p - 1) * (q - 1))
        parts = (0, p * q, e, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
        private = base64.encodebytes(_der(0x30, b"".join(map(_integer, parts))))
        self.pem = b"-----BEGIN RSA PRIVATE KEY-----\n" + private + b"-----END RSA PRIVATE KEY-----\n"
        rsa = _der(0x30, bytes.fromhex("06092a864886f70d0101010500"))
        public = _der(0x30, rsa + _der(3, b"\0" + _der(0x30, _integer(p * q) + _integer(e))))
        self.record = b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)


@pytest.fixture(scope="session")
def dkim_key() -> Callable[..., DkimKey]:
    """``dkim_key(seed, bits=1024)``: the key that follows from ``seed``, made once."""
    return lru_cache(DkimKey)
