from __future__ import annotations

import time
from typing import Any, Dict, Generator, Iterable, Iterator, Optional, Union

from ._batch import MAX_REST_BYTES, Batch, BatchOperation, End, Row, broke_off
from ._calls import Call
from ._errors import UtilityApiError
from ._lines import LineParser
from ._rate_limit import RateLimit
from ._request import notify
from ._retries import Retries
from ._settings import Settings
from ._transport import Transport


def run_batch(
    transport: Transport,
    settings: Settings,
    operation: BatchOperation,
    texts: Iterable[str],
    options: Dict[str, Any],
) -> Iterator[Row]:
    """Yield the row of each text, in their order."""
    source = iter(texts)
    retries = Retries(settings, is_costly=False)
    batch = Batch(operation)
    while True:
        while batch.needs_text():
            batch.add(next(source, End.END))
        chunk = batch.peek_chunk()
        if not chunk:
            return
        call = operation.call(chunk, options)
        rows = _stream_rows(transport, settings, call, batch, len(chunk), retries.deadline)
        try:
            while True:
                outcome = _next_row(rows)
                if isinstance(outcome, UtilityApiError):
                    if not batch.shrink(outcome, len(chunk)):
                        time.sleep(retries.plan(outcome))
                    break
                if outcome is None:
                    break
                retries.reset()
                yield batch.complete_row(outcome)
        finally:
            rows.close()


def _stream_rows(
    transport: Transport,
    settings: Settings,
    call: Call,
    batch: Batch,
    expected: int,
    deadline: Optional[float],
) -> Generator[Row, None, None]:
    """Send one request and yield its rows. Raise ApiConnectionError if they are too few."""
    exchange = transport.open(settings, call, deadline)
    try:
        batch.adapt(RateLimit.from_headers(exchange.response.headers))
        notify(settings, exchange.response)
        lines = LineParser(exchange.response, exchange.max_bytes)
        count = 0
        for part in exchange:
            for row in lines.feed(part):
                count += 1
                yield row
                if count == expected:
                    # At its end, the connection can be used again.
                    exchange.read_some(MAX_REST_BYTES)
                    return
        lines.finish()
        raise broke_off(count, expected)
    finally:
        exchange.close()


def _next_row(rows: Iterator[Row]) -> Union[Row, UtilityApiError, None]:
    """Return the next row or the error of the stream, apart from errors of the consumer."""
    try:
        return next(rows, None)
    except UtilityApiError as error:
        return error
