"""Adds missing statements, also under a condition: `NAME = VALUE`, counting or collecting in a name, `yield`, and
`return` if the tests want its value. Of statements that do the same at a place, judged by the values of their
expressions there, only one is tried."""

import ast
import math
import re
from collections import defaultdict
from functools import lru_cache
from itertools import islice

from edits.evaluator import FAILED, Evaluator, visits, worth
from edits.insertions import BEFORE, ELSE, STEP, actions, can_stand, places, put_in
from edits.calls import UNUSED, closed, made_of
from edits.slots import copies, predicates
from edits.tables import TABLES
from edits.goals import Goals, methods
from facts import NUMBERS, type_name
from meter import METERS
from names import is_live, is_read
from source import FUNCTIONS

EFFECT_LINES = 3_000_000  # that asking may use in all
MOST_VALUES, MOST_SECOND, MOST_WITHIN = (
    400,
    400,
    25,
)  # expressions of one step for a place, of two, and what stands inside of these
MOST_TARGETS, MOST_SAME, MOST_DONE, MOST_GUARDED = (
    10,
    2,
    4,
    500,
)  # names given a value at a place; conditions that hold at the same
# visits; what is done to a name under each; and all that is done under one
EFFECT_COST, EXTRA_WEIGHT, OTHER, GUARDED = 6.5, 1.25, 1.8, 0.8  # of all; what their extra costs count;
# where a name shows no sign that a statement is missing; under a condition
SORT = re.compile(r"(?<== ).*|\(.*|\[.*", re.S)  # what differs in statements of one sort
MOST_NUMBERS, MOST_SAMPLED, MOST_KEYS = 4, 9, 6  # of the function; of what a container holds; of what may be its keys
CHANGES = {
    "list": ["append", "remove"],
    "bytearray": ["append"],
    "deque": ["append", "appendleft"],
    "set": ["add", "discard", "update"],
    "dict": ["update", "pop"],
}
PLAIN_VALUES = ["0", "1", "True", "False", "None", "''", "[]", "{}"]


class Effects:
    """What may be done at one place, given [(check, whether it is called once, names and values)] of its visits."""

    def __init__(self, facts, place, seen, lines):
        self.facts, (self.node, self.where), self.seen = facts, place, seen
        self.scope, failed = self.nearest_first(), facts.seen.failed
        self.spaces = [space for _, _, space in seen]
        self.failing = [i for i, (check, _, _) in enumerate(seen) if check.text in failed]
        self.asked = Evaluator(self.spaces, [name for name in self.scope if name in facts.unused], lines)
        made = TABLES["made"]
        plain = [(text, 0.3) for text in [*PLAIN_VALUES, *map(repr, facts.numbers[:MOST_NUMBERS])]] + [
            (name, 0.3) for name in self.scope if name in self.spaces[0]
        ]
        self.wanted = Goals(facts, self.asked.meter)
        texts = self.wanted.texts(self.scope, [(seen[i][0], self.spaces[i]) for i in self.failing if seen[i][1]])
        plain, more_calls = plain + texts, methods(facts, self.scope, self.spaces[0])
        self.asked.ask(
            plain
            + made_of(facts, self.scope, made["first"] + made["more_first"], (), more_calls)
            + copies(facts, self.node),
            MOST_VALUES,
            True,
        )
        within = [
            one
            for one in sorted(self.asked.found, key=lambda one: one.extra)
            if one.text not in dict(plain) and not isinstance(one.values[0], (bool, tuple, type(None)))
        ]
        inner = [(one.text, 0.03 * i) for i, one in enumerate(within[:MOST_WITHIN])]
        self.asked.ask(
            made_of(facts, self.scope, made["second"] + made["more_second"] + made["with_two"], inner),
            MOST_SECOND,
            True,
        )
        self.values = sorted(self.asked.found, key=lambda one: one.extra)

    def nearest_first(self):
        """The names in scope: those never used, then those of loops around the place, then those bound shortly
        before it."""
        loops = {
            n.id
            for up in self.facts.source.ancestors(self.node)
            if isinstance(up, ast.For)
            for n in ast.walk(up.target)
            if isinstance(n, ast.Name)
        }
        distance = dict(
            sorted(
                (
                    (n.id, 0 if n.id in loops else abs(n.lineno - self.node.lineno) + 5 * is_read(n))
                    for n in ast.walk(self.facts.source.target)
                    if isinstance(n, ast.Name)
                ),
                key=lambda one: -one[1],
            )
        )
        return tuple(
            sorted(
                self.facts.scope(self.node), key=lambda name: (name not in self.facts.unused, distance.get(name, 99))
            )
        )

    def statements(self):
        """(statement, extra cost)."""
        kinds_of = [{type_name(value) for value, seen in zip(one.values, one.seen) if seen} for one in self.values]
        for name in (*self.facts.lost, *self.scope[:MOST_TARGETS]):
            types, extra = (
                self.facts.name_types(name),
                OTHER * (name not in self.facts.still and name not in self.facts.lost),
            )
            is_live_here = is_live(self.facts.source, name, self.node, self.where > BEFORE)
            old = [worth(space[name]) if name in space else None for space in self.spaces]
            held = [space[name] for space in self.spaces if isinstance(space.get(name), (list, set, dict))]
            inside = {
                type_name(part)
                for one in held
                for part in islice(one.values() if isinstance(one, dict) else one, MOST_SAMPLED)
            } - {"none"} or {"any"}
            keys = (
                [key for key in self.scope if key != name and not self.facts.name_types(key) & CHANGES.keys()]
                if types & {"dict", "list"}
                else []
            )
            keys = [
                key
                for key in keys
                if "dict" in types
                or any(
                    isinstance(space.get(name), list) and space.get(key) in range(len(space[name]))
                    for space in self.spaces
                )
            ][:MOST_KEYS]
            for one, kinds in zip(self.values, kinds_of) if is_live_here or types & CHANGES.keys() else ():
                if (
                    is_live_here
                    and (types == {"none"} or self.facts.alike(kinds, types))
                    and any(one.seen[i] != old[i] for i in self.failing)
                ):
                    yield f"{name} = {one.text}", extra + one.extra
                yield from [
                    (text, extra + one.extra + more)
                    for text, more in self.changes(name, types, kinds, inside, keys, one)
                    if any(old)
                ]
        extra = OTHER * bool(self.facts.still)
        yield from [
            (f"yield {one.text}", one.extra + extra)
            for one in self.values
            if (self.facts.yields() or self.facts.seen.is_bare) and self.is_wanted(one)
        ]

    def is_wanted(self, one):
        """Whether failing checks may want what is yielded: where they want a list, it is in it."""
        own = (
            next(up for up in self.facts.source.ancestors(self.node) if isinstance(up, FUNCTIONS))
            is self.facts.source.target
        )
        return all(one.values[i] in goal for i in self.failing if own for goal in self.wanted.listed(self.seen[i][0]))

    def changes(self, name, types, kinds, inside, keys, one):
        """What may be done to a name with a value, given the types of what it holds and its keys, and what that
        costs more."""
        if kinds & types & NUMBERS and one.text not in ("0", "True", "False"):
            yield from [(f"{name} += {one.text}", 0.0), (f"{name} -= {one.text}", 0.2), (f"{name} *= {one.text}", 0.3)]
        if kinds & types & {"str", "list", "tuple"} and one.text not in ("''", "[]"):
            yield f"{name} += {one.text}", 0.1
        plain, keys = (
            0.4 * (one.text in PLAIN_VALUES or one.text == name),
            keys if self.facts.alike(kinds, inside) else [],
        )
        ways = sorted(types & CHANGES.keys()) if self.facts.alike(kinds, inside) else []
        yield from [
            (f"{name}.{way}({one.text})", plain + 0.4 * rank) for kind in ways for rank, way in enumerate(CHANGES[kind])
        ]
        yield from [
            (
                f"{name}[{key}] {sign} {one.text}",
                0.1 + 0.1 * rank + 0.2 * (sign != "=") + plain - UNUSED * (key in self.asked.unused),
            )
            for rank, key in enumerate(keys)
            for sign in ["=", "+=", "-="][: 3 if kinds & inside & NUMBERS and one.text != "0" else 1]
        ]

    def conditions(self):
        """(condition, extra cost, where it holds) of each set of visits where one holds that is some of all in
        failing tests."""
        found, asked = (
            {},
            dict([*made_of(self.facts, self.scope, TABLES["made"]["asked"]), *predicates(self.facts, self.scope)]),
        )
        known = {one.text for one in self.values}
        more = Evaluator(self.spaces, (), self.asked.ends_at)
        tried = [*self.values, *more.ask([pair for pair in asked.items() if pair[0] not in known])]
        for one in sorted(tried, key=lambda one: asked.get(one.text, one.extra)):
            kinds = {type_name(value) for value in one.values}
            if (
                "" in one.seen
                or not kinds & {"bool", "int", "none", "str", "list", "dict", "tuple", "set"}
                or one.text in PLAIN_VALUES
            ):
                continue
            holds = [bool(value) for value in one.values]
            extra = asked.get(one.text, one.extra) + 0.3 * (kinds != {"bool"})
            for text, truth in ((one.text, holds), (f"not {closed(one.text)}", [not h for h in holds])):
                alike = found.setdefault(tuple(truth), [])
                if any(truth[i] for i in self.failing) and not all(truth) and len(alike) < MOST_SAME:
                    alike.append((text, extra + 0.4 * len(alike), truth))
        return sorted((one for alike in found.values() for one in alike), key=lambda one: one[1])

    def returns(self, conditions):
        """(condition or nothing, `return` of what the tests want there, extra cost)."""
        checks, failed, reached, made = {}, set(self.facts.seen.failed), [], {}
        for i, (check, _, _) in enumerate(self.seen):
            checks.setdefault(check.text, []).append(i)
        if (
            not isinstance(self.facts.source.target, FUNCTIONS)
            or self.facts.yields()
            or not all(once for _, once, _ in self.seen)
            or not {*self.facts.seen.failed[:FAILED]} <= checks.keys()
        ):
            return
        for condition, extra, truth in [("", 0.0, [True] * len(self.seen))] * bool(self.where) + conditions:
            at = [
                next((i for i in places if truth[i]), None)
                for text, places in checks.items()
                if text in failed or any(truth[i] for i in places)
            ]
            if None not in at:
                reached.append((condition, extra, at))
                made[str(at)] = made.get(str(at)) or [*islice(self.in_one(at), MOST_DONE)]
                yield from [(condition, f"return {text}", extra + more) for text, more in made[str(at)]]
        for one in self.values:
            fit = lru_cache(None)(
                lambda i, one=one: (
                    bool(one.seen[i]) and self.wanted.holds(self.seen[i][0], self.spaces[i], one.values[i])
                )
            )
            if METERS.spent > self.asked.ends_at or not all(
                any(map(fit, places)) for text, places in checks.items() if text in failed
            ):
                continue
            yield from [
                (condition, f"return {one.text}", one.extra + extra)
                for condition, extra, at in reached
                if all(map(fit, at))
            ]

    def in_one(self, at):
        """(expression, extra cost): what all checks want that come by at these visits, where it is the same for all
        or has parts."""
        checks = [self.seen[i][0] for i in at]
        goals = {repr(goal) for check in checks for goal in self.wanted.goal(check) or [check]}
        METERS.spent += len(self.values)
        if len(goals) == 1 and (len(at) > 1 or goals & {*PLAIN_VALUES, "()", "b''", "set()"}):
            yield goals.pop(), 0.6
        yield from self.wanted.in_parts(
            [one._replace(values=[one.values[i] for i in at]) for one in self.values], checks
        )

    def all(self):
        """(extra cost, statement)."""
        conditions, remote = self.conditions(), self.facts.remoteness(self.node)
        done = [
            one for one in sorted(self.statements(), key=lambda one: one[1]) if can_stand(self.facts, self.node, one[0])
        ]
        sorts = defaultdict(list)
        for text, extra in done:
            sorts[SORT.sub("", text)].append((text, extra))
        guarded = [
            (condition, text, GUARDED + more + extra)
            for condition, more, _ in conditions
            for sort in sorts.values()
            for text, extra in sort[:MOST_DONE]
        ]
        guarded += [
            (condition, text, GUARDED + more + 0.1 * rank + self.asked.left_unused(f"{condition} {text}"))
            for condition, more, _ in conditions
            for rank, text in enumerate(actions(self.facts, self.node))
        ]
        guarded = sorted(guarded, key=lambda one: one[2])[:MOST_GUARDED]
        for condition, text, extra in [*(("", *one) for one in done), *guarded, *self.returns(conditions)]:
            # The first `yield` makes what is called another kind of function, wherever it stands.
            is_far = condition or text[:5] != "yield" or self.facts.yields()
            written = f"if {condition}:\n{' ' * STEP}{text}" if condition else text
            yield extra + 0.1 * bool(self.where) + remote * bool(is_far), written


def effects(search):
    """(cost, edit, None), cheapest first."""
    facts, task = search.facts, search.task
    if search.is_off("insert") or search.is_off("guard"):
        return
    branches = [
        (node, ELSE)
        for node in facts.source.statements
        if isinstance(node, ast.If) and not node.orelse and facts.is_relevant(node)
    ]
    seen_at = {
        place: seen
        for place, seen in visits(facts, [*places(facts), *branches]).items()
        if any(check.text in facts.seen.failed for check, _, _ in seen)
    }
    found = [
        (*one, place)
        for place, seen in seen_at.items()
        for one in Effects(facts, place, seen, EFFECT_LINES // len(seen_at)).all()
    ]
    first, last = task.get("lines") or (0, math.inf)
    for extra, text, place in sorted(found, key=lambda one: one[0]):
        edit = put_in(facts, *place, text, extra)
        edit.operator = "effect"
        if first <= facts.source.line_at(edit.splices[0][0]) <= last:
            yield EFFECT_COST + EXTRA_WEIGHT * edit.extra, edit, None
