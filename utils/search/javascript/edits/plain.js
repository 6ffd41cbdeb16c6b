// Rewrites edits as a person would write them: drops code without effect, and recognizes absurd code.

const KEEPS = new Set([
  "String",
  "Number",
  "Boolean",
  "Math.abs",
  "Math.floor",
  "Math.ceil",
  "Math.round",
  "Math.trunc",
]); // a second one changes nothing
const FAILURE = /(?:Error|Exception)$/;
const TRUTH = /\b(?:true|false)\b/g;
const MOST_STEPS = 6;

/** The value of a whole number that is written out. */
const numberOf = (node) => (node.type === "Literal" && Number.isInteger(node.value) ? node.value : undefined);

/**
 * The expression without a part that changes nothing; undefined where it has no such part. @param code of a part, as it
 * is written
 */
function plainer(node, code, program) {
  if (node.type === "BinaryExpression") return plainerSum(node, code);
  if (node.type === "LogicalExpression") {
    const neutral = { "&&": true, "||": false }[node.operator];
    if (neutral === undefined) return undefined;
    if (node.right.type === "Literal" && node.right.value === neutral) return code(node.left);
    return node.left.type === "Literal" && node.left.value === neutral ? code(node.right) : undefined;
  }
  if (node.type === "CallExpression" && node.arguments.length === 1) {
    const [inner] = node.arguments;
    const name = program.slice(node.callee.start, node.callee.end);
    const isTwice = inner.type === "CallExpression" && program.slice(inner.callee.start, inner.callee.end) === name;
    if (isTwice && KEEPS.has(name) && inner.arguments.length === 1) return program.slice(inner.start, inner.end);
  }
  return undefined;
}

function plainerSum({ operator, left, right }, code) {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (/^[-+]$/.test(operator) && right.type === "UnaryExpression" && right.operator === "-")
    return `${code(left)} ${operator === "-" ? "+" : "-"} ${code(right.argument)}`;
  if (a !== undefined && b !== undefined && /^[-+]$/.test(operator)) return String(operator === "+" ? a + b : a - b);
  if ((b === 0 && /^[-+]$/.test(operator)) || (b === 1 && /^(?:\*|\/|\*\*)$/.test(operator))) return code(left);
  if ((a === 0 && operator === "+") || (a === 1 && operator === "*")) return code(right);
  const isBack = left.type === "BinaryExpression" && /^(?:\+-|-\+)$/.test(left.operator + operator);
  return isBack && b !== undefined && numberOf(left.right) === b ? code(left.left) : undefined;
}

/** What a number, a text, a truth or a list never has is asked of it: `(x ?? 0).name`. */
function isAskedInVain({ object, property }) {
  if (object.type !== "LogicalExpression") return false;
  const { type, value = null } = object.right;
  if (type === "ArrayExpression") return !(property.name in []);
  return type === "Literal" && value !== null && !(property.name in Object(value));
}

/**
 * An error that is made to be a value beside others, an item of a list that is made for it, or what `isAskedInVain`.
 */
function isAbsurd(node) {
  if (node.type === "MemberExpression" && !node.computed) return isAskedInVain(node);
  if (node.type === "MemberExpression" && node.computed)
    return node.object.type === "ArrayExpression" && numberOf(node.property) !== undefined;
  if (node.type !== "LogicalExpression" && node.type !== "BinaryExpression") return false;
  return [node.left, node.right].some(
    (one) => (one.type === "NewExpression" || one.type === "CallExpression") && FAILURE.test(one.callee.name ?? ""),
  );
}

/** A part with the brackets around it that lie inside of what holds it. */
function inBrackets(program, part, around) {
  let { start, end } = part;
  for (
    ;
    around.start <= start - 1 && end + 1 <= around.end && program[start - 1] === "(" && program[end] === ")";
    start--
  )
    end++;
  return program.slice(start, end);
}

/**
 * An edited program without the code that the edit added and that has no effect; null if the edit is absurd. Code that
 * was there before stays.
 */
function plainly(before, after) {
  let now = after;
  for (let step = 0; step < MOST_STEPS; step++) {
    let changed = null;
    for (const node of [...below(parse(now))].filter(isExpression)) {
      const text = now.slice(node.start, node.end);
      if (before.includes(text)) continue;
      if (isAbsurd(node)) return null;
      if (text.includes("/*")) continue;
      const made = plainer(node, (part) => inBrackets(now, part, node), now);
      if (made === undefined) continue;
      changed = now.slice(0, node.start) + made + now.slice(node.end);
      break;
    }
    if (changed === null) return now;
    now = changed;
  }
  return now;
}

/** The same text for programs that differ only in `true` and `1`, or `false` and `0`. */
const numbered = (program) => program.replace(TRUTH, (word) => String(Number(word === "true")));

/** The better of two programs that differ only so: the one with booleans if the original program has some. */
function betterWritten(before, one, other) {
  const count = (text) => (text.match(TRUTH) ?? []).length;
  const [many, few] = [one, other].sort((a, b) => count(b) - count(a));
  return count(before) > 0 ? many : few;
}

const PARITY = /\b(?:even|odd|parity|pairs?|halves|half|middle|median|alternat\w*|every other|divisible)\b|[%/] ?2\b/i;
const isSlice = ({ type, callee }) =>
  type === "ArrayExpression" || (type === "CallExpression" && /^(?:slice|concat|filter|map)$/.test(nameOf(callee)));

/** Names of lists: the program pushes to them, or joins them with others. */
function listsIn(program) {
  const found = new Set();
  for (const { type, callee, argument } of below(parse(program))) {
    const isJoined = type === "CallExpression" && /^(?:push|concat)$/.test(nameOf(callee));
    const held = type === "SpreadElement" ? argument : isJoined ? callee.object : undefined;
    if (held?.type === "Identifier") found.add(held.name);
  }
  return found;
}

/**
 * Number of unlikely expressions in an edited program: a list that holds a list beside parts of others, if those were
 * joined before; a test of parity, if neither instruction nor program mentions it.
 */
function unlikely(before, after, instruction) {
  const lists = listsIn(before);
  const isAsked = PARITY.test(`${instruction} ${before}`);
  const found = [...below(parse(after))].filter((node) => {
    if (node.type === "BinaryExpression") return !isAsked && node.operator === "%" && numberOf(node.right) === 2;
    if (node.type !== "ArrayExpression" || before.includes(after.slice(node.start, node.end))) return false;
    const items = node.elements.filter((one) => one !== null);
    return items.some(({ type, name }) => type === "Identifier" && lists.has(name)) && items.some(isSlice);
  });
  return found.length;
}
