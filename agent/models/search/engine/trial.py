"""Trying candidates on the evidence: equal programs once, cheap and failing checks first, stop at a failure."""
from execute import BASE, Meter, code_key, compile_program


class Trial:
    """The checks of one task, and what the candidates tried so far did on them."""

    def __init__(self, checks, names, entry, lines, source=None):
        """`source`: the program of which all candidates are edits; what stays outside of them is compiled once."""
        self.prepare = [c for c in checks if not c.judges]
        self.judging = [c for c in checks if c.judges]
        self.price = {c.text: 50 for c in self.judging}     # lines the check takes, or its share of a failure
        self.names, self.entry = names, entry
        self.lines = lines              # executed lines a candidate may use for one check
        self.around = source.around if source else ("", "")
        self.outside = [text.strip() and compile_program(text) for text in self.around]
        draws = not source or "random" in source.text or any("random" in c.text for c in checks)
        self.meter, self.known, self.cut = Meter(draws), set(), set()
        self.tried, self.texts = 0, set()

    def call(self, action):
        return self.meter.run(action, self.lines)[0]

    def step(self, code, namespace):
        return self.call(lambda: exec(code, namespace))

    def open(self, code):
        """A namespace in which the candidate is loaded under the names the tests use, or None."""
        namespace = dict(BASE)
        parts = [part for part in (self.outside[0], code, self.outside[1]) if part]
        if any(self.step(part, namespace) != "ok" for part in parts) or self.entry not in namespace:
            return None
        namespace.update(dict.fromkeys(self.names, namespace[self.entry]))
        for check in self.prepare:
            self.step(check.code, namespace)
        return namespace

    def compiled(self, program):
        """Code object of what is between the texts around it."""
        before, behind = self.around
        return compile_program(program[len(before):len(program) - len(behind)])

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
        self.lines, self.known, self.texts = lines, self.known - self.cut, set()

    def run(self, code):
        """'pass', 'cut', or 'fail'; and how many checks it passed before."""
        self.tried += 1
        namespace = self.open(code)
        if namespace is None:
            return "fail", 0
        for position, check in enumerate(self.judging):
            before = Meter.spent
            outcome = self.step(check.code, namespace)
            self.price[check.text] = 0.9 * self.price[check.text] + 0.1 * (Meter.spent - before)
            if outcome != "ok":
                self.price[check.text] *= 0.8
                self.judging.sort(key=lambda c: self.price[c.text])
                self.cut |= {code_key(code)} if outcome == "cut" else set()
                return ("cut" if outcome == "cut" else "fail"), position
        return "pass", len(self.judging)

    def outcomes(self, code, checks):
        """The outcome of every given check."""
        namespace = self.open(code)
        return [self.step(c.code, namespace) if namespace else "raised" for c in checks]
