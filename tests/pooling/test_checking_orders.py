"""In which order a person checks a judge's documents, by hand. METHODS 13.6."""

import numpy as np

from evalcore.pooling.checking_orders import ORDERS


def test_a_topic_counts_by_the_mean_of_the_documents_that_separate():
    """.4 of one document is more than .3 and .3, also beside two that separate nothing: these come last of all."""
    weight, topic = np.array([0.3, 0, 0.4, 0, 0.3]), np.array([1, 0, 0, 0, 1])
    by_name = np.array([4, 3, 2, 1, 0])
    assert ORDERS["topics"](weight, topic, by_name).tolist() == [2, 4, 0, 3, 1]
    assert ORDERS["documents"](weight, topic, by_name).tolist() == [2, 4, 0, 3, 1]
    weight[4] = 0.5  # a mean of .4: of equal topics the first
    assert ORDERS["topics"](weight, topic, by_name).tolist() == [2, 4, 0, 3, 1]
    assert ORDERS["documents"](weight, topic, by_name).tolist() == [4, 2, 0, 3, 1]
