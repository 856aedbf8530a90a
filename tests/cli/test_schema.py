"""One typed value gives both JSON and its schema: whatever value there is, its JSON fits."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError

from pbem.cli.common import Command
from pbem.cli.manual import walk
from pbem.cli.run import cli
from pbem.schema import Count, Hash, Limit, Schemas, document, plain


class Inner(NamedTuple):
    """A thing.

    Of two lines.
    """

    count_: Count
    """How many."""
    id: Hash


@dataclass(frozen=True, slots=True)
class Outer:
    in_: tuple[Inner, ...]
    kind: Literal["a", "b"]
    path: Path
    words: dict[str, str]
    maybe: Inner | None
    pair: tuple[int, str]
    name: Annotated[str, Limit(pattern="^[a-z]*$")] = ""


class Written(TypedDict):
    must: int
    may: NotRequired[str]


inners = st.builds(Inner, st.integers(0), st.binary(min_size=32, max_size=32))
outers = st.builds(
    Outer,
    st.lists(inners, max_size=3).map(tuple),
    st.sampled_from(("a", "b")),
    st.just(Path("x")),
    st.dictionaries(st.text(), st.text(), max_size=3),
    st.none() | inners,
    st.tuples(st.integers(), st.text()),
    st.text("abc"),
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(outers)
def test_the_json_of_any_value_fits_its_schema(value):
    shown = json.loads(json.dumps(plain(value)))
    Draft202012Validator(document("x", "X", Outer)).validate(shown)
    assert set(shown) == {"in", "kind", "path", "words", "maybe", "pair", "name"}


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "c"}, {"path": None}, {"words": {"a": 1}}, {"maybe": {}}, {"pair": [1]}, {"pair": ["a", 1]},
        {"name": "A"}, {"in": [{"count": -1, "id": "0" * 64}]}, {"in": [{"count": 1, "id": "0"}]}, {"more": 1},
    ],
)  # fmt: skip
def test_what_is_not_of_the_type_does_not_fit(change):
    good = plain(Outer((), "a", Path("x"), {}, None, (1, "a")))
    validator = Draft202012Validator(document("x", "X", Outer))
    validator.validate(good)
    with pytest.raises(ValidationError):
        validator.validate(good | change)


def test_docstrings_become_descriptions():
    found = document("x", "X", Outer)["$defs"]["Inner"]
    assert found["description"] == "A thing. Of two lines."
    assert found["properties"]["count"] == {"type": "integer", "minimum": 0, "description": "How many."}
    assert found["required"] == ["count", "id"]


def test_keys_that_may_lack():
    validator = Draft202012Validator(document("x", "X", Written))
    validator.validate({"must": 1})
    with pytest.raises(ValidationError):
        validator.validate({"may": "a"})


def test_shared_definitions_stand_in_their_own_file():
    shared = Schemas()
    shared.of(Inner)
    found = document("x", "X", tuple[Inner, ...], shared.definitions)
    assert found["items"] == {"$ref": "types.json#/$defs/Inner"}
    assert "$defs" not in found


def test_two_types_of_one_name_are_refused():
    other = type("Inner", (Outer,), {"__module__": __name__})
    made = Schemas()
    made.of(Inner)
    with pytest.raises(TypeError, match="Inner"):
        made.of(other)


@pytest.mark.parametrize("kind", [object, complex, Any | object])
def test_what_has_no_form_in_json_is_refused(kind):
    with pytest.raises(TypeError):
        Schemas().of(kind)
    with pytest.raises(TypeError):
        plain(object())


def test_every_answer_has_a_schema_in_the_folder():
    folder = Path(__file__).resolve().parents[2] / "schemas" / "cli"
    answering = [path for path, each in walk(cli) if isinstance(each, Command) and each.answers]
    assert len(answering) > 40
    for path in answering:
        schema = json.loads((folder / f"{'-'.join(path)}.json").read_text())
        assert schema["title"] == f"pbem {' '.join(path)} --json"
