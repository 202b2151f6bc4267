from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Optional, TypeVar

import httpx

from ._rate_limit import RateLimit

T = TypeVar("T")


@dataclass(frozen=True)
class ResponseFacts:
    """The facts of a response besides its data."""

    status: int
    headers: httpx.Headers
    rate_limit: Optional[RateLimit]
    """None if the response has no such headers."""
    request_id: Optional[str]
    """The id of the request in the service's log."""


@dataclass(frozen=True)
class Response(ResponseFacts, Generic[T]):
    """The data of a response with its facts."""

    data: T


def describe_response(response: httpx.Response) -> ResponseFacts:
    """Return the facts of a response."""
    return ResponseFacts(
        response.status_code,
        response.headers,
        RateLimit.from_headers(response.headers),
        response.headers.get("x-request-id"),
    )


def attach_facts(response: httpx.Response, data: T) -> Response[T]:
    """Return the data of a response with its facts."""
    facts = describe_response(response)
    return Response(facts.status, facts.headers, facts.rate_limit, facts.request_id, data)
