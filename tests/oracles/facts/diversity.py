"""The facts of diversity: the judgments by subtopic of these cases are the text `case.subtopics`."""

from .plain import FUZZ, first_largest, known


def diversity(rows, asked, case):
    rows = [row for row in rows if known(row["alpha_ndcg"])]
    if not rows:
        return {}
    best, widest = first_largest(rows, "alpha_ndcg"), first_largest(rows, "subtopic_recall")
    leaders = [row["system"] for row in rows if best["alpha_ndcg"] - row["alpha_ndcg"] < FUZZ]
    facts = {"leaders": leaders, "metric": f"α-nDCG@{asked['k']}", "systems": len(rows), "value": best["alpha_ndcg"]}
    facts |= {"topics": best["n"], "share": best["subtopic_recall"]}
    return facts | {"widest": widest["system"], "most_share": widest["subtopic_recall"]}


MANY = "t0 1 dc 1\nt0 2 db 1\nt0 2 de 1\nt0 3 da 1\nt0 3 dd 1\nt1 1 dc 1\nt1 2 da 1\nt1 2 dd 1\nt1 3 de 1\nt1 3 dh 1\n"
WIDE = "".join(f"t0 {subtopic} d{place} 1\n" for subtopic, place in ("1a", "2a", "3a", "4c", "5d", "1d", "2d"))
LATE = "t0 1 da 1\nt0 1 db 1\nt0 2 dc 1\nt0 3 dd 1\nt1 1 dc 1\nt1 2 da 1\n"
ALIKE = "t0 1 da 1\nt0 2 da 1\nt1 1 da 1\nt1 2 da 1\n"
ASKED = {"diversity": [{"subtopics": text, "k": k} for text in (MANY, LATE, ALIKE, WIDE) for k in (1, 2, 20)]}
