from __future__ import annotations

from typing import Any, AsyncGenerator, AsyncIterable, AsyncIterator, Dict, Iterable, Optional, Union

import anyio

from ._async_transport import AsyncTransport
from ._batch import MAX_REST_BYTES, Batch, BatchOperation, End, Row, broke_off
from ._calls import Call
from ._errors import UtilityApiError
from ._lines import LineParser
from ._rate_limit import RateLimit
from ._request import notify
from ._retries import Retries
from ._settings import Settings

AsyncTexts = Union[Iterable[str], AsyncIterable[str]]


async def run_batch(
    transport: AsyncTransport,
    settings: Settings,
    operation: BatchOperation,
    texts: AsyncTexts,
    options: Dict[str, Any],
) -> AsyncGenerator[Row, None]:
    """Yield the row of each text, in their order."""
    source = _iterate(texts)
    retries = Retries(settings, is_costly=False)
    batch = Batch(operation)
    while True:
        while batch.needs_text():
            batch.add(await _next_text(source))
        chunk = batch.peek_chunk()
        if not chunk:
            return
        call = operation.call(chunk, options)
        rows = _stream_rows(transport, settings, call, batch, len(chunk), retries.deadline)
        try:
            while True:
                outcome = await _next_row(rows)
                if isinstance(outcome, UtilityApiError):
                    if not batch.shrink(outcome, len(chunk)):
                        await anyio.sleep(retries.plan(outcome))
                    break
                if outcome is None:
                    break
                retries.reset()
                yield batch.complete_row(outcome)
        finally:
            await rows.aclose()


async def _stream_rows(
    transport: AsyncTransport,
    settings: Settings,
    call: Call,
    batch: Batch,
    expected: int,
    deadline: Optional[float],
) -> AsyncGenerator[Row, None]:
    """Send one request and yield its rows. Raise ApiConnectionError if they are too few."""
    exchange = await transport.open(settings, call, deadline)
    try:
        batch.adapt(RateLimit.from_headers(exchange.response.headers))
        notify(settings, exchange.response)
        lines = LineParser(exchange.response, exchange.max_bytes)
        count = 0
        async for part in exchange:
            for row in lines.feed(part):
                count += 1
                yield row
                if count == expected:
                    # At its end, the connection can be used again.
                    await exchange.read_some(MAX_REST_BYTES)
                    return
        lines.finish()
        raise broke_off(count, expected)
    finally:
        await exchange.close()


async def _iterate(texts: AsyncTexts) -> AsyncIterator[str]:
    if isinstance(texts, AsyncIterable):
        async for text in texts:
            yield text
    else:
        for text in texts:
            yield text


async def _next_text(source: AsyncIterator[str]) -> Union[str, End]:
    try:
        return await source.__anext__()
    except StopAsyncIteration:
        return End.END


async def _next_row(rows: AsyncIterator[Row]) -> Union[Row, UtilityApiError, None]:
    """Return the next row or the error of the stream, apart from errors of the consumer."""
    try:
        return await rows.__anext__()
    except StopAsyncIteration:
        return None
    except UtilityApiError as error:
        return error
