from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Mapping, Optional


@dataclass(frozen=True)
class RateLimit:
    """The rate limit of the key, as the headers of a response report it."""

    limit: int
    """Units per minute of the plan: a request, or an address or URL of a batch, is one."""
    remaining: int
    """Units that remain in this minute."""
    reset_at: datetime
    """The end of this minute, when all units are available again, in UTC."""

    @staticmethod
    def from_headers(headers: Mapping[str, str]) -> Optional[RateLimit]:
        """Return the limit; None if the response has no such headers, as that of a proxy."""
        limit, remaining, reset = (
            parse_whole_number(headers.get(f"x-ratelimit-{name}"))
            for name in ("limit", "remaining", "reset")
        )
        if limit is None or remaining is None or reset is None:
            return None
        try:
            return RateLimit(limit, remaining, datetime.fromtimestamp(reset, timezone.utc))
        except (OverflowError, OSError, ValueError):
            return None


def parse_whole_number(text: Optional[str]) -> Optional[int]:
    """Parse a whole number that is not negative; None if the text is none."""
    return int(text) if text is not None and re.fullmatch("[0-9]{1,15}", text) else None
