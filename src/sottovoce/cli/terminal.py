"""What commands print: labelled lines, tables, colours, stand-ins for letters that a terminal lacks, JSON, progress."""

from __future__ import annotations

import codecs
import json
import math
import os
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from sottovoce.cli.failures import Failure

DATE = "date"
"""Heads what stands right behind the answer in plain words, not below with the method."""
LABEL = 12
WIDE = 100
STACKED = 60
"""Where lines have fewer letters, labels stand above what they name."""
_BLANKS = dict.fromkeys(map(ord, "\t\n\r\f\v"), " ")
_COMMAND = re.compile(r"sotto( [a-z]+){0,2}( --[a-z][a-z-]*)*|pipx? [^;]*install \S+|--[a-z][a-z-]* ([\d.]+|[A-Z]+)")
"""What one might copy from a sentence; a word of it too many does no harm."""
_HELD = "\0"
_OWN_COLOURS = re.compile(r"(\x1b\[(?:0|1|2|36)m)")


class Painted(str):
    """Text with colours of our own, which may pass."""

    __slots__ = ()


def columns() -> int:
    """How wide a line may be: the terminal, at most 100."""
    return max(40, min(WIDE, shutil.get_terminal_size((WIDE, 24)).columns))


def coloured() -> bool:
    """Colour only for eyes: on a terminal, unless NO_COLOR is set (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def printable(text: str, instead: Callable[[str], str] = lambda letter: "?") -> str:
    """What can be shown of a text, and for every other letter what stands `instead`."""
    return text if text.isprintable() else "".join(one if one.isprintable() else instead(one) for one in text)


def plain(text: str) -> str:
    """Letters that a terminal shows; what it would obey, or what turns others around, becomes a question mark."""
    shown = text if text.isprintable() else printable(text)
    return shown if shown.isascii() else with_stand_ins(shown)


def _paint(code: str, text: str) -> Painted:
    shown = plain(text)
    return Painted(f"\x1b[{code}m{shown}\x1b[0m" if coloured() and shown else shown)


def bold(text: str) -> str:
    """What matters."""
    return _paint("1", text)


def dim(text: str) -> str:
    """What may be skipped."""
    return _paint("2", text)


def accent(text: str) -> str:
    """What to look at in a picture, or to type next."""
    return _paint("36", text)


def labelled(label: str, text: str, *, indent: int = 0) -> str:
    """``label       text``, wrapped under itself; of whatever text, only what can be shown."""
    text = text if isinstance(text, Painted) else plain(text.translate(_BLANKS))
    margin, room = " " * indent, columns()
    if room < STACKED:  # too narrow for two columns: the label stands above
        lines = _wrapped(text, room - indent - 2)
        above = [f"{margin}{dim(label)}"] if label.strip() else []
        return "\n".join([*above, *(f"{margin}  {line}" for line in lines)])
    lines = _wrapped(text, room - indent - LABEL)
    rest = "".join(f"\n{margin}{'':{LABEL}}{line}" for line in lines[1:])
    return f"{margin}{dim(f'{label:{LABEL}}')}{lines[0]}{rest}"


def labelled_lines(lines: Iterable[tuple[str, Any]], *, indent: int = 2) -> list[str]:
    """Labels with facts or texts, each on its own line, as they stand below a heading, or without one."""
    return [labelled(name, str(text), indent=indent) for name, text in lines]


def _wrapped(text: str, room: int) -> list[str]:
    """Lines of at most so many letters, unless a word has more; colours take no room."""
    if not isinstance(text, Painted) or "\x1b" not in text:
        return textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    start, bare, stop = _OWN_COLOURS.split(text)[1::2][0], _OWN_COLOURS.sub("", text), "\x1b[0m"
    return [f"{start}{line}{stop}" for line in _wrapped(bare, room)]


def shortened(text: str) -> str:
    """The beginning of what is too long to be read, such as a payload."""
    return text if len(text) <= 48 else f"{text[:48]}…"


def paragraph(text: str, *, indent: int = 2) -> str:
    """Running text, wrapped."""
    return _filled(plain(text), first=" " * indent, then=" " * indent)


def _filled(text: str, *, first: str, then: str) -> str:
    wrapper = textwrap.TextWrapper(columns(), initial_indent=first, subsequent_indent=then)
    wrapper.break_long_words = wrapper.break_on_hyphens = False
    return wrapper.fill(text)


def wrap_help(text: str) -> str:
    """Running text for the end of a help page, which keeps its own layout."""
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def wrap_command(text: str) -> str:
    """A command to type, for the end of a help page; one that is too long goes on before an option."""
    first, *options = re.split(r" (?=--)", text)
    lines = [f"  {first}"]
    for option in options:
        if len(lines[-1]) + len(option) + 3 > 100:  # a space, and another with a backslash
            lines[-1] += " \\"
            lines.append(f"      {option}")
        else:
            lines[-1] += f" {option}"
    return "\n".join(lines)


def summary_lines(text: str) -> list[str]:
    """The labelled lines of ``Estimate.summary``, wrapped to the terminal."""
    return [labelled(line[:LABEL].rstrip(), line[LABEL:].rstrip()) for line in text.splitlines()]


def picture_lines(text: str, *, indent: int = 0) -> list[str]:
    """A picture in characters, set apart by colour where there is any."""
    return [f"{' ' * indent}{accent(line)}" for line in text.splitlines()]


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, left: Sequence[int] = (), indent: int = 2
) -> list[str]:
    """Aligned columns: to the right, but for those in `left`. Where that is too wide, a paragraph for each row."""
    from sottovoce.pictures import aligned

    first, *rest = (f"{' ' * indent}{line}" for line in aligned(header, rows, left=left))
    if max(map(_visible_length, (first, *rest))) <= max(columns(), _width() or 1_000):
        return [dim(first), *rest]
    lines = []
    for row in rows:
        lines.append(f"{' ' * indent}{row[0]}")
        cells = (f"{name} {cell}".strip() for name, cell in zip(header[1:], row[1:], strict=True) if cell.strip())
        lines.append(paragraph("; ".join(cells), indent=indent + 2))
    return lines


def _visible_length(line: str) -> int:
    """How many letters of a line are seen."""
    return len(_OWN_COLOURS.sub("", line))


def _width(stream: TextIO | None = None) -> int | None:
    """How wide the terminal is; None where nobody knows, as in a pipe."""
    if os.environ.get("COLUMNS") or (stream or sys.stdout).isatty():
        return shutil.get_terminal_size((100, 24)).columns
    return None


def sentence(code: str, **data: Any) -> str:
    """The sentence of a fact."""
    from sottovoce.messages import Fact

    return str(Fact(code, **data))


def heading(code: str, **data: Any) -> str:
    """The sentence of a fact, above what it is about."""
    return bold(sentence(code, **data))


def count(number: int, noun: str) -> str:
    """``1 byte``, ``2 bytes``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def show(lines: Sequence[str]) -> None:
    """Print for people. Whatever a line holds, it commands nothing: only new lines and our own colours pass."""
    width, painted = _width(), coloured()
    parts = [_harmless(part, painted) for line in lines for part in line.split("\n")]
    print(
        "\n".join(
            [part if width is None or _visible_length(part) <= max(40, width) else _wrap_line(part) for part in parts]
        )
    )


def complain(lines: Sequence[str]) -> None:
    """Print to standard error what is wrong and what to do; where a terminal is narrow, wrapped between words.

    Never inside of a command, and not on a wide terminal: there is room, and a whole line is easier to search for.
    """
    width = _width(sys.stderr)
    for line in "\n".join(lines).split("\n"):
        shown = printable(line)
        if width is not None and width < WIDE and len(shown) > max(40, width):
            filled = _filled(_COMMAND.sub(lambda found: found.group().replace(" ", _HELD), shown), first="", then="  ")
            shown = filled.replace(_HELD, " ")
        print(shown, file=sys.stderr)


def _wrap_line(line: str) -> str:
    """A line that nobody has wrapped, between words; one that is coloured, or a command to copy, stays as it is."""
    if "\x1b" in line or " " not in line.strip() or "sotto " in line:
        return line
    indent = " " * (len(line) - len(line.lstrip()))
    return _filled(line.strip(), first=indent, then=f"{indent}  ")


def _harmless(line: str, painted: bool) -> str:
    if not painted:
        return plain(line)
    return "".join(part if place % 2 else plain(part) for place, part in enumerate(_OWN_COLOURS.split(line)))


def show_json(result: Any, *, failure: Failure | None = None) -> None:
    """Print for programs: one document, the result in its envelope. A number that JSON lacks (NaN, infinite) is null.

    `failure` where the command ends with another exit code than 0, its result being that something does not hold.
    """
    document = in_envelope(result, failure=failure)
    unicode = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    text = json.dumps(_finite(document), indent=2, ensure_ascii=not unicode, allow_nan=False)
    # What cannot be shown stands inside texts only: as JSON writes it in ASCII.
    print("\n".join(printable(line, lambda letter: json.dumps(letter)[1:-1]) for line in text.split("\n")))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


SCHEMA = "2"
"""A field never changes its meaning; a new meaning is a new version. Fields may be added."""
COMMAND: ContextVar[str] = ContextVar("COMMAND", default="")
"""What runs, without ``sotto``: ``estimate mean``."""
_NOTE_NAMES = ("note", "notes", "warning", "warnings")


def in_envelope(result: Any, *, failure: Failure | None = None) -> dict[str, Any]:
    """A result in its envelope; with a failure where the command ends with another exit code than 0."""
    document: dict[str, Any] = {"sotto": SCHEMA, "command": COMMAND.get(), "ok": failure is None}
    if failure is None or result is not None:
        document |= {"result": result, "notes": _notes(result)}
    return document if failure is None else document | {"error": failure.to_dict()}


def _notes(value: Any) -> list[Any]:
    """Every note inside, once, so that nobody has to know where a command puts its own."""
    if isinstance(value, dict):
        several = [value.get(name) for name in _NOTE_NAMES]
        listed = [note for notes in several for note in (notes if isinstance(notes, (list, tuple)) else [notes])]
        own = [note for note in listed if isinstance(note, dict) and "code" in note]
        inside = [note for name, item in value.items() if name not in _NOTE_NAMES for note in _notes(item)]
        return _each_once([*own, *inside])
    return _each_once([note for item in value for note in _notes(item)]) if isinstance(value, (list, tuple)) else []


def _each_once(notes: list[Any]) -> list[Any]:
    return [note for place, note in enumerate(notes) if note not in notes[:place]]


_WORDS = {
    "ε": "eps",
    "α": "alpha",
    "Δ": "delta",
    "θ": "theta",
    "σ": "sigma",
    "π": "pi",
    "Σ": "sum",
    "√": "sqrt",
    "∞": "inf",
    "±": "+-",
    "…": "...",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "²": "^2",
    "⁻": "-",
}
_LETTERS = dict(
    zip(
        "–—−×·•●○▲▼█▇▆▅▄▃▂▁░▒▓─━│┃├┤┬┴┼┌┐└┘“”„‘’⊕⟨⟩",
        '---x.*oo^v##==--__:::--||||||+++++"""\'\'+<>',
        strict=False,
    )
)
STAND_INS = {**_LETTERS, **_WORDS}
"""Pictures keep their columns: what is drawn with has a stand-in of one letter."""


def with_stand_ins(text: str) -> str:
    """With stand-ins where standard output cannot write a letter."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return "".join(letter if _fits(letter, encoding) else stand_in(letter) for letter in text)
    return text


def _fits(letter: str, encoding: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def stand_in(letter: str) -> str:
    """From the table; an accent is left out, ½ is 1/2, and what is left of others is a question mark."""
    if letter in STAND_INS:
        return STAND_INS[letter]
    bare = unicodedata.normalize("NFKD", letter).replace("⁄", "/").encode("ascii", "ignore").decode()
    return bare or "?"


def _replace_letters(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(stand_in, error.object[error.start : error.end])), error.end


def prepare_streams() -> None:
    """Whatever is printed, by whomever: a letter that a stream lacks is neither a traceback nor lost."""
    codecs.register_error("sotto", _replace_letters)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="sotto")


FIRST_SECONDS, EVERY_SECONDS = 3.0, 10.0
"""Until the first plain line, and between two."""


@contextmanager
def progress(total: int, name: str) -> Iterator[Callable[[], object]]:
    """What to call after each of so many steps."""
    from tqdm import tqdm

    if sys.stderr.isatty():
        with tqdm(total=total, desc=name, leave=False, file=sys.stderr) as bar:
            yield bar.update
        return
    yield ProgressLines(total, name).step


class ProgressLines:
    """Plain lines on standard error."""

    def __init__(self, total: int, name: str, *, clock: Callable[[], float] = perf_counter) -> None:
        self._total, self._name, self._clock = total, name, clock
        self._done, self._start = 0, clock()
        self._next = self._start + FIRST_SECONDS

    def step(self) -> None:
        """One more is done."""
        self._done += 1
        now = self._clock()
        if now < self._next or self._done >= self._total:
            return
        from sottovoce.messages import Fact

        self._next = now + EVERY_SECONDS
        left = (now - self._start) * (self._total - self._done) / self._done
        print(
            Fact("command-progress", name=self._name, done=self._done, total=self._total, left=left),
            file=sys.stderr,
            flush=True,
        )
