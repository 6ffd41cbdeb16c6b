// The search in tests of node:test: `warm_node_test.cjs FILE...`. node:test runs a process's tests once, so that its
// interface is done here in little, enough to run them again and again; what passes is confirmed by node:test itself.
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { mock } = require("node:test");
const { search } = require("./warm.cjs");
const { filePutter, OwnModules, root: folder } = require("./own_modules.cjs");

// Tests may replace the timers of this process.
const { clearTimeout, setTimeout } = globalThis;

/** The run that is under way. */
let now = null;
const HOOKS = ["before", "after", "beforeEach", "afterEach"];
const newGroup = (above, name, isSuite) => ({
  above,
  name,
  isSuite,
  children: [],
  tail: Promise.resolve(),
  before: [],
  after: [],
  beforeEach: [],
  afterEach: [],
});
const titleOf = ({ above, name }) => (above?.above ? `${titleOf(above)} > ${name}` : name);
const groupsOf = (group) => (group ? [...groupsOf(group.above), group] : []);

/** Calls a function that takes nothing, a context, or a context and a callback. Fails if it takes too long. */
function called(work, context) {
  const done =
    work.length > 1
      ? new Promise((resolve, reject) => void work(context, (error) => (error ? reject(error) : resolve())))
      : work(context);
  if (typeof done?.then !== "function") return done;
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("it does not end")), now.waitMs);
  });
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}

const all = async (hooks, context) => {
  for (const hook of hooks) await called(hook, context);
};

/** `it` or `describe` in a group; what it gives is a promise of its end. */
function declared(group, isSuite, more, ...given) {
  const [work = () => {}] = given.filter((one) => typeof one === "function");
  const options = { ...given.find((one) => typeof one === "object" && one !== null), ...more };
  const name = typeof given[0] === "string" ? given[0] : work.name || "<anonymous>";
  const own = newGroup(group, name, isSuite);
  if (options.skip || options.todo) return Promise.resolve();
  if (isSuite) {
    now.group = own;
    try {
      work({ name });
    } finally {
      now.group = group;
    }
  }
  const run = now;
  const start = () => (run.ended ? undefined : isSuite ? runSuite(run, own) : runTest(run, own, work));
  if (group.isSuite) group.children.push(start);
  else group.tail = group.tail.then(start);
  return group.isSuite ? Promise.resolve() : group.tail;
}

async function runSuite(run, group) {
  try {
    await all(group.before);
    for (const start of group.children) await start();
    await all(group.after);
  } catch {
    run.fail(titleOf(group));
  }
}

async function runTest(run, group, work) {
  const title = titleOf(group);
  if (!run.isNeeded(title)) return;
  const groups = groupsOf(group.above);
  const context = contextOf(group);
  const failedBefore = run.failed.size;
  try {
    await all(
      groups.flatMap(({ beforeEach }) => beforeEach),
      context,
    );
    await called(work, context);
    await group.tail;
    await all([...group.after, ...groups.toReversed().flatMap(({ afterEach }) => afterEach)], context);
    if (run.failed.size > failedBefore) throw new Error("one inside it failed");
    run.passed.add(title);
  } catch {
    run.fail(title);
  }
  context.mock.restoreAll();
}

const contextOf = (group) => ({
  ...Object.fromEntries(HOOKS.map((name) => [name, (work) => void group[name].push(work)])),
  name: group.name,
  mock,
  signal: new AbortController().signal,
  test: (...given) => declared(group, false, {}, ...given),
  diagnostic: () => {},
  skip: () => {},
  todo: () => {},
});

const declaring =
  (isSuite, more = {}) =>
  (...given) =>
    declared(now.group, isSuite, more, ...given);
const withWays = (isSuite) =>
  Object.assign(declaring(isSuite), {
    skip: declaring(isSuite, { skip: true }),
    todo: declaring(isSuite, { todo: true }),
    only: declaring(isSuite),
  });
const [test, describe] = [withWays(false), withWays(true)];
const hooks = Object.fromEntries(HOOKS.map((name) => [name, (work) => void now.group[name].push(work)]));
Object.assign(test, { test, it: test, describe, suite: describe, mock, ...hooks });

const isNodeTest = (name) => /^(?:node:)?test$/.test(name);
const load = Module._load;
Module._load = (name, ...more) => (isNodeTest(name) ? test : load(name, ...more));

// ES modules are known by their address: a new one for each run.
globalThis.__mend_node_test = test;
const names = Object.keys(test);
const listed = `{ ${names.join(", ")} }`;
const shim = `const ${listed} = globalThis.__mend_node_test; export ${listed}; export default test;`;
const runs = new Int32Array(new SharedArrayBuffer(4));
const root = pathToFileURL(folder).href;
const loader = `let given;
export const initialize = (data) => { given = data; };
export async function resolve(name, context, next) {
  if (name === "node:test") return { url: given.shim, format: "module", shortCircuit: true };
  const found = await next(name, context);
  const { url } = found;
  const isOwn = url.startsWith(given.root + "/") && !url.includes("/node_modules/") && /\\.[cm]?[jt]s$/.test(url);
  return isOwn ? { ...found, url: url + "?run=" + Atomics.load(given.runs, 0) } : found;
}`;
const asUrl = (text) => `data:text/javascript,${encodeURIComponent(text)}`;
Module.register(asUrl(loader), { parentURL: root, data: { shim: asUrl(shim), root, runs } });

const modules = new OwnModules();
function run(files, wanted, waitMs) {
  mock.timers?.reset();
  modules.forget();
  Atomics.add(runs, 0, 1);
  return new Promise((resolve) => {
    const above = new Set(
      [...wanted].flatMap((name) => name.split(" > ").map((_, i, parts) => parts.slice(0, i + 1).join(" > "))),
    );
    const group = newGroup(null, "", false);
    const mine = {
      group,
      waitMs,
      passed: new Set(),
      failed: new Set(),
      ended: false,
      isNeeded: (title) => above.has(title) || [...above].some((one) => title.startsWith(`${one} > `)),
      end(result) {
        mine.ended = true;
        resolve(result);
      },
      fail(title) {
        mine.failed.add(title);
        if (above.has(title)) mine.end(null);
      },
    };
    now = mine;
    const loadAll = async () => {
      for (const file of files) {
        await import(pathToFileURL(file).href);
        await group.tail;
        if (mine.ended) return;
      }
      await all(group.after);
      const ended = [...wanted].every((name) => mine.passed.has(name) && !mine.failed.has(name));
      mine.end(ended ? mine.passed : null);
    };
    loadAll().catch(() => mine.end(null));
  });
}

const files = process.argv.slice(2).map((name) => fs.realpathSync(path.resolve(name)));
search({ files, globals: [globalThis], takesModules: true, takesTypes: true, isFirst: true, put: filePutter(), run });
