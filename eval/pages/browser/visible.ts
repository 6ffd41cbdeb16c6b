/** Text that hides nothing: control, bidirectional and other invisible characters become marks one can see. */

import { type ComponentChild, h, options } from "preact";

/** Everything that moves a cursor, reorders text or is invisible, except line break, tab and plain space. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|(?! )\p{Zs}/gu;

const NAMES: Record<string, string> = {
  "\x00": "\\0",
  "\x07": "\\a",
  "\b": "\\b",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\x1b": "ESC",
};

function nameOf(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return NAMES[char] ?? (code.length === 4 && code.startsWith("00") ? `\\x${code.slice(2)}` : `U+${code}`);
}

const isPlain = (char: string) => char === "\n" || char === "\t";

/** As plain text, for attributes. */
const visibleText = (text: string): string =>
  text.replace(UNSEEN, (char) => (isPlain(char) ? char : `[${nameOf(char)}]`));

/** The text, cut at what cannot be seen, which becomes a small labelled mark; null where all of it can be seen. */
function visibleParts(text: string): ComponentChild[] | null {
  const parts: ComponentChild[] = [];
  let from = 0;
  for (const { 0: char, index } of text.matchAll(UNSEEN)) {
    if (isPlain(char)) continue;
    parts.push(text.slice(from, index), h("span", { class: "unseen" }, nameOf(char)));
    from = index + char.length;
  }
  return parts.length === 0 ? null : [...parts, text.slice(from)];
}

/** Elements that hold nothing but text. */
const PLAIN_TEXT = new Set(["option", "title", "text"]);

const plainChildren = (children: unknown): unknown =>
  typeof children === "string"
    ? visibleText(children)
    : Array.isArray(children)
      ? children.map(plainChildren)
      : children;

/**
 * Makes invisible characters visible in every text and attribute of every element. Call it once, before anything is
 * drawn.
 */
export function showUnseenCharacters(): void {
  options.vnode = (vnode) => {
    // A text is a node without a type whose props are the text.
    const node: { type: unknown; props: unknown } = vnode;
    if (typeof node.props === "string") {
      const children = visibleParts(node.props);
      if (children) Object.assign(node, { type: "span", props: { children } });
    } else if (typeof node.type === "string") {
      const props: Record<string, unknown> = vnode.props;
      for (const [name, value] of Object.entries(props)) {
        if (typeof value === "string" && name !== "children" && name !== "value") props[name] = visibleText(value);
      }
      if (PLAIN_TEXT.has(node.type)) props.children = plainChildren(props.children);
    }
  };
}
