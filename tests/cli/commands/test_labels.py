"""`ragstone labels` and `ragstone review`."""

import csv
import socket
from pathlib import Path

from ragstone.judging.label_file import append_labels, read_labels
from ragstone.judging.labels import Label
from ragstone.web.review.serving import FILE, announced
from tests.conftest import Cli

ONE = Label(case="Q1", point="七天内可退", answer="h", verdict="stated", reviewer="lin")


def test_labels_come_in_once_and_go_out_whole(cli: Cli) -> None:
    """What is there already is not taken in twice; every field goes out."""
    append_labels(Path("mine.jsonl"), [ONE])
    first, second = cli("labels", "import", "mine.jsonl"), cli("labels", "import", "mine.jsonl")
    done = cli("labels", "export", "all.csv")

    assert "1 label taken in, 0 there already" in first.stdout
    assert "0 labels taken in, 1 there already" in second.stdout
    assert done.returncode == 0, done.stderr
    with Path("all.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["verdict"] for row in csv.DictReader(file)] == ["stated"]
    assert read_labels(Path("runs/labels.jsonl")) == read_labels(Path("all.csv")) == [ONE]


def test_an_export_overwrites_nothing(cli: Cli) -> None:
    """Neither a file that is there nor one of an unknown kind is written."""
    append_labels(Path("mine.jsonl"), [ONE])
    cli("labels", "import", "mine.jsonl")

    assert cli("labels", "export", "mine.jsonl").returncode == 2
    assert ".xlsx" in cli("labels", "export", "mine.doc").stderr


def test_review_prints_the_port_that_is_served(cli: Cli) -> None:
    """Where the page of these runs is served elsewhere than the settings say, that is its address."""
    cli("demo")
    with socket.create_server(("127.0.0.1", 0)) as served:
        port = served.getsockname()[1]
        with announced(Path("runs"), port):
            there = cli("review", "latest").stdout
        gone = cli("review", "latest").stdout

    assert f":{port}/eval/review/" in there
    assert ":8000/eval/review/" in gone
    assert not Path("runs", FILE).exists()


def test_review_prints_the_address(cli: Cli) -> None:
    """A browser that is given it finds the run's review."""
    cli("demo")
    run = next(path for path in Path("runs").iterdir() if path.is_dir())

    assert cli("review", "latest").stdout.strip() == f"http://127.0.0.1:8000/eval/review/{run.name}"
