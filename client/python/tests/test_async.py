"""The asynchronous client, on asyncio and trio."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, AsyncIterator, Tuple

import anyio
import pytest

from hostile import HostileServer, refuse, reply, rows
from utility_api import ApiConnectionError, ApiTimeoutError, AsyncUtilityApi, UtilityApi, UtilityApiError

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> Any:
    return request.param


async def test_the_operations(page_url: str, tmp_path: Path) -> None:
    async with AsyncUtilityApi() as api:
        assert (await api.validate_email("ann@gmial.com"))["did_you_mean"] == "ann@gmail.com"
        response = await api.with_response.get_metadata(page_url)
        assert response.data["title"] == "A local page" and response.rate_limit is not None
        assert (await api.generate_pdf("<p>x</p>")).pages == 1
        target = tmp_path / "x.pdf"
        async with api.stream_pdf("<p>x</p>", page_size="A5") as pdf:
            await pdf.save(target)
        assert len(target.read_bytes()) == pdf.size
        with pytest.raises(UtilityApiError, match="invalid_url"):
            await api.get_metadata("x")


async def test_a_batch_takes_synchronous_and_asynchronous_input(page_url: str) -> None:
    async def generate() -> AsyncIterator[str]:
        for number in range(1_500):
            yield f"a{number}@example.com"

    async with AsyncUtilityApi() as api:
        rows_received = [row async for row in api.validate_email_batch(generate(), check_mx=False)]
        assert [row["email"] for row in rows_received] == [email async for email in generate()]
        items = [item async for item in api.get_metadata_batch([page_url, "x"])]
        assert [("error" in item, item["index"]) for item in items] == [(False, 0), (True, 1)]


async def test_calls_at_once() -> None:
    found = []
    async with AsyncUtilityApi() as api, anyio.create_task_group() as group:

        async def validate(email: str) -> None:
            found.append((await api.validate_email(email, check_mx=False))["email"])

        for number in range(50):
            group.start_soon(validate, f"a{number}@example.com")
    # The group has ended before the client is closed.
    assert len(set(found)) == 50


@pytest.mark.usefixtures("short_delays")
async def test_retries_and_resumed_batches(hostile: HostileServer) -> None:
    hostile.responses = [
        refuse(503, "overloaded", {"retry-after": "0"}),
        reply(200, {"email": "a@b.co"}),
        rows("a@b.co", announced=900, tail=b'{"email'),
        rows("b@b.co"),
    ]
    async with AsyncUtilityApi("test-key", hostile.url) as api:
        assert (await api.validate_email("a@b.co"))["email"] == "a@b.co"
        emails = [row["email"] async for row in api.validate_email_batch(["a@b.co", "b@b.co"])]
    assert emails == ["a@b.co", "b@b.co"]
    assert json.loads(hostile.requests[-1].body)["emails"] == ["b@b.co"]


async def test_a_broken_transfer_leaves_no_file(hostile: HostileServer, tmp_path: Path) -> None:
    kind = {"content-type": "application/pdf"}
    hostile.responses = [reply(200, b"%PDF", kind, announced=500)]
    async with AsyncUtilityApi("test-key", hostile.url) as api:
        with pytest.raises(ApiConnectionError):
            async with api.stream_pdf("<p>x</p>") as pdf:
                await pdf.save(tmp_path / "x.pdf")
    assert list(tmp_path.iterdir()) == []


async def test_time_limits_and_cancellation(hostile: HostileServer) -> None:
    hostile.silent.set()
    async with AsyncUtilityApi("test-key", hostile.url, max_retries=0) as api:
        with pytest.raises(ApiTimeoutError):
            await api.with_options(timeout=0.1).validate_email("a@b.co")
        with anyio.move_on_after(0.1) as scope:
            await api.validate_email("a@b.co")
        assert scope.cancelled_caught


def test_both_clients_have_the_same_methods() -> None:
    def names(kind: type) -> Tuple[str, ...]:
        return tuple(sorted(name for name in vars(kind) if not name.startswith("_")))

    assert names(UtilityApi) == names(AsyncUtilityApi)
