// The program under repair: its text, its tree, where an edit may be made, and edits as splices over the text.

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

/** The splice that makes one text of another: from the first character that differs to the last. */
function difference(old, now) {
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let [end, newEnd] = [old.length, now.length];
  while (end > start && newEnd > start && old[end - 1] === now[newEnd - 1]) [end, newEnd] = [end - 1, newEnd - 1];
  return [start, end, now.slice(start, newEnd)];
}

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
    // What stands for types, see `Typed`, and other functions.
    const typed = [...text.matchAll(/\/\*:+=(\d+)\*\/[\s\S]*?\/\*:+=\1\*\//g)];
    const ranges = without.map(([first, last]) => [this.lineStarts[first - 1], this.lineStarts[last] ?? text.length]);
    this.closed = [...typed.map(({ index, 0: all }) => [index, index + all.length]), ...ranges];
    this.places = new Map();
    const isHidden = (node) => this.closed.some(([start, end]) => start <= node.start && node.end <= end);
    const inside = this.nodes.filter((node) => this.isEditable(node) && !isHidden(node));
    this.expressions = inside.filter((node) => isExpression(node) && (node.read || this.isWritten(node)));
    this.statements = inside.filter(isStatement);
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

  lineAt(offset) {
    return this.lineStarts.findLastIndex((start) => start <= offset) + 1;
  }

  /** The smallest expression or statement around a range that may be edited; null where there is none. */
  innermost(start, end) {
    const key = `${start} ${end}`;
    if (!this.places.has(key)) {
      const isAround = (node) => node.start <= start && end <= node.end;
      const isSmaller = (one, other) => !other || one.end - one.start < other.end - other.start;
      const isClosed = this.closed.some(([from, to]) => from < end && start < to);
      const all = isClosed ? [] : [...this.expressions, ...this.statements].filter(isAround);
      this.places.set(
        key,
        all.reduce((best, node) => (isSmaller(node, best) ? node : best), null),
      );
    }
    return this.places.get(key);
  }

  /** A change of the shared vocabulary as an edit. */
  edited({ operator, changes }) {
    const all = changes.map((one) => VOCABULARY.trimmed(this.text, one));
    return { operator, splices: all.map(({ start, end, text }) => [start, end, text]) };
  }
}
