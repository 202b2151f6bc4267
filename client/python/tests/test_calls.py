"""The operations, against the real service."""

from __future__ import annotations

import os
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from utility_api import ApiConnectionError, Pdf, UtilityApi, UtilityApiError, __version__


def test_validates_an_address(api: UtilityApi) -> None:
    result = api.validate_email("ann+x@gmail.com", details=True)
    assert result["email"] == "ann+x@gmail.com"
    assert result["valid"] and result["mx_found"]
    assert result["details"]["sub_address"] == "x"
    assert api.validate_email("ann@gmial.com")["did_you_mean"] == "ann@gmail.com"


def test_options_have_the_names_of_the_api_and_none_is_not_sent(api: UtilityApi) -> None:
    result = api.validate_email("ann@gmail.com", check_mx=False, suggest=None)
    assert not result["mx_found"]
    with pytest.raises(TypeError, match=r"validate_email\(\) got an unexpected keyword argument 'mx'"):
        api.validate_email("ann@example.com", mx=True)  # type: ignore[call-arg]


def test_texts_arrive_as_they_are(api: UtilityApi) -> None:
    for email in ["a+b@example.com", "a b&c=d@example.com", "ünï%2B@example.com", "a/?#@example.com"]:
        assert api.validate_email(email)["email"] == email


def test_surrogates_without_a_partner_are_replaced(api: UtilityApi) -> None:
    assert api.validate_email("a\ud800@example.com")["email"] == "a\ufffd@example.com"
    emails = ["a\udfff@example.com", "\ud83d\ude00@example.com"]
    rows = list(api.validate_email_batch(emails, check_mx=False))
    assert [row["email"] for row in rows] == ["a\ufffd@example.com", "\U0001f600@example.com"]


def test_reads_the_metadata_of_a_page(api: UtilityApi, page_url: str) -> None:
    page = api.get_metadata(page_url, details=True, timeout=5000, render="auto")
    assert page["title"] == "A local page"
    assert page["og"]["title"] == "Local"
    assert page["details"]["status"] == 200


def test_with_response_has_the_rate_limit_and_the_request_id(api: UtilityApi) -> None:
    response = api.with_response.validate_email("ann@gmail.com")
    assert response.data["valid"]
    assert response.status == 200
    assert response.request_id == response.headers["x-request-id"]
    assert response.rate_limit is not None
    assert response.rate_limit.remaining < response.rate_limit.limit == 10_000_000
    seconds = (response.rate_limit.reset_at - datetime.now(timezone.utc)).total_seconds()
    assert -1 < seconds <= 60


def test_an_error_has_the_members_of_the_service(api: UtilityApi) -> None:
    with pytest.raises(UtilityApiError) as raised:
        api.get_metadata("ftp://example.com")
    error = raised.value
    assert (error.code, error.status, error.param) == ("invalid_url", 400, "url")
    assert error.message.startswith("The URL is not absolute")
    assert error.request_id
    assert error.rate_limit is not None
    assert str(error) == f"invalid_url: {error.message}"


def test_a_wrong_key_is_unauthorized() -> None:
    with UtilityApi("ua_live_wrong") as client, pytest.raises(UtilityApiError) as raised:
        client.validate_email("ann@example.com")
    assert raised.value.code == "unauthorized"


def test_renders_a_pdf(api: UtilityApi, tmp_path: Path) -> None:
    html = "<h1>Invoice</h1><p style='break-before: page'>2</p><img src='http://127.0.0.1:1/x.png'>"
    pdf = api.generate_pdf(html, page_size="A5", margin_top="1cm")
    assert pdf.content.startswith(b"%PDF-") and bytes(pdf) == pdf.content
    assert pdf.pages == 2
    assert pdf.warning_count == len(pdf.warnings) == 1
    assert "http://127.0.0.1:1/x.png" in pdf.warnings[0]
    target = tmp_path / "invoice.pdf"
    target.write_bytes(b"older")
    pdf.save(target)
    assert target.read_bytes() == pdf.content
    assert list(tmp_path.iterdir()) == [target]


def test_a_pdf_is_written_through_links_and_into_devices(tmp_path: Path) -> None:
    pdf = Pdf(1, 0, [], 4, b"%PDF")
    target, link, pipe = tmp_path / "target.pdf", tmp_path / "link.pdf", tmp_path / "pipe"
    target.write_bytes(b"older")
    link.symlink_to(target)
    pdf.save(link)
    assert link.is_symlink() and target.read_bytes() == b"%PDF"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    pdf.save(pipe)
    assert os.read(reader, 99) == b"%PDF" and not pipe.is_file()
    os.close(reader)
    with pytest.raises(IsADirectoryError):
        pdf.save(tmp_path)


def test_streams_a_pdf_to_a_file(api: UtilityApi, tmp_path: Path) -> None:
    target = tmp_path / "invoice.pdf"
    with api.stream_pdf("<p>Hello</p>") as pdf:
        assert (pdf.pages, pdf.warnings) == (1, [])
        assert pdf.response.rate_limit is not None
        pdf.save(target)
    assert len(target.read_bytes()) == pdf.size
    with api.stream_pdf("<p>Hello</p>") as pdf:
        assert b"".join(pdf.iter_bytes()).startswith(b"%PDF-")


def test_an_error_of_a_pdf_is_raised_where_the_block_begins(api: UtilityApi) -> None:
    with pytest.raises(UtilityApiError, match="missing_html"):
        with api.stream_pdf(" "):
            raise AssertionError("the block must not run")


def test_a_batch_of_any_length_has_a_row_for_each_address_in_order(api: UtilityApi) -> None:
    emails = [f"user{number}@example.com" for number in range(2_345)]
    results = list(api.validate_email_batch((email for email in emails), check_mx=False))
    assert [result["email"] for result in results] == emails


def test_a_batch_of_pages_has_results_and_errors(api: UtilityApi, page_url: str) -> None:
    urls = [page_url, "nonsense"] * 51
    items = list(api.get_metadata_batch(urls))
    assert [item["index"] for item in items] == list(range(102))
    assert {item.get("title") for item in items[::2]} == {"A local page"}
    assert {item["error"]["error"] for item in items[1::2]} == {"invalid_url"}


def test_a_batch_takes_no_single_text(api: UtilityApi) -> None:
    with pytest.raises(TypeError, match="an iterable of strings"):
        api.validate_email_batch("ann@example.com")
    assert list(api.validate_email_batch([])) == []


def test_a_batch_is_as_small_as_the_plan_permits(small_key: str) -> None:
    emails = [f"a{number}@example.com" for number in range(20)]
    received = []
    with UtilityApi(small_key, max_retries=0) as client:
        with pytest.raises(UtilityApiError) as raised:
            for row in client.validate_email_batch(emails, check_mx=False):
                received.append(row["email"])
    # A minute has 5 units, of which the refusal of all 20 took one. This client does not wait for
    # the next minute, but the test may have begun at the end of one.
    assert raised.value.code == "rate_limit_exceeded"
    assert 4 <= len(received) <= 9 and received == emails[: len(received)]


def test_the_key_and_the_address_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UTILITY_API_KEY")
    with pytest.raises(ValueError, match="UTILITY_API_KEY"):
        UtilityApi()
    with pytest.raises(ValueError) as raised:
        UtilityApi("secret\nkey")
    assert "secret" not in str(raised.value)
    for url in ["", "example.com", "ftp://example.com", "http://u:p@example.com", "http://x?y", "http://x:99999"]:
        with pytest.raises(ValueError, match="base_url"):
            UtilityApi("key", url)
    for name in ["timeout", "total_timeout"]:
        with pytest.raises(ValueError, match=name):
            UtilityApi("key", "http://127.0.0.1", **{name: 0})  # type: ignore[arg-type]


def test_a_service_that_does_not_listen_is_a_connection_error() -> None:
    with UtilityApi("key", "http://127.0.0.1:9", max_retries=0) as client:
        with pytest.raises(ApiConnectionError) as raised:
            client.validate_email("ann@example.com")
    assert raised.value.code == "connection_failed"
    assert raised.value.status is None and raised.value.__cause__ is not None


def test_the_program_says_which_client_it_is() -> None:
    from utility_api._settings import USER_AGENT

    assert USER_AGENT == f"utility-api-client-python/{__version__}"


def test_none_is_no_address_and_does_not_end_a_batch(api: UtilityApi) -> None:
    nothing: Any = None
    with pytest.raises(TypeError, match="email must be a str, not NoneType"):
        api.validate_email(nothing)
    with pytest.raises(TypeError, match="url must be a str, not NoneType"):
        api.get_metadata(nothing)
    with pytest.raises(TypeError, match="emails must be strings, not NoneType"):
        list(api.validate_email_batch(["ann@example.com", nothing, "bob@example.com"]))
