"""The snippets of the README run as they are."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import List

import pytest

SNIPPETS: List[str] = re.findall(
    r"^```python\n(.*?)^```$",
    (Path(__file__).parent.parent / "README.md").read_text("utf-8"),
    re.MULTILINE | re.DOTALL,
)


def test_the_readme_has_snippets() -> None:
    assert len(SNIPPETS) >= 8


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_a_snippet_runs(snippet: str, tmp_path: Path) -> None:
    """Runs it with the variables of the README, in a process and folder of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", snippet],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    # Snippets print what they got, or write it.
    assert done.stdout.strip() or list(tmp_path.glob("*.pdf"))
