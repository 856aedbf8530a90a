"""Identities and seeds as words that can be read aloud or written on paper (KEY-5, KEY-6).

The list is part of the protocol: 1,024 common words in alphabetical order, told apart by their first four letters.
"""

from __future__ import annotations

from pbem.protocol.digest import tagged
from pbem.protocol.errors import Refusal

_LIST = """
    abacus abbey absent academy acorn acrobat actor adapt admiral adobe adult advent aerial afloat agate agent agile
    ahead airport alarm album alcove alder alley almond alpine amber anchor angle antler anvil apple apron arbor
    arcade archer arena arrow artist aspen atlas attic august autumn avenue awning azure bacon badge bagel bagpipe
    baker balcony ballad balsam bamboo banana banjo banner barley barn basalt basil basket bassoon bathe bayou
    beaver beetle beige belfry bell bench bicycle bingo birch biscuit bishop bison blanket blaze blossom blouse
    bluff boat bobbin bogey bonfire bonnet book border bosun bottle boulder bouquet bowl bracket braid bramble
    branch brass bread breeze brick bridge brigade brocade bronze broom brush bubble bucket buffalo buggy bugle
    bundle bunting bustle butter buzzer cabin cable cactus cadet cake calico camel camp canal candle canoe canvas
    canyon captain caravan carbon cargo carpet carrot cart cashew cassava castle catkin cavern cedar cellar chain
    chalk chamois chapel cheese cherry chest chime chisel chorus chowder chrome cider cipher circle citadel citrus
    city clam clasp cleft cliff cloak cloud clover coast cobalt cobra cocoa coffee collie comet compass conch condor
    copper coral cork cornet cosmos cotton cougar courier cove cowbell coyote cradle crane crater crayon creek
    cricket crocus crouton crown crumb crystal cuckoo cumin curtain cushion cycle cypress dahlia dairy dancer dandy
    dawn dazed deacon decimal decoy delta denim depot desert dewdrop dial diamond diary dinghy ditch diver dizzy
    dock doctor dogma dolphin domino donkey door dragon drawer dream drift drizzle druid drum dryad dugout dulcet
    dune dust dynamo eagle earring earth easel east ebony echo eclair eclipse eddy elbow emerald empire enamel
    engine enigma ensign envoy epoch epoxy equator ermine escort essay estuary ether evening exhibit expert fabric
    falcon family farmer fathom feather fence fennel fern ferry fiddle field figure filly finch finger fire fjord
    flag flair flame flannel flask fleet flicker flint flock flower flute foam fondue forest forge fossil freckle
    freight fresco friend frigate fringe frolic frost fruit fuchsia fudge fulcrum fungus futon gaiter galaxy gallon
    garden gargle garlic garnet gazelle gecko gentle geyser gherkin giant gimlet giraffe gizmo glacier glass glider
    globe glow gnome goblet goggles gold gondola goose gopher gospel gourd grackle granite grape gravel green
    griffin grotto grove guava guide guitar gusto habit hacksaw hail halibut halter hamlet hammer harness harp
    harvest hatch haven hawk hazel heart heath hedge helmet hemlock herald herb hermit heron hexagon hickory hiker
    hill hinge hippo hockey hoist holly honey hood horizon house humble humus hunter hurdle husky hydrant hymn ibis
    icicle icing icon igloo iguana immense indigo inkwell inlet insect island isthmus ivory jacket jade jaguar
    jargon jasmine jaunt javelin jelly jersey jester jetty jewel jigsaw jingle journal jubilee juggle juice juniper
    karma kayak kelp ketchup kettle kiln kimono king kinship kiosk kitchen kite kitten knee knoll knuckle koala
    label lace ladder lagoon lantern laptop larch lark lather laurel lava leaf legend lemon lemur lentil leopard
    letter level library lichen light lilac lily lime limpet linen lion lizard llama lobster locket locust lodge
    loft logic lorry lotus lozenge lullaby lumber lunar lupin lyre macaw magenta magnet magpie mallet mammoth
    manatee mango manor maple marble margin market maroon marsh mascot mason matador matrix mauve meadow meander
    medley melody memory mentor mermaid meteor midge mildew milk mimosa mineral minnow mint minute mirror mocha
    model mohair monarch monsoon moon mooring morning morsel mosaic mosque moss moth motif motor motto mound muesli
    muffin murmur museum music muslin mustard mutton mynah myrtle nacho napkin native nature navy nebula nectar
    needle nephew nest nickel nimble noble nomad noodle north note novel nozzle nugget nurture nutmeg nylon nymph
    oasis oatmeal obelisk oboe ocean ocelot octave octopus office olive omelet onion onyx opal opaque opera orange
    orbit orchid organ origami oriole ornate osprey ostler ostrich otter outing outpost ovation oven oxbow oxygen
    oyster paddle page pagoda paint palace pancake panda panther papaya paper parade parka parsley pasta path patio
    patrol peach peanut pebble pelican pencil penguin peony pepper pewter phantom piano piccolo pickle picnic pigeon
    piglet pilgrim pillow pilot pine pinto pioneer pirate pixel planet plasma plateau plaza pliers plum plush
    plywood podium poem polar polka poncho pond popcorn poppy porch port possum postage potato pottery powder
    prairie pretzel prism prow prune public pudding pueblo pulley pumpkin pupil puppet purple puzzle pyramid python
    quail quarry quest quiche quill quince quiver quota rabbit raccoon radar radish raft raisin rapid rascal rattle
    ravine realm rebus redwood reef refuge regatta relic rhino rhubarb ribbon rice rivet robin robot rodeo roller
    rondo roof rooster rope rosary rosette rouge rover royal rubber ruby rudder ruler rumba runner russet sabre
    safari saffron salad salmon salsa salt samovar sample sandal sapling sardine satin saucer savanna savory scallop
    scarf school scooter scout scroll seal season sedan seed seesaw senate sentry sequoia serpent sesame shadow
    shark shawl sheep shell sherbet shield shingle ship shoal shore shovel shrimp shrub shuttle siesta sieve signal
    silver siren sister sitar skate sketch skipper skunk skyline sleigh sloop slope sloth smith smoke snail snooze
    snorkel snow soap soda soil sonata sorbet sorrel souffle spade spaniel sparrow spatula sphere spice spinach
    spiral sponge spoon spring sprout spruce square squid stable stadium stag statue steam stencil stirrup stone
    stool stopper stork straw stucco studio sugar suit sultan summer sunset surf swallow swamp swan switch swivel
    syrup tabby tablet tailor talent talon tamale tambour tangent tankard target tarpon tartan tassel teacup teapot
    temple tendril tenor tent tepee termite terrace theater thicket thimble thistle thorn thread thunder tiara tiger
    timber tinder tinsel toddler tomato tonic topaz topple tornado totem toucan towel track trail trapeze treble
    tree trellis tremor trench trestle tripod trolley trout truffle trumpet tuber tugboat tulip tundra tunnel turban
    turnip turtle tuxedo tweed twig tycoon ukulele uncle unicorn uniform unison upland upriver urchin utopia valet
    vanilla varnish vase vault vector vellum velvet vendor veranda verse vessel viaduct vicar village violet viper
    visitor vista vivid vixen volcano volley voucher voyage vulture wafer waffle wagon walnut walrus waltz wander
    warbler warlock wasp wave whale wheat whisper wicker widget wigwam wildcat window winter wisdom wolf wombat
    woodcut wool world wreath wren yacht yard yellow yogurt yonder yucca zealot zebra zenith zephyr zero zigzag zinc
    zipper zither zodiac
"""
WORDS = tuple(_LIST.split())
_BY_START = {word[:4]: n for n, word in enumerate(WORDS)}
_COUNT = 27  # 256 bits of seed and 14 of checksum, 10 bits a word
_MAX_TEXT = 1_000


def fingerprint(identity: bytes) -> str:
    """KEY-5: three groups of two words and two digits from the first 96 bits, `tulip-anchor-92 cedar-violin-07 ...`."""
    groups = []
    for at in (0, 4, 8):
        n = int.from_bytes(identity[at : at + 4], "big")
        groups.append(f"{WORDS[n >> 22]}-{WORDS[n >> 12 & 1023]}-{(n & 4095) % 100:02d}")
    return " ".join(groups)


def _checksum(seed: bytes) -> int:
    return int.from_bytes(tagged("pbem1/phrase", seed)[:2], "big") >> 2


def phrase(seed: bytes) -> str:
    """KEY-6: the 27 words from which the seed can be typed in again."""
    if len(seed) != 32:
        raise ValueError("a seed has 32 bytes")
    bits = int.from_bytes(seed, "big") << 14 | _checksum(seed)
    return " ".join(WORDS[bits >> 10 * (_COUNT - 1 - n) & 1023] for n in range(_COUNT))


def seed_of(text: str) -> bytes:
    """The seed behind a phrase as a person types it: any case and spacing, words cut after four letters or more."""
    if len(text) > _MAX_TEXT:
        raise _wrong(f"it has {len(text)} characters, far more than {_COUNT} words")
    typed = text.lower().split()
    bits = 0
    for place, word in enumerate(typed, 1):
        n = _BY_START.get(word[:4])
        if n is None or not WORDS[n].startswith(word):
            raise _wrong(f"word {place}, {word[:20]!a}, is not one of the words that pbem uses")
        bits = bits << 10 | n
    if len(typed) != _COUNT:
        raise _wrong(f"it has {len(typed)} words instead of {_COUNT}")
    seed = (bits >> 14).to_bytes(32, "big")
    if bits & 0x3FFF != _checksum(seed):
        raise _wrong(
            "each word is known, but their checksum is wrong: a word is not the right one, or two are exchanged"
        )
    return seed


def _wrong(why: str) -> Refusal:
    return Refusal("E-PHRASE", f"This is not a phrase that pbem wrote: {why}.", step="KEY-6")
