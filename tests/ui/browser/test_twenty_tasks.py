"""Twenty things that people do, one after the other, with a track of 129 systems on a small screen, light and dark."""

import random
import re

import pytest

from tests.ui.browser.acting import (
    PARTS,
    Server,
    act,
    choose,
    expect,
    finds,
    finished,
    go,
    in_address,
    open_fold,
    open_list,
    open_part,
    part,
    press,
    saved,
    upload,
    visit,
)

SYSTEMS, TOPICS, POOL = 129, 8, 10
SOUGHT, RIVAL = "t040-runb", "t021-runa"


@pytest.fixture(scope="module")
def crowded(tmp_path_factory):
    """A server with a track of 129 systems of 43 groups, judged to depth 10."""
    folder = tmp_path_factory.mktemp("track")
    drawn, pool = random.Random(129), {}
    (folder / "runs").mkdir()
    for number in range(SYSTEMS):
        name, lines = f"t{number // 3:03}-run{'abc'[number % 3]}", []
        for topic in range(1, TOPICS + 1):
            # The better half of a system's ranking is of the first documents, which are the relevant ones.
            likes = [drawn.gauss(document, 12 + number / 4) for document in range(120)]
            ranked = sorted(range(120), key=likes.__getitem__)[:30]
            lines += [f"{topic} Q0 d{document} {rank} {100 - rank} {name}" for rank, document in enumerate(ranked, 1)]
            pool.setdefault(topic, set()).update(ranked[:POOL])
        (folder / "runs" / name).write_text("\n".join(lines))
    judged = [f"{topic} 0 d{one} {int(one < 20)}" for topic, some in pool.items() for one in sorted(some)]
    (folder / "qrels.txt").write_text("\n".join(judged))
    table = [f"{run.name},{run.name[:4]}" for run in (folder / "runs").iterdir()]
    (folder / "systems.csv").write_text("\n".join(["system,group", *table]))
    told = "--", "--runs", str(folder / "runs"), "--qrels", str(folder / "qrels.txt")
    told += "--systems-table", str(folder / "systems.csv")
    running = Server(tmp_path_factory.mktemp("server"), *told)
    yield running
    running.stop()


def pick(page, label, name):
    """Choose a name in a picker, by typing it."""
    box = open_part(page, PARTS[label]) if label in PARTS else page.get_by_role("combobox", name=label)
    if label not in PARTS:
        open_list(page, box)
    box.press_sequentially(name)
    act(page, page.get_by_role("option", name=name).first.click)
    page.keyboard.press("Escape")  # a picker of several stays open, and takes the next click to close
    expect(page.get_by_role("option")).to_have_count(0)


def rows(page, name=None):
    """The names at the rows of the first figure that contain this one."""
    return page.locator(".plot").first.locator(".ytick text", has_text=name)


def test_twenty_tasks(opened, crowded, tmp_path):
    page = opened(1024, 768, permissions=["clipboard-read", "clipboard-write"])
    sidebar, closes = page.locator("[data-testid=stSidebar]"), lambda: page.keyboard.press("Escape")

    def opens(button):
        act(page, button.click, runs_script=False)

    visit(page, crowded)  # 1. see what is open
    expect(sidebar.get_by_role("combobox", name="Data set")).to_be_visible()

    go(page, "Scores")  # 2. see which system is best, and by how much
    in_address(page, "/scores")
    finds(page, " leads with ")
    expect(rows(page)).to_have_count(20)
    expect(rows(page, SOUGHT)).to_have_count(0)
    pick(page, "Find and pin systems", SOUGHT)  # 3. find one of 129 systems, and 4. pin it
    expect(rows(page, SOUGHT)).to_have_count(1)
    in_address(page, f"pin={SOUGHT}")

    page.emulate_media(color_scheme="dark")
    go(page, "Compare")  # 5. compare it with another one
    in_address(page, "/compare")
    expect(part(page, "system")).to_have_text(SOUGHT)  # because it is pinned
    pick(page, "System B", RIVAL)
    finds(page, SOUGHT)
    finds(page, RIVAL)
    open_fold(page, "Which documents would decide? Judge these first")  # 6. ask what to judge
    expect(page.locator(".st-key-open-judge_to_decide")).to_contain_text("judg")

    page.emulate_media(color_scheme="light")
    go(page, "Scores")
    in_address(page, "/scores")
    opens(sidebar.get_by_text("Show only some systems"))  # 7. hide a system
    first = rows(page).last.text_content().split(" ")[-1]
    pick(page, "Hide", first)
    expect(sidebar.get_by_text("Figures show 128 of 129 systems.")).to_be_visible()
    expect(rows(page, first)).to_have_count(0)
    pick(page, "Show only", "group t040")  # 8. look at one group
    expect(sidebar.get_by_text("Figures show 3 of 129 systems.")).to_be_visible()

    act(page, sidebar.get_by_role("button", name="Reset choices").click)  # 9. start again
    expect(sidebar.get_by_text("Figures show 3 of 129 systems.")).to_have_count(0)
    page.wait_for_url(lambda url: "pin=" not in url)

    page.emulate_media(color_scheme="dark")
    metric = part(page, "metric")  # 10. choose another metric, and 11. undo it
    usual = metric.inner_text()
    choose(page, "Metric", 2)
    expect(metric).not_to_have_text(usual)
    act(page, page.go_back)
    expect(metric).to_have_text(usual)

    plot = page.locator(".plot").first  # 12. save a figure for a paper
    plot.hover()
    plot.locator("[data-title^='Copy, or save for a paper']").click()
    figure = saved(page, page.get_by_role("button", name="PNG, a column"), tmp_path)
    assert figure.read_bytes().startswith(b"\x89PNG")
    table = page.locator("[class*=st-key-fold-leaderboard]").first  # 13. save a table, also 14. for a paper
    act(page, table.locator("summary").click)
    assert saved(page, table.get_by_role("button", name="Download CSV"), tmp_path).read_text().count("\n") == 130
    opens(table.get_by_role("button", name="LaTeX", exact=True))
    latex = saved(page, page.get_by_role("button", name="Download LaTeX"), tmp_path)
    assert "\\toprule" in latex.read_text()
    closes()

    page.emulate_media(color_scheme="light")
    go(page, "Pool depth")  # 15. pool less deeply
    in_address(page, "/pool_depth")
    page.locator(".slider").focus()
    press(page, "ArrowLeft")
    in_address(page, "depth=")
    act(page, sidebar.get_by_text("Present", exact=True).click)  # 16. show it to an audience, and end that
    expect(page.get_by_role("button", name="End presentation")).to_be_visible()
    act(page, closes)
    expect(page.get_by_role("button", name="End presentation")).to_have_count(0)

    sidebar.get_by_role("button", name="Copy link").click()  # 17. give a colleague the link
    link = page.evaluate("navigator.clipboard.readText()")
    said = re.sub(r"\s+", " ", page.locator(".finding").first.inner_text())
    other = page.context.new_page()
    other.goto(link)
    finished(other)
    expect(other.locator(".finding").first).to_have_text(said)
    other.close()

    page.emulate_media(color_scheme="dark")
    opens(sidebar.get_by_role("button", name="Name", exact=True))  # 18. name the data, and save the study
    page.get_by_role("textbox", name="Name of the data set").fill("Crowd")
    press(page, "Enter")
    expect(page).to_have_title(re.compile("Crowd"))
    closes()
    study = saved(page, sidebar.get_by_role("button", name="Save study"), tmp_path)
    go(page, "Report")  # 19. take the report home
    in_address(page, "/report")
    report = saved(page, page.get_by_role("button", name="Download report"), tmp_path)
    assert "leads on" in report.read_text("utf-8")

    again = opened(1024, 768, own=True)
    visit(again, crowded, "data")  # 20. open the study again
    upload(again, "any", study)
    expect(again).to_have_title(re.compile("Crowd"))
    go(again, "Pool depth")
    expect(again.locator(".finding").first).to_have_text(said)
