from __future__ import annotations

import json
import re
from typing import Any, Dict, Iterator, cast

import httpx

from ._errors import ApiConnectionError, response_too_large, unexpected_response

_BLANK = re.compile(rb"[ \t\r\n]*")


class LineParser:
    """Parses a response with one JSON object per line (NDJSON) as its bytes arrive."""

    def __init__(self, response: httpx.Response, max_bytes: float) -> None:
        """`max_bytes` limits each line, with the blank ones before it."""
        if "ndjson" not in response.headers.get("content-type", "").lower():
            raise unexpected_response(response)
        self._response = response
        self._max_bytes = max_bytes
        self._line = bytearray()
        self._size = 0

    def feed(self, part: bytes) -> Iterator[Dict[str, Any]]:
        """Yield the objects that end in this part. Blank lines are skipped."""
        start = self._skip_blank(part, 0)
        end = part.find(b"\n", start)
        while end >= 0:
            self._add(part[start:end])
            line = bytes(self._line)
            self._line.clear()
            self._size = 0
            yield parse_object(self._response, line)
            start = self._skip_blank(part, end)
            end = part.find(b"\n", start)
        self._add(part[start:])

    def finish(self) -> None:
        """Raise ApiConnectionError if the last line is not whole."""
        if self._line:
            raise ApiConnectionError("The response broke off within a line.")

    def _skip_blank(self, part: bytes, start: int) -> int:
        """Return the start of the next line, if one does not go on: blank lines come in any number."""
        blank = None if self._line else _BLANK.match(part, start)
        end = blank.end() if blank else start
        self._count(end - start)
        return end

    def _add(self, piece: bytes) -> None:
        self._count(len(piece))
        self._line += piece

    def _count(self, size: int) -> None:
        self._size += size
        if self._size > self._max_bytes:
            raise response_too_large(self._response, self._max_bytes)


def parse_object(response: httpx.Response, text: bytes) -> Any:
    """Parse a JSON object of a response. Raise `unexpected_response` if it is none."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise unexpected_response(response) from error
    if not isinstance(value, dict):
        raise unexpected_response(response)
    return cast(Any, value)
