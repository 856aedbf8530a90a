"""Events that say themselves."""

import pytest

from pbem.kit import StepLost, SupplyJudged, all_of, last_steps


@pytest.mark.parametrize(
    ("words", "said"), [((), ""), (("A",), "A"), (("A", "B"), "A and B"), (("A", "B", "C"), "A, B and C")]
)
def test_lists_in_a_sentence(words, said):
    assert all_of(iter(words)) == said


def test_steps_and_supply():
    assert StepLost(unit="212/80", hex=1204, left=1, rule="SG-8.6").words() == "212/80 in 1204 loses a step (SG-8.6)."
    assert StepLost(unit="212/80", hex=1204, left=0, rule="SG-8.6").words() == "212/80 in 1204 is destroyed (SG-8.6)."
    why = "it has entered an enemy zone of control"
    lost = StepLost(unit="212/80", hex=1204, left=1, why=why, rule="SG-4.4").words()
    assert lost == "212/80 in 1204 loses a step: it has entered an enemy zone of control (SG-4.4)."
    gone = StepLost(unit="212/80", hex=1204, left=0, why=why, rule="SG-4.4").words()
    assert gone.startswith("212/80 in 1204 loses its last step and is destroyed: it has entered an enemy zone")
    judged = SupplyJudged(supplied=("A", "B"), cut=(), isolated=("C",))
    assert judged.words() == "In supply again: A and B. Isolated: C."


def test_of_several_units_the_loss_of_one_step_destroys_one():
    assert last_steps(()) == []
    assert last_steps(("A",)) == ["The loss of one step destroys A."]
    assert last_steps(("A", "B")) == ["The loss of one step destroys A, or B."]
