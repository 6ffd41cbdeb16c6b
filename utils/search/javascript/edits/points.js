// What is put into a program's text so that it counts its steps and tells its values, and modules as scripts.

// Order of what is put in at the same place.
const [CLOSE, CLOSE_BLOCK, OPEN_BLOCK, OPEN, EDIT] = [0, 1, 2, 3, 4];

/** The points that put an expression into a call: [offset, order, text, offset of the other end]. */
const wrapped = ({ start, end }, before, behind = ")") => [
  [start, OPEN, before, end],
  [end, CLOSE, behind, start],
];

/** Whether an expression can make a long text or list of shorter ones. */
function grows({ type, operator: sign, expressions, elements, up }) {
  if (type === "TemplateLiteral") return expressions.length > 0 && up.type !== "TaggedTemplateExpression";
  if (type === "ArrayExpression") return elements.some((one) => one?.type === "SpreadElement");
  return (type === "BinaryExpression" && sign === "+") || (type === "AssignmentExpression" && sign === "+=");
}

/** What makes a tree count its steps. */
function meterPoints(nodes) {
  const points = [];
  for (const node of nodes) {
    if (grows(node)) points.push(...wrapped(node, "_size("));
    const body = FUNCTIONS.has(node.type) || LOOPS.has(node.type) ? node.body : null;
    if (body?.type === "BlockStatement") {
      const directives = FUNCTIONS.has(node.type) ? body.body.filter(({ directive }) => directive) : [];
      points.push([
        directives.at(-1)?.end ?? body.start + 1,
        OPEN_BLOCK,
        `${directives.length > 0 ? ";" : ""}_step();`,
      ]);
    } else if (body && FUNCTIONS.has(node.type)) {
      points.push(...wrapped(body, "(_step(),(", "))"));
    } else if (body) {
      points.push([body.start, OPEN_BLOCK, "{_step();"], [body.end, CLOSE_BLOCK, "}"]);
    }
  }
  return points;
}

/**
 * Whether a splice reaches into what a point belongs to, or stands where it could mean another thing with the point.
 */
function disturbs([start, end], [at, order, , other]) {
  if (at < start || at > end) return false;
  if (start < at && at < end) return true;
  if (other === undefined) return start === end && order === CLOSE_BLOCK;
  return start === end || Math.min(at, other) !== start || Math.max(at, other) !== end;
}

/** A text with points and splices put in; null where one of these disturbs one of those. */
function woven(text, points, splices) {
  if (splices.some((one) => points.some((point) => disturbs(one, point)))) return null;
  const parts = [...points.map(([at, order, now]) => [at, at, now, order]), ...splices.map((one) => [...one, EDIT])];
  parts.sort((a, b) => a[0] - b[0] || a[3] - b[3] || a[1] - b[1]);
  let out = "";
  let last = 0;
  for (const [start, end, now] of parts) {
    if (start < last) return null;
    out += text.slice(last, start) + now;
    last = end;
  }
  return out + text.slice(last);
}

/** Modules are run as scripts: `import` becomes `require`, `export` goes. Splices over the text. */
function asScript(text, tree) {
  const found = [];
  for (const node of tree.body) {
    const source = node.source && `require(${node.source.raw})`;
    if (node.type === "ImportDeclaration") found.push([node.start, node.end, required(node.specifiers, source)]);
    else if (/^Export(Named|All)/.test(node.type) && !node.declaration) found.push([node.start, node.end, ""]);
    else if (/^Export/.test(node.type)) {
      const named = node.declaration.id || node.declaration.type === "VariableDeclaration";
      found.push([node.start, node.declaration.start, named ? "" : "const _exported = "]);
    }
  }
  return found;
}

function required(specifiers, source) {
  const parts = specifiers.map(({ type, local, imported }) => {
    if (type === "ImportNamespaceSpecifier") return `const ${local.name} = ${source};`;
    if (type === "ImportDefaultSpecifier") return `const ${local.name} = _importDefault(${source});`;
    return `const { ${imported.name ?? imported.raw}: ${local.name} } = ${source};`;
  });
  return parts.join(" ") || `${source};`;
}

/** What `import NAME from` gives of a module that `require` gave. */
const defaultOf = (module) => (module && typeof module === "object" && "default" in module ? module.default : module);

/** Expressions whose value can be reported by a call around them. */
function isWatchable(node) {
  const { up, field, type } = node;
  const isHeld =
    field === "callee" ||
    field === "tag" ||
    up.shorthand ||
    (type !== "Literal" && /^(?:typeof|delete)$/.test(up.operator));
  return node.read && !isHeld && !isInChain(node) && !FUNCTIONS.has(type) && !/^(?:Class|Yield)Expression$/.test(type);
}

/** A part of `a?.b.c`, which holds together. */
function isInChain(node) {
  if (/^(?:Member|Call)Expression$/.test(node.type) && node.up.type === "ChainExpression") return true;
  const isLink = node.field === "object" || node.field === "callee";
  return isLink && /^(?:Member|Call)Expression$/.test(node.type) && isInChain(node.up);
}
