"""A study as one file, NAME.poolscope: a zip archive of its files, and a manifest of how they are read.

Such a file may come from anybody. It is read within the limits of archives; only names in the zip are looked up, never
paths; and every value of the manifest has the type that it must have.
"""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalcore.reading import archive_limits, memory_budget
from evalcore.reading.files import NO_JUDGMENTS, File, Given, Listing, Source, Upload, listing, refusal

ENDING = ".poolscope"
MANIFEST = "manifest.json"
FORMAT = 1
MOST = 4 << 20  # bytes of a manifest
LARGE = 256 << 20  # bytes of files; of more, only the digests are saved
FOLDER = "files"
NUMBER = (int, float)
TEXTS = {str: [str]}  # such as an address: name -> values
SHAPE = {  # of the manifest: key -> type; [type] = a list of it, {str: type} = a dict by name
    "poolscope_study": int,
    "version": str,
    "name": str,
    "track": str,
    "files": [{"role": str, "name": str, "sha256": str, "own": bool, "sheet": (str, type(None)),
               "member": (str, type(None))}],
    "options": dict,
    "fused": [{"name": str, "systems": (str, [str]), "method": str, "over": str, "weights": (str, [NUMBER]), "k": int,
               "pooled": bool}],
    "choices": TEXTS,
    "address": TEXTS,
    "page": str,
    "notes": {str: str},
}  # fmt: skip


@dataclass(frozen=True)
class Saved:
    """A study file. name : of the file; manifest : as of `SHAPE`; data : the files in it, digest -> bytes"""

    name: str
    manifest: dict[str, Any]
    data: dict[str, bytes]

    def upload(self, file: Mapping[str, Any]) -> Upload:
        """One of the manifest's files, an `Upload`. Raises InputError where it was changed, or was not saved."""
        if file["member"] is None:
            message = f": {file['name']} is not in it, only its SHA-256. Open the study where the file is."
            raise refusal(self.name, message)
        if file["sha256"] not in self.data:
            message = f": {file['name']} was changed or removed: its SHA-256 differs. Use the file as it was saved."
            raise refusal(self.name, message)
        return Upload(file["name"], self.data[file["sha256"]], sheet=file["sheet"])


def is_study_file(file: Any) -> bool:
    """Whether a file (a path or an `Upload`) is a study file, readable or not."""
    try:
        data = io.BytesIO(file.data) if isinstance(file, Upload) else open(file, "rb")  # noqa: SIM115
        with data:
            data.seek(max(0, data.seek(0, io.SEEK_END) - (1 << 17)))
            if archive_limits.size_of_directory(data.read()) not in range(1, archive_limits.MOST_DIRECTORY + 1):
                return False
            with zipfile.ZipFile(data) as archive, archive.open(MANIFEST) as manifest:
                return b'"poolscope_study"' in manifest.read(200)
    except (*archive_limits.DAMAGED, KeyError, TypeError, OSError):  # ValueError is one of them
        return False


def read(file: File) -> Saved:
    """Read a study file (a path or an `Upload`). Raises InputError."""
    upload = file if isinstance(file, Upload) else Upload(Path(file).name, Path(file).read_bytes())
    listed = listing(Upload(upload.name, upload.data), "study")
    if listed.problems:
        raise refusal(upload.name, f" cannot be read. {listed.problems[0].message}")
    memory_budget.refuse_if_over(sum(one.size for one in listed.files), upload.name, file=upload.name)
    try:
        texts = {one.member: b"".join(one.steps()) for one in listed.files if _is_wanted(one)}
        manifest = json.loads(texts.pop(MANIFEST, b"")[:MOST])
    except (*archive_limits.DAMAGED, OSError, RecursionError):  # ValueError is one of them
        raise refusal(upload.name, " is damaged: the description of the study is incomplete. Save it again.") from None
    if isinstance(manifest, dict) and manifest.get("poolscope_study") not in (FORMAT, None):
        raise refusal(upload.name, " was saved by a newer Poolscope. Update Poolscope.")
    if not _fits(manifest, SHAPE):
        raise refusal(upload.name, " is not a study that Poolscope saved: a value has the wrong type. Save it again.")
    return Saved(upload.name, manifest, {hashlib.sha256(text).hexdigest(): text for text in texts.values()})


def _is_wanted(file: Given) -> bool:
    return file.member == MANIFEST or str(file.member).startswith(f"{FOLDER}/")


def _fits(value: Any, shape: Any) -> bool:
    """Whether a value of JSON has this type; see `SHAPE`."""
    if isinstance(shape, tuple):
        return any(_fits(value, one) for one in shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(one, shape[0]) for one in value)
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return False
        if str in shape:
            return all(_fits(one, shape[str]) for one in value.values())
        optional = {"over", "weights", "k", "pooled"} if "method" in shape else set()
        return value.keys() <= shape.keys() <= value.keys() | optional and all(
            _fits(one, shape[key]) for key, one in value.items()
        )
    return isinstance(value, shape) and (isinstance(value, bool) <= (shape in (bool, dict)))


def written(
    manifest: Mapping[str, Any], sources: Iterable[Source], own: Iterable[File], shared: Iterable[File] = (),
    more: Mapping[str, bytes | str] = {},
) -> bytes:  # fmt: skip
    """A study file, as bytes.

    manifest : without "files"; sources : of the study; own : the files that are saved with it
    shared : files that are where the study will be opened, but are saved as well; more : further members of the zip
    """
    saved, total = {}, 0
    for files, is_own in ((own, True), (shared, False)):
        for given in (one for file in files for one in listing(file, "study").files):
            text = b"".join(given.steps())
            digest, total = hashlib.sha256(text).hexdigest(), total + len(text)
            saved[given.name, digest] = is_own, given.sheet, text
            given.close()
    described: list[dict[str, Any]] = []
    members: dict[str, bytes | str] = {}
    for source in sources:
        if source.name == NO_JUDGMENTS.name:
            continue
        is_own, sheet, text = saved.get((source.name, source.sha256), (False, None, None))
        member = None
        if text is not None and total <= LARGE:
            member = _member(source.name, sheet)
            member = member if member and members.get(member, text) == text else f"{FOLDER}/{source.sha256}"
            members[member] = text
        described.append({"role": source.role, "name": source.name, "sha256": source.sha256, "own": is_own,
                          "sheet": sheet, "member": member})  # fmt: skip
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        into.writestr(MANIFEST, json.dumps({"poolscope_study": FORMAT, **manifest, "files": described}, indent=1))
        for name, text in {**more, **members}.items():
            into.writestr(name, text)
    return packed.getvalue()


def _member(name, sheet):
    """The name in the zip of a file: as the study's scripts look for it, and harmless where it is unpacked."""
    name = name.removesuffix(f"/{sheet}") if sheet else name
    parts = [re.sub(r'[\\:*?"<>|\x00-\x1f]', "_", part) for part in name.split("/") if part not in ("", ".", "..")]
    member = "/".join([FOLDER, *parts])
    return "" if not parts or Listing("study").passes_over(name, member) else member
