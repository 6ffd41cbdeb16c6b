// Trying candidates on the evidence: equal programs once, cheap and failing checks first, stop at a failure.

const ENDLESS_STEPS = 1_500_000; // what a run counts that did not end within a second, or needed too much memory

/** The checks of one task, and what the candidates tried so far did on them. */
class Trial {
  /** @param beat tells the thread that watches which run goes on @param avoided numbers of runs that did not end */
  constructor(program, suite, steps, { beat, avoided }) {
    Object.assign(this, { program, suite, steps, beat, avoided });
    this.order = suite.checks.map((_, i) => i);
    this.price = suite.checks.map(() => 50); // steps a check takes, or its share of a failure
    this.known = new Set();
    this.cut = new Set();
    this.tried = 0;
    this.used = 0;
    this.runs = 0;
  }

  async call(action) {
    this.runs++;
    if (this.avoided.includes(this.runs)) {
      this.used += ENDLESS_STEPS;
      return ["cut", ENDLESS_STEPS];
    }
    Atomics.store(this.beat, 0, this.runs);
    const done = await runMetered(action, this.steps);
    Atomics.store(this.beat, 0, 0);
    this.used += done[1];
    return done;
  }

  /** The function under test of a candidate, to be called with inputs. */
  entryOf(compiled) {
    const { defined, exported } = this.program.load(compiled);
    return defined[this.suite.entry] ?? (typeof exported === "function" ? exported : exported[this.suite.entry]);
  }

  /** A program as a function where it compiles and was not seen before, else null. */
  fresh(text, splices) {
    if (this.known.has(text)) return null;
    this.known.add(text);
    return this.program.compiled(splices);
  }

  /** What was cut so far may be tried again, with so many steps a check. */
  beginRound(steps) {
    this.steps = steps;
    for (const text of this.cut) this.known.delete(text);
  }

  async opened(compiled) {
    let checks = null;
    await this.call(() => {
      checks = this.suite.open(this.program.load(compiled));
    });
    return checks;
  }

  /** ['pass', 'cut' or 'fail', how many checks it passed before]. */
  async run(compiled, text) {
    this.tried++;
    const checks = await this.opened(compiled);
    if (!checks) return ["fail", 0];
    for (const [position, i] of this.order.entries()) {
      const [outcome, used] = await this.call(checks[i]);
      this.price[i] = 0.9 * this.price[i] + 0.1 * used;
      if (outcome === "ok") continue;
      this.price[i] *= 0.8;
      this.order.sort((a, b) => this.price[a] - this.price[b] || a - b);
      if (outcome === "cut") this.cut.add(text);
      return [outcome === "cut" ? "cut" : "fail", position];
    }
    return ["pass", this.order.length];
  }

  /** How many checks pass. */
  async passes(compiled) {
    const checks = await this.opened(compiled);
    let count = 0;
    for (const i of checks ? this.order : []) count += (await this.call(checks[i]))[0] === "ok";
    return count;
  }
}
