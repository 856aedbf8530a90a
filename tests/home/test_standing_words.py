"""Standing orders with words that the game does not know are refused where they are typed, and nowhere else."""

import pytest
from desks import carry, start, two

from pbem.engine.compiled import program
from pbem.engine.machine import Machine
from pbem.engine.policy import parse
from pbem.engine.registry import find
from pbem.engine.step import Decide
from pbem.home import orders, sending, summary
from pbem.home.orders import check_kind, check_words
from pbem.protocol.errors import PbemError, Refusal


def judged(game_name, kind, text):
    """The sentence of the refusal; None: it is taken."""
    game = find(game_name)
    made = program(game)
    try:
        check_kind(kind, sorted(made.decisions))
        check_words(made.decisions[kind], machines[game_name].state, game.policy(kind, text), kind in made.defaults)
    except Refusal as refusal:
        return str(refusal)
    return None


machines = {name: Machine.start(find(name), find(name).setup_of()) for name in ("axis1941", "bridgehead", "noretreat")}


def test_an_unknown_answer_is_refused_with_the_words_there_are_and_the_nearest():
    told = judged("noretreat", "loss", "then cheepest")
    assert told == (
        "'cheepest' is not an answer of the decision 'loss'; did you mean cheapest? "
        "There are cheapest, UNIT, ask, default. [E-POLICY, POL-6]"
    )
    assert "did you mean" not in judged("noretreat", "loss", "then zzzz")
    assert "did you mean retreat?" in judged("axis1941", "retreat", "when round > 2 then retrat; then press")


def test_an_unknown_fact_or_decision_is_refused_with_the_nearest():
    assert "'rund' is not a fact of the decision 'retreat'; did you mean round?" in judged(
        "axis1941", "retreat", "when rund > 2 then retreat"
    )
    told = judged("axis1941", "loses", "then tank")
    assert told.startswith("There is no decision 'loses' that takes standing orders; did you mean losses? There are ")


@pytest.mark.parametrize(
    ("game", "kind", "text"),
    [
        ("axis1941", "losses", "then infantry-uk, transport-2, infantry-sea, fighter-ussr, defer, ask"),
        ("axis1941", "settle", "then damage, carrier-uk-3, default"),
        ("axis1941", "retreat", "then retreat-west-russia, retreat-sz5, stay"),
        ("axis1941", "divert", "then home, ally_deck"),
        ("axis1941", "purchase", "then tank, nothing"),
        ("bridgehead", "react", "then ambush, pass"),
        ("noretreat", "counterblows", "then 7/1507, 26, pass"),
        ("noretreat", "loss", "then 3pz, cheapest"),
        ("noretreat", "cards", "then 54, done"),
    ],
)
def test_every_word_that_a_decision_knows_is_taken(game, kind, text):
    assert judged(game, kind, text) is None


@pytest.mark.parametrize(
    ("game", "kind", "word"),
    [
        ("axis1941", "losses", "infantry-peru"),
        ("axis1941", "losses", "transport-0"),
        ("axis1941", "settle", "defer"),
        ("axis1941", "retreat", "retreat-atlantis"),
        ("bridgehead", "react", "ambusch"),
        ("noretreat", "counterblows", "7/9999"),
        ("noretreat", "counterblows", "55"),
        ("noretreat", "cards", "0"),
        ("noretreat", "cards", "07"),
        ("noretreat", "loss", "99pz"),
    ],
)
def test_names_of_the_wrong_things_are_no_answers(game, kind, word):
    assert f"{word!r} is not an answer" in judged(game, kind, f"then {word}")


@pytest.mark.parametrize("game", sorted(machines))
def test_every_decision_names_its_answers_and_defaults_use_them(game):
    made = program(find(game))
    for kind, policy in made.defaults.items():
        step = made.decisions[kind]
        assert step.answer_names, kind
        check_words(step, machines[game].state, policy, has_default=True)


@pytest.mark.parametrize("game", ["axis1941", "bridgehead", "noretreat", "stalingrad42", "stargard"])
def test_every_decision_says_what_it_asks_and_what_its_answers_mean(game):
    made, told = program(find(game)), find(game).explains()
    kinds = {kind: step for kind, step in made.decisions.items() if type(step).answers is not Decide.answers}
    assert set(told) == set(kinds)
    for kind, step in kinds.items():
        assert told[kind].asks[-1] in "?.", kind
        assert set(told[kind].answers) == set(step.answer_names or told[kind].answers), kind
        assert all(told[kind].answers.values()), kind
        assert set(step.fact_names) <= set(told[kind].facts), kind
        for policy in filter(None, (made.defaults.get(kind), made.preset.get(kind))):
            for sentence in find(game).policy_sentences(kind, policy):
                assert sentence[0].isupper(), sentence
                assert sentence.endswith("."), sentence


def test_who_types_an_unknown_word_changes_nothing(tmp_path):
    alice, bob = two(tmp_path)
    name = start(alice, bob)
    before = orders.move(alice, name).standing_rows()
    for kind, text in (("retreat", "then stnd"), ("retret", "then stand"), ("retreat", "when twn = 1 then stand")):
        with pytest.raises(PbemError, match="did you mean") as caught:
            orders.set_standing(alice, name, None, kind, text, sealed=False)
        assert caught.value.code == "E-POLICY"
    assert orders.move(alice, name).standing_rows() == before


@pytest.mark.parametrize("sealed", [False, True])
def test_records_sealed_with_unknown_words_are_taken_as_ever(tmp_path, monkeypatch, sealed):
    """As an older program, or somebody else's, drafts them."""
    alice, bob = two(tmp_path)
    name = start(alice, bob)
    mover, other = (alice, bob) if summary.row(alice, name).my_move else (bob, alice)
    with monkeypatch.context() as older:
        older.setattr(orders, "check_words", lambda *_: None)
        orders.set_standing(mover, name, None, "retreat", "then stnd, stand", sealed=sealed)
    for desk in (mover, other):  # both march in secret, so the first barrier is passed with the second record
        orders.bot(desk, name, "sensible")
        carry(alice, bob, [(desk, sending.send(desk, name).posted)])
    held = {kind: text for _, kind, text, _ in orders.move(mover, name).standing_rows()}
    assert held["retreat"] == str(parse("then stnd, stand"))
    with mover.writing(), other.writing():
        theirs, ours = orders.move(other, name).match.machine, orders.move(mover, name).match.machine
    assert theirs.digest() == ours.digest()
    assert "retreat" in theirs.standing(orders.move(mover, name).standing_rows()[0][0])
