"""The one class hierarchy of refusals. Each has a reason code (docs/spec/reasons.md) and a sentence, and names the
author at fault. `Refusal` is raised by everything that judges bytes from outside. Whatever raises it has changed
nothing.
"""

from __future__ import annotations


class PbemError(Exception):
    """Base of every error that pbem raises on purpose."""

    code: str = "E-INTERNAL"
    step: str = ""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __str__(self) -> str:
        return with_code(self.sentence, self.code, self.step)


def with_code(sentence: str, code: str, step: str = "") -> str:
    """A refusal as people read it: the sentence, then the reason code and the step that failed: `[E-FORM, REC-4]`."""
    return f"{sentence} [{code}, {step}]" if step else f"{sentence} [{code}]"


class Refusal(PbemError):  # noqa: N818 (no error of ours)
    """Something from outside was not accepted.

    `code` is one of the reason codes, `step` the step of the specification that failed (`REC-4`), `author` the player
    number whose record it is (None: unknown or nobody's), `record` the id of that record.
    """

    def __init__(
        self,
        code: str,
        sentence: str,
        *,
        step: str = "",
        author: int | None = None,
        record: bytes | None = None,
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.step = step
        self.author = author
        self.record = record

    def of(self, author: int | None, record: bytes | None) -> Refusal:
        """The same refusal, laid at the door of one record where it names none yet."""
        if self.author is None:
            self.author = author
        if self.record is None:
            self.record = record
        return self


class Incomplete(PbemError):  # noqa: N818 (nobody's fault)
    """Records that are cited have not arrived. Never anybody's fault; `missing` are their ids."""

    code = "E-INCOMPLETE"

    def __init__(self, sentence: str, missing: tuple[bytes, ...]) -> None:
        super().__init__(sentence)
        self.missing = missing
