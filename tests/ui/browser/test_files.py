"""Files that a visitor loads: dropped, on a slow line, shared with a link, saved as a study, and named with malice."""

import os
import random
import re
import subprocess
from contextlib import suppress
from pathlib import Path

import openpyxl
import pytest

import evalcore
from evalcore.reading.files import Upload
from evalcore.study import study_file
from tests.study.test_study_file import UNSAID, changed, hostile
from tests.ui.browser.acting import (
    ROOT,
    WEB,
    Server,
    act,
    box,
    expect,
    finds,
    finished,
    go,
    press,
    runs,
    saved,
    tiles,
    until,
    upload,
    visit,
)
from ui.layout.menu import PAGES as MENU

FOUND = "[class*=st-key-the-finding]"
ENDED = "This link has ended, or whoever shared the study stopped sharing it"
NOT_HERE = "This server has no study"


def web(systems):
    """Files of the sample."""
    return [*sorted((WEB / "runs").iterdir())[:systems], WEB / "qrels.txt"]


def test_a_reload_finds_the_files_and_what_the_report_gathered(opened, server):
    page = opened(own=True)
    visit(page, server, "data")
    upload(page, "any", web(2))
    expect(page.get_by_text("Loaded files (3)")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Loaded files (3)")).to_be_visible()
    assert "poolscope_visit" not in page.evaluate("document.cookie")
    go(page, "Report")
    finds(page, "pages visited: Data")
    stranger = opened(own=True)
    visit(stranger, server, "data?study=files")
    assert not stranger.get_by_text("Loaded files (").count()


def test_an_upload_is_shared_with_a_link_until_its_owner_stops_and_outlives_a_restart(opened, tmp_path, monkeypatch):
    monkeypatch.setenv("POOLSCOPE_STUDIES", str(tmp_path))
    monkeypatch.setenv("POOLSCOPE_SHARE", "7")
    monkeypatch.setenv("POOLSCOPE_KEEP", "1")
    shared_from = Server(tmp_path)
    try:
        mine, theirs = opened(own=True), opened(own=True)
        visit(mine, shared_from, "data")
        upload(mine, "any", web(3))
        go(mine, "Scores")
        tiles(mine, Systems="3")
        answer = mine.locator(FOUND).first.inner_text()
        act(mine, mine.get_by_role("button", name="Share with a link").click, runs_script=False)
        act(mine, mine.get_by_role("button", name="Create a link").click)
        link = mine.get_by_text("?study=shared-").inner_text()
        visit(theirs, shared_from, link.split("/", 3)[3])
        tiles(theirs, Systems="3")
        assert theirs.locator(FOUND).first.inner_text() == answer
        assert not theirs.get_by_role("button", name="Share with a link").count()
        assert len([*(tmp_path / "visitors").glob("[0-9a-f]*")]) == 2  # what is shared, what is kept

        shared_from.stop()
        shared_from = Server(tmp_path, port=shared_from.port)
        theirs.goto(link)
        tiles(theirs, Systems="3")
        visit(mine, shared_from, "scores?study=files")
        tiles(mine, Systems="3")
        assert mine.locator(FOUND).first.inner_text() == answer

        act(mine, mine.get_by_role("button", name="Share with a link").click, runs_script=False)
        act(mine, mine.get_by_role("button", name="Stop sharing").click)
        expect(mine.get_by_text("?study=shared-")).to_have_count(0)
        go_on = theirs.get_by_role("link", name="Pool depth", exact=True).first.click  # in the page that was open
        for look, said in ((go_on, ENDED), (theirs.reload, ENDED), (lambda: theirs.goto(link[:-1]), NOT_HERE)):
            look()
            expect(theirs.get_by_text(said)).to_be_visible()
            finished(theirs)
            assert theirs.locator("[data-testid=stAlert]").count() == 1
            assert not theirs.locator(FOUND).count()
            shown = theirs.locator("[data-testid=stApp]").inner_text()
            assert not [file.name for file in web(3) if file.name in shown]
    finally:
        shared_from.stop()


def test_a_study_file_made_by_hand_is_a_sentence_and_fills_no_memory(opened, tmp_path):
    runs = [Upload(f"{name}.run", f"1 Q0 d1 1 2 {name}\n".encode()) for name in "ab"]
    qrels = Upload("qrels.txt", b"1 0 d1 1\n")
    study = evalcore.open_study(runs, qrels, cache=False)
    packed = study_file.written(UNSAID | {"options": study.options}, study.sources, [*runs, qrels])
    fused = [{"name": f"f{n}", "systems": "all", "method": "rbc"} for n in range(2000)]
    made = {
        "fused": (hostile(fused=fused), "has 2,000 fused runs, but at most 50 are allowed"),
        "role": (lambda manifest: manifest["files"][0].update(role="pickle"), "is not a study that Poolscope saved"),
        "name": (hostile(name="\ud800"), "is not a study that Poolscope saved"),
        "twice": (lambda manifest: manifest["files"].extend(manifest["files"][:1] * 1990), "lists one file twice"),
    }
    running = Server(tmp_path)
    page = opened(own=True)
    try:
        visit(page, running, "data")
        memory = memory_of(running)
        for name, (change, said) in made.items():
            (file := tmp_path / f"{name}.poolscope").write_bytes(changed(packed, manifest=change).data)
            upload(page, "any", file)
            expect(page.get_by_text(said)).to_be_visible()
            assert not page.locator("[data-testid=stException]").count()
        assert memory_of(running) < memory + 200_000
        assert "Traceback" not in (tmp_path / "server.log").read_text()
    finally:
        running.stop()


def memory_of(server):
    """The memory of a server in kB; 0 where the system does not say it."""
    status = Path(f"/proc/{server.process.pid}/status")
    return int(re.search(r"VmRSS:\s+(\d+)", status.read_text())[1]) if status.exists() else 0


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a disk of 1 MB, and a function that mounts it again with other options."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(*told):
        return subprocess.run(["mount", *told, folder], check=False).returncode == 0

    if os.name != "posix" or os.geteuid() or not mount("-t", "tmpfs", "-o", "size=1m", "tmpfs"):
        pytest.skip("only root may mount a small disk")
    yield folder, mount
    subprocess.run(["umount", "-l", folder], check=True)


def share(page):
    """Create a link to what is open. -> all links of this visitor"""
    button = page.get_by_role("button", name="Create a link")
    if not button.is_visible():
        act(page, page.get_by_role("button", name="Share with a link").click, runs_script=False)
    act(page, button.click)
    return page.get_by_text("?study=shared-").all_inner_texts()


def test_a_full_disk_and_one_that_is_read_only_end_no_link(opened, tmp_path, small_disk, monkeypatch):
    folder, mount = small_disk
    monkeypatch.setenv("POOLSCOPE_STUDIES", str(folder))
    monkeypatch.setenv("POOLSCOPE_SHARE", "7")
    running = Server(tmp_path)
    try:
        mine, theirs, large = (opened(own=True) for _ in range(3))
        visit(mine, running, "data")
        upload(mine, "any", web(2))
        (link,) = share(mine)
        assert share(mine) == [link]
        rows = "".join(f"{t} Q0 {random.Random(1000 * t + d).randbytes(40).hex()} {d} {-d} R\n"
                       for t in range(1, 31) for d in range(1, 1001))  # fmt: skip
        (tmp_path / "large.run").write_text(rows)
        visit(large, running, "data")
        upload(large, "any", [tmp_path / "large.run", *web(1)])
        assert not share(large)
        expect(large.get_by_text("The disk of the server is full, so the study was not stored")).to_be_visible()
        stored = [path.name for path in (folder / "visitors").iterdir() if path.name != "index.sqlite"]
        assert len(stored) == 1
        with suppress(OSError), open(folder / "rest", "wb") as rest:
            while True:
                rest.write(bytes(1024))
                rest.flush()
        visit(theirs, running, link.split("/", 3)[3])
        tiles(theirs, Systems="2")

        running.stop()
        assert mount("-o", "remount,ro")
        running = Server(tmp_path, port=running.port)
        assert "visitors cannot store studies" in (tmp_path / "server.log").read_text()
        theirs.goto(link)
        tiles(theirs, Systems="2")
        visit(large, running, "data")
        upload(large, "any", web(2))
        assert not share(large)
        expect(large.get_by_text("The server cannot write its folder or its list of studies")).to_be_visible()

        assert mount("-o", "remount,rw")
        visit(mine, running, "data")
        act(mine, mine.get_by_role("button", name="Share with a link").click, runs_script=False)
        act(mine, mine.get_by_role("button", name="Stop sharing").click)
        expect(mine.get_by_text("?study=shared-")).to_have_count(0)
        theirs.goto(link)
        expect(theirs.get_by_text(ENDED)).to_be_visible()
        assert [path.name for path in (folder / "visitors").iterdir()] == ["index.sqlite"]
    finally:
        running.stop()


def test_three_clicks_from_own_tables_to_an_interval(page, server):
    example = ROOT / "sample_data" / "example"
    visit(page, server)
    if page.locator("h1").inner_text() != "Is my data ready, and what is missing?":
        go(page, "Data")  # the first click, where another page comes first
    upload(page, "any", [example / "runs.csv", example / "judgments.csv"])
    tiles(page, Systems="2", Topics="2", Judgments="6")
    act(page, page.get_by_role("link", name="See how good each system is").click)
    expect(page.get_by_role("heading", name="How good is each system, and how sure are we?")).to_be_visible()
    finds(page, re.compile("(first|second) leads with "))


# How far below the uploader the progress of reading is first shown; it may be gone when the next line of a test runs.
WATCHED = """() => new MutationObserver(() => {
  const all = [...document.querySelectorAll("[data-testid=stProgress]")]
  const shown = all.find((one) => one.innerText.includes("Reading many_runs.xlsx"))
  const above = document.querySelector("[class*=st-key-upload-any]")
  if (shown && above) window.below ??= shown.getBoundingClientRect().top - above.getBoundingClientRect().bottom || 0.1
}).observe(document.body, { childList: true, subtree: true, characterData: true })"""


def test_what_a_large_workbook_contains_is_looked_at_in_sight(page, server, tmp_path):
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["system", "topic", "document", "score"])
    for row in range(120_000):
        sheet.append(["**A**", row // 100, f"d{row % 100}", 100 - row % 100])
    book.save(tmp_path / "many_runs.xlsx")
    visit(page, server, "data?study=web")
    page.evaluate(WATCHED)
    page.locator("[class*=st-key-upload-any] input[type=file]").set_input_files([tmp_path / "many_runs.xlsx"])
    below = page.wait_for_function("() => window.below").json_value()
    assert 0 <= below < 60  # where the visitor looks
    expect(page.get_by_text("To open your own track, also load its judgments.")).to_be_visible()


def test_uploads_that_overlap_all_arrive(page, server, tmp_path):
    """Two large runs on a slow line, and the judgments chosen before these have arrived."""
    lines = [f"{t} Q0 d{d} {d} {9000 - d} TAG\n" for t in range(1, 11) for d in range(1, 4001)]
    for name in ("A", "B"):
        (tmp_path / f"{name}.run").write_text("".join(lines).replace("TAG", name))
    (tmp_path / "qrels.txt").write_text("".join(f"{t} 0 d{d} {d % 2}\n" for t in range(1, 11) for d in range(1, 9)))
    visit(page, server, "data")
    act(page, page.get_by_text("loading one by one").click, runs_script=False)
    slow, sent = page.context.new_cdp_session(page), []
    slow.send("Network.enable")
    line = {"offline": False, "latency": 20, "downloadThroughput": -1, "uploadThroughput": 400_000}
    slow.send("Network.emulateNetworkConditions", line)
    page.on("request", lambda request: sent.append(request) if "upload_file" in request.url else None)
    arrived = []
    page.on("requestfinished", lambda request: arrived.append(request) if "upload_file" in request.url else None)
    for role, files in (("runs", sorted(tmp_path.glob("*.run"))), ("qrels", [tmp_path / "qrels.txt"])):
        page.locator(f"[class*=st-key-upload-{role}] input[type=file]").set_input_files(files)
        while not sent:
            page.wait_for_timeout(20)
    assert not arrived
    tiles(page, Systems="2", Topics="10", Judgments="80")


def test_many_small_files_are_sent_as_few_and_counted(opened, server, tmp_path):
    """300 runs in one folder arrive as one upload, are read in one run of the script, and keep their names."""
    lines = "".join(f"{topic} Q0 d{rank} {rank} {20 - rank} TAG\n" for topic in (1, 2) for rank in range(1, 11))
    for number in range(300):
        (tmp_path / f"é {number}.run").write_text(lines.replace("TAG", f"tag{number}"))
    (tmp_path / "qrels.txt").write_text(
        "".join(f"{topic} 0 d{rank} {rank % 2}\n" for topic in (1, 2) for rank in range(9))
    )
    (tmp_path / "worse.txt").write_text("neither")
    page = opened(own=True)
    visit(page, server, "data?study=files")
    nothing = page.locator(".st-key-nothing-open")
    expect(nothing).to_be_visible()
    slow, sent = page.context.new_cdp_session(page), []
    slow.send("Network.enable")
    line = {"offline": False, "latency": 20, "downloadThroughput": -1, "uploadThroughput": 50_000}
    slow.send("Network.emulateNetworkConditions", line)
    page.on("request", lambda request: sent.append(request) if "upload_file" in request.url else None)
    before = runs(page)
    page.locator("[class*=st-key-upload-any] input[type=file]").set_input_files(sorted(tmp_path.iterdir()))
    expect(
        page.get_by_role("status").filter(has_text=re.compile(r"^Uploading: \d+ of 302 files, \d+ of \d+ kB$"))
    ).to_be_visible()
    expect(nothing).to_be_hidden()
    tiles(page, Systems="300", Topics="2", Judgments="18")
    finished(page)
    assert len(sent) == 1
    assert runs(page) - before <= 3
    expect(page.get_by_text("Loaded files (302)")).to_be_visible()
    expect(page.get_by_text("worse.txt is neither a run nor judgments.")).to_be_visible()
    expect(page.locator("#uploading")).to_have_count(0)


def test_a_folder_with_many_runs_is_dropped(opened, server, tmp_path):
    for number in range(60):
        (tmp_path / "runs" / "odd").mkdir(parents=True, exist_ok=True)
        (tmp_path / "runs" / ("odd" if number % 2 else "") / f"{number}.run").write_text(f"1 Q0 d1 1 9 tag{number}\n")
    (tmp_path / "runs" / "qrels.txt").write_text("1 0 d1 1\n1 0 d2 0\n")
    page, sent = opened(own=True), []
    visit(page, server, "data")
    page.on("request", lambda request: sent.append(request) if "upload_file" in request.url else None)
    left, top, _, _ = box(page.locator("[data-testid=stFileUploaderDropzone]").first)
    dragged = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(tmp_path / "runs")], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        dragged.send("Input.dispatchDragEvent", {"type": kind, "x": left + 40, "y": top + 20, "data": data})
    tiles(page, Systems="60", Judgments="2")
    assert len(sent) == 1
    expect(page.get_by_text("Drag and drop files here")).to_have_count(0)


def test_a_study_is_saved_named_and_opened_again(opened, server, tmp_path):
    """By the sidebar's buttons and by dropping the file on Data, in another visit; *Download everything* opens, too."""
    page = opened(own=True)
    visit(page, server, "data")
    upload(page, "any", web(2))
    expect(page.get_by_text("Your files are open")).to_be_visible()
    go(page, "Scores")
    act(page, page.get_by_role("button", name="Name", exact=True).click, runs_script=False)
    page.get_by_role("textbox", name="Name of the data set").fill("Mine, 2026")
    press(page, "Enter")
    expect(page).to_have_title(re.compile("Mine, 2026"))
    page.keyboard.press("Escape")
    study = saved(page, page.get_by_role("button", name="Save study"), tmp_path)
    assert study.name == "Mine_2026.poolscope"
    go(page, "Report")
    everything = saved(page, page.get_by_role("button", name="Download everything"), tmp_path)
    for file in (study, everything):
        other = opened(1024, 768, own=True)
        visit(other, server, "data")
        upload(other, "any", file)
        expect(other.get_by_text("Your files are open")).to_be_visible()
        assert not other.locator("[data-testid=stAlert]").count()
        expect(other).to_have_title(re.compile("Mine, 2026"))


def test_the_way_back_has_an_entry_for_a_file_that_is_dropped(page, server):
    visit(page, server, "data")
    before = page.evaluate("history.length")
    given = page.evaluate_handle("new DataTransfer()")
    given.evaluate("data => data.items.add(new File(['1 Q0 a 1 1 r'], 'one.run'))")
    given.evaluate("data => data.items.add(new File(['1 0 a 1'], 'qrels.txt'))")
    place = page.locator("[data-testid=stFileUploaderDropzone]").first

    def drop():
        for event in ("dragenter", "dragover", "drop"):
            place.dispatch_event(event, {"dataTransfer": given})

    act(page, drop)
    page.wait_for_url("**study=files*")
    assert page.evaluate("history.length") == before + 1
    act(page, page.go_back)
    page.wait_for_url(lambda url: "study=files" not in url)


def test_a_page_says_that_an_upload_was_cut_off_and_that_the_connection_is_lost(page, server, tmp_path):
    (tmp_path / "a.run").write_text("1 Q0 d1 1 9 a\n")
    visit(page, server, "data")
    page.route("**/upload_file/**", lambda route: route.abort())
    page.locator("[data-testid=stFileUploader] input").first.set_input_files(tmp_path / "a.run")
    shown = page.locator("#not-received")
    expect(shown).to_contain_text("The upload of a.run was cut off")
    page.context.set_offline(True)
    expect(shown).to_contain_text("The connection to Poolscope is lost")
    page.context.set_offline(False)
    expect(shown).to_contain_text("The upload of a.run was cut off")


MARKED = """(name) => { // the request of the file with this name
  const { send } = XMLHttpRequest.prototype
  XMLHttpRequest.prototype.send = function (body) {
    const files = body instanceof FormData ? [...body.values()] : []
    if (files.some((one) => one.name === name)) this.setRequestHeader("x-cut", "1")
    return send.call(this, body)
  }
}"""


def test_why_a_file_did_not_arrive_is_shown_when_others_were_loaded(page, server):
    visit(page, server, "data")
    page.evaluate(MARKED, web(2)[1].name)  # files are sent at the same time, in any order
    page.route(
        "**/upload_file/**", lambda route: route.abort() if "x-cut" in route.request.headers else route.continue_()
    )
    upload(page, "any", web(3))
    expect(page.get_by_text("Loaded files (3)")).to_be_visible()
    expect(page.locator("#not-received")).to_contain_text("was cut off, so it was not loaded. Load it again.")
    upload(page, "any", web(1))
    expect(page.locator("#not-received")).to_have_count(0)


def test_hostile_names_do_nothing(page, server, tmp_path):
    names = [
        "**bold**",
        "<img/src=x/onerror=alert(1)>",
        "=cmd()",
        "![x](http://evil.invalid/x.png)",
        "http://evil.invalid",
    ]
    for i, name in enumerate(names):
        lines = (
            f"{t} Q0 <b>d{k}</b> {k} {9 - k} {name}" for t in ("![t](http://evil.invalid/t)", "2") for k in (1, 2, 3)
        )
        (tmp_path / f"{i}.txt").write_text("\n".join(lines))
    (tmp_path / "qrels.txt").write_text("![t](http://evil.invalid/t) 0 <b>d1</b> 1\n2 0 <b>d2</b> 1\n")
    visit(page, server, "data")
    upload(page, "runs", sorted(tmp_path.glob("[0-9].txt")))
    upload(page, "qrels", [tmp_path / "qrels.txt"])
    for one in MENU.values():
        go(page, one.name)
        expect(page.locator("h1")).to_have_text(one.question)
        assert not page.locator("a[href*=evil], img[src*=evil], img[src=x]").count()


def test_scores_of_another_program_are_compared_and_removed(page, server, tmp_path):
    printed = tmp_path / "eval.txt"
    printed.write_text("map all 0.9999\nP_10 all 0.1234\nrunid all fjord-fusion\nmap all 0.1234\n")
    fold = page.locator("summary", has_text="Does another program, such as trec_eval")
    visit(page, server, "scores?study=web")
    act(page, fold.click)
    upload(page, "theirs", printed)
    finds(page, "of 3 printed scores", "sub-finding-score_differences")
    go(page, "Data")
    go(page, "Scores")
    act(page, fold.click)
    expect(page.get_by_text("Scores: eval.txt")).to_be_visible()
    act(page, page.get_by_role("button", name="Remove", exact=True).click)
    until(lambda: not page.get_by_text("Scores: eval.txt").count())
