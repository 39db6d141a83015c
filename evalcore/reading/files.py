"""The files that a user gives: folders, archives, single files and uploads, listed by name and unpacked within limits.

What a file holds decides how it is read, never its extension. A bad file becomes a `Problem`, a sentence for the
person who gave it; nothing is unpacked to disk.
"""

import io
import os
import struct
import threading
import time
import zipfile
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from isal import isal_zlib

UNPACKED_LIMIT = 8 << 30  # bytes that all files of a track may unpack to
RATIO_LIMIT, RATIO_FROM = 1000, 100 << 20  # a text of results packs 3 to 10 times; a bomb 1000 times
# bzip2 and LZMA unpack a few bytes to gigabytes in one go, before anybody could count them
STEPWISE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# what the zip library raises on bytes that somebody changed
DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, RuntimeError)
SETTLED = 2_000_000_000  # ns; a file changed less than this ago may change again without showing it
STEP = 64 << 20  # bytes unpacked between two looks at the limits


@dataclass(frozen=True)
class Problem:
    """One reason why a file cannot be read: a sentence, the line, and the first three bad lines as printable text.

    remedy : how names would have to be compared for the files to match (the option `names`), where that helps
    seems : the role that the file would fit, where that is another than it was given
    """

    file: str
    line: int | None
    message: str
    examples: tuple = ()
    remedy: str = ""
    seems: str = ""

    @classmethod
    def at(cls, file, line, message, examples=(), seems=""):
        """A problem whose sentence begins with where it is."""
        where = file if line is None else f"{file}, line {line}"
        return cls(file, line, where + message, tuple(examples), seems=seems)


class InputError(ValueError):
    """What is wrong with the files, all of it at once: `problems`."""

    def __init__(self, problems):
        self.problems = tuple(problems)
        super().__init__("\n".join(problem.message for problem in self.problems))


def refusal(file, message, line=None, examples=()):
    """An InputError of one problem."""
    return InputError([Problem.at(file, line, message, examples)])


@dataclass(frozen=True)
class Finding:
    """Something in the files that the reader of a result should know. severity: "error", "warning" or "note"."""

    severity: str
    check: str
    system: str
    topic: str
    count: int
    message: str


@dataclass(frozen=True)
class Source:
    """A file that was read.

    role : "run", "qrels", "systems", "queries", "other" for a second qrels, or "truth"; name : as the user knows it
    """

    role: str
    name: str
    sha256: str
    size: int


@dataclass(frozen=True)
class Upload:
    """A file as a browser hands it over; everywhere a path is allowed, this is too."""

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class Container:
    """Where bytes come from: a file on disk (`path`) or in memory (`data`), opened as `archive` where it is a zip.

    stamp : what a change of the file on disk shows by, as it was before the file was read: size, times, place
    settled : whether its last change was long enough ago that another one would show
    """

    name: str
    path: str | None = None
    data: bytes | None = field(default=None, repr=False)
    archive: zipfile.ZipFile | None = field(default=None, repr=False, compare=False)
    stamp: tuple | None = None
    settled: bool = False


@dataclass(frozen=True)
class Given:
    """One file to read, on its own or a member of a zip archive.

    size : of the file as given, for a member of an archive as the archive says it; packed : what it takes up there
    """

    role: str
    name: str
    size: int
    packed: int
    container: Container
    member: str | None = None

    def steps(self):
        """The bytes as given, gz not undone yet: of a file in one piece, of a member as the archive unpacks it."""
        if self.member is not None:
            with self.container.archive.open(self.member) as content:
                yield from iter(lambda: content.read(STEP), b"")
        elif self.container.path is None:
            yield self.container.data
        else:
            yield Path(self.container.path).read_bytes()

    def close(self):
        """Lets go of the archive, where there is one."""
        if self.container.archive is not None:
            self.container.archive.close()


@dataclass
class Listing:
    """The files found so far, and what is to be said about those that are not among them."""

    role: str
    given: list = field(default_factory=list)
    findings: list = field(default_factory=list)
    problems: list = field(default_factory=list)

    @property
    def size(self):
        """How much there is of files and problems."""
        return len(self.given) + len(self.problems)

    def problem(self, name, message):
        self.problems.append(Problem.at(name, None, message))

    def passes_over(self, name, inside):
        """Whether a file, called `inside` within its folder or archive, is none of the user's data; says so."""
        parts = PurePosixPath(inside).parts
        last = parts[-1].upper()
        over = last.startswith(("README", "LICENSE", "LICENCE")) or last.endswith(".MD") or "__MACOSX" in parts
        over = over or any(part.startswith(".") for part in parts)
        if over:
            message = f"{name} was passed over: hidden files, README, LICENSE and .md files are no {self.role} files."
            self.findings.append(Finding("note", "file passed over", "", "", 1, message))
        return over


def stamp(path):
    """By what a change of a file shows: its size, the times of its last changes, and its place on the disk."""
    state = os.stat(path)
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino


def listing(source, role):
    """The files that `source` stands for: a path, an `Upload`, a folder, a zip, or a list of these. -> Listing"""
    found = Listing(role)
    sources = list(source) if isinstance(source, (list, tuple)) else [source]
    several = len(sources) > 1
    for one in sources:
        if isinstance(one, Upload):
            _list_file(found, Container(one.name, data=bytes(one.data)))
            continue
        path = os.fspath(one)
        name = os.path.basename(os.path.normpath(path))
        if os.path.isdir(path):
            _list_folder(found, path, f"{name}/" if several else "")
        elif os.path.isfile(path):
            _list_file(found, Container(name, os.path.abspath(path)))
        else:
            found.problem(name, f": there is no file or folder {path}.")
    found.given.sort(key=lambda file: file.name)
    return found


def _list_folder(found, folder, prefix):
    before, folder = found.size, Path(os.path.abspath(folder))
    for path in sorted(folder.rglob("*"), key=lambda path: (path.parent, path.name)):
        inside = path.relative_to(folder).as_posix()
        if not os.path.isdir(path) and not found.passes_over(prefix + inside, inside):
            _list_file(found, Container(prefix + inside, str(path)))
    if found.size == before:
        found.problem(folder.name, f" is a folder without any {found.role} file.")


def _list_file(found, container):
    try:
        container, head, size = _looked_at(container)
    except OSError as error:
        found.problem(container.name, f" cannot be read: {error.strerror or error}.")
        return
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        _list_zip(found, container)
    else:
        found.given.append(Given(found.role, container.name, size, size, container))


def _looked_at(container):
    """-> (the container with its stamp, its first four bytes, its size)"""
    if container.path is None:
        return container, container.data[:4], len(container.data)
    seen = stamp(container.path)
    settled = time.time_ns() - max(seen[1:3]) >= SETTLED
    with open(container.path, "rb") as file:
        return replace(container, stamp=seen, settled=settled), file.read(4), seen[0]


def _list_zip(found, container):
    try:
        archive = zipfile.ZipFile(container.path or io.BytesIO(container.data))
    except (*DAMAGED, OSError):
        found.problem(container.name, " is a damaged or cut-off zip archive. Make it or copy it again.")
        return
    try:
        workbook = is_workbook(container.name, archive)
    except InputError as error:
        found.problems += error.problems
        return
    if workbook:
        archive.close()
        size = len(container.data) if container.path is None else container.stamp[0]
        found.given.append(Given(found.role, container.name, size, size, container))
        return
    container = replace(container, archive=archive)
    before = found.size
    for info in archive.infolist():
        if not info.is_dir():
            _list_member(found, container, info)
    if found.size == before:
        found.problem(container.name, f" is a zip archive without any {found.role} file.")


WORKBOOK = "xl/workbook.xml"
OFFICE = {  # what an archive of the office kind holds -> what it is, and what to do
    "xl/workbook.bin": "an Excel workbook in binary form; save it as .xlsx or as CSV",
    "word/document.xml": "a Word document; save its table as a workbook (.xlsx) or as CSV",
    "ppt/presentation.xml": "a PowerPoint presentation; save its table as a workbook (.xlsx) or as CSV",
    "content.xml": "an OpenDocument file; save it as .xlsx or as CSV",
}


def is_workbook(name, archive):
    """Whether an open zip archive is an Excel workbook; InputError where it is another office file."""
    members = set(archive.namelist())
    if members & {"[Content_Types].xml", "mimetype"}:
        for member, what in OFFICE.items():
            if member in members:
                raise refusal(name, f" is {what}.")
    return WORKBOOK in members


def _list_member(found, container, info):
    name = f"{container.name}/{info.filename}"
    inside = PurePosixPath(info.filename.replace("\\", "/"))
    if not inside.parts or inside.is_absolute() or ".." in inside.parts or ":" in inside.parts[0][1:2]:
        found.problem(name, ": this name leads out of the archive. Pack the files under plain names, without .. or /.")
    elif found.passes_over(name, info.filename):
        return
    elif info.flag_bits & 1:
        found.problem(name, " is encrypted. Pack the files without a password.")
    elif info.compress_type not in STEPWISE:
        found.problem(name, " is packed in a way that is not read here. Pack the files with deflate, the usual way.")
    else:
        found.given.append(Given(found.role, name, info.file_size, info.compress_size, container, info.filename))


class Unpacker:
    """Undoes gz compression, and counts what all files of a track unpack to. Safe to share between threads."""

    def __init__(self):
        self._unpacked = 0
        self._lock = threading.Lock()

    def read(self, given):
        """The bytes of a file and their unpacked text. -> (bytes, bytes); Problem as InputError."""
        try:
            steps = given.steps()
            if given.member is not None:  # an archive may say of itself what it likes
                steps = self._counted(given.name, given.packed, steps)
            data = b"".join(steps)
            if data[:2] != b"\x1f\x8b":
                return data, data
            return data, b"".join(self._counted(given.name, len(data), _gunzipped(given.name, data)))
        except InputError:
            raise
        except DAMAGED:
            raise refusal(given.name, ": the archive is damaged here. Make it or copy it again.") from None
        except OSError as error:
            raise refusal(given.name, f" cannot be read: {error.strerror or error}.") from None

    def _counted(self, name, packed, parts):
        """The parts that a file unpacks to, as long as they are not too much."""
        unpacked = 0
        for part in parts:
            unpacked += len(part)
            with self._lock:
                self._unpacked += len(part)
                too_much = self._unpacked > UNPACKED_LIMIT
            if too_much or (unpacked > RATIO_FROM and unpacked > RATIO_LIMIT * max(packed, 1)):
                message = (
                    f": {packed:,} bytes unpack to {unpacked:,} or more; at most {RATIO_LIMIT:,} times their size "
                    f"(beyond {RATIO_FROM >> 20} MB) and {UNPACKED_LIMIT >> 30} GiB in all are allowed."
                )
                raise refusal(name, message)
            yield part


def _gunzipped(name, rest):
    """The text of a gz file, which may be several gz members one after another; zeros after the end are padding."""
    while rest.lstrip(b"\0"):
        stream = isal_zlib.decompressobj(wbits=31)
        while not stream.eof:
            try:
                part = stream.decompress(rest, STEP)
            except (isal_zlib.error, EOFError):
                raise refusal(name, ": the gz compression is damaged. Copy the file again.") from None
            rest = stream.unconsumed_tail
            if not part and not rest and not stream.eof:
                raise refusal(name, ": the gz file ends too early (it is cut off). Copy the file again.")
            yield part
        rest = stream.unused_data
