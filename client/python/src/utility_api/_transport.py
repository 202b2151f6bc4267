from __future__ import annotations

import time
from typing import Callable, Iterator, List, Optional, TypeVar

import httpx

from ._calls import Call
from ._errors import UtilityApiError, error_from_response, unexpected_response
from ._request import MAX_ERROR_BYTES, TimeLimits, build_request, notify
from ._retries import Retries
from ._settings import Settings

T = TypeVar("T")


class Exchange(Iterator[bytes]):
    """One request whose response has the status 200, and whose body is still to be read."""

    def __init__(self, response: httpx.Response, limits: TimeLimits) -> None:
        self.response = response
        self._limits = limits
        self._parts = response.iter_bytes()

    def __iter__(self) -> Iterator[bytes]:
        """The parts of the body as they arrive."""
        return self

    def __next__(self) -> bytes:
        """Read the next part. Raise ApiConnectionError if the body breaks off."""
        try:
            part = next(self._parts)
        except httpx.HTTPError as error:
            raise self._limits.describe_failure(error) from error
        self._limits.check()
        return part

    def read(self, max_bytes: Optional[int] = None) -> bytes:
        """Read the whole body. Raise `unexpected_response` if it has more than `max_bytes`."""
        parts: List[bytes] = []
        size = 0
        for part in self:
            parts.append(part)
            size += len(part)
            if max_bytes is not None and size > max_bytes:
                raise unexpected_response(self.response)
        return b"".join(parts)

    def read_some(self, max_bytes: int) -> bytes:
        """Read about this many bytes; those that arrived if the body breaks off before."""
        body = b""
        try:
            for part in self:
                body += part
                if len(body) >= max_bytes:
                    break
        except UtilityApiError:
            pass
        return body

    def close(self) -> None:
        """End the exchange. A body that is not read to its end is canceled."""
        self.response.close()


class Transport:
    """Sends requests, and repeats those that failed by the rules of `Retries`."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def send(self, settings: Settings, call: Call, read: Callable[[Exchange], T]) -> T:
        """Send a request until it succeeds, and return what `read` makes of its response.

        The exchange stays open until its body is read or it is closed.
        """
        retries = Retries(settings, call.is_costly)
        while True:
            try:
                exchange = self.open(settings, call, retries.deadline)
                try:
                    result = read(exchange)
                except BaseException:
                    exchange.close()
                    raise
            except UtilityApiError as error:
                delay = retries.plan(error)
            else:
                notify(settings, exchange.response)
                return result
            time.sleep(delay)

    def open(self, settings: Settings, call: Call, deadline: Optional[float]) -> Exchange:
        """Send a request once, and return at the head of a response with the status 200."""
        limits = TimeLimits(settings, call, deadline)
        request = build_request(self._http, settings, call, deadline)
        try:
            # A redirect would carry the key to another address.
            response = self._http.send(request, stream=True, follow_redirects=False)
        except httpx.HTTPError as error:
            raise limits.describe_failure(error) from error
        exchange = Exchange(response, limits)
        if response.status_code == 200:
            return exchange
        try:
            raise error_from_response(response, exchange.read_some(MAX_ERROR_BYTES))
        finally:
            exchange.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()
