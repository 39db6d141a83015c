"""How often intervals contain what they are of: people on some topics with a judge on all (METHODS 13.7).

    python benchmarks/validity.py            # some minutes; prints the table of METHODS

Judges are simulated on the samples, each several times: ordinary ones, who err by grade as language models do, and one
who is wrong on 40% of the topics.
"""

import random
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import evalcore  # noqa: E402

TRACKS = "web", "newswire"
SIZES = 3, 5, 8, 10, 15, 20
DRAWS = 4  # of labels
METRICS = "AP", "nDCG@10", "RBP(p=0.8)"


def ordinary(topic, grade, rng):
    """Finds most relevant documents, and some that are not."""
    return int(rng.random() < (0.8 if grade > 0 else 0.12))


def wrong_on_some(topic, grade, rng):
    """As ordinary on most topics; on 40% of them it labels at random."""
    if random.Random(f"{topic} {rng.seed_of}").random() < 0.4:
        return int(rng.random() < 0.4)
    return ordinary(topic, grade, rng)


JUDGES = {"ordinary": ordinary, "wrong on 40% of topics": wrong_on_some}


def judged(study, judge, seed):
    """The study with a judge of its judged documents."""
    rng = random.Random(seed)
    rng.seed_of = seed
    judgments, track = study.judgments, study.track
    items = judgments.pooled_items[judgments.scale.judged[judgments.level[judgments.pooled_items]]]
    labels, grades = {}, judgments.grade
    for item, document in zip(items, track.documents(items), strict=True):
        topic = track.topics[track.topic_of_item[item]]
        labels.setdefault(topic, {})[document] = judge(topic, grades[item], rng)
    return study.with_judges({f"judge{seed}": labels})


def main():
    print("| judge | alone or with it | " + " | ".join(f"n = {n}" for n in SIZES) + " |")
    print("| --- | --- |" + " ---: |" * len(SIZES))
    opened = {
        name: evalcore.open_study(ROOT / "sample_data" / name / "runs", ROOT / "sample_data" / name / "qrels.txt")
        for name in TRACKS
    }
    for name, judge in JUDGES.items():
        found = {"people": [], "both": []}
        for study in opened.values():
            for seed in range(DRAWS):
                one = judged(study, judge, seed)
                for metric in METRICS:
                    table = evalcore.ask(one, "people_and_model", metric=metric, topics=list(SIZES)).table
                    for method, rows in found.items():
                        rows.append(table[table["method"] == method]["coverage"].to_numpy())
        for method, rows in found.items():
            means = " | ".join(f"{mean:.2f}".lstrip("0") for mean in np.mean(rows, axis=0))
            print(f"| {name} | {'people alone' if method == 'people' else 'both'} | {means} |")


if __name__ == "__main__":
    main()
