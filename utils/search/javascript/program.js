// The program with its candidates as functions that give what it defines: only the statement that is edited changes.

const GIVEN = [
  "_step",
  "_size",
  "_watch",
  "_importDefault",
  "require",
  "module",
  "exports",
  "console",
  ...Object.keys(ownTimers),
];

class Program {
  constructor(source) {
    const { text, tree, nodes, target } = source;
    const masks = asScript(text, tree);
    const points = meterPoints(nodes);
    const top = tree.body.find(({ start, end }) => start <= target.start && target.end <= end) ?? tree;
    this.isModule = tree.sourceType === "module";
    this.names = [...new Set(tree.body.flatMap(declaredBy))];
    const part = (from, to, isIn) => [
      text.slice(from, to),
      points.flatMap(([at, order, now, other]) => (isIn(at) ? [[at - from, order, now, other && other - from]] : [])),
      masks.flatMap(([start, end, now]) => (isIn(start) ? [[start - from, end - from, now]] : [])),
    ];
    this.from = top.start;
    this.part = part(top.start, top.end, (at) => at >= top.start && at <= top.end);
    const head = woven(...part(0, top.start, (at) => at < top.start));
    this.head = (this.isModule ? '"use strict";' : "") + head;
    const declaration = tree.body.find(({ type }) => type === "ExportDefaultDeclaration")?.declaration;
    const exported = declaration ? [`default: ${declaration.id?.name ?? "_exported"}`] : [];
    const rest = woven(...part(top.end, text.length, (at) => at > top.end));
    this.end = `\nreturn {${[...this.names, ...exported].join(", ")}};`;
    this.tail = rest + this.end;
    this.whole = [text, points, masks];
  }

  /** The edited program as a function; null if it does not compile. */
  compiled(splices) {
    const [text, points, masks] = this.part;
    const own = splices.map(([start, end, now]) => [start - this.from, end - this.from, now]);
    const code = woven(text, points, [...masks, ...own]) ?? this.parsedAnew(text, masks, own);
    return code === null ? null : this.function(this.head + code + this.tail);
  }

  /** The program as it is with more put in. */
  watched(more) {
    const [text, points, masks] = this.whole;
    const code = woven(text, [...points, ...more], masks);
    return code === null ? null : this.function((this.isModule ? '"use strict";' : "") + code + this.end);
  }

  /** An edit that moved loops or functions: they are found again. */
  parsedAnew(text, masks, own) {
    const changed = splice(text, own);
    try {
      const tree = parse(changed);
      return woven(changed, meterPoints(linked(tree)), masks.length > 0 ? asScript(changed, tree) : []);
    } catch {
      return null;
    }
  }

  function(code) {
    try {
      return new Function(...GIVEN, code);
    } catch {
      return null;
    }
  }

  /** What the program defines, by name; `module.exports` where it sets that. */
  load(compiled, watch) {
    forgetGlobals();
    const module = { exports: {} };
    const { exports } = module;
    const given = [step, size, watch, defaultOf, requireOwn, module, exports, quiet, ...Object.values(ownTimers)];
    const defined = compiled.apply(exports, given);
    return { defined, exported: module.exports !== exports || Object.keys(exports).length > 0 ? module.exports : null };
  }
}

/** Texts of packages by name, and what they export. */
const packages = new Map();

/** What the program itself asks for: libraries of Node.js, a few packages. Its neighbours are not here. */
function requireOwn(name) {
  const known = packages.get(name);
  if (typeof known === "string") {
    const module = { exports: {} };
    new Function("module", "exports", "require", known)(module, module.exports, require);
    packages.set(name, module.exports);
  }
  if (packages.has(name)) return packages.get(name);
  if (/^\.{0,2}\//.test(name)) throw new NotHere(name);
  return require(name);
}

class NotHere extends Error {}
