// Finds a missing `return` at the end of a function. Composes expressions of the names in scope, evaluates them in a
// run of the program, and keeps those that give every failing check the value that it wants.

const MOST_MADE = 4_000; // expressions of one step, and as many of two
const MOST_INNER = 80; // of one step that are put into others
const MOST_HELD = 8; // names of a kind
const [MOST_WANTED, WAYS] = [30, 3]; // expressions that are given; for each part of what is wanted
const UNUSED = 0.7; // what an expression costs more for each unused name that it leaves unused
const PARTS = [2, 6]; // of a list, an object or a text whose parts are found one by one

/** Type names of the values that may stand for a slot. */
const KINDS_OF_SLOTS = {
  num: ["int", "float"],
  seq: ["list", "str"],
  coll: ["list", "str"],
  sized: ["map", "set"],
  fun: ["function"],
};

const kindsOf = (value) => {
  const kind = typeName(value);
  return [
    "any",
    kind,
    ...Object.entries(KINDS_OF_SLOTS).flatMap(([name, kinds]) => (kinds.includes(kind) ? [name] : [])),
  ];
};

class Wanted {
  constructor(facts, search) {
    Object.assign(this, { facts, search, body: facts.source.target.body });
    const read = new Set(
      facts.source.nodes.flatMap((node) => (node.type === "Identifier" && node.read ? [node.name] : [])),
    );
    this.scope = facts.scope(this.body.body.at(-1));
    this.unused = this.scope.filter((name) => !read.has(name));
    this.known = new Set();
    this.found = [];
  }

  /** An expression that leaves names unused costs more. */
  cost(text, extra) {
    return extra + UNUSED * this.unused.filter((name) => !mentions(text, name)).length;
  }

  cheapestFirst(texts) {
    return [...texts].map(([text, extra]) => [text, extra, this.cost(text, extra)]).sort((a, b) => a[2] - b[2]);
  }

  /** New expressions, cheapest first, of those of one worth the cheapest: `{text, extra, values, said, kinds}`. */
  async ask(texts) {
    const asking = new Asking(this.facts, this.search);
    const cheapest = this.cheapestFirst(texts).slice(0, MOST_MADE);
    const at = this.body.end - 1;
    const [rows] = await asking.run([{ node: this.body, texts: cheapest.map(([text]) => text), at }]);
    this.checks = asking.checks.filter(({ failed }) => failed);
    const made = [];
    for (const [text, extra] of rows ? cheapest : []) {
      // Where the end was come to once, the check got nothing.
      const ends = (rows.get(text) ?? []).flatMap(({ failed, rows: visits }) => (failed ? [visits] : []));
      if (ends.length === 0 || ends.some((visits) => visits.length !== 1 || visits[0].hasRaised)) continue;
      const values = ends.map(([{ value }]) => value);
      const said = values.map(worth);
      if (said.includes(null) || this.known.has(String(said))) continue;
      this.known.add(String(said));
      made.push({ text, extra, values, said, kinds: kindsOf(values[0]) });
    }
    this.found.push(...made);
    return made;
  }

  /** All ways to fill the templates with held names, one of them perhaps with an expression. */
  made(held, inner) {
    const texts = new Map();
    const { strings, shownStrings } = this.facts;
    const quoted = [...strings, "", ...shownStrings.slice(0, 4)].map((text) => JSON.stringify(text));
    const shown = oneByOne([...new Set(quoted)].slice(0, MOST_HELD), 0.05);
    const holding = (kind) =>
      held.flatMap(({ text, kinds }) => (kinds.includes(kind) ? [text] : [])).slice(0, MOST_HELD);
    const named = (kind) => (kind === "shown" ? shown : oneByOne(holding(kind), 0.04));
    const put = (kind) =>
      inner.flatMap(({ text, kinds }, i) =>
        kinds.includes(kind) ? [[isAtomic(text) ? text : `(${text})`, 0.2 + 0.02 * i]] : [],
      );
    for (const slot of inner.length > 0 ? [0, 1, 2] : [null]) {
      const choices = (kind, i) => (i === slot ? put(kind) : named(kind));
      for (const [text, extra] of expand(TABLES.made, 0.04, choices)) if (!texts.has(text)) texts.set(text, extra);
    }
    return texts;
  }

  /** What a check wants the call to give, in a list; nothing where no literal of it is that. */
  async goal({ i, text }) {
    const { suite, program, trial, buggy } = this.search;
    const isOwn = (node) => node.type === "CallExpression" && suite.names.has(nameOf(node.callee));
    const literals = [];
    const visit = (node) => {
      if (isLiteral(node)) literals.push(text.slice(node.start, node.end));
      else if (!isOwn(node)) for (const [child] of childrenOf(node)) visit(child);
    };
    visit(parse(text));
    for (const literal of literals.slice(0, 6)) {
      const value = new Function(`return (${literal});`)();
      const stub = { [suite.entry]: this.facts.source.target.async ? async () => value : () => value };
      if ((await trial.call(() => suite.open(program.load(buggy), stub)[i]()))[0] === "ok") return [value];
    }
    return [];
  }

  /** [[expression, extra]] for expressions that give each failing check what it wants. */
  async all() {
    const held = await this.ask(this.scope.map((name, i) => [name, 0.04 * i]));
    if (held.length === 0) return [];
    // The types of names that the program never reads are known only now.
    const types = new Map(held.map(({ text, values }) => [text, new Set(values.map(typeName))]));
    this.facts = Object.assign(Object.create(this.facts), { nameTypes: (name) => types.get(name) ?? new Set(["any"]) });
    const goals = [];
    for (const check of this.checks) goals.push(await this.goal(check));
    const first = goals.some((goal) => goal.length > 0) ? await this.ask(this.made(held, [])) : [];
    if (first.length === 0) return [];
    await this.ask(this.made(held, first.slice(0, MOST_INNER)));
    // Checks whose goal cannot be read judge the edit later, when it is tried.
    const told = (all) => all.filter((_, i) => goals[i].length > 0);
    const found = this.found.map((one) => ({ ...one, values: told(one.values), said: told(one.said) }));
    const said = goals.flat().map(worth);
    const whole = found.filter((one) => String(one.said) === String(said)).map(({ text, extra }) => [text, extra]);
    const all = this.cheapestFirst([...whole, ...inParts(goals.flat(), found)]);
    return all.slice(0, MOST_WANTED).map(([text, , cost]) => [text, cost]);
  }
}

const mentions = (text, name) => new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(text);

const keyOf = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** Lists, objects and texts that are put together from parts which are known. */
function* inParts(goals, found) {
  const [kind] = new Set(goals.map(typeName));
  if (goals.some((goal) => typeName(goal) !== kind)) return;
  const cheap = [...found].sort((a, b) => a.extra - b.extra);
  const ways = (values) => cheap.filter(({ said }) => said.every((one, i) => one === worth(values[i]))).slice(0, WAYS);
  if (kind === "str") return yield* inTemplate(goals, cheap);
  if (kind !== "list" && kind !== "dict") return;
  const keys = Object.keys(goals[0]);
  const isLike = (goal) => String(Object.keys(goal)) === String(keys);
  if (keys.length < PARTS[0] || keys.length > PARTS[1] || !goals.every(isLike)) return;
  for (const chosen of product(keys.map((key) => ways(goals.map((goal) => goal[key]))))) {
    const extra = 0.2 + chosen.reduce((sum, one) => sum + one.extra, 0) / keys.length;
    const entries = chosen.map(({ text }, i) =>
      kind === "list" ? text : text === keys[i] ? text : `${keyOf(keys[i])}: ${text}`,
    );
    yield [kind === "list" ? `[${entries.join(", ")}]` : `{ ${entries.join(", ")} }`, extra];
  }
}

/** A template of known texts and numbers with marks between them. */
function* inTemplate(goals, found) {
  const parts = new Map();
  for (const { text, values, extra } of found) {
    const texts = values.map(String);
    const isPart = values.every((one) => /^(?:string|number)$/.test(typeof one)) && !texts.includes("");
    if (isPart && !parts.has(texts.join("\n"))) parts.set(texts.join("\n"), { text, texts, extra });
  }
  let left = 2_000;
  function* from(at, written, count, extra) {
    if (at.every((place, i) => place === goals[i].length)) {
      if (count >= PARTS[0]) yield [`\`${written}\``, 0.2 + extra / count];
      return;
    }
    if (count >= PARTS[1] || --left < 0) return;
    for (const { text, texts, extra: more } of parts.values()) {
      if (texts.every((one, i) => goals[i].startsWith(one, at[i])))
        yield* from(
          at.map((place, i) => place + texts[i].length),
          `${written}\${${text}}`,
          count + 1,
          extra + more,
        );
    }
    const [mark] = goals[0].slice(at[0]);
    if (mark && !/[\w`$\\]/.test(mark) && goals.every((goal, i) => goal[at[i]] === mark))
      yield* from(
        at.map((place) => place + 1),
        written + mark,
        count,
        extra,
      );
  }
  yield* from(
    goals.map(() => 0),
    "",
    0,
    0,
  );
}

/** [[expression, extra]] that a `return` behind the last statement of the function may give. */
async function wanted(facts, search) {
  const { target } = facts.source;
  const isOpen = FUNCTIONS.has(target.type) && !target.generator && target.body.body?.length > 0;
  return isOpen && facts.seen.failed.length > 0 ? new Wanted(facts, search).all() : [];
}
