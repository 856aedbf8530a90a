"""One vector and its file form: lines `name: value`, an empty line, the payload in hex or, for text, as it is."""

from __future__ import annotations

from dataclasses import dataclass, field

SUCCESS = "success"
_TEXTS = frozenset(("armour", "find", "phrase"))
_FIRST = ("what", "expect", "step", "comment")


@dataclass(frozen=True, slots=True)
class Vector:
    """`expect` is `success` or a reason code; `facts` are what a reader finds in (or needs for) the payload."""

    name: str
    what: str
    expect: str
    step: str
    comment: str
    payload: bytes
    facts: dict[str, str] = field(default_factory=dict)

    def write(self) -> bytes:
        lines = [f"{key}: {getattr(self, key)}" for key in _FIRST]
        lines += [f"{key}: {value}" for key, value in self.facts.items()]
        return "\n".join((*lines, "", "")).encode() + self._body()

    def _body(self) -> bytes:
        if self.what in _TEXTS:
            return self.payload
        text = self.payload.hex()
        return "".join(text[at : at + 96] + "\n" for at in range(0, len(text), 96)).encode()


def read(name: str, raw: bytes) -> Vector:
    head, _, body = raw.partition(b"\n\n")
    fields = dict(line.split(": ", 1) for line in head.decode().split("\n"))
    what, expect, step, comment = (fields.pop(key) for key in _FIRST)
    payload = body if what in _TEXTS else bytes.fromhex(body.decode())
    return Vector(name, what, expect, step, comment, payload, fields)
