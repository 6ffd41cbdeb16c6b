"""The `return` that is missing: what the tests want of the function, and expressions that are worth it. They are
asked of the names as they were in one run of the program, so that thousands cost less than a few candidates."""

import ast
import re
from collections import defaultdict
from functools import lru_cache
from itertools import chain, islice, permutations, product

from edits.asked import END_LINES, MOST_ITEMS, Asked, visits
from edits.made import WORD, made_of
from edits.tables import TABLES
from evidence import is_value
from foresee import PLAIN, worth
from names import offered
from source import FUNCTIONS, Edit

MOST_PUT_IN, MOST_GIVEN = 120, 30  # expressions put into others; those found
NEAR = 5  # failing checks that are asked: what holds there is tried on all
WANTED_LINES = 1_000_000  # that all of them may use: one that does not end counts as more
MOST_GOALS, MOST_HELD, MOST_TEXTS = (
    10,
    5,
    12,
)  # texts that checks want and are looked at; what names hold of one; texts made of these
PARTS, WAYS = (2, 3, 4), 3  # of a tuple or list whose parts are found one by one; expressions for each of them


def methods(facts, scope, values):
    """Methods of what unused names hold, where that is none of the usual kinds, and functions of modules that the
    function leaves unused."""
    held = [name for name in (*scope, *facts.globals) if name in facts.unused and not facts.name_types(name) & PLAIN]
    modules = sorted(facts.modules - facts.unused - set(WORD.findall(facts.source.code(facts.source.target))))
    return [
        (f"{name}.{method}", 0.1)
        for name in held
        for method in dir(values.get(name))
        if method[0] != "_" and callable(getattr(values.get(name), method, None))
    ] + [(f"{m}.{name}", 0.3) for m in modules for name in offered(m)]


class Wanted:
    """Finds expressions that give checks the value they want, from the names and values at the end of the call."""

    def __init__(self, facts, meter):
        self.names, self.meter = facts.run[1], meter

    @lru_cache(None)
    def goal(self, check, form=r"assert (\w+)\(.*\) == (.*)"):
        """[VALUE] for a check `assert f(…) == VALUE`; else an empty list."""
        found = re.fullmatch(form, check.text, re.S)
        is_known = found and found.group(1) in self.names and is_value(found.group(2))
        return [ast.literal_eval(found.group(2))] if is_known else []

    def listed(self, check):
        """The same for `assert list(f(…)) == LIST`."""
        return self.goal(check, r"assert list\((\w+)\(.*\) == (\[.*\])")

    def texts(self, scope, seen):
        """Texts of what names hold and of what stands between them, as two checks want; a single one tells only of
        signs between. `seen`: [(check, names)]."""
        goals, found = (
            [
                (goal, space)
                for check, space in seen
                for goal in self.goal(check)
                if isinstance(goal, str) and len(goal) <= 200
            ],
            defaultdict(set),
        )
        for goal, space in goals[:MOST_GOALS]:
            held = [
                (f"{{{name}}}", str(space[name]))
                for name in scope
                if name in space and worth(space[name]) and "" != str(space[name]) in goal
            ][:MOST_HELD]
            for chosen in chain(*(permutations(held, size) for size in (1, 2, 3))):
                match = re.fullmatch("(.*?)" + "(.*?)".join(re.escape(text) for _, text in chosen) + "(.*)", goal, re.S)
                between = [text.replace("{", "{{").replace("}", "}}") for text in match.groups()] if match else []
                found["f" + repr("".join(chain(*zip(between, [*(name for name, _ in chosen), ""]))))].add(goal)
        told = sorted(
            (-len(by), text)
            for text, by in found.items()
            if "{" in text and (len(by) > 1 or not re.search(r"\w", re.sub(r"{\w+}", "", text[1:])))
        )
        return [(text, 0.2 + 0.05 * i) for i, (_, text) in enumerate(told[:MOST_TEXTS])]

    def holds(self, check, space, value):
        """Whether a check holds of a function that gives this; that 1 is True counts for nothing."""
        stub = dict(
            space,
            **dict.fromkeys(
                self.names, lambda *_, **__: islice(value, MOST_ITEMS) if hasattr(type(value), "__next__") else value
            ),
        )
        return (
            all(isinstance(goal, bool) is isinstance(value, bool) for goal in self.goal(check))
            and self.meter.run(lambda: exec(check.code, stub), END_LINES)[0] == "ok"
        )

    def in_parts(self, found, checks):
        """Tuples and lists of expressions, for checks that all want one of the same length: each gives its part."""
        goals = [goal for check in checks for goal in self.goal(check)]
        kind, size = next(((type(goal), len(goal)) for goal in goals if isinstance(goal, (tuple, list))), (None, 0))
        if (
            len(goals) < len(checks)
            or size not in PARTS
            or any(type(goal) is not kind or len(goal) != size for goal in goals)
        ):
            return
        parts = [
            list(
                islice(
                    (
                        one
                        for one in found
                        if all(type(v) is type(g[i]) and v == g[i] for v, g in zip(one.values, goals))
                    ),
                    WAYS,
                )
            )
            for i in range(size)
        ]
        for chosen in product(*parts):
            text = ", ".join(one.text for one in chosen)
            yield (f"({text})" if kind is tuple else f"[{text}]"), 0.2 + sum(one.extra for one in chosen)


def wanted(facts):
    """Put a `return` of what the failing tests want behind the last statement."""
    source, last = facts.source, facts.source.target.body[-1]
    if not isinstance(source.target, FUNCTIONS) or facts.yields() or not facts.seen.is_bare:
        return
    seen = [
        (check, space)
        for check, once, space in visits(facts, [(last, True)], NEAR)[last, True]
        if once and check.text in facts.seen.failed
    ]
    if not seen:
        return
    scope, rows = facts.scope(last), TABLES["made"]
    asked = Asked([space for _, space in seen], [name for name in scope if name in facts.unused], WANTED_LINES)
    goals = Wanted(facts, asked.meter)

    def fits(one):
        return all(said and goals.holds(*at_end, value) for at_end, value, said in zip(seen, one.values, one.seen))

    if len(facts.seen.failed) > NEAR:
        asked.is_kept = fits
    new = asked.ask(
        made_of(facts, scope, rows["first"] + rows["more_first"], (), methods(facts, scope, asked.spaces[0]))
        + goals.texts(scope, seen),
        may_raise=True,
    )
    inner = [(one.text, 0.01 * i) for i, one in enumerate(new[:MOST_PUT_IN])]
    asked.ask(made_of(facts, scope, rows["second"] + rows["more_second"], inner), may_raise=True)
    found = sorted(asked.found, key=lambda one: one.extra)
    given = [(one.text, one.extra) for one in found if fits(one)]
    for text, extra in islice([*given, *goals.in_parts(found, [check for check, _ in seen])], MOST_GIVEN):
        at, indent = source.span(last)[1], source.indent(last)
        yield Edit(((at, at, f"\n{indent}return {text}"),), "", f"return {text}", extra)
