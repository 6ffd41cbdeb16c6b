"""Trying candidates on the evidence: equal programs once, cheap and failing checks first, stop at a failure."""

from execute import BASE, code_key, compile_program
from meter import METERS, Meter


PATIENT_LINES, PATIENCE = (
    200_000,
    5,
)  # for a check of a candidate that passes all others, and candidates that get so many


class Trial:
    """The checks of one task, and what the candidates tried so far did on them."""

    def __init__(self, checks, names, entry, lines, source=None, needed=()):
        """`source`: the program that all candidates edit; code outside of the edits is compiled once. `needed`: limits
        for single checks, by their text, in place of `lines`."""
        self.prepare = [c for c in checks if not c.judges]
        self.judging = [c for c in checks if c.judges]
        self.price = {c.text: 50 for c in self.judging}  # lines the check takes, or its share of a failure
        self.names, self.entry = names, entry
        self.lines, self.needed = lines, dict(needed)  # executed lines a candidate may use for one check
        self.patience = PATIENCE
        self.source, self.around = source, source.around if source else ("", "")
        self.outside = [text.strip() and compile_program(text) for text in self.around]
        draws = not source or "random" in source.text or any("random" in c.text for c in checks)
        self.meter, self.known, self.cut = Meter(draws), set(), set()
        self.tried, self.texts, self.space = 0, set(), {}

    def step(self, code, namespace, lines=None):
        return self.meter.run(lambda: exec(code, namespace), lines or self.lines)[0]

    def open(self, code):
        """A namespace in which the candidate is loaded under the names the tests use, or None."""
        # A function and its names hold each other: waiting for the garbage collector takes memory, and time.
        self.space.clear()
        namespace = self.space = dict(BASE)
        for part in (self.outside[0], code, self.outside[1]):
            if part and self.step(part, namespace) != "ok":
                return None
        if self.entry not in namespace:
            return None
        namespace.update(dict.fromkeys(self.names, namespace[self.entry]))
        for check in self.prepare:
            self.step(check.code, namespace)
        return namespace

    def compiled(self, program):
        """Code object of what is between the texts around it."""
        before, behind = self.around
        return compile_program(program[len(before) : len(program) - len(behind)])

    def fresh(self, program):
        """The same of a program that compiles and was not seen before, else None."""
        code = None if program in self.texts else self.compiled(program)
        self.texts.add(program)
        key = code and code_key(code)
        if code is None or key in self.known:
            return None
        self.known.add(key)
        return code

    def begin_round(self, lines):
        """What was cut so far may be tried again, with so many lines a check."""
        self.lines, self.known, self.texts, self.needed = lines, self.known - self.cut, set(), {}

    def run(self, code):
        """'pass', 'cut', or 'fail'; and how many checks it passed before."""
        self.tried += 1
        namespace = self.open(code)
        if namespace is None:
            return "fail", 0
        passed, unfinished = 0, []
        for check in list(self.judging):
            before = METERS.spent
            outcome = self.step(check.code, namespace, self.needed.get(check.text))
            self.price[check.text] = 0.9 * self.price[check.text] + 0.1 * (METERS.spent - before)
            if outcome == "ok":
                passed += 1
                continue
            self.price[check.text] *= 0.8
            self.judging.sort(key=lambda c: self.price[c.text])
            if outcome != "cut":
                return "fail", passed
            unfinished.append(check)
            if not passed and len(unfinished) > 1:
                break
        if unfinished and passed and self.patience:
            self.patience -= 1
            outcomes = (self.step(check.code, namespace, PATIENT_LINES) for check in unfinished)
            outcome = next((one for one in outcomes if one != "ok"), "ok")
            if outcome != "cut":
                return ("pass" if outcome == "ok" else "fail"), passed + (outcome == "ok")
        self.cut |= {code_key(code)} if unfinished else set()
        return ("cut" if unfinished else "pass"), passed

    def outcomes(self, code, checks):
        """The outcome of every given check."""
        namespace = self.open(code)
        return [self.step(c.code, namespace) if namespace else "raised" for c in checks]
