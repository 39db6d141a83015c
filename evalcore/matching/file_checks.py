"""What is found when runs and judgments are put together: whether they belong together, and what each of them lacks."""

from collections.abc import Iterator

from evalcore.collection.track import Track
from evalcore.matching import half_judged, name_spelling, other_names, ranking_findings, rounds
from evalcore.reading.files import Finding
from evalcore.reading.item_codes import Items, Places
from evalcore.reading.rankings import Judged


def findings(track: Track, judged: Judged, items: Items, places: Places, names: str) -> Iterator[Finding]:
    """All findings, as `loading.load` asks for them. Raises InputError for files that do not belong together.

    items, places : those of the track; names : how names were compared
    """
    yield from name_spelling.findings(track, judged, items.listed)
    other_names.refuse_unless_they_belong(track, judged, items.listed, names)
    yield from of_rankings(track, judged, items, places, names)
    yield from ranking_findings.coverage_findings(track, judged)
    yield from rounds.round_findings(track, judged, items.row)
    yield from half_judged.half_judged_findings(judged)


def of_rankings(track: Track, judged: Judged, items: Items, places: Places, names: str) -> Iterator[Finding]:
    """Those of single rankings, which say nothing of other topics."""
    yield from ranking_findings.duplicate_findings(places.duplicates, track.systems)
    yield from ranking_findings.rank_findings(places, track)
