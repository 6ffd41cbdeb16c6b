"""What the tests want of a function, and expressions that are worth it."""

import ast
import re
from collections import defaultdict
from functools import lru_cache
from itertools import chain, islice, permutations, product

from edits.evaluator import END_LINES, MOST_ITEMS, worth
from edits.calls import WORD
from evidence import is_value
from names import offered

PLAIN = {"int", "float", "bool", "str", "list", "tuple", "dict", "set", "none", "function", "any"}
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


class Goals:
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
