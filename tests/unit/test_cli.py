"""The `tableside` command: one line for wrong use, quiet ends, a fast start."""

import subprocess
import sys
from pathlib import Path

import pytest

from firmware_py.cli import main


def run(*args: str, end: str = "") -> "subprocess.CompletedProcess[str]":
    command = f"{sys.executable} -m firmware_py.cli {' '.join(args)} {end}"
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["evnt"], "invalid choice: 'evnt'"),
        (["event"], "the following arguments are required: new|check|show"),
        (["event", "new", "--structure", "x"], "invalid choice: 'x'"),
        (["journal", "verify"], "the following arguments are required: DIR"),
    ],
)
def test_wrong_use_is_one_line_and_code_2(
    args: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(args)
    assert end.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line
    assert line.endswith("--help")


def test_bad_input_ends_with_code_2_and_no_traceback() -> None:
    done = run("event", "check", "no-such-file.toml")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("no-such-file.toml: there is no such file")
    assert len(done.stderr.splitlines()) == 1


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "event.toml"
    assert main(["event", "new", str(file)]) == 0
    done = run("event", "show", str(file), end="| true; echo ${PIPESTATUS[0]}")
    assert done.stdout.strip() in ("0", "141")
    assert done.stderr == ""


def test_looking_for_help_loads_no_heavy_part() -> None:
    heavy = {"pygame", "nats", "sqlite3", "msgspec", "cryptography", "zeroconf", "asyncio"}
    code = "import sys, firmware_py.cli as c; c.parser(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not heavy & set(done.stdout.split())
