"""What expressions would be worth if they stood somewhere, seen in a run of the program as it is: an edit that changes
no value in a failing test repairs nothing, and edits that are worth the same do the same."""

import ast
import re
import sys
from functools import lru_cache

from edits.tables import TABLES
from execute import ASKED_LINES, BASE, compile_asked, compile_tree, report
from meter import METERS, Meter
from source import FUNCTIONS, Draft, Edit, deep, walk

MOST_VISITS = 40  # of a place in one check that are watched
FAILED, PASSED = 3, 2  # checks that are run
MOST_LINES = 4_000  # that one executes; of one that does not end by then nothing is known
PURE_CALLS = {*TABLES["pure_calls"]}  # calls that change nothing
PLAIN = {"int", "float", "bool", "str", "list", "tuple", "dict", "set", "none", "function", "any"}
FILLED = re.compile(
    r"(\s*(?:return |yield |if |\w+(?:\[[^]=]*\])? [-+*]?= ))(.+?)(:\n.*|\s*)$", re.S
)  # a statement with an expression in it
GIVEN = re.compile(r"(\s*\w+\.\w+\()(.+)(\)\s*)$", re.S)  # the same of a method


@lru_cache(None)
def asked_code(facts, text):
    """Code object of an expression that may be asked more than once: it calls what changes nothing, and its names hold
    plain values; None for others."""
    code = compile_asked(text)
    if not code:
        return None
    plain = all(
        name in PURE_CALLS or name not in facts.functions and facts.name_types(name) <= PLAIN
        for name in code.co_names
        if name != "_power"
    )
    return code if plain else None


def worth(value, is_copy=False):
    """A value as text that tells it from others, or None where it is too large. A copy of what is named is another
    one: what is changed later is not it."""
    if type(value) in (int, bool, float):
        return f"{type(value).__name__} {value!r}"[:600]
    if isinstance(value, (list, tuple, dict, set, str)) and len(value) > 200:
        return None
    kind = "copy " * (is_copy and isinstance(value, (list, dict, set))) + type(value).__name__
    return f"{kind} {sorted(map(repr, value)) if isinstance(value, (set, frozenset)) else repr(value)}"[:600]


class Place:
    """Puts a call that reports its number before (`asked`) or behind every numbered statement, and around every
    numbered expression."""

    def visit(self, tree):
        for node in walk(tree):
            for field in ("body", "orelse", "finalbody"):
                block = getattr(node, field, None)
                if isinstance(block, list):
                    setattr(node, field, [part for one in block for part in self.reported(one)])
            if isinstance(node, ast.expr) and hasattr(node, "asked"):
                report(node, "_asked", node.asked)
        return tree

    def reported(self, node):
        def call(number):
            return ast.copy_location(ast.parse(f"_asked({number}, None)").body[0], node)

        if isinstance(node, ast.stmt) and hasattr(node, "asked"):
            yield call(node.asked)
        yield node
        if hasattr(node, "asked_else"):
            node.orelse.append(call(node.asked_else))
        if hasattr(node, "asked_behind"):
            yield call(node.asked_behind)


class Foresight:
    """Runs the program on the checks and asks at each visit of a place what expressions are worth there."""

    def __init__(self, facts):
        self.facts, (checks, self.names, self.entry) = facts, facts.run
        failed = [c for c in checks if c.judges and c.text in facts.seen.failed]
        passed = [c for c in checks if c.judges and c.text not in facts.seen.failed]
        self.is_whole = len(failed) <= FAILED and len(passed) <= PASSED
        self.checks = [c for c in checks if not c.judges or c in failed[:FAILED] or c in passed[:PASSED]]

    def worths(self, asked):
        """asked: [(node, [texts])] -> for each node, by text, None where it cannot be asked, else [(whether the check
        failed, values)] for each check; and under the text None those of the node itself."""
        numbers, found, left, copies = {}, [], {}, self.facts.source.copies()
        for node, texts in asked:
            copies[node].asked = number = numbers.setdefault(node, len(numbers))
            codes = [(text, asked_code(self.facts, text)) for text in texts]
            found.append({text: [] for text in [None, *(text for text, code in codes if code)]})
            left[number] = [(text, code) for text, code in codes if code]
        named = {
            number for node, number in numbers.items() if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))
        }
        state, visits = [[] for _ in numbers], [0] * len(numbers)
        dropped = [set() for _ in numbers]

        def visit(number, value):
            visits[number] += 1
            if visits[number] > MOST_VISITS:
                dropped[number].add(None)
                return value
            METERS.spent += ASKED_LINES * len(left[number])
            frame, row = sys._getframe(1), {None: worth(value)}
            known, own, gone, is_named = frame.f_globals, frame.f_locals, dropped[number], number in named
            for text, code in left[number]:
                if text not in gone:
                    try:
                        made = eval(code, known, own)
                        row[text] = worth(made, is_named and made is not value)
                    except Exception as error:
                        row[text] = f"raised {type(error).__name__}"
                    except BaseException:
                        gone.add(text)
            gone.update([text for text, seen in row.items() if seen is None])
            state[number].append(row)
            return value

        namespace, meter = dict(BASE, _asked=visit), Meter()
        code = compile_tree(deep(Place().visit, copies[self.facts.source.tree]))
        if meter.run(lambda: exec(code, namespace), MOST_LINES)[0] != "ok":
            return None
        namespace.update(dict.fromkeys(self.names, namespace.get(self.entry)))
        for check in self.checks:
            visits[:] = [0] * len(visits)
            outcome, _ = meter.run(lambda: exec(check.code, namespace), MOST_LINES)
            self.is_whole = self.is_whole and outcome != "cut"
            for number, rows in enumerate(state):
                for text, seen in found[number].items() if check.judges else ():
                    seen.append((outcome not in ("ok", "cut"), [row[text] for row in rows if text in row]))
                rows.clear()
        return [
            {text: None if text in gone or None in gone else seen for text, seen in one.items()}
            for one, gone in zip(found, dropped)
        ]


def form_of(facts, draft, edit, number=0):
    """(splices of a program with a call of `_hole` in the place of an expression, or in two, the expressions), or
    None: in functions in functions what can be read is not known from outside, and without parentheses a text may
    be no expression of its own."""
    source, hole = facts.source, f"_hole({number})"
    if isinstance(draft, Edit) and draft.parts:
        (one, written), second = draft.parts
        splices, asked = form_of(facts, one, written) or (written.splices, ())
        more, also = form_of(facts, *second, len(asked)) or (second[1].splices, ())
        return (splices + more, asked + also) if asked or also else None
    if isinstance(draft, Edit):
        (start, end, new), *more = edit.splices
        found = edit.asked and not more and is_plain(facts, edit.asked) and (FILLED.match(new) or GIVEN.match(new))
        return found and (((start, end, found.group(1) + hole + found.group(3)),), (found.group(2),)) or None
    splices = opened(facts, draft.node, hole)
    if not splices or draft.bare and source.fit(draft.node, draft.text) != draft.text:
        return None
    return splices, (draft.text,)


@lru_cache(None)
def opened(facts, node, hole):
    """The splices that put a call of `_hole` in the place of a node; None where what stands there cannot be asked."""
    if not isinstance(node, ast.expr) or not is_open(facts, node) or not is_plain(facts, node):
        return None
    return ((*facts.source.span(node), hole),)


@lru_cache(None)
def is_plain(facts, node):
    """Whether a node stands in a function that stands in no other."""
    return sum(isinstance(up, FUNCTIONS) for up in facts.source.ancestors(node)) == 1


@lru_cache(None)
def is_open(facts, node):
    """Whether what stands at a node can be asked from outside: its values are its function's, not a comprehension's."""
    inner = (ast.comprehension, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    return (
        node in facts.seen.types
        and facts.runs_in_calls(node)
        and not any(isinstance(up, inner) for up in facts.source.ancestors(node))
    )


def foreseen(facts, drafts):
    """For drafts of expressions: None where one repairs nothing, as it changes no value in a failing test, or raises at
    once; where no test passes by twice, what makes those alike that are worth the same. Of others nothing is known."""
    texts = {}
    for one in drafts:
        if isinstance(one, Draft) and isinstance(one.node, ast.expr) and is_open(facts, one.node):
            texts.setdefault(one.node, {})[one.text] = None
    foresight = Foresight(facts)
    worths = foresight.worths([(node, list(asked)) for node, asked in texts.items()]) if texts else None
    by_node, found = dict(zip(texts, worths or ())), {}
    catches = any(isinstance(n, ast.Try) for n in facts.source.nodes) or any(
        "raises" in c.text.lower() or "except" in c.text for c in foresight.checks
    )
    for one in drafts:
        seen = by_node.get(one.node, {}).get(one.text) if isinstance(one, Draft) else None
        before = seen and by_node[one.node][None]
        if before:
            failing = [(new, old) for (failed, new), (_, old) in zip(seen, before) if failed]
            if any(new == old or new and not catches and new[0][:6] == "raised" for new, old in failing):
                found[one] = None
            elif foresight.is_whole and all(len(new) < 2 for _, new in seen):
                found[one] = ("worth", one.node, repr(seen))
    return found
