"""Attachments of PDFs, of bytes, texts and files."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, List

import pytest

from utility_api import UtilityApi, encode_attachment


def test_bytes_texts_and_files_are_encoded(tmp_path: Path) -> None:
    content = bytes(range(256)) * 300
    file = tmp_path / "rows.bin"
    file.write_bytes(content)
    contents: List[Any] = [content, bytearray(content), memoryview(content), file]
    for given in contents:
        attachment = encode_attachment("rows.bin", given)
        assert set(attachment) == {"name", "base64"} and attachment["name"] == "rows.bin"
        assert base64.b64decode(attachment["base64"], validate=True) == content
    assert base64.b64decode(encode_attachment("a.txt", "Zürich €")["base64"]) == "Zürich €".encode()
    # A str is a text, also if a file has this name.
    assert base64.b64decode(encode_attachment("a.txt", str(file))["base64"]) == str(file).encode()


def test_an_attachment_has_the_members_that_are_given() -> None:
    attachment = encode_attachment(
        "rows.csv", b"a;b", media_type="text/csv", relationship="data", description="The rows"
    )
    assert attachment == {
        "name": "rows.csv",
        "base64": "YTti",
        "media_type": "text/csv",
        "relationship": "data",
        "description": "The rows",
    }


def test_other_content_is_refused(tmp_path: Path) -> None:
    others: List[Any] = [None, 5, [b"a"], {}]
    for wrong in others:
        with pytest.raises(TypeError, match="bytes, a str or a path"):
            encode_attachment("rows.csv", wrong)
    with pytest.raises(FileNotFoundError):
        encode_attachment("rows.csv", tmp_path / "gone.csv")


def test_the_service_attaches_it(api: UtilityApi) -> None:
    rows = encode_attachment("rows.csv", b"x" * 70_001, media_type="text/csv")
    pdf = api.generate_pdf("<h1>Report</h1>", attachments=[rows])
    assert b"/Size 70001" in pdf.content and b"/EmbeddedFile" in pdf.content
