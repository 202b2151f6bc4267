"""The bytes of a body as they arrive, decompressed in steps of bounded size.

The decoders of httpx return a whole part at once: 64 kB of gzip can be 64 MB, and other encodings
many times more.
"""

from __future__ import annotations

import zlib
from typing import AsyncIterator, Iterator

import httpx

from ._errors import unexpected_response

STEP_BYTES = 65_536


class BodyDecoder:
    """Decodes a body by its Content-Encoding."""

    def __init__(self, response: httpx.Response) -> None:
        """Raise `unexpected_response` for an encoding that was not asked for."""
        encoding = response.headers.get("content-encoding", "").strip().lower()
        if encoding not in ("", "identity", "gzip", "x-gzip"):
            raise unexpected_response(response)
        self._gzip = zlib.decompressobj(zlib.MAX_WBITS | 16) if "gzip" in encoding else None
        self._is_empty = True

    def decode(self, part: bytes) -> Iterator[bytes]:
        """Yield the content of a part in steps."""
        self._is_empty = self._is_empty and not part
        if self._gzip is None:
            yield part
            return
        is_done = False
        while not is_done:
            try:
                step = self._gzip.decompress(part, STEP_BYTES)
            except zlib.error as error:
                raise httpx.DecodingError(str(error)) from error
            part = self._gzip.unconsumed_tail
            is_done = not part and len(step) < STEP_BYTES
            if step:
                yield step

    def finish(self) -> None:
        """Raise DecodingError if the compressed content is not whole."""
        if self._gzip is not None and not self._gzip.eof and not self._is_empty:
            raise httpx.DecodingError("The compressed body broke off.")


def iter_body(response: httpx.Response) -> Iterator[bytes]:
    """Yield the content of a body as it arrives."""
    if response.is_stream_consumed:
        # The transport of a test has the body in memory.
        yield from response.iter_bytes(STEP_BYTES)
        return
    decoder = BodyDecoder(response)
    for part in response.iter_raw():
        yield from decoder.decode(part)
    decoder.finish()


async def iter_body_async(response: httpx.Response) -> AsyncIterator[bytes]:
    """Yield the content of a body as it arrives."""
    if response.is_stream_consumed:
        async for part in response.aiter_bytes(STEP_BYTES):
            yield part
        return
    decoder = BodyDecoder(response)
    async for part in response.aiter_raw():
        for step in decoder.decode(part):
            yield step
    decoder.finish()
