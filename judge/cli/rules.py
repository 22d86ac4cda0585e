"""``judge rules``: list, show, check and compare house rules, and say them as the players will read them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from judge.cli.opening import now
from judge.errors import BadInput, JudgeError
from judge.render.mails import in_words, meanings
from judge.resources import data_dir
from judge.rules.board import Board
from judge.rules.houserules import STANDARD, HouseRules, Key, keys
from judge.variants import board_names, load_board, load_rules, preset_names
from judge.variants.keytext import allowed_values, differences, plain, table, toml
from judge.variants.tomlfile import TomlFile

_VARIANT = click.option(
    "--variant",
    default="standard",
    show_default=True,
    help="The board that the rules must fit; `judge rules boards` lists them.",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.group()
def rules() -> None:
    """List, show, check and compare house rules.

    \b
    Example:
      judge rules list
      judge rules show japan-1910
      judge rules check mine.toml
      judge rules diff standard mine.toml
    """


@rules.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def list_presets(as_json: bool) -> None:
    """List the presets, with how many keys each sets to another value than the default.

    \b
    Example:
      judge rules list
    """
    for name in preset_names():
        changed = len(differences(STANDARD, load_rules(name)))
        title = _title(data_dir("games") / "houserules" / f"{name}.toml")
        if as_json:
            click.echo(json.dumps({"name": name, "title": title, "changed": changed}, ensure_ascii=False))
        else:
            click.echo(f"{name:14}  {title:48}  {changed or 'no'} key{'s' if changed != 1 else ''} changed")


@rules.command()
@_JSON
def boards(as_json: bool) -> None:
    """List the boards that a game can be played on.

    \b
    Example:
      judge rules boards
    """
    found = [load_board(name) for name in board_names()]
    if as_json:
        click.echo(json.dumps({b.name: {"powers": list(b.powers), "centres": len(b.supply_centres())} for b in found}))
        return
    for board in found:
        centres = len(board.supply_centres())
        click.echo(f"{board.name:14}  {len(board.powers)} powers, {centres} centres, {board.victory_centres} win")


@rules.command()
@click.argument("name_or_file")
@click.option("--changed", is_flag=True, help="Only the keys that have another value than the default.")
@_VARIANT
@_JSON
def show(name_or_file: str, changed: bool, variant: str, as_json: bool) -> None:
    """Show every key of a preset or file: its value, the default, what is allowed, what it means.

    \b
    Example:
      judge rules show japan-1910 --changed
    """
    board = load_board(variant)
    shown = load_rules(name_or_file, board)
    wanted = [key for key in keys().values() if not changed or getattr(shown, key.field) != key.default]
    if as_json:
        entries = {key.name: _entry(key, shown, board) for key in wanted}
        click.echo(json.dumps({"name": shown.name, "keys": entries}, ensure_ascii=False))
        return
    click.echo(f"# {shown.name}")
    section = ""
    for key in wanted:
        if key.name.partition(".")[0] != section:
            section = key.name.partition(".")[0]
            click.echo(f"\n# ── {section} {'─' * (90 - len(section))}")
        _show_key(key, shown, board)


def _entry(key: Key, shown: HouseRules, board: Board) -> dict[str, Any]:
    return {
        "value": plain(getattr(shown, key.field), key),
        "default": plain(key.default, key),
        "kind": key.kind,
        "values": list(key.values),
        "meanings": meanings(key, shown, board, now()),
        "doc": key.doc,
        "datc": list(key.datc),
        "rows": list(key.rows),
        "used_by": key.used_by,
    }


def _show_key(key: Key, shown: HouseRules, board: Board) -> None:
    """One key for a game master: its value, what it is about, and what each value that it may have means."""
    value = getattr(shown, key.field)
    note = "default" if value == key.default else f"default {toml(key.default, key)}"
    click.echo(f"\n{key.name} = {toml(value, key)}    # {note}")
    sources = [f"DATC {', '.join(key.datc)}"] if key.datc else []
    sources += [" ".join(key.rows)] if key.rows else []
    for line in textwrap.wrap(key.doc, 92):
        click.echo(f"    {line}")
    told = meanings(key, shown, board, now())
    width = max(map(len, told), default=0)
    for word, meaning in told.items():
        lead = f"      {word:{width}}  "
        click.echo(textwrap.fill(meaning, 96, initial_indent=lead, subsequent_indent=" " * len(lead)))
    click.echo("    " + "; ".join([f"allowed: {allowed_values(key)}", *sources, f"used by: {key.used_by}"]))


@rules.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@_VARIANT
def check(files: Sequence[str], variant: str) -> None:
    """Check house-rules files (or presets): misspelt keys, wrong types, values that are not allowed, contradictions.

    Every fault is a line on standard error: file, line, what is wrong, what is allowed. The exit code is then 1.

    \b
    Example:
      judge rules check mine.toml
    """
    board = load_board(variant)
    bad = 0
    for name in files:
        try:
            checked = load_rules(name, board)
        except BadInput as fault:
            bad += 1
            click.echo(str(fault), err=True)
        except JudgeError as fault:
            bad += 1
            click.echo(f"{name}: {fault}", err=True)
        else:
            changed = len(differences(STANDARD, checked))
            click.echo(
                f"{name}: good; {changed or 'no'} key{'s' if changed != 1 else ''} changed, on the board {board.name}"
            )
    if bad:
        raise SystemExit(1)


@rules.command()
@click.argument("first")
@click.argument("second")
@_VARIANT
@_JSON
def diff(first: str, second: str, variant: str, as_json: bool) -> None:
    """Show the keys in which two presets or files differ.

    \b
    Example:
      judge rules diff standard japan-1910
      judge rules diff china mine.toml
    """
    board = load_board(variant)
    old, new = load_rules(first, board), load_rules(second, board)
    changed = differences(old, new)
    if as_json:
        by_name = keys()
        values = {
            d.key: {"first": plain(getattr(old, key.field), key), "second": plain(getattr(new, key.field), key)}
            for d in changed
            for key in [by_name[d.key]]
        }
        click.echo(json.dumps({"first": old.name, "second": new.name, "keys": values}, ensure_ascii=False))
        return
    width = max((len(d.key) for d in changed), default=0)
    for d in changed:
        key = keys()[d.key]
        click.echo(f"{d.key:{width}}  {toml(getattr(old, key.field), key)} -> {toml(getattr(new, key.field), key)}")
    if not changed:
        click.echo(f"{first} and {second} say the same")


@rules.command()
@click.argument("name_or_file")
@click.option("--language", default="en", show_default=True, help="The reader's language: en, ja, zh-Hans, zh-Hant.")
@_VARIANT
def words(name_or_file: str, language: str, variant: str) -> None:
    """Say the house rules in plain words, as the players will read them; * marks what is not as in the standard rules.

    \b
    Example:
      judge rules words japan-1910 --language ja
    """
    board = load_board(variant)
    for section in in_words(load_rules(name_or_file, board), board, language, now()):
        click.echo(f"\n{section.title}\n")
        for line in section.lines:
            click.echo(
                textwrap.fill(line.text, 92, initial_indent="  * " if line.special else "  - ", subsequent_indent="    ")
            )


@rules.command("table")
def print_table() -> None:
    """Print games/houserules/README.md: all keys with default, values, DATC number and the presets that set them.

    \b
    Example:
      judge rules table > games/houserules/README.md
    """
    click.echo(table({name: load_rules(name) for name in preset_names()}), nl=False)


def _title(path: Path) -> str:
    title = TomlFile.read(path).data.get("title", "")
    return str(title)
