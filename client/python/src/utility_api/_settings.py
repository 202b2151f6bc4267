from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional
from urllib.parse import urlsplit

from ._errors import UtilityApiError
from ._version import VERSION

if TYPE_CHECKING:
    from ._results import ResponseFacts

USER_AGENT = f"utility-api-client-python/{VERSION}"
ACCEPT_ENCODING = "gzip"
"""The only encoding that is decoded in steps of bounded size."""
DEFAULT_TIMEOUT_SECONDS = 60.0
DEFAULT_MAX_RETRIES = 2


@dataclass(frozen=True)
class Retry:
    """An attempt that failed and will be repeated."""

    attempt: int
    """The number of attempts that have failed in a row."""
    delay_seconds: float
    """The time until the next attempt."""
    error: UtilityApiError


@dataclass(frozen=True)
class Settings:
    """The settings of a client."""

    api_key: str
    base_url: str
    timeout: float = DEFAULT_TIMEOUT_SECONDS
    total_timeout: Optional[float] = None
    max_retries: int = DEFAULT_MAX_RETRIES
    max_response_bytes: Optional[float] = None
    """The most bytes of a PDF, of a result or of a row; None for the default of each."""
    on_retry: Optional[Callable[[Retry], object]] = None
    on_response: Optional[Callable[[ResponseFacts], object]] = None
    has_own_timeout: bool = False
    """True if the caller chose the timeout: it then applies to batches of URLs too."""

    def __repr__(self) -> str:
        return f"Settings(base_url={self.base_url!r})"

    def __post_init__(self) -> None:
        for name in ("timeout", "total_timeout"):
            seconds = getattr(self, name)
            if seconds is not None and not seconds > 0:
                raise ValueError(f"{name} must be a positive number of seconds.")
        if self.max_response_bytes is not None and not self.max_response_bytes > 0:
            raise ValueError("max_response_bytes must be a positive number of bytes.")
        if not self.max_retries >= 0:
            raise ValueError("max_retries must be 0 or a positive number.")

    def override(self, **changes: Any) -> Settings:
        """Return these settings with those changed that are not None."""
        given = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **given, has_own_timeout=self.has_own_timeout or "timeout" in given)

    def for_batch(self, timeout: Optional[float]) -> Settings:
        """Return the settings of a batch whose timeout is this one unless the caller chose one."""
        return self if timeout is None or self.has_own_timeout else replace(self, timeout=timeout)

    def headers(self, accept: str) -> Dict[str, str]:
        """Return the headers of a request."""
        return {
            "x-api-key": self.api_key,
            "accept": accept,
            "accept-encoding": ACCEPT_ENCODING,
            "user-agent": USER_AGENT,
        }


def load_settings(api_key: Optional[str], base_url: Optional[str]) -> Settings:
    """Return the settings of a client, with defaults. Raise ValueError without a key or an address."""
    key = api_key if api_key is not None else os.environ.get("UTILITY_API_KEY")
    url = base_url if base_url is not None else os.environ.get("UTILITY_API_URL")
    return Settings(_parse_key(key), _parse_base_url(url))


def _parse_key(key: Optional[str]) -> str:
    trimmed = (key or "").strip()
    if not trimmed:
        raise ValueError("The API key is missing: set api_key or the variable UTILITY_API_KEY.")
    # httpx quotes a header that it refuses in its error: the key must not appear there.
    if not re.fullmatch(r"[\x21-\x7e]+", trimmed):
        raise ValueError("The API key has characters that no key has.")
    return trimmed


def _parse_base_url(text: Optional[str]) -> str:
    trimmed = (text or "").strip()
    if not trimmed:
        raise ValueError(
            "The address of the service is missing: set base_url or the variable UTILITY_API_URL, "
            "such as https://api.example.com."
        )
    if not _is_base_url(trimmed):
        raise ValueError(
            "base_url must be an http:// or https:// URL without credentials, query and fragment, "
            "such as https://api.example.com."
        )
    return trimmed.rstrip("/?#")


def _is_base_url(text: str) -> bool:
    try:
        url = urlsplit(text)
        is_http = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        return False
    return is_http and not (url.username or url.password or url.query or url.fragment)


def limit_to_finite(seconds: float) -> Optional[float]:
    """Return a time limit as httpx takes it: None for infinity."""
    return seconds if math.isfinite(seconds) else None
