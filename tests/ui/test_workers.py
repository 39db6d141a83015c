"""Questions answered in processes of their own: the same answers, failures and progress, whatever becomes of them."""

import os
import pickle
import subprocess
import sys
import threading
import types
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import evalcore
from evalcore.reading.files import refusal
from evalcore.vocabulary.validation import NotKnown
from tests.small import small_study
from ui.serving import workers
from ui.serving.workers import Worker, Workers

ROOT = Path(__file__).parents[2]


@pytest.fixture
def one_worker(monkeypatch):
    crew = Workers(1)
    monkeypatch.setattr(workers, "WORKERS", crew)
    monkeypatch.setattr(workers, "LONG", dict.fromkeys(workers.LONG, 0))
    yield crew
    crew.end()


def study(topics=6):
    documents = [f"d{d}" for d in range(12)]
    qrels = {f"t{t}": {document: (d + t) % 3 == 0 for d, document in enumerate(documents)} for t in range(topics)}
    qrels = {topic: {document: int(grade) for document, grade in judged.items()} for topic, judged in qrels.items()}
    runs = {
        f"s{s}": {topic: {document: float((d * (s + 2) + t) % 13) for d, document in enumerate(documents)}
                  for t, topic in enumerate(qrels)}
        for s in range(6)
    }  # fmt: skip
    return small_study(runs, qrels, pooled="all")


SMALL = {"system_samples": 2, "topic_samples": 3, "widths": [2, 3], "common": [2], "depth": 5}


@pytest.mark.slow
@pytest.mark.parametrize("question", sorted(workers.LONG.keys() - {"adjustment_experiment"}))
def test_a_worker_says_what_evalcore_says(one_worker, question):
    ours = study()
    try:
        expected = evalcore.ask(ours, question)
    except ValueError as refused:
        with pytest.raises(type(refused), match=str(refused)[:30].replace("(", ".").replace(")", ".")):
            workers.answer(study(), question)
        return
    found = workers.answer(study(), question)
    assert found.table.equals(expected.table)
    assert (found.params, found.notes, str(found.finding)) == (expected.params, expected.notes, str(expected.finding))
    assert found.script() == expected.script()


def test_every_long_question_is_a_question():
    assert evalcore.QUESTIONS.keys() >= workers.LONG.keys()


def test_a_study_travels_once(one_worker, monkeypatch):
    ours, sent = study(), []
    monkeypatch.setattr(workers, "replace", lambda study: sent.append(study) or replace(study))
    for question in ("models", "tukey_pairs", "models"):
        workers.answer(ours, question)
    assert len(sent) == 1


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="says what a process was started with")
def test_workers_multiply_matrices_in_one_thread(one_worker):
    workers.answer(study(), "models")
    (worker,) = one_worker._idle
    given = Path(f"/proc/{worker._process.pid}/environ").read_bytes().split(b"\0")
    assert f"OPENBLAS_NUM_THREADS={os.environ['OPENBLAS_NUM_THREADS']}".encode() in given


def test_a_pool_is_learnt_once_for_all_choices_of_systems():
    whole = study()
    asked = {"metric": "RBP(p=0.95)", "estimator": "two-stage-b", "depth": 2}
    expected = evalcore.ask(whole.only(systems=["s1", "s4"]), "estimates", **asked).table
    evalcore.ask(whole, "estimates", **asked)
    narrower, elsewhere = (replace(one) for one in (whole.only(systems=["s1", "s4"]), whole.only(topics=["t1", "t2"])))
    assert not narrower.memo.evidence.items()
    for one in (narrower, elsewhere):
        one.share_pool(whole)
    assert narrower.memo.evidence is whole.memo.evidence
    assert elsewhere.memo.evidence is not whole.memo.evidence
    assert evalcore.ask(narrower, "estimates", **asked).table.equals(expected)


def test_small_studies_and_short_questions_stay_here(monkeypatch):
    monkeypatch.setattr(workers, "Worker", None)  # none can be begun
    assert len(workers.answer(study(), "findings").table)
    monkeypatch.setattr(workers, "LONG", dict.fromkeys(workers.LONG, 0))
    monkeypatch.setattr(workers, "WORKERS", Workers(0))
    assert len(workers.answer(study(), "models").table)
    monkeypatch.setattr(workers, "WORKERS", Workers(1))
    assert len(workers.answer(study(), "leaderboard").table)


def test_what_a_worker_refuses_is_refused_here(one_worker):
    with pytest.raises(ValueError, match="no metric 'XX'"):
        workers.answer(study(), "models", metric="XX")
    with pytest.raises(NotKnown):
        workers.answer(small_study({"s": {"t": {"d": 1.0}}, "r": {"t": {"e": 1.0}}}, {"t": {"x": 1}}, pooled=None),
                    "bias_by_width")  # fmt: skip


def test_progress_is_told(one_worker):
    far = []
    answer = workers.answer(study(), "adjustment_experiment", progress=lambda *one: far.append(one), **SMALL)
    assert far == [(done, 4) for done in range(4)]
    assert answer.table.equals(evalcore.ask(study(), "adjustment_experiment", **SMALL).table)


class _Stop(BaseException):
    pass


def test_who_stops_goes_on_where_they_stopped_even_with_another_worker(one_worker):
    ours, far, many = study(), [], SMALL | {"system_samples": 200}

    def stop(done, total):
        if done == 2:
            raise _Stop

    with pytest.raises(_Stop):
        workers.answer(ours, "adjustment_experiment", progress=stop, **many)
    one_worker.end()
    answer = workers.answer(ours, "adjustment_experiment", progress=lambda *one: far.append(one[0]), **many)
    assert far
    assert far[0] >= 2
    assert answer.table.equals(evalcore.ask(study(), "adjustment_experiment", **many).table)


def test_a_worker_that_was_killed_is_said_and_replaced(one_worker):
    ours = study()
    workers.answer(ours, "models")
    (worker,) = one_worker._idle

    def kill(done, total):
        worker._process.kill()

    with pytest.raises(ValueError, match=r"ended.*Reload the page"):
        workers.answer(ours, "adjustment_experiment", progress=kill, **SMALL)
    assert len(workers.answer(ours, "models").table)
    one_worker._idle[0]._process.kill()
    one_worker._idle[0]._process.join()
    assert len(workers.answer(ours, "models").table)


def test_many_who_ask_together_all_get_their_own_answer(one_worker):
    ours, found = study(), {}

    def ask(metric):
        found[metric] = workers.answer(ours, "models", metric=metric)

    threads = [threading.Thread(target=ask, args=(metric,)) for metric in ("P@3", "P@5", "RBP(p=0.8)", "RBP(p=0.5)")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert {metric: answer.params["metric"] for metric, answer in found.items()} == {m: m for m in found}
    assert len(found) == 4


def test_what_takes_seconds_waits_for_nobody(one_worker, monkeypatch):
    monkeypatch.setattr(workers, "LARGE", 1)
    monkeypatch.setattr(workers, "LONG", {"adjustment_experiment": 0, "anova": 1})
    ours, answered = study(), []

    def meanwhile(done, total):
        if not answered:  # the only worker is busy with what asks
            answered.append(len(workers.answer(ours, "anova").table))

    workers.answer(ours, "adjustment_experiment", progress=meanwhile, **SMALL)
    assert answered == [len(evalcore.ask(ours, "anova").table)]


def test_where_no_process_can_be_begun_the_page_answers_itself(one_worker, monkeypatch):
    def refused():
        raise OSError("no more processes")

    monkeypatch.setattr(workers, "Worker", refused)
    ours = study()
    for _ in range(2):  # the second would wait for ever if a worker had been counted that is not there
        said = workers.answer(ours, "models", metric="P@3", resamples=2)
        assert len(said.table) == len(evalcore.ask(ours, "models", metric="P@3", resamples=2).table)


def test_what_is_wrong_with_files_travels_with_all_of_it():
    wrong = refusal("a.run", " has no score", 3, ("x y",))
    again = pickle.loads(pickle.dumps(wrong))
    assert (again.problems, str(again)) == (wrong.problems, str(wrong))


def test_a_worker_ends_with_its_server():
    worker = Worker()
    worker._connection.close()
    worker._process.join(300)
    assert worker._process.exitcode == 0


def test_a_worker_whose_server_ends_meanwhile_writes_no_traceback():
    program = (
        "import multiprocessing\n"
        "from tests.ui.test_workers import study\n"
        "from ui.serving.workers import Job, work\n"
        "ours, theirs = multiprocessing.Pipe()\n"
        "ours.send(Job(study().digest, study(), 'anova', {}, []))\n"
        "ours.close()\n"
        "work(theirs)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_worker_does_not_start_the_app_again(monkeypatch):
    """Where Streamlit runs a page, the main module is app.py, which every new process imports."""
    main = types.ModuleType("__main__")
    main.__file__ = str(ROOT / "app.py")
    monkeypatch.setitem(sys.modules, "__main__", main)
    with ProcessPoolExecutor(1, mp_context=workers.PROCESSES) as process:
        assert "streamlit" not in process.submit(_loaded).result(60)


def _loaded():
    return list(sys.modules)
