"""The line of every key, in whatever way TOML lets it be written."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_py.event.problems import field_name
from firmware_py.event.toml_lines import line_of, lines

TEXT = '''# a note with = and [
name = "x # ] } = y"
dotted.key = 1  # behind
"quoted \\u0041" = 'lit'
[table]
list = [ # open
  [1, 2],
  { a = [ { b = 1 }, { b = 2 } ], c = 3 },

  4,
]
long = """
one = 1
"quoted" \\""" two"""
when = 2026-10-24 19:00:00
[[rows.segments]]
minutes = 1
[[rows.segments]]
minutes = 2
[rows.segments.deeper]
last = """a"""""
end = ''
'''

EXPECTED = {
    ("name",): 2,
    ("dotted", "key"): 3,
    ("quoted A",): 4,
    ("table",): 5,
    ("table", "list"): 6,
    ("table", "list", 0): 7,
    ("table", "list", 1, "a", 1, "b"): 8,
    ("table", "list", 1, "c"): 8,
    ("table", "list", 2): 10,
    ("table", "long"): 12,
    ("table", "when"): 15,
    ("rows", "segments", 0, "minutes"): 17,
    ("rows", "segments", 1): 18,
    ("rows", "segments", 1, "deeper", "last"): 21,
    ("rows", "segments", 1, "deeper", "end"): 22,
}


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_every_way_to_write_a_key(line_end: str) -> None:
    found = lines(TEXT.replace("\n", line_end))
    assert {key: found.get(key) for key in EXPECTED} == EXPECTED


def test_what_has_no_line_takes_that_of_what_holds_it() -> None:
    found = lines("a = 1\n[b]\nc = 2\n")
    assert line_of(found, ("b", "missing")) == 2
    assert line_of(found, ("missing",)) == 1


def every_key(value: object, key: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    else:
        inner = []
    return [k for name, part in inner for k in [(*key, name), *every_key(part, (*key, name))]]


NAMES = st.sampled_from(["a", "b-c", '"d e"', "'f.g'", "a.h"])
SCALARS = st.sampled_from(["1", "-1.5e3", "true", '"x\\"]"', "'#'", '"""\n]\n"""', "19:00:00"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda v: "[ #\n" + ",\n".join(v) + "\n]"),
        st.dictionaries(st.sampled_from("xyz"), inner, max_size=3).map(
            lambda t: "{ " + ", ".join(f"{k} = {v}" for k, v in t.items()) + " }"
        ),
    ),
    max_leaves=6,
)


@given(st.lists(st.tuples(NAMES, VALUES), max_size=5))
def test_every_key_of_any_file_has_a_line(pairs: list[tuple[str, str]]) -> None:
    text = "\n\n".join(f"{name} = {value}" for name, value in pairs)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    found = lines(text)
    assert set(every_key(table)) == set(found)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (("tables",), "tables"),
        (("prices", "entry"), "prices.entry"),
        (("segments", 6, "minutes"), "segments row 7, minutes"),
        (("structure", "segments", 6), "structure.segments row 7"),
        ((), ""),
    ],
)
def test_a_key_in_words(key: tuple[str | int, ...], words: str) -> None:
    assert field_name(key) == words
