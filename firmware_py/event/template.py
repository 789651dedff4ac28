"""Owns the event file that a volunteer starts from: every field with a note, the levels inline."""

from datetime import date, timedelta
from pathlib import Path

from firmware_py.event.structure_file import built_in

SATURDAY = 5
ZONES = "zoneinfo/"

_TEMPLATE = """\
# One night of tableside. Lines that begin with # are notes.
# After each change run:   tableside event check {file}
# To see the plan:         tableside event show {file}

name = "{name}"

# Planned first deal, in local time. In the hour that the clocks show twice in autumn
# write the offset behind it, such as "2026-10-25 02:30+01:00".
start = "{start} 19:00"
zone = "{zone}"

tables = {tables}  # 1 to 60
seats = 11   # at each table, 2 to 11

# How open questions in the house rules are read: "house" as filed, or "tda".
profile = "house"

# Whole units or two decimals, without quotes.
[prices]
currency = "EUR"
entry = 100
fee = 10
rebuy = 50
addon = 100

# The levels in order. A break names the chips that are coloured up in it. Every row needs its
# minutes. Instead of this table, structure = "{structure}" above [prices] takes the filed one.
[structure]
{rows}"""


def template(structure: str, today: date, zone: str, file: str) -> str:
    """Return a commented event file with the built-in `structure`, for the next Saturday."""
    next_saturday = today + timedelta(days=(SATURDAY - today.weekday()) % 7 or 7)
    one = structure == "sit_and_go"
    return _TEMPLATE.format(
        file=file,
        name="Sit & go" if one else "Charity night",
        start=next_saturday.isoformat(),
        zone=zone,
        tables=1 if one else 10,
        structure=structure,
        rows=built_in(structure).read_text(encoding="utf-8"),
    )


def system_zone(localtime: Path = Path("/etc/localtime")) -> str:
    """Return the IANA name that this machine is set to, "UTC" when it does not say."""
    target = str(localtime.resolve())
    return target.split(ZONES, 1)[1] if ZONES in target else "UTC"
