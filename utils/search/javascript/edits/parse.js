// Reads a program: acorn's tree, with parents.

const zlib = require("node:zlib");

const acorn = (() => {
  const module = { exports: {} };
  const text = zlib.inflateSync(Buffer.from(PARSER, "base64")).toString();
  new Function("module", "exports", text)(module, module.exports);
  return module.exports;
})();

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
const LOOPS = new Set(["ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"]);
/** Where a name is bound or a word is no expression: fields by the type of the node that has them. */
const NOT_READ = {
  VariableDeclarator: ["id"],
  FunctionDeclaration: ["id", "params"],
  FunctionExpression: ["id", "params"],
  ArrowFunctionExpression: ["params"],
  ClassDeclaration: ["id"],
  ClassExpression: ["id"],
  CatchClause: ["param"],
  LabeledStatement: ["label"],
  BreakStatement: ["label"],
  ContinueStatement: ["label"],
  AssignmentExpression: ["left"],
  UpdateExpression: ["argument"],
  ForInStatement: ["left"],
  ForOfStatement: ["left"],
  MetaProperty: ["meta", "property"],
  ImportDeclaration: ["specifiers", "source"],
  ExportNamedDeclaration: ["specifiers", "source"],
};

const OPTIONS = { ecmaVersion: "latest", allowReturnOutsideFunction: true, allowHashBang: true };

/** acorn's tree of a script or, where it is none, of a module. @throws SyntaxError, with the line */
function parse(text) {
  try {
    return acorn.parse(text, { ...OPTIONS, sourceType: "script", allowAwaitOutsideFunction: true });
  } catch (first) {
    try {
      return acorn.parse(text, { ...OPTIONS, sourceType: "module" });
    } catch (second) {
      throw second.pos > first.pos ? second : first;
    }
  }
}

/** The expression that a text begins with, from an offset on; null if there is none. */
function expressionAt(text, offset) {
  try {
    return acorn.parseExpressionAt(text, offset, OPTIONS);
  } catch {
    return null;
  }
}

const isNode = (value) => value !== null && typeof value === "object" && typeof value.type === "string";

/** [node, field] of what a node is made of, in the order of the source. */
function childrenOf(node) {
  const found = [];
  for (const [field, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      // `{a}` has one identifier as its key and its value.
      if (isNode(child) && field !== "up" && !(field === "key" && node.shorthand)) found.push([child, field]);
    }
  }
  return found;
}

/** All nodes at and below one, each with `up`, its parent, `field`, and `read`: whether its value is asked for. */
function linked(root) {
  const found = [];
  // No recursion: a sum of thousands of terms is as deep.
  const todo = [[root, null, "", false]];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const [node, up, field, binding] = next;
    Object.defineProperties(node, {
      up: { value: up, configurable: true },
      field: { value: field, configurable: true },
      read: { value: !binding, configurable: true },
    });
    found.push(node);
    for (const [child, name] of childrenOf(node).reverse())
      todo.push([child, node, name, bindsIn(node, name, child, binding)]);
  }
  return found;
}

function bindsIn(node, field, child, binding) {
  if (NOT_READ[node.type]?.includes(field)) return true;
  if ((field === "property" || field === "key") && !node.computed) return true;
  const isPattern =
    /Pattern$|^RestElement$/.test(node.type) || (node.type === "Property" && node.up.type === "ObjectPattern");
  return isPattern && binding && field !== "right" && !(field === "key" && node.computed);
}

const isExpression = (node) =>
  /Expression$|^(Identifier|Literal|TemplateLiteral)$/.test(node.type) && node.type !== "SpreadElement";
const isStatement = (node) => /Statement$|^VariableDeclaration$/.test(node.type) && node.type !== "BlockStatement";

/** All nodes at and below one, parents first. */
function* below(root) {
  const todo = [root];
  for (let node = todo.pop(); node; node = todo.pop()) {
    yield node;
    for (const [child] of childrenOf(node).reverse()) todo.push(child);
  }
}

function* ancestors(node) {
  for (let up = node.up; up; up = up.up) yield up;
}

/** The word that a name, a member or what is called ends with. */
function nameOf(node) {
  if (node?.type === "Identifier") return node.name;
  return node?.type === "MemberExpression" && !node.computed ? nameOf(node.property) : "";
}

/** The names that a pattern binds. */
function boundIn(pattern) {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((one) => boundIn(one.value ?? one.argument));
    case "ArrayPattern":
      return pattern.elements.flatMap(boundIn);
    case "AssignmentPattern":
      return boundIn(pattern.left);
    case "RestElement":
      return boundIn(pattern.argument);
    default:
      return [];
  }
}

/** The names that a statement declares. */
function declaredBy(node) {
  if (node.type === "VariableDeclaration") return node.declarations.flatMap(({ id }) => boundIn(id));
  if (/^(Function|Class)Declaration$/.test(node.type)) return node.id ? [node.id.name] : [];
  return node.declaration ? declaredBy(node.declaration) : [];
}

/** Names that are mentioned at or below a node. */
const namesIn = (node) => new Set([...below(node)].flatMap((one) => (one.type === "Identifier" ? [one.name] : [])));
