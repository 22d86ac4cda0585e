"""Powers by wish: JP-1 as the rules say it, the best sum of ranks against brute force, and draws that can be repeated."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.play.assigning import Given, assignment, draw, lot

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
SEEDS = [f"{n:04x}" for n in range(300)]
JP_1 = [["France"], ["France"], [], ["England"], ["Germany"], ["Russia"], ["Turkey"]]

lists = st.lists(st.lists(st.sampled_from(POWERS), unique=True, max_size=7), min_size=1, max_size=7)
seeds = st.text("0123456789abcdef", min_size=1, max_size=32)
methods = st.sampled_from(["preference", "best-ranks", "first-come", "random"])
clashes = st.sampled_from(["claimants", "pool"])


def powers_of(drawn: tuple[Given, ...]) -> list[str]:
    return [one.power for one in drawn]


def test_jp_1_what_does_not_clash_is_granted() -> None:
    for seed in SEEDS:
        drawn = draw("preference", "claimants", POWERS, JP_1, seed)
        assert powers_of(drawn)[3:] == ["England", "Germany", "Russia", "Turkey"]
        assert [one.how for one in drawn[3:]] == ["granted"] * 4


def test_jp_1_a_clash_is_drawn_among_the_claimants_and_the_others_draw_the_rest() -> None:
    fell = Counter(tuple(powers_of(draw("preference", "claimants", POWERS, JP_1, seed))[:3]) for seed in SEEDS)
    assert set(fell) == {
        ("France", "Austria", "Italy"),
        ("France", "Italy", "Austria"),
        ("Austria", "France", "Italy"),
        ("Italy", "France", "Austria"),
    }
    assert min(fell.values()) > len(SEEDS) // 8
    for seed in SEEDS[:20]:
        won, lost = sorted(draw("preference", "claimants", POWERS, JP_1, seed)[:2], key=lambda one: one.power != "France")
        assert (won.how, won.among, lost.how, lost.among) == ("won", 2, "left", 2)


def test_jp_1_one_pool_is_the_other_reading() -> None:
    """Player 3 named nobody, and gets France for a third of the seeds."""
    third = Counter(powers_of(draw("preference", "pool", POWERS, JP_1, seed))[2] for seed in SEEDS)
    assert set(third) == {"Austria", "France", "Italy"}
    assert all(
        powers_of(draw("preference", "pool", POWERS, JP_1, s))[3:] == ["England", "Germany", "Russia", "Turkey"]
        for s in SEEDS
    )


def test_a_lot_can_be_checked_by_any_program_that_hashes() -> None:
    def by_hand(player: int) -> str:
        return hashlib.sha256(f"5f0c:France:{player}".encode()).hexdigest()

    winner = min((1, 2), key=by_hand)
    assert powers_of(draw("preference", "claimants", POWERS, JP_1, "5f0c"))[winner - 1] == "France"
    assert lot("5f0c", "France", 1) == int(by_hand(1), 16)


@given(methods, clashes, lists, seeds)
def test_everybody_gets_one_power_and_nobody_the_same(method: Any, clash: Any, wishes: list[list[str]], seed: str) -> None:
    drawn = draw(method, clash, POWERS, wishes, seed)
    assert [one.player for one in drawn] == list(range(1, len(wishes) + 1))
    assert len(set(powers_of(drawn))) == len(wishes) and set(powers_of(drawn)) <= set(POWERS)
    assert draw(method, clash, POWERS, wishes, seed) == drawn


@given(clashes, lists, seeds)
def test_a_wish_that_nobody_else_has_is_granted(clash: Any, wishes: list[list[str]], seed: str) -> None:
    drawn = draw("preference", clash, POWERS, wishes, seed)
    firsts = Counter(wish[0] for wish in wishes if wish)
    for one, wish in zip(drawn, wishes, strict=True):
        if wish and firsts[wish[0]] == 1:
            assert (one.power, one.how) == (wish[0], "granted")
        if clash == "claimants" and one.power in firsts:
            assert wish and wish[0] == one.power


@given(lists, seeds)
def test_first_come_leaves_nobody_what_an_earlier_one_wanted_more(wishes: list[list[str]], seed: str) -> None:
    drawn = draw("first-come", "claimants", POWERS, wishes, seed)
    for one, wish in zip(drawn, wishes, strict=True):
        better = wish[: wish.index(one.power)] if one.power in wish else wish
        assert all(any(o.power == power and o.player < one.player for o in drawn) for power in better)


@settings(max_examples=40)
@given(lists, seeds)
def test_no_assignment_has_a_better_sum_of_ranks(wishes: list[list[str]], seed: str) -> None:
    cost = [[2 * (w.index(p) + 1) if p in w else len(w) + 8 for p in POWERS] for w in wishes]
    best = min(sum(cost[i][c] for i, c in enumerate(chosen)) for chosen in permutations(range(7), len(wishes)))
    drawn = draw("best-ranks", "claimants", POWERS, wishes, seed)
    assert sum(cost[one.player - 1][POWERS.index(one.power)] for one in drawn) == best


@settings(max_examples=60)
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.integers(-50, 10**40), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_the_assignment_is_exact(costs: list[list[int]]) -> None:
    columns = assignment(costs)
    assert sorted(columns) == list(range(len(costs)))
    best = min(sum(row[c] for row, c in zip(costs, chosen, strict=True)) for chosen in permutations(range(len(costs))))
    assert sum(row[c] for row, c in zip(costs, columns, strict=True)) == best


def test_equally_good_assignments_are_chosen_by_lot() -> None:
    same = [list(POWERS)] * 7
    assert len({tuple(powers_of(draw("best-ranks", "claimants", POWERS, same, seed))) for seed in SEEDS}) > 250
    firsts = Counter(powers_of(draw("best-ranks", "claimants", POWERS, same, seed))[0] for seed in SEEDS)
    assert set(firsts) == set(POWERS) and max(firsts.values()) < 3 * min(firsts.values())


def test_all_by_lot() -> None:
    drawn = Counter(powers_of(draw("random", "claimants", POWERS, [[]] * 7, seed))[0] for seed in SEEDS)
    assert set(drawn) == set(POWERS)


def test_fewer_players_than_powers_leave_powers_to_nobody_by_lot() -> None:
    played = {frozenset(powers_of(draw("random", "claimants", POWERS, [[]] * 3, seed))) for seed in SEEDS}
    assert len(played) == 35


def test_more_players_than_powers_cannot_be() -> None:
    with pytest.raises(ValueError, match="8 players, but 7 powers"):
        draw("random", "claimants", POWERS, [[]] * 8, "0")
