"""The second verifier with any one of its checks left out: does a vector notice?"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent
CHECKED = ("stranger_forms", "stranger_game", "stranger_audit", "stranger_texts", "stranger")
NAMES = (*CHECKED[:-1], "stranger_cases", "stranger", "judges")


class Checks(ast.NodeTransformer):
    """Makes each check one that can be left out: `need(a and b, ...)`, `need(a or off1 ...)`."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.found: list[str] = []

    def _off(self, line: int, part: int = 0) -> ast.expr:
        self.found.append(f"{self.module}:{line}" + (f"/{part}" if part else ""))
        return ast.parse(f"DROPPED[0] == {self.found[-1]!r}", mode="eval").body

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = node.value
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "need"
        ):
            judged = call.args[0]
            if isinstance(judged, ast.BoolOp) and isinstance(judged.op, ast.And):
                for n, part in enumerate(judged.values):
                    judged.values[n] = ast.BoolOp(ast.Or(), [part, self._off(node.lineno, n + 1)])
            else:
                call.args[0] = ast.BoolOp(ast.Or(), [judged, self._off(node.lineno)])
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node if node.name == "need" else self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        made = node.exc.func if isinstance(node.exc, ast.Call) else None
        translated = node.cause is not None  # a refusal by a library
        if isinstance(made, ast.Name) and made.id in ("Bad", "Missing") and not translated:
            return ast.If(ast.UnaryOp(ast.Not(), self._off(node.lineno)), [node], [])
        return node


def load(dropped: list[str]) -> tuple[ModuleType, dict[str, list[str]]]:
    """The judges over a verifier that leaves out the check named in `dropped`; checks by line."""
    saved = {name: sys.modules.pop(name) for name in NAMES if name in sys.modules}
    lines: dict[str, list[str]] = {}
    try:
        for name in NAMES:
            path = HERE / f"{name}.py"
            tree = ast.parse(path.read_text())
            if name in CHECKED:
                checks = Checks(name)
                tree = ast.fix_missing_locations(checks.visit(tree))
                for check in checks.found:
                    lines.setdefault(check.split("/")[0], []).append(check)
            module = sys.modules[name] = ModuleType(name)
            module.__file__ = str(path)
            vars(module)["DROPPED"] = dropped
            exec(compile(tree, str(path), "exec"), vars(module))
        return sys.modules["judges"], lines
    finally:
        for name in NAMES:
            sys.modules.pop(name, None)
        sys.modules.update(saved)


def unnoticed() -> list[str]:
    """The checks that can be left out without any vector coming out otherwise."""
    dropped = [""]
    judges, lines = load(dropped)
    refused: dict[str, list] = {}
    for vector in judges.OURS:
        line = raised_at(judges, vector)
        if line:
            refused.setdefault(line, []).append(vector)
    found = []
    for line, checks in lines.items():
        for dropped[0] in checks:
            if not any(
                outcome(judges, vector) != vector.expect for vector in refused.get(line, ())
            ):
                found.append(dropped[0])
    return found


def raised_at(judges: ModuleType, vector) -> str:
    """The line of the check that refuses it."""
    try:
        judges.JUDGES[vector.what](vector.payload, judges.Facts(vector.facts))
    except (judges.Bad, judges.Missing) as refused:
        at, found = refused.__traceback__, ""
        while at is not None:
            code = at.tb_frame.f_code
            name = Path(code.co_filename).stem
            if name in CHECKED and code.co_name != "need":
                found = f"{name}:{at.tb_lineno}"
            at = at.tb_next
        return found
    return ""


def outcome(judges: ModuleType, vector) -> str:
    try:
        return judges.judge(vector)[0]
    except Exception as fault:  # what a missing check lets through can end in anything
        return type(fault).__name__


if __name__ == "__main__":
    for check in unnoticed():
        name, line = check.split("/")[0].split(":")
        print(check, (HERE / f"{name}.py").read_text().splitlines()[int(line) - 1].strip())
