"""The functions of a JavaScript file, by matching braces outside strings, comments and regular expressions."""

import re

SKIPPED = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
BEFORE_A_PATTERN = re.compile(r"(?:^|[-+*%=(,:;!?&|{}\[<>~^\n]|\b(?:return|typeof|case|in|of|=>))\s*$")
TEMPLATE = re.compile(r"(?:\\.|[^`\\$]|\$(?!\{))*(`|\$\{)", re.DOTALL)
HEAD = re.compile(r"(?:\bfunction\b\s*\*?\s*[\w$]*|([\w$]+))\s*\Z")  # before the parameters, which end in a bracket
NO_FUNCTIONS = {"if", "for", "while", "switch", "catch", "with", "await"}


def _blanked(text):
    """The code with every character blank that is in a string, a comment or a regular expression, but for line ends;
    code within a template stays."""
    code, at, depths = [], 0, []  # depths : of open braces, in each `${` of a template that is being read

    def blank(end):
        code.append(re.sub(r"[^\n]", " ", text[at:end]))
        return end

    while at < len(text):
        if text[at] == "`" or (text[at] == "}" and depths and depths[-1] == 0):
            if text[at] == "}":
                depths.pop()
            match = TEMPLATE.match(text, at + 1)
            depths += [0] if match[1] == "${" else []
            at = blank(match.end())
        elif match := SKIPPED.match(text, at) or _pattern(text, at, code):
            at = blank(match.end())
        else:
            if depths and text[at] in "{}":
                depths[-1] += 1 if text[at] == "{" else -1
            code.append(text[at])
            at += 1
    assert not depths
    return "".join(code)


def _pattern(text, at, code):
    """The regular expression that begins here, where the code before it does not make it a division; else None."""
    match = PATTERN.match(text, at)
    return match if match and BEFORE_A_PATTERN.search("".join(code[-80:])) else None


def _beginning(code, brace, opens):
    """Where the function begins whose body this brace opens; None where it opens something else."""
    before = code[:brace].rstrip()
    is_arrow = before.endswith("=>")
    before = before.removesuffix("=>").rstrip()
    if not before.endswith(")"):
        return before.rfind("\n") + 1 if is_arrow else None
    start = opens[len(before) - 1]
    if is_arrow:
        return start
    head = HEAD.search(code, 0, start)
    return head.start() if head and head[1] not in NO_FUNCTIONS else None


def functions(text):
    """(the number of the first line, that of the last) of each function that has a body, the inner ones first."""
    code, stack, opens = _blanked(text), [], {}
    for at, sign in enumerate(code):
        if sign in "({[":
            stack.append(at)
        elif sign in ")}]":
            opens[at] = start = stack.pop()
            assert code[start] + sign in ("()", "{}", "[]"), code.count("\n", 0, at) + 1
            if sign == "}" and (begin := _beginning(code, start, opens)) is not None:
                yield 1 + code.count("\n", 0, begin), 1 + code.count("\n", 0, at)
    assert not stack
