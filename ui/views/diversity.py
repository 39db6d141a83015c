"""Views of diversity: how soon systems cover the subtopics of the topics."""

from typing import Any

from evalcore.answers import Answer
from evalcore.vocabulary.sentences import figure as number
from evalcore.vocabulary.sentences import percent
from ui.text.escape import plotly
from ui.views.charts import dots
from ui.views.view import View


def measures(answer: Answer, look: dict[str, Any]) -> dict[str, Any]:
    """Every system by alpha-nDCG, with its ERR-IA."""
    k = answer.params["k"]
    series = [("alpha_ndcg", f"α-nDCG@{k}", "known", "circle"), ("err_ia", f"ERR-IA@{k}", "focus", "diamond")]

    def hover(row):
        scores = f"α-nDCG@{k} {number(row.alpha_ndcg)}, ERR-IA@{k} {number(row.err_ia)}"
        return f"<b>{plotly(row.system)}</b><br>{scores}<br>subtopics covered {percent(row.subtopic_recall)}"

    return dots(answer.table, list(answer.table["system"]), look, "score", series, hover)


VIEWS = {
    "diversity": View("Subtopics covered", measures, shows="Each system's scores for covering subtopics."),
}
