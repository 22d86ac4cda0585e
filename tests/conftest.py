"""What all tests share: hypothesis profiles, and programs that a test needs."""

from __future__ import annotations

import os
import shutil

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
