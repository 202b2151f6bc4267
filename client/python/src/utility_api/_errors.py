"""The exceptions of calls, and their construction from responses."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from math import ceil
from typing import Dict, Optional, cast

import httpx

from ._rate_limit import RateLimit, parse_whole_number


class UtilityApiError(Exception):
    """A call failed. `code` is for programs, `message` for people.

    `code` is an identifier of the service (`types.ErrorCode`), or one that the client adds:
    `connection_failed`, `client_timeout` or `unexpected_response`.
    """

    def __init__(
        self,
        message: str,
        code: str,
        *,
        status: Optional[int] = None,
        param: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[int] = None,
        rate_limit: Optional[RateLimit] = None,
    ) -> None:
        super().__init__(message, code)
        self.message = message
        self.code = code
        self.status = status
        """The HTTP status; None if there was no response."""
        self.param = param
        """The parameter or member at fault."""
        self.request_id = request_id
        """The id of the request in the service's log."""
        self.retry_after_seconds = retry_after_seconds
        """The seconds to wait before the next attempt, from Retry-After."""
        self.rate_limit = rate_limit

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class ApiConnectionError(UtilityApiError):
    """No response arrived, or its body broke off. `__cause__` is the error of httpx."""

    def __init__(self, message: str, code: str = "connection_failed") -> None:
        super().__init__(message, code)


class ApiTimeoutError(ApiConnectionError):
    """A time limit of the client passed: `timeout` of an attempt, or `total_timeout` of the call."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "client_timeout")


def error_from_response(response: httpx.Response, body: bytes) -> UtilityApiError:
    """Return the error of a response whose status is not 200, by its body."""
    members = _parse_texts(body)
    retry_after = parse_retry_after(response.headers.get("retry-after"))
    if "error" not in members:
        return unexpected_response(response, retry_after)
    return UtilityApiError(
        members.get("message", members["error"]),
        members["error"],
        status=response.status_code,
        param=members.get("param"),
        request_id=response.headers.get("x-request-id"),
        retry_after_seconds=retry_after,
        rate_limit=RateLimit.from_headers(response.headers),
    )


def unexpected_response(
    response: httpx.Response, retry_after_seconds: Optional[int] = None
) -> UtilityApiError:
    """Return the error of a response that is not one of the API, such as the page of a proxy."""
    kind = response.headers.get("content-type", "").split(";", 1)[0] or "no content type"
    target = response.headers.get("location")
    found = (
        f"status {response.status_code}, {kind}"
        if target is None
        else f"status {response.status_code}, a redirect to {target[:200]}, which is not followed"
    )
    return UtilityApiError(
        f"The response is not one of Utility API ({found}): "
        "check base_url and the proxies on the way.",
        "unexpected_response",
        status=response.status_code,
        request_id=response.headers.get("x-request-id"),
        retry_after_seconds=retry_after_seconds,
        rate_limit=RateLimit.from_headers(response.headers),
    )


def response_too_large(response: httpx.Response, max_bytes: float) -> UtilityApiError:
    """Return the error of a body with more bytes than the caller accepts."""
    return UtilityApiError(
        f"The response has more than {max_bytes:.0f} bytes (max_response_bytes).",
        "unexpected_response",
        status=response.status_code,
        request_id=response.headers.get("x-request-id"),
        rate_limit=RateLimit.from_headers(response.headers),
    )


def error_from_transport(error: Exception, timeout: float) -> ApiConnectionError:
    """Return the error of a request whose response did not arrive as a whole."""
    if isinstance(error, httpx.TimeoutException):
        return ApiTimeoutError(f"The service sent nothing for {timeout:g} s (timeout).")
    reason = (str(error) or type(error).__name__)[:200]
    return ApiConnectionError(f"The connection to the service failed: {reason}.")


def attempt_timeout_passed(timeout: float) -> ApiTimeoutError:
    return ApiTimeoutError(f"The response did not end within {timeout:g} s (timeout).")


def total_timeout_passed() -> ApiTimeoutError:
    return ApiTimeoutError("The call did not end within total_timeout.")


def parse_retry_after(value: Optional[str]) -> Optional[int]:
    """Parse Retry-After (RFC 9110 §10.2.3), a number of seconds or a date; None if it is neither."""
    seconds = parse_whole_number(value)
    if seconds is not None or value is None:
        return seconds
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return max(0, ceil((date - datetime.now(timezone.utc)).total_seconds()))


def _parse_texts(body: bytes) -> Dict[str, str]:
    """Return the members of a JSON object that are texts; none if the body is something else."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    members = cast(Dict[str, object], value)
    return {name: member for name, member in members.items() if isinstance(member, str)}
