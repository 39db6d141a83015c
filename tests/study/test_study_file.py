"""Studies as one file: what comes back is what was saved, and a hostile file has no effect."""

import io
import json
import zipfile
from pathlib import Path

import pytest

import evalcore
from evalcore.reading.files import Upload
from evalcore.study import study_file

WEB = Path(__file__).parents[2] / "sample_data" / "web"
RUN = "1 Q0 d1 1 2.5 a\n1 Q0 d2 2 1.5 a\n2 Q0 d1 1 1.0 a\n"
OTHER = "1 Q0 d2 1 2.5 b\n2 Q0 d3 1 1.5 b\n"
QRELS = "1 0 d1 2\n1 0 d2 0\n2 0 d3 1\n"
UNSAID = {"version": "0.1.0", "name": "", "track": "files", "fused": [], "choices": {}, "address": {}, "page": "",
          "notes": {}}  # fmt: skip


def uploads():
    return [Upload("a.run", RUN.encode()), Upload("x/b.run", OTHER.encode())], Upload("qrels.txt", QRELS.encode())


def saved(study, files, **manifest):
    return study_file.written(UNSAID | {"options": study.options} | manifest, study.sources, files)


@pytest.fixture
def packed():
    runs, qrels = uploads()
    study = evalcore.open_study(runs, qrels, rel_level=2, gains={0: 0, 1: 0.5, 2: 1}, cache=False)
    return saved(study, [*runs, qrels])


def changed(packed, **parts):
    """The zip with other members, or another manifest (a function of the old one)."""
    into = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as old, zipfile.ZipFile(into, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == study_file.MANIFEST and "manifest" in parts:
                manifest = json.loads(text)
                parts["manifest"](manifest)
                text = json.dumps(manifest)
            new.writestr(name, parts.get(name, text))
    return Upload("s.poolscope", into.getvalue())


def test_a_saved_study_opens_with_the_same_tables(packed, tmp_path):
    runs, qrels = uploads()
    study = evalcore.open_study(runs, qrels, rel_level=2, gains={0: 0, 1: 0.5, 2: 1}, cache=False)
    (tmp_path / "s.poolscope").write_bytes(packed)
    again = evalcore.open_study(tmp_path / "s.poolscope", cache=False)
    assert again.digest == study.digest
    for metric in ("AP", "RBP(p=0.8)"):
        table = evalcore.ask(study, "leaderboard", metric=metric).table
        assert evalcore.ask(again, "leaderboard", metric=metric).table.equals(table)


def test_all_that_is_added_to_a_study_is_saved(tmp_path):
    runs, qrels = WEB / "runs", WEB / "qrels.txt"
    given = {role: WEB / name for role, name in (
        ("systems", "systems.tsv"), ("queries", "queries.tsv"), ("other", "qrels.second.txt.gz"),
        ("truth", "qrels.complete.txt.gz"),
    ) if (WEB / name).exists()}  # fmt: skip
    judges = {"m": sorted((WEB / "judges").iterdir())[0]}
    study = evalcore.open_study(runs, qrels, **given, cache=False).with_judges(
        judges, kinds={"m": "people"}, rel_levels={"m": 2}, gains={"m": {0: 0, 1: 0.2, 2: 0.5, 3: 1}}
    )
    study = study.with_fused("mine", systems=list(study.systems[:3]), method="rbc(phi=0.9)")
    fused = study.scope["with_fused"]
    written = saved(study, [runs, qrels, *given.values(), *judges.values()], fused=fused)
    again = evalcore.open_study(Upload("s.poolscope", written), cache=False)
    assert again.digest == study.digest
    assert evalcore.ask(again, "judges").table.equals(evalcore.ask(study, "judges").table)
    assert "mine" in again.systems


def test_judgments_by_subtopic_are_saved():
    runs, qrels = uploads()
    by_subtopic = Upload("diversity.txt", b"1 1 d1 1\n1 2 d2 1\n2 1 d3 1\n")
    study = evalcore.open_study(runs, qrels, cache=False).with_subtopics(by_subtopic)
    again = evalcore.open_study(Upload("s.poolscope", saved(study, [*runs, qrels, by_subtopic])), cache=False)
    assert again.digest == study.digest
    assert evalcore.ask(again, "diversity").table.equals(evalcore.ask(study, "diversity").table)


@pytest.mark.parametrize("text", [RUN.replace("2.5", "0.5"), ""])
def test_a_changed_file_is_named(packed, text):
    with pytest.raises(evalcore.InputError, match=r"a\.run was changed or removed: its SHA-256 differs"):
        evalcore.open_study(changed(packed, **{"files/a.run": text.encode()}), cache=False)


def test_a_file_of_which_only_the_digest_is_saved_is_asked_for():
    runs, qrels = uploads()
    study = evalcore.open_study(runs, qrels, cache=False)
    with pytest.raises(evalcore.InputError, match=r"qrels\.txt is not in it, only its SHA-256"):
        evalcore.open_study(Upload("s.poolscope", saved(study, runs)), cache=False)


def hostile(**values):
    return lambda manifest: manifest.update(values)


def of_file(**values):
    return lambda manifest: manifest["files"][0].update(values)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (hostile(choices={"metric": "AP"}), "wrong type"),
        (hostile(choices=[]), "wrong type"),
        (hostile(track=["web"]), "wrong type"),
        (hostile(notes={"Scores": 3}), "wrong type"),
        (hostile(fused=[{"name": "x", "systems": 5, "method": "rbc"}]), "wrong type"),
        (hostile(fused=[{"name": "x", "systems": "all", "method": "rbc", "self": "x"}]), "wrong type"),
        (hostile(poolscope_study=99), "newer Poolscope"),
        (hostile(poolscope_study=True), "wrong type"),
        (hostile(more=1), "wrong type"),
        (hostile(name="\ud800"), "wrong type"),
        (hostile(choices={"\ud800": ["x"]}), "wrong type"),
        (hostile(choices={"metric": ["AP"] * 2001}), "wrong type or length"),
        (hostile(options={"columns": {"a": {"document": "\ud800"}}}), "wrong type"),
        (hostile(options={"pooled": [["x"] * 2001]}), "wrong type"),
        (
            hostile(fused=[{"name": f"f{n}", "systems": "all", "method": "rbc"} for n in range(51)]),
            "has 51 fused runs, but at most 50 are allowed",
        ),
        (lambda manifest: manifest["files"].append({**manifest["files"][0], "name": "c.run"}), "lists one file twice"),
        (of_file(role="pickle"), "wrong type"),
        (of_file(role=["run"]), "wrong type"),
        (of_file(member=5), "wrong type"),
        (of_file(sha256="../../etc/passwd"), "was changed or removed"),
        (hostile(options={"cache": "elsewhere"}), "unknown option or value: cache"),
        (hostile(options={"progress": "print"}), "unknown option or value: progress"),
        (hostile(options={"order": "both"}), "unknown option or value: order"),
        (hostile(options={"pool_depth": "deep"}), "unknown option or value: pool_depth"),
        (hostile(options={"rel_level": [1]}), "unknown option or value: rel_level"),
        (hostile(options={"gains": {"0": "x"}}), "unknown option or value: gains"),
        (hostile(options={"pooled": {"a": 1}}), "unknown option or value: pooled"),
        (hostile(options={"columns": {"of": "x"}}), "unknown option or value: columns"),
        (hostile(options={"judges": {"m": "robots"}}), "unknown option or value: judges"),
        (hostile(options={"judge_levels": {"m": "high"}}), "unknown option or value: judge_levels"),
        (hostile(options={"judge_gains": {"m": "log"}}), "unknown option or value: judge_gains"),
    ],
)
def test_a_hostile_manifest_is_refused(packed, change, said):
    with pytest.raises(ValueError, match=said):
        evalcore.open_study(changed(packed, manifest=change), cache=False)


def test_a_path_in_a_study_file_is_never_opened(packed, tmp_path):
    """Members are looked up by their digest; what is on the disk under a name of the manifest is not read."""
    (tmp_path / "secret").write_text(RUN)
    path = str(tmp_path / "secret")
    study = evalcore.open_study(changed(packed, manifest=of_file(member=path, name=path)), cache=False)
    assert study.sources[0].name == path  # with the bytes of the zip
    with pytest.raises(evalcore.InputError, match="SHA-256 differs"):
        evalcore.open_study(changed(packed, manifest=of_file(member=path), **{"files/a.run": b"x"}), cache=False)


@pytest.mark.parametrize("name", ["../out", "/etc/x", "C:/x"])
def test_a_member_that_leads_out_is_refused(packed, name):
    into = io.BytesIO(packed)
    with zipfile.ZipFile(into, "a") as archive:
        archive.writestr(name, "x")
    with pytest.raises(evalcore.InputError, match="points outside the archive"):
        study_file.read(Upload("s.poolscope", into.getvalue()))


def test_a_name_that_is_twice_in_the_zip_is_refused(packed):
    into = io.BytesIO(packed)
    with zipfile.ZipFile(into, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("files/a.run", "x")
    with pytest.raises(evalcore.InputError, match="lists one file twice"):
        study_file.read(Upload("s.poolscope", into.getvalue()))


def test_deep_nesting_is_refused(packed):
    deep = {}
    for _ in range(900):
        deep = {"x": deep}
    with pytest.raises(ValueError, match=r"study|options?"):
        evalcore.open_study(changed(packed, manifest=hostile(options={"columns": deep})), cache=False)


def test_more_than_is_ever_saved_is_refused(packed, monkeypatch):
    monkeypatch.setattr(study_file, "LARGE", 10)
    monkeypatch.setattr(study_file, "MOST", 10)
    with pytest.raises(evalcore.InputError, match="unpacks to 1 MB, but a study has at most 0 MB of files"):
        study_file.read(Upload("s.poolscope", packed))


def test_a_file_in_several_roles_and_equal_files_are_saved():
    """As one member of the zip where they have one name; every member is in a role once."""
    runs, qrels = uploads()
    odd = [Upload(name, RUN.replace(" a\n", " s\n").encode()) for name in (".one", ".two", "../one")]
    study = evalcore.open_study([*runs, *odd], qrels, other=qrels, cache=False)
    study = study.with_judges({"m": qrels, "n": Upload("n", qrels.data), "o": qrels})
    packed = saved(study, [*runs, *odd, qrels, Upload("n", qrels.data)])
    again = evalcore.open_study(Upload("s.poolscope", packed), cache=False)
    assert (again.systems, again.digest) == (study.systems, study.digest)
    names = zipfile.ZipFile(io.BytesIO(packed)).namelist()
    assert len(names) == len(set(names))


def test_its_files_have_one_budget():
    """For cells of workbooks, and for what packed files unpack to, as those of an archive have."""
    study = study_file.Saved("s", {}, {"d": b"1", "e": b"2"})
    one, two = (study.upload({"name": "x", "sha256": name, "sheet": None, "member": "m"}) for name in "de")
    assert one.shared["tally",] is two.shared["tally",]
    assert one.shared["unpacker",] is two.shared["unpacker",]
    assert one.shared is not two.shared


def test_a_bomb_is_refused(packed):
    into = io.BytesIO(packed)
    with zipfile.ZipFile(into, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("files/zeros", bytes(120 << 20))
    with pytest.raises(evalcore.InputError, match="bytes unpack to"):
        study_file.read(Upload("s.poolscope", into.getvalue()))


@pytest.mark.parametrize("text", [b"", b"[", b"{}", b"[" * 100_000, b'{"poolscope_study": 1}', b"\xff", b"1" * 9999])
def test_a_broken_description_is_refused(packed, text):
    with pytest.raises(evalcore.InputError, match="Save it again"):
        study_file.read(changed(packed, **{study_file.MANIFEST: text}))


def test_other_archives_are_no_study_files(packed, tmp_path):
    assert study_file.is_study_file(Upload("x", packed))
    for data in (b"", b"PK\x03\x04", packed[:200], RUN.encode()):
        assert not study_file.is_study_file(Upload("x.poolscope", data))
    assert not study_file.is_study_file(tmp_path)
    assert not study_file.is_study_file(tmp_path / "none")
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w") as archive:
        archive.writestr("a.run", RUN)
    assert not study_file.is_study_file(Upload("x.poolscope", into.getvalue()))


def test_names_in_the_zip_are_harmless_where_it_is_unpacked():
    names = ["../../a.run", "/b.run", "C:\\c.run", "README", ".d", "x/../e.run", "same", "same/", "..", "<f>.run"]
    runs = [Upload(name, RUN.replace(" a\n", f" s{i}\n").encode()) for i, name in enumerate(names)]
    qrels = Upload("q", QRELS.encode())
    study = evalcore.open_study(runs, qrels, cache=False)
    packed = saved(study, [*runs, qrels])
    for name in zipfile.ZipFile(io.BytesIO(packed)).namelist():
        assert not {"..", "", "."} & {*name.split("/")}
        assert not {*':\\<>"|?*'} & {*name}
    again = evalcore.open_study(Upload("s.poolscope", packed), cache=False)
    assert (again.systems, again.digest) == (study.systems, study.digest)
