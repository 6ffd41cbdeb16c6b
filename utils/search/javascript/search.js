// The search: read the task, try candidates in order, compare those that pass.

const FEW_STEPS = 2_500; // a candidate may use for one check
const MORE_STEPS = 60_000; // the same in a second round
const ALL_STEPS = 20_000_000; // of one call: of the search, then of ranking
const RANKED_STEPS = 4_000_000;
const LISTED = 4; // edits to choose from
const MOST_COMPARED = 200; // passing edits, the first ones
const MORE_LISTED = 250; // more candidates to try until there are as many
const MOST_CUT = 250; // single edits kept for the second round
const MOST_IMPROVED = 60; // the same of those that may pass more checks
const FIRST = 700; // single edits that are tried before any two
const MOST_COMPOSED = 8; // edits that others are composed with
const SECOND_EDITS = 300; // and how many others

/** One call: the buggy program is watched, then candidates are tried until the steps are used up. */
class Search {
  constructor(task, priors, watcher) {
    this.typed = new Typed(task.program);
    const lines = task.lines?.map((line) => this.typed.lineOf(line));
    Object.assign(this, { task: { ...task, lines }, priors, watcher });
    for (const [name, text] of Object.entries(task.packages ?? {})) packages.set(name, text);
    this.source = new Source(this.typed.js, task.entry);
    this.program = new Program(this.source);
    const told = instructionExamples(task.instruction, task.entry);
    this.suite = new Suite(readTests(task.tests, task.entry), told, task.entry);
    this.passing = [];
    this.alone = new Set(); // programs that pass, as they were made
    this.cursor = structuredClone(task.cursor ?? { tried: 0, cut: [], improved: [] });
    this.beyond = 0;
    this.onePasses = false; // whether a single edit passes
    this.skipped = 0; // how many of two were left out then
    this.choice = false; // whether some of those that pass are known to do different things
    this.cutOff = false;
    this.rejected = new Set((task.rejected ?? []).map((splices) => this.typed.applied(splices)));
  }

  async begin() {
    this.suite.compile(this.program.names);
    this.trial = new Trial(this.program, this.suite, FEW_STEPS, this.watcher);
    this.buggy = this.trial.fresh(this.source.text, []);
    if (!this.buggy) throw new NotDefined("it is no program that can be run by itself");
    await this.requireRunnable();
    this.isPassing = (await this.trial.passes(this.buggy)) === this.suite.checks.length;
    if (this.task.shown && this.isPassing) throw new NotDefined("its tests pass with the file alone");
    this.trial.steps = MORE_STEPS;
    const seen = await observe(this.source, this.program, this.suite, (action) => this.trial.call(action));
    this.facts = new Facts(this.source, this.task.instruction, seen, seen.failed);
    await loadParser();
    this.inputs = mutatedInputs(seen.inputs, this.task.seed ?? 0, this.facts.numbers, this.facts.measures());
    this.trial.steps = Math.max(FEW_STEPS, 4 * seen.steps);
    this.list = new Candidates(this.facts, this.priors, this.task);
  }

  /** @throws NotDefined where the program or its tests need what is not here */
  async requireRunnable() {
    if (this.suite.checks.length === 0)
      throw new NotDefined("none of its visible tests can be read, and no example stands in the instruction");
    let problem = null;
    await this.trial.call(() => {
      try {
        this.suite.open(this.program.load(this.buggy));
      } catch (error) {
        problem = error;
      }
    });
    if (problem instanceof NotHere) throw new NotDefined(`it imports ${problem.message}, which a search does not have`);
    if (problem?.code === "MODULE_NOT_FOUND")
      throw new NotDefined(`it needs what is not here: ${problem.message.split("\n")[0]}`);
  }

  /**
   * { cost, one, number }, cheapest first: single edits, from a point on with those composed of two; at the end what
   * was cut, with more steps. `number`: of a single edit its place among them.
   */
  async *stream() {
    const singles = this.list.all();
    let next = singles.next();
    function* until(isOver) {
      for (; !next.done && !isOver(next.value); next = singles.next()) yield next.value;
    }
    yield* until(({ number }) => number >= FIRST);
    const more = this.task.off?.includes("pairs")
      ? []
      : [...(await this.composed()), ...pairs(this.list.slice(0, PAIRED))];
    for (const both of more.sort((a, b) => a.cost - b.cost)) {
      yield* until(({ cost }) => cost > both.cost);
      yield both;
    }
    yield* until(() => false);
    if (this.passing.length > 0) return;
    this.trial.beginRound(Math.max(this.trial.steps, MORE_STEPS));
    for (const number of this.cursor.cut) yield this.list.at(number);
  }

  /** Two edits; the first one makes the program pass more checks. */
  async composed() {
    const firsts = (await this.improved()).slice(0, MOST_COMPOSED).map(({ number }) => this.list.at(number));
    const others = this.list.slice(0, SECOND_EDITS);
    return firsts.flatMap((first) => others.map((other) => two(first, other, -1)));
  }

  /** [{passed, number}] of the single edits that pass more checks than the program, the best first. */
  async improved() {
    const before = await this.trial.passes(this.buggy);
    const found = [];
    for (const number of this.cursor.improved) {
      const { splices } = this.list.at(number).one;
      found.push({ number, passed: await this.trial.passes(this.program.compiled(splices)) });
    }
    return found.filter(({ passed }) => passed > before).sort((a, b) => b.passed - a.passed);
  }

  async tryEdit({ cost, one, number }) {
    if (number === undefined && this.beyond > 0 && this.onePasses) {
      // Where one edit is enough, a second beside it is any that the tests do not see.
      this.skipped++;
      return;
    }
    const text = splice(this.source.text, one.splices);
    const compiled = text === null ? null : this.trial.fresh(text, one.splices);
    if (!compiled) return;
    const [outcome, passed] = await this.trial.run(compiled, text);
    if (outcome === "pass") {
      if (this.rejected.has(this.typed.written(text))) return;
      // Half of a pair that passes alone says nothing of the other half.
      if (one.parts?.some((splices) => this.alone.has(splice(this.source.text, splices)))) return;
      this.alone.add(text);
      this.onePasses ||= number !== undefined;
      this.passing.push({ cost, edit: one, compiled, program: text });
    } else if (number !== undefined && (outcome === "cut" || (passed > 0 && number < FIRST))) {
      const [list, most] = outcome === "cut" ? [this.cursor.cut, MOST_CUT] : [this.cursor.improved, MOST_IMPROVED];
      if (list.length < most) list.push(number);
    }
  }

  async isOver(cost) {
    if (this.trial.tried >= this.task.steps || this.trial.used > ALL_STEPS) return true;
    this.cutOff = this.watcher.mustEnd();
    if (this.cutOff) return true;
    if (this.passing.length === 0 || cost <= this.limit()) return false;
    // The search goes on a little, so that the caller gets a list to choose from; later edits never come first. It does
    // not stop while all passing edits behave the same: that is not a choice.
    this.beyond ||= this.trial.tried;
    const isLong = this.passing.length >= LISTED && (await this.hasChoice());
    return isLong || this.trial.tried + this.skipped >= this.beyond + MORE_LISTED;
  }

  /** Whether passing edits behave differently near the visible inputs; true if there are no inputs. */
  async hasChoice() {
    if (this.inputs.length === 0) return true;
    const [first] = this.passing;
    for (const one of this.passing) {
      if (one.seen) continue;
      one.seen = await behaviour(this.trial, one.compiled, this.inputs);
      this.choice ||= differences(one.seen, first.seen).length > 0;
    }
    return this.choice;
  }

  /** The cost up to which the edits that pass are ranked against each other. */
  limit() {
    return Math.min(...this.passing.map(({ cost }) => cost)) + this.priors.margin;
  }

  /** Tries edits from the cursor on; true if none is left. */
  async run() {
    let position = 0;
    for await (const next of this.stream()) {
      if (position >= this.cursor.tried) {
        if (await this.isOver(next.cost)) return false;
        await this.tryEdit(next);
        this.cursor.tried = position + 1;
      }
      position++;
    }
    return true;
  }

  /** The result to print: the edits that pass, and the cursor for the next call. */
  async result() {
    await this.begin();
    const ended = await this.run();
    const searched = this.trial.used;
    const mustEnd = () => this.watcher.mustEnd() || this.trial.used > searched + RANKED_STEPS;
    const { buggy, trial, inputs } = this;
    const isFound = this.passing.length > 0;
    const unchanged = isFound ? await behaviour(trial, buggy, inputs) : [];
    const passing = await compared(this.passing.slice(0, MOST_COMPARED), { trial, inputs, mustEnd });
    const behaviours = new Map([[JSON.stringify(unchanged), 0]]);
    return {
      status: isFound ? "found" : ended ? "exhausted" : "none",
      tried: trial.tried,
      passing: this.passing.length,
      cursor: this.cursor,
      lines: Math.round(trial.used),
      ...(this.task.tellsCpu ? { cpu: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6 } : {}),
      edits: passing.map((one) => described(one, this.typed, behaviours)),
      inputs: inputs.map(written),
      behaviours: [...behaviours.keys()].map((text) => JSON.parse(text)),
      isPassing: this.isPassing,
      ...(isFound ? { limit: this.limit() } : { closest: this.cutOff ? null : await this.nearest() }),
      ...(this.cutOff ? { cutOff: true } : {}),
    };
  }

  /** The single edit that passes most checks; null where none passes more than the program. */
  async nearest() {
    const [best] = await this.improved();
    if (!best) return null;
    const { splices } = this.list.at(best.number).one;
    return { splices: this.typed.inPoints(splices), passes: best.passed, of: this.suite.checks.length };
  }
}
