// What the task shows of the wanted behaviour: the statements of its visible tests, and examples in its instruction.

const TESTS = /^(?:test|it|specify)$/;
const GROUPS = /^(?:describe|suite|context)$/;
const BEFORE = /^(?:before|beforeEach|beforeAll|setup)$/;
const RUNNERS = /^(?:node:test|vitest|@jest\/globals|mocha|chai|tape|bun:test|uvu|ava)$/;
/** What stands between a call and its result in an example. */
const SIGN = new RegExp(
  [
    /\s*(?:\/\/\s*)?(?:=?=>|->|➞|➔|→|===?|(?:should |would |must )?returns?|should be|is|gives|evaluates to)\s*/,
    /[ \t]*\n\s*/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "iy",
);

const bodyOf = (node) =>
  node?.body?.type === "BlockStatement" ? node.body.body : node?.body ? [{ ...node.body, isExpressionBody: true }] : [];
const isFunction = (node) => FUNCTIONS.has(node?.type);

/** The name that a call begins with, `test` of `test.only(…)`. */
const firstName = (node) => (node.type === "MemberExpression" ? firstName(node.object) : nameOf(node));

/**
 * The statements of visible tests as checks: {text, judges, code} where `code` is put into one function with all
 * others.
 */
class Tests {
  constructor(text, entry) {
    this.text = text;
    this.entry = entry;
    this.names = new Set([entry]);
    this.prepared = [];
    this.checks = [];
    this.tree = parse(text);
    linked(this.tree);
    for (const node of this.tree.body) this.readNames(node);
    this.helpers = new Map(
      this.tree.body.flatMap((node) => {
        if (node.type === "FunctionDeclaration") return [[node.id.name, node]];
        const [one] = node.type === "VariableDeclaration" ? node.declarations : [];
        return one && isFunction(one.init) ? [[one.id.name, one.init]] : [];
      }),
    );
    // Helpers that call the function judge where they are called.
    for (const [name, node] of this.helpers) if (this.calls(node)) this.names.add(name);
    this.group(this.tree.body, { before: [], known: new Set(), isTop: true });
  }

  code(node) {
    const text = this.text.slice(node.start, node.end);
    return node.isExpressionBody ? `return ${text};` : text;
  }

  calls(node) {
    return [...namesIn(node)].some((name) => this.names.has(name));
  }

  /** The names that the tests have for what they import from files. */
  readNames(node) {
    const bind = (source, names) => {
      if (/^\.{0,2}\//.test(String(source))) for (const name of names) this.names.add(name);
    };
    if (node.type === "ImportDeclaration")
      bind(
        node.source.value,
        node.specifiers.map(({ local }) => local.name),
      );
    for (const { id, init } of node.type === "VariableDeclaration" ? node.declarations : []) {
      const call = [...(init ? below(init) : [])].find(
        (one) => one.type === "CallExpression" && nameOf(one.callee) === "require",
      );
      if (call) bind(call.arguments[0]?.value, boundIn(id));
    }
  }

  /**
   * @param before texts of statements that prepare each check of the group
   * @param known variables of the groups around it
   */
  group(statements, { before, known: around, isTop }) {
    const prepared = [...before];
    const steps = [];
    const variables = statements.filter((node) => node.type === "VariableDeclaration" && !this.binds(node));
    const known = new Set([...around, ...variables.flatMap(declaredBy)]);
    const made = this.changed(statements, known);
    const prepare = (text) => (isTop ? this.prepared : prepared).push(text);
    for (const node of statements) {
      if (this.opened(node, { before: prepared, known, isTop: false }, prepare)) continue;
      const isBinding = this.binds(node);
      const depends = isAnyIn(made, node);
      // What happens between two steps stays there: a clock goes on, a list grows.
      if (steps.length > 0 && !depends && node.type === "ExpressionStatement" && !this.calls(node)) {
        if (this.asserts(node)) continue;
        for (const name of namesIn(node)) made.add(name);
        steps.push(this.code(node));
      } else if (!depends && (isBinding || !this.calls(node))) {
        // What only asserts something of nothing that was made says nothing of the function.
        if (isBinding || !this.asserts(node)) prepare(this.prepareText(node));
      } else if (depends || /Declaration$/.test(node.type) || node.expression?.type === "AssignmentExpression") {
        for (const name of [...declaredBy(node), nameOf(node.expression?.left)]) made.add(name);
        steps.push(this.code(node));
      } else {
        this.add(prepared, [this.code(node)]);
      }
    }
    // What is done with a value that the function made is one check: its statements count on each other.
    if (steps.length > 0) this.add(prepared, steps);
  }

  /** True for what gives a helper or something from elsewhere a name. */
  binds(node) {
    const isHelper = node.type === "VariableDeclaration" && node.declarations.every(({ init }) => isFunction(init));
    return isHelper || /^(Import|Function|Class)/.test(node.type) || /\brequire\s*\(/.test(this.code(node));
  }

  asserts(node) {
    return /^(?:assert|console|expect)\b/.test(this.code(node));
  }

  /**
   * Variables that something is asserted of where nothing of the function is named: a list that is sorted in its place,
   * what a listener collects, what is made before each test. With what mentions them, such as the listener.
   */
  changed(statements, known) {
    const asserting = statements.filter((node) => this.asserts(node) && !this.calls(node));
    const found = new Set(asserting.flatMap((node) => [...namesIn(node)].filter((name) => known.has(name))));
    for (const node of statements)
      if (/Declaration$/.test(node.type) && isAnyIn(found, node)) for (const name of declaredBy(node)) found.add(name);
    return found;
  }

  prepareText(node) {
    if (node.type !== "ImportDeclaration") return this.code(node).replace(/^export\s+(?:default\s+)?/, "");
    return RUNNERS.test(node.source.value) && node.source.value !== "chai"
      ? ""
      : required(node.specifiers, `require(${node.source.raw})`);
  }

  /** Takes apart what holds tests: `test(…)`, `describe(…)`, hooks, and the call of a function without arguments. */
  opened(node, group, prepare) {
    const call =
      node.type === "ExpressionStatement"
        ? (node.expression.argument ?? node.expression)
        : node.isExpressionBody && node;
    if (call?.type !== "CallExpression") return false;
    const [name, given] = [firstName(call.callee), call.arguments];
    const run = given.findLast(isFunction);
    if (nameOf(call.callee.callee) === "each" && TESTS.test(firstName(call.callee.callee)))
      return this.rows(call, group.before);
    if (run && TESTS.test(name)) this.test(run, group);
    else if (run && GROUPS.test(name)) this.group(bodyOf(run), group);
    else if (run && BEFORE.test(name))
      prepare(
        bodyOf(run)
          .map((one) => this.code(one))
          .join("\n"),
      );
    else if (/^(?:after|afterEach|afterAll|teardown)$/.test(name)) return true;
    else if (given.length === 0 && this.helpers.has(name)) this.group(bodyOf(this.helpers.get(name)), group);
    else return false;
    return true;
  }

  test(run, { before, ...group }) {
    const names = run.params.flatMap(boundIn);
    this.group(bodyOf(run), { ...group, before: [...before, ...names.map((name) => `const ${name} = _testing;`)] });
  }

  /** `test.each(rows)(name, run)`: one check a row. */
  rows(call, prepared) {
    const [all, run] = [call.callee.arguments[0], call.arguments.findLast(isFunction)];
    if (!run || !all) return false;
    const list = all.type === "ArrayExpression" ? all.elements.map((one) => this.code(one)) : [];
    const text = (row) => `await (${this.code(run)})(...[${row}].flat(1));`;
    for (const row of list) this.add(prepared, [text(row)]);
    if (list.length === 0) this.add(prepared, [`for (const _row of ${this.code(all)}) ${text("_row")}`]);
    return true;
  }

  add(prepared, statements) {
    const text = [...prepared, ...statements].join("\n");
    this.checks.push({ text, judges: true });
  }
}

const isAnyIn = (names, node) => [...namesIn(node)].some((name) => names.has(name));

const isLiteral = (node) =>
  node.type === "Literal" ||
  (node.type === "Identifier" && /^(?:undefined|NaN|Infinity|True|False|None)$/.test(node.name)) ||
  (node.type === "UnaryExpression" && isLiteral(node.argument)) ||
  (node.type === "ArrayExpression" && node.elements.every((one) => one && isLiteral(one))) ||
  (node.type === "ObjectExpression" &&
    node.properties.every((one) => one.value && !one.computed && isLiteral(one.value)));

/** Examples like `f(2) === 4`, `f(2) ➞ 4` or `>>> f(2)` in the instruction, as checks. */
function instructionExamples(instruction, entry) {
  const found = new Map();
  const words = { True: "true", False: "false", None: "null" };
  const literal = (text) => text.replace(/\b(?:True|False|None)\b/g, (word) => words[word]);
  for (const { index } of instruction.matchAll(new RegExp(`(?<![\\w$.])${entry.replace(/\$/g, "\\$")}\\s*\\(`, "g"))) {
    const call = firstExpression(instruction, index);
    if (call?.type !== "CallExpression" || !call.arguments.every(isLiteral)) continue;
    SIGN.lastIndex = call.end;
    const sign = SIGN.exec(instruction)?.[0];
    if (sign === undefined || (sign.includes("\n") && !/>>>\s*$/.test(instruction.slice(0, index)))) continue;
    const expected = firstExpression(instruction, call.end + sign.length);
    if (!expected || !isLiteral(expected)) continue;
    const [given, wanted] = [call, expected].map(({ start, end }) => literal(instruction.slice(start, end)));
    const text = `assert.deepStrictEqual(${given}, ${wanted});`;
    found.set(text, { text, judges: true });
  }
  return [...found.values()];
}

/** Of prose, the longest part of a line from an offset on that is an expression. */
function firstExpression(text, offset) {
  const line = text.slice(offset).split("\n")[0];
  for (let end = line.length; end > 0; end--) {
    if (!/[\w$)\]}"'`]/.test(line[end - 1])) continue;
    const node = expressionAt(text.slice(0, offset + end), offset);
    if (node?.end === offset + end) return node;
  }
  return null;
}

/** Visible tests that do not parse show nothing. */
function readTests(text, entry) {
  try {
    return new Tests(new Typed(text).js, entry);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NotDefined) return null;
    throw error;
  }
}
