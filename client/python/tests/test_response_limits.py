"""Responses of a hostile service that are larger than the caller accepts."""

from __future__ import annotations

import gzip
import math
import tracemalloc
import zlib
from pathlib import Path
from typing import Any, Callable, List

import httpx
import pytest

from hostile import HostileServer, reply, rows
from utility_api import ApiConnectionError, AsyncUtilityApi, UtilityApi, UtilityApiError

GZIP = {"content-encoding": "gzip"}
LINES = {"content-type": "application/x-ndjson"}
PDF = {"content-type": "application/pdf", "x-pdf-pages": "1"}
MIB = 1024 * 1024


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> Any:
    return request.param


def result(size: int) -> bytes:
    return b'{"email": "' + b"a" * (size - 13) + b'"}'


def measure_peak(work: Callable[[], object]) -> int:
    """Return the most memory that was allocated at once."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def fail(client: UtilityApi, call: Callable[[UtilityApi], object]) -> UtilityApiError:
    with client, pytest.raises(UtilityApiError) as raised:
        call(client)
    return raised.value


def test_a_result_is_limited(hostile: HostileServer) -> None:
    hostile.responses = [reply(200, result(1_000)), reply(200, result(1_001))]
    with hostile.client(max_response_bytes=1_000) as client:
        assert len(client.validate_email("a@b.co")["email"]) == 987
    error = fail(hostile.client(max_response_bytes=1_000), lambda api: api.validate_email("a@b.co"))
    assert (error.code, error.status) == ("unexpected_response", 200)
    assert error.message == "The response has more than 1000 bytes (max_response_bytes)."
    assert len(hostile.requests) == 2


def test_a_compressed_body_is_limited_by_what_it_contains(hostile: HostileServer) -> None:
    hostile.responses = [reply(200, gzip.compress(b" " * (200 * MIB)), GZIP)]

    def read() -> None:
        error = fail(hostile.client(), lambda api: api.get_metadata("https://a.example"))
        assert "more than 16777216 bytes" in error.message

    # 16 MiB, and room to grow; the decoders of httpx make 64 MB of one part.
    assert measure_peak(read) < 48 * MIB


def test_line_feeds_are_limited_and_not_collected(hostile: HostileServer) -> None:
    hostile.responses = [reply(200, gzip.compress(b"\n" * (100 * MIB)), {**LINES, **GZIP})]

    def read() -> None:
        error = fail(hostile.client(), lambda api: list(api.validate_email_batch(["a@b.co"])))
        assert error.code == "unexpected_response"

    assert measure_peak(read) < 4 * MIB


def test_a_row_is_limited_and_not_the_sum_of_rows(hostile: HostileServer) -> None:
    emails = ["a" * 400 + "@b.co"] * 20
    hostile.responses = [rows(*emails)]
    with hostile.client(max_response_bytes=500) as client:
        assert len(list(client.validate_email_batch(emails))) == 20
    hostile.responses = [rows(emails[0], "a" * 600)]
    received: List[str] = []

    def read(api: UtilityApi) -> None:
        for row in api.validate_email_batch(emails[:2]):
            received.append(row["email"])

    error = fail(hostile.client(max_response_bytes=500), read)
    assert "more than 500 bytes" in error.message and received == emails[:1]


def test_a_pdf_is_limited_at_its_head_or_as_it_arrives(hostile: HostileServer, tmp_path: Path) -> None:
    whole = b"%PDF" + b"x" * 996
    target = tmp_path / "x.pdf"
    endless = {**PDF, **GZIP}

    def save(api: UtilityApi) -> None:
        with api.stream_pdf("<p>x</p>") as pdf:
            pdf.save(target)

    hostile.responses = [reply(200, whole, PDF), reply(200, gzip.compress(whole), endless)]
    with hostile.client(max_response_bytes=1_000) as client:
        assert client.generate_pdf("<p>x</p>").content == whole
        assert client.generate_pdf("<p>x</p>").content == whole
    for response in [reply(200, whole + b"x", PDF), reply(200, gzip.compress(whole + b"x"), endless)]:
        hostile.responses = [response, response]
        for call in [save, lambda api: api.generate_pdf("<p>x</p>")]:
            error = fail(hostile.client(max_response_bytes=1_000), call)
            assert "more than 1000 bytes" in error.message
    assert list(tmp_path.iterdir()) == [] and hostile.responses == []


# trio warns of the generators of httpx when a body is not read to its end.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.anyio
async def test_the_asynchronous_client_has_the_same_limits(hostile: HostileServer) -> None:
    async with AsyncUtilityApi("test-key", hostile.url, max_response_bytes=1_000) as client:
        hostile.responses = [reply(200, gzip.compress(result(1_000)), GZIP)]
        assert len((await client.validate_email("a@b.co"))["email"]) == 987
        for body, headers in [(result(1_001), {}), (b"\n" * 1_001, LINES), (b"x" * 1_001, PDF)]:
            hostile.responses = [reply(200, gzip.compress(body), {**headers, **GZIP})]
            with pytest.raises(UtilityApiError, match="more than 1000 bytes"):
                if headers is LINES:
                    _ = [row async for row in client.validate_email_batch(["a@b.co"])]
                elif headers is PDF:
                    await client.generate_pdf("<p>x</p>")
                else:
                    await client.validate_email("a@b.co")


def test_infinity_turns_the_limit_off_and_zero_is_no_limit(hostile: HostileServer) -> None:
    hostile.responses = [reply(200, result(17_000_000))]
    with hostile.client(max_response_bytes=math.inf) as client:
        assert len(client.validate_email("a@b.co")["email"]) > 16 * MIB
        for wrong in [0, -1, math.nan]:
            with pytest.raises(ValueError, match="max_response_bytes"):
                client.with_options(max_response_bytes=wrong)


def test_only_gzip_is_asked_for_and_decoded(hostile: HostileServer) -> None:
    body = zlib.compress(result(100))
    for encoding in ["deflate", "br", "gzip, gzip"]:
        hostile.responses = [reply(200, body, {"content-encoding": encoding})]
        error = fail(hostile.client(), lambda api: api.validate_email("a@b.co"))
        assert error.code == "unexpected_response"
    assert {request.headers["accept-encoding"] for request in hostile.requests} == {"gzip"}


@pytest.mark.usefixtures("short_delays")
def test_a_compressed_body_that_breaks_off_is_repeated(hostile: HostileServer) -> None:
    body = gzip.compress(result(100))
    for broken in [body[:-9], b"no gzip"]:
        hostile.responses = [reply(200, broken, GZIP), reply(200, body, GZIP)]
        with hostile.client() as client:
            assert len(client.validate_email("a@b.co")["email"]) == 87
    hostile.responses = [reply(200, body[:-9], {**PDF, **GZIP})]
    assert isinstance(fail(hostile.client(), lambda api: api.generate_pdf("x")), ApiConnectionError)


def test_a_transport_of_tests_that_has_the_body_in_memory_works() -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json={"email": "a@b.co"}))
    http = httpx.Client(transport=transport)
    with UtilityApi("key", "http://127.0.0.1:9", http_client=http) as client:
        assert client.validate_email("a@b.co")["email"] == "a@b.co"
