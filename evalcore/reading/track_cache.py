"""Loaded tracks on disk, so that a track opens faster the next time.

An entry is named by what it was made from: the digests and names of the files, the options, and this program's reading
code; and it says so itself. Every byte of it is covered by a checksum, verified before anybody gets what was made of
it; one that is damaged, cut off, under another's name or not ours is deleted and made again. Nothing in it can run. It
is read into memory and not mapped: a map saves a copy, and ends the process where somebody cuts the file under it.

Whatever goes wrong here means "no cache", with a note, and never stops a track from opening. A folder that others may
write to is not used: a checksum shows damage, not who wrote.
"""

import contextlib
import hashlib
import json
import os
import stat
import struct
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache as once
from pathlib import Path

import numpy as np
import pyarrow as pa
from isal import isal_zlib

from evalcore.reading import files
from evalcore.vocabulary.validation import setting

MAGIC = b"poolscope track2"
HEAD = struct.Struct("<16sQQI")  # magic, size of the file and of the description, checksum of these and of that
ALIGNED = 64
LIMIT = 4 << 30  # bytes; POOLSCOPE_CACHE_BYTES says otherwise
MOST_DESCRIBED = 256 << 20  # bytes of an entry's description, or of the memo
ABANDONED = 3600  # s; a temporary file older than this has lost its maker


def open_cache(folder=None):
    """The cache in `folder`; None = the user's own, False = one that keeps nothing. ValueError for anything else."""
    if folder is False:
        return NoCache()
    folder = of_user() if folder is None else folder
    if not isinstance(folder, (str, os.PathLike)) or "\0" in os.fspath(folder):
        raise ValueError(f"cache={folder!r} is not a folder; give a path, None for the usual one, or False.")
    unsafe = _open_to_others(folder)
    return NoCache(f"The cache folder {folder} {unsafe}, so it was not used.") if unsafe else Cache(Path(folder))


def of_user():
    """The user's own cache folder: a setting, or the usual place. ValueError where the setting names no folder."""
    if setting_value := os.environ.get("POOLSCOPE_CACHE"):
        if os.path.exists(setting_value) and not os.path.isdir(setting_value):
            raise ValueError(
                f"POOLSCOPE_CACHE={setting_value!r} is not a folder; give the path of an existing or a new one."
            )
        return setting_value
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "poolscope")


def _open_to_others(folder):
    """Why what is read from a folder might be another's, "" where it is the user's alone, or is not there yet."""
    try:
        state = os.stat(folder)
    except OSError:
        return ""
    if not hasattr(os, "geteuid"):  # Windows, where a home folder is its user's
        return ""
    if state.st_uid != os.geteuid():
        return "belongs to another user"
    return f"can be written by others (chmod 700 {folder} prevents this)" if state.st_mode & 0o022 else ""


class NoCache:
    """Keeps nothing. why : a sentence for the user, where there is a folder"""

    def __init__(self, why=""):
        self.why = why

    def find(self, given, options):
        return None

    def remember(self, file, digest):
        pass

    def keep(self, given, sources, options, parts):
        pass


class Cache:
    """Entries in a folder, and a memo of the digests of files that have not changed since.

    why : a sentence for the user, where an entry could not be read or written
    """

    def __init__(self, folder):
        self.folder, self.why = Path(folder), ""
        self._memo_file = self.folder / "digests.json"
        self._memo, self._new = _read_memo(self._memo_file), {}

    def find(self, given, options):
        """What was kept for these files and options, an `Entry`, or None."""
        try:
            if not any(self.folder.glob(f"{_outline(given, options)}-*.track")):
                return None
            entry = _read_entry(self._path(given, options, self._digests(given)))
            if entry is not None:
                self._write_memo()
                with contextlib.suppress(OSError):
                    os.utime(entry.path)  # the least recently used goes first
            return entry
        except Exception as failure:  # an unreadable cache must not stop a track from opening
            self.why = _without_cache("read from", self.folder, failure)
            return None

    def remember(self, file, digest):
        """Notes the digest of a file that was read, if it is certain that the file is still what was read."""
        container = file.container
        if file.member is None and container.settled and _unchanged(container):
            self._new[container.path] = [*container.stamp, digest]

    def keep(self, given, sources, options, parts):
        """Puts an entry into the folder, if that can be written, and makes room for it.

        given, sources : the files and, in the same order, what was read of them; parts : gives arrays and values
        Raises ValueError where the setting is no number; any other failure becomes `why`.
        """
        limit = may_hold()
        try:
            archives = self._digests([file for file in given if file.member is not None])
            digests = [
                source.sha256 if file.member is None else archives.pop(0)
                for file, source in zip(given, sources, strict=True)
            ]
            path = self._path(given, options, digests)
            pieces, size = _entry(path.stem, parts())
            if size > limit:
                return
            self.folder.mkdir(0o700, parents=True, exist_ok=True)
            _make_room(self.folder, limit - size, path)
            _write(path, pieces)
            self._write_memo()
        except Exception as failure:  # an unwritable cache must not stop a track from opening
            self.why = _without_cache("written to", self.folder, failure)

    def _path(self, given, options, digests):
        fingerprint = hashlib.sha256(json.dumps(digests).encode()).hexdigest()[:40]
        return self.folder / f"{_outline(given, options)}-{fingerprint}.track"

    def _digests(self, given):
        """The digest of each file, for a member of an archive that of the archive."""
        containers = {id(file.container): file.container for file in given}
        digests = {key: self._digest(container) for key, container in containers.items()}
        return [digests[id(file.container)] for file in given]

    def _digest(self, container):
        """A digest, without reading the file where the memo knows it; OSError where the file has changed."""
        if container.path is None:
            return hashlib.sha256(container.data).hexdigest()
        *known, digest = self._new.get(container.path) or self._memo.get(container.path) or [None]
        if container.settled and known == [*container.stamp] and _unchanged(container):
            return digest
        with open(container.path, "rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
        if not _unchanged(container):
            raise OSError(f"{container.path} changed while it was read")
        if container.settled:
            self._new[container.path] = [*container.stamp, digest]
        return digest

    def _write_memo(self):
        if not self._new:
            return
        memo = dict(list((_read_memo(self._memo_file) | self._new).items())[-100_000:])
        text = json.dumps(memo).encode()
        with contextlib.suppress(OSError):
            _write(self._memo_file, [b"%08x\n" % isal_zlib.crc32(text), text])
        self._memo, self._new = memo, {}


def _without_cache(tried, folder, failure):
    """The sentence about a track that could not be read from the cache, or written to it."""
    reason = getattr(failure, "strerror", None) or f"{type(failure).__name__}: {failure}"
    return f"The track could not be {tried} the cache folder {folder} ({reason:.200}), so it opens more slowly."


def may_hold():
    """How many bytes the folder may hold: a setting, or `LIMIT`."""
    return setting("POOLSCOPE_CACHE_BYTES", LIMIT)


def _outline(given, options):
    """What is known of the files without reading them; entries of other files hardly ever share it."""
    outlines = [[file.role, file.name, file.member, file.sheet, file.size] for file in given]
    return hashlib.sha256(json.dumps([_version(), options, outlines]).encode()).hexdigest()[:24]


@once
def _version():
    """A digest of the code that reads files, so that other code never gets its entries."""
    here = Path(__file__).parent
    code = [*sorted(here.glob("*.py")), here.parent / "collection" / "track.py"]
    return hashlib.sha256(b"".join(path.read_bytes() for path in code)).hexdigest()


def _unchanged(container):
    try:
        return files.stamp(container.path) == container.stamp
    except OSError:
        return False


def _read_memo(path):
    try:
        with _opened(path, MOST_DESCRIBED) as file:
            check, _, text = file.read().partition(b"\n")
        memo = json.loads(text) if check == b"%08x" % isal_zlib.crc32(text) else {}
        return memo if isinstance(memo, dict) else {}
    except (OSError, ValueError, RecursionError):
        return {}


# One entry: HEAD, a description in JSON, then the arrays, each at a multiple of 64 bytes. The description knows the
# checksum of each array, so that several can be verified at a time.


def _entry(of, parts):
    """The bytes of an entry, in pieces, and their size. of : its name, which says what it was made from"""
    arrays, values = parts
    described, buffers, at = [], [], 0
    for name, array in arrays.items():
        for label, kind, buffer in _buffers(name, array):
            padding = b"\0" * (-len(buffer) % ALIGNED)
            check = isal_zlib.crc32(padding, isal_zlib.crc32(buffer))
            described.append([label, kind, at, len(buffer), check])
            buffers += [buffer, padding]
            at += len(buffer) + len(padding)
    text = json.dumps({"of": of, "arrays": described, "values": values}).encode()
    text += b" " * (-(HEAD.size + len(text)) % ALIGNED)
    size = HEAD.size + len(text) + at
    return [HEAD.pack(MAGIC, size, len(text), _checksum(size, text)), text, *buffers], size


def _checksum(size, text):
    """Of the head and the description."""
    return isal_zlib.crc32(text, isal_zlib.crc32(struct.pack("<QQ", size, len(text))))


def _buffers(name, array):
    """An array as (name, kind, bytes), names of documents as two: offsets and text."""
    if isinstance(array, np.ndarray):
        array = np.ascontiguousarray(array)
        return [(name, [array.dtype.str, *array.shape], memoryview(array.reshape(-1)).cast("B"))]
    array = pa.concat_arrays([array])  # from offset 0
    _, offsets, text = array.buffers()
    width = 8 if pa.types.is_large_binary(array.type) else 4
    offsets = memoryview(offsets)[: width * (len(array) + 1)]
    end = int(np.frombuffer(offsets, f"<i{width}")[-1])
    return [(name, ["offsets", width, len(array)], offsets), (name, ["text"], memoryview(text or b"")[:end])]


def _read_entry(path):
    """The entry in a file, read-only. One that is not as it was written is deleted: None."""
    try:
        with _opened(path, may_hold()) as file:
            return Entry(path, file)
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError, struct.error):
        _delete(path)
        return None


@contextlib.contextmanager
def _opened(path, most):
    """A file of the cache, to read. ValueError for a pipe, or for more bytes than `most`."""
    with open(path, "rb", opener=files.without_waiting) as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode) or state.st_size > most:
            raise ValueError("not a file of the cache")
        yield file


def _bytes(file, size):
    """The next bytes of a file, so many, read-only. ValueError where it has fewer."""
    content = memoryview(np.empty(size, np.uint8))
    if file.readinto(content) != size:
        raise ValueError("cut off")
    return content.toreadonly()


def _delete(path):
    with contextlib.suppress(OSError):
        path.unlink()


class Entry:
    """What was kept of a track. Raises ValueError, or what else comes of damage, where it is not as it was written.

    The larger half of it, of which little is looked at, is verified while a study is made of the rest.
    """

    def __init__(self, path, file):
        self.path = path
        magic, size, length, check = HEAD.unpack(file.read(HEAD.size))
        rest = size - HEAD.size - length
        if magic != MAGIC or size != os.fstat(file.fileno()).st_size or length > MOST_DESCRIBED or rest < 0:
            raise ValueError("not an entry, or cut off")
        text = bytes(_bytes(file, length))
        if _checksum(size, text) != check:
            raise ValueError("damaged")
        described = json.loads(text)
        if described["of"] != path.stem:
            raise ValueError("another's")
        content = _bytes(file, rest)
        at_once, self._later = _verifying(content, described["arrays"])
        if not _sound(at_once):
            raise ValueError("damaged")
        self._arrays, self._values = _arrays(content, described["arrays"]), described["values"]

    def made_into(self, read, make=lambda loaded: loaded):
        """What `make` makes of what `read` reads in the arrays and values; None, and the entry is deleted, where they
        are damaged or cannot be read."""
        try:
            loaded = read(self._arrays, self._values)
        except Exception:
            _delete(self.path)
            return None
        try:
            result = make(loaded)
        except Exception:
            if _sound(self._later):
                raise
        else:
            if _sound(self._later):
                return result
        _delete(self.path)
        return None


def _verifying(content, described):
    """The checksums to be verified at once and those that may come later: pairs of what it is to be and its future."""
    ends = [at for _, _, at, _, _ in described[1:]] + [None]
    threads = ThreadPoolExecutor(2)
    checks = {False: [], True: []}
    for later, found in checks.items():
        for (name, kind, at, _, check), end in zip(described, ends, strict=True):
            if (name in ("scores", "by_rank") or kind[0] == "text") == later:
                found.append((check, threads.submit(isal_zlib.crc32, content[at:end])))
    threads.shutdown(wait=False)
    return checks.values()


def _sound(checks):
    return all(check == found.result() for check, found in checks)


def _arrays(content, described):
    """The arrays by name."""
    arrays, offsets = {}, {}
    for name, kind, at, count, _ in described:
        buffer = content[at : at + count]
        if kind[0] == "offsets":
            offsets[name] = kind[1:], buffer
        elif kind[0] == "text":
            (width, rows), places = offsets[name]
            of = pa.binary() if width == 4 else pa.large_binary()
            arrays[name] = pa.Array.from_buffers(of, rows, [None, pa.py_buffer(places), pa.py_buffer(buffer)])
            arrays[name].validate(full=True)
        else:
            arrays[name] = np.frombuffer(buffer, kind[0]).reshape(kind[1:])
    return arrays


def _write(path, pieces):
    """Writes a file whole or not at all."""
    number, temporary = tempfile.mkstemp(dir=path.parent, prefix="new-", suffix=".part")
    try:
        with open(number, "wb") as file:
            for piece in pieces:
                file.write(piece)
        os.replace(temporary, path)
    except BaseException:
        _delete(Path(temporary))
        raise


def _make_room(folder, room, path):
    """Deletes the entries used longest ago until the rest fit into `room` bytes, and what a killed writer left."""
    entries = []
    for file in folder.iterdir():
        with contextlib.suppress(OSError):
            state = file.stat()
            if file.suffix == ".part" and time.time() - state.st_mtime > ABANDONED:
                file.unlink()
            elif file.suffix == ".track" and file != path:
                entries.append((state.st_mtime_ns, state.st_size, file))
    for _, size, file in sorted(entries, reverse=True):
        room -= size
        if room < 0:
            _delete(file)
