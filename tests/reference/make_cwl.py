"""Writes cwl.json: values and residuals that cwl-eval gives for small rankings, with the inputs. Run it by hand.

    python tests/reference/make_cwl.py

Gains are binary, null = unjudged. cwl-eval pads a ranking to 1000 ranks: with no gain for the value, with the largest
gain for the upper end, so that its residual is that of METHODS 3.1 with empty ranks unknown.
"""

import json
from importlib.metadata import version
from pathlib import Path

from cwl.ruler.measures.cwl_dcg import NDCGCWLMetric
from cwl.ruler.measures.cwl_inst import INSTCWLMetric
from cwl.ruler.measures.cwl_precision import PrecisionCWLMetric
from cwl.ruler.measures.cwl_rbp import RBPCWLMetric
from cwl.ruler.measures.cwl_rr import RRCWLMetric
from cwl.ruler.ranking import Ranking

METRICS = {
    "P@5": lambda: PrecisionCWLMetric(5),
    "P@10": lambda: PrecisionCWLMetric(10),
    "RBP(p=0.5)": lambda: RBPCWLMetric(0.5),
    "RBP(p=0.8)": lambda: RBPCWLMetric(0.8),
    "RBP(p=0.95)": lambda: RBPCWLMetric(0.95),
    "SDCG@10": lambda: NDCGCWLMetric(10),
    "INST(T=0.5)": lambda: INSTCWLMetric(0.5),
    "INST(T=1)": lambda: INSTCWLMetric(1.0),
    "INST(T=2)": lambda: INSTCWLMetric(2.0),
    "INST(T=3.5)": lambda: INSTCWLMetric(3.5),
    "RR": RRCWLMetric,
}

RANKINGS = {
    "all judged": [1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1],
    "holes": [0, None, 1, None, 0, 1, 1, None, 0, 0, None, 1, 0, 0, 0],
    "short": [0, 1, None],
    "nothing relevant": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    "nothing judged": [None] * 6,
    "unjudged first": [None, 0, 0, 1, 1],
    "relevant throughout": [1] * 20,
    "long": [1, 0, 0, None, 0] * 30,
    "empty": [],
}


def measured(make, gains):
    """(value, residual) by cwl-eval."""
    metric = make()
    metric.residuals = True
    gains = [float("nan") if gain is None else float(gain) for gain in gains]
    metric.measure(Ranking("topic", gains, [1.0] * len(gains)))
    return float(metric.expected_utility), float(metric.residual_expected_utility)


def main():
    results = {name: {key: measured(METRICS[key], gains) for key in METRICS} for name, gains in RANKINGS.items()}
    document = {
        "source": f"cwl-eval {version('cwl-eval')}, by make_cwl.py: [value, residual] per ranking and metric",
        "notes": "SDCG@k is the NDCGCWLMetric of cwl-eval, which has no ideal ranking.",
        "rankings": RANKINGS,
        "values": results,
    }
    Path(__file__).with_name("cwl.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
