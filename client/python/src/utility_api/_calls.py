"""The requests of the operations, as data: the clients send them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional
from urllib.parse import quote, urlencode

from . import types

JSON_TYPE = "application/json"
LINES_TYPE = "application/x-ndjson"
PDF_TYPE = "application/pdf"
MAX_RESULT_BYTES = 16 * 1024 * 1024
"""The results of the service have at most a fraction of it."""
MAX_PDF_BYTES = 256 * 1024 * 1024
"""The service makes PDFs of up to 192 MiB, and attaches up to 25 MiB."""


@dataclass(frozen=True)
class Call:
    """One request of the API."""

    method: str
    path: str
    """The path and the query."""
    accept: str
    body: Optional[bytes] = None
    is_costly: bool = False
    """True for renders: work that failed or took too long is not repeated."""
    is_streamed: bool = False
    """True if the timeout limits each wait for a part of the body, and not the whole attempt."""
    max_bytes: int = MAX_RESULT_BYTES
    """The most bytes of the body, or of a row of a batch, unless the caller has chosen."""


def email_call(email: str, options: Mapping[str, Any]) -> Call:
    sent = check_options("validate_email", options, types.ValidateEmailOptions)
    return Call("GET", f"/v1/email/validate?{_format_query({'email': check_text('email', email), **sent})}", JSON_TYPE)


def metadata_call(url: str, options: Mapping[str, Any]) -> Call:
    sent = check_options("get_metadata", options, types.GetMetadataOptions)
    return Call("GET", f"/v1/meta?{_format_query({'url': check_text('url', url), **sent})}", JSON_TYPE)


def pdf_call(html: str, options: Mapping[str, Any]) -> Call:
    sent = check_options("generate_pdf", options, types.GeneratePdfOptions)
    body = format_json({"html": check_text("html", html), **sent})
    return Call(
        "POST",
        "/v1/pdf/generate",
        PDF_TYPE,
        body,
        is_costly=True,
        is_streamed=True,
        max_bytes=MAX_PDF_BYTES,
    )


def check_text(name: str, value: object) -> str:
    """Return a text. Raise TypeError for another value: str(None) would be validated as an address."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {type(value).__name__}.")
    return value


def check_options(method: str, options: Mapping[str, Any], allowed: Any) -> Dict[str, Any]:
    """Return the options that are not None. Raise TypeError for an unknown name, as Python does."""
    for name in options:
        if name not in allowed.__annotations__:
            raise TypeError(f"{method}() got an unexpected keyword argument {name!r}")
    return {name: value for name, value in options.items() if value is not None}


def format_json(body: Mapping[str, object]) -> bytes:
    text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return make_well_formed(text).encode()


def make_well_formed(text: str) -> str:
    """Replace surrogates without a partner, which UTF-8 cannot express, by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _format_query(parameters: Mapping[str, object]) -> str:
    """Format a query by RFC 3986: in the API, a plus sign means a plus sign."""
    texts = {name: _format_value(value) for name, value in parameters.items()}
    return urlencode(texts, quote_via=quote, safe="")


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return make_well_formed(str(value))
