"""Two edits at once, where the first makes the program pass more checks."""
from functools import lru_cache

from edits.generate import candidates
from source import Source, difference, splice

FEW_LINES = 2_500       # executed lines that a candidate may use for one check
MOST_COMPOSED, SECOND_EDITS = 8, 300    # first edits that others are composed with, and how many of these


def composed(search):
    """(cost, edit, None): edits of the programs that pass more checks than the buggy one: anywhere in them, also in what the
    first put in. Guards are left to `pairs`: their conditions would have to be asked in every one of these programs."""
    found, second = [], dict(search.task, lines=None, off=[*search.task.get("off", ()), "guard"])
    for _, position in improved(search)[:MOST_COMPOSED]:
        first_cost, first = search.singles[position][0], search.source.written(search.singles[position][1])
        facts = search.look(Source(splice(search.source.text, first.splices), search.task["entry"]), FEW_LINES)
        found += [(first_cost + cost - 1.0, facts.source, draft)
                  for cost, draft in candidates(facts, search.priors, second, SECOND_EDITS)[0]]
    for cost, source, draft in sorted(found, key=lambda one: one[0]):
        program = splice(source.text, source.written(draft).splices)
        if program:
            yield cost, difference(search.source.text, program, operator="pair"), None


@lru_cache(None)
def improved(search):
    """(checks passed, position) of the single edits that pass more checks than the program, the best first."""
    def passes(code):
        return search.trial.outcomes(code, search.trial.judging).count("ok")
    before, found = passes(search.buggy), []
    for position in search.cursor["improved"]:
        edit = search.source.written(search.singles[position][1])
        found.append((passes(search.trial.compiled(splice(search.source.text, edit.splices))), position))
    return sorted((one for one in found if one[0] > before), key=lambda one: -one[0])
