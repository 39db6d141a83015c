"""Tar archives, packed with gz or not: where their files are, and their text."""

import io
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from isal import igzip, isal_zlib

from evalcore.reading.archive_limits import DAMAGED_GZ, STEP
from evalcore.reading.container import Container

GZ = b"\x1f\x8b"
BLOCK = 512  # bytes of a tar archive's header
DAMAGED = (tarfile.TarError, EOFError, OSError, OverflowError, RecursionError, DAMAGED_GZ)  # heads of heads of heads
_lock = threading.Lock()


def is_tar(beginning: bytes) -> bool:
    """Whether these first bytes of a file, a few thousand, are those of a tar archive."""
    if beginning[:2] == GZ:
        try:
            beginning = isal_zlib.decompressobj(wbits=31).decompress(beginning, BLOCK)
        except (DAMAGED_GZ, EOFError):
            return False
    try:
        return len(beginning) >= BLOCK and bool(tarfile.TarInfo.frombuf(beginning[:BLOCK], "utf-8", "replace").name)
    except tarfile.HeaderError:
        return False


def members(container: Container) -> Iterator[tarfile.TarInfo]:
    """What is in an archive, also folders and links, as `tarfile.TarInfo`, one by one. Raises one of `DAMAGED`."""
    with _opened(container) as content, tarfile.open(fileobj=content, mode="r|") as archive:
        yield from archive


def text_of(container: Container, member: tarfile.TarInfo) -> bytes:
    """The bytes of a file in an archive, which is unpacked once and kept in `container.shared`."""
    with _lock:
        if "tar" not in container.shared:
            with _opened(container) as content:
                container.shared["tar"] = b"".join(iter(lambda: content.read(STEP), b""))
    return container.shared["tar"][member.offset_data : member.offset_data + member.size]


@contextmanager
def _opened(container):
    """The archive, unpacked while it is read."""
    with open(container.path, "rb") if container.path is not None else io.BytesIO(container.data) as source:
        is_packed = source.read(2) == GZ
        source.seek(0)
        if not is_packed:
            yield source
            return
        with igzip.GzipFile(fileobj=source, mode="rb") as text:
            yield text
