"""The page over all figures, the two pages to print, and what can be tried out on the page."""

from __future__ import annotations

import dataclasses
import itertools
import re
from html.parser import HTMLParser

import pytest

plt = pytest.importorskip("matplotlib.pyplot")

from sottovoce import paper  # noqa: E402  matplotlib may be missing
from sottovoce.paper import plots, report  # noqa: E402
from sottovoce.paper.figure import Judgement, Run, Verdict  # noqa: E402
from sottovoce.paper.report import explorer, pdf, style  # noqa: E402
from sottovoce.theory import REGIMES, notation  # noqa: E402
from tests.support.overlaps import overlaps  # noqa: E402
from tests.support.paper_rows import rows_of  # noqa: E402
from tests.support.sight import contrast  # noqa: E402

QUICK = Run(quick=True)
NAMES = ("regimes", "tables", "ratings")


@pytest.fixture(scope="module")
def outcomes():
    done = [report.outcome(paper.figure_of(name), rows_of(name, ours=False), QUICK) for name in NAMES]
    claim, found = done[0].findings[0]
    tolerant = dataclasses.replace(claim, tolerance="± 0.02, twice the noise of e^{nα²}")
    found = dataclasses.replace(found, verdict=Verdict.DOES_NOT)
    return [dataclasses.replace(done[0], findings=((tolerant, found), *done[0].findings[1:])), *done[1:]]


@pytest.fixture(scope="module")
def folder(outcomes, tmp_path_factory):
    where = tmp_path_factory.mktemp("report")
    report.write(outcomes, where, QUICK)
    return where


@pytest.fixture(scope="module")
def text(folder):
    return (folder / "report.html").read_text(encoding="utf-8")


class Seen(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.crossed = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            self.crossed.append(tag)


def test_the_page_is_well_formed_and_names_its_parts(text):
    page = Seen(text)
    assert page.crossed == [] and page.open == []
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in page.tags:
        for name in attributes.get("aria-labelledby", "").split():
            assert name in ids
        if attributes.get("href", attributes.get("xlink:href", "")).startswith("#"):
            assert attributes.get("href", attributes.get("xlink:href"))[1:] in ids
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert all("scope" in attributes for tag, attributes in page.tags if tag == "th")
    assert ("html", {"lang": "en"}) in page.tags
    assert any(attributes.get("content", "").startswith("width=device-width") for _, attributes in page.tags)
    pictures = [attributes for tag, attributes in page.tags if tag == "svg"]
    assert len(pictures) == 2 * (len(NAMES) - 1) + 2  # wide and narrow, and two maps; the tables are tables
    assert all("aria-labelledby" in attributes for attributes in pictures)


def test_the_page_asks_for_nothing_from_elsewhere(text):
    addresses = set(re.findall(r"https?://[^\"'\s<>]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "src=" not in text and "@import" not in text and "url(http" not in text


def test_the_top_counts_the_verdicts_and_says_what_quick_means(text, outcomes):
    top = text[: text.index("<section")]
    found = [judged.verdict for done in outcomes for claim, judged in done.findings if not claim.borrowed]
    assert "Not counted: 4 sentences on other data." in top
    assert f"<b>{len(found)} claims:</b>" in top
    for verdict in Verdict:
        assert re.search(rf"<b>{found.count(verdict)}</b>[^<]*<span[^>]*>.</span> {verdict.value}", top)
    assert "fewer repetitions" in top
    for _, judged in (finding for done in outcomes for finding in done.findings):
        assert f"</span> {judged.verdict.value}</td>" in text  # words and signs before they are colours
    for name in NAMES:
        assert f'href="#{name}"' in top


def test_a_tolerance_and_formulas_are_set(text):
    assert "<b>Tolerance:</b> ± 0.02, twice the noise of e<sup>nα²</sup>" in text
    shown = re.sub(r"<style.*?</style>|<script.*?</script>", "", text, flags=re.DOTALL)
    assert "^{" not in shown and "\\math" not in shown
    assert "(nTα²)<sup>−2β/(2β+2)</sup>" in shown


@pytest.mark.parametrize("scheme", ["_LIGHT", "_DARK"])
def test_words_and_series_stand_out_from_the_page(scheme):
    colours = dict(part.split(":") for part in getattr(style, scheme).replace("--", "").split(";"))
    for name in ("ink", "grey", "link", "good", "bad", "open"):
        assert contrast(colours[name], colours["paper"]) >= 4.5, name
    assert contrast(colours["grey"], colours["soft"]) >= 4.5
    assert all(contrast(colours["ink"], colours[f"r{k}"]) >= 4.5 for k in range(4))
    assert all(contrast(colour, colours["paper"]) >= 3 for colour in plots.PALETTE[:4])
    assert contrast("#777777", "#888888") < 4.5  # can fail


def test_there_are_two_pages_to_print_with_text_of_six_points_and_more(folder, outcomes):
    printed = (folder / "report.pdf").read_bytes()
    assert len(re.findall(rb"/Type /Page\b", printed)) == 2
    assert b"/ToUnicode" in printed or b"/CIDToGIDMap" in printed  # letters, not outlines
    with plt.rc_context(plots.STYLE | pdf._SMALL):
        for sheet in (pdf._verdicts(plt, outcomes, QUICK), pdf._pictures(plt, outcomes)):
            sheet.canvas.draw()
            words = [part for part in sheet.findobj(plt.Text) if part.get_text().strip() and part.get_visible()]
            assert len(words) > 20
            assert min(part.get_fontsize() for part in words) >= pdf.SMALLEST
            assert overlaps(sheet, slack=1.0) == []  # the fonts are in the file
            plt.close(sheet)


def printed_claims(times):
    """The words of the first page with every claim of the paper on it, some times over."""
    done = []
    for figure in map(paper.figure_of, paper.names()):
        findings = tuple((claim, Judgement(verdict=claim.expected, seen="")) for claim in figure.claims) * times
        done.append(report.Outcome(figure=figure, rows=[], findings=findings, moved=None))
    with plt.rc_context(plots.STYLE | pdf._SMALL):
        sheet = pdf._verdicts(plt, done, QUICK)
        sheet.canvas.draw()
        boxes = [(part.get_text(), part.get_window_extent()) for part in sheet.texts]
    plt.close(sheet)
    return boxes


def test_all_claims_of_the_paper_fit_on_the_printed_page():
    boxes = printed_claims(1)
    assert not any("the rest is in" in words for words, _ in boxes)
    assert min(box.y0 for words, box in boxes if words) > 20
    columns = [box for words, box in boxes[2:] if words]
    middle = min(box.x0 for box in columns if box.x0 > 300)
    assert max(box.x1 for box in columns if box.x0 < 300) < middle
    assert any("the rest is in report.html" in words for words, _ in printed_claims(2))


def test_without_a_script_a_picture_and_a_sentence_remain(text):
    still = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert still.count('class="dot"') == 2
    assert "Observations help until about T =" in still
    assert "δ buys nothing up to about 1.4·10⁻⁴" in still
    assert re.search(r'<form id="regime-form" hidden>', still)
    source = re.findall(r"<script>(.*)</script>", explorer.script(), flags=re.DOTALL)[0]
    assert len(source.encode()) < 8000  # a small one


def test_the_sentence_of_a_collection_names_its_regime():
    for panel in ("l2", "sparse"):
        said = explorer.words(panel, 2, 2, 0.5, 10**6)
        assert said.startswith(f"both impossible: {REGIMES['both impossible']}")


@pytest.mark.parametrize(
    ("written", "html", "mathtext", "plain"),
    [
        ("T = e^{nα²/d}", "T = e<sup>nα²/d</sup>", r"T = e$^{\mathdefault{nα²/d}}$", "T = exp(nα²/d)"),
        ("(nα²)^{−2β}", "(nα²)<sup>−2β</sup>", r"(nα²)$^{\mathdefault{−2β}}$", "(nα²)^(−2β)"),
        ("x^(2β+1)", "x<sup>2β+1</sup>", r"x$^{\mathdefault{2β+1}}$", "x^(2β+1)"),
        ("T^0.95…T^1.03", "T<sup>0.95</sup>…T<sup>1.03</sup>",
         r"T$^{\mathdefault{0.95}}$…T$^{\mathdefault{1.03}}$", "T^0.95…T^1.03"),
        ("n·T*^½", "n·T*<sup>½</sup>", r"n·T*$^{\mathdefault{½}}$", "n·T*^½"),
        ("C_α < 1", "C<sub>α</sub> &lt; 1", r"C$_{\mathdefault{α}}$ < 1", "C_α < 1"),
        ("officer_id_hash {1, 2}", "officer_id_hash {1, 2}", "officer_id_hash {1, 2}", "officer_id_hash {1, 2}"),
    ],
)  # fmt: skip
def test_formulas_are_set_for_a_page_a_picture_and_a_line(written, html, mathtext, plain):
    assert (notation.html(written), notation.mathtext(written), notation.plain(written)) == (html, mathtext, plain)
