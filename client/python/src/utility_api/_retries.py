"""Which failed attempts are repeated, and when; the table is in README.md.

All operations only read: a repetition costs units of the rate limit and changes nothing.
"""

from __future__ import annotations

import random
import time
from typing import Optional

from ._errors import ApiConnectionError, ApiTimeoutError, UtilityApiError
from ._settings import Retry, Settings

FIRST_DELAY_SECONDS = 0.5
MAX_DELAY_SECONDS = 8.0
MAX_RETRY_AFTER_SECONDS = 60
"""A longer Retry-After is left to the caller. That of a monthly quota is days."""
SPREAD_SECONDS = 0.5
"""Spreads the clients that wait for the same instant, such as the next minute."""

REFUSED = frozenset({429, 502, 503})
"""The service or a proxy refused the request before any work."""


class Retries:
    """The attempts of one call."""

    def __init__(self, settings: Settings, is_costly: bool) -> None:
        """`is_costly` is set for renders: work that failed or took too long is not repeated."""
        total = settings.total_timeout
        self.deadline = None if total is None else time.monotonic() + total
        self._settings = settings
        self._is_costly = is_costly
        self._failures = 0

    def reset(self) -> None:
        """Forget earlier failures: the call has made progress."""
        self._failures = 0

    def plan(self, error: UtilityApiError) -> float:
        """Return the seconds until the attempt is repeated. Raise its error if it is not."""
        if self._failures >= self._settings.max_retries or not self._is_repeatable(error):
            raise error
        delay = _compute_delay(error.retry_after_seconds, self._failures)
        if self.deadline is not None and time.monotonic() + delay >= self.deadline:
            raise error
        self._failures += 1
        if self._settings.on_retry is not None:
            self._settings.on_retry(Retry(self._failures, delay, error))
        return delay

    def _is_repeatable(self, error: UtilityApiError) -> bool:
        if (error.retry_after_seconds or 0) > MAX_RETRY_AFTER_SECONDS:
            return False
        if isinstance(error, ApiTimeoutError):
            return not self._is_costly
        if isinstance(error, ApiConnectionError) or error.status in REFUSED:
            return True
        # The work may have failed because of its input.
        return (error.status or 0) >= 500 and not self._is_costly


def _compute_delay(retry_after_seconds: Optional[int], failures: int) -> float:
    if retry_after_seconds is not None:
        return retry_after_seconds + random.random() * SPREAD_SECONDS
    delay = min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2.0**failures)
    return delay * (0.5 + random.random() / 2)
