"""Who plays here (identities, with their seeds) and whom they play with (contacts, known by their cards).

A card is trusted on first use. A different key under a name or an address that is known already is pointed out and
never replaces the one that is known; the player tells the two apart by the fingerprint, read aloud.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal
from unicodedata import normalize

from pbem.protocol.canonical import pack, unpack
from pbem.protocol.card import Card, make_card, parse_card
from pbem.protocol.errors import Refusal
from pbem.protocol.keys import Keys
from pbem.protocol.words import fingerprint
from pbem.table import keyfile
from pbem.table.disk import Disk, names, read
from pbem.table.home import Home
from pbem.table.tableerror import TableError

_SMALL = 64 << 10
_SHORTEST_ID = 6  # hex digits of an identity that may stand for it


@dataclass(frozen=True, slots=True)
class Person:
    """An identity of this home or a contact."""

    card: Card
    own: bool
    confirmed: bool = False
    """The fingerprint has been compared with its owner. Always true of one's own."""
    default: bool = False
    protected: bool = False
    """The seed is under a passphrase."""

    @property
    def identity(self) -> bytes:
        return self.card.identity

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.card.identity)


@dataclass(frozen=True, slots=True)
class Met:
    """What a card brought: somebody new, somebody known, a newer card of somebody known, or oneself."""

    person: Person
    news: Literal["new", "known", "newer", "own"]
    clashes: tuple[Person, ...] = ()
    """Contacts with the same name or address and another key."""


class People:
    def __init__(
        self,
        home: Home,
        disk: Disk,
        random: Callable[[int], bytes],
        ask: keyfile.Ask,
        cost: keyfile.Cost = keyfile.STANDARD,
    ) -> None:
        self._home = home
        self._disk = disk
        self._random = random
        self._ask = ask
        self._cost = cost
        self._keys: dict[bytes, Keys] = {}

    # Identities

    def identities(self) -> list[Person]:
        default = self._default()
        found = []
        for name in names(self._home.identities):
            folder = self._home.identities / name
            card, key = read(folder / "card", _SMALL), read(folder / "key", _SMALL)
            if card is not None and key is not None:
                own = parse_card(card)
                found.append(
                    Person(own, own=True, confirmed=True, default=own.identity == default, protected=_protected(key))
                )
        if found and not any(person.default for person in found):
            first = found[0]
            found[0] = Person(first.card, own=True, confirmed=True, default=True, protected=first.protected)
        return found

    def me(self, query: str | None = None) -> Person:
        """The identity named, or the default one."""
        own = self.identities()
        if not own:
            raise TableError("E-NO-IDENTITY", 'You have no identity here yet. Make one with: pbem id new "Your Name"')
        if query is None:
            return next(person for person in own if person.default)
        return _one(query, own, "identity")

    def new_identity(self, name: str, email: str, passphrase: str, at: int) -> Person:
        """A fresh seed, its card, and its key file. The first one becomes the default."""
        return self.add_identity(self._random(keyfile.SEED), name, email, passphrase, at)

    def add_identity(self, seed: bytes, name: str, email: str, passphrase: str, at: int) -> Person:
        return self.adopt_identity(seed, make_card(Keys(seed), name, email, at), passphrase)

    def adopt_identity(self, seed: bytes, card: Card, passphrase: str) -> Person:
        folder = self._home.identities / card.identity.hex()
        if read(folder / "card", _SMALL) is not None:
            raise TableError("E-NO-NEED", f"{card.name} is an identity of this home already.")
        self._disk.folder(folder)
        self._disk.rewrite(folder / "key", keyfile.protect(seed, passphrase, self._random, self._cost))
        self._disk.rewrite(folder / "card", card.raw)
        self._keys[card.identity] = Keys(seed)
        if self._default() is None:
            self.make_default(card.identity)
        return next(person for person in self.identities() if person.identity == card.identity)

    def change_passphrase(self, identity: bytes, passphrase: str) -> None:
        """Takes effect for the key file here; backups made before keep their phrase."""
        seed = self.seed(identity)
        raw = keyfile.protect(seed, passphrase, self._random, self._cost)
        self._disk.rewrite(self._home.identities / identity.hex() / "key", raw)

    def make_default(self, identity: bytes) -> None:
        self._disk.rewrite(self._home.settings, pack({"default": identity, "v": 1}))

    def seed(self, identity: bytes) -> bytes:
        raw = read(self._home.identities / identity.hex() / "key", _SMALL)
        if raw is None:
            raise TableError("E-NO-IDENTITY", "The key of this identity is not in this home.")
        return keyfile.unlock(raw, self._ask)

    def keys(self, identity: bytes) -> Keys:
        """The identity's keys; the passphrase is asked once."""
        if identity not in self._keys:
            self._keys[identity] = Keys(self.seed(identity))
        return self._keys[identity]

    def _default(self) -> bytes | None:
        raw = read(self._home.settings, _SMALL)
        if raw is None:
            return None
        try:
            fields = unpack(raw, _SMALL)
        except Refusal:
            return None
        value = fields.get("default") if isinstance(fields, dict) else None
        return value if isinstance(value, bytes) else None

    # Contacts

    def contacts(self) -> list[Person]:
        found = []
        for name in names(self._home.contacts):
            raw = read(self._home.contacts / name, _SMALL)
            if raw is not None:
                found.append(_contact(raw))
        return sorted(found, key=lambda person: (person.card.name.casefold(), person.identity))

    def contact(self, identity: bytes) -> Person | None:
        raw = read(self._home.contacts / identity.hex(), _SMALL)
        return None if raw is None else _contact(raw)

    def known(self, identity: bytes) -> Person | None:
        """The identity of this home or the contact with this identity."""
        return next((own for own in self.identities() if own.identity == identity), None) or self.contact(identity)

    def meet(self, card: Card) -> Met:
        """Takes a card in. The older of two cards of one key never replaces the newer."""
        for own in self.identities():
            if own.identity == card.identity:
                return Met(own, "own")
        held = self.contact(card.identity)
        if held is not None and (held.card.id == card.id or held.card.at >= card.at):
            return Met(held, "known")
        person = Person(card, own=False, confirmed=held is not None and held.confirmed)
        clashes = self.clashes(card)
        self._write(person)
        return Met(person, "new" if held is None else "newer", clashes)

    def clashes(self, card: Card) -> tuple[Person, ...]:
        """Contacts with this address, or a name that looks like this one, and another key."""
        return tuple(
            other
            for other in self.contacts()
            if other.identity != card.identity
            and (
                looks(other.card.name) == looks(card.name)
                or (card.email and other.card.email.casefold() == card.email.casefold())
            )
        )

    def confirm(self, query: str) -> Person:
        """The player has compared the fingerprint."""
        found = _one(query, self.contacts(), "contact")
        person = Person(found.card, own=False, confirmed=True)
        self._write(person)
        return person

    def forget(self, query: str) -> Person:
        person = _one(query, self.contacts(), "contact")
        self._disk.remove(self._home.contacts / person.identity.hex())
        return person

    def find(self, query: str) -> Person:
        """A contact or an own identity, by an unambiguous beginning of name, address, fingerprint or identity."""
        if query.casefold() == "me":
            return self.me()
        return _one(query, [*self.contacts(), *self.identities()], "contact")

    def _write(self, person: Person) -> None:
        raw = pack({"card": person.card.raw, "confirmed": person.confirmed, "v": 1})
        self._disk.rewrite(self._home.contacts / person.identity.hex(), raw)


_LETTERS = str.maketrans(
    "авеёкмнорстухіјѕһԁԛԝαβεηικμνορτυχ01|i",
    "abeekmhopctyxljshdqwabenlkmvoptuxolll",
)
"""Cyrillic and Greek letters, and figures, by the small Latin letter that they look like."""


def looks(name: str) -> str:
    """The same for names that a reader may take for one another: accents, capitals, blanks and alphabets apart."""
    bare = "".join(sign for sign in normalize("NFKD", name.casefold()) if sign.isalnum() or sign == "|")
    return bare.translate(_LETTERS).replace("rn", "m").replace("vv", "w")


def _protected(key: bytes) -> bool:
    try:
        return keyfile.is_protected(key)
    except TableError:
        return True  # a damaged file says so when it is used


def _contact(raw: bytes) -> Person:
    fields = unpack(raw, _SMALL)
    assert isinstance(fields, dict)
    card, confirmed = fields["card"], fields["confirmed"]
    assert isinstance(card, bytes)
    return Person(parse_card(card), own=False, confirmed=confirmed is True)


def _names_of(person: Person) -> Iterable[str]:
    yield person.card.name.casefold()
    yield from person.card.name.casefold().split()
    if person.card.email:
        yield person.card.email.casefold()
    yield fingerprint(person.identity)


def _one(query: str, people: list[Person], what: str) -> Person:
    wanted = query.strip().casefold()
    exact = [
        person for person in people if wanted and wanted in (person.card.name.casefold(), person.card.email.casefold())
    ]
    found = exact or [
        person
        for person in people
        if wanted
        and (
            any(name.startswith(wanted) for name in _names_of(person))
            or (len(wanted) >= _SHORTEST_ID and person.identity.hex().startswith(wanted))
        )
    ]
    if not found:
        then = " Open their card first: pbem open CARD. Your contacts: pbem contact list" if what == "contact" else ""
        raise TableError("E-UNKNOWN", f"There is no {what} whose name begins with {query!r}.{then}")
    if len(found) > 1:
        which = "; ".join(f"{person.card.name} ({person.fingerprint})" for person in found)
        raise TableError("E-AMBIGUOUS", f"{query!r} may be: {which}. Give more of the name, or of the fingerprint.")
    return found[0]
