from __future__ import annotations

import re
from dataclasses import dataclass
from typing import AsyncIterator, Iterator, List, Optional

import anyio.to_thread
import httpx

from ._errors import response_too_large, unexpected_response
from ._partial_file import FilePath, PartialFile
from ._rate_limit import parse_whole_number
from ._results import ResponseFacts, describe_response


@dataclass(frozen=True)
class PdfFacts:
    """The facts of a PDF, from the headers of its response."""

    pages: int
    """The number of pages."""
    warning_count: int
    """The number of warnings: resources that were not loaded, errors of scripts and the like."""
    warnings: List[str]
    """The first five warnings, in English."""
    size: Optional[int]
    """The size in bytes; None if a proxy has removed it."""


@dataclass(frozen=True, repr=False)
class Pdf(PdfFacts):
    """A PDF in memory."""

    content: bytes

    def __bytes__(self) -> bytes:
        return self.content

    def __len__(self) -> int:
        return len(self.content)

    def __repr__(self) -> str:
        return f"Pdf(pages={self.pages}, size={len(self.content)}, warnings={self.warnings!r})"

    def save(self, path: FilePath) -> None:
        """Write the PDF to a file. An existing file is replaced."""
        with PartialFile(path) as file:
            file.write(self.content)


def describe_pdf(response: httpx.Response) -> PdfFacts:
    """Return the facts of a PDF. Raise `unexpected_response` if the response is none."""
    headers = response.headers
    if not re.match(r"application/pdf\b", headers.get("content-type", ""), re.IGNORECASE):
        raise unexpected_response(response)
    is_encoded = "content-encoding" in headers
    return PdfFacts(
        parse_whole_number(headers.get("x-pdf-pages")) or 0,
        parse_whole_number(headers.get("x-pdf-warnings")) or 0,
        headers.get_list("x-pdf-warning"),
        None if is_encoded else parse_whole_number(headers.get("content-length")),
    )


def build_pdf(response: httpx.Response, content: bytes) -> Pdf:
    """Return the PDF of a response that is read."""
    facts = describe_pdf(response)
    return Pdf(facts.pages, facts.warning_count, facts.warnings, facts.size, content)


class PdfStream:
    """A PDF whose bytes arrive as they are read. They can be read once."""

    def __init__(
        self, response: httpx.Response, parts: Iterator[bytes], max_bytes: float
    ) -> None:
        self.facts = describe_pdf(response)
        _check_size(response, self.facts.size, max_bytes)
        self.pages = self.facts.pages
        self.warning_count = self.facts.warning_count
        self.warnings = self.facts.warnings
        self.size = self.facts.size
        self.response: ResponseFacts = describe_response(response)
        self._parts = parts

    def iter_bytes(self) -> Iterator[bytes]:
        """Yield the bytes as they arrive. Raise ApiConnectionError if the PDF breaks off."""
        return self._parts

    def save(self, path: FilePath) -> None:
        """Write the PDF to a file, which appears when it is whole. An existing file is replaced."""
        with PartialFile(path) as file:
            for part in self._parts:
                file.write(part)


class AsyncPdfStream:
    """A PDF whose bytes arrive as they are read. They can be read once."""

    def __init__(
        self, response: httpx.Response, parts: AsyncIterator[bytes], max_bytes: float
    ) -> None:
        self.facts = describe_pdf(response)
        _check_size(response, self.facts.size, max_bytes)
        self.pages = self.facts.pages
        self.warning_count = self.facts.warning_count
        self.warnings = self.facts.warnings
        self.size = self.facts.size
        self.response: ResponseFacts = describe_response(response)
        self._parts = parts

    def iter_bytes(self) -> AsyncIterator[bytes]:
        """Yield the bytes as they arrive. Raise ApiConnectionError if the PDF breaks off."""
        return self._parts

    async def save(self, path: FilePath) -> None:
        """Write the PDF to a file, which appears when it is whole. An existing file is replaced."""
        with PartialFile(path) as file:
            async for part in self._parts:
                await anyio.to_thread.run_sync(file.write, part)


def _check_size(response: httpx.Response, size: Optional[int], max_bytes: float) -> None:
    """Raise `unexpected_response` at the head of a response that announces too many bytes."""
    if size is not None and size > max_bytes:
        raise response_too_large(response, max_bytes)
