"""Batches of any length: chunks that fit into the rate limit, resumed where a stream breaks.

This module does no input or output, so that both clients share it.
"""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Any, Deque, Dict, List, Mapping, Optional, TypeVar, Union

from ._calls import LINES_TYPE, Call, format_json
from ._errors import ApiConnectionError, UtilityApiError
from ._rate_limit import RateLimit

Row = Dict[str, Any]
Texts = TypeVar("Texts")

MAX_CHUNK_CHARACTERS = 1_000_000
"""The JSON of the texts of one request: 3 bytes for each character fit into the service's limits."""


MAX_REST_BYTES = 65_536
"""The most that is read after the last row."""


@dataclass(frozen=True)
class BatchOperation:
    """An operation that answers a list of texts with a line for each."""

    path: str
    member: str
    """The member of the request with the texts."""
    max_rows: int
    """The most texts that a request takes."""
    timeout: Optional[float] = None
    """The timeout unless the caller has chosen one."""

    def call(self, texts: List[str], options: Mapping[str, object]) -> Call:
        """Return the request for these texts."""
        body = format_json({**options, self.member: texts})
        return Call("POST", self.path, LINES_TYPE, body, is_streamed=True)


EMAIL_BATCH = BatchOperation("/v1/email/validate/batch", "emails", 1_000)
# The service works on a batch of URLs for up to 60 s, in which no row may be complete.
METADATA_BATCH = BatchOperation("/v1/meta/batch", "urls", 100, timeout=90.0)


class End(Enum):
    """The end of an input. None cannot mark it: a None in the input is a mistake of the caller."""

    END = "end"


class Batch:
    """The state of a batch: the texts without a row yet, and the size of the next request."""

    def __init__(self, operation: BatchOperation) -> None:
        self._member = operation.member
        self._max_rows = operation.max_rows
        self._rows = operation.max_rows
        self._waiting: Deque[str] = deque()
        self._is_input_done = False
        self._place = 0

    def needs_text(self) -> bool:
        """True if the next request has room for another text of the input."""
        return not self._is_input_done and len(self._waiting) < self._rows

    def add(self, text: Union[str, End]) -> None:
        """Add the next text of the input, or its end."""
        if text is End.END:
            self._is_input_done = True
        elif isinstance(text, str):
            self._waiting.append(text)
        else:
            raise TypeError(f"{self._member} must be strings, not {type(text).__name__}.")

    def peek_chunk(self) -> List[str]:
        """Return the texts of the next request, fewer if they are long; none at the end."""
        chunk: List[str] = []
        characters = 0
        for text in islice(self._waiting, self._rows):
            characters += len(json.dumps(text, ensure_ascii=False))
            if chunk and characters > MAX_CHUNK_CHARACTERS:
                break
            chunk.append(text)
        return chunk

    def complete_row(self, row: Row) -> Row:
        """Remove the first text: this row of it has arrived.

        Return the row. Its `index`, if it has one, becomes its place in the whole input.
        """
        self._waiting.popleft()
        self._place += 1
        return {**row, "index": self._place - 1} if "index" in row else row

    def adapt(self, rate_limit: Optional[RateLimit]) -> None:
        """Follow the rate limit after a response: without units, the next request waits."""
        if rate_limit is not None:
            left = rate_limit.remaining or rate_limit.limit
            self._rows = max(1, min(self._max_rows, rate_limit.limit, left))

    def shrink(self, error: UtilityApiError, sent: int) -> bool:
        """Make the next request smaller if this one of `sent` texts was refused as too large for
        the plan, or for what is left of its minute. False if a smaller one would not help.
        """
        limit = error.rate_limit
        if limit is None:
            return False
        self.adapt(limit)
        is_too_large = error.status == 400 and limit.limit < sent
        is_over_rest = error.status == 429 and 0 < limit.remaining < sent
        return (is_too_large or is_over_rest) and self._rows < sent


def broke_off(count: int, expected: int) -> ApiConnectionError:
    return ApiConnectionError(f"The response broke off after {count} of {expected} rows.")


def check_texts(texts: Texts) -> Texts:
    """Return the input of a batch. Raise TypeError for a single text, which Python iterates too."""
    if isinstance(texts, (str, bytes)):
        raise TypeError("A batch takes an iterable of strings, not one string.")
    return texts
