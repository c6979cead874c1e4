"""The fault table: every row is played for real, through the command line, and says what must come of it."""

import json
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragstone.runs.store.seal import meta_sha256
from tests.faults import server as manners
from tests.faults.place import Outcome, Place, last_line, read_only, small_disk
from tests.faults.server import Faulty, Manner, free_port

Play = Callable[[Place], Outcome]
RETRY_AFTER = "Retry-After: 1"


@dataclass(frozen=True)
class Fault:
    """One row."""

    name: str
    what: str
    """What is done, in words."""
    chinese: str
    play: Play
    exit: int | None
    says: str = ""
    """Part of what the user is told."""
    says_chinese: str = ""
    scored: int | None = 0
    """None where the moment decides."""
    errored: int | None = 0
    unasked: int | None = 0
    afterwards: str = ""
    untold: int = 0
    """Calls of a process that died, which its run can not have counted; resuming says so."""


def asked(manner: Manner, *, cases: int = 0, resume: bool = False, tls: bool = False, **options: object) -> Play:
    """Play a run against a server; then, if wished, repair the server and go on."""

    def play(place: Place) -> Outcome:
        if cases:
            place.dataset(cases)
        with Faulty(manner, tls=tls) as server:
            outcome = place.outcome(place.ragstone(*place.run_words(server.url, **options)), server)
            if resume:
                server.manner = manners.good
                outcome = place.then(outcome, server, "resume", "r", "--retry-failed")
        return outcome

    return play


def elsewhere(url: str, fault: dict[str, Any] | None = None) -> Play:
    """Play a run against an address where nobody is."""

    def play(place: Place) -> Outcome:
        return place.outcome(place.ragstone(*place.run_words(url.format(port=free_port())), fault=fault))

    return play


def comes_back(place: Place) -> Outcome:
    """Let the server be away for a while in the middle of the run."""
    port = free_port()
    with Faulty(manners.slow(0.02), port=port) as server:
        # Answers on their way reset the breaker; a question must outlast that, however slow the machine.
        process = place.start(*place.run_words(server.url, patience=20, max_retries=50))
        while server.calls < 5:
            time.sleep(0.005)
        server.manner = manners.status("503 Service Unavailable")
        time.sleep(0.6)
        server.manner = manners.good
        out, err = process.communicate(timeout=60)
        return place.outcome(_done(process.returncode, out, err), server)


def _done(code: int, out: str, err: str) -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess([], code, out, err)


# --- ids and duplicates ---


def recorded(*rows: dict[str, object]) -> Play:
    """Score recorded answers instead of asking."""

    def play(place: Place) -> Outcome:
        place.dataset(4)
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (place.folder / "a.jsonl").write_text(lines, encoding="utf-8")
        words = ("score", "q.jsonl", "a.jsonl", "--run-id", "r", "--lang", place.lang)
        return place.outcome(place.ragstone(*words))

    return play


def _recorded(case: str, place: int) -> dict[str, object]:
    return {"id": case, "output": manners.right_answer(place)}


def service(manner: Manner) -> Play:
    """Ask a service that repeats the id it was sent."""

    def play(place: Place) -> Outcome:
        with Faulty(manner) as server:
            text = (
                f"url: {server.url}\nbody: {{id: '{{{{id}}}}', question: '{{{{question}}}}'}}\nanswer: answer\nid: id\n"
            )
            (place.folder / "service.yaml").write_text(text, encoding="utf-8")
            words = ("run", "q.jsonl", "-s", "http_json:service.yaml", "--run-id", "r", "--lang", place.lang)
            return place.outcome(place.ragstone(*words), server)

    return play


# --- the machine ---


def jump(seconds: float, manner: Manner, **options: object) -> Play:
    """Let the wall clock jump in the middle of the run."""

    def play(place: Place) -> Outcome:
        with Faulty(manner) as server:
            fault = {"clock": seconds, "after": 0.6}
            return place.outcome(place.ragstone(*place.run_words(server.url, **options), fault=fault), server)

    return play


def full_disk(size: int, kilobytes: int) -> Play:
    """Let the run's disk be too small for its answers, or for what is made of them; then make room."""

    def play(place: Place) -> Outcome:
        runs = place.folder / "runs"
        with small_disk(runs, kilobytes) as real, Faulty(manners.long_answer(size)) as server:
            fault = None if real else {"bytes": kilobytes * 512}
            done = place.ragstone(*place.run_words(server.url), fault=fault)
            outcome = place.outcome(done, server)
            if real:
                grow(runs)
            return _counts_of_resume(place, outcome, server)

    return play


def grow(folder: Path) -> None:
    """Make room."""
    subprocess.run(["mount", "-o", "remount,size=16m", folder], check=True)


def _counts_of_resume(place: Place, before: Outcome, server: Faulty) -> Outcome:
    done = place.ragstone("resume", "r", "--lang", place.lang)
    after = place.outcome(done, server)
    told = "a second time" in done.stderr or "再问一次" in done.stderr
    text = f"`resume`: exit {after.exit}, {after.scored} scored of {after.cases}, {after.twice} asked twice"
    return replace(before, afterwards=text + (", told" if told else ""), counted=after.counted, seen=after.seen)


def locked_folder(place: Place) -> Outcome:
    """Let nothing be written where the run should go."""
    runs = place.folder / "runs"
    runs.mkdir()
    with read_only(runs), Faulty() as server:
        return place.outcome(place.ragstone(*place.run_words(server.url)), server)


def locked_run(place: Place) -> Outcome:
    """Let a finished run become read-only: it can be read and verified, and not continued."""
    with Faulty() as server:
        place.ragstone(*place.run_words(server.url))
        with read_only(place.folder / "runs"):
            outcome = place.outcome(place.ragstone("resume", "r", "--lang", place.lang), server)
            for words in (("report", "r"), ("verify", "r")):
                outcome = place.then(outcome, server, *words)
            return outcome


def few_handles(handles: int, concurrency: int) -> Play:
    """Let the process have fewer file handles than it wants connections."""

    def play(place: Place) -> Outcome:
        place.dataset(60)
        with Faulty(manners.slow(0.05)) as server:
            words = place.run_words(server.url, "-c", concurrency)
            return place.outcome(place.ragstone(*words, fault={"handles": handles}), server)

    return play


# --- processes and versions ---


def killed(place: Place) -> Outcome:
    """Kill the process in the middle, and go on."""
    with Faulty(manners.slow(0.05)) as server:
        process = place.start(*place.run_words(server.url))
        while len(place.answered()) < 6:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        out, err = process.communicate()
        outcome = place.outcome(_done(process.returncode, out, err), server)
        kept = len(place.answered())
        return _counts_of_resume(place, replace(outcome, scored=kept, right=kept, unasked=place.cases - kept), server)


def two_at_once(place: Place) -> Outcome:
    """Let a second process continue a run that a first one is working on."""
    with Faulty() as server:
        gate = manners.Gate(after=5)
        server.manner = gate
        process = place.start(*place.run_words(server.url, first_byte_timeout=60, timeout=60))
        while len(place.answered()) < 5:
            time.sleep(0.005)
        second = place.ragstone("resume", "r", "--lang", place.lang)
        gate.open()
        out, err = process.communicate(timeout=60)
        outcome = place.outcome(_done(process.returncode, out, err), server)
        return replace(
            outcome, exit=second.returncode, says=last_line(second.stderr), afterwards=f"the first: exit {outcome.exit}"
        )


def version(change: dict[str, object], *commands: str) -> Play:
    """Let a run folder say it is of another version."""

    def play(place: Place) -> Outcome:
        with Faulty() as server:
            place.ragstone(*place.run_words(server.url))
            meta = {**place.meta(), **change}
            path = place.run_folder / "run_meta.json"
            path.write_text(json.dumps({**meta, "meta_sha256": meta_sha256(meta)}), encoding="utf-8")
            done = place.ragstone("resume", "r", "--lang", place.lang)
            outcome = place.outcome(done, server)
            codes = {name: place.ragstone(name, "r", "--lang", place.lang) for name in commands}
            said = "; ".join(f"`{name}`: exit {one.returncode}" for name, one in codes.items())
            return replace(outcome, afterwards=said, says=last_line(done.stderr) or outcome.says)

    return play


# --- the table ---

FAULTS: tuple[Fault, ...] = (
    Fault("none", "nothing: the undisturbed run", "无故障", asked(manners.good), 0, scored=20),
    Fault(
        "refused",
        "nobody listens",
        "连接被拒绝",
        elsewhere("http://127.0.0.1:{port}/v1"),
        3,
        "refused",
        "连接被拒绝",
        unasked=20,
    ),
    Fault(
        "dns",
        "the host name is not known",
        "域名无法解析",
        elsewhere("http://faults.invalid/v1", {"names": "unknown"}),
        3,
        "not known",
        "无法解析主机名",
        unasked=20,
    ),
    Fault(
        "tls garbage",
        "an https address that answers with other bytes",
        "TLS 握手收到乱码",
        asked(manners.garble, tls=True),
        3,
        "no secure connection",
        "无法建立安全连接",
        errored=20,
    ),
    Fault(
        "tls broken off",
        "an https address that hangs up during the handshake",
        "TLS 握手时断开",
        asked(manners.hang_up, tls=True),
        3,
        "being secured",
        "响应完成前连接中断",
        unasked=20,
    ),
    Fault(
        "reset mid-body",
        "each first reply breaks off in its middle",
        "响应中途断开",
        asked(manners.reset_mid_body),
        0,
        scored=20,
    ),
    *(
        Fault(
            f"429, {share:.0%}{' with Retry-After' if after else ''}",
            f"{share:.0%} of the calls are turned away" + (", come back in 1 s" if after else ""),
            f"{share:.0%} 的请求被限流" + ("，带 Retry-After" if after else ""),
            asked(manners.limited(share, *after), cases=cases, max_retries=retries),
            3 if share == 1 else 0,
            "too many requests" if share == 1 else "",
            "请求过多" if share == 1 else "",
            scored=0 if share == 1 else cases,
            errored=cases if share == 1 else 0,
        )
        for share, after, cases, retries in (
            (0.1, (), 20, 3),
            (0.1, (RETRY_AFTER,), 20, 3),
            (0.5, (), 20, 5),
            (0.5, (RETRY_AFTER,), 4, 5),
            (1.0, (), 20, 3),
            (1.0, (RETRY_AFTER,), 3, 1),
        )
    ),
    Fault(
        "500",
        "every call meets an internal error; fixed, then resumed",
        "每次返回 500；修复后继续",
        asked(manners.status("500 Internal Server Error"), resume=True),
        3,
        "status 500",
        "状态码 500",
        errored=20,
        afterwards="exit 0, 20 scored of 20, 20 more calls",
    ),
    Fault(
        "503",
        "the service is unavailable all the time; fixed, then resumed",
        "服务一直不可用；恢复后继续",
        asked(manners.status("503 Service Unavailable"), resume=True),
        3,
        "has been down",
        "接口已中断",
        unasked=20,
        afterwards="exit 0, 20 scored of 20, 20 more calls",
    ),
    Fault(
        "503 once",
        "each first call is unavailable",
        "首次请求返回 503",
        asked(manners.status("503 Service Unavailable", turns=1), breaker_after=0),
        0,
        scored=20,
    ),
    Fault("outage", "down for a while in the middle", "运行中途服务短暂中断", comes_back, 0, scored=20),
    Fault(
        "web page",
        "status 200 with a page for people",
        "200 但为网页",
        asked(manners.web_page),
        3,
        "web page",
        "响应是网页",
        errored=20,
    ),
    Fault(
        "half a JSON",
        "the body is cut, its length is not",
        "JSON 只有一半",
        asked(manners.half_json),
        3,
        "not JSON",
        "不是 JSON",
        errored=20,
    ),
    Fault("wrong content type", "JSON said to be a picture", "内容类型错误", asked(manners.wrong_type), 0, scored=20),
    Fault(
        "gzip bomb",
        "64 KB that become 64 MB",
        "gzip 炸弹",
        asked(manners.bomb),
        3,
        "longer than 8388608 bytes",
        "响应超过",
        errored=20,
    ),
    Fault(
        "endless body",
        "a body that never ends",
        "无尽的响应",
        asked(manners.endless, cases=4),
        3,
        "longer than 8388608 bytes",
        "响应超过",
        errored=4,
    ),
    Fault(
        "one byte a second",
        "a body that drips",
        "每秒一个字节",
        asked(manners.drip, cases=4, max_retries=0, first_byte_timeout=1.5),
        3,
        "not complete after 2",
        "响应仍未完成",
        errored=4,
    ),
    Fault(
        "hang",
        "the question is taken, nothing comes",
        "无响应",
        asked(manners.hang),
        3,
        "no reply after",
        "没有任何响应",
        unasked=20,
    ),
    Fault(
        "reply twice at once",
        "every reply is sent a second time, in one breath",
        "响应重复（同时）",
        asked(manners.twice(0)),
        0,
        scored=20,
    ),
    Fault(
        "reply twice, late",
        "every reply is sent again a moment later, before the next question",
        "响应重复（稍后，下一问之前）",
        asked(manners.twice(0.005), cases=6, concurrency=1, requests_per_minute=150),
        3,
        "was not asked for",
        "无人请求的响应",
        scored=5,
        errored=1,
    ),
    Fault(
        "reply twice, late and busy",
        "the same while the next question is under way: HTTP has nothing to tell the two apart, it may go unnoticed",
        "同上，但下一问已发出：HTTP 无从分辨，可能不会被发现",
        asked(manners.slow(0.3, manners.twice(0.3)), cases=4, concurrency=1),
        None,
        scored=None,
        errored=None,
    ),
    Fault(
        "reply twice, busy, keep_alive=false",
        "the remedy: a connection for each question",
        "对策：每个问题使用单独的连接",
        asked(manners.twice(0.4), cases=4, concurrency=1, keep_alive="false"),
        0,
        scored=4,
    ),
    Fault(
        "wrong ids, service",
        "a service answers under the id of another question",
        "服务返回其他问题的 id",
        service(manners.other_id),
        3,
        "the reply is for",
        "响应属于",
        errored=20,
    ),
    Fault(
        "right ids, service",
        "the same service, answering under the right ids",
        "服务返回正确的 id",
        service(manners.same_id),
        0,
        scored=20,
    ),
    Fault(
        "wrong ids, recorded",
        "recorded answers of other questions",
        "录制的回答属于其他问题",
        recorded(_recorded("Q1", 1), _recorded("Q2", 2), _recorded("X7", 7)),
        3,
        "has no answer for",
        "中没有",
        scored=2,
        errored=2,
    ),
    Fault(
        "duplicated ids, recorded",
        "two recorded answers to one question",
        "录制的回答重复",
        recorded(_recorded("Q1", 1), _recorded("Q1", 2)),
        2,
        "used more than once",
        "重复",
        unasked=4,
    ),
    Fault(
        "clock set forward",
        "the wall clock jumps ahead by a day",
        "时钟前跳一天",
        jump(86400, manners.slow(0.05)),
        0,
        scored=20,
    ),
    Fault(
        "clock set back",
        "the wall clock jumps back by a day",
        "时钟回拨一天",
        jump(-86400, manners.slow(0.05)),
        0,
        scored=20,
    ),
    Fault(
        "clock set back while nothing comes",
        "timeouts must not wait for the wall clock",
        "无响应时时钟回拨",
        jump(-86400, manners.hang),
        3,
        "no reply after",
        "没有任何响应",
        unasked=20,
    ),
    Fault(
        "disk full, answers",
        "no room for the answers; room is made, then resumed",
        "磁盘满（回答）",
        full_disk(1500, 64),
        2,
        "cannot write",
        "无法写入",
        scored=None,
        unasked=None,
        afterwards="exit 0, 20 scored of 20",
        untold=4,
    ),
    Fault(
        "disk full, rows",
        "room for the answers, not for what is made of them",
        "磁盘满（结果）",
        full_disk(600, 96),
        2,
        "cannot write",
        "无法写入",
        scored=None,
        unasked=None,
        afterwards="exit 0, 20 scored of 20",
        untold=4,
    ),
    Fault(
        "read-only folder",
        "nothing can be written where the run should go",
        "文件夹只读",
        locked_folder,
        2,
        "cannot be made",
        "无法创建",
        unasked=20,
    ),
    Fault(
        "read-only run",
        "a finished run: resume, report, verify",
        "运行文件夹只读",
        locked_run,
        2,
        "cannot write",
        "无法写入",
        scored=20,
        afterwards="`report`: exit 0",
    ),
    Fault(
        "few file handles",
        "40 handles for 64 requests at once",
        "文件句柄不足",
        few_handles(40, 64),
        0,
        "going on with 8 requests",
        "并发降为 8",
        scored=60,
    ),
    Fault(
        "no file handles",
        "too few to open the run's own files",
        "没有文件句柄",
        few_handles(13, 4),
        2,
        "Too many open files",
        "打开的文件过多",
        unasked=60,
    ),
    Fault(
        "killed",
        "kill -9 in the middle, then resumed",
        "kill -9 后继续",
        killed,
        -9,
        scored=None,
        unasked=None,
        afterwards="exit 0, 20 scored of 20",
        untold=4,
    ),
    Fault(
        "two processes",
        "a second process resumes a run a first one works on",
        "两个进程同时继续",
        two_at_once,
        2,
        "another process",
        "另一个进程",
        scored=20,
        afterwards="the first: exit 0",
    ),
    Fault(
        "folder of a newer version",
        "format_version 99",
        "更新版本的运行文件夹",
        version({"format_version": 99}, "report", "verify", "rescore"),
        2,
        "newer Ragstone",
        "更新版本",
        scored=20,
        afterwards="`report`: exit 2; `verify`: exit 2; `rescore`: exit 2",
    ),
    Fault(
        "folder of an older version",
        "format_version 0",
        "更旧版本的运行文件夹",
        version({"format_version": 0}, "report", "verify", "rescore"),
        2,
        "older Ragstone",
        "更旧版本",
        scored=20,
        afterwards="`report`: exit 2; `verify`: exit 2; `rescore`: exit 2",
    ),
    Fault(
        "folder of an older scorer",
        "a run whose scorer was another one",
        "旧评分器的运行",
        version({"scorer_version": "0.9"}, "report", "verify", "rescore"),
        2,
        "scorer has changed",
        "评分器",
        scored=20,
        afterwards="`report`: exit 0",
    ),
)
