"""The tree layer: every path of the shipped sampler, driven by words that remember what they were compared with.

`explore` runs a program again and again. It hands out `Word`s in place of uniform 64-bit words; a word has a value for
this run and narrows its own range to the values for which every comparison (or remainder) so far comes out the same.
All words in these ranges take the same path, so the path has the product of their sizes as its exact probability. What
is left of the space is run next, until nothing is left. Nothing is assumed of the program except that it reads
words by comparing them or by a remainder; anything else raises `Untraceable`.

The law of a report, question bytes in and report bytes out, is then held against the declared law.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from random import Random
from typing import Any, NoReturn

import numpy as np

from sottovoce.audit.channel_derivations import Symbol, derivation, largest_ratio, report_law
from sottovoce.audit.device_paths import SHIPPED, Path, Subject, Toss
from sottovoce.audit.findings import Finding, verdict
from sottovoce.audit.neighbours import Neighbour, neighbours, several_slots
from sottovoce.audit.word_scripts import BulkScripts, Tape, Words
from sottovoce.device import SystemEntropy, encode
from sottovoce.messages import Batch, Channel, Question, Report, SottovoceError, exact, log_above

_ALL = 2**64
_NEGLECT = Fraction(1, 2**600)
"""Regions lighter than this are not entered: a uniform index that is redrawn ten times over."""

Law = dict[Any, Fraction]
"""The chance of each outcome of a program."""


class Untraceable(TypeError):  # noqa: N818 - a word is untraceable
    """The program read a word in a way that has no exact account here."""


class TooManyPaths(RuntimeError):  # noqa: N818 - says what there was
    """The tree is larger than was allowed."""


@dataclass(frozen=True, slots=True)
class Range:
    """Words ``low ≤ w < high`` with ``w ≡ rest (mod modulus)``."""

    low: int = 0
    high: int = _ALL
    modulus: int = 1
    rest: int = 0

    @property
    def first(self) -> int:
        return self.low + (self.rest - self.low) % self.modulus

    @property
    def size(self) -> int:
        return max(0, -(-(self.high - self.first) // self.modulus))

    def without(self, part: Range) -> list[Range]:
        """What is left when a part of this range is taken away."""
        pieces = [
            Range(self.low, part.low, self.modulus, self.rest),
            Range(part.high, self.high, self.modulus, self.rest),
        ]
        if part.modulus != self.modulus:
            others = (rest for rest in range(part.modulus) if rest != part.rest)
            pieces += [Range(part.low, part.high, part.modulus, rest) for rest in others]
        return [piece for piece in pieces if piece.size > 0]


Cells = tuple[Range, ...]


class Word:
    """A uniform word of one run, and the range of words for which the run would have been the same."""

    __slots__ = ("range", "value")

    def __init__(self, region: Range) -> None:
        self.range = region
        self.value = region.first

    def _cut(self, limit: int) -> bool:
        """Whether the value lies below `limit`; the range keeps only words that agree."""
        low, high = self.range.low, self.range.high
        below = self.value < limit
        bounds = (low, min(high, limit)) if below else (max(low, limit), high)
        self.range = Range(*bounds, self.range.modulus, self.range.rest)
        return below

    def __lt__(self, other: Any) -> bool:
        return self._cut(int(other))

    def __ge__(self, other: Any) -> bool:
        return not self._cut(int(other))

    def __le__(self, other: Any) -> bool:
        return self._cut(int(other) + 1)

    def __gt__(self, other: Any) -> bool:
        return not self._cut(int(other) + 1)

    def __eq__(self, other: object) -> bool:
        return not self._cut(int(other)) and self._cut(int(other) + 1)  # type: ignore[call-overload]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __mod__(self, other: Any) -> int:
        modulus = int(other)
        if self.range.modulus not in (1, modulus):
            raise Untraceable("two different remainders of one word")
        self.range = Range(self.range.low, self.range.high, modulus, self.value % modulus)
        return self.value % modulus

    def __hash__(self) -> int:
        raise Untraceable("a word was hashed")

    def _refuse(self, *_: Any) -> NoReturn:
        raise Untraceable("a word was read other than by a comparison or a remainder")

    __index__ = __int__ = __float__ = __bool__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __and__ = __rand__ = __or__ = __ror__ = _refuse
    __xor__ = __rxor__ = __rshift__ = __lshift__ = __floordiv__ = __truediv__ = _refuse


class Script:
    """Entropy that hands out words: the first ones from `regions`, then any."""

    def __init__(self, regions: tuple[Range, ...]) -> None:
        self._regions = regions
        self.drawn: list[Word] = []

    def words(self, count: int) -> Words:
        made = np.empty(count, dtype=object)
        for place in range(count):
            used = len(self.drawn)
            word = Word(self._regions[used] if used < len(self._regions) else Range())
            self.drawn.append(word)
            made[place] = word
        return made


@dataclass(frozen=True, kw_only=True)
class Tree:
    """The exact law of a program's outcome. `missing` is the weight of paths that were not entered."""

    law: Law
    paths: int
    missing: Fraction


def explore(program: Callable[[Script], Hashable], *, limit: int) -> Tree:
    """Run `program` along every path, at most `limit` of them."""
    law: Law = defaultdict(Fraction)
    paths = 0
    for outcome, cells in walk(program, limit=limit):
        law[outcome] += weight(cells)
        paths += 1
    return Tree(law=law, paths=paths, missing=1 - sum(law.values(), Fraction(0)))


def walk(program: Callable[[Script], Hashable], *, limit: int) -> Iterator[tuple[Hashable, Cells]]:
    """Every path's outcome, and the ranges of words that take it; together they are all words but a neglected rest."""
    todo: list[Cells] = [()]
    paths = 0
    while todo:
        region = todo.pop()
        if weight(region) < _NEGLECT:
            continue
        paths += 1
        if paths > limit:
            raise TooManyPaths(f"more than {limit} paths")
        script = Script(region)
        outcome = program(script)
        cells = tuple(word.range for word in script.drawn)
        yield outcome, cells
        for place, cell in enumerate(cells):
            whole = region[place] if place < len(region) else Range()
            todo += [(*cells[:place], piece, *region[place + 1 :]) for piece in whole.without(cell)]


def weight(cells: Cells) -> Fraction:
    """The share of all scripts that lie in these ranges."""
    ways, scale = 1, 0
    for cell in cells:
        if cell.size != _ALL:
            ways, scale = ways * cell.size, scale + 64
    return Fraction(ways, 1 << scale)


def symbols_of(path: Path, channel: Channel, inputs: list[int], script: Script) -> Symbol:
    """The symbols of all uses side by side, when the words of a script are drawn."""
    return tuple(int(part) for part in path.symbols(channel, np.array(inputs, dtype=np.int64), script).ravel())


MIXED: Symbol = (-1,)
"""Stands for boxes in which several answers were given, or none."""
_ALL_CORNERS = 5
"""Up to so many words every corner is tried; of more, each word's ends among others that lie anywhere."""
_INSIDE = 3
_DEEPEST = Fraction(1, 2**120)
"""Boxes lighter than this (index words redrawn twice over) are tried at two corners and counted as they are."""


_Boxes = tuple[tuple[Fraction, ...], tuple[tuple[int, ...], ...], tuple[int, ...]]
"""What the tree cuts scripts into: the weight of each box, scripts that lie in them, and in which each of them."""


def recovered_law(path: Path, channel: Channel, inputs: list[int], *, limit: int) -> tuple[Law, int]:
    """The law of another program's answers at these inputs, box by box, and how many scripts were tried.

    This is for a program whose words cannot be followed: another language, over pipes. The tree of the device that
    ships cuts all scripts into boxes, a range for each word, on which its answer is one and the same; the weights of
    the boxes are the declared law, exactly. The other program is tried on each box: with every word at the first and
    at the last place of its range, alone and together, and inside. A range ends where a threshold is, so that each
    threshold is met from both sides, next to it. Where the answer is the same at all of these, the box is counted for
    it with its exact weight. So a law is recovered, as fractions, from answers alone. What is taken for granted:
    between two words that give the same answer on either end of a range, and on some inside, no word gives another.
    """
    weights, scripts, owners = _boxes(channel, tuple(inputs), limit)
    answers: list[set[Symbol | None]] = [set() for _ in weights]
    for place, answer in zip(owners, path.on_scripts(channel, inputs, scripts), strict=True):
        answers[place].add(answer)
    law: Law = defaultdict(Fraction)
    for given, share in zip(answers, weights, strict=True):
        law[MIXED if len(given) > 1 or None in given else given.pop()] += share
    return law, len(scripts)


@lru_cache(maxsize=64)
def _boxes(channel: Channel, inputs: tuple[int, ...], limit: int) -> _Boxes:
    """Walked once, for every program that is tried on them."""
    boxes = [cells for _, cells in walk(partial(symbols_of, SHIPPED, channel, list(inputs)), limit=limit)]
    stream = Random(len(boxes))  # noqa: S311 - scripts that are tried: the same for everybody
    tried = [_scripts_in(cells, stream) for cells in boxes]
    return (
        tuple(map(weight, boxes)),
        tuple(script for some in tried for script in some),
        tuple(place for place, some in enumerate(tried) for _ in some),
    )


def _scripts_in(cells: Cells, stream: Random) -> list[tuple[int, ...]]:
    """Scripts in a box: its corners, and some inside."""

    def anywhere() -> tuple[int, ...]:
        return tuple(cell.first + stream.getrandbits(80) % cell.size * cell.modulus for cell in cells)

    ends = [(cell.first, cell.first + (cell.size - 1) * cell.modulus) for cell in cells]
    first, last = tuple(low for low, _ in ends), tuple(high for _, high in ends)
    if weight(cells) < _DEEPEST:
        return [first, last]
    inside = [anywhere() for _ in range(_INSIDE)]
    if len(cells) <= _ALL_CORNERS:
        return [*inside, *(corner[::-1] for corner in product(*ends[::-1]))]
    scripts = [first, last, *inside]
    for place, pair in enumerate(ends):
        for end in pair:
            others = anywhere()
            scripts.append((*others[:place], end, *others[place + 1 :]))
    return scripts


PATHS = 1300
"""Questions with more paths than this are left to their small instances."""
WHOLE = 40
"""Up to so many paths of a short question go through `respond` as a whole, others from the channel's input on."""
HIDDEN = Fraction(1, 2**500)
"""So little may be left unexplored for a law to be told from another."""

ExploredChannels = dict[tuple[Path, Channel, int], tuple[list[Law], int, bool]]
"""Channels that were explored before, in the same run: the same channel again needs no second look."""


def expected_paths(question: Question) -> int:
    """Roughly how many paths a report of this question takes."""
    return int(derivation(question.channel).path_count() ** min(question.uses, 8))


def enumerate_paths(subject: Subject, known: ExploredChannels | None = None) -> list[Finding]:
    """One finding for each question that is small enough."""
    known, path = {} if known is None else known, subject.path
    findings = []
    for question in subject.questions:
        paths, followed = expected_paths(question), path.compares_words(question.channel)
        if paths > PATHS or not (path.tries_corners or followed):
            continue
        whole = paths <= WHOLE and len(question.to_bytes()) <= 4096
        if followed and whole and not question.encoder.draws:
            findings.append(_question_to_report(subject, question))
        else:
            findings.append(_input_to_symbol(subject, question, known))
    return findings


def _question_to_report(subject: Subject, question: Question) -> Finding:
    people = neighbours(question)
    people = people if expected_paths(question) <= 16 else people[::2]  # every other one, where each takes long
    laws: list[Law] = []
    paths, wrong = 0, []
    for one, slot in zip(people, several_slots(question, len(people)), strict=True):
        try:
            tree = explore(partial(_symbols_in_report, subject.path, question, one, int(slot)), limit=4 * PATHS)
        except Exception as error:  # what cannot be followed, and whatever a device may do instead of answering
            return _finding(subject, question, None, f"{one.name}: {type(error).__name__}")
        paths += tree.paths
        laws.append(tree.law)
        inputs = encode(question, one.copies(1), np.array([slot]), SystemEntropy())[0]
        if not _is_declared(tree, question.channel, inputs.tolist()):
            wrong.append(one.name)
    if wrong:
        return _finding(subject, question, laws, f"another law than the declared one for: {', '.join(wrong)}")
    detail = f"{paths:,} paths over {len(people)} collections, question to report"
    return _finding(subject, question, laws, detail, agrees=True)


def _symbols_in_report(path: Path, question: Question, one: Neighbour, slot: int, script: Script) -> Hashable:
    data = path.respond(question, one.copies(1), slot, script)
    try:
        batch = Batch.of(question, [Report.from_bytes(data)])
    except SottovoceError:
        return data
    return tuple(int(value) for value in batch.symbols.ravel())


def _input_to_symbol(subject: Subject, question: Question, known: ExploredChannels) -> Finding:
    """Where the tree is large, or the encoder reads words in arithmetic (it cannot raise ε)."""
    path, channel = subject.path, question.channel
    key, followed = (path, channel, question.uses), path.compares_words(channel)
    if key not in known:
        # between two nodes, where there are any: at a fraction whose high and low bits are both set
        uneven = min(channel.span, 5 * channel.span // 7 | 1) if channel.unit > 1 else channel.span
        trees, agrees = list[Tree](), True
        for value in sorted({0, channel.span // channel.unit // 2 * channel.unit, uneven, channel.span}):
            inputs = [value] * question.uses
            if followed:
                tree = explore(partial(symbols_of, path, channel, inputs), limit=4 * PATHS)
            else:
                law, scripts = recovered_law(path, channel, inputs, limit=4 * PATHS)
                tree = Tree(law=law, paths=scripts, missing=1 - sum(law.values(), Fraction(0)))
            trees.append(tree)
            agrees = agrees and _is_declared(tree, channel, inputs)
        known[key] = [tree.law for tree in trees], sum(tree.paths for tree in trees), agrees
    laws, paths, agrees = known[key]
    words = "paths" if followed else "scripts at the corners of every path"
    detail = f"{paths:,} {words}, input to symbol" if agrees else "another law than the declared one"
    return _finding(subject, question, laws, detail, agrees=agrees)


def _is_declared(tree: Tree, channel: Channel, inputs: list[int]) -> bool:
    """Exactly, but for what was not entered (redraws of redraws): it may be missing from any symbol, and is in none.

    Where the cut-off falls between two levels of redraws that is the same part of every symbol; within a level, not.
    """
    declared = report_law(channel, inputs)
    if tree.missing > HIDDEN or set(tree.law) != set(declared):
        return False
    return all(0 <= declared[one] - tree.law[one] <= tree.missing for one in declared)


def _finding(
    subject: Subject, question: Question, laws: list[Law] | None, detail: str, *, agrees: bool = False
) -> Finding:
    declared = exact(question.epsilon)
    ratio = largest_ratio(laws) if laws else None
    measured = None if ratio is None else log_above(ratio)
    within = measured is not None and measured <= declared
    if agrees and not within:
        detail += "; the law itself costs more than was declared"
    return Finding(
        subject=subject.name,
        layer="tree",
        check=f"round {question.round}, {question.role}",
        passed=agrees and within,
        detail=detail,
        declared=float(declared),
        measured=None if laws is None else float("inf") if measured is None else float(measured),
        slack=None if measured is None else float(declared - measured),
    )


_SMALL, _LARGE, _RUNS = 6, 16, 20
"""Bits of numbers that are all tried: in one word, in so many that only some draw all of their bits, in two runs."""


def every_number(subject: str, toss: Toss) -> Finding:
    """Numbers of few bits, each in one lane: a coin is one for exactly those that are at least the threshold."""
    several = {2**place + more for place in range(_LARGE) for more in (-1, 0, 1)} | set(range(77, 2**_LARGE, 6007))
    tried = [(_SMALL, threshold) for threshold in range(1, 2**_SMALL)]
    tried += [(_LARGE, threshold) for threshold in sorted(several) if 0 < threshold < 2**_LARGE]
    tried.append((_RUNS, 345_678))
    problem = ""
    for bits, threshold in tried:
        numbers = np.random.Generator(np.random.PCG64(threshold)).permutation(2**bits).astype(np.uint64)
        tape = Tape(BulkScripts(threshold).coins(threshold, numbers, bits=bits).tolist())
        coins = np.unpackbits(toss(threshold, bits, 2**bits // 64, tape).view(np.uint8))
        if (astray := int((coins != (numbers >= threshold)).sum())) or tape.left:
            ends = f"{astray} numbers of {2**bits} go astray, {tape.left} words are left"
            problem = f"{bits} bits, threshold {threshold}: {ends}"
            break
    done = f"{len(tried)} thresholds, each against every number of as many bits, once each"
    return verdict(subject, "tree", "coins, 64 in a word", problem, done)
