"""The `return` that is missing at the end of a function: what the tests want there, and expressions that are worth it. They
are asked of the names as they were at the end in one run of the program, so that thousands cost less than a few candidates."""
import ast
import copy
import sys
from itertools import islice, product

from edits.made import UNUSED, WORD, made_of
from edits.operators import operator
from edits.tables import TABLES
from execute import ASKED_LINES, BASE, NAME, Meter, compile_program
from foresee import PLAIN, worth
from source import FUNCTIONS, Edit

MOST_ASKED, MOST_PUT_IN, MOST_GIVEN = 6_000, 120, 30     # expressions of one step and of two; those put into others; those found
WANTED_LINES = 1_000_000      # that all of them may use: one that does not end counts as more
END_LINES = 2_000               # that one expression may execute, and one check
MOST_ITEMS = 2_000          # that an iterator gives: going through one that does not end is a step which nothing can cut
PARTS, WAYS = (2, 3, 4), 3  # of a tuple or list whose parts are found one by one; expressions for each of them


def ended(facts):
    """[(check, names and values)] where the function ended without a `return`, once, in a check that fails."""
    source, (checks, names, entry) = facts.source, facts.run
    if not isinstance(source.target, FUNCTIONS) or facts.yields() or not facts.seen.is_bare:
        return []
    source.target.asked = True
    tree = copy.deepcopy(source.tree)
    del source.target.asked
    target = next(n for n in ast.walk(tree) if hasattr(n, "asked"))
    target.body.append(ast.Expr(ast.Call(ast.Name("_ended", ast.Load()), [], [])))
    seen, found, meter = [], [], Meter()

    def end():
        frame = sys._getframe(1)
        seen.append({**frame.f_globals, **frame.f_locals})
    namespace, code = dict(BASE, _ended=end), compile(ast.fix_missing_locations(tree), NAME, "exec")
    if meter.run(lambda: exec(code, namespace), END_LINES)[0] == "ok":
        namespace.update(dict.fromkeys(names, namespace.get(entry)))
        for check in checks:
            seen.clear()
            meter.run(lambda: exec(check.code, namespace), END_LINES)
            if check.text in facts.seen.failed and len(seen) == 1:
                found.append((check, seen[0]))
    return found


def bounded(value):
    """A copy of a value that is changed, or gone through, by what asks it; an iterator's ends."""
    if hasattr(value, "__next__"):
        return islice(copy.copy(value), MOST_ITEMS)
    return copy.copy(value)


def methods(facts, scope, values):
    """Methods of what unused names hold, where that is none of the usual kinds."""
    held = [name for name in (*scope, *facts.globals) if name in facts.unused and not facts.name_types(name) & PLAIN]
    return [(f"{name}.{method}", 0.1) for name in held for method in dir(values.get(name)) if method[0] != "_"
            and callable(getattr(values.get(name), method, None))]


class Asked:
    """Expressions by what they are worth at the end of the function in every check."""

    def __init__(self, facts, ends, unused):
        self.unused, self.ends_at = unused, Meter.spent + WANTED_LINES
        self.checks, self.names, self.meter = [check for check, _ in ends], facts.run[1], Meter()
        self.spaces = [dict(space, _asked=lambda value: (value, worth(value))) for _, space in ends]
        self.moving = [{name: value for name, value in space.items() if hasattr(value, "__next__") or
                        isinstance(value, (list, dict, set))} for space in self.spaces]
        self.known, self.found = set(), []
        self.goals = [self.goal(check) for check in self.checks]

    def goal(self, check):
        """What a check `assert f(…) == VALUE` wants, in a list; otherwise nothing."""
        test = getattr(ast.parse(check.text).body[0], "test", None)
        if isinstance(test, ast.Compare) and isinstance(test.left, ast.Call) and isinstance(test.ops[0], ast.Eq) and \
                getattr(test.left.func, "id", "") in self.names:
            try:
                return [ast.literal_eval(test.comparators[0])]
            except ValueError:
                pass
        return []

    def values(self, text):
        """[(value, the same as text that tells it from others)] of an expression in each check; None where it raises in one."""
        # As a part of the program, what does not end can be cut; so can what is long to be written out.
        code, values = compile_program(f"_asked(({text}))", "eval", NAME), []
        for space, moving in zip(self.spaces, self.moving) if code else ():
            def ask():
                # What the expression changes, or goes through, is there again for the next one.
                space.update((name, bounded(moving[name])) for name in code.co_names if name in moving)
                values.append(eval(code, space))
            Meter.spent += ASKED_LINES
            if self.meter.run(ask, END_LINES)[0] != "ok":
                return None
        return values if code else None

    def is_wanted(self, values):
        """Whether every check holds of a function that gives this."""
        if Meter.spent > self.ends_at:
            return False
        for check, space, value in zip(self.checks, self.spaces, values):
            stub = dict(space, **dict.fromkeys(self.names, lambda *_, **__: islice(value, MOST_ITEMS) if hasattr(value, "__next__") else value))
            if self.meter.run(lambda: exec(check.code, stub), END_LINES)[0] != "ok":
                return False
        return True

    def ends(self, text):
        """Whether what an expression gives can be gone through."""
        given = [value for value, _ in self.values(text) or [(None, None)] if hasattr(value, "__next__")]
        left = []
        outcome, _ = self.meter.run(lambda: left.extend(len(list(islice(one, MOST_ITEMS))) for one in given), END_LINES)
        return outcome == "ok" and all(count < MOST_ITEMS for count in left)

    def ask(self, texts):
        """New ones among [(expression, extra cost)]: (expression, extra cost, values). Of those of one worth the cheapest, which
        leave few names unused."""
        new = []
        texts = [(text, extra + UNUSED * sum(name not in WORD.findall(text) for name in self.unused)) for text, extra in texts]
        for text, extra in sorted(texts, key=lambda one: one[1])[:MOST_ASKED]:
            if Meter.spent > self.ends_at:
                break
            values = self.values(text) or [(None, None)]
            seen = [said for _, said in values]
            alike = None not in seen and ("".join(seen) if " at 0x" not in "".join(seen) else text)
            if alike and alike not in self.known:
                self.known.add(alike)
                new.append((text, extra, [value for value, _ in values]))
        self.found += new
        return new

    def in_parts(self):
        """Tuples and lists of as many expressions as every check wants parts, of which each is worth its part."""
        goals = [goal[0] for goal in self.goals if goal]
        kind, size = type(goals[0]) if goals else None, len(goals[0]) if goals and hasattr(goals[0], "__len__") else 0
        if len(goals) < len(self.goals) or kind not in (tuple, list) or size not in PARTS or \
                any(type(goal) is not kind or len(goal) != size for goal in goals):
            return
        parts = [list(islice((one for one in self.found if all(type(v) is type(g[i]) and v == g[i] for v, g in zip(one[2], goals))),
                             WAYS)) for i in range(size)]
        for chosen in product(*parts):
            text = ", ".join(one[0] for one in chosen)
            yield (f"({text})" if kind is tuple else f"[{text}]"), 0.2 + sum(one[1] for one in chosen)


@operator("wanted", "insert")
def _(facts, _node):
    """Put a `return` of what the failing tests want behind the last statement."""
    ends = ended(facts)
    if not ends:
        return
    source, last, rows = facts.source, facts.source.target.body[-1], TABLES["made"]
    scope = facts.scope(last)
    asked = Asked(facts, ends, [name for name in scope if name in facts.unused])
    first = asked.ask(made_of(facts, scope, rows["first"] + rows["more_first"], (), methods(facts, scope, ends[0][1])))
    inner = [(text, 0.05 * i) for i, (text, _, _) in enumerate(first[:MOST_PUT_IN]) if asked.ends(text)]
    asked.ask(made_of(facts, scope, rows["second"] + rows["more_second"], inner))
    found = [(text, extra) for text, extra, values in sorted(asked.found, key=lambda one: one[1]) if asked.is_wanted(values)]
    for text, extra in islice([*found, *asked.in_parts()], MOST_GIVEN):
        at, indent = source.span(last)[1], source.indent(last)
        yield Edit(((at, at, f"\n{indent}return {text}"),), "", f"return {text}", extra)
