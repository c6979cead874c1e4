"""Offline mode: what is refused, by which door, and who is named."""

import asyncio
import json
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
import uvloop

from ragstone.core.errors import SettingError, UserError
from ragstone.core.offline import Allowed, OfflineError, refusals, require
from tests.conftest import Cli

FAR = "192.0.2.7"
"""An address reserved for examples."""


def _child(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a piece of code in a process that is guarded."""
    head = "import os\nfrom ragstone.core import offline\noffline.guard(os.environ['PLACES'].split(','))\n"
    given = {"PLACES": "", "PATH": "", **env}
    words = [sys.executable, "-c", head + textwrap.dedent(code)]
    return subprocess.run(words, capture_output=True, encoding="utf-8", env=given, check=False, timeout=60)


@pytest.mark.parametrize(
    ("host", "fits"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("[::1]", True),
        ("::ffff:127.0.0.1", True),
        ("0.0.0.0", True),
        ("localhost", True),
        ("LOCALHOST.", True),
        ("10.1.2.3", True),
        ("11.1.2.3", False),
        ("::ffff:11.1.2.3", False),
        ("fe80::1%eth0", False),
        ("rag.example.org", True),
        ("a.b.example.net", True),
        ("example.net", False),
        ("badexample.net", False),
        ("rag.example.org.evil.test", False),
        ("localhost.evil.test", False),
        ("2130706433", False),
    ],
)
def test_a_host_fits_the_list_or_not(host: str, fits: bool) -> None:
    """Networks, names and names below a name; nothing is looked up."""
    allowed = Allowed(["10.0.0.0/8", "RAG.example.org", "*.example.net"])

    assert allowed.has(host) is fits


@pytest.mark.parametrize("place", ["http://a.test", "a.test:80", "10.0.0.0/99"])
def test_a_place_that_is_none_is_refused(place: str) -> None:
    """A list that does not say what it seems to say is no list."""
    with pytest.raises(SettingError, match="no port, no scheme"):
        Allowed([place])


def test_the_tests_themselves_run_offline() -> None:
    """No test can reach beyond this machine."""
    with pytest.raises(OfflineError, match=FAR):
        socket.create_connection((FAR, 9), timeout=1)


DOORS: dict[str, Callable[[socket.socket], object]] = {
    "connect": lambda udp: socket.create_connection((FAR, 9), timeout=1),
    "connect_ex": lambda udp: socket.socket().connect_ex((FAR, 9)),
    "sendto": lambda udp: udp.sendto(b"x", (FAR, 53)),
    "sendmsg": lambda udp: udp.sendmsg([b"x"], [], 0, (FAR, 53)),
    "lookup": lambda udp: socket.getaddrinfo("far.example.org", 80),
    "old lookup": lambda udp: socket.gethostbyname("far.example.org"),
    "name of": lambda udp: socket.gethostbyaddr(FAR),
    "name of address": lambda udp: socket.getnameinfo((FAR, 80), 0),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_every_door_of_a_python_socket_is_shut(door: str) -> None:
    """Also for libraries that know nothing of us, and for datagrams and lookups."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp, pytest.raises(OfflineError):
        DOORS[door](udp)


@pytest.mark.parametrize("factory", [asyncio.new_event_loop, uvloop.new_event_loop])
@pytest.mark.parametrize("host", [FAR, "far.example.org"])
def test_no_event_loop_slips_through(factory: Callable[[], asyncio.AbstractEventLoop], host: str) -> None:
    """uvloop opens its sockets below Python: its own doors are guarded."""

    async def tries() -> list[str]:
        loop = asyncio.get_running_loop()
        ways = [
            loop.create_connection(asyncio.Protocol, host, 9),
            asyncio.open_connection(host, 9),
            loop.create_datagram_endpoint(asyncio.DatagramProtocol, remote_addr=(host, 9)),
            loop.getaddrinfo(host, 9),
        ]
        done = await asyncio.gather(*ways, return_exceptions=True)
        return [type(one).__name__ for one in done]

    with asyncio.Runner(loop_factory=factory) as runner:
        found = runner.run(tries())

    # Looking up an address asks nobody; what uses it is refused.
    assert found == ["OfflineError"] * 4


def test_uvloop_is_guarded_when_it_comes_later() -> None:
    """Whoever imports it after the guard stands gets the guarded one."""
    done = _child(f"""
        import asyncio, uvloop
        async def go():
            await asyncio.open_connection({FAR!r}, 9)
        try:
            asyncio.Runner(loop_factory=uvloop.new_event_loop).run(go())
        except offline.OfflineError as error:
            print(error.params["host"])
    """)

    assert done.stdout.strip() == FAR, done.stderr


def test_this_machine_is_never_refused() -> None:
    """Loopback by address and by name, and sockets of the file system."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        for host in ("127.0.0.1", "localhost"):
            socket.create_connection((host, port), timeout=5).close()
    with socket.socket(socket.AF_UNIX) as local, pytest.raises(FileNotFoundError):
        local.connect("nothing.sock")


def test_an_allowed_name_may_be_reached_at_its_address() -> None:
    """The name is in the list, its address is not: what it leads to is learnt."""
    done = _child(
        """
        import socket
        real = socket.getaddrinfo
        socket.getaddrinfo = lambda host, *a, **k: real("127.0.0.1" if host == "rag.example.org" else host, *a, **k)
        allowed = offline._GUARD.allowed
        socket.getaddrinfo = lambda host, *a, **k: [(0, 0, 0, "", ("192.0.2.9", 0))]
        allowed.learn("rag.example.org")
        print(allowed.has("192.0.2.9"), allowed.has("192.0.2.8"))
        """,
        PLACES="rag.example.org",
    )

    assert done.stdout.split() == ["True", "False"], done.stderr


def test_a_second_guard_cannot_widen_the_first() -> None:
    """What was promised at the start holds to the end."""
    done = _child(f"offline.guard(['0.0.0.0/0']); print(offline._GUARD.allowed.has({FAR!r}))")

    assert done.stdout.strip() == "False"


def test_who_tried_is_named() -> None:
    """The module and the line, and how often."""
    for _ in range(2):
        with pytest.raises(OfflineError) as caught:
            socket.getaddrinfo("told.example.org", 80)

    assert __name__.rpartition(".")[2] in str(caught.value)
    assert [n for refusal, n in refusals().items() if refusal.host == "told.example.org"] == [2]


def test_it_is_an_error_a_library_understands() -> None:
    """To a library it is a failed connection, to the command line something the user can fix."""
    with pytest.raises(OfflineError, match="offline") as caught:
        require("far.example.org", "me")

    assert {UserError, ConnectionError, OSError} <= set(type(caught.value).__mro__)
    assert "离线模式" in caught.value.say("zh-Hans")


SYSTEM = f"""
import urllib.request, socket, threading
def loud(question):
    return urllib.request.urlopen("http://{FAR}:9/").read().decode()
def quiet(question):
    try:
        socket.create_connection(("{FAR}", 9), timeout=1)
    except OSError:
        return "支持 ChromaDB"
async def native(question):
    import asyncio
    await asyncio.open_connection("far.example.org", 9)
"""


@pytest.fixture
def cli(process: Cli) -> Cli:
    """The command line in a process of its own: a guard cannot be taken back."""
    return process


@pytest.fixture
def rows(write_rows: Callable[..., Path]) -> Path:
    """One case, and a module with systems that want out."""
    Path("my_rag.py").write_text(SYSTEM, encoding="utf-8")
    return write_rows("q.jsonl", {"q": "支持什么？", "gold": ["支持 ChromaDB"], "doc_hint": ["a.md"]})


@pytest.mark.parametrize("name", ["loud", "native"])
def test_a_python_system_cannot_slip_through(cli: Cli, rows: Path, name: str) -> None:
    """Its case fails as offline, with the host and who tried; nothing is tried again."""
    done = cli("run", rows, "-s", f"python:my_rag:{name}", "--run-id", "r", "--offline")
    row = json.loads(Path("runs/r/results.jsonl").read_text(encoding="utf-8"))

    assert done.returncode == 3
    assert row["error_type"] == "offline" and ("192.0.2.7" in row["error_message"] or "far." in row["error_message"])
    assert "my_rag" in done.stderr or "my_rag" in row["model_id"]


def test_a_refusal_nobody_told_of_is_told(cli: Cli, rows: Path) -> None:
    """A library that keeps a refused connection to itself is named on the terminal all the same."""
    done = cli("run", rows, "-s", "python:my_rag:quiet")

    assert done.returncode == 0
    assert f"refused 1 time: my_rag:7 → {FAR}" in done.stderr


@pytest.mark.parametrize("command", ["run", "plan", "ping"])
@pytest.mark.parametrize("spec", [f"http_json:http://{FAR}/ask", "chat:m"])
def test_a_system_elsewhere_is_refused_before_anything_is_asked(cli: Cli, rows: Path, command: str, spec: str) -> None:
    """Exit code 2, the address named, no run made."""
    options = ["-O", "base_url=https://far.example.org/v1"] if spec.startswith("chat") else []
    done = cli(command, rows, "-s", spec, *options, "--offline", env={"RAGSTONE_OFFLINE": ""})

    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "offline: http" in done.stderr and "RAGSTONE_OFFLINE_ALLOW" in done.stderr
    assert not Path("runs").exists()


def test_a_proxy_elsewhere_is_refused(cli: Cli, rows: Path) -> None:
    """A proxy is a connection, too."""
    options = ["-O", f"proxy=http://{FAR}:3128"]
    done = cli("ping", "-s", "http_json:http://far.invalid/ask", *options, "--question", "q")

    assert done.returncode == 2 and FAR in done.stderr


def test_the_settings_file_can_keep_a_folder_offline(cli: Cli, rows: Path) -> None:
    """offline and offline_allow stand in ragstone.toml as well."""
    Path("ragstone.toml").write_text(f'offline = true\noffline_allow = ["{FAR}"]\n', encoding="utf-8")
    env = {"RAGSTONE_OFFLINE": "", "RAGSTONE_OFFLINE_ALLOW": ""}
    refused = cli("plan", rows, "-s", "http_json:http://192.0.2.8/ask", env=env)
    planned = cli("plan", rows, "-s", f"http_json:http://{FAR}/ask", env=env)

    assert refused.returncode == 2 and "192.0.2.8" in refused.stderr
    assert planned.returncode == 0, planned.stderr


def test_a_wrong_list_is_an_error(cli: Cli, rows: Path) -> None:
    """Nothing runs under a promise that cannot be kept."""
    done = cli("plan", rows, "-s", "python:my_rag:quiet", env={"RAGSTONE_OFFLINE_ALLOW": "http://a.test"})

    assert done.returncode == 2 and "offline_allow" in done.stderr
