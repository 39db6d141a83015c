"""The files that a user gives: folders, archives, single files and uploads, listed by name.

What a file holds decides how it is read, never its extension. A bad file becomes a `Problem`, a sentence for the
person who gave it.
"""

from __future__ import annotations

import io
import os
import re
import stat
import tarfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, Any

from evalcore.reading import archive_limits, tar_files
from evalcore.reading.container import Container
from evalcore.vocabulary.safe_text import printable

BACKUP = re.compile(r".+~|~\$.*|#.*#|.*\.(BAK|SWP|SWO|ORIG|LOG)|THUMBS\.DB|DESKTOP\.INI")  # names in capitals
HEAD = 4096  # bytes that show which kind of archive a file is
SETTLED = 2_000_000_000  # ns; a file changed less than this ago may change again without showing it


@dataclass(frozen=True)
class Problem:
    """One reason why a file cannot be read: a sentence, the line, and the first three bad lines as printable text.

    remedy : how names would have to be compared for the files to match (the option `names`), where that helps
    seems : the role that the file would fit, where that is another than it was given
    columns : how its columns would have to be read (the option `columns`), where that helps
    options : (name, value) of other options, each of which helps
    reason : the same in sentences that do not name the file, "" where the file could still be a run or judgments
    damaged : the same, where nothing in the file can be read
    """

    file: str
    line: int | None
    message: str
    examples: tuple[str, ...] = ()
    remedy: str = ""
    seems: str = ""
    columns: dict[str, Any] | None = field(default=None, hash=False)
    reason: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    damaged: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", printable(self.message))
        object.__setattr__(self, "reason", printable(self.reason))
        object.__setattr__(self, "examples", tuple(map(printable, self.examples)))

    @classmethod
    def at(
        cls, file: str, line: int | None, message: str, examples: Sequence[str] = (), seems: str = "", reason: str = ""
    ) -> Problem:
        """A problem whose message begins with the file and line."""
        if line is None:
            return cls(file, line, file + message, tuple(examples), seems=seems, reason=reason)
        reason = reason or f"Line {line}{message}"
        return cls(file, line, f"{file}, line {line}{message}", tuple(examples), seems=seems, reason=reason)


class InputError(ValueError):
    """All problems with the files at once: `problems`."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(problem.message for problem in self.problems))

    def __reduce__(self) -> tuple[Any, ...]:
        """The class and the problems, so that it can be pickled."""
        return InputError, (self.problems,)


def refusal(
    file: str, message: str, line: int | None = None, examples: Sequence[str] = (), reason: str = ""
) -> InputError:
    """An InputError of one problem."""
    return InputError([Problem.at(file, line, message, examples, reason=reason)])


def damage(file: str, what: str) -> InputError:
    """An InputError for a file in which nothing can be read. what : " is cut off. Copy it.", or after a colon"""
    damaged = f"It{what}" if what.startswith(" ") else what[2:3].upper() + what[3:]
    return InputError([replace(Problem.at(file, None, what), damaged=damaged)])


@dataclass(frozen=True)
class Finding:
    """A problem or remark about the files. severity : "error", "warning" or "note".

    Raises TypeError for any value that is not a plain str or int: findings are written to the cache as JSON.
    """

    severity: str
    check: str
    system: str
    topic: str
    count: int
    message: str

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            wanted = int if name == "count" else str
            if type(value) is not wanted:
                raise TypeError(f"Finding.{name}={value!r} is a {type(value).__name__}; {wanted.__name__} is needed.")
        object.__setattr__(self, "message", printable(self.message))


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
    """An uploaded file, allowed wherever a path is.

    member : the file of a zip archive (`data`) that is meant, by its name there; None = all of them
    sheet : the sheet of a workbook that is meant, by its title; None = those that fit
    shared : what was found out about `data` and need not be again: members of an archive, sheets of workbooks
    """

    name: str
    data: bytes = field(repr=False)
    member: str | None = None
    sheet: str | None = None
    shared: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)


File = str | Path | Upload
NO_JUDGMENTS = Upload("no judgments", b"")  # stands for the qrels of a track that is opened without any


@dataclass(frozen=True)
class Given:
    """One file to read, on its own or a member of a zip archive.

    size : of the file as given, for a member of an archive as the archive says it; packed : what it takes up there
    member : its name in the archive, with (2) for the second of one name; info : what the archive knows it by
    sheet : the one sheet of a workbook that is meant, or None
    inside : whether it was found in a folder or an archive, and not named by the user
    """

    role: str
    name: str
    size: int
    packed: int
    container: Container
    member: str | None = None
    info: zipfile.ZipInfo | tarfile.TarInfo | None = field(default=None, repr=False, compare=False)
    sheet: str | None = None
    inside: bool = False

    @property
    def read(self) -> dict[Any, Any]:
        """Where the sheets of this file are kept between looks at it, a dict; its "tally" is that of the archive."""
        tally = self.container.shared.setdefault(("tally",), {})
        return self.container.shared.setdefault(("sheets", self.member), {"tally": tally})

    def steps(self) -> Iterator[bytes]:
        """The bytes as given, gz not undone yet: of a file in one piece, of a member as the archive unpacks it."""
        with self._opened() as content:
            if isinstance(self.info, zipfile.ZipInfo):
                yield from iter(lambda: content.read(archive_limits.STEP), b"")
            else:
                yield content.read()

    def beginning(self, size: int) -> bytes:
        """The first bytes as given of a file, b"" where they cannot be read."""
        try:
            with self._opened() as content:
                return content.read(size)
        except (*archive_limits.DAMAGED, OSError):
            return b""

    def _opened(self) -> IO[bytes]:
        container = self.container
        if isinstance(self.info, tarfile.TarInfo):
            return io.BytesIO(tar_files.text_of(container, self.info))
        if self.info is not None:
            return container.archive.open(self.info)  # type: ignore[union-attr]
        return open(container.path, "rb") if container.data is None else io.BytesIO(container.data)  # type: ignore

    def close(self) -> None:
        """Lets go of the archive, where there is one on disk or unpacked."""
        self.container.shared.pop("tar", None)
        if self.container.archive is not None and self.container.path is not None:
            self.container.archive.close()


@dataclass
class Listing:
    """The files found so far, with problems and notes on files that were skipped."""

    role: str
    files: list[Given] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How much there is of files and problems."""
        return len(self.files) + len(self.problems)

    def problem(self, name: str, message: str) -> None:
        self.problems.append(Problem.at(name, None, message))

    def damage(self, name: str, what: str) -> None:
        """A problem with a file in which nothing can be read. what : as of `damage`"""
        self.problems += damage(name, what).problems

    def skip(self, name: str, why: str, severity: str = "note") -> None:
        """A finding that a file was skipped. why : a sentence"""
        self.findings.append(Finding(severity, "file passed over", "", "", 1, f"{name} was skipped: {why}"))

    def passes_over(self, name: str, inside: str) -> bool:
        """Whether a file, called `inside` within its folder or archive, is none of the user's data; says so."""
        parts = PurePosixPath(inside).parts
        last = parts[-1].upper()
        if BACKUP.fullmatch(last) and not last.startswith("."):
            self.skip(name, "it seems to be a log or an editor's backup. If it is a run, rename it.", "warning")
            return True
        over = last.startswith(("README", "LICENSE", "LICENCE")) or last.endswith(".MD") or "__MACOSX" in parts
        over = over or any(part.startswith(".") for part in parts)
        if over:
            self.skip(name, f"hidden files, README, LICENSE and .md files are not {self.role} files.")
        return over


def stamp(path: Path | str) -> tuple[int, ...]:
    """By what a change of a file shows: its size, the times of its last changes, and its place on the disk."""
    state = os.stat(path)
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino


def listing(source: File | Iterable[File], role: str) -> Listing:
    """The files that `source` stands for: a path, an `Upload`, a folder, a zip, or a list of these. -> Listing

    Raises ValueError for what stands for no file at all.
    """
    result = Listing(role)
    sources = list(source) if isinstance(source, (list, tuple)) else [source]
    several = len(sources) > 1
    for item in sources:
        if isinstance(item, Upload):
            _list_upload(result, item)
            continue
        if not isinstance(item, (str, os.PathLike)):
            raise ValueError(f"{item!r:.80} is not a {role} file; give a path, an Upload, or a list of these.")
        path = os.fspath(item)
        name = _in_utf8(os.path.basename(os.path.normpath(path)))
        if os.path.isdir(path):
            _list_folder(result, path, f"{name}/" if several else "")
        elif _is_file(path):
            _list_file(result, Container(name, os.path.abspath(path)))
        elif os.path.exists(path):
            result.problem(name, f" is {NO_FILE}.")
        else:
            result.problem(name, f": there is no file or folder {_in_utf8(path)}.")
    result.files.sort(key=lambda file: file.name)
    return result


def left_out(without: Iterable[str]) -> set[str]:
    """The names of files to leave out, as a set. ValueError for what is no list of them."""
    if isinstance(without, str) or not isinstance(without, (Sequence, Set)):
        raise ValueError(f"without={without!r} is not a list of file names; write ['a.run'].")
    return set(without)


NO_FILE = "a pipe, a socket or a device, not a file"


KERNEL = "/proc/", "/sys/"  # whose files may be pipes, though they look like others


def _is_file(path):
    """Whether a path is a file on a disk, or a link to one."""
    return os.path.isfile(path) and not os.path.realpath(path).startswith(KERNEL)


def why_no_file(path: Path | str) -> str:
    """What a path in a folder is instead of a file, such as "a link to a folder"; "" for a file."""
    if not os.path.exists(path):
        return "a link that leads to no file" if os.path.islink(path) else ""
    if os.path.isdir(path):
        return "a link to a folder"
    return "" if _is_file(path) else NO_FILE  # to open a pipe would wait for whoever writes into it


def _in_utf8(name):
    """A name that can be written anywhere: what is not UTF-8 in that of a file as \\xff."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _list_upload(result, upload):
    """Lists an upload, or the one member of it that is meant."""
    container = Container(_in_utf8(upload.name), data=bytes(upload.data), shared=upload.shared)
    if upload.member is None:
        _list_file(result, container)
        if upload.sheet is not None and result.files:
            result.files[-1] = replace(result.files[-1], sheet=upload.sheet)
        return
    key = "members", result.role
    if key not in upload.shared:
        whole = Listing(result.role)
        _list_file(whole, container)
        upload.shared[key] = {file.member: file for file in whole.files}, whole.problems
    members, problems = upload.shared[key]
    if file := members.get(upload.member):
        result.files.append(replace(file, name=container.name, sheet=upload.sheet))
        return
    own = [problem for problem in problems if problem.file.endswith(f"/{upload.member}")] or problems
    result.problems += [replace(problem, file=container.name) for problem in own]
    if not own:
        result.problem(container.name, f": there is no file {upload.member} in this archive.")


def _list_folder(result, folder, prefix):
    before, folder = result.size, Path(os.path.abspath(folder))

    def unread(error):
        inside = Path(error.filename).relative_to(folder).as_posix()
        name = _in_utf8(folder.name if inside == "." else prefix + inside)
        _cannot_be_read(result, name, error, inside != ".")

    paths = list(islice(_files_below(folder, unread), archive_limits.MOST_FILES + 1))
    if len(paths) > archive_limits.MOST_FILES:
        most = f"{archive_limits.MOST_FILES:,}"
        result.problem(_in_utf8(str(folder)), f" contains more than {most} files; choose the folder of the runs.")
        return
    for path in paths:
        inside = _in_utf8(path.relative_to(folder).as_posix())
        name = prefix + inside
        if result.passes_over(name, inside):
            continue
        if kind := why_no_file(path):
            result.skip(name, f"it is {kind}.")
        else:
            _list_file(result, Container(name, str(path)), inside=True)
    if result.size == before:
        result.problem(_in_utf8(folder.name), f" is a folder without any {result.role} file. Add one.")


def _files_below(folder, unread):
    """The paths of a folder's files, of those in its folders, and of links to folders, each folder's in the order of
    their names. unread : called with the OSError of a folder that cannot be listed"""
    for inside, folders, names in os.walk(folder, onerror=unread):
        folders.sort()
        links = [name for name in folders if os.path.islink(os.path.join(inside, name))]
        yield from (Path(inside, name) for name in sorted([*names, *links]))


def _cannot_be_read(result, name, error, inside):
    """A problem with a file or folder; one inside of a folder may be left out."""
    problems = damage(name, f" cannot be read: {error.strerror or error}.").problems
    result.problems += problems if inside else [replace(problem, damaged="") for problem in problems]


def _list_file(result, container, inside=False):
    try:
        container, head, size = _looked_at(container)
    except OSError as error:
        _cannot_be_read(result, container.name, error, inside)
        return
    before = len(result.problems)
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        _list_zip(result, container, inside)
    elif tar_files.is_tar(head):
        _list_tar(result, container)
    else:
        result.files.append(Given(result.role, container.name, size, size, container, inside=inside))
    if not inside:  # what the user names must be read
        result.problems[before:] = [replace(problem, damaged="") for problem in result.problems[before:]]


def _looked_at(container):
    """-> (the container with its stamp, its first bytes, its size)"""
    if container.path is None:
        return container, container.data[:HEAD], len(container.data)
    before = stamp(container.path)
    settled = time.time_ns() - max(before[1:3]) >= SETTLED
    with open(container.path, "rb", opener=without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # it has become one since
            raise OSError(0, NO_FILE)
        return replace(container, stamp=before, settled=settled), file.read(HEAD) or b"", before[0]


def _end_of(container):
    """The last bytes of a file, among which a zip archive says how long the list of its files is."""
    if container.path is None:
        return container.data[-(1 << 17) :]
    with open(container.path, "rb") as file:
        file.seek(max(0, container.stamp[0] - (1 << 17)))
        return file.read()


def _size(container):
    return len(container.data) if container.path is None else container.stamp[0]


def without_waiting(path: str, flags: int) -> int:
    """Opens a file without waiting for whoever writes into it, where it is a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _list_zip(result, container, inside):
    name = container.name
    try:
        if archive_limits.size_of_directory(_end_of(container)) > archive_limits.MOST_DIRECTORY:
            most = f"{archive_limits.MOST_FILES:,}"
            result.problem(name, f" lists far more than {most} files, which is the limit. {PACK_FEWER}")
            return
        archive = zipfile.ZipFile(container.path or io.BytesIO(container.data))
        members = [info for info in archive.infolist() if not info.is_dir()]
    except (*archive_limits.DAMAGED, OSError, IndexError):  # the last of these where a member has no name
        result.damage(name, " is a damaged or cut-off zip archive. Make it or copy it again.")
        return
    try:
        workbook = is_workbook(name, archive)
    except InputError as error:  # another office file
        result.problems += [replace(problem, damaged=problem.reason) for problem in error.problems]
        return
    unpacked, packed = sum(info.file_size for info in members), _size(container)
    if workbook:
        archive.close()
        result.files.append(Given(result.role, name, packed, packed, container, inside=inside))
    elif len(members) > archive_limits.MOST_FILES:
        result.problem(name, f" contains {len(members):,} files, but {archive_limits.most_files()}. {PACK_FEWER}")
    elif archive_limits.is_bomb(packed, unpacked):  # its members may all be the same few bytes
        result.problem(name, archive_limits.bomb(packed, unpacked))
    elif members and (first := min(info.header_offset for info in archive.infolist())):
        result.problem(name, f": its first {first:,} bytes belong to none of its files. {TWO_ARCHIVES}")
    else:
        listed = ((info.filename, info.file_size, info.compress_size, info) for info in members)
        _list_members(result, replace(container, archive=archive), "zip", listed)


def _list_tar(result, container):
    members, name, packed = [], container.name, _size(container)
    try:
        for number, member in enumerate(tar_files.members(container), 1):
            members += [member] if member.isreg() else []
            unpacked = member.offset_data + member.size
            if number > archive_limits.MOST_FILES:
                result.problem(name, f" contains more files than allowed: {archive_limits.most_files()}. {PACK_FEWER}")
                return
            if archive_limits.is_bomb(packed, unpacked):
                result.problem(name, archive_limits.bomb(packed, unpacked))
                return
    except tar_files.DAMAGED:
        result.damage(name, " is a damaged or cut-off tar archive. Make it or copy it again.")
        return
    share = packed / max(1, sum(member.size for member in members))
    listed = (
        (_in_utf8(info.name.removeprefix("./")), info.size, max(1, int(share * info.size)), info) for info in members
    )
    _list_members(result, container, "tar", listed)


def _list_members(result, container, kind, members):
    """Lists the files of an archive. members : of each its name, size, packed size, and what the archive knows it by"""
    before, names = result.size, Counter()
    for inside, size, packed, info in members:
        names[inside] += 1
        member = _member_name(result, container, inside, names[inside])
        name = f"{container.name}/{member}"
        if _leads_out(result, name, inside) or result.passes_over(name, inside):
            continue
        if wrong := _wrong_with(info):
            result.problem(name, wrong)
        else:
            result.files.append(Given(result.role, name, size, packed, container, member, info, inside=True))
    if result.size == before:
        result.damage(container.name, f" is a {kind} archive without any {result.role} file. Add one.")


TWICE = "one name twice in an archive"
PACK_FEWER = "Pack only the files of the track."
TWO_ARCHIVES = "It may be two archives in one: create it again from all files."
WORKBOOK = {"xl/workbook.xml", "xl/workbook.bin"}
OFFICE = {  # what an archive of the office kind holds -> what it is, and what to do
    "word/document.xml": "a Word document; save its table as a workbook (.xlsx) or as CSV",
    "ppt/presentation.xml": "a PowerPoint presentation; save its table as a workbook (.xlsx) or as CSV",
    "content.xml": "an OpenDocument file, but no spreadsheet; save its table as .ods or as CSV",
}


def is_workbook(name: str, archive: zipfile.ZipFile) -> bool:
    """Whether an open zip archive is a workbook; InputError where it is another office file."""
    members = set(archive.namelist())
    if "mimetype" in members and b".spreadsheet" in archive.open("mimetype").read(100):
        return True
    if members & {"[Content_Types].xml", "mimetype"}:
        for member, kind in OFFICE.items():
            if member in members:
                raise refusal(name, f" is {kind}.", reason=f"It is {kind}.")
    return not members.isdisjoint(WORKBOOK)


def _wrong_with(info):
    """Why a member of a zip archive cannot be read, "" where it can."""
    if isinstance(info, tarfile.TarInfo):
        return ""
    if info.flag_bits & 1:
        return " is encrypted. Pack the files without a password."
    if info.compress_type not in archive_limits.STEPWISE:
        return " is packed by a method that Poolscope cannot read. Pack the files with deflate, the usual method."
    is_bomb = archive_limits.is_bomb(info.compress_size, info.file_size)
    return archive_limits.bomb(info.compress_size, info.file_size) if is_bomb else ""


def _member_name(result, container, name, nth):
    """What the nth member of a name is called, with a warning for all but the first."""
    if nth == 1:
        return name
    member = f"{name} ({nth})"
    message = (
        f"{container.name} contains several files named {name}; one of them is called {container.name}/{member} here."
    )
    result.findings.append(Finding("warning", TWICE, "", "", 1, message))
    return member


def _leads_out(result, name, inside):
    """Whether a member, called `inside` in its archive, has a name outside of it; a problem, then."""
    path = PurePosixPath(inside.replace("\\", "/"))
    leads_out = not path.parts or path.is_absolute() or ".." in path.parts or ":" in path.parts[0][1:2]
    if leads_out:
        result.problem(
            name, ": this name points outside the archive. Pack the files under names without .., C: or a leading /."
        )
    return leads_out
