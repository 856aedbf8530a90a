"""The players of this home (identities, with seeds) and the people they play with (contacts, known by their cards).

What the home remembers that belongs to no game is about its players: who is meant where nobody is named, who has
entered or left a tournament. The file `state` holds it, written whole. It is in no backup: a restored home might
otherwise join what it has answered before.

A card is trusted on first use. A different key under a name or an address that is known already is pointed out and
never replaces the one that is known; the player tells the two apart by the fingerprint, read aloud.

The file that holds a seed is under scrypt and ChaCha20-Poly1305, or plain if the player chose so:

{box, kdf: "scrypt", n, p, r, salt, v: 1}       the header without the box is the cipher's associated data
{kdf: "none", seed, v: 1}
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple, cast
from unicodedata import normalize

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from pbem.home.disk import Disk, HomeError, Paths, names, read
from pbem.protocol.canonical import Plain, pack, unpack
from pbem.protocol.card import Card, make_card, parse_card
from pbem.protocol.errors import Refusal
from pbem.protocol.keys import Keys
from pbem.protocol.limits import MAX_SCRYPT_N, MAX_SCRYPT_P, MAX_SCRYPT_R
from pbem.protocol.words import fingerprint

SEED: Final = 32
_SALT: Final = 16
_TAG: Final = 16
_NONCE: Final = bytes(12)  # the key is used once: its salt is fresh
MAX_KEYFILE: Final = 1024

Ask = Callable[[str], str | None]
"""Asks the player for a passphrase; None when nobody is there to answer."""


@dataclass(frozen=True, slots=True)
class Cost:
    """scrypt's parameters: N = 2^log_n."""

    log_n: int = 17
    r: int = 8
    p: int = 1


STANDARD: Final = Cost()


def _key(passphrase: str, salt: bytes, cost: Cost) -> bytes:
    text = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")
    return Scrypt(salt=salt, length=32, n=1 << cost.log_n, r=cost.r, p=cost.p).derive(text)


def protect(seed: bytes, passphrase: str, random: Callable[[int], bytes], cost: Cost = STANDARD) -> bytes:
    """The key file's bytes. The empty passphrase is the explicit "none"."""
    if not passphrase:
        return pack({"kdf": "none", "seed": seed, "v": 1})
    salt = random(_SALT)
    header: dict[str, Plain] = {
        "kdf": "scrypt",
        "n": 1 << cost.log_n,
        "p": cost.p,
        "r": cost.r,
        "salt": salt,
        "v": 1,
    }
    box = ChaCha20Poly1305(_key(passphrase, salt, cost)).encrypt(_NONCE, seed, pack(header))
    return pack({**header, "box": box})


def is_protected(raw: bytes) -> bool:
    return _parse(raw)["kdf"] == "scrypt"


def unlock(raw: bytes, ask: Ask) -> bytes:
    """The seed. Asks only when the file is under a passphrase."""
    fields = _parse(raw)
    seed = fields.pop("seed", None)
    if isinstance(seed, bytes):
        return seed
    cost = _cost(fields)
    passphrase = ask("Passphrase")
    if not passphrase:
        raise HomeError(
            "E-PASSPHRASE",
            "This needs your passphrase: type it when asked, or give it in the environment variable PBEM_PASSPHRASE.",
        )
    box, salt = fields.pop("box"), fields["salt"]
    assert isinstance(box, bytes)
    assert isinstance(salt, bytes)
    try:
        return ChaCha20Poly1305(_key(passphrase, salt, cost)).decrypt(_NONCE, box, pack(fields))
    except InvalidTag:
        raise HomeError("E-PASSPHRASE", "That is not the passphrase of this identity.") from None


def _damaged() -> HomeError:
    return HomeError("E-DAMAGED", "The key file is damaged. Bring the identity back with: pbem restore")


def _parse(raw: bytes) -> dict[str, Plain]:
    try:
        fields = unpack(raw, MAX_KEYFILE)
    except Refusal:
        raise _damaged() from None
    if not isinstance(fields, dict) or fields.get("v") != 1:
        raise _damaged()
    if fields.get("kdf") == "none":
        seed = fields.get("seed")
        good = set(fields) == {"kdf", "seed", "v"} and isinstance(seed, bytes) and len(seed) == SEED
    else:
        box, salt = fields.get("box"), fields.get("salt")
        good = (
            fields.get("kdf") == "scrypt"
            and set(fields) == {"box", "kdf", "n", "p", "r", "salt", "v"}
            and isinstance(box, bytes)
            and len(box) == SEED + _TAG
            and isinstance(salt, bytes)
            and len(salt) == _SALT
        )
    if not good:
        raise _damaged()
    return fields


def _cost(fields: dict[str, Plain]) -> Cost:
    """The cost that the file states, if it is one a machine can bear: a key file may come from elsewhere."""
    n, r, p = fields["n"], fields["r"], fields["p"]
    if not (type(n) is int and type(r) is int and type(p) is int):
        raise _damaged()
    log_n = n.bit_length() - 1
    if not (2 <= n <= MAX_SCRYPT_N and n == 1 << log_n and 1 <= r <= MAX_SCRYPT_R and 1 <= p <= MAX_SCRYPT_P):
        raise HomeError("E-DAMAGED", "The key file asks for more work than pbem is willing to do.")
    return Cost(log_n, r, p)


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
    """The person on a card that came in: new here, known, known by an older card, or this home's own player."""

    person: Person
    news: Literal["new", "known", "newer", "own"]
    clashes: tuple[Person, ...] = ()
    """Contacts with the same name or address and another key."""


MAX_BY_ITSELF: Final = 256
"""Offers of one tournament that are joined without asking; later ones wait for a person."""
LEFT: Final = -1
"""In place of the number of offers joined: the next one is declined, and its umpire told."""
_STATE_LIMIT: Final = 1 << 20


class Entered(NamedTuple):
    """Somebody of this home who has entered a tournament."""

    umpire: bytes
    key: bytes
    identity: bytes
    taken: int
    """How many offers were joined for them since; or LEFT."""


class Leaver(NamedTuple):
    """At the umpire's: somebody who has left a tournament, until the desk has written it down."""

    umpire: bytes
    key: bytes
    identity: bytes
    why: str


@dataclass(frozen=True, slots=True)
class HomeState:
    """Everything that a home remembers and that belongs to no game."""

    default: bytes = b""
    """The identity that is meant where none is named."""
    entered: tuple[Entered, ...] = ()
    left: tuple[Leaver, ...] = ()


class People:
    def __init__(
        self,
        paths: Paths,
        disk: Disk,
        random: Callable[[int], bytes],
        ask: Ask,
        cost: Cost = STANDARD,
    ) -> None:
        self._paths = paths
        self._disk = disk
        self._random = random
        self._ask = ask
        self._cost = cost
        self._keys: dict[bytes, Keys] = {}

    # Identities

    def identities(self) -> list[Person]:
        default = self._state().default
        found = []
        for name in names(self._paths.identities):
            folder = self._paths.identities / name
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
            raise HomeError("E-NO-IDENTITY", 'You have no identity here yet. Make one with: pbem id new "Your Name"')
        if query is None:
            return next(person for person in own if person.default)
        return _one(query, own, "identity")

    def new_identity(self, name: str, email: str, passphrase: str, at: int) -> Person:
        """A fresh seed, its card, and its key file. The first one becomes the default."""
        return self.add_identity(self._random(SEED), name, email, passphrase, at)

    def add_identity(self, seed: bytes, name: str, email: str, passphrase: str, at: int) -> Person:
        return self.adopt_identity(seed, make_card(Keys(seed), name, email, at), passphrase)

    def adopt_identity(self, seed: bytes, card: Card, passphrase: str) -> Person:
        folder = self._paths.identities / card.identity.hex()
        if read(folder / "card", _SMALL) is not None:
            raise HomeError("E-NO-NEED", f"{card.name} is already an identity of this home.")
        self._disk.folder(folder)
        self._disk.rewrite(folder / "key", protect(seed, passphrase, self._random, self._cost))
        self._disk.rewrite(folder / "card", card.raw)
        self._keys[card.identity] = Keys(seed)
        if not self._state().default:
            self.make_default(card.identity)
        return next(person for person in self.identities() if person.identity == card.identity)

    def change_passphrase(self, identity: bytes, passphrase: str) -> None:
        """Takes effect for the key file here; backups made before keep their phrase."""
        seed = self.seed(identity)
        raw = protect(seed, passphrase, self._random, self._cost)
        self._disk.rewrite(self._paths.identities / identity.hex() / "key", raw)

    def make_default(self, identity: bytes) -> None:
        self._change(default=identity)

    def seed(self, identity: bytes) -> bytes:
        raw = read(self._paths.identities / identity.hex() / "key", _SMALL)
        if raw is None:
            raise HomeError("E-NO-IDENTITY", "The key of this identity is not in this home.")
        return unlock(raw, self._ask)

    def keys(self, identity: bytes) -> Keys:
        """The identity's keys; the passphrase is asked once."""
        if identity not in self._keys:
            self._keys[identity] = Keys(self.seed(identity))
        return self._keys[identity]

    # Tournaments

    def entered(self, umpire: bytes, key: bytes) -> dict[bytes, int]:
        """Who of this home has said yes, and how many offers were joined for them since; or LEFT."""
        return {e.identity: e.taken for e in self._state().entered if (e.umpire, e.key) == (umpire, key)}

    def enter(self, umpire: bytes, key: bytes, identity: bytes, taken: int | None) -> None:
        """None: from now on the person is asked."""
        others = (each for each in self._state().entered if each[:3] != (umpire, key, identity))
        fresh = () if taken is None else (Entered(umpire, key, identity, taken),)
        self._change(entered=tuple(sorted((*others, *fresh))))

    def left(self, umpire: bytes, key: bytes) -> dict[bytes, str]:
        """At the umpire's: who has left the tournament, and why."""
        return {each.identity: each.why for each in self._state().left if each[:2] == (umpire, key)}

    def set_left(self, umpire: bytes, key: bytes, identity: bytes, why: str | None) -> None:
        """None: it has been written down."""
        others = (each for each in self._state().left if each[:3] != (umpire, key, identity))
        fresh = () if why is None else (Leaver(umpire, key, identity, why),)
        self._change(left=tuple(sorted((*others, *fresh))))

    def _state(self) -> HomeState:
        raw = read(self._paths.state, _STATE_LIMIT)
        if raw is None:
            return HomeState()
        default, entered, left = cast("tuple[bytes, list[Any], list[Any]]", unpack(raw, _STATE_LIMIT))
        return HomeState(default, tuple(Entered(*each) for each in entered), tuple(Leaver(*each) for each in left))

    def _change(self, **fields: Any) -> None:
        """Give these fields of the state other values; all of them at once, or none."""
        held = self._state()
        changed = replace(held, **fields)
        if changed != held:
            rows: list[list[Plain]] = [[list(each) for each in some] for some in (changed.entered, changed.left)]
            self._disk.rewrite(self._paths.state, pack([changed.default, *rows]))

    # Contacts

    def contacts(self) -> list[Person]:
        found = []
        for name in names(self._paths.contacts):
            raw = read(self._paths.contacts / name, _SMALL)
            if raw is not None:
                found.append(_contact(raw))
        return sorted(found, key=lambda person: (person.card.name.casefold(), person.identity))

    def contact(self, identity: bytes) -> Person | None:
        raw = read(self._paths.contacts / identity.hex(), _SMALL)
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
        self._disk.remove(self._paths.contacts / person.identity.hex())
        return person

    def find(self, query: str) -> Person:
        """A contact or an own identity, by an unambiguous beginning of name, address, fingerprint or identity."""
        if query.casefold() == "me":
            return self.me()
        return _one(query, [*self.contacts(), *self.identities()], "contact")

    def _write(self, person: Person) -> None:
        raw = pack({"card": person.card.raw, "confirmed": person.confirmed, "v": 1})
        self._disk.rewrite(self._paths.contacts / person.identity.hex(), raw)


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
        return is_protected(key)
    except HomeError:
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
            # Of a fingerprint more than its first word: `bob` means no stranger's bobbin-anchor.
            or ("-" in wanted and person.fingerprint.startswith(wanted))
            or (len(wanted) >= _SHORTEST_ID and person.identity.hex().startswith(wanted))
        )
    ]
    if not found:
        then = " Open their card first: pbem open CARD. Your contacts: pbem contact list" if what == "contact" else ""
        raise HomeError("E-UNKNOWN", f"There is no {what} whose name begins with {query!r}.{then}")
    if len(found) > 1:
        which = "; ".join(f"{person.card.name} ({person.fingerprint})" for person in found)
        raise HomeError("E-AMBIGUOUS", f"{query!r} could be: {which}. Give more of the name, or of the fingerprint.")
    return found[0]
