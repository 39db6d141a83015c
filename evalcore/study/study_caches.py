"""What was computed of a study, in caches that all visitors share."""

from operator import attrgetter

from evalcore.cache import Cache

SWEEPS, ENDS, EVIDENCE, FUSED, SHARED, SPLITS = 1 << 27, 1 << 24, 1 << 28, 1 << 27, 1 << 26, 1 << 28  # bytes
OWNERS, BIASES, SHARDS, JOBS, JUDGED, CHANCES = 2, 8, 64, 8, 13, 256  # how many of each


class StudyCaches:
    """What was computed of a study, for all visitors who share it."""

    def __init__(self) -> None:
        self.places = Cache(1)  # by cut
        self.ends = Cache(ENDS, _bytes)  # by metric and cut
        self.sweeps = Cache(SWEEPS, _bytes)  # by metric and thresholds
        self.shared = Cache(SHARED, attrgetter("nbytes"))  # what systems share unjudged at every depth, by metric
        self.pools = Cache(1)  # the contributing rankings, topic by topic
        self.evidence = Cache(EVIDENCE, _bytes_of_evidence)  # by cut and what documents earn
        self.owners = Cache(OWNERS)  # who alone retrieved each item, by unit
        self.biases = Cache(BIASES)  # of other systems in a newcomer's place, by newcomer and measure
        self.shards = Cache(SHARDS)  # scores by metric and partition
        self.splits = Cache(SPLITS, _bytes_of_places)  # the places that count, by partition
        self.weights = Cache(1)  # of every item in what to judge next, by measure
        self.judged = Cache(JUDGED)  # the study as each judge judges it, by name
        self.chance = Cache(CHANCES)  # how well a judge's shuffled grades order the systems, by judge and metric
        self.fused = Cache(FUSED, _bytes_of_rankings)  # by rule and inputs
        self.jobs = Cache(JOBS)  # what is done of long ones, by their settings


def _bytes_of_rankings(track):
    return _bytes([track.items, track.scores])


def _bytes_of_evidence(gathered):
    return sum(evidence.nbytes for _, evidence in gathered) + sum(
        evidence.gain.nbytes + evidence.relevant.nbytes for _, evidence in gathered[:1]
    )


def _bytes_of_places(split):
    judgments, places = split
    of_places = (getattr(part, name) for _, part in places for name in ("starts", "rank", "item", "level", "lengths"))
    return judgments.topic_of_item.nbytes + _bytes(of_places)


def _bytes(arrays):
    return sum(array.nbytes for array in arrays)
