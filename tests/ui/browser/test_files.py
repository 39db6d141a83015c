"""Files that a visitor loads: dropped, on a slow line, shared with a link, saved as a study, and named with malice."""

import re

import openpyxl

from tests.ui.browser.acting import (
    ROOT,
    WEB,
    Server,
    act,
    expect,
    finds,
    finished,
    go,
    press,
    saved,
    tiles,
    until,
    upload,
    visit,
)
from ui.layout.menu import PAGES as MENU

FOUND = "[class*=st-key-the-finding]"
ENDED = "This link has ended, or whoever shared the study stopped sharing it"


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
        theirs.goto(link)
        expect(theirs.get_by_text(ENDED)).to_be_visible()
        finished(theirs)
        assert not theirs.locator(FOUND).count()
    finally:
        shared_from.stop()


def test_three_clicks_from_own_tables_to_an_interval(page, server):
    example = ROOT / "sample_data" / "example"
    visit(page, server)
    if page.locator("h1").inner_text() != "Is my data ready, and what is missing?":
        go(page, "Data")  # the first click, where another page comes first
    upload(page, "any", [example / "runs.csv", example / "judgments.csv"])
    tiles(page, Systems="2", Topics="2", Judgments="6")
    act(page, page.get_by_role("link", name="See how good each system is").click)
    expect(page.get_by_role("heading", name="How good is each system, and how sure are we?")).to_be_visible()
    finds(page, re.compile("(first|second) leads on "))


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
    act(page, page.get_by_text("Load files one by one").click, runs_script=False)
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
