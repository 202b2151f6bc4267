from __future__ import annotations

import os
import secrets
from pathlib import Path
from types import TracebackType
from typing import Optional, Type, Union

FilePath = Union[str, "os.PathLike[str]"]


class PartialFile:
    """A file that gets its name when it is whole: a broken transfer leaves nothing behind."""

    _temporary: Optional[Path]

    def __init__(self, path: FilePath) -> None:
        self._path = Path(os.path.realpath(path))
        if self._path.exists() and not self._path.is_file():
            # A device or a pipe is written to, and not replaced. A folder cannot be opened.
            self._temporary = None
            self._file = open(self._path, "wb")
            return
        # Not from tempfile, whose files have the mode 0600: this one becomes the caller's.
        self._temporary = self._path.with_name(f".{secrets.token_hex(8)}.part")
        self._file = open(self._temporary, "xb")

    def write(self, part: bytes) -> None:
        self._file.write(part)

    def __enter__(self) -> PartialFile:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        try:
            self._file.close()
            if kind is None and self._temporary is not None:
                os.replace(self._temporary, self._path)
        finally:
            if self._temporary is not None:
                self._temporary.unlink(missing_ok=True)
