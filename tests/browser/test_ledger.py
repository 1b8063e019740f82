"""The ledger of a browser, in a real one: two tabs, ended tabs, caps, cleared storage, other hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sottovoce.messages import limits
from tests.browser.devices import Pages, pages, result, run, start
from tests.service.scripted import mean_manifest, scripted
from tests.support.browser import Browser

LOAD = """
globalThis.told = (more) => ({ collector: "c", survey: "s", source: "r", question: "q", slot: 3, ...more });
globalThis.load = async (cap = 4, name) => {
  const [{ Ledger, asked }, { text, exact, asNumber }] = await Promise.all([
    import("/web/device/ledger.js"), import("/web/device/exact.js")]);
  Object.assign(globalThis, { asked, text, exact, asNumber });
  globalThis.made = 0;
  const ledger = await Ledger.open({ cap, name });
  ledger.say = async (more = {}) => {
    const random = () => crypto.getRandomValues(new Uint8Array(16));
    const make = () => { globalThis.made += 1; return random(); };
    return (await ledger.answer(told({ epsilon: exact(1), make, ...more }))).toHex();
  };
  return ledger;
};
Uint8Array.prototype.toHex ??= function () {
  return [...this].map((one) => one.toString(16).padStart(2, "0")).join(""); };
"""
RAISED = """await new Promise((done) => {
  const request = indexedDB.open('sottovoce', VERSION);
  request.onsuccess = () => { request.result.close(); done(); }; });"""
"""Opens the database without making its stores."""


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with scripted(mean_manifest()) as made:
        yield made.base


@pytest.fixture
def tabs(browser: Browser, base: str) -> Iterator[Pages]:
    with pages(browser, base) as made:
        yield made


@pytest.fixture
def tab(tabs: Pages) -> Any:
    return tabs.tab(LOAD)


def test_a_retry_gives_the_stored_bytes(tab: Any) -> None:
    first, again, made, spent = run(
        tab,
        "const ledger = await load();"
        "return [await ledger.say(), await ledger.say(), globalThis.made, text(await ledger.spent('r'))];",
    )
    assert first == again and made == 1 and spent == "1/1"
    tab.reload()
    assert run(tab, "const ledger = await load(); return [await ledger.say(), globalThis.made];") == [first, 0]


@pytest.mark.parametrize(
    "more, code",
    [
        ({"question": "other"}, "already-answered"),
        ({"slot": 4}, "already-answered"),
        ({"source": "other"}, "already-answered"),
        ({"survey": "t"}, "over-budget"),
        ({"survey": "t", "source": "other"}, None),
        ({"survey": "t", "collector": "d"}, "over-budget"),
    ],
)
def test_one_answer_for_a_survey_and_a_cap_for_a_source(more: Any, code: str | None, tab: Any) -> None:
    said, made, spent = run(
        tab,
        "const ledger = await load(1.5); await ledger.say();"
        "const said = await ledger.say(told).catch((error) => error.code);"
        "return [said, globalThis.made, text(await ledger.spent('r'))];",
        more,
    )
    assert (said == code and made == 1) if code else (len(said) == 32 and made == 2)
    assert spent == "1/1", "what is declined costs nothing, and no noise was drawn"


def test_ten_times_a_tenth_is_one(tab: Any) -> None:
    """Exact fractions: the tenth answer fits, the eleventh does not; neither does the smallest number."""
    codes = run(
        tab,
        "const ledger = await load(1); const seen = [];"
        "for (let k = 0; k < 11; k += 1) {"
        "  seen.push(await ledger.say({ survey: String(k), epsilon: exact(0.1) }).catch((error) => error.code)); }"
        "seen.push(await ledger.say({ survey: 'x', epsilon: { n: 1n, d: 10n ** 60n } }).catch((error) => error.code));"
        "return [...seen, text(await ledger.spent('r'))];",
    )
    assert all(len(said) == 32 for said in codes[:10]) and codes[10:] == ["over-budget", "over-budget", "1/1"]


def test_a_full_ledger(tab: Any) -> None:
    """Totals as after so many answers, since 65,536 would take a while."""
    for change in ({"answers": limits.MAX_LEDGER_ANSWERS}, {"bytes": limits.MAX_LEDGER_BYTES - 2**16 + 1}):
        said = run(
            tab,
            "const ledger = await load(1e9); await ledger.say().catch(() => {});"
            "await ledger.transaction(['total'], 'readwrite', async (stores) => {"
            "  const row = await asked(stores('total').get('r')); stores('total').put({ ...row, ...told }); });"
            "return ledger.say({ survey: 'another' });",
            change,
        )
        assert said == "ledger-full"
        run(tab, "await new Promise((done) => { indexedDB.deleteDatabase('sottovoce').onsuccess = done; });")
    found = run(tab, "return { ...(await import('/web/device/ledger.js')) };")
    assert (found["MAX_LEDGER_ANSWERS"], found["MAX_LEDGER_BYTES"]) == (
        limits.MAX_LEDGER_ANSWERS,
        limits.MAX_LEDGER_BYTES,
    )


def two_tabs(tabs: Pages, *, script: str = "", cap: int = 4) -> list[Any]:
    """Each with the ledger open."""
    two = [tabs.tab(script + LOAD), tabs.tab(script + LOAD)]
    for page in two:
        run(page, "globalThis.ledger = await load(told); return 0;", cap)
    return two


def test_two_tabs_give_one_report(tabs: Pages) -> None:
    two = two_tabs(tabs)
    for number in range(20):
        for page in two:
            start(
                page, "return [await ledger.say({ survey: told, epsilon: exact(0.1) }), globalThis.made];", str(number)
            )
        said = [result(page) for page in two]
        assert said[0][0] == said[1][0] and said[0][1] + said[1][1] == number + 1


def test_two_tabs_cannot_both_spend_the_last_of_a_budget(tabs: Pages) -> None:
    two = two_tabs(tabs, cap=1)
    for name, page in zip("ab", two, strict=True):
        start(page, "return ledger.say({ survey: told });", name)
    said = sorted(result(page) for page in two)
    assert "over-budget" in said and len(min(said, key=len)) < 32


def test_two_tabs_without_a_lock_that_holds_still_give_one_report(tabs: Pages) -> None:
    lax = "Object.defineProperty(navigator, 'locks', { value: { request: async (...all) => all.at(-1)() } });"
    two = two_tabs(tabs, script=lax)
    for number in range(10):
        for page in two:
            start(page, "return ledger.say({ survey: told, epsilon: exact(0.1) });", str(number))
        assert len({result(page) for page in two}) == 1


@pytest.mark.parametrize("when", ["ordered", "stored"])
def test_a_tab_that_ends_midway(when: str, tabs: Pages) -> None:
    """Before the row is complete there is none; afterwards the same bytes come again."""
    page = tabs.tab(LOAD)
    hold = {
        "ordered": "await ledger.say({ beside: async (stores) => { globalThis.held = true;"
        "  for (;;) await asked(stores('beside').getAll()); } })",
        "stored": "globalThis.bytes = await ledger.say(); globalThis.held = true; await new Promise(() => {})",
    }[when]
    start(page, f"const ledger = await load(); {hold}; return 0;")
    page.wait_for_function("globalThis.held")
    stored = page.evaluate("globalThis.bytes ?? null")
    page.close()
    said, made = run(tabs.tab(LOAD), "const ledger = await load(); return [await ledger.say(), globalThis.made];")
    assert (said == stored and made == 0) if when == "stored" else made == 1


@pytest.mark.parametrize(
    "fault", ["throw new Error('x')", "return [1, 2]", "return Promise.resolve(new Uint8Array(2))"]
)
def test_what_fails_leaves_the_ledger_as_it_was(fault: str, tab: Any) -> None:
    for place in ("make", "beside"):
        body = fault if place == "make" else "stores('beside').put({ kind: 'x' })"
        said = run(
            tab,
            f"const ledger = await load(); const broken = {{ {place}: (stores) => {{ {body} }} }};"
            "const said = await ledger.say(broken).catch((error) => error.code);"
            "return [said, text(await ledger.spent('r')), (await (await load()).spent('r')).n === 0n];",
        )
        assert said == ["ledger-unavailable", "0/1", True]


def test_what_a_client_notes_beside_lasts_with_the_answer(tab: Any) -> None:
    note = "beside: (stores) => { stores('beside').put({ kind: 'k', name: 'n', seen: 1 }); }"
    read = "ledger.transaction(['beside'], 'readonly', (stores) => asked(stores('beside').get(['k', 'n'])))"
    assert run(
        tab,
        f"const ledger = await load(0.5); const said = await ledger.say({{ {note} }}).catch((error) => error.code);"
        f"return [said, await {read} ?? null];",
    ) == ["over-budget", None]
    found = run(tab, f"const ledger = await load(); await ledger.say({{ {note} }}); return {read};")
    assert found == {"kind": "k", "name": "n", "seen": 1}


def test_cleared_storage_while_the_page_is_open(tab: Any) -> None:
    clear = "await new Promise((done) => { indexedDB.deleteDatabase('sottovoce').onsuccess = done; });"
    said = run(
        tab,
        f"const ledger = await load(); await ledger.say(); {clear}"
        "const said = [await ledger.say().catch((error) => error.code),"
        "  await ledger.spent('r').catch((error) => error.code)];"
        "return [...said, text(await (await load()).spent('r'))];",
    )
    assert said == ["ledger-unavailable", "ledger-unavailable", "0/1"], "the page that was open does not begin anew"


def test_a_browser_that_clears_an_origin(tabs: Pages, tab: Any) -> None:
    run(tab, "globalThis.ledger = await load(); await ledger.say(); return 0;")
    session = tabs.context.new_cdp_session(tab)
    session.send("Storage.clearDataForOrigin", {"origin": tabs.base, "storageTypes": "all"})
    assert run(tab, "return ledger.say({ survey: 'other' });") == "ledger-unavailable"


@pytest.mark.parametrize(
    "missing",
    [
        "Object.defineProperty(globalThis, 'indexedDB', { value: undefined });",
        "IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError'); };",
        "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });",
        "LockManager.prototype.request = () => Promise.reject(new DOMException('', 'SecurityError'));",
        "Object.defineProperty(IDBTransaction.prototype, 'durability', { value: undefined });",
        "Object.defineProperty(IDBTransaction.prototype, 'durability', { value: 'relaxed' });",
    ],
)
def test_a_browser_without(missing: str, tabs: Pages) -> None:
    assert run(tabs.tab(missing + LOAD), "await load(); return 'opened';") == "ledger-unavailable"


def test_no_room_is_no_answer(tabs: Pages, tab: Any) -> None:
    run(tab, "globalThis.ledger = await load(); return 0;")
    session = tabs.context.new_cdp_session(tab)
    session.send("Storage.overrideQuotaForOrigin", {"origin": tabs.base, "quotaSize": 1})
    big = "make: () => crypto.getRandomValues(new Uint8Array(60000))"
    assert run(tab, f"return ledger.say({{ {big} }});") == "ledger-unavailable"
    session.send("Storage.overrideQuotaForOrigin", {"origin": tabs.base})
    assert run(tab, f"return [text(await ledger.spent('r')), (await ledger.say({{ {big} }})).length];") == [
        "0/1",
        120000,
    ]


def test_an_opening_that_is_blocked(tab: Any) -> None:
    """A connection that does not make way, to a database that another page wants to replace."""
    said = run(
        tab,
        "const open = indexedDB.open.bind(indexedDB);"
        "const request = open('sottovoce', 1);"
        "const held = await new Promise((done) => { request.onsuccess = () => done(request.result); });"
        "indexedDB.open = (name) => open(name, 2);"
        "const said = await load().catch((error) => [error.code, error.message]); held.close(); return said;",
    )
    assert said[0] == "ledger-unavailable" and "BlockedError" in said[1]


def test_a_ledger_of_a_later_version(tab: Any) -> None:
    run(tab, "const ledger = await load(); await ledger.say(); ledger.close(); return 0;")
    raised = RAISED.replace("VERSION", "2")
    assert run(tab, f"{raised} await load(); return 'opened';") == "ledger-unavailable"


def test_a_later_version_elsewhere_ends_this_one(tabs: Pages, tab: Any) -> None:
    run(tab, "globalThis.ledger = await load(); return 0;")
    other = tabs.tab()
    run(other, "await new Promise((done) => { indexedDB.open('sottovoce', 2).onsuccess = done; }); return 0;")
    assert run(tab, "return ledger.say();") == "ledger-unavailable"


def test_something_else_of_the_same_name(tab: Any) -> None:
    made = RAISED.replace("VERSION", "1")
    assert run(tab, f"{made} await load(); return 'opened';") == "ledger-unavailable"


@pytest.mark.parametrize(
    "hand",
    [
        "stores('answer').clear()",
        "stores('total').clear()",
        "stores('answer').delete(['c', 's'])",
        "stores('answer').put({ ...row, survey: 'x' })",
        "stores('answer').put({ ...row, epsilon: '1/2' })",
        "stores('answer').put({ ...row, epsilon: '-1/1' })",
        "stores('answer').put({ ...row, epsilon: 'x' })",
        "stores('answer').put({ ...row, source: 'x' })",
        "stores('answer').put({ ...row, report: 'x' })",
        "stores('answer').put({ ...row, report: new Uint8Array(1) })",
        "stores('total').put({ ...total, epsilon: '1/2' })",
        "stores('total').put({ ...total, epsilon: '2/2' })",
        "stores('total').put({ ...total, answers: 0 })",
        "stores('total').put({ ...total, bytes: 0 })",
        "stores('total').put({ ...total, source: 'x' })",
    ],
)
def test_other_hands(hand: str, tab: Any) -> None:
    said = run(
        tab,
        "const ledger = await load(); await ledger.say(); await load();"
        "await ledger.transaction(['answer', 'total'], 'readwrite', async (stores) => {"
        "  const row = await asked(stores('answer').get(['c', 's'])), total = await asked(stores('total').get('r'));"
        f"  await asked({hand}); }});"
        "await load(); return 'opened';",
    )
    assert said == "ledger-unavailable"


def test_many_answers_of_several_sources_are_added_up(tab: Any) -> None:
    said = run(
        tab,
        "const ledger = await load(1e3); const sources = ['b', 'a', '\\u{1F600}', '\\uFFFD', ''];"
        "for (let k = 0; k < 300; k += 1) await ledger.say({"
        "  survey: String(k), source: sources[k % 5], epsilon: exact((k + 1) / 1000) });"
        "const again = await load(1e3);"
        "return Promise.all(sources.map(async (source) => text(await again.spent(source))));",
    )
    assert said[:2] == ["891/100", "897/100"] and len(said) == 5


def test_whether_the_browser_keeps_it_is_told(tabs: Pages) -> None:
    for reply, told in (("async () => true", True), ("async () => false", False), ("async () => { throw 1; }", False)):
        page = tabs.tab(f"StorageManager.prototype.persist = {reply};" + LOAD)
        assert run(page, "return (await load()).persistent;") is told
    page = tabs.tab("Object.defineProperty(Navigator.prototype, 'storage', { value: undefined });" + LOAD)
    assert run(page, "return (await load()).persistent;") is False
    page = tabs.tab("StorageManager.prototype.persist = () => new Promise(() => {});" + LOAD)
    assert run(page, "return (await (await load()).say()).length;") == 32, "who is asked may take their time"


@pytest.mark.parametrize("cap", ["0", "-1", "NaN", "Infinity", "undefined", "'x'"])
def test_a_cap_is_a_positive_number(cap: str, tab: Any) -> None:
    said = run(tab, f"const {{ Ledger }} = await import('/web/device/ledger.js');"
               f"return Ledger.open({{ cap: {cap} }}).then(() => 'opened', (error) => error.name);")  # fmt: skip
    assert said == "RangeError"


def test_ledgers_have_names(tab: Any) -> None:
    said = run(tab, "const [a, b] = [await load(1), await load(1, 'other')]; const one = await a.say();"
               "return [one !== await b.say(), text(await a.spent('r')), text(await b.spent('r'))];")  # fmt: skip
    assert said == [True, "1/1", "1/1"]
