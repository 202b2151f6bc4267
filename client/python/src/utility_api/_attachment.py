from __future__ import annotations

import os
from base64 import b64encode
from pathlib import Path
from typing import Literal, Optional, Union

from . import types
from ._calls import make_well_formed

AttachmentContent = Union[bytes, bytearray, memoryview, str, "os.PathLike[str]"]
Relationship = Literal["source", "data", "alternative", "supplement", "unspecified"]


def encode_attachment(
    name: str,
    content: AttachmentContent,
    *,
    media_type: Optional[str] = None,
    relationship: Optional[Relationship] = None,
    description: Optional[str] = None,
) -> types.PdfAttachment:
    """Return an attachment of a PDF: bytes, a text (UTF-8), or the file of a `pathlib.Path`."""
    attachment: types.PdfAttachment = {
        "name": name,
        "base64": b64encode(_read_content(content)).decode("ascii"),
    }
    if media_type is not None:
        attachment["media_type"] = media_type
    if relationship is not None:
        attachment["relationship"] = relationship
    if description is not None:
        attachment["description"] = description
    return attachment


def _read_content(content: object) -> Union[bytes, bytearray, memoryview]:
    if isinstance(content, str):
        return make_well_formed(content).encode()
    if isinstance(content, (bytes, bytearray, memoryview)):
        return content
    if isinstance(content, os.PathLike):
        return Path(content).read_bytes()
    raise TypeError(f"The content of an attachment is bytes, a str or a path, not {type(content).__name__}.")
