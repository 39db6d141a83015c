"""Reading a TREC run or qrels line by line, and putting a ranking in order, the slow and obvious way."""

import math
import re

NUMBER = rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"


def data_lines(data):
    """The data lines with their numbers, from 1: leading # lines and blank lines are none, and byte order marks at the
    beginning, of the file or of the first of these lines, are no part of it."""
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    found = []
    for number, line in enumerate(data.split(b"\n"), 1):
        words = line.split()
        if words and (found or not words[0].startswith(b"#")):
            found.append((number, line if found else re.sub(rb"^([ \t\v\f]*\xef\xbb\xbf)+", b"", line)))
    return found


def lines_of(data, columns):
    """The data lines as words, with their numbers. Words stand between white space; between tabs where not all lines
    have so many words and all have so many cells, none empty but the second, which nobody reads."""
    found = data_lines(data)
    words = [(number, line.split()) for number, line in found]
    cells = [(number, [cell.strip() for cell in line.split(b"\t")]) for number, line in found]
    together = not found or found[-1][0] - found[0][0] == len(found) - 1
    fits = all(len(row) == columns and all(row[:1] + row[2:]) for _, row in cells)
    return cells if together and fits and not all(len(row) == columns for _, row in words) else words


def run(data):
    """-> (rows of (line, topic, document, rank as text, score, tag), lines with few columns, lines with bad scores)

    A score of minus infinity is just below all others, if there is another.
    """
    rows, few, bad = [], [], []
    for number, words in lines_of(data, 6):
        if len(words) < 6:
            few.append(number)
            continue
        topic, _, document, rank, score, tag = words[:6]
        value = float(score) if re.fullmatch(NUMBER + rb"|-inf(inity)?", score, re.IGNORECASE) else float("nan")
        if not value < math.inf:
            bad.append(number)
        rows.append((number, topic, document, rank, value, tag))
    lowest = min((row[4] for row in rows if math.isfinite(row[4])), default=None)
    if lowest is None:
        bad = [row[0] for row in rows]
    else:
        least = math.nextafter(lowest, -math.inf)
        rows = [(*row[:4], least if row[4] == -math.inf else row[4], row[5]) for row in rows]
    return rows, few, bad


def qrels(data):
    """-> (rows of (line, topic, document, grade), lines without exactly four columns, lines with bad grades)"""
    rows, few, bad = [], [], []
    for number, words in lines_of(data, 4):
        if len(words) != 4:
            few.append(number)
        elif not re.fullmatch(rb"[+-]?\d+", words[3]) or not -(2**31) <= int(words[3]) < 2**31:
            bad.append(number)
        else:
            rows.append((number, words[0], words[2], int(words[3])))
    return rows, few, bad


def ranking(entries):
    """One ranking in score order, and the places of its documents by rank.

    entries : (document as bytes, score, rank) in the file's order. A document that comes again keeps its first place
    in score order and its smallest rank. -> ([document], [place in score order by rank])
    """
    by_score = sorted(entries, key=lambda entry: entry[0], reverse=True)
    by_score = sorted(by_score, key=lambda entry: -entry[1])
    documents = list(dict.fromkeys(document for document, _, _ in by_score))
    rank = {document: min(r for d, _, r in entries if d == document) for document in documents}
    return documents, sorted(range(len(documents)), key=lambda place: rank[documents[place]])
