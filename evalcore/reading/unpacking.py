"""Files unpacked within limits: as large as they say and as they turn out to be, one by one and together.

Nothing is unpacked to disk, but for what `on_disk` asks for.
"""

from contextlib import contextmanager
from itertools import chain

from isal import isal_zlib

from evalcore.reading import budget
from evalcore.reading.archive_limits import DAMAGED, STEP, bomb, is_bomb
from evalcore.reading.files import InputError, refusal

GZ = b"\x1f\x8b"


class Unpacker:
    """Undoes gz compression, and counts what all files of a track need. Safe to share between threads."""

    def __init__(self):
        self.meter = budget.Meter()

    def read(self, given):
        """The bytes of a file and their unpacked text. -> (bytes, bytes); Problem as InputError."""
        with _said(given.name):
            steps = given.steps()
            if given.member is None:
                self.meter.take(budget.PER_BYTE * given.size, given.name)
            else:  # an archive may say of itself what it likes
                steps = self._counted(given, steps)
            data = b"".join(steps)
            if data[:2] != GZ:
                return data, data
            return data, b"".join(self._counted(given, _gunzipped(given.name, data)))

    def parts(self, given, digest):
        """The unpacked text of a file, part by part, of which none is held. Problem as InputError.

        digest : is told the bytes that were given
        """
        with _said(given.name):
            if given.member is None:
                self.meter.take(given.size, given.name)
            steps, unpacked = given.steps(), 0
            first = next(steps, b"")
            parts = chain([first], steps)
            if first[:2] == GZ:
                data = b"".join(parts if given.member is None else self._counted(given, parts))
                digest.update(data)
                parts = _gunzipped(given.name, data)
            for part in parts:
                unpacked += len(part)
                if is_bomb(given.packed, unpacked):
                    raise refusal(given.name, bomb(given.packed, unpacked))
                if first[:2] != GZ:
                    digest.update(part)
                yield part

    def _counted(self, given, parts):
        """The parts that a file unpacks to, as long as they are not too much."""
        unpacked = 0
        for part in parts:
            unpacked += len(part)
            if is_bomb(given.packed, unpacked):  # of a gz in an archive too: the bytes that were given count
                raise refusal(given.name, bomb(given.packed, unpacked))
            self.meter.take(budget.PER_BYTE * len(part), given.name)
            yield part


def beginning_of_text(data):
    """What the first bytes of a file, gz or not, unpack to, as far as they do."""
    if data[:2] != GZ:
        return data
    text = b""
    while data[:2] == GZ:
        stream = isal_zlib.decompressobj(wbits=31)
        try:
            text += stream.decompress(data, STEP)
        except (isal_zlib.error, EOFError):
            break
        data = stream.unused_data
    return text


@contextmanager
def _said(name):
    """What is wrong with a file, whose name it is, as an InputError."""
    try:
        yield
    except InputError:
        raise
    except DAMAGED:
        raise refusal(name, ": the archive is damaged here. Make it or copy it again.") from None
    except OSError as error:
        raise refusal(name, f" cannot be read: {error.strerror or error}.") from None


def _gunzipped(name, rest):
    """The text of a gz file, which may be several gz members one after another; zeros after the end are padding."""
    first = True
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
            if first and part[:2] == GZ:
                raise refusal(name, " is a gz file inside a gz file. Unpack it once.")
            first = first and not part
            yield part
        rest = stream.unused_data
