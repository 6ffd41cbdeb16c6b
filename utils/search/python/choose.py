"""Choosing among candidates that pass: cost of the edit, words of the instruction, behaviour on other inputs."""

import ast
import math
import re
from collections import Counter, namedtuple

from compare import behaviour, differences, is_opaque
from names import BUILTINS
from edits.tables import TABLES
from source import deep

TOKEN = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|\"[^\"\n]*\"|'[^'\n]*'|[*/<>=!+-]=|\*\*|//|\S")
LIBRARY = {name for kind in (str, list, dict, set, math) for name in dir(kind)} | BUILTINS


def changed_tokens(old, new):
    """Tokens that went and tokens that came."""
    before, after = (Counter(TOKEN.findall(re.sub(r"#.*", "", text))) for text in (old, new))
    return list((before - after).elements()), list((after - before).elements())


def is_asked(token, instruction):
    """Whether the instruction mentions a token: by its name, by a similar word, or as a value."""
    if token[0] in "\"'":
        return len(token) > 2 and token[1:-1].lower() in instruction
    if token[0].isdigit():
        return re.search(rf"(?<![\w.]){re.escape(token)}(?!\w\w|\.\d)", instruction) is not None
    told = token.lower()[:4] in instruction or re.search(TABLES["asked_by"].get(token, "$^"), instruction)
    return token in LIBRARY and bool(told)


def calls_in(program):
    """How often each function is called, by its text; those whose arguments are unpacked; names of parameters."""
    counts, unpacked, parameters = Counter(), set(), set()
    for node in ast.walk(deep(ast.parse, program)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            counts[name] += 1
            if any(isinstance(one, ast.Starred) for one in node.args):
                unpacked.add(name)
        elif isinstance(node, ast.arg):
            parameters.add(node.arg)
    return counts, unpacked, parameters


def repeats(before, after):
    """A function that is called in one more place than before and may have effects that we cannot see: a parameter, or
    one that is called with unpacked arguments. None if there is none."""
    counts, unpacked, parameters = calls_in(before)
    unknown = unpacked | parameters
    return next(
        (name for name, count in calls_in(after)[0].items() if count > counts[name] > 0 and name in unknown), None
    )


# A passing program. `cost`: of its edit alone; `score`: its rank, lower is better; `size`: tokens removed and added;
# `behaviour`: empty if not known yet; `absurd`: number of absurd expressions in it; `breaks`: as `new_error` gives it.
FIELDS = "cost edit code program features score size behaviour absurd breaks"
Candidate = namedtuple("Candidate", FIELDS, defaults=({}, 0.0, 0, (), 0, None))


def call_of(arguments):
    """Arguments as they are written in a call."""
    return f"({', '.join(map(repr, arguments))})"


def new_error(before, after, inputs):
    """The shortest arguments for which a program raises an error and did not before. None if there are none."""
    raised = [i for i, (old, new) in enumerate(zip(before, after)) if new == "raised" and old not in ("raised", "cut")]
    return inputs[min(raised, key=lambda i: len(repr(inputs[i])))] if raised else None


def rank(candidates, buggy, source, facts, trial, weights, inputs, limit=math.inf, must_end=lambda: False):
    """Candidates with their features and scores, best first, those that cost more than the limit behind all others; of
    those that behave like the best the smallest leads."""
    prose, found = facts.prose.lower(), []
    unchanged = behaviour(trial, buggy, inputs)
    for candidate in candidates[:200]:
        if found and must_end():
            break
        gone, come = changed_tokens(source.text, candidate.program)
        seen = candidate.behaviour or behaviour(trial, candidate.code, inputs)
        features = {
            "asked_come": -min(2, sum(is_asked(token, prose) for token in come)),
            "shorter": min(12, max(0, len(gone) - len(come))),
            "replaced": min(12, len(gone), len(come)),
            "unchanged": float(seen == unchanged),
            "opaque": float(any(map(is_opaque, seen))),
        }
        score = candidate.cost + sum(weights.get(name, 0.0) * value for name, value in features.items())
        breaks = None if "raise" in come else new_error(unchanged, seen, inputs)
        found.append(
            candidate._replace(
                features=features, score=score, size=len(gone) + len(come), behaviour=seen, breaks=breaks
            )
        )
    found.sort(key=lambda candidate: (candidate.cost > limit, candidate.score))
    first = min(
        (one for one in found if one.behaviour == found[0].behaviour and (one.cost <= limit or one is found[0])),
        key=lambda candidate: candidate.size,
    )
    return [first] + [one for one in found if one is not first]


def distinct(ranked, inputs, most):
    """(candidate, number of an input that shows it) of those that do something else than the best and than each
    other. On an input that lies outside of what the function is for, all may raise what they like."""
    found, known = [], [one.behaviour for one in ranked[:1]]
    for one in ranked[1:]:
        differing = differences(one.behaviour, known[0])
        if differing and one.behaviour not in known and len(found) < most:
            found.append((one, min(differing, key=lambda i: len(repr(inputs[i])))))
            known.append(one.behaviour)
    return found
