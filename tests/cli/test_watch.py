"""How far a run is, on a terminal and elsewhere."""

import io
from types import SimpleNamespace

import pytest

from ragstone.cli import watch
from ragstone.cli.watch import Watch
from ragstone.core.language import Lang
from ragstone.runs.execute import Progress


class Terminal(io.StringIO):
    """Takes itself for a terminal."""

    def isatty(self) -> bool:
        return True


def _progress(finished: int, *, asked: int = 20, paused: bool = False) -> Progress:
    return Progress(finished=finished, expected=7300, seconds=10.0, asked=asked, paused=paused, blocks={})


@pytest.mark.parametrize(
    ("progress", "lang", "line"),
    [
        (_progress(20), "en", "20/7300 done, 2.0/s, 1:00:40 left"),
        (_progress(7180), "en", "7180/7300 done, 2.0/s, 1:00 left"),
        (_progress(7180), "zh-Hans", "已完成 7180/7300，2.0/秒，剩余 1:00"),
        (_progress(20, paused=True), "en", "20/7300 done, 2.0/s, paused"),
        (_progress(20, paused=True), "zh-Hans", "已完成 20/7300，2.0/秒，已暂停"),
        (_progress(0, asked=0), "en", "0/7300 done, 0.0/s"),
    ],
)
def test_the_line_says_how_far_and_how_long(progress: Progress, lang: Lang, line: str) -> None:
    """Nothing is said of the time left while nothing is answered or an endpoint is down."""
    assert watch._progress(progress, lang) == line


def test_a_terminal_shows_it_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that is written over; a notice clears it first."""
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    shown = Watch()

    shown.tick(_progress(20))
    shown.notice("an endpoint is down")

    line = "\r\x1b[2K20/7300 done, 2.0/s, 1:00:40 left"
    assert screen.getvalue() == f"{line}\r\x1b[2Kan endpoint is down\n"


def test_elsewhere_it_is_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A log is not filled: one line in ten seconds, and none where quiet is wished."""
    clock = iter([0.0, 0.0, 5.0, 10.5, 10.5, 12.0])
    monkeypatch.setattr(watch, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    shown, quiet = Watch(), Watch(quiet=True)

    for finished in (1, 2, 3):
        shown.tick(_progress(finished))
        quiet.tick(_progress(finished))

    assert capsys.readouterr().err == "2/7300 done, 2.0/s, 1:00:49 left\n"
