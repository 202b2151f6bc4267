"""Parts of an attempt that both clients share."""

from __future__ import annotations

import math
import time
from typing import Optional, Union

import httpx

from ._calls import Call
from ._errors import (
    UtilityApiError,
    attempt_timeout_passed,
    error_from_transport,
    total_timeout_passed,
)
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


class TimeLimits:
    """The time limits of one attempt on the parts of its body."""

    def __init__(self, settings: Settings, call: Call, deadline: Optional[float]) -> None:
        self._timeout = settings.timeout
        self._deadline = deadline
        self._end = math.inf if call.is_streamed else time.monotonic() + settings.timeout

    def check(self) -> None:
        """Raise ApiTimeoutError if the time of the attempt or of the whole call is over."""
        now = time.monotonic()
        if self._deadline is not None and now >= self._deadline:
            raise total_timeout_passed()
        if now >= self._end:
            raise attempt_timeout_passed(self._timeout)

    def describe_failure(self, error: httpx.HTTPError) -> UtilityApiError:
        """Return the error of a request without a whole response."""
        is_late = self._deadline is not None and time.monotonic() >= self._deadline
        if is_late and isinstance(error, httpx.TimeoutException):
            return total_timeout_passed()
        return error_from_transport(error, self._timeout)


def notify(settings: Settings, response: httpx.Response) -> None:
    """Call the observer of responses."""
    if settings.on_response is not None:
        settings.on_response(describe_response(response))
