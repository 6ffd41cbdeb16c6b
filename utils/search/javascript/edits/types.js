// TypeScript as JavaScript: every type becomes a short comment, so that edits keep it in place and copy it along.
// Results use the text and the offsets of the program as it was written.

/** Syntax that is not only a type: removing it would change the program. */
const NO_TYPES = {
  TSEnumDeclaration: "an enum",
  TSModuleDeclaration: "a namespace",
  TSParameterProperty: "a parameter that is a property",
  TSImportEqualsDeclaration: "an import with =",
  TSExportAssignment: "an export with =",
  Decorator: "a decorator",
};
const OF_VALUES = /^TS(?:As|Satisfies|NonNull|TypeAssertion|Instantiation)/;
const MODIFIER = /\b(?:public|private|protected|readonly|override|abstract|declare)\b/g;
const LISTS = ["typeParameters", "typeArguments", "superTypeParameters", "returnType"];

/** acorn's parser with its plugin for types; null where the script came without. */
const typedParser = (() => {
  let made = null;
  return () => {
    if (!made && TYPES_PARSER !== "") {
      const module = { exports: {} };
      const text = zlib.inflateSync(Buffer.from(TYPES_PARSER, "base64")).toString();
      new Function("module", "require", text)(module, () => acorn);
      made = acorn.Parser.extend(module.exports.tsPlugin());
    }
    return made;
  };
})();

/** Whether all of a node is a type, or says that something is declared elsewhere. */
function isType(node) {
  const { type, declare, value, abstract: isAbstract, declaration } = node;
  if (declare || node.importKind === "type" || node.exportKind === "type") return true;
  if (/^(?:Method|Property)Definition$/.test(type)) return isAbstract || value?.type === "TSDeclareMethod";
  if (/^Export/.test(type) && declaration) return isType(declaration);
  return type.startsWith("TS") && !OF_VALUES.test(type) && !Object.hasOwn(NO_TYPES, type);
}

/** [start, end] of the words that say who may use what is named behind them. */
const modifiersIn = (text, start, end) =>
  [...text.slice(start, end).matchAll(MODIFIER)].map(({ index, 0: word }) => [
    start + index,
    start + index + word.length,
  ]);

const isProperty = ({ type, decorators = [] }) => type === "TSParameterProperty" && decorators.length === 0;

/**
 * What a constructor gives its parameters that are properties to, where TypeScript does it: `Source` leaves it alone.
 */
function* assigned({ value }) {
  const names = value.params.filter(isProperty).map(({ parameter }) => nameOf(parameter.left ?? parameter));
  if (names.length === 0 || !value.body) return;
  const above = value.body.body.find(
    ({ expression }) => expression?.type === "CallExpression" && expression.callee.type === "Super",
  );
  const at = above?.end ?? value.body.start + 1;
  yield [at, at, false, names.map((name) => `;this.${name} = ${name};`).join("")];
}

/** [start, end] of the types at a node that is not a type. */
function* typesAt(node, text) {
  const { type, start, end, typeAnnotation: told } = node;
  const behind = (at) => /^\]?\s*[?!]/.exec(text.slice(at, end))?.[0].length ?? 0;
  for (const field of LISTS) if (node[field]) yield [node[field].start, node[field].end];
  if (type === "TSNonNullExpression") yield [end - 1, end];
  else if (type === "TSTypeAssertion") yield [start, text.indexOf(">", told.end) + 1];
  else if (/^TS(?:As|Satisfies)/.test(type)) {
    const between = text.slice(node.expression.end, told.start);
    yield [node.expression.end + between.search(/\b(?:as|satisfies)\s*$/), end];
  } else if (told) {
    yield [told.start - (/[?!]\s*$/.exec(text.slice(start, told.start))?.[0].length ?? 0), told.end];
  } else if (node.optional && /^(?:Identifier|\w+Pattern)$/.test(type)) yield [end - 1, end];
  else if (node.optional && node.key && behind(node.key.end) > 0)
    yield [node.key.end + behind(node.key.end) - 1, node.key.end + behind(node.key.end)];
  if (/^(?:Method|Property)Definition$/.test(type)) {
    yield* modifiersIn(text, node.decorators?.at(-1)?.end ?? start, node.key.start);
  }
  if (/^Class/.test(type) && node.abstract) yield [start, start + "abstract".length];
  if (node.implements?.length > 0) {
    const head = text.slice(
      (node.superTypeParameters ?? node.superClass ?? node.typeParameters ?? node.id ?? node).start,
      node.implements[0].start,
    );
    yield [node.implements[0].start - (head.length - head.lastIndexOf("implements")), node.implements.at(-1).end];
  }
  if (FUNCTIONS.has(type) && node.params[0]?.name === "this")
    yield [node.params[0].start, node.params[1]?.start ?? node.params[0].end];
}

/** A program that may have types, as it is written and as it is run. */
class Typed {
  /**
   * @param isRun false where `js` is only read, and the program as it is written is run: then it may be more than types
   * @throws SyntaxError and NotDefined, in words, where it is neither JavaScript nor TypeScript that could do without
   * types
   */
  constructor(text, isRun = true) {
    Object.assign(this, { text, js: text, pieces: [], isRun });
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError) || !typedParser()) throw error;
      this.takeTypes(typedParser().parse(text, { ...OPTIONS, sourceType: "module", locations: true }));
    }
  }

  takeTypes(tree) {
    const ranges = this.typesBelow(tree);
    this.mark = "::";
    while (this.text.includes(`/*${this.mark}`)) this.mark += ":";
    let shorter = 0;
    for (const [number, [start, end, ends, made]] of ranges.sort((a, b) => a[0] - b[0]).entries()) {
      const around = `/*${this.mark}=${number}*/`;
      const now = made ? around + made + around : `/*${this.mark}${number}*/${ends ? ";" : ""}`;
      this.pieces.push({ start, end, now, at: start - shorter, old: this.text.slice(start, end) });
      shorter += end - start - now.length;
    }
    this.js = splice(
      this.text,
      this.pieces.map(({ start, end, now }) => [start, end, now]),
    );
    if (this.js === null) throw new NotDefined("its types cannot be told from its values");
  }

  /** [start, end, whether a statement or a field ends there, what the types stand for as code]. */
  typesBelow(tree) {
    const [found, imports, enums, used] = [[], [], [], new Set()];
    const refuse = (reason, { loc }) => {
      throw new NotDefined(`it has ${reason} (line ${loc.start.line}), which is more than a type`);
    };
    const visit = (node, up) => {
      if (isType(node))
        return found.push([node.start, node.end, /^(?:Program|BlockStatement|ClassBody)$/.test(up?.type)]);
      const decorators = node.decorators ?? [];
      const reason = NO_TYPES[decorators[0]?.type ?? node.type];
      const { type, id } = node.declaration ?? node;
      if (type === "TSEnumDeclaration" && this.isRun) return enums.push([node, id.name]);
      if (reason && this.isRun && !isProperty(node)) refuse(reason, node);
      for (const { start, end } of decorators) found.push([start, end]);
      if (node.type === "TSParameterProperty")
        found.push(...modifiersIn(this.text, node.start, (node.parameter.left ?? node.parameter).start));
      else if (NO_TYPES[node.type] || NO_TYPES[node.declaration?.type]) return found.push([node.start, node.end, true]);
      if (node.type === "ImportDeclaration") return imports.push(node);
      if (/^Export/.test(node.type) && node.specifiers?.length > 0)
        return found.push(...this.without(node, ({ exportKind }) => exportKind === "type"));
      if (node.type === "Identifier") used.add(node.name);
      if (node.kind === "constructor" && this.isRun) found.push(...assigned(node));
      const here = [...typesAt(node, this.text)];
      found.push(...here);
      const isOpen = node.type === "PropertyDefinition" && !node.value && this.text[node.end - 1] !== ";";
      if (isOpen && here.length > 0) here.at(-1)[2] = true;
      for (const [child, field] of childrenOf(node)) {
        if (field === "decorators") continue;
        const isName = field === "property" && !node.computed;
        const isHere = here.some(([start, end]) => start <= child.start && child.end <= end);
        if (!isName && !isHere) visit(child, node);
      }
    };
    visit(tree, null);
    // An enum whose values nothing names does without them.
    for (const [node, name] of enums) {
      if (used.has(name)) refuse(NO_TYPES.TSEnumDeclaration, node);
      found.push([node.start, node.end, true]);
    }
    // As TypeScript does it: what is imported and named only in types is not imported.
    for (const one of imports)
      found.push(...this.without(one, ({ importKind, local }) => importKind === "type" || !used.has(local.name)));
    return found;
  }

  /** The ranges of the specifiers that are types, or of all of the statement where they all are. */
  without(node, isGone) {
    const { specifiers, start, end } = node;
    const gone = specifiers.filter(isGone);
    if (gone.length === specifiers.length) return gone.length > 0 ? [[start, end, true]] : [];
    return gone.map((one) => {
      const comma = /^\s*,/.exec(this.text.slice(one.end))?.[0].length ?? 0;
      return [one.start, one.end + comma];
    });
  }

  /** A text of the program as it is run, in the words of the program as it is written. */
  written(js) {
    if (this.pieces.length === 0) return js;
    const own = js.replace(new RegExp(`/\\*${this.mark}=(\\d+)\\*/[\\s\\S]*?/\\*${this.mark}=\\1\\*/`, "g"), "");
    return own.replace(new RegExp(`/\\*${this.mark}(\\d+)\\*/(;?)`, "g"), (_, number, end) => {
      const { old, now } = this.pieces[number];
      return old + (now.endsWith(";") ? "" : end);
    });
  }

  /** The offset in the written program for an offset in the program that runs; null inside a type. */
  placeOf(at) {
    const piece = this.pieces.findLast((one) => one.at < at);
    if (!piece) return at;
    return at < piece.at + piece.now.length ? null : piece.end + at - piece.at - piece.now.length;
  }

  /** Converts splices of the program that runs to splices of the written program. */
  splices(found) {
    const all = found.map(([start, end, now]) => [this.placeOf(start), this.placeOf(end), this.written(now)]);
    if (all.every(([start, end]) => start !== null && end !== null)) return all;
    return [difference(this.text, this.written(splice(this.js, found)))];
  }

  /** The same with offsets in code points instead of UTF-16 units. */
  inPoints(found) {
    const point = (offset) => [...this.text.slice(0, offset)].length;
    return this.splices(found).map(([start, end, now]) => [point(start), point(end), now]);
  }

  /** The written program with splices that `inPoints` gave. */
  applied(found) {
    const points = [...this.text];
    const unit = (point) => points.slice(0, point).join("").length;
    return splice(
      this.text,
      found.map(([start, end, now]) => [unit(start), unit(end), now]),
    );
  }

  /** The line (1-based) of the program as it is run that a line of the written one begins in. */
  lineOf(line) {
    const start =
      this.text
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length + (line > 1 ? 1 : 0);
    const lost = ({ start: from, old }) => old.slice(0, Math.max(0, start - from)).split("\n").length - 1;
    return line - this.pieces.reduce((sum, one) => sum + lost(one), 0);
  }
}
