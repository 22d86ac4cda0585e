"""Any module of the room can be the first that is imported: none waits for another that waits for it."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import judge.play

ROOT = Path(judge.play.__path__[0])


def _modules() -> dict[str, Path]:
    named = {".".join(("judge", "play", *path.relative_to(ROOT).with_suffix("").parts)): path for path in ROOT.rglob("*.py")}
    return {name.removesuffix(".__init__"): path for name, path in named.items()}


def _imported(path: Path, modules: dict[str, Path]) -> set[str]:
    """What a module imports of the room when it is loaded itself, not in functions nor for the types alone."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{one.name}" for one in node.names}
            found |= inner & modules.keys() or {node.module}
    return found & modules.keys()


def test_no_module_waits_for_one_that_waits_for_it() -> None:
    modules = _modules()
    assert len(modules) > 100
    graph = {}
    for name, path in modules.items():
        needs = _imported(path, modules)
        # who imports a module of a package from outside loads the package first
        parents = {one.rpartition(".")[0] for one in needs} - {"judge.play"}
        graph[name] = (needs | {one for one in parents if not f"{name}.".startswith(f"{one}.")}) - {name, "judge.play"}
    assert {"judge.play.verbs", "judge.play.people"} <= graph.keys()
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the modules
