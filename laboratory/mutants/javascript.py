"""Mistakes in the device of a browser: the shipped modules, with a few words put in place of others.

Each change is made in a copy of the source, in a folder of its own, and the words that give way must stand there
exactly once: a mutant that no longer fits the source is an error, not one mutant fewer.
"""

from __future__ import annotations

from collections.abc import Callable

from laboratory.mutants.mutant import Mutant
from sottovoce.audit.device_paths import Subject
from sottovoce.audit.javascript import Change, JavaScript, missing
from sottovoce.audit.questions import every_statistic, large_instances, small_instances
from sottovoce.audit.targets import BrowserSource, Refusals, Target

Build = Callable[[str, float], Target]


def _asked(*roles: str, by: Change) -> Build:
    """Questions that are right, answered by a device that is not; it can be loaded, or it is no mutant."""

    def build(name: str, epsilon: float) -> Target:
        every = (*small_instances(epsilon), *large_instances(epsilon), *every_statistic(epsilon))
        questions = tuple(question for question in every if question.role in roles)
        assert len(questions) == len(roles), "every question that is named is there"
        most = max(question.epsilon for question in questions)
        return Subject(name=name, epsilon=most, questions=questions, path=_loaded(by), sampled=False)

    return build


def _hostile(by: Change) -> Build:
    """Questions that must be declined."""
    return lambda name, epsilon: Refusals(name=name, path=_loaded(by))


def _drawn(by: Change) -> Build:
    """The source of words alone, and through a device."""
    return lambda name, epsilon: BrowserSource(name=name, path=_loaded(by))


def _loaded(by: Change) -> JavaScript:
    path = JavaScript([by])
    path.words([], b"")
    return path


def _sampler(old: str, new: str) -> Change:
    return Change(file="privatise.js", old=old, new=new)


def _entropy(fill: str) -> Change:
    """Another way to fill a view with words."""
    return Change(file="entropy.js", old="crypto.getRandomValues(", new=f"((view) => {fill})(")


def _examined(old: str, new: str) -> Change:
    return Change(file="respond.js", old=old, new=new)


def _mutant(name: str, mistake: str, layer: str, build: Build, *, epsilon: float = 1.0) -> Mutant:
    return Mutant(name=f"js: {name}", mistake=mistake, layer=layer, build=build, epsilon=epsilon, unavailable=missing)


_FLIPS = "entropy.words(inputs.length * items)"
_BELOW = "(words[use] << 64n) + words[count + use] < digit"
_FRACTION = "BigInt(input % 2 ** 32) << 32n"

JAVASCRIPT = (
    # the price, and what is declined
    _mutant("ε from the question", "what is declared is believed", "exact",
            _hostile(_examined("epsilonBound(question)", "exact(question.epsilon)"))),
    _mutant("logarithm rounded down", "ε is too small in its 70th digit", "exact",
            _asked("one bit", by=Change(file="exact.js", old="logUnits(n, d)[1]",
                                        new="(logUnits(n, d)[0] - 2n ** 20n)"))),
    _mutant("uses for free", "the price of one answer for several", "exact",
            _asked("two uses", by=_examined("epsilonBound(question)", "epsilonBound({ ...question, uses: 1 })"))),
    _mutant("slots unchecked", "whoever is not asked answers as well", "exact",
            _hostile(_examined("slot >= first + count", "false"))),
    _mutant("manifest unread", "what was not announced is answered", "exact",
            _hostile(_examined("manifest && (await departure(", "null && (await departure("))),
    _mutant("definition unread", "what a device computes is not held against the manifest", "exact",
            _hostile(Change(file="manifest.js", old="known.get(key) === way.definition", new="true"))),
    _mutant("any table", "tables that were not announced are answered", "exact",
            _hostile(Change(file="manifest.js", old="!table ||", new="true ||"))),
    _mutant("subset one way", "a subset that leaves the own item out costs less than nothing", "exact",
            _hostile(Change(file="channels.js", old="inside > outside ?", new="inside > 0n ?"))),
    _mutant("missing clamp", "what lies outside the range is not clamped, and fails", "exact",
            _asked("one bit", by=Change(file="sums.js",
                                        old="clamp(number, low[group], high[group])", new="number"))),
    _mutant("talkative size", "reports grow with the collection", "exact",
            _asked("one bit", by=Change(file="respond.js", old="{ payload,",
                                        new='{ payload: payload + "00".repeat(observations.rows ?? 0),'))),
    _mutant("silent outside its group", "who has nothing in the group that was dealt does not answer", "exact",
            _asked("group dealt, nothing last",
                   by=Change(file="statistics.js", old="there[group] = -0;",
                             new="there[group] = -0; if (!index.includes(group)) throw new Error();"))),
    # samplers that small channels show
    _mutant("thresholds as numbers", "53 bits of a word and its threshold are compared", "tree",
            _asked("unary", by=_sampler("word >= threshold", "Number(word) >= Number(threshold)"))),
    _mutant("one bit never flipped", "the first bit of a vote is sent as it is", "tree",
            _asked("unary", by=_sampler("word >= threshold", "item > 0 && word >= threshold"))),
    _mutant("≤ for <", "one word in 2^64 goes astray", "tree",
            _asked("unary", by=_sampler("word >= threshold", "word > threshold"))),
    _mutant("halves swapped", "128-bit thresholds are compared lower half first", "tree",
            _asked("laplace", by=_sampler(_BELOW, "(words[count + use] << 64n) + words[use] < digit"))),
    _mutant("upper halves only", "128-bit thresholds are compared by their upper halves", "tree",
            _asked("laplace", by=_sampler(_BELOW, "words[use] < digit >> 64n"))),
    _mutant("no clamp of the report", "the rarest noise shows the digits' end", "tree",
            _asked("laplace", by=_sampler("steps + Number(bound)", "Infinity"))),
    _mutant("same geometric twice", "the noise is zero", "tree",
            _asked("laplace", by=_sampler("- less[use]", "- more[use]"))),
    _mutant("remainder for a redraw", "words of the last incomplete block are kept", "tree",
            _asked("subset, redrawn", by=_sampler("2n ** 64n - (2n ** 64n % limit)", "2n ** 64n"))),
    _mutant("own item always there", "the own item is in every subset", "tree",
            _asked("subset", by=_sampler("bit(words[use] < threshold)", "bit(words[use] < 2n ** 64n)"))),
    _mutant("last sum dropped", "the last symbol is never sent", "tree",
            _asked("k-ary", by=_sampler("of row)", "of row.subarray(0, -1))"))),
    _mutant("fraction dropped", "a position between two nodes is the lower one", "tree",
            _asked("one bit", by=_sampler(_FRACTION, "0n"))),
    _mutant("fraction of 31 bits", "the lowest bit between two nodes is lost", "tree",
            _asked("one bit", by=_sampler(_FRACTION, "BigInt(input % 2 ** 32) >> 1n << 33n"))),
    _mutant("uses share words", "the second answer repeats the first one's noise", "tree",
            _asked("two uses", by=_sampler("bit(words[use] >= limit)", "bit(words[0] >= limit)"))),
    # samplers that only large channels show
    _mutant("noise repeated after 64 bits", "the words of 64 bits for all", "sampler",
            _asked("unary 65", "unary 129",
                   by=_sampler(_FLIPS, f"{_FLIPS}.map((_, at, all) => all[at - (at % items) + ((at % items) % 64)])"))),
    _mutant("32-bit digits", "digits beyond the 31st are weighed in 32 bits", "sampler",
            _asked("laplace at 0.0001", by=_sampler("* 2 ** place", "* (1 << place)")), epsilon=0.1),
    _mutant("digits cut", "no more than 32 digits are drawn", "sampler",
            _asked("laplace at 0.0001", by=_sampler("digits.forEach(", "digits.slice(0, 32).forEach(")), epsilon=0.1),
    _mutant("votes share words", "every answer of a user has the same flips", "sampler",
            _asked("unary 65, two uses", by=_sampler(_FLIPS, f"{_FLIPS}.map((_, at, all) => all[at % items])"))),
    # lots of the encoder
    _mutant("word for nothing only", "a word that places nothing is drawn only where there is nothing", "sampler",
            _asked("nothing at random", "group drawn, category",
                   by=Change(file="encode.js", old='empty === "random" &&',
                             new='empty === "random" && numbers.some((one) => one !== one) &&'))),
    _mutant("word for several groups only", "a group is drawn only by who is in several", "sampler",
            _asked("group drawn", by=Change(file="statistics.js", old="if (stride) {",
                                            new="if (stride && held.reduce((sum, one) => sum + one, 0) < 2) "
                                                "groups = [(held.indexOf(1) + count + 2) % (count + 2)]; "
                                                "else if (stride) {"))),
    # the source of words
    _mutant("Math.random", "noise from a generator that can be guessed", "entropy",
            _drawn(_entropy("view.forEach((_, at) => (view[at] = BigInt(Math.floor(Math.random() * 2 ** 53))))"))),
    _mutant("32 bits of 64", "the upper half of every word is zero", "entropy",
            _drawn(_entropy("view.set([...crypto.getRandomValues(new Uint32Array(view.length))].map(BigInt))"))),
    _mutant("short view", "the last word of every full call stays zero", "entropy",
            _drawn(_entropy("crypto.getRandomValues(view.subarray(0, 8191))"))),
    _mutant("one call for all", "more is asked for than a browser gives", "entropy",
            _drawn(_entropy("view.byteOffset || crypto.getRandomValues(new BigUint64Array(view.buffer))"))),
    _mutant("pool", "bytes are kept for the next call", "entropy",
            _drawn(_entropy("view.set((globalThis.pool ??= crypto.getRandomValues(new BigUint64Array(8192)))"
                            ".subarray(0, view.length))"))),
)  # fmt: skip
