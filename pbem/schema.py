"""JSON and its JSON Schema, both from one frozen typed value: a dataclass, a NamedTuple or a TypedDict.

`plain(value)` is the JSON of a value; `Schemas` writes the schemas of types, with their docstrings as descriptions. A
field's docstring is the string below it. What a type cannot say stands beside it, as in
`Annotated[int, Limit(minimum=0)]`. A field whose name Python has taken (`in`, `count`) ends with an underscore; the
underscore is left out in JSON.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

if TYPE_CHECKING:
    import ast

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PLACE = "https://pbem.invalid/schemas/"


class Limit:
    """Keywords of JSON Schema that belong to a type: `Limit(minimum=0)`."""

    def __init__(self, **keywords: Any) -> None:
        self.keywords = keywords


Count = Annotated[int, Limit(minimum=0)]
Hash = Annotated[bytes, Limit(pattern="^[0-9a-f]{64}$")]
Code = Annotated[str, Limit(pattern="^E-[A-Z0-9-]+$")]


def plain(value: Any) -> Any:
    """A typed value as JSON: its fields as an object, bytes in hex, paths as text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    names = getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", None)
    if names is not None:
        return {name.rstrip("_"): plain(getattr(value, name)) for name in names}
    if isinstance(value, Iterable):
        return [plain(each) for each in value]
    raise TypeError(f"{type(value).__name__} has no form in JSON")


class Schemas:
    """The schemas of several types. Each class stands once among the definitions and is referred to by its name."""

    def __init__(self) -> None:
        self.definitions: dict[str, dict[str, Any]] = {}
        self._classes: dict[str, type] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        """The schema of a type; classes in it are added to `definitions`."""
        import types
        from typing import Literal, NotRequired, Required, Union, get_args, get_origin, is_typeddict

        origin, inner = get_origin(kind), get_args(kind)
        simple = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
        if kind is Any:
            return {}
        if kind in simple:
            return {"type": simple[kind]}
        if kind is bytes:
            return {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
        if origin is Annotated:
            return self.of(inner[0]) | {key: value for each in inner[1:] for key, value in each.keywords.items()}
        if origin in (NotRequired, Required):
            return self.of(inner[0])
        if origin is Literal:
            return {"const": inner[0]} if len(inner) == 1 else {"enum": list(inner)}
        if origin in (Union, types.UnionType):
            shapes = [self.of(each) for each in inner]
            if all(set(shape) == {"type"} for shape in shapes):
                return {"type": [shape["type"] for shape in shapes]}
            return {"anyOf": shapes}
        if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
            return {"type": "array", "items": self.of(inner[0])}
        if origin is tuple:
            return {
                "type": "array",
                "prefixItems": [self.of(each) for each in inner],
                "items": False,
                "minItems": len(inner),
            }
        if isinstance(origin, type) and issubclass(origin, Mapping):
            names = {} if inner[0] is str else {"propertyNames": self.of(inner[0])}
            return {"type": "object", **names, "additionalProperties": self.of(inner[1])}
        if isinstance(origin, type) and issubclass(origin, Iterable):
            return {"type": "array", "items": self.of(inner[0])}
        if isinstance(kind, type) and issubclass(kind, os.PathLike):
            return {"type": "string"}
        if isinstance(kind, type) and (
            hasattr(kind, "_fields") or hasattr(kind, "__dataclass_fields__") or is_typeddict(kind)
        ):
            return self._named(kind)
        raise TypeError(f"{kind} has no schema")

    def _named(self, kind: type) -> dict[str, Any]:
        name = kind.__name__
        if self._classes.setdefault(name, kind) is not kind:
            raise TypeError(f"two types are called {name}: {kind.__module__} and {self._classes[name].__module__}")
        if name not in self.definitions:
            self.definitions[name] = {}  # it may hold itself
            self.definitions[name] = self._object(kind)
        return {"$ref": f"#/$defs/{name}"}

    def _object(self, kind: type) -> dict[str, Any]:
        from typing import NotRequired, get_origin

        source, types = _source(kind), hints(kind)
        properties = {
            name.rstrip("_"): self.of(hint) | _described(source.fields.get(name, "")) for name, hint in types.items()
        }
        required = sorted(name.rstrip("_") for name, hint in types.items() if get_origin(hint) is not NotRequired)
        return {
            **_described(source.text),
            "type": "object",
            "properties": dict(sorted(properties.items())),
            **({"required": required} if required else {}),
            "additionalProperties": False,
        }


def document(name: str, title: str, kind: Any, shared: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The schema of one type as the file `schemas/<name>.json`; definitions that are `shared` stand in another one."""
    made = Schemas()
    body = made.of(kind)
    if set(body) == {"$ref"} and (own := body["$ref"].rpartition("/")[2]) not in (shared or {}):
        body = made.definitions.pop(own)  # the document itself
    found: dict[str, Any] = {
        "$schema": DIALECT,
        "$id": f"{PLACE}{name}.json",
        "title": title,
        **body,
        "$defs": {each: made.definitions[each] for each in sorted(made.definitions) if each not in (shared or {})},
    }
    return {key: _pointed(value, shared or {}) for key, value in found.items() if value != {}}


def _pointed(value: Any, shared: Mapping[str, Any]) -> Any:
    """References to shared definitions lead to their file."""
    if isinstance(value, dict):
        return {key: _pointed(each, shared) for key, each in value.items()}
    if isinstance(value, list):
        return [_pointed(each, shared) for each in value]
    is_shared = isinstance(value, str) and value.startswith("#/$defs/") and value.rpartition("/")[2] in shared
    return f"types.json{value}" if is_shared else value


def hints(of: Any) -> dict[str, Any]:
    """The types of a class's fields, or of a function. Names that a module imports for its type checks only count."""
    import sys
    from typing import get_type_hints

    scope = vars(sys.modules[of.__module__]) | _source(of).imported
    return get_type_hints(of, globalns=scope, localns=scope, include_extras=True)


class _Source(NamedTuple):
    """What only the source says: docstrings of a class and its fields, and imports under `if TYPE_CHECKING`."""

    text: str
    fields: dict[str, str]
    imported: dict[str, Any]


def _source(of: Any) -> _Source:
    import ast
    import inspect
    import sys

    tree = ast.parse(inspect.getsource(sys.modules[of.__module__]))
    imported: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            exec(compile(ast.Module(node.body, []), "<imports>", "exec"), imported)  # noqa: S102 - our own imports
    found = next((n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == of.__name__), None)
    if found is None:
        return _Source("", {}, imported)
    return _Source(ast.get_docstring(found) or "", dict(_field_texts(found)), imported)


def _field_texts(found: ast.ClassDef) -> Iterable[tuple[str, str]]:
    import ast
    from itertools import pairwise

    for field, text in pairwise(found.body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
        ):
            yield field.target.id, str(text.value.value)


def _described(text: str) -> dict[str, str]:
    return {"description": " ".join(text.split())} if text else {}
