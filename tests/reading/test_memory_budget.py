"""How much memory may be taken, and what is said where it is not enough."""

import pytest

from evalcore.reading import memory_budget
from evalcore.reading.files import InputError


def test_the_setting_counts_and_without_it_half_of_the_memory(monkeypatch):
    monkeypatch.setenv(memory_budget.SETTING, "12345")
    assert memory_budget.allowed() == 12345
    monkeypatch.delenv(memory_budget.SETTING)
    monkeypatch.setattr(memory_budget, "there_is", lambda: 1000)
    assert memory_budget.allowed() == 500


@pytest.mark.parametrize("said", ["4GB", "-1", "0", "1e9", "٣"])
def test_a_setting_that_is_no_number_is_refused(monkeypatch, said):
    monkeypatch.setenv(memory_budget.SETTING, said)
    with pytest.raises(ValueError, match=r"POOLSCOPE_MEMORY_BYTES='.+' is not valid; it must be a whole number from 1"):
        memory_budget.allowed()


def test_a_refusal_says_what_is_needed_what_there_is_and_what_to_do(monkeypatch):
    monkeypatch.setenv(memory_budget.SETTING, "2000000000")
    memory_budget.refuse_if_over(2_000_000_000, "These files")
    with pytest.raises(InputError) as refused:
        memory_budget.refuse_if_over(3_210_000_000, "These files", file="a.run")
    assert str(refused.value) == (
        "These files need 3.2 GB of memory, but only 2.0 GB is allowed. Use fewer runs or topics, or truncate the "
        "runs, or allow more (POOLSCOPE_MEMORY_BYTES, in bytes)."
    )
    assert refused.value.problems[0].file == "a.run"


@pytest.mark.parametrize(
    ("groups", "own", "least"),
    [
        ({"memory.max": "4096"}, "0::/", 4096),
        ({"memory.max": "max"}, "0::/", None),
        ({"a/memory.max": "300", "a/b/memory.max": "max"}, "0::/a/b", 300),
        ({"memory/memory.limit_in_bytes": "77"}, "4:memory:/docker/1", 77),
        ({"memory/x/memory.limit_in_bytes": "88"}, "3:cpu:/\n4:hugetlb,memory:/x", 88),
        ({"cpu/memory.max": "5"}, "3:cpu:/cpu", None),
        ({}, None, None),
    ],
)
def test_a_container_has_no_more_than_its_limit(tmp_path, monkeypatch, groups, own, least):
    for name, text in groups.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text + "\n")
    file = tmp_path / "own"
    if own is not None:
        file.write_text(own + "\n")
    monkeypatch.setattr(memory_budget, "GROUPS", tmp_path)
    assert min(memory_budget._limits(file), default=None) == least
    assert memory_budget.there_is() > 0


@pytest.mark.parametrize(
    ("text", "more"),
    [
        (b"", 0),
        (b"x" * 100, 0),
        (b"x" * 99 + b"\n", 0),
        (b"\n" * 10, 980),
        (b"\r\n" * 10, 960),
        (b" {" + b"x" * 98, 1400),
    ],
)
def test_short_lines_and_json_take_more_than_their_length(text, more):
    assert memory_budget.more_than_text(text) == more
