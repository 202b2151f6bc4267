"""Failed attempts are repeated by the rules of the README, against a hostile server."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import List, Optional

import httpx
import pytest

from hostile import HostileServer, refuse, reply, rows
from utility_api import ApiConnectionError, ApiTimeoutError, Retry, UtilityApi, UtilityApiError, _retries
from utility_api._batch import EMAIL_BATCH, METADATA_BATCH

OK = reply(200, {"email": "a@b.co"})
PDF = reply(200, b"%PDF-1.7", {"content-type": "application/pdf", "x-pdf-pages": "1"})


@pytest.mark.usefixtures("short_delays")
@pytest.mark.parametrize("failure", [None, 429, 500, 502, 503, 504, 507])
def test_a_transient_failure_is_repeated(hostile: HostileServer, failure: Optional[int]) -> None:
    broken = None if failure is None else refuse(failure, "x")
    hostile.responses = [broken, broken, OK]
    retries: List[Retry] = []
    with UtilityApi("test-key", hostile.url, on_retry=retries.append) as client:
        assert client.validate_email("a@b.co")["email"] == "a@b.co"
    assert [retry.attempt for retry in retries] == [1, 2]
    assert {retry.error.status for retry in retries} == {failure}


@pytest.mark.parametrize("status", [400, 401, 404, 408, 413, 422])
def test_other_statuses_are_not_repeated(hostile: HostileServer, status: int) -> None:
    hostile.responses = [refuse(status, "x"), OK]
    with hostile.client() as client, pytest.raises(UtilityApiError) as raised:
        client.validate_email("a@b.co")
    assert raised.value.status == status and len(hostile.requests) == 1


@pytest.mark.usefixtures("short_delays")
@pytest.mark.parametrize(("status", "attempts"), [(429, 2), (503, 2), (500, 1), (504, 1)])
def test_a_render_that_failed_is_not_repeated(
    hostile: HostileServer, status: int, attempts: int
) -> None:
    hostile.responses = [refuse(status, "x"), PDF]
    with hostile.client() as client:
        if attempts == 1:
            with pytest.raises(UtilityApiError):
                client.generate_pdf("<p>x</p>")
        else:
            assert client.generate_pdf("<p>x</p>").pages == 1
    assert len(hostile.requests) == attempts


@pytest.mark.usefixtures("short_delays")
def test_max_retries_bounds_the_repetitions(hostile: HostileServer) -> None:
    hostile.responses = [refuse(503, "overloaded")] * 9
    with hostile.client() as client:
        with pytest.raises(UtilityApiError, match="overloaded"):
            client.validate_email("a@b.co")
        assert len(hostile.requests) == 3
        with pytest.raises(UtilityApiError):
            client.with_options(max_retries=0).validate_email("a@b.co")
        assert len(hostile.requests) == 4


@pytest.mark.usefixtures("short_delays")
def test_retry_after_is_honored_up_to_a_minute(hostile: HostileServer) -> None:
    limit = {"retry-after": "1"}
    hostile.responses = [refuse(429, "rate_limit_exceeded", limit), OK]
    retries: List[Retry] = []
    with UtilityApi("test-key", hostile.url, on_retry=retries.append) as client:
        started = time.monotonic()
        client.validate_email("a@b.co")
        assert time.monotonic() - started >= 1
        assert retries[0].delay_seconds >= 1 and retries[0].error.retry_after_seconds == 1
        hostile.responses = [refuse(503, "overloaded", {"retry-after": "61"}), OK]
        with pytest.raises(UtilityApiError) as raised:
            client.validate_email("a@b.co")
    assert raised.value.retry_after_seconds == 61


def test_a_wait_that_does_not_fit_into_the_total_timeout_is_not_begun(hostile: HostileServer) -> None:
    hostile.responses = [refuse(429, "rate_limit_exceeded", {"retry-after": "30"}), OK]
    with hostile.client(total_timeout=5) as client, pytest.raises(UtilityApiError) as raised:
        client.validate_email("a@b.co")
    assert raised.value.code == "rate_limit_exceeded" and len(hostile.requests) == 1


def test_the_delays_grow_to_a_limit_and_are_spread() -> None:
    for failures, longest in [(0, 0.5), (1, 1.0), (2, 2.0), (9, 8.0)]:
        delays = [_retries._compute_delay(None, failures) for _ in range(50)]
        assert longest / 2 <= min(delays) < max(delays) <= longest


def test_a_silent_service_times_out(hostile: HostileServer) -> None:
    hostile.silent.set()
    with hostile.client(timeout=0.1, max_retries=0) as client, pytest.raises(ApiTimeoutError) as raised:
        client.validate_email("a@b.co")
    assert raised.value.code == "client_timeout" and "(timeout)" in raised.value.message
    with hostile.client(total_timeout=0.1) as client, pytest.raises(ApiTimeoutError) as raised:
        client.validate_email("a@b.co")
    assert "total_timeout" in raised.value.message


def test_a_render_that_took_too_long_is_not_repeated(hostile: HostileServer) -> None:
    hostile.silent.set()
    with hostile.client(timeout=0.1) as client, pytest.raises(ApiTimeoutError):
        client.generate_pdf("<p>x</p>")
    assert len(hostile.requests) == 1


def test_a_batch_uses_what_is_left_of_the_minute(hostile: HostileServer) -> None:
    emails = ["a@b.co", "b@b.co", "c@b.co"]
    left = {"retry-after": "59", "x-ratelimit-remaining": "2"}
    hostile.responses = [refuse(429, "rate_limit_exceeded", left), rows(*emails[:2]), rows("c@b.co")]
    with hostile.client() as client:
        assert [row["email"] for row in client.validate_email_batch(emails)] == emails
    assert [request.emails for request in hostile.requests] == [emails, emails[:2], emails[2:]]


def test_a_batch_of_urls_has_90_seconds_unless_the_caller_chose_a_timeout() -> None:
    client = UtilityApi("key", "http://127.0.0.1:9")
    assert client._settings.for_batch(METADATA_BATCH.timeout).timeout == 90
    assert client._settings.for_batch(EMAIL_BATCH.timeout).timeout == 60
    for chosen in [client.with_options(timeout=60), UtilityApi("key", "http://127.0.0.1:9", timeout=60)]:
        chosen = chosen.with_options(max_retries=1)
        assert chosen._settings.for_batch(METADATA_BATCH.timeout).timeout == 60


def test_a_body_that_drips_times_out(hostile: HostileServer) -> None:
    hostile.drip_seconds = 0.05
    hostile.responses = [reply(200, b'{"email": "' + b"a" * 500 + b'"}')]
    with hostile.client(timeout=0.3, max_retries=0) as client, pytest.raises(ApiTimeoutError) as raised:
        client.validate_email("a@b.co")
    assert "did not end within 0.3 s" in raised.value.message


def test_a_redirect_is_not_followed_with_the_key(hostile: HostileServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        target = f"http://127.0.0.1:{other.getsockname()[1]}/"
        hostile.responses = [reply(302, b"", {"location": target})]
        http = httpx.Client(follow_redirects=True)
        with UtilityApi("test-key", hostile.url, http_client=http) as client:
            with pytest.raises(UtilityApiError) as raised:
                client.validate_email("a@b.co")
        other.setblocking(False)
        with pytest.raises(BlockingIOError):
            other.accept()
    assert raised.value.code == "unexpected_response" and target in raised.value.message


@pytest.mark.parametrize(
    "response",
    [
        reply(200, b"<html>Sign in</html>", {"content-type": "text/html"}),
        reply(200, b"[]"),
        reply(200, b"[" * 100_000),
        reply(204, b""),
        reply(403, b"<html>Forbidden</html>", {"content-type": "text/html"}),
        reply(404, b"\xff\xfe"),
        reply(400, b'{"error": 1}'),
        reply(400, b"{}", {"retry-after": "Mon, 01 Jan 99999999999999999999 00:00:00 GMT"}),
        reply(200, b'{"domain": "' + b"x" * 17_000_000 + b'"}'),
    ],
)
def test_a_response_of_something_else_is_unexpected(hostile: HostileServer, response: bytes) -> None:
    hostile.responses = [response] * 2
    with hostile.client() as client:
        with pytest.raises(UtilityApiError) as raised:
            client.validate_email("a@b.co")
        assert raised.value.code == "unexpected_response"
        with pytest.raises(UtilityApiError):
            client.generate_pdf("<p>x</p>")


@pytest.mark.usefixtures("short_delays")
def test_a_body_that_breaks_off_is_repeated_and_leaves_no_file(
    hostile: HostileServer, tmp_path: Path
) -> None:
    hostile.responses = [reply(200, b'{"email', announced=500), OK]
    with hostile.client() as client:
        assert client.validate_email("a@b.co")["email"] == "a@b.co"
        kind = {"content-type": "application/pdf", "x-pdf-pages": "1"}
        hostile.responses = [reply(200, b"%PDF", kind, announced=500)]
        with pytest.raises(ApiConnectionError):
            with client.stream_pdf("<p>x</p>") as pdf:
                pdf.save(tmp_path / "x.pdf")
        hostile.responses = [reply(200, b"%PDF", kind, announced=500), PDF]
        with pytest.raises(ApiConnectionError):
            client.generate_pdf("<p>x</p>")
    # The render of a PDF is not repeated for a body that was lost.
    assert len(hostile.responses) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("short_delays")
def test_a_batch_continues_where_its_stream_broke(hostile: HostileServer) -> None:
    emails = [f"{letter}@b.co" for letter in "abcde"]
    hostile.responses = [
        rows("a@b.co", "b@b.co", announced=900, tail=b'{"email": "c@'),
        None,
        rows("c@b.co", tail=b"\n \n"),
        rows("d@b.co", "e@b.co", tail=b'{"email": "more"}\n'),
    ]
    with hostile.client() as client:
        results = list(client.validate_email_batch(emails))
    assert [result["email"] for result in results] == emails
    assert results[0]["domain"] == "ü"
    assert [request.emails for request in hostile.requests] == [
        emails,
        emails[2:],
        emails[2:],
        emails[3:],
    ]


@pytest.mark.usefixtures("short_delays")
def test_a_batch_that_makes_no_progress_ends_after_its_rows(hostile: HostileServer) -> None:
    hostile.responses = [rows("a@b.co")] + [None] * 9
    received = []
    with hostile.client() as client, pytest.raises(ApiConnectionError):
        for row in client.validate_email_batch(["a@b.co", "b@b.co"]):
            received.append(row["email"])
    assert received == ["a@b.co"] and len(hostile.requests) == 3


def test_lines_that_are_no_json_are_unexpected(hostile: HostileServer) -> None:
    for response in [rows(tail=b"<html>\n"), rows(tail=b"1\n"), reply(200, b"{}")]:
        hostile.responses = [response]
        with hostile.client() as client, pytest.raises(UtilityApiError) as raised:
            list(client.validate_email_batch(["a@b.co"]))
        assert raised.value.code == "unexpected_response"


def test_a_consumer_that_stops_ends_the_request(hostile: HostileServer) -> None:
    hostile.responses = [rows("a@b.co", announced=10_000)]
    with hostile.client() as client:
        for row in client.validate_email_batch(["a@b.co", "b@b.co"]):
            assert row["email"] == "a@b.co"
            break
    assert len(hostile.requests) == 1


def test_the_key_is_only_in_its_header(hostile: HostileServer) -> None:
    hostile.responses = [OK]
    with hostile.client() as client:
        client.validate_email("a+b c@b.co")
        assert "test-key" not in repr(client) + repr(client._settings)
    [request] = hostile.requests
    assert request.line == "GET /v1/email/validate?email=a%2Bb%20c%40b.co HTTP/1.1"
    assert request.headers["x-api-key"] == "test-key"
