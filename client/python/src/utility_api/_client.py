from __future__ import annotations

from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Generator, Iterable, Iterator, Optional, Tuple, Type, cast

import httpx

from . import types
from ._batch import EMAIL_BATCH, METADATA_BATCH, check_texts
from ._calls import check_options, email_call, metadata_call, pdf_call
from ._lines import parse_object
from ._pdf import Pdf, PdfStream, build_pdf
from ._results import Response, ResponseFacts, attach_facts
from ._run_batch import run_batch
from ._settings import Retry, Settings, load_settings
from ._transport import Exchange, Transport

if TYPE_CHECKING:
    from typing_extensions import Unpack


class UtilityApi:
    """A client of one service with one key. It holds connections: use it with `with`, or close it.

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
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        self._settings = load_settings(api_key, base_url).override(
            timeout=timeout,
            total_timeout=total_timeout,
            max_retries=max_retries,
            max_response_bytes=max_response_bytes,
            on_retry=on_retry,
            on_response=on_response,
        )
        self._transport = Transport(http_client or httpx.Client())

    def with_options(
        self,
        *,
        timeout: Optional[float] = None,
        total_timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        max_response_bytes: Optional[float] = None,
        on_retry: Optional[Callable[[Retry], object]] = None,
        on_response: Optional[Callable[[ResponseFacts], object]] = None,
    ) -> UtilityApi:
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
    def with_response(self) -> CallsWithResponse:
        """The calls that return a `Response`: data, rate limit, request id and headers."""
        return CallsWithResponse(self._transport, self._settings)

    def validate_email(
        self, email: str, **options: Unpack[types.ValidateEmailOptions]
    ) -> types.EmailResult:
        """Validate an address. A malformed one is a result, not an error."""
        return self.with_response.validate_email(email, **options).data

    def validate_email_batch(
        self, emails: Iterable[str], **options: Unpack[types.ValidateEmailBatchOptions]
    ) -> Iterator[types.EmailResult]:
        """Validate any number of addresses and yield a row for each, in their order."""
        sent = check_options("validate_email_batch", options, types.ValidateEmailBatchOptions)
        settings = self._settings.for_batch(EMAIL_BATCH.timeout)
        rows = run_batch(self._transport, settings, EMAIL_BATCH, check_texts(emails), sent)
        return cast(Iterator[types.EmailResult], rows)

    def get_metadata(
        self, url: str, **options: Unpack[types.GetMetadataOptions]
    ) -> types.PageMetadata:
        """Read the metadata of a page."""
        return self.with_response.get_metadata(url, **options).data

    def get_metadata_batch(
        self, urls: Iterable[str], **options: Unpack[types.GetMetadataBatchOptions]
    ) -> Iterator[types.MetadataBatchItem]:
        """Read the metadata of any number of pages and yield a row or an error for each, in order."""
        sent = check_options("get_metadata_batch", options, types.GetMetadataBatchOptions)
        settings = self._settings.for_batch(METADATA_BATCH.timeout)
        rows = run_batch(self._transport, settings, METADATA_BATCH, check_texts(urls), sent)
        return cast(Iterator[types.MetadataBatchItem], rows)

    def generate_pdf(self, html: str, **options: Unpack[types.GeneratePdfOptions]) -> Pdf:
        """Render HTML to a PDF in memory."""
        return self.with_response.generate_pdf(html, **options).data

    @contextmanager
    def stream_pdf(
        self, html: str, **options: Unpack[types.GeneratePdfOptions]
    ) -> Generator[PdfStream, None, None]:
        """Render HTML to a PDF whose bytes are read as they arrive, in a `with` block."""
        exchange, pdf = self._transport.send(self._settings, pdf_call(html, options), _open_pdf)
        try:
            yield pdf
        finally:
            exchange.close()

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def __enter__(self) -> UtilityApi:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()


class CallsWithResponse:
    """The calls of a client that return a `Response`."""

    def __init__(self, transport: Transport, settings: Settings) -> None:
        self._transport = transport
        self._settings = settings

    def validate_email(
        self, email: str, **options: Unpack[types.ValidateEmailOptions]
    ) -> Response[types.EmailResult]:
        """Validate an address. A malformed one is a result, not an error."""
        return self._transport.send(self._settings, email_call(email, options), _read_object)

    def get_metadata(
        self, url: str, **options: Unpack[types.GetMetadataOptions]
    ) -> Response[types.PageMetadata]:
        """Read the metadata of a page."""
        return self._transport.send(self._settings, metadata_call(url, options), _read_object)

    def generate_pdf(self, html: str, **options: Unpack[types.GeneratePdfOptions]) -> Response[Pdf]:
        """Render HTML to a PDF in memory."""
        exchange, _ = self._transport.send(self._settings, pdf_call(html, options), _open_pdf)
        # Outside the retries: the render has succeeded, and is not done again for a lost body.
        try:
            return attach_facts(exchange.response, build_pdf(exchange.response, exchange.read()))
        finally:
            exchange.close()


def _read_object(exchange: Exchange) -> Response[Any]:
    body = exchange.read()
    return attach_facts(exchange.response, parse_object(exchange.response, body))


def _open_pdf(exchange: Exchange) -> Tuple[Exchange, PdfStream]:
    return exchange, PdfStream(exchange.response, exchange.limit(), exchange.max_bytes)
