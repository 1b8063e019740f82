"""Mistakes in the device of a browser: the shipped modules, with a few words put in place of others.

Each change is made in a copy of the source, in a folder of its own, and the words that give way must stand there
exactly once: a mutant that no longer fits the source is an error, not one mutant fewer.
"""

from __future__ import annotations

from laboratory.mutants.mutant import Mutant
from sottovoce.audit import BrowserSource, Refusals, Subject, Target, every_statistic, large_instances, small_instances
from sottovoce.audit.javascript import Change, JavaScript, missing


def _mutant(
    name: str,
    mistake: str,
    layer: str,
    asked: type[Refusals | BrowserSource] | str | tuple[str, ...],
    file: str,
    old: str,
    new: str,
    *,
    epsilon: float = 1.0,
) -> Mutant:
    """A device of which `old` words of a file give way to `new` ones, asked what must be declined, or some roles."""

    def build(name: str, epsilon: float) -> Target:
        path = JavaScript([Change(file=file, old=old, new=new)])
        path.words([], b"")  # it can be loaded, or it is no mutant
        if isinstance(asked, type):
            return asked(name=name, path=path)
        roles = (asked,) if isinstance(asked, str) else asked
        every = (*small_instances(epsilon), *large_instances(epsilon), *every_statistic(epsilon))
        questions = tuple(question for question in every if question.role in roles)
        assert len(questions) == len(roles), "every question that is named is there"
        most = max(question.epsilon for question in questions)
        return Subject(name=name, epsilon=most, questions=questions, path=path, sampled=False)

    return Mutant(f"js: {name}", mistake, layer, build, epsilon, missing)


def _filled(name: str, mistake: str, fill: str) -> Mutant:
    """Another way to fill a view with words."""
    return _mutant(
        name, mistake, "entropy", BrowserSource, "entropy.js", "crypto.getRandomValues(", f"((view) => {fill})("
    )


_FLIPS = "entropy.words(inputs.length * items)"
_BELOW = "(words[use] << 64n) + words[count + use] < digit"
_FRACTION = "BigInt(input % 2 ** 32) << 32n"

JAVASCRIPT = (
    # the price, and what is declined
    _mutant("ε from the question", "what is declared is believed", "exact", Refusals,
            "respond.js", "epsilonBound(question)", "exact(question.epsilon)"),
    _mutant("logarithm rounded down", "ε is too small in its 70th digit", "exact", "one bit",
            "exact.js", "logUnits(n, d)[1]", "(logUnits(n, d)[0] - 2n ** 20n)"),
    _mutant("uses for free", "the price of one answer for several", "exact", "two uses",
            "respond.js", "epsilonBound(question)", "epsilonBound({ ...question, uses: 1 })"),
    _mutant("slots unchecked", "whoever is not asked answers as well", "exact", Refusals,
            "respond.js", "slot >= first + count", "false"),
    _mutant("manifest unread", "what was not announced is answered", "exact", Refusals,
            "respond.js", "manifest && (await departure(", "null && (await departure("),
    _mutant("definition unread", "what a device computes is not held against the manifest", "exact", Refusals,
            "manifest.js", "known.get(key) === way.definition", "true"),
    _mutant("any table", "tables that were not announced are answered", "exact", Refusals,
            "manifest.js", "!table ||", "true ||"),
    _mutant("subset one way", "a subset that leaves the own item out costs less than nothing", "exact", Refusals,
            "channels.js", "inside > outside ?", "inside > 0n ?"),
    _mutant("missing clamp", "what lies outside the range is not clamped, and fails", "exact", "one bit",
            "sums.js", "clamp(number, low[group], high[group])", "number"),
    _mutant("talkative size", "reports grow with the collection", "exact", "one bit",
            "respond.js", "{ payload,", '{ payload: payload + "00".repeat(observations.rows ?? 0),'),
    _mutant("silent outside its group", "who has nothing in the group that was dealt does not answer", "exact",
            "group dealt, nothing last", "statistics.js", "there[group] = -0;",
            "there[group] = -0; if (!index.includes(group)) throw new Error();"),
    # samplers that small channels show
    _mutant("thresholds as numbers", "53 bits of a word and its threshold are compared", "tree", "unary",
            "privatise.js", "word >= threshold", "Number(word) >= Number(threshold)"),
    _mutant("one bit never flipped", "the first bit of a vote is sent as it is", "tree", "unary",
            "privatise.js", "word >= threshold", "item > 0 && word >= threshold"),
    _mutant("≤ for <", "one word in 2^64 goes astray", "tree", "unary",
            "privatise.js", "word >= threshold", "word > threshold"),
    _mutant("halves swapped", "128-bit thresholds are compared lower half first", "tree", "laplace",
            "privatise.js", _BELOW, "(words[count + use] << 64n) + words[use] < digit"),
    _mutant("upper halves only", "128-bit thresholds are compared by their upper halves", "tree", "laplace",
            "privatise.js", _BELOW, "words[use] < digit >> 64n"),
    _mutant("no clamp of the report", "the rarest noise shows the digits' end", "tree", "laplace",
            "privatise.js", "steps + Number(bound)", "Infinity"),
    _mutant("same geometric twice", "the noise is zero", "tree", "laplace",
            "privatise.js", "- less[use]", "- more[use]"),
    _mutant("remainder for a redraw", "words of the last incomplete block are kept", "tree", "subset, redrawn",
            "privatise.js", "2n ** 64n - (2n ** 64n % limit)", "2n ** 64n"),
    _mutant("own item always there", "the own item is in every subset", "tree", "subset",
            "privatise.js", "bit(words[use] < threshold)", "bit(words[use] < 2n ** 64n)"),
    _mutant("last sum dropped", "the last symbol is never sent", "tree", "k-ary",
            "privatise.js", "of row)", "of row.subarray(0, -1))"),
    _mutant("fraction dropped", "a position between two nodes is the lower one", "tree", "one bit",
            "privatise.js", _FRACTION, "0n"),
    _mutant("fraction of 31 bits", "the lowest bit between two nodes is lost", "tree", "one bit",
            "privatise.js", _FRACTION, "BigInt(input % 2 ** 32) >> 1n << 33n"),
    _mutant("uses share words", "the second answer repeats the first one's noise", "tree", "two uses",
            "privatise.js", "bit(words[use] >= limit)", "bit(words[0] >= limit)"),
    # samplers that only large channels show
    _mutant("noise repeated after 64 bits", "the words of 64 bits for all", "sampler", ("unary 65", "unary 129"),
            "privatise.js", _FLIPS, f"{_FLIPS}.map((_, at, all) => all[at - (at % items) + ((at % items) % 64)])"),
    _mutant("32-bit digits", "digits beyond the 31st are weighed in 32 bits", "sampler", "laplace at 0.0001",
            "privatise.js", "* 2 ** place", "* (1 << place)", epsilon=0.1),
    _mutant("digits cut", "no more than 32 digits are drawn", "sampler", "laplace at 0.0001",
            "privatise.js", "digits.forEach(", "digits.slice(0, 32).forEach(", epsilon=0.1),
    _mutant("votes share words", "every answer of a user has the same flips", "sampler", "unary 65, two uses",
            "privatise.js", _FLIPS, f"{_FLIPS}.map((_, at, all) => all[at % items])"),
    # lots of the encoder
    _mutant("word for nothing only", "a word that places nothing is drawn only where there is nothing", "sampler",
            ("nothing at random", "group drawn, category"), "encode.js", 'empty === "random" &&',
            'empty === "random" && numbers.some((one) => one !== one) &&'),
    _mutant("word for several groups only", "a group is drawn only by who is in several", "sampler", "group drawn",
            "statistics.js", "if (stride) {", "if (stride && held.reduce((sum, one) => sum + one, 0) < 2) "
            "groups = [(held.indexOf(1) + count + 2) % (count + 2)]; else if (stride) {"),
    # the source of words
    _filled("Math.random", "noise from a generator that can be guessed",
            "view.forEach((_, at) => (view[at] = BigInt(Math.floor(Math.random() * 2 ** 53))))"),
    _filled("32 bits of 64", "the upper half of every word is zero",
            "view.set([...crypto.getRandomValues(new Uint32Array(view.length))].map(BigInt))"),
    _filled("short view", "the last word of every full call stays zero",
            "crypto.getRandomValues(view.subarray(0, 8191))"),
    _filled("one call for all", "more is asked for than a browser gives",
            "view.byteOffset || crypto.getRandomValues(new BigUint64Array(view.buffer))"),
    _filled("pool", "bytes are kept for the next call",
            "view.set((globalThis.pool ??= crypto.getRandomValues(new BigUint64Array(8192)))"
            ".subarray(0, view.length))"),
)  # fmt: skip
