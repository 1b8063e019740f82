"""The paper's tables of rates as tables of the page."""

from __future__ import annotations

from html import escape

from sottovoce.paper.figure import Row, Rows, pick
from sottovoce.theory import COMPLEXITY, RATE_TABLES, notation


def tables(rows: Rows) -> str:
    """Each with its caption, formulas set, and their values in brackets."""
    captions = {table.label: table.caption for table in (*RATE_TABLES, COMPLEXITY)}
    return "".join(
        _table(label, captions.get(label, ""), pick(rows, table=label))
        for label in dict.fromkeys(row["table"] for row in rows)
    )


def _table(label: str, caption: str, mine: Rows) -> str:
    names = list(dict.fromkeys(row["column"] for row in mine))
    head = "".join(f'<th scope="col">{notation.html(name)}</th>' for name in names)
    body = "".join(
        f'<tr><th scope="row">{notation.html(line)}</th>'
        + "".join(
            f'<td data-label="{escape(name)}">{_entry(pick(mine, row=line, column=name)[0])}</td>' for name in names
        )
        + "</tr>"
        for line in dict.fromkeys(row["row"] for row in mine)
    )
    return (
        f'<table class="cards"><caption>{escape(label)} (L{mine[0]["line"]}): {notation.html(caption)}</caption>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _entry(row: Row) -> str:
    formula = notation.html(row["formula"])
    return formula if row["value"] is None else f'{formula} <span class="note">[{row["value"]:.3g}]</span>'
