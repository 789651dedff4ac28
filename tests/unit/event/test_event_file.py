"""Reading an event file: every mistake at once, each with its line, what was found, what may be."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_py.core.profile import HOUSE, TDA
from firmware_py.event.file import EventFile, Prices, load
from tests.unit.event.files import GOOD, complaints, loaded, written


def test_a_short_file_takes_the_filed_values(tmp_path: Path) -> None:
    event = loaded(written(tmp_path, GOOD))
    assert (event.name, event.tables, event.seats) == ("Charity night", 10, 11)
    assert event.profile == HOUSE
    assert event.prices == Prices("EUR", 100_00, 10_00, 50_00, 100_00)
    assert event.structure.name == "Main event"
    assert event.start is not None
    assert event.start.isoformat() == "2026-10-24T19:00:00+02:00"
    assert event.warnings == ()


def test_all_errors_come_at_once_in_order_of_lines(tmp_path: Path) -> None:
    text = """name = ""
zone = "Europe/Berln"
tables = 61
seats = "11"
tabels = 3
profile = "vegas"
structure = "big"
[prices]
entry = 12.345
fee = true
"""
    assert complaints(written(tmp_path, text)) == [
        'event.toml, line 1: name is ""; allowed: a text in quotes, one line, 1 to 80 letters, '
        'such as name = "..."',
        'event.toml, line 2: zone is "Europe/Berln"; allowed: an IANA name such as "Europe/Berlin"',
        "event.toml, line 3: tables is 61; allowed: a whole number from 1 to 60",
        'event.toml, line 4: seats is "11"; allowed: a whole number from 2 to 11',
        "event.toml, line 5: tabels is unknown; allowed: name, prices, profile, seats, start, "
        "structure, tables, zone",
        'event.toml, line 6: profile is "vegas"; allowed: "house" or "tda"',
        'event.toml, line 7: structure is "big"; allowed: "main" or "sit_and_go", a file beside '
        "this one, or a table",
        "event.toml, line 9: prices.entry is 12.345; allowed: 0 to 10,000,000 with at most two "
        "decimals, without quotes, such as 12.50",
        "event.toml, line 10: prices.fee is true; allowed: 0 to 10,000,000 with at most two "
        "decimals, without quotes, such as 12.50",
    ]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    fields = [words.split(": ")[1].split(";")[0] for words in complaints(written(tmp_path, "# x"))]
    assert fields == [
        "zone is missing", "name is missing", "structure is missing", "tables is missing",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("tables = true", "tables is true"),
        ("tables = 1.0", "tables is 1.0"),
        ("tables = 0", "tables is 0"),
        ("tables = []", "tables is []"),
        ("tables = {}", "tables is a table"),
    ],
)
def test_only_whole_numbers_within_bounds_count_tables(
    tmp_path: Path, field: str, words: str
) -> None:
    (said,) = complaints(written(tmp_path, GOOD.replace("tables = 10", field)))
    assert said.startswith(f"event.toml, line 5: {words};")


def test_prices_are_exact(tmp_path: Path) -> None:
    text = GOOD + "[prices]\nentry = 0.29\nfee = 10\nrebuy = 19.9\naddon = 0\n"
    prices = loaded(written(tmp_path, text)).prices
    assert (prices.entry, prices.fee, prices.rebuy, prices.addon) == (29, 1000, 1990, 0)


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "1e99", '"5"'])
def test_no_other_price(tmp_path: Path, value: str) -> None:
    (said,) = complaints(written(tmp_path, GOOD + f"[prices]\nentry = {value}\n"))
    assert "line 7: prices.entry is" in said


def test_a_profile_by_name_or_by_single_choices(tmp_path: Path) -> None:
    assert loaded(written(tmp_path, GOOD + 'profile = "tda"\n')).profile == TDA
    own = GOOD + '[profile]\nlike = "tda"\nhands_while_paused = true\nlead_ms = 500\n'
    profile = loaded(written(tmp_path, own)).profile
    assert (profile.name, profile.hand_start) == ("own", "riffle")
    assert (profile.hands_while_paused, profile.lead_ms) == (True, 500)


def test_a_wrong_choice_names_those_there_are(tmp_path: Path) -> None:
    text = GOOD + '[profile]\nhand_start = "cut"\nhands_while_paused = "no"\nodd = 1\n'
    assert [words.split("; ")[0] for words in complaints(written(tmp_path, text))] == [
        'event.toml, line 7: profile.hand_start is "cut"',
        'event.toml, line 8: profile.hands_while_paused is "no"',
        "event.toml, line 9: profile.odd is unknown",
    ]


@pytest.mark.parametrize("text", [b"\xef\xbb\xbf" + GOOD.encode(), GOOD.replace("\n", "\r\n")])
def test_f080_a_byte_order_mark_and_windows_line_ends_are_read(
    tmp_path: Path, text: str | bytes
) -> None:
    assert loaded(written(tmp_path, text)).name == "Charity night"


@pytest.mark.parametrize(
    ("octets", "words"),
    [
        (GOOD.encode("utf-16"), "event.toml: the file is saved as UTF-16"),
        (b'a = 1\nname = "M\xfcller"\n', "event.toml, line 2: byte 10 (0xfc) is no UTF-8"),
        (b"a = 1\nb = = 2\n", "event.toml, line 2: this is not TOML at sign 5"),
        (b"a = 1\nb = [1,\n", "event.toml, line 2: this is not TOML"),
        (b"#" * (1 << 20) + b"\n", "event.toml: the file is longer than 1 MB"),
    ],
)
def test_a_file_that_is_no_toml_is_one_sentence(tmp_path: Path, octets: bytes, words: str) -> None:
    (said,) = complaints(written(tmp_path, octets))
    assert said.startswith(words)


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    assert complaints(tmp_path / "no.toml")[0].startswith("no.toml: there is no such file")
    (said,) = complaints(tmp_path)
    assert "it cannot be read (Is a directory)" in said


@given(st.binary(max_size=300))
@settings(max_examples=150)
def test_no_bytes_raise(tmp_path_factory: pytest.TempPathFactory, octets: bytes) -> None:
    file = written(tmp_path_factory.getbasetemp(), octets, "any.toml")
    assert isinstance(load(file), list)


VALUES = st.sampled_from(
    ["1", "-5", "0.5", "nan", '""', '"x"', "[]", "[1]", "{}", "true", "19:00:00"]
)
FIELDS = ("name", "start", "zone", "structure", "profile", "tables", "seats", "prices")


@given(st.dictionaries(st.sampled_from(FIELDS), VALUES))
@settings(max_examples=150)
def test_no_value_raises(tmp_path_factory: pytest.TempPathFactory, fields: dict[str, str]) -> None:
    text = "\n".join(f"{name} = {value}" for name, value in fields.items())
    file = written(tmp_path_factory.getbasetemp(), text, "values.toml")
    assert isinstance(load(file), EventFile | list)
