"""Parts of an attempt that both clients share."""

from __future__ import annotations

import time
from typing import Optional, Union

import httpx

from ._calls import Call
from ._errors import UtilityApiError, error_from_transport, total_timeout_passed
from ._results import describe_response
from ._settings import Settings, limit_to_finite

MAX_ERROR_BYTES = 65_536
"""The body of an error that is read: those of the API are far smaller."""


def build_request(
    http: Union[httpx.Client, httpx.AsyncClient],
    settings: Settings,
    call: Call,
    deadline: Optional[float],
) -> httpx.Request:
    """Return the request of httpx, with the time that is left. Raise ApiTimeoutError without any."""
    left = None if deadline is None else deadline - time.monotonic()
    if left is not None and left <= 0:
        raise total_timeout_passed()
    timeout = limit_to_finite(settings.timeout if left is None else min(settings.timeout, left))
    headers = settings.headers(call.accept)
    if call.body is not None:
        headers["content-type"] = "application/json"
    return http.build_request(
        call.method,
        settings.base_url + call.path,
        headers=headers,
        content=call.body,
        # A wait for a connection of the own pool is no fault of the service.
        timeout=httpx.Timeout(timeout, pool=left),
    )


def describe_failure(
    error: httpx.HTTPError, timeout: float, deadline: Optional[float]
) -> UtilityApiError:
    """Return the error of a request without a whole response."""
    is_late = deadline is not None and time.monotonic() >= deadline
    if is_late and isinstance(error, httpx.TimeoutException):
        return total_timeout_passed()
    return error_from_transport(error, timeout)


def check_deadline(deadline: Optional[float]) -> None:
    """Raise ApiTimeoutError if the time of the whole call is over."""
    if deadline is not None and time.monotonic() >= deadline:
        raise total_timeout_passed()


def notify(settings: Settings, response: httpx.Response) -> None:
    """Call the observer of responses."""
    if settings.on_response is not None:
        settings.on_response(describe_response(response))
