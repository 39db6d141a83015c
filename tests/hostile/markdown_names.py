"""Names that Markdown, or what Streamlit's page makes of it, would change; and a page that writes them all."""

import random
import string

from tests.hostile.corpus import NAMES

WORDS = """
a@b.co x.y+z@mail.example.org mailto:a@b.co xmpp:a@b.co http://x.org https://x.org/a?b=c#d www.x.org WWW.X.ORG ftp://x.y
http://user:pass@x.org x.org https:// //x.org http:x (http://x.org) <http://x.org> [x](http://x.org) ![x](y.png) [x][y] [x]
[^1] [x]: [ ] [x] :smile: :+1: :-1: :heart: :a: :100: :man_technologist: :material/home: :material_home: :material/x
:streamlit: :red[x] :blue-background[x] :red-badge[x] :small[x] :rainbow[x] ::: :::note :x[y]{z} ::x[y] :red: a:b a:b:c
-> <- <-> -- >= <= ~= --> => ->x x-> ... --- *** ___ === $x$ $$x$$ $x^2$ \\(x\\) \\[x\\] $1 $5-$6 \\$x\\$ <b>x</b> <br> <br/>
<!--x--> <script>x</script> <img/src=x> &amp; &lt; &#60; &#x3c; &copy; &nosuch; **x** *x* __x__ _x_ a_b_c a*b*c ~x~ ~~x~~ ==x==
^x^ `x` ``x`` ```x``` # ## #x 1. 1) - + * > | |x|y| |-|-| \\ \\\\ \\* x\\ {x} {{x}} {#x} %s {0} 😀 👩‍💻 🏳️‍🌈 é שלום 漢字 NA 1e5 007
"""  # noqa: E501
SENTENCES = [
    "a -> b",
    "a <- b",
    "a <-> b",
    "a -- b",
    "a >= b",
    "a <= b",
    "a ~= b",
    "-> b",
    "a ->",
    "1. list",
    "1) list",
    "- list",
    "+ list",
    "* list",
    "> quote",
    "# head",
    "#### head",
    "    code",
    "  two  blanks ",
    "a\tb",
    "a\nb",
    "a\r\n\r\nb",
    "```\ncode\n```",
    "a | b",
    "| a | b |\n|---|---|",
    "- [ ] task",
    "- [x] done",
    "Title\n=====",
    "Title\n-----",
    "[x]: http://x.org",
    "write to a@b.co now",
    "see http://x.org.",
    "see www.x.org, or",
    "$x$ and $y$",
    "cost $5 and $6",
    ":red[a] :blue[b]",
    "a  ",
    "  a",
    "a\\",
    "a :smile: b",
    "term\n: definition",
    "a<br>b",
    "<a href='x'>y</a>",
    "a &amp; b",
]
ALLOWED = {"DIV", "P", "STRONG"}  # what the page is made of where names are text


def all_names():
    """Several hundred names, each once."""
    marks = [
        form.format(mark)
        for mark in string.punctuation.replace("{", "").replace("}", "")
        for form in ("{0}", "{0}{0}", "{0}a{0}", "a{0}b", "{0} a", "a {0}", "a {0} b", "{0}{0}a b{0}{0}")
    ]
    rng = random.Random(4)
    pieces = [*string.punctuation, *"ab 12", "://", "www.", "@", ":a", "->", "~~", "**", "](", "&#"]
    pieces += ["\u202e", "é", "  "]
    mixed = ["x" + "".join(rng.choices(pieces, k=rng.randint(2, 9))) for _ in range(250)]
    named = [name for name in NAMES.values() if len(name) < 100]
    return list(dict.fromkeys([*WORDS.split(), *SENTENCES, *marks, *named, *mixed]))


def page():
    """Every name alone in a paragraph, and in bold within a sentence."""
    import streamlit as st

    from ui.text.escape import md

    for name in all_names():
        st.markdown(f"{md(name)}")
        st.markdown(f"system **{md(name)}** is {md(name)} here")
    st.text("all names are written")
