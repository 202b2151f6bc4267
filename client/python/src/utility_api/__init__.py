"""The client of Utility API: email validation, URL metadata, HTML to PDF."""

from . import types
from ._async_client import AsyncUtilityApi
from ._attachment import encode_attachment
from ._client import UtilityApi
from ._errors import ApiConnectionError, ApiTimeoutError, UtilityApiError
from ._pdf import AsyncPdfStream, Pdf, PdfFacts, PdfStream
from ._rate_limit import RateLimit
from ._results import Response, ResponseFacts
from ._settings import Retry
from ._version import VERSION as __version__

__all__ = [
    "ApiConnectionError",
    "ApiTimeoutError",
    "AsyncPdfStream",
    "AsyncUtilityApi",
    "Pdf",
    "PdfFacts",
    "PdfStream",
    "RateLimit",
    "Response",
    "ResponseFacts",
    "Retry",
    "UtilityApi",
    "UtilityApiError",
    "__version__",
    "encode_attachment",
    "types",
]
