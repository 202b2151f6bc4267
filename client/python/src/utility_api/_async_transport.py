from __future__ import annotations

import math
from typing import AsyncIterator, Awaitable, Callable, Optional, TypeVar

import anyio
import httpx

from ._body import iter_body_async
from ._calls import Call
from ._errors import UtilityApiError, error_from_response, response_too_large
from ._request import MAX_ERROR_BYTES, TimeLimits, build_request, notify
from ._retries import Retries
from ._settings import Settings

T = TypeVar("T")


class AsyncExchange(AsyncIterator[bytes]):
    """One request whose response has the status 200, and whose body is still to be read."""

    def __init__(self, response: httpx.Response, limits: TimeLimits, max_bytes: float) -> None:
        self.response = response
        self.max_bytes = max_bytes
        """The most bytes of the body; of a batch, of a row."""
        self._limits = limits
        self._left = math.inf
        self._parts = iter_body_async(response)

    def __aiter__(self) -> AsyncIterator[bytes]:
        """The parts of the body as they arrive."""
        return self

    async def __anext__(self) -> bytes:
        """Read the next part. Raise ApiConnectionError if the body breaks off."""
        try:
            part = await self._parts.__anext__()
        except httpx.HTTPError as error:
            raise self._limits.describe_failure(error) from error
        self._limits.check()
        self._left -= len(part)
        if self._left < 0:
            raise response_too_large(self.response, self.max_bytes)
        return part

    def limit(self) -> AsyncExchange:
        """Return the parts of a body that is limited as a whole: more is `unexpected_response`."""
        self._left = self.max_bytes
        return self

    async def read(self) -> bytes:
        """Read the whole body. Raise `unexpected_response` if it has more than `max_bytes`."""
        # Not a list: of tiny parts, it would take many times their size.
        body = bytearray()
        async for part in self.limit():
            body += part
        return bytes(body)

    async def read_some(self, max_bytes: int) -> bytes:
        """Read about this many bytes; those that arrived if the body breaks off before."""
        body = b""
        try:
            async for part in self:
                body += part
                if len(body) >= max_bytes:
                    break
        except UtilityApiError:
            pass
        return body

    async def close(self) -> None:
        """End the exchange. A body that is not read to its end is canceled."""
        # A canceled task still gives its connection back.
        with anyio.CancelScope(shield=True):
            await self.response.aclose()


class AsyncTransport:
    """Sends requests, and repeats those that failed by the rules of `Retries`."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def send(
        self, settings: Settings, call: Call, read: Callable[[AsyncExchange], Awaitable[T]]
    ) -> T:
        """Send a request until it succeeds, and return what `read` makes of its response.

        The exchange stays open until its body is read or it is closed.
        """
        retries = Retries(settings, call.is_costly)
        while True:
            try:
                exchange = await self.open(settings, call, retries.deadline)
                try:
                    result = await read(exchange)
                except BaseException:
                    await exchange.close()
                    raise
            except UtilityApiError as error:
                delay = retries.plan(error)
            else:
                notify(settings, exchange.response)
                return result
            await anyio.sleep(delay)

    async def open(
        self, settings: Settings, call: Call, deadline: Optional[float]
    ) -> AsyncExchange:
        """Send a request once, and return at the head of a response with the status 200."""
        limits = TimeLimits(settings, call, deadline)
        request = build_request(self._http, settings, call, deadline)
        try:
            # A redirect would carry the key to another address.
            response = await self._http.send(request, stream=True, follow_redirects=False)
        except httpx.HTTPError as error:
            raise limits.describe_failure(error) from error
        exchange = AsyncExchange(response, limits, settings.max_response_bytes or call.max_bytes)
        if response.status_code == 200:
            return exchange
        try:
            raise error_from_response(response, await exchange.read_some(MAX_ERROR_BYTES))
        finally:
            await exchange.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()
