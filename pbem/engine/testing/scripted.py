"""Chance for tests: from a seed, or from a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.engine.need import Draw, Shuffle
from pbem.fairplay import chance
from pbem.protocol.digest import tagged


class Chance:
    """Dice and shuffles that depend on the seed and on the labels only, so that they can be had again."""

    def __init__(self, seed: str = "0") -> None:
        self.seed = seed
        self._key = tagged("pbem-test/chance", seed)
        self._count: dict[str, int] = {}

    def dice(self, draw: Draw) -> tuple[int, ...]:
        return chance.roll(self._key, draw.label, self._next(draw.label), draw.sides, draw.count)

    def deal(self, request: Shuffle, cards: Sequence[int]) -> tuple[int, ...]:
        """The cards of a new epoch in the order of its slots."""
        key = tagged("pbem-test/deck", self._key, request.deck, str(self._next(f"deck/{request.deck}")))
        return tuple(cards[place] for place in chance.permutation(key, len(cards)))

    def below(self, n: int) -> int:
        """0..n-1, for bots and random play."""
        return chance.roll(self._key, "below", self._next("below"), n)[0] - 1 if n > 1 else 0

    def dump(self) -> Mapping[str, int]:
        return dict(self._count)

    def load(self, saved: Mapping[str, int]) -> None:
        self._count = dict(saved)

    def _next(self, label: str) -> int:
        count = self._count.get(label, 0)
        self._count[label] = count + 1
        return count


class ScriptedChance(Chance):
    """Draws by label as the test says: one result, or one for each time the label is drawn. Unscripted labels fail.

    `decks` gives the order of the cards of each new epoch, as far as the test cares; the seed does the rest.
    """

    def __init__(
        self,
        rolls: Mapping[str, int | Sequence[int]],
        decks: Mapping[str, Sequence[Sequence[int]]] | None = None,
        seed: str = "0",
    ) -> None:
        super().__init__(seed)
        self.rolls = {label: (got,) if isinstance(got, int) else tuple(got) for label, got in rolls.items()}
        self._decks = decks or {}

    def dice(self, draw: Draw) -> tuple[int, ...]:
        first = self._next(draw.label) * draw.count
        got = self.rolls.get(draw.label, ())[first : first + draw.count]
        if len(got) != draw.count or not all(1 <= result <= draw.sides for result in got):
            raise AssertionError(f"the script has no {draw.count} x d{draw.sides} for {draw.label}: {got}")
        return got

    def deal(self, request: Shuffle, cards: Sequence[int]) -> tuple[int, ...]:
        orders = self._decks.get(request.deck, ())
        number = self._count.get(f"deck/{request.deck}", 0)
        dealt = super().deal(request, cards)
        first = tuple(orders[number]) if number < len(orders) else ()
        if not set(first) <= set(dealt):
            raise AssertionError(f"the script deals {first} from a deck of {sorted(dealt)}")
        return first + tuple(card for card in dealt if card not in first)

    def unused(self) -> tuple[str, ...]:
        """Scripted labels of which something was not drawn."""
        return tuple(label for label, got in self.rolls.items() if not self._count.get(label) or not got)
