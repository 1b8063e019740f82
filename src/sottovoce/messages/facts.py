"""A fact: a code and the numbers that go with it. Sentences are made from facts, in `words`, and nowhere else.

Code compares codes and numbers; nothing looks into a sentence. What a fact says to people stands in the catalogue of
messages under its code. Rooms below `words` cannot reach it: whoever prints a fact gets its sentence by a renderer that
the package puts in (`sottovoce.renderer`).
"""

from __future__ import annotations

import json
from typing import Any, Self

from sottovoce.messages.errors import Malformed
from sottovoce.renderer import rendered

_PLAIN = frozenset((str, int, float, bool, type(None)))


class Fact:
    """A code and named data: ``Fact("bins-then-ends", bins=16)``. Equal facts have equal codes and equal data.

    Data are numbers, texts of the asker (names of columns, labels), booleans, None, other facts, and tuples of these.
    """

    __slots__ = ("_data", "code")

    code: str
    _data: dict[str, Any]

    def __init__(self, code: str, /, **data: Any) -> None:
        object.__setattr__(self, "code", str(code))
        for name, value in data.items():
            if type(value) not in _PLAIN:
                data[name] = _frozen(value)
        object.__setattr__(self, "_data", data)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a fact does not change: {name}")

    @property
    def data(self) -> dict[str, Any]:
        """The data by name; a copy."""
        return dict(self._data)

    def __getitem__(self, name: str) -> Any:
        return self._data[name]

    def __contains__(self, name: object) -> bool:
        return name in self._data

    def mentions(self, name: str) -> bool:
        """Whether it holds data of this name, or a fact inside of it does."""
        inside = [fact for value in self._data.values() for fact in (value if isinstance(value, tuple) else (value,))]
        return name in self._data or any(isinstance(fact, Fact) and fact.mentions(name) for fact in inside)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fact) and (self.code, self._data) == (other.code, other._data)

    def __hash__(self) -> int:
        return hash((self.code, tuple(sorted(self._data))))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.code, self._data)

    def __repr__(self) -> str:
        data = "".join(f", {name}={value!r}" for name, value in self._data.items())
        return f"{type(self).__name__}({self.code!r}{data})"

    def __str__(self) -> str:
        return rendered(self)

    def to_plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"code": self.code, "data": {name: _plain(value) for name, value in self._data.items()}}

    def to_text(self) -> str:
        """As one line of JSON, for where a text is kept."""
        return json.dumps(self.to_plain(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read what `to_text` wrote; a sentence of an earlier form is a fact that holds nothing but the sentence."""
        return cls.from_plain(json.loads(text)) if text[:1] == "{" else cls("as-written", text=text)

    @classmethod
    def from_plain(cls, plain: Any) -> Self:
        """Read what `to_plain` wrote; `Malformed` if it is no fact."""
        if not isinstance(plain, dict) or plain.keys() != {"code", "data"}:
            raise Malformed("a fact has a code and data, and nothing else")
        code, data = plain["code"], plain["data"]
        if not isinstance(code, str) or not isinstance(data, dict):
            raise Malformed("a fact's code is a text, its data are an object")
        return cls(code, **{str(name): _read(value) for name, value in data.items()})


def _rebuild(cls: type[Fact], code: str, data: dict[str, Any]) -> Fact:
    return cls(code, **data)


def _frozen(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return tuple(map(_frozen, value))
    return value.item() if hasattr(value, "item") and not isinstance(value, Fact) else value  # numpy's scalars


def _plain(value: Any) -> Any:
    if isinstance(value, Fact):
        return value.to_plain()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _read(value: Any) -> Any:
    if isinstance(value, dict):
        return Fact.from_plain(value)
    return tuple(map(_read, value)) if isinstance(value, list) else value
