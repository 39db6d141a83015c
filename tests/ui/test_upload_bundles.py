"""Many files that the browser sends as one are as if each had been sent by itself."""

import json

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from ui.data import upload_bundles
from ui.serving import upload_limits

FILES = [("é.run", b"1 Q0 d 1 2 A\n"), ("empty", b""), ("qrels.txt", b"1 0 d 1\n\n"), ("é.run", b"\x1f\x8b\n")]


def bundle(files=FILES, sizes=None):
    head = [
        [name, len(data) if sizes is None else size]
        for (name, data), size in zip(files, sizes or [0] * 9, strict=False)
    ]
    return json.dumps(head).encode() + b"\n" + b"".join(data for _, data in files)


def upload(data, kind=upload_bundles.TYPE):
    return UploadedFile(UploadedFileRec("id", "é.run and 3 more", kind, data), FileURLs())


@pytest.fixture
def kept(monkeypatch):
    """What Streamlit keeps: id -> content."""
    streamlit = {"id": b""}
    monkeypatch.setattr(upload_limits, "keep", lambda record: streamlit.update({record.file_id: record.data}))
    monkeypatch.setattr(upload_limits, "release", lambda file_id: streamlit.pop(file_id, None))
    return streamlit


def test_files_of_a_bundle_have_their_names_and_ids_of_their_own(kept):
    parts = upload_bundles.separated([upload(bundle())])
    assert [(part.name, part.getvalue()) for part in parts] == FILES
    assert len({part.file_id for part in parts} | {"id"}) == 5
    again = upload_bundles.separated([upload(bundle())])  # after an interrupted run
    assert [part.file_id for part in again] == [part.file_id for part in parts]
    upload_bundles.drop([parts[0].file_id])
    assert kept == {part.file_id: part.getvalue() for part in parts}


def test_other_files_are_left_as_they_are(kept):
    plain = upload(bundle(), "text/plain")
    assert upload_bundles.separated([plain, plain]) == [plain, plain]
    assert list(kept) == ["id"]


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\n", b"[]", b"x\ny", b"null\n", b"[]\nrest", b"[" * 100_000 + b"\n", b'[["a"]]\n', b'[["a", null]]\n',
        b'[["a", 1]]\n', b'[["a", 1e999]]\n', b'[["a", -1], ["b", 2]]\nx', b'[["a", 1]]', b'[["a", 3]]\n\xff\xff',
        b" " * (1 << 21) + bundle(),
    ],
    ids=range(15),
)  # fmt: skip
def test_what_is_no_bundle_is_a_file(kept, data):
    wrong = upload(data)
    assert upload_bundles.separated([wrong]) == [wrong]


def test_a_name_that_cannot_be_written_is_replaced():
    assert list(upload_bundles.contents(b'[["a\\ud800", 0]]\n')) == [("a?", b"")]
    many = json.dumps([["a", 0]] * (upload_bundles.MOST_FILES + 1)).encode() + b"\n"
    assert not [*upload_bundles.contents(many)]
