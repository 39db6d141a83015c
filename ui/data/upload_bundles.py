"""Many files that the browser sent as few uploads (ui/components/browser_uploads.js), separated again: each is as if it
had been sent by itself."""

import json
from collections.abc import Iterable, Iterator

from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from ui.serving import upload_limits

TYPE = "application/x-poolscope-files"  # of a bundle
MOST_FILES, MOST_HEAD = 1000, 1 << 21  # files of a bundle, as in the browser, and bytes of its first line
PART = "-file-"  # between the id of a bundle and the number of a file in it


def separated(uploads: Iterable[UploadedFile]) -> list[UploadedFile]:
    """The files of an uploader, those of a bundle under ids of their own."""
    return [file for upload in uploads for file in (_parts(upload) if upload.type == TYPE else [upload])]


def drop(file_ids: Iterable[str]) -> None:
    """Have Streamlit no longer keep these bundles, or those of these files. It is done when their files are loaded,
    because a run that is interrupted separates a bundle again."""
    for bundle_id in {file_id.partition(PART)[0] for file_id in file_ids}:
        upload_limits.release(bundle_id)


def _parts(bundle):
    """The files of a bundle; the bundle itself where it is none."""
    parts = []
    for name, data in contents(bundle.getvalue()):
        record = UploadedFileRec(f"{bundle.file_id}{PART}{len(parts)}", name, "", data)
        upload_limits.keep(record)
        parts.append(UploadedFile(record, FileURLs()))
    return parts or [bundle]


def contents(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files in a bundle, whose first line is JSON: [[name, bytes], ...]. None where the line
    and the contents do not agree, or there are too many."""
    at = data.find(b"\n", 0, MOST_HEAD) + 1
    try:
        head = [(str(name).encode(errors="replace").decode(), int(size)) for name, size in json.loads(data[:at])]
    except (ValueError, TypeError, OverflowError, RecursionError):
        return
    if len(head) > MOST_FILES or any(size < 0 for _, size in head) or at + sum(size for _, size in head) != len(data):
        return
    for name, size in head:
        yield name, data[at : at + size]
        at += size
