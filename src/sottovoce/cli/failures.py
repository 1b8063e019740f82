"""What goes wrong, as an exit code and one or two lines: what is wrong, and what to do. Never an observed value."""

from __future__ import annotations

OK, FAULT, USAGE, DECLINED, MISSING, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 3, 4, 130, 141


def described(error: BaseException, *, command: str) -> tuple[int, list[str]]:
    """The exit code and the lines for standard error; `command` is what the user ran, such as ``sotto demo``."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED, ["sotto: interrupted"]
    if type(error).__name__ == "MissingExtra":  # by name: the imports below may be what is missing
        return MISSING, [f"sotto: {error}"]
    if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("sottovoce"):
        return MISSING, [f"sotto: the package {error.name} is missing", "install it, or sottovoce as a whole again"]
    if isinstance(error, MemoryError):
        return USAGE, ["sotto: not enough memory for this", "take fewer users or observations"]

    from sottovoce.messages import Declined, SottovoceError

    if isinstance(error, Declined):
        return DECLINED, [f"sotto: the device declined ({error})", _remedy(error.code, command)]
    if isinstance(error, SottovoceError):
        return USAGE, [f"sotto: {error}", getattr(error, "do", "") or see(command)]
    if isinstance(error, OSError):
        what = error.strerror or type(error).__name__
        return USAGE, [f"sotto: {what}: {error.filename}" if error.filename else f"sotto: {what}", see(command)]
    # The text of an unexpected error may quote data, so only its kind is shown.
    return FAULT, [
        f"sotto: an unexpected {type(error).__name__}, which is a fault of sotto",
        "SOTTO_DEBUG=1 shows where; that output may quote your data, so read it before you share it",
    ]


def see(command: str) -> str:
    """Where the options are explained."""
    return f"see {command} --help"


def _remedy(code: str, command: str) -> str:
    asked = _ASKED_BY_OTHERS.get(code) if command == "sotto answer" else None
    return asked or _REMEDIES.get(code, "nothing was sent")


_ASKED_BY_OTHERS = {
    "over-budget": "nothing was sent; sotto ledger shows what was spent on what, and a higher --cap allows more",
}
_REMEDIES = {
    "over-budget": "nothing was sent; raise --cap or ask with a smaller --epsilon",
    "not-announced": "nothing was sent; the collector does not keep to its own survey: tell the people who run it",
    "wrong-digest": "nothing was sent; what came is not what was announced: tell those who invited you",
    "already-answered": "nothing was sent; sotto ledger shows what this device has said",
    "ledger-full": "nothing was sent; sotto ledger shows what this device has said",
    "ledger-unavailable": "nothing was sent; see that the file can be read and written, or name another with --ledger",
    "too-late": "nothing was sent; with a smaller --spread there may still be time",
}
