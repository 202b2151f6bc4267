from __future__ import annotations

from contextlib import asynccontextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, AsyncGenerator, AsyncIterator, Callable, Optional, Tuple, Type, cast

import httpx

from . import types
from ._async_run_batch import AsyncTexts, run_batch
from ._async_transport import AsyncExchange, AsyncTransport
from ._batch import EMAIL_BATCH, METADATA_BATCH, check_texts
from ._calls import check_options, email_call, metadata_call, pdf_call
from ._lines import parse_object
from ._pdf import AsyncPdfStream, Pdf, build_pdf
from ._results import Response, ResponseFacts, attach_facts
from ._settings import Retry, Settings, load_settings

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncUtilityApi:
    """A client of one service with one key. It holds connections: use it with `async with`, or close it.

    Times are in seconds. `timeout` limits one attempt (60 by default; of a body that arrives in
    parts, each wait), `total_timeout` the whole call with its retries (none by default).
    `max_response_bytes` limits a PDF (256 MiB by default), a result and each row of a batch (16 MiB).
    `http_client` is the client of httpx to send with, for proxies or certificates of your own.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: Optional[float] = None,
        total_timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        max_response_bytes: Optional[float] = None,
        on_retry: Optional[Callable[[Retry], object]] = None,
        on_response: Optional[Callable[[ResponseFacts], object]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._settings = load_settings(api_key, base_url).override(
            timeout=timeout,
            total_timeout=total_timeout,
            max_retries=max_retries,
            max_response_bytes=max_response_bytes,
            on_retry=on_retry,
            on_response=on_response,
        )
        self._transport = AsyncTransport(http_client or httpx.AsyncClient())

    def with_options(
        self,
        *,
        timeout: Optional[float] = None,
        total_timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        max_response_bytes: Optional[float] = None,
        on_retry: Optional[Callable[[Retry], object]] = None,
        on_response: Optional[Callable[[ResponseFacts], object]] = None,
    ) -> AsyncUtilityApi:
        """Return a client with other settings that shares the connections of this one."""
        client = object.__new__(type(self))
        client._transport = self._transport
        client._settings = self._settings.override(
            timeout=timeout,
            total_timeout=total_timeout,
            max_retries=max_retries,
            max_response_bytes=max_response_bytes,
            on_retry=on_retry,
            on_response=on_response,
        )
        return client

    @property
    def with_response(self) -> AsyncCallsWithResponse:
        """The calls that return a `Response`: data, rate limit, request id and headers."""
        return AsyncCallsWithResponse(self._transport, self._settings)

    async def validate_email(
        self, email: str, **options: Unpack[types.ValidateEmailOptions]
    ) -> types.EmailResult:
        """Validate an address. A malformed one is a result, not an error."""
        return (await self.with_response.validate_email(email, **options)).data

    def validate_email_batch(
        self, emails: AsyncTexts, **options: Unpack[types.ValidateEmailBatchOptions]
    ) -> AsyncIterator[types.EmailResult]:
        """Validate any number of addresses and yield a row for each, in their order."""
        sent = check_options("validate_email_batch", options, types.ValidateEmailBatchOptions)
        settings = self._settings.for_batch(EMAIL_BATCH.timeout)
        rows = run_batch(self._transport, settings, EMAIL_BATCH, check_texts(emails), sent)
        return cast(AsyncIterator[types.EmailResult], rows)

    async def get_metadata(
        self, url: str, **options: Unpack[types.GetMetadataOptions]
    ) -> types.PageMetadata:
        """Read the metadata of a page."""
        return (await self.with_response.get_metadata(url, **options)).data

    def get_metadata_batch(
        self, urls: AsyncTexts, **options: Unpack[types.GetMetadataBatchOptions]
    ) -> AsyncIterator[types.MetadataBatchItem]:
        """Read the metadata of any number of pages and yield a row or an error for each, in order."""
        sent = check_options("get_metadata_batch", options, types.GetMetadataBatchOptions)
        settings = self._settings.for_batch(METADATA_BATCH.timeout)
        rows = run_batch(self._transport, settings, METADATA_BATCH, check_texts(urls), sent)
        return cast(AsyncIterator[types.MetadataBatchItem], rows)

    async def generate_pdf(self, html: str, **options: Unpack[types.GeneratePdfOptions]) -> Pdf:
        """Render HTML to a PDF in memory."""
        return (await self.with_response.generate_pdf(html, **options)).data

    @asynccontextmanager
    async def stream_pdf(
        self, html: str, **options: Unpack[types.GeneratePdfOptions]
    ) -> AsyncGenerator[AsyncPdfStream, None]:
        """Render HTML to a PDF whose bytes are read as they arrive, in an `async with` block."""
        call = pdf_call(html, options)
        exchange, pdf = await self._transport.send(self._settings, call, _open_pdf)
        try:
            yield pdf
        finally:
            await exchange.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncUtilityApi:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.close()


class AsyncCallsWithResponse:
    """The calls of a client that return a `Response`."""

    def __init__(self, transport: AsyncTransport, settings: Settings) -> None:
        self._transport = transport
        self._settings = settings

    async def validate_email(
        self, email: str, **options: Unpack[types.ValidateEmailOptions]
    ) -> Response[types.EmailResult]:
        """Validate an address. A malformed one is a result, not an error."""
        return await self._transport.send(self._settings, email_call(email, options), _read_object)

    async def get_metadata(
        self, url: str, **options: Unpack[types.GetMetadataOptions]
    ) -> Response[types.PageMetadata]:
        """Read the metadata of a page."""
        return await self._transport.send(self._settings, metadata_call(url, options), _read_object)

    async def generate_pdf(self, html: str, **options: Unpack[types.GeneratePdfOptions]) -> Response[Pdf]:
        """Render HTML to a PDF in memory."""
        call = pdf_call(html, options)
        exchange, _ = await self._transport.send(self._settings, call, _open_pdf)
        # Outside the retries: the render has succeeded, and is not done again for a lost body.
        try:
            return attach_facts(exchange.response, build_pdf(exchange.response, await exchange.read()))
        finally:
            await exchange.close()


async def _read_object(exchange: AsyncExchange) -> Response[Any]:
    body = await exchange.read()
    return attach_facts(exchange.response, parse_object(exchange.response, body))


async def _open_pdf(exchange: AsyncExchange) -> Tuple[AsyncExchange, AsyncPdfStream]:
    return exchange, AsyncPdfStream(exchange.response, exchange.limit(), exchange.max_bytes)
