// The program under repair: its text, its tree, where an edit may be made, and edits as splices over the text.

const PIECE = /[\w$]+|\s+|[^\w$\s]+/g;
/** Children of these need no parentheses. */
const CLOSED =
  /Statement$|^(VariableDeclarator|ArrayExpression|Property|TemplateLiteral|AssignmentExpression|SwitchCase)$/;

/** The program lacks the function that is to be repaired. */
class NotDefined extends Error {}

/** A text with all splices applied, or null where two of them overlap. */
function splice(text, splices) {
  let out = "";
  let at = 0;
  for (const [start, end, now] of [...splices].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    if (start < at) return null;
    out += text.slice(at, start) + now;
    at = end;
  }
  return out + text.slice(at);
}

const edit = (splices, old, now, extra = 0, operator = "") => ({ splices, old, new: now, extra, operator });

/** The edit that makes one text of another: from the first character that differs to the last. */
function difference(old, now, operator) {
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let [end, newEnd] = [old.length, now.length];
  while (end > start && newEnd > start && old[end - 1] === now[newEnd - 1]) [end, newEnd] = [end - 1, newEnd - 1];
  const text = now.slice(start, newEnd);
  return edit([[start, end, text]], old.slice(start, end), text, 0, operator);
}

const atomic = new Map();

/** Whether an expression keeps its meaning wherever it is put without parentheses. */
function isAtomic(text) {
  if (!atomic.has(text)) {
    const node = expressionAt(text, 0);
    atomic.set(text, node !== null && node.end === text.trimEnd().length && ATOMS.has(node.type) && !/^-/.test(text));
  }
  return atomic.get(text);
}

/** A token stays, be it that there is more space or less. */
const isSame = (old, now) => old === now || (/^\s/.test(old) && /^\s/.test(now));

class Source {
  /**
   * @param lines first and last line (1-based) of the function to repair, where it has no name by which it is found
   * @param without the same of functions inside, which are edited by themselves
   */
  constructor(text, entry, lines, without = []) {
    this.text = text;
    this.tree = parse(text);
    this.nodes = linked(this.tree);
    this.lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    const target = lines ? this.functionOn(lines) : this.defined(entry);
    if (!target) throw new NotDefined(`it does not define ${entry}`);
    this.target = target;
    // What stands for types, see `Typed`.
    const hidden = [...text.matchAll(/\/\*:+=(\d+)\*\/[\s\S]*?\/\*:+=\1\*\//g)].map(({ index, 0: all }) => [
      index,
      index + all.length,
    ]);
    const isHidden = (node) =>
      hidden.some(([start, end]) => start <= node.start && node.end <= end) ||
      without.some(([first, last]) => first <= this.lineAt(node.start) && this.lineAt(node.end) <= last);
    const inside = this.nodes.filter((node) => this.isEditable(node) && !isHidden(node));
    this.expressions = inside.filter((node) => isExpression(node) && (node.read || this.isWritten(node)));
    this.statements = inside.filter(isStatement);
    this.blocks = inside
      .flatMap((node) => [node.type === "BlockStatement" ? node.body : ((node.cases && []) ?? node.consequent)])
      .filter((block) => Array.isArray(block) && block.length > 0)
      .map((block) => block.filter((node) => !node.directive && !isHidden(node)));
  }

  /** The function, class or value of that name; of several the last. */
  defined(entry) {
    const found = this.nodes.filter((node) => {
      if (node.type === "VariableDeclarator") return nameOf(node.id) === entry && node.init;
      if (node.type === "AssignmentExpression") return nameOf(node.left) === entry && FUNCTIONS.has(node.right.type);
      return (FUNCTIONS.has(node.type) || /^Class/.test(node.type)) && nameOf(node.id) === entry;
    });
    const node = found.findLast((one) => [...ancestors(one)].every((up) => !FUNCTIONS.has(up.type))) ?? found.at(-1);
    return node && (node.init ?? node.right ?? node);
  }

  /** The outermost function that begins and ends on lines. */
  functionOn([first, last]) {
    return this.nodes.find(
      ({ type, start, end }) => FUNCTIONS.has(type) && this.lineAt(start) >= first && this.lineAt(end) <= last,
    );
  }

  isEditable(node) {
    for (let one = node; one; one = one.up) {
      if (one.directive || one.type === "TemplateElement") return false;
      // Of a function the body and the default values, not the names of its parameters.
      if (one.up === this.target)
        return one.field !== "id" && (one.read || node.read || !FUNCTIONS.has(this.target.type));
      if (one === this.target) return node === one && !FUNCTIONS.has(one.type) && !/^Class/.test(one.type);
    }
    return false;
  }

  /** A name or a member that a statement or `++` writes, which another one may be put for. */
  isWritten({ type, up }) {
    return /^(?:Identifier|MemberExpression)$/.test(type) && /^(?:Assignment|Update)Expression$/.test(up.type);
  }

  code(node) {
    return this.text.slice(node.start, node.end);
  }

  lineAt(offset) {
    return this.lineStarts.findLastIndex((start) => start <= offset) + 1;
  }

  /** The node's code, in parentheses unless it is safe without. */
  atom(node) {
    const text = this.code(node);
    return isAtomic(text) ? text : `(${text})`;
  }

  /** The node's code with the parentheses that it has. */
  operand(node) {
    const inside = this.text[node.start - 1] === "(" && this.text[node.end] === ")" ? 1 : 0;
    return this.text.slice(node.start - inside, node.end + inside);
  }

  /** `text` as it must be written in the place of `node`. */
  fit(node, text) {
    const { up, field } = node;
    const inner =
      field === "arguments" || (field === "property" && up.computed) || (field === "body" && !/^[{]/.test(text));
    const free = inner || isStatement(node) || (up && CLOSED.test(up.type) && !/^[{]/.test(text));
    return free || isAtomic(text) ? text : `(${text})`;
  }

  /** Another text for a node. What stays of the old one is not touched, so that its formatting survives. */
  replace(node, text, extra = 0, bare = false) {
    let { start, end } = node;
    const old = this.code(node).match(PIECE) ?? [];
    const now = (bare ? text : this.fit(node, text)).match(PIECE) ?? [];
    while (old.length > 0 && now.length > 0 && isSame(old[0], now[0])) {
      start += old.shift().length;
      now.shift();
    }
    while (old.length > 0 && now.length > 0 && isSame(old.at(-1), now.at(-1))) {
      end -= old.pop().length;
      now.pop();
    }
    return edit([[start, end, now.join("")]], this.code(node), text, extra);
  }

  /** The edit that a draft (`node`, `text`) stands for; an edit is its own. */
  written(one) {
    if (one.splices) return one;
    return { ...this.replace(one.node, one.text, one.extra, one.bare), operator: one.operator };
  }

  /** Exchange the code of two nodes. */
  swap(a, b, extra = 0) {
    const [old, now] = [this.code(a), this.code(b)];
    const splices = [
      [a.start, a.end, this.fit(a, now)],
      [b.start, b.end, this.fit(b, old)],
    ];
    return edit(splices, `${old} … ${now}`, `${now} … ${old}`, extra);
  }

  indent(node) {
    const start = this.lineStarts[this.lineAt(node.start) - 1];
    return /^[ \t]*/.exec(this.text.slice(start))[0];
  }

  /** The text of the lines of a statement, moved to another indentation (the first line has none). */
  moved(node, indent) {
    return this.code(node).replaceAll(`\n${this.indent(node)}`, `\n${indent}`);
  }

  /** False for a statement behind other code on its line. */
  standsAlone(node) {
    return this.text.slice(this.lineStarts[this.lineAt(node.start) - 1], node.start).trim() === "";
  }
}
