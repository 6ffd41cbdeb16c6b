"""Choosing among candidates that pass: what the edit costs, what the instruction speaks of, how it behaves elsewhere."""
import copy
import math
import random
import re
from collections import Counter
from typing import NamedTuple

from execute import Cut, is_huge
from facts import BUILTINS
from tables import TABLES

TOKEN = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|\"[^\"\n]*\"|'[^'\n]*'|[*/<>=!+-]=|\*\*|//|\S")
LIBRARY = {name for kind in (str, list, dict, set, math) for name in dir(kind)} | BUILTINS
INPUTS = 40             # mutated inputs on which a candidate is compared with the buggy program
COMPARED = 200          # candidates compared


def changed_tokens(old, new):
    """Tokens that went and tokens that came."""
    before, after = (Counter(TOKEN.findall(re.sub(r"#.*", "", text))) for text in (old, new))
    return list((before - after).elements()), list((after - before).elements())


def is_asked(token, instruction):
    """Whether the instruction speaks of a token: by its own name, by a like word, or as a value."""
    if token[0] in "\"'":
        return len(token) > 2 and token[1:-1].lower() in instruction
    if token[0].isdigit():
        return re.search(rf"(?<![\w.]){re.escape(token)}(?!\w\w|\.\d)", instruction) is not None
    if token not in LIBRARY:
        return False
    return token.lower()[:4] in instruction or re.search(TABLES["asked_by"].get(token, "$^"), instruction) is not None


def mutated(value, draw):
    """A value of the same type near another one."""
    if isinstance(value, bool):
        return draw.random() < 0.5
    if isinstance(value, int):
        return draw.choice([value + 1, value - 1, value + 2, -value, 0, 1, value * 2, draw.randint(-10, 100)])
    if isinstance(value, float):
        return draw.choice([value + 1, value - 0.5, -value, 0.0, round(value * 1.5, 2), float(int(value))])
    if isinstance(value, dict):
        return {k: mutated(v, draw) for k, v in value.items() if draw.random() < 0.8}
    if not value or not isinstance(value, (list, tuple, str)):
        return value
    items, at = list(value), draw.randrange(len(value))
    other = items[draw.randrange(len(items))]
    near = other.swapcase() if isinstance(value, str) else mutated(items[at], draw)
    items = draw.choice([items[:at] + items[at + 1:], items[:at] + [other] + items[at:], items[::-1], items[:at],
                         draw.sample(items, len(items))] + [items[:at] + [near] + items[at + 1:]] * 4)
    return "".join(items) if isinstance(value, str) else type(value)(items)


def mutated_inputs(inputs, seed):
    """Arguments near those of the visible tests."""
    draw, found = random.Random(seed), {}
    usable = [i for i in inputs if i and len(repr(i)) < 2000]
    for attempt in range(INPUTS * 4 if usable else 0):
        arguments = list(copy.deepcopy(usable[attempt % len(usable)]))
        at = draw.randrange(len(arguments))
        arguments[at] = mutated(arguments[at], draw)
        found.setdefault(repr(arguments), arguments)
    return list(found.values())[:INPUTS]


def shown(value):
    """A returned value as text; where an object lives in memory is no behaviour."""
    if is_huge(value):
        raise Cut
    return f"{type(value).__name__} " + re.sub(r" at 0x[0-9a-f]+", "", repr(value))[:400]


def behaviour(trial, code, inputs):
    """What a program returns or raises for each input, as text."""
    namespace, seen = trial.open(code), []
    for arguments in inputs if namespace else ():
        given = copy.deepcopy(arguments)
        outcome = trial.call(lambda: seen.append(shown(namespace[trial.entry](*given))))
        if outcome != "ok":
            seen.append(outcome)
    return seen


class Candidate(NamedTuple):
    """A program that passes. `cost` is of its edit alone."""
    cost: float
    edit: object
    code: object
    program: str


class Ranked(NamedTuple):
    score: float        # lower is better
    candidate: Candidate
    features: dict
    size: int           # tokens that went or came
    behaviour: list


class Chooser:
    """Ranks candidates by the weights of the ranking rules; the task may switch rules `off`."""

    def __init__(self, source, facts, trial, told, priors, task):
        self.source, self.trial, self.told = source, trial, told
        self.weights = {name: weight for name, weight in priors["weights"].items() if name not in task.get("off", ())}
        self.inputs = mutated_inputs(facts.seen.inputs, task.get("seed", 0))
        self.prose = facts.prose.lower()

    def ranked(self, candidate, buggy):
        """A candidate with how it differs from the buggy program; more is less likely."""
        gone, come = changed_tokens(self.source.text, candidate.program)
        seen = behaviour(self.trial, candidate.code, self.inputs)
        features = {"asked_come": -min(2, sum(is_asked(token, self.prose) for token in come)),
                    "shorter": min(12, len(gone)),
                    "told_failed": sum(outcome != "ok" for outcome in self.trial.outcomes(candidate.code, self.told)),
                    "unchanged": float(seen == buggy)}
        score = candidate.cost + sum(self.weights.get(name, 0.0) * value for name, value in features.items())
        return Ranked(score, candidate, features, len(gone) + len(come), seen)

    def rank(self, candidates, buggy_code):
        """Ranked candidates, best first; of those that behave like the best the smallest edit leads."""
        buggy = behaviour(self.trial, buggy_code, self.inputs)
        rows = sorted((self.ranked(candidate, buggy) for candidate in candidates[:COMPARED]), key=lambda row: row.score)
        first = min((row for row in rows if row.behaviour == rows[0].behaviour), key=lambda row: row.size)
        return [first] + [row for row in rows if row is not first]
