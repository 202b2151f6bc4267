from __future__ import annotations

import os
from pathlib import Path
from typing import Iterator

import pytest

from hostile import HostileServer
from utility_api import UtilityApi, _retries


@pytest.fixture
def api() -> Iterator[UtilityApi]:
    """A client of the real service: UTILITY_API_URL and UTILITY_API_KEY name it."""
    with UtilityApi() as client:
        yield client


@pytest.fixture
def small_key() -> str:
    """A key with 5 requests a minute."""
    return os.environ["TEST_SMALL_KEY"]


@pytest.fixture
def page_url() -> str:
    """A page that the service can fetch."""
    return os.environ["TEST_PAGE_URL"]


@pytest.fixture
def hostile() -> Iterator[HostileServer]:
    """A server on loopback that answers as a test says."""
    with HostileServer() as server:
        yield server


@pytest.fixture
def short_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the waits between attempts short; their rules stay."""
    monkeypatch.setattr(_retries, "FIRST_DELAY_SECONDS", 0.01)
    monkeypatch.setattr(_retries, "SPREAD_SECONDS", 0.01)


@pytest.fixture
def root() -> Path:
    """The folder of the client."""
    return Path(__file__).parent.parent
