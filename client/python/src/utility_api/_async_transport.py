from __future__ import annotations

from typing import AsyncIterator, Awaitable, Callable, Optional, TypeVar

import anyio
import httpx

from ._calls import Call
from ._errors import UtilityApiError, error_from_response
from ._request import MAX_ERROR_BYTES, build_request, check_deadline, describe_failure, notify
from ._retries import Retries
from ._settings import Settings

T = TypeVar("T")


class AsyncExchange:
    """One request whose response has the status 200, and whose body is still to be read."""

    def __init__(self, response: httpx.Response, timeout: float, deadline: Optional[float]) -> None:
        self.response = response
        self._timeout = timeout
        self._deadline = deadline

    async def parts(self) -> AsyncIterator[bytes]:
        """Yield the body as it arrives. Raise ApiConnectionError if it breaks off."""
        parts = self.response.aiter_bytes()
        while True:
            try:
                part = await parts.__anext__()
            except StopAsyncIteration:
                return
            except httpx.HTTPError as error:
                raise describe_failure(error, self._timeout, self._deadline) from error
            check_deadline(self._deadline)
            yield part

    async def read(self) -> bytes:
        """Read the whole body."""
        return b"".join([part async for part in self.parts()])

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
        request = build_request(self._http, settings, call, deadline)
        try:
            # A redirect would carry the key to another address.
            response = await self._http.send(request, stream=True, follow_redirects=False)
        except httpx.HTTPError as error:
            raise describe_failure(error, settings.timeout, deadline) from error
        exchange = AsyncExchange(response, settings.timeout, deadline)
        if response.status_code == 200:
            return exchange
        try:
            raise error_from_response(response, await _read_error(exchange))
        finally:
            await exchange.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


async def _read_error(exchange: AsyncExchange) -> bytes:
    body = b""
    try:
        async for part in exchange.parts():
            body += part
            if len(body) > MAX_ERROR_BYTES:
                break
    except UtilityApiError:
        return b""
    return body
