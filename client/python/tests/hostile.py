"""A server on loopback that answers each request with bytes that a test has written."""

from __future__ import annotations

import json
import socket
import threading
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Dict, List, Optional, Type

from utility_api import UtilityApi

LIMIT_HEADERS = {"x-ratelimit-limit": "6000", "x-ratelimit-remaining": "5999", "x-ratelimit-reset": "1800000000"}


@dataclass
class Received:
    """A request as it arrived."""

    line: str
    headers: Dict[str, str]
    body: bytes

    @property
    def emails(self) -> List[str]:
        return list(json.loads(self.body)["emails"])


def reply(
    status: int = 200,
    body: object = b"{}",
    headers: Optional[Dict[str, str]] = None,
    *,
    announced: Optional[int] = None,
) -> bytes:
    """Return a response. With `announced`, it announces that many bytes and breaks off before."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = {
        "content-type": "application/json",
        "content-length": str(len(content) if announced is None else announced),
        "connection": "close",
        "x-request-id": "request-1",
        **LIMIT_HEADERS,
        **(headers or {}),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} X\r\n{head}\r\n".encode() + content


def refuse(status: int, code: str, headers: Optional[Dict[str, str]] = None) -> bytes:
    """Return an error response of the service."""
    return reply(status, {"error": code, "message": "No.", "request_id": "request-1"}, headers)


def rows(*emails: str, announced: Optional[int] = None, tail: bytes = b"") -> bytes:
    """Return a response with a line for each address."""
    text = "".join(json.dumps({"email": email, "domain": "ü"}) + "\n" for email in emails)
    kind = {"content-type": "application/x-ndjson; charset=utf-8"}
    return reply(200, text.encode() + tail, kind, announced=announced)


class HostileServer:
    """Answers the requests with the responses of the list, then closes connections at once."""

    def __init__(self) -> None:
        self.responses: List[Optional[bytes]] = []
        """The responses; None closes the connection without one."""
        self.silent = threading.Event()
        """While it is set, requests are read and not answered."""
        self.drip_seconds = 0.0
        """The time between the last bytes of a response, if it is not 0."""
        self.requests: List[Received] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: List[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def client(self, **options: float) -> UtilityApi:
        """Return a client of this server."""
        return UtilityApi("test-key", self.url, **options)  # type: ignore[arg-type]

    def __enter__(self) -> HostileServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        # Closing alone does not wake a thread that waits in accept().
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            connection.close()
        self._thread.join(5)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            self._answer(connection)

    def _answer(self, connection: socket.socket) -> None:
        try:
            self.requests.append(_read_request(connection))
            if self.silent.is_set():
                return
            response = self.responses.pop(0) if self.responses else None
            if response is not None:
                self._send(connection, response)
        except (OSError, ValueError):
            pass
        connection.close()

    def _send(self, connection: socket.socket, response: bytes) -> None:
        dripped = 100 if self.drip_seconds else 0
        connection.sendall(response[: len(response) - dripped])
        for byte in response[len(response) - dripped :]:
            connection.sendall(bytes([byte]))
            time.sleep(self.drip_seconds)


def _read_request(connection: socket.socket) -> Received:
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            raise ValueError("no whole request")
        data += part
    head, body = data.split(b"\r\n\r\n", 1)
    line, *others = head.decode("latin-1").split("\r\n")
    headers = dict(other.lower().split(": ", 1) for other in others)
    while len(body) < int(headers.get("content-length", "0")):
        body += connection.recv(65536)
    return Received(line, headers, body)
