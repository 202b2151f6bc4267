from __future__ import annotations

import json
from typing import Any, Dict, List, cast

import httpx

from ._errors import ApiConnectionError, unexpected_response

MAX_RESULT_BYTES = 16 * 1024 * 1024
"""The results of the service have at most a fraction of it."""


class LineParser:
    """Parses a response with one JSON object per line (NDJSON) as its bytes arrive."""

    def __init__(self, response: httpx.Response) -> None:
        if "ndjson" not in response.headers.get("content-type", "").lower():
            raise unexpected_response(response)
        self._response = response
        self._pieces: List[bytes] = []
        self._size = 0

    def feed(self, part: bytes) -> List[Dict[str, Any]]:
        """Return the objects that end in this part. Blank lines are skipped."""
        first, *others = part.split(b"\n")
        self._pieces.append(first)
        self._size += len(first)
        rows: List[Dict[str, Any]] = []
        for following in others:
            line = b"".join(self._pieces)
            self._pieces = [following]
            self._size = len(following)
            if line.strip():
                rows.append(parse_object(self._response, line))
        if self._size > MAX_RESULT_BYTES:
            raise unexpected_response(self._response)
        return rows

    def finish(self) -> None:
        """Raise ApiConnectionError if the last line is not whole."""
        if b"".join(self._pieces).strip():
            raise ApiConnectionError("The response broke off within a line.")


def parse_object(response: httpx.Response, text: bytes) -> Any:
    """Parse a JSON object of a response. Raise `unexpected_response` if it is none."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise unexpected_response(response) from error
    if not isinstance(value, dict):
        raise unexpected_response(response)
    return cast(Any, value)
