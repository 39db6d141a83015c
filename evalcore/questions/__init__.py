"""The questions: each takes a study and plain values, and answers with one tidy table.

A question is a function and a row at the end of its module; all modules of this folder are read. The keyword-only
arguments are the parameters, see `evalcore.parameters`. A question may also return notes: sentences on what is missing
or was assumed.
"""

from evalcore.vocabulary.registry import rows_of_folder

QUESTIONS = dict(sorted(rows_of_folder(__name__, __path__, "QUESTIONS").items(), key=lambda row: row[1].order))
