"""A study as one file, NAME.poolscope: a zip archive of its files, and a manifest of how they are read.

Such a file may come from anybody. It is read within the limits of archives, and of what is saved; only names in the
zip are looked up, never paths; each file is described once; and every value of the manifest has the type and the length
that it must have.
"""

import hashlib
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from evalcore.reading import archive_limits, memory_budget
from evalcore.reading.files import NO_JUDGMENTS, TWICE, File, Given, Listing, Source, Upload, listing, refusal
from evalcore.reading.unpacking import Unpacker
from evalcore.study.attached import ROLES

ENDING = ".poolscope"
MANIFEST = "manifest.json"
FORMAT = 1
MOST = 4 << 20  # bytes of a manifest
LARGE = 256 << 20  # bytes of files; of more, only the digests are saved
MOST_FUSED = 50  # fused runs, each of which is made when the study is opened
MOST_LISTED = 2000  # files, and values of any other list, such as the names of the runs
FOLDER = "files"
NUMBER = (int, float)
TEXTS = {str: [str]}  # such as an address: name -> values
NOT_SAVED = " is not a study that Poolscope saved: {}. Save it again."
SHAPE = {  # of the manifest: key -> type; [type] = a list of it, {str: type} = a dict by name, a set = one of these
    "poolscope_study": int,
    "version": str,
    "name": str,
    "track": str,
    "files": [{"role": {"run", "qrels", *ROLES}, "name": str, "sha256": str, "own": bool, "sheet": (str, type(None)),
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
    """A study file. name : of the file; manifest : as of `SHAPE`; data : the files in it, digest -> bytes

    budget : of all its files together, as for those of an archive; shared : digest -> `Upload.shared`, with that budget
    """

    name: str
    manifest: dict[str, Any]
    data: dict[str, bytes]
    budget: dict[Any, Any] = field(default_factory=lambda: {("tally",): {}, ("unpacker",): Unpacker()}, repr=False)
    shared: dict[str, dict[Any, Any]] = field(default_factory=dict, repr=False)

    def upload(self, file: Mapping[str, Any]) -> Upload:
        """One of the manifest's files, an `Upload`. Raises InputError where it was changed, or was not saved."""
        if file["member"] is None:
            message = f": {file['name']} is not in it, only its SHA-256. Open the study where the file is."
            raise refusal(self.name, message)
        if file["sha256"] not in self.data:
            message = f": {file['name']} was changed or removed: its SHA-256 differs. Use the file as it was saved."
            raise refusal(self.name, message)
        shared = self.shared.setdefault(file["sha256"], dict(self.budget))  # a workbook is read once for all its sheets
        return Upload(file["name"], self.data[file["sha256"]], sheet=file["sheet"], shared=shared)


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
    wanted = [file for file in listed.files if _is_wanted(file)]
    if (total := sum(file.size for file in wanted)) > LARGE + MOST:
        unpacks = f" unpacks to {memory_budget.amount(total)}, but a study has at most {LARGE >> 20} MB of files"
        raise refusal(upload.name, f"{unpacks}. Save it again.")
    memory_budget.refuse_if_over(total, upload.name, file=upload.name)
    try:
        texts = {file.member: b"".join(file.steps()) for file in wanted}
        manifest = json.loads(texts.pop(MANIFEST, b"")[:MOST])
        fits = _fits(manifest, SHAPE)
    except (*archive_limits.DAMAGED, OSError, RecursionError):  # ValueError is one of them
        raise refusal(upload.name, " is damaged: the description of the study is incomplete. Save it again.") from None
    if isinstance(manifest, dict) and manifest.get("poolscope_study") not in (FORMAT, None):
        raise refusal(upload.name, " was saved by a newer Poolscope. Update Poolscope.")
    for name, most, units in (("fused", MOST_FUSED, "fused runs"), ("files", MOST_LISTED, "files")):
        listed_there = manifest.get(name) if isinstance(manifest, dict) else None
        if isinstance(listed_there, list) and len(listed_there) > most:
            count = f" has {len(listed_there):,} {units}, but at most {most:,} are allowed"
            raise refusal(upload.name, f"{count}. Remove some of them, and save it again.")
    if not fits:
        raise refusal(upload.name, NOT_SAVED.format("a value has the wrong type or length"))
    members = Counter((file["role"], file["member"], file["sheet"]) for file in manifest["files"] if file["member"])
    if any(finding.check == TWICE for finding in listed.findings) or max(members.values(), default=1) > 1:
        raise refusal(upload.name, NOT_SAVED.format("it lists one file twice"))
    return Saved(upload.name, manifest, {hashlib.sha256(text).hexdigest(): text for text in texts.values()})


def content_of(file: bytes | Path) -> dict[str, Any] | None:
    """What describes a study that was saved here, without the page on which it was saved; None if it cannot be read."""
    try:
        with zipfile.ZipFile(io.BytesIO(file) if isinstance(file, bytes) else file) as archive:
            manifest = json.loads(archive.read(MANIFEST))
    except (*archive_limits.DAMAGED, KeyError, OSError):  # ValueError is one of them
        return None
    return {name: value for name, value in manifest.items() if name not in ("page", "address")}


def is_whole(data: bytes) -> bool:
    """Whether a study that was saved here can be opened where its visitor's files are not: it has them, and not only
    their digests, and no more files and fused runs than are read."""
    content = content_of(data) or {}
    files, fused = content.get("files", ()), content.get("fused", ())
    has_them = all(file["member"] is not None for file in files if file["own"])
    return has_them and len(files) <= MOST_LISTED and len(fused) <= MOST_FUSED


def _is_wanted(file: Given) -> bool:
    return file.member == MANIFEST or str(file.member).startswith(f"{FOLDER}/")


def _fits(value: Any, shape: Any) -> bool:
    """Whether a value of JSON has this type, no list is too long, and all texts can be written; see `SHAPE`."""
    if isinstance(shape, tuple):
        return any(_fits(value, choice) for choice in shape)
    if isinstance(shape, set):
        return isinstance(value, str) and value in shape
    if isinstance(value, (list, dict)) and len(value) > MOST_LISTED:
        return False
    if isinstance(value, str):
        return shape is str and _is_text(value)
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(element, shape[0]) for element in value)
    if shape is dict:
        return isinstance(value, dict) and _are_texts(value)
    if isinstance(shape, dict):
        if not isinstance(value, dict) or not all(map(_is_text, value)):
            return False
        if str in shape:
            return all(_fits(field, shape[str]) for field in value.values())
        optional = {"over", "weights", "k", "pooled"} if "method" in shape else set()
        return value.keys() <= shape.keys() <= value.keys() | optional and all(
            _fits(field, shape[key]) for key, field in value.items()
        )
    return isinstance(value, shape) and (isinstance(value, bool) <= (shape is bool))


def _is_text(value: str) -> bool:
    """Whether a text can be written: JSON can name half of a pair of surrogates."""
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


def _are_texts(value: Any) -> bool:
    """Whether all texts of a value of JSON can be written."""
    if isinstance(value, dict):
        return len(value) <= MOST_LISTED and all(_is_text(key) and _are_texts(inner) for key, inner in value.items())
    if isinstance(value, list):
        return len(value) <= MOST_LISTED and all(map(_are_texts, value))
    return not isinstance(value, str) or _is_text(value)


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
        for given in (member for file in files for member in listing(file, "study").files):
            text = b"".join(given.steps())
            digest, total = hashlib.sha256(text).hexdigest(), total + len(text)
            saved[given.name, digest] = is_own, given.sheet, text
            given.close()
    described: list[dict[str, Any]] = []
    members: dict[str, bytes | str] = {}
    taken = set()  # role, member and sheet of each file that is described
    for source in sources:
        if source.name == NO_JUDGMENTS.name:
            continue
        is_own, sheet, text = saved.get((source.name, source.sha256), (False, None, None))
        member = None
        if text is not None and total <= LARGE:
            member = _member(source.name, sheet)
            of_digest = (f"{FOLDER}/{source.sha256}{n or ''}" for n in count())
            while not member or members.get(member, text) != text or (source.role, member, sheet) in taken:
                member = next(of_digest)
            taken.add((source.role, member, sheet))
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
