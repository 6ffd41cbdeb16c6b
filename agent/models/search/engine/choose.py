"""Choosing among candidates that pass: how natural the edit is, what was asked for, how it behaves elsewhere."""
import ast
import copy
import math
import random
import re
from collections import Counter, defaultdict
from typing import NamedTuple

from execute import Cut, is_huge
from facts import BUILTINS
from tables import TABLES

TOKEN = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|\"[^\"\n]*\"|'[^'\n]*'|[*/<>=!+-]=|\*\*|//|\S")
LETTERS = "abcdefghijklmnopqrstuvwxyzAEIOUXYZ"
INPUTS = 40             # mutated inputs on which candidates are compared
COMPARED = 200          # candidates compared
LIBRARY = {name for kind in (str, list, dict, set, math) for name in dir(kind)} | BUILTINS


def prose(instruction, entry):
    """The instruction without its examples and code."""
    lines = instruction.lower().split("\n")
    return "\n".join(line for line in lines if ">>>" not in line and entry.lower() + "(" not in line)


def tokens(text):
    return TOKEN.findall(re.sub(r"#.*", "", text))


def changed_tokens(old, new):
    before, after = Counter(tokens(old)), Counter(tokens(new))
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


def unused_names(tree):
    """How many parameters and variables are never read."""
    names = [n for n in ast.walk(tree) if isinstance(n, ast.Name)]
    read = {n.id for n in names if not isinstance(n.ctx, ast.Store)}
    written = {n.id for n in names if isinstance(n.ctx, ast.Store)}
    written |= {a.arg for a in ast.walk(tree) if isinstance(a, ast.arg)}
    return len(written - read - {"_", "self"})


def bigrams(text):
    found = tokens(text)
    return Counter(zip(found, found[1:]))


def text_features(source, program, told):
    """How an edited program differs from the buggy one, as numbers; 0 is neutral, more is less natural."""
    gone, come = changed_tokens(source.text, program)
    new_pairs = bigrams(program) - bigrams(source.text)
    known = bigrams(source.text)
    return {
        "asked_come": -min(2, sum(is_asked(t, told) for t in come)),
        "unused": unused_names(ast.parse(program)) - unused_names(source.tree),
        "strange": min(8, sum(pair not in known for pair in new_pairs)),
        "longer": min(12, len(come)),
        "shorter": min(12, len(gone)),
    }


def mutated(value, draw):
    """A value of the same type near another one."""
    if isinstance(value, bool):
        return draw.random() < 0.5
    if isinstance(value, int):
        drawn = [draw.randint(-10, 20), draw.randint(0, 100), value + draw.randint(0, 9)]
        return draw.choice([value + 1, value - 1, value + 2, -value, 0, 1, value * 2] + drawn)
    if isinstance(value, float):
        return draw.choice([value + 1, value - 0.5, -value, 0.0, round(value * 1.5, 2), float(int(value))])
    if isinstance(value, (list, tuple, str)):
        items = list(value)
        for _ in range(draw.randint(1, 2)):
            change_items(items, draw)
        return "".join(map(str, items)) if isinstance(value, str) else type(value)(items)
    if isinstance(value, dict):
        return {k: mutated(v, draw) for k, v in value.items() if draw.random() < 0.8}
    return value


def change_items(items, draw):
    kind = draw.randint(0, 8)
    at = draw.randrange(len(items)) if items else 0
    if not items:
        return
    if kind == 0:
        del items[at]
    elif kind == 1:
        items.insert(at, items[draw.randrange(len(items))])
    elif kind == 2:
        draw.shuffle(items)
    elif kind == 3:
        items.reverse()
    elif kind == 4:
        del items[at:]
    elif isinstance(items[at], str) and len(items[at]) == 1:
        letters = draw.choice([LETTERS, items[at].swapcase(), "".join(map(str, items)), " .,-019"])
        items[at] = draw.choice(letters)
        change_items(items, draw)
    else:
        items[at] = mutated(items[at], draw)


def mutated_inputs(inputs, seed):
    """Arguments near those of the visible tests."""
    draw, found = random.Random(seed), {}
    usable = [i for i in inputs if i and len(repr(i)) < 2000]
    for attempt in range(INPUTS * 4 if usable else 0):
        arguments = list(copy.deepcopy(usable[attempt % len(usable)]))
        at, other = draw.randrange(len(arguments)), draw.randrange(len(arguments))
        if at != other and type(arguments[at]) is type(arguments[other]):
            arguments[at], arguments[other] = arguments[other], arguments[at]
        else:
            arguments[at] = mutated(arguments[at], draw)
        found.setdefault(repr(arguments), arguments)
        if len(found) == INPUTS:
            break
    return list(found.values())


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


def log_sum(values):
    most = max(values)
    return most + math.log(sum(math.exp(v - most) for v in values))


class Candidate(NamedTuple):
    """A program that passes. `cost` is of its edit alone."""
    cost: float
    edit: object
    code: object
    program: str


class Ranked(NamedTuple):
    score: float        # lower is better
    cost: float
    edit: object
    program: str
    features: dict
    behaviour: str


class Chooser:
    """Ranks candidates by the weights of the ranking rules; the task may switch rules `off`."""

    def __init__(self, source, facts, trial, told, priors, task):
        self.source, self.trial, self.told = source, trial, told
        off = task.get("off", ())
        self.weights = {name: 0.0 if name in off else weight for name, weight in priors["weights"].items()}
        self.inputs = mutated_inputs(facts.seen.inputs, task.get("seed", 0))
        self.prose = prose(facts.instruction, trial.entry)

    def features(self, candidate, buggy):
        found = text_features(self.source, candidate.program, self.prose)
        found["told_failed"] = sum(o != "ok" for o in self.trial.outcomes(candidate.code, self.told))
        seen, edit = behaviour(self.trial, candidate.code, self.inputs), candidate.edit
        found["floored"] = float("//" in edit.new and "//" not in edit.old and any(s.startswith("float") for s in seen))
        found["unchanged"] = float(seen == buggy)
        found["changes"] = sum(a != b for a, b in zip(seen, buggy)) / max(1, len(seen))
        return found, "\n".join(seen)

    def rank(self, candidates, buggy_code):
        """Ranked candidates, best first. Those that behave alike add up: their score is mostly that of their group."""
        buggy = behaviour(self.trial, buggy_code, self.inputs)
        rows, groups = [], defaultdict(list)
        for candidate in candidates[:COMPARED]:
            features, seen = self.features(candidate, buggy)
            score = candidate.cost + sum(self.weights[name] * value for name, value in features.items())
            groups[seen].append(-self.weights["focus"] * score)
            rows.append(Ranked(score, candidate.cost, candidate.edit, candidate.program, features, seen))
        agreed = {seen: self.weights["agreement"] * log_sum(scores) for seen, scores in groups.items()}
        return sorted((row._replace(score=row.score - agreed[row.behaviour]) for row in rows), key=lambda row: row[:2])
