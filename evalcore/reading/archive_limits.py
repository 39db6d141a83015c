"""Limits on files and archives: how many, how large unpacked, and how packed."""

import struct
import zipfile
import zlib

from isal import isal_zlib

RATIO_LIMIT, RATIO_FROM = 100, 100 << 20  # a text of results packs 3 to 10 times; a bomb 1000 times
MOST_FILES = 20_000  # in a folder or an archive; the largest tracks have a few thousand runs
MOST_TOPICS = 200_000  # of a file; the largest collections have some ten thousand judged ones
# bzip2 and LZMA unpack a few bytes to gigabytes in one go, before anybody could count them
STEPWISE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# what the zip library raises on bytes that somebody changed
DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, RuntimeError)
# what isal raises on a damaged gz file; its stub takes the class for one of its instances
DAMAGED_GZ: type[Exception] = isal_zlib.error  # type: ignore[assignment]
STEP = 16 << 20  # bytes unpacked between two looks at the limits
MOST_DIRECTORY = 8 << 20  # bytes of the list of an archive's files
END_OF_ZIP, END_OF_ZIP64 = struct.Struct("<4s8x2L2x"), struct.Struct("<4s36x2Q")  # size and place of that list


def is_bomb(packed: int, unpacked: int) -> bool:
    """Whether so many bytes unpack to more than a text of results does."""
    return unpacked > RATIO_FROM and unpacked > RATIO_LIMIT * max(packed, 1)


def size_of_directory(data: bytes) -> int:
    """How many bytes a zip archive uses to list its files, by its last bytes; 0 where they do not say.

    data : the end of the archive, 64 kB and a little more
    """
    for end, signature in ((END_OF_ZIP64, b"PK\x06\x06"), (END_OF_ZIP, b"PK\x05\x06")):
        at = data.rfind(signature)
        if at >= 0 and len(data) >= at + end.size:
            return end.unpack_from(data, at)[1]
    return 0


def bomb(packed: int, unpacked: int) -> str:
    """What is said of it, as a Problem's message."""
    return (
        f": {packed:,} bytes unpack to {unpacked:,} or more, which is over {RATIO_LIMIT} times their size. No run "
        "packs so well: check what the file contains."
    )


def most_files() -> str:
    """How many files an archive may have, in words."""
    return f"at most {MOST_FILES:,} are allowed"


def too_many_topics(count: int) -> str:
    """What is said of a file with so many topics, as a Problem's message."""
    return f" has {count:,} topics or more, but at most {MOST_TOPICS:,} are allowed. Check which names are topics."
