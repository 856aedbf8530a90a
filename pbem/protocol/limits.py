"""Every bound on what may arrive from outside (docs/spec/limits.md). Changing one changes the protocol."""

from __future__ import annotations

KIB = 1024
MIB = 1024 * KIB

# Encoding
MAX_BODY = 256 * KIB
MAX_DEPTH = 16
MAX_MEMBERS = 4_096  # of one array or map
MAX_ARRAYS = 16_384  # arrays and maps of one value
MAX_ALL_MEMBERS = 1 << 19  # of all of them together
MAX_INT = 2**63 - 1
MIN_INT = -(2**63)

# Records
MAX_RECORD = MAX_BODY + 72  # array head, two bin heads, signature
MAX_AT = 253_402_300_799  # the last second of the year 9999
MAX_SEQ = 65_535  # a chain has 65,536 values, the first is its anchor
MAX_PIN = 65_535
MAX_PLAYERS = 5
MAX_HEADS = 5  # four other players and the umpire
MAX_CHAIN = 65_536

# Names and texts
MAX_NAME = 32  # seat, side, deck, scenario, kind of decision
MAX_SLOT = 64
MAX_LABEL = 64
MAX_TITLE = 80
MAX_WHY = 1_000
MAX_NOTE = 10_000  # characters of the message beside a record
MAX_MESSAGE = 4 * MAX_NOTE + 64
MAX_VERSION = 32

# Games without an umpire
MIN_SILENCE = 3  # days between a claim and a forfeit
MAX_SILENCE = 366

# Cards
MAX_CARD = 2 * KIB
MAX_CARD_NAME = 64
MAX_EMAIL = 254

# Tournaments
MAX_ROUND = 65_535  # rounds of a tournament, boards of a round
TOURNAMENT = 16  # bytes of a tournament's key

# Cases
MAX_CASE = 2 * MIB
MAX_ACTOR = 80

# Payloads
MAX_ORDERS = 2_048
MAX_ORDER = 512  # bytes of one order
MAX_ORDER_DEPTH = 4
MAX_ORDERS_SIZE = 240 * KIB  # bytes of all orders of a record
MAX_SECRETS = 256  # `hide`, `open`, `standing` entries of one record, each
MAX_VALUE = 512  # bytes of a secret choice, padded
MAX_POLICY = 4 * KIB  # bytes of one packed standing order; of a sealed one, padded
PADDED = (64, 128, 256, 512, 1_024, 2_048, 4_096)  # bytes of a value in a box
MAX_CLAUSES = 32  # of standing orders
MAX_COMPARISONS = 8  # of a clause
MAX_ANSWERS = 32  # of a clause
MAX_PLACES = 64  # numbers behind an `in` of standing orders
MAX_REVEALS = 1_024  # items of one reveal or release
MAX_DECK = 512  # cards of one deck
MAX_CARD_NUMBER = 65_535
MAX_EPOCH = 65_535
MAX_OLD_SLOTS = 1_024  # cards of a deck still out from shuffles before the last
MAX_OUTSTANDING = 512  # secret choices of one author that are committed and not opened
OPENED_KEPT = 256  # opened secret choices that a replica remembers
ORDERS_KEPT = 32  # orders records of one author for which a reveal can still come
MAX_STANDING = 256  # sealed standing orders in force in a game
MAX_SEATS = 16
MAX_OPTIONS = 64
MAX_OPTION_TEXT = 64
MAX_REPLACED = 64
MAX_ESCROW = 1 * KIB
MAX_BEHAVIOUR = 65_535
MAX_SECONDS = 366 * 24 * 3_600
MAX_RESULT = 4 * KIB

# The log
MAX_JOINS = 32  # answers to one offer that are kept until the start
MAX_FORKS = 64  # side branches that a log keeps

# Chance
MAX_SIDES = 2**31
MAX_RESULTS = 1_024  # of one draw
MAX_OCCURRENCE = 2**32 - 1
MAX_DRAWS = 4_096  # of one list in an archive

# Files
MAX_FILE = 4 * MIB
MAX_PAYLOAD = MAX_FILE - 64  # of one container, inflated
MAX_ITEMS = 8_192  # of one container
MAX_ITEM = MAX_PAYLOAD - 5
MAX_CONTAINERS = 1_024  # of one archive
MAX_UNPACKED = 128 * MIB  # of all its containers, inflated
MAX_ITEMS_IN_ALL = 1 << 19
MAX_ASIDE = 256  # cards, and proofs of forks, of one file
MAX_ASIDE_SIZE = 4 * MIB  # of its proofs of forks together, and of its data files
MAX_TEXT = 16 * MIB  # characters in which armour is looked for
MAX_BLOCKS = 64  # armoured blocks taken from one text
MAX_FORK = 2 * MAX_RECORD + MAX_CARD + 64

# What a program holds for strangers
MAX_QUARANTINE = 64  # records kept per author that cannot be judged yet
MAX_MAIL = 16 * MIB
MAX_MAIL_LINES = 1 << 19
MAX_MAIL_FIELD = 4 * KIB
MAX_MAIL_FIELDS = 1_000  # of one head
MAX_MIME_DEPTH = 8
MAX_MIME_PARTS = 64
MAX_SCRYPT_N = 2**18
MAX_SCRYPT_R = 8
MAX_SCRYPT_P = 2

# Data files that players bring
MAX_DATA_FILE = MIB
