"""The report: what it says, that names in it are harmless, and what is packed with it."""

import base64
import hashlib
import html
import io
import json
import math
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import markupsafe
import numpy as np
import pandas as pd
import pytest

import evalcore
from evalcore import script
from evalcore.findings.conclusion import Conclusion, with_detail
from evalcore.findings.setting import setting_of
from evalcore.study.opening import OPTIONS
from tests.small import small_study
from ui.layout import menu
from ui.report import export
from ui.report import report as report_of
from ui.text.escape import latex, text
from ui.views import VIEWS

ROOT = Path(__file__).parents[2]
HOSTILE = "<img/src=x/onerror=alert(1)>"


def noted(study, *questions):
    tables = [(title, evalcore.ask(study, question, **params)) for title, question, params in questions]
    findings = [
        Conclusion(f"{HOSTILE} scores .5 & more.", setting="P@5 · depth 3"),
        Conclusion("Ties move <b>no</b> score."),
    ]
    return [report_of.PageSection("Scores", "How good is each system?", findings, tables)]


def test_a_report_says_what_was_found_and_from_what():
    study, sweep = two_systems(), {"metric": "P@10", "depths": [*range(1, 9)]}
    board = ("Every system", "leaderboard", {"metric": "P@5", "depth": 3})
    said = noted(study, board, ("Every depth", "depth_sweep", sweep))
    settings = [(HOSTILE, "all")]
    report = report_of.report("Your <b>files</b>", said, settings, study.sources, day="2026-11-21")
    assert "Your &lt;b&gt;files&lt;/b&gt;. Made with Poolscope" in report
    assert "<h2>Scores: How good is each system?</h2>" in report
    assert "<strong>&lt;img/src=x/onerror=alert(1)&gt; scores .5 &amp; more.</strong> " in report
    assert "<p>Ties move &lt;b&gt;no&lt;/b&gt; score.</p>" in report
    assert "Setting: P@5 · depth 3." in report
    asked = "leaderboard(metric='P@5', depth=3, estimator='lower', unjudged='irrelevant', systems='all', limits=True)"
    assert f'<summary>Every system: 2 rows</summary><p class="parameters">{markupsafe.escape(asked)}</p>' in report
    assert "<summary>Every depth: the first 10 of 16 rows</summary>" in report
    assert '<th scope="col">value_<wbr>final</th>' in report
    assert "depths=[8 values]" in report
    assert "<td>&lt;img/src=x/onerror=alert(1)&gt;</td><td>all</td>" in report
    assert "<img" not in report
    assert report.count("<details>") == 4
    page = report_of.report_page(report_of.report("Files", said, [], (), day="2026-11-21", in_full=True)).decode()
    assert page.startswith("<!doctype html>")
    assert page.count("<details open>") == page.count("<details") == 5


@pytest.fixture
def track(tmp_path):
    (tmp_path / "a.txt").write_text("1 Q0 d1 1 2 a\n1 Q0 d2 2 1 a\n")
    (tmp_path / "b.txt").write_text("1 Q0 d2 1 2 b\n")
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n1 0 d2 0\n")
    return tmp_path


def with_groups(track):
    """The track with an edited table of its systems, and that table."""
    edited = evalcore.Upload("systems-edited.tsv", b"run\tgroup\na\tours\n")
    runs = [track / "a.txt", track / "b.txt"]
    return evalcore.open_study(runs, track / "qrels.txt", systems=edited, cache=False), edited


def test_the_archive_says_how_a_script_is_run(track, tmp_path):
    study, edited = with_groups(track)
    said = noted(study, ("Every system", "leaderboard", {"metric": "P@5"}))
    unpacked = tmp_path / "unpacked"
    zipfile.ZipFile(io.BytesIO(export.archive("", said, [edited]))).extractall(unpacked)
    guide = (unpacked / "README.txt").read_text()
    assert "also copy systems-edited.tsv there" in guide
    (track / "systems-edited.tsv").write_bytes(edited.data)
    line, *windows = (line.strip() for line in guide.splitlines() if line.startswith("    "))
    assert windows == [
        '$env:PYTHONPATH = "POOLSCOPE"; $env:PYTHONUTF8 = "1"',
        'cmd /c \'python "Scores\\01_leaderboard_P_5.py" "FOLDER" > table.csv\'',  # a folder's name may have blanks
    ]
    assert all(told.replace("Scores\\01_leaderboard_P_5.py", "this_script.py") in script.SCRIPT for told in windows)
    line = line.replace("POOLSCOPE", str(ROOT)).replace("FOLDER", str(track)).replace("python", sys.executable)
    subprocess.run(line, shell=True, check=True, cwd=unpacked)
    assert (unpacked / "table.csv").read_text().splitlines()[0].startswith("system,group,")


def test_the_archive_holds_every_table_and_a_script_that_makes_it(track):
    study, edited = with_groups(track)
    said = noted(study, ("Every system", "leaderboard", {"metric": "P@5"}), ("Topics", "topics", {}))
    report = report_of.report("Files", said, [], study.sources, day="2026-11-21")
    packed = zipfile.ZipFile(io.BytesIO(export.archive(report, said, [edited])))
    assert sorted(packed.namelist()) == [
        "README.txt", "Scores/01_leaderboard_P_5.csv", "Scores/01_leaderboard_P_5.py", "Scores/01_leaderboard_P_5.tex",
        "Scores/02_topics.csv", "Scores/02_topics.py", "Scores/02_topics.tex", "references.bib", "report.html",
        "systems-edited.tsv",
    ]  # fmt: skip
    assert all(source.sha256 in packed.read("report.html").decode() for source in study.sources)
    packed.extract("systems-edited.tsv", track)
    for table in ("Scores/01_leaderboard_P_5", "Scores/02_topics"):
        script = track / "again.py"
        script.write_bytes(packed.read(f"{table}.py"))
        how = {"capture_output": True, "check": True, "env": {"PYTHONPATH": str(ROOT)}}
        made = subprocess.run([sys.executable, script, track], **how).stdout
        both = (pd.read_csv(io.BytesIO(data)) for data in (made, packed.read(f"{table}.csv")))
        pd.testing.assert_frame_equal(*both)


# How a study reads its files, in words


def settled(study):
    return dict(report_of.settings(study))


def two_systems(**options):
    return small_study({"a": {"t": {"d": 1.0}}, "b": {"t": {"e": 1.0}}}, {"t": {"d": 1, "e": 0}}, **options)


def test_settings_are_said_in_words():
    said = settled(two_systems())
    assert said["Order of the documents in a run"] == "by score, like trec_eval"
    assert said["Gain of each grade"] == "binary"
    assert said["Lowest relevant grade"] == "1"
    assert said["Contributing systems"] == "both systems (assumed: the files do not show which)"
    assert said["Pool depth"] == "unknown"
    assert said["Query variations"] == "none: one query per topic"
    assert set(OPTIONS) == set(two_systems().options)


@pytest.mark.parametrize(
    ("options", "label", "how"),
    [
        ({"gains": {0: 0.0, 1: 0.5}}, "Gain of each grade", "grade 0: 0, grade 1: 0.5"),
        ({"pooled": "all"}, "Contributing systems", "2 of 2 systems (as chosen)"),
        ({"pooled": ["a"]}, "Contributing systems", "1 of 2 systems (as chosen)"),
        ({"pooled": ["a"]}, "Pool depth", "unknown"),
        ({"pooled": ["a"], "pool_depth": 5}, "Pool depth", "5 (as chosen)"),
        ({"empty": "not relevant"}, "Unfilled ranks", "not relevant"),
        ({"average": "common"}, "Means over", "topics that the system and the qrels share"),
        ({"negative": "judged"}, "Negative grades", "all not relevant"),
        ({"order": "rank"}, "Order of the documents in a run", "by the file's rank column"),
        ({"duplicates": "refuse"}, "Repeated documents", "refuse the file"),
    ],
)
def test_a_setting_is_said_in_words(options, label, how):
    assert settled(two_systems(**options))[label] == how


def test_the_scope_is_said_in_words():
    study = two_systems().with_fused("f", systems=["a", "b"], phi=0.8).only(systems=["a", "b", "f"], topics=["t"])
    said = settled(study.without_contribution_of(["b"]))
    assert said["Fused run f"] == "rbc(phi=0.8) of 2 systems"
    assert said["Only these systems"] == "a, b and f"
    assert said["Only these topics"] == "t"
    assert said["Left out of the pool"] == "b"
    study = two_systems().with_fused("g", method="combmnz", k=7, weights=[1, 2], pooled=True)
    assert settled(study)["Fused run g"] == (
        "combmnz(normalisation=min-max) of all systems, at most 7 documents, weighted, contributing to the pool"
    )


def test_a_second_qrels_is_said_in_words():
    study = two_systems()
    said = settled(replace(study, options={**study.options, "other_rel_level": 2}, scope={"judged_by_other": True}))
    assert said["Lowest relevant grade of the second judgments"] == 2
    assert said["Judgments used"] == "the second set"
    assert dict(report_of.settings(study, 3))["Lowest relevant grade of the second judgments"] == 3


@pytest.mark.parametrize(
    ("params", "setting"),
    [
        ({"metric": "P@5", "depth": None, "estimator": "lower"}, "P@5 · all judgments · unjudged as not relevant"),
        ({"metric": "P@5", "depth": 3, "estimator": "rm"}, "P@5 · depth 3 · unjudged estimated by rm"),
        ({"metric": "P@5", "unjudged": "condensed"}, "P@5 · unjudged documents removed"),
        ({"metrics": ["AP", "RR"]}, "AP and RR"),
        ({"metric": "AP", "judgments": 1}, "AP · first judgment"),
        ({"metric": "bpref", "estimator": "upper"}, "bpref"),
        (
            {"metric": "AP", "test": "t", "correction": "holm", "level": 0.05},
            "AP · paired t-test · Holm · α = .05",
        ),
        ({"metric": "AP", "shards": 5, "model": "MD6"}, "AP · 5 shards · MD6"),
        ({"k": 10}, "top 10"),
        ({}, ""),
    ],
)  # fmt: skip
def test_the_setting_of_an_answer(params, setting):
    assert setting_of(params, two_systems()) == setting


def test_what_the_report_holds():
    pages = ["Data", "Scores", "Fusion"]
    assert report_of.overview(pages, []).headline.startswith("The report is empty.")
    assert str(report_of.overview(pages, ["Data"])) == "1 of 3 pages visited: Data."
    assert str(report_of.overview(pages, pages)) == "3 of 3 pages visited: Data, Scores and Fusion."
    two = str(report_of.overview(pages, ["Data"], ["Scores", "Fusion"]))
    assert two == "1 of 3 pages visited: Data. Not applicable to this track: Scores and Fusion."
    assert report_of.overview(pages, [], ["Fusion"]).detail == "Not applicable to this track: Fusion."


# What was found in the files


def pool_of(how, depths, **more):
    """A study whose pool is known so, with these depths of its topics."""
    topics = [f"t{i}" for i in range(len(depths))]
    run = {topic: {"d": 2.0, "e": 1.0} for topic in topics}
    study = small_study({"a": run, "b": run, "c": run}, {topic: {"d": 1} for topic in topics}, pooled="all")
    pooling = replace(study.pooling, depth=7, depth_of_topic=np.array(depths), how=how, **{"depth_known": True} | more)
    pooled = np.array([True, False, True])
    whole = replace(study.whole, pooled=pooled)
    return replace(study, whole=whole, pooling=pooling, options=study.options | {"pooled": None})


@pytest.mark.parametrize(
    ("study", "who", "deep"),
    [
        (pool_of("inferred", [7, 7, 7]), "2 of 3 systems (inferred from the files)", "7 on 3 of 3 judged topics"),
        (pool_of("inferred", [7, 9, 0], doubtful=("b",)), "2 of 3 systems (inferred from the files); possibly also b",
         "7 on 1 of 3 judged topics; another depth on 1; unknown on 1"),
        (pool_of("named", [7, 0]), "2 of 3 systems (from the systems table)",
         "7 on 1 of 2 judged topics; unknown on 1"),
        (pool_of("assumed", [0, 0], depth_known=False), "all 3 systems (assumed: the files do not show which)",
         "unknown"),
    ],
)  # fmt: skip
def test_who_formed_the_pool_and_how_deep_is_said_as_it_was_found(study, who, deep):
    said = settled(study)
    assert (said["Contributing systems"], said["Pool depth"]) == (who, deep)


def test_what_a_page_left_unsaid_of_its_tables_is_in_the_report():
    study = two_systems()
    board, topics = (evalcore.ask(study, question) for question in ("leaderboard", "topics"))
    tables = {"leaderboard": ("Every system", board), "topics": ("Every topic", topics), "again": ("More", topics)}
    other = Conclusion("In place of it.")
    said = report_of.section_of("Scores", "How good?", {"findings": {"leaderboard": other}, "tables": tables})
    assert said.findings == [other, topics.finding]
    whole = with_detail(board.finding, topics.finding)  # which has all facts of both
    said = report_of.section_of("Scores", "How good?", {"findings": {"all": whole}, "tables": tables})
    assert said.findings == [whole]


def test_pages_that_have_nothing_to_say_have_a_reason():
    one = small_study({"a": {"t": {"d": 1.0}}}, {"t": {"d": 1}}, pooled="all")
    refused = ["Compare", "Confidence", "Orderings", "Estimators", "Fusion", "Consistency"]
    assert list(menu.nothing_to_say(one)) == refused
    assert menu.nothing_to_say(one)["Estimators"].startswith("the pool depth is unknown, ")
    shallow = small_study({"a": {"t": {"d": 1.0}}}, {"t": {"d": 1}}, pooled="all", pool_depth=1)
    assert menu.nothing_to_say(shallow)["Estimators"].startswith("the pool is one document deep, ")
    run = {f"{topic}-{i}": {"d": 2.0, "e": 1.0 + i} for topic in ("t0", "t1") for i in (1, 2)}
    two = small_study({"a": run, "b": run}, {topic: {"d": 1, "e": 0} for topic in ("t0", "t1")}, pooled="all")
    assert menu.nothing_to_say(two) == {}
    body = report_of.report("T", [], [], (), day="d", nothing=menu.nothing_to_say(one).items())
    assert "Pages that do not apply to this track" in body
    assert "<td>Consistency</td><td>Every topic has one query, " in body
    assert "do not apply" not in report_of.report("T", [], [], (), day="d")


# Names that would be something else in the file where they stand

HOSTILE_NAMES = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "a & b \\\\ \\hline",
    "\\input{/etc/passwd}",
    "$x^2_1$ ~%#",
    "[oops]",
    "=cmd()",
    "\u202egnp.exe",
    "two\nlines",
    "{brace",
    "../../up",
    "]]><svg/onload=alert(1)>",
]
TAGS = """html head meta title style body h1 h2 h3 p strong figure div script figcaption button details summary table
thead tbody tr th td a span br ul li pre code wbr em math mrow mi mn mo mfrac msub msup msubsup munder munderover mover
mspace mtext msqrt"""


@pytest.fixture
def hostile():
    runs = {name: {"t": {"d": 2.0, f"<{number}>": 1.0}} for number, name in enumerate(HOSTILE_NAMES)}
    study = small_study(runs, {"t": {"d": 1, "<1>": 0}}, pooled="all")
    board = evalcore.ask(study, "leaderboard", metric="P@5")
    note = {"findings": {"a": board.finding}, "tables": {"a": (HOSTILE_NAMES[0], board)}, "address": "scores?q=<>&x"}
    shown = partial(VIEWS["leaderboard"].figure, board)
    note["pictures"] = {HOSTILE_NAMES[0]: (HOSTILE_NAMES[1], HOSTILE_NAMES[2], shown)}
    return board, [report_of.section_of("Scores", "How good?", note, own="".join(HOSTILE_NAMES))]


class Tags(HTMLParser):
    """What a browser would make of a file: its tags, and what its scripts of data hold."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.data, self.inside = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.inside = tag if tag == "script" else None

    def handle_data(self, data):
        if self.inside == "script":
            self.data.append(data)

    def handle_endtag(self, tag):
        self.inside = None


def test_hostile_names_are_text_in_the_report(hostile):
    _, said = hostile
    body = report_of.report(HOSTILE_NAMES[0], said, [], (), day="d", app="http://x/", in_full=True)
    page = report_of.report_page(body, HOSTILE_NAMES[0]).decode()
    seen = Tags(page)
    assert {tag for tag, _ in seen.tags} <= set(TAGS.split())
    assert not [name for _, attributes in seen.tags for name in attributes if name.startswith("on")]
    assert sum(tag == "script" for tag, _ in seen.tags) == 3
    assert not [value for _, of in seen.tags for name, value in of.items() if name == "src"]
    figure = json.loads(seen.data[0])
    assert [html.unescape(one) for one in figure["layout"]["yaxis"]["ticktext"]]
    assert figure["layout"]["paper_bgcolor"] == "#FFFFFF"
    assert dict(seen.tags)["a"]["href"]
    links = [of["href"] for tag, of in seen.tags if tag == "a" and not of["href"].startswith("#")]
    assert links == ["http://x/scores?q=<>&x"]


def test_the_report_runs_its_own_scripts_alone(hostile):
    page = report_of.report_page(report_of.report("T", hostile[1], [], (), day="d", in_full=True)).decode()
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    runs = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in runs]
    assert re.findall(r"'sha256-([^']+)'", policy) == digests
    assert not re.search(r"""<(?:script|link|img|iframe)[^>]+(?:src|href)=""", page)
    assert "script-src 'none'" in report_of.report_page("<p>").decode()


def test_hostile_names_are_text_in_latex(hostile):
    board, _ = hostile
    made = export.tabular(board, HOSTILE_NAMES[8])
    rows = [line for line in made.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 1 + len(HOSTILE_NAMES)
    for row in rows:
        assert len(re.findall(r"(?<!\\)&", row)) == len(board.table.columns) - 2  # no group is named
        plain = re.sub(r"\\(?:text\w+\{\}|[{}$&%#_]|\\$)", "", row)
        assert not re.search(r"[\\$%#^~<>_]", plain), row
        assert not row.startswith("[")
    (caption,) = [line for line in made.splitlines() if line.startswith("\\caption{")]
    assert latex(text(HOSTILE_NAMES[8])) in caption
    assert not [line for line in made.splitlines() if "\\input{" in line]
    assert latex("a--b---c -1 * [x]") == "a-{}-b-{}-{}-c -1 {*} {[}x{]}"
    long = replace(board, table=pd.concat([board.table] * 20))
    assert f"The first 100 of {20 * len(HOSTILE_NAMES)} rows." in export.tabular(long, "T")


def test_significant_differences_have_a_dagger():
    rows = {"system": ["a", "b"], "difference": [0.25, -0.5], "significant": [True, False]}
    board = evalcore.ask(small_study({"a": {"t": {"x": 1.0}}}, {"t": {"x": 1}}), "leaderboard")
    answer = replace(board, table=pd.DataFrame(rows), question="against_baseline")
    lines = export.tabular(answer, "T").splitlines()
    shown = [line for line in lines if line.startswith(("a &", "b &"))]
    assert shown == [r"a & 0.2500$^\dagger$ \\", r"b & $-$0.5000 \\"]
    assert r"\toprule" in lines
    few = export.tabular(answer, "T", ["difference", "system"]).splitlines()  # in the order of the table
    assert few == lines
    (head, *rows) = [line for line in export.tabular(answer, "T", ["system"]).splitlines() if line.endswith(r"\\")]
    assert (head, rows) == (r"system \\", [r"a \\", r"b \\"])


def test_hostile_names_are_plain_names_in_the_archive(hostile):
    packed = zipfile.ZipFile(io.BytesIO(export.archive(b"", hostile[1])))
    assert not [name for name in packed.namelist() if re.search(r"[^\w./=-]|\.\.|^/", name)]
    table = packed.read("Scores/01_leaderboard_P_5.csv").decode()
    assert "\n'=cmd()," in table
    assert HOSTILE_NAMES[0] not in packed.read("references.bib").decode()


def test_numbers_are_written_as_people_read_them():
    asked = [("leaderboard", "value", 0.5), ("leaderboard", "rank", 1234.0), ("topics", "share_relevant", 0.25),
             ("pairs", "p", 0.00012), ("leaderboard", "pooled", np.True_), ("leaderboard", "value", math.nan),
             ("leaderboard", "system", "a\tb"), ("pool", "change", -1e-17)]  # fmt: skip
    wanted = ["0.5000", "1,234", "25.0%", "0.00012", "yes", "–", "a b", "0.0000"]
    assert [export.written(*one) for one in asked] == wanted


def test_a_definition_without_a_formula_is_said_in_words():
    study = small_study({"a": {"t": {"d": 1.0}}}, {"t": {"d": 1}})
    said = noted(study, ("Judged", "judged", {"k": 5}), ("Intervals", "scores", {"metric": "P@5"}))
    report = report_of.report("T", said, [], (), day="d", in_full=True)
    assert "<code>Judged@k</code> is the number of judged documents among the first <code>k</code> ranks" in report
    assert "<pre>- A topic is *judged* when" in report  # a list, as it is written
    assert "Asked by" not in report
