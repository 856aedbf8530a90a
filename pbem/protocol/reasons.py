"""Every reason code and what it means: one for each thing that a reader would act on differently.

docs/spec/reasons.md is made from these tables by `make docs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

VERIFIER: Final[Mapping[str, str]] = {
    "E-ACT": "An act is out of place, such as an answer to nothing, a takeback to a point where nobody was choosing, "
    "or the end of a game that goes on.",
    "E-ANSWER": "A prepared answer has no proof, or is not what the standing orders give.",
    "E-ARCHIVE": "An archive lists a record twice, out of order, or contains something that does not belong in it.",
    "E-AUDIT": "The audit found that its author did not follow the protocol: something secret was not made as "
    "prescribed, or an answer or choice was not allowed.",
    "E-BEHAVIOUR": "The game needs newer rules than those installed: update pbem.",
    "E-BOX": "A box or seal does not open, or contains something else.",
    "E-BRANCH": "A record builds on both branches of a fork, or continues one that a ruling closed.",
    "E-CANON": "A value is not in its one encoding: cut off, in a longer form, of a type that is not allowed, nested "
    "too deep, with keys out of order or twice, or with something after its end.",
    "E-CASE": "An umpire's case file is malformed, or states something that its evidence does not show.",
    "E-CUT": "The end of a file or of armoured text is missing: ask for it again, as an attachment.",
    "E-DATA": "A player's own data file does not match its schema, contradicts itself or the game, or the game takes "
    "none.",
    "E-DEAL": "A deal, or a card given or shown by an umpire, is not what the umpire committed to, or is out of place.",
    "E-DECK": "A pass of a shuffle is malformed, unsound, out of turn, or has cards that cannot be shuffled.",
    "E-DECODE": "A slot has no card, or the card of another slot: somebody cheated in the shuffle.",
    "E-DESYNC": "The author's program saw another position: its code or data differ. Nobody need have cheated.",
    "E-DRAW": "A listed draw is not what its key gives, or cannot be a draw.",
    "E-FILE": "A file or armoured text was damaged on its way, or is not in its one form: ask for it again.",
    "E-FORK": "The author signed a second, different record for a place that is taken.",
    "E-FORM": "A record, card, message or payload does not have the fields, types and bounds of its kind.",
    "E-GAME": "The record belongs to another game, or nobody in this game has its author's number.",
    "E-HEADS": "The heads of a record are not the last records in its past, or it forgets what its author had seen.",
    "E-IDENTITY": "A place in the game is kept for another person, or the person has one already.",
    "E-INCOMPLETE": "Cited records have not arrived. This is nobody's fault.",
    "E-KEY": "A public key is not sound.",
    "E-LARGE": "Something exceeds its limit, or there is more of it than pbem keeps.",
    "E-MODULE": "The game's package is not installed or cannot be loaded.",
    "E-NOTATION": "The text is not an order, or could mean several.",
    "E-NOTHING": "This file or text contains nothing from pbem.",
    "E-OFFER": "An offer, or a join of it, contradicts itself or the protocol.",
    "E-ORDER": "An order is not legal, is missing, or uses something hidden that it does not open.",
    "E-ORDER-FORM": "An order is not in the one form of its kind.",
    "E-OWES": "The author owed something that comes before this.",
    "E-PHRASE": "A recovery phrase has an unknown word, another number of words, or a wrong checksum.",
    "E-PINS": "The game, or a record of it, is pinned to rules or data other than those installed or in force.",
    "E-POLICY": "Standing orders are malformed, for a decision that does not take them, or changed at the wrong time.",
    "E-PREV": "A record does not follow the one before it of the same author.",
    "E-PROMISE": "What is shown is not what its author promised (a nonce, dice, a key of a card, a sealed choice, a "
    "secret), was shown before, or was never promised.",
    "E-PROOF": "A proof of a fork does not prove one.",
    "E-RULES": "The rules of the game fail at a record, which is a fault in the package. The record is refused.",
    "E-RULING": "The author cannot make this ruling, or the player or seat that it names is not in the game.",
    "E-SEALED": "A choice that must be sealed is not, or something is sealed where nothing can be.",
    "E-SEAT": "A seat does not exist, is not named, or is not held by the player who acts for it.",
    "E-SETUP": "The game does not have this scenario, option, seat or data file.",
    "E-SIGNATURE": "A signature is not valid.",
    "E-START": "A start does not fit its offer and joins, or the game has started without this record.",
    "E-TEXT": "A text is too short or too long, or contains characters that cannot be seen.",
    "E-TURN": "Orders came from a player who was not asked for any.",
    "E-UNASKED": "Something is shown before it is due, twice, or without anybody asking for it.",
    "E-VERSION": "A file, card or record has a version that this pbem does not know.",
}
"""What a verifier raises."""

OWN: Final[Mapping[str, str]] = {
    "E-AMBIGUOUS": "A short name fits more than one person or game.",
    "E-ANSWERED": "This offer was answered before, or its game has started without this player.",
    "E-BACKUP": "A backup is damaged or lacks records, or there is no room to restore it.",
    "E-CLAIM": "A forfeit cites no claim, or comes before the agreed silence has passed; or this was claimed before.",
    "E-DAMAGED": "Files of this home are missing, damaged, or do not fit together.",
    "E-DISK": "The operating system reports an error.",
    "E-DRAFT-CHANGED": "The position has moved on, and part of the draft is no longer legal.",
    "E-EXPIRED": "An offer can no longer be joined: it has expired or was withdrawn.",
    "E-EXISTS": "A file with this name has other contents; nothing is overwritten.",
    "E-EXTRA": "An optional part of pbem is not installed.",
    "E-INTERNAL": "A fault in pbem itself, or in the code of a game outside a record; the sentence says which.",
    "E-HTTP": "A request to the board in the browser did not come from its page.",
    "E-STALE": "The board in the browser was out of date: the game or the draft has changed.",
    "E-LACKS": "The game does not offer this, such as pictures, odds or answers about the position.",
    "E-LOCKED": "Another process is working in this home.",
    "E-MAIL": "A mail is damaged, or has more parts than pbem reads.",
    "E-MAIL-ASIDE": "pbem was stopped or crashed twice while opening a mail; the mail is kept until somebody tries it "
    "again.",
    "E-MAIL-COMMAND": "A command that sends mail cannot be started or has failed.",
    "E-MAIL-FOLDER": "A mailbox, a Maildir, an mbox or a folder of mails cannot be read or written.",
    "E-MAIL-LINE": "A mail server cannot be reached, or the connection broke.",
    "E-MAIL-LOGIN": "A mail server rejects user and password or token, or these are not available.",
    "E-MAIL-NONE": "No mail is set up for this identity.",
    "E-MAIL-REFUSED": "A mail cannot be written, or a mail server refuses it.",
    "E-MAIL-SERVER": "A mail server gives an unexpected answer.",
    "E-MAIL-SETTINGS": "The mail settings have a mistake, or lack a way to receive or send.",
    "E-MAIL-TLS": "A mail server's certificate cannot be trusted, or it does not speak TLS.",
    "E-NO-IDENTITY": "This home has no identity yet, lacks its key, or cannot tell to which identity a phrase belongs.",
    "E-NO-NEED": "There is nothing to do: it was done before, or nobody needs it.",
    "E-NO-WRITE": "The home cannot be written: the disk is full, or the place is read-only.",
    "E-NOT-JOINED": "This home does not play the game.",
    "E-NOT-NOW": "This cannot be done at this point of the game or tournament.",
    "E-NOT-YOURS": "Only somebody else can do this, or the offer has no place for this identity.",
    "E-PASSPHRASE": "A passphrase is needed and nobody gave one, or it is wrong.",
    "E-PLAN": "Orders after dice or cards must be given as a plan, and a plan can only be given there.",
    "E-RESTORED": "The game came from a backup, or its key is used elsewhere: nothing is signed before it has caught "
    "up.",
    "E-UMPIRE-CLUSTER": "No Dask cluster answers, or a worker cannot do the work.",
    "E-UMPIRE-DB": "The desk's database cannot be reached, or is not what this pbem expects.",
    "E-UMPIRE-ENTRANTS": "Cards of entrants cannot be read, somebody is listed twice, or there are too many or too "
    "few entrants.",
    "E-UMPIRE-JOURNAL": "The desk's journal or archives were altered, or a change is too large for them.",
    "E-UMPIRE-MAIL": "Mails of the desk wait to be sent; the clocks of the players whom they ask are stopped.",
    "E-UMPIRE-PAIRING": "A round cannot be paired from these entrants and games.",
    "E-UMPIRE-RULING": "A decision of the umpire lacks its reason or subject, or does not fit the round or game.",
    "E-UMPIRE-SITE": "The folder to publish into contains files that are not pbem's, is in use or cannot be "
    "written; or an archive fails verification.",
    "E-UMPIRE-TERMS": "The terms of a tournament, or the requested standings, are malformed or do not fit the game.",
    "E-UNFINISHED": "Another seat of the player has to choose as well.",
    "E-UNKNOWN": "Nothing here has this name: person, game, seat, record, turn, bot, round or tournament.",
    "E-USED": "A record of this number was signed before, or a value was shown before for another record.",
    "E-WORKER": "A process that was checking files was ended from outside.",
}
"""What a player's or umpire's own program raises when it cannot do something at the moment."""
