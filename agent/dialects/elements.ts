/** Reads calls in elements: `<tool_call>`, `<function=…>`, `<invoke name=…>`, the tool's own element, `[TOOL_CALLS]`. */
import { commonIndent, dedentCode } from "../../utils/languages/python/indent.ts";
import { type Call, callInJson, isObject } from "./calls.ts";
import { jsonIn, parseLenient } from "./lenient_json.ts";
import { sameName } from "./tool_names.ts";

const WRAPPER =
  /<(tool_?call|function_?calls?|tool_?use|invoke|function|tool)\b[^<>\n]{0,80}>|\[TOOL_CALLS\]|<\|(?:tool_call|python_tag)\|>/iy;
const ELEMENT = /<([A-Za-z_][\w.-]{0,60})((?:=|\s)[^<>\n]{0,120})?>/y;

/** The call in an element that starts at `at`; null where there is none. */
export function callInElement(text: string, at: number, tools: readonly string[]): Call | null {
  WRAPPER.lastIndex = at;
  const [wrapper = "", tag] = WRAPPER.exec(text) ?? [];
  const ahead = text.slice(at + wrapper.length, at + wrapper.length + 200).trimStart();
  if (wrapper !== "" && /^[{[]/.test(ahead)) {
    const read = parseLenient(text, at + wrapper.length);
    const call = read && !read.cutInString ? callInJson(read.value, tools) : null;
    if (read && call) return { ...call, form: "element", end: read.end };
  }
  if (/python_tag/i.test(wrapper)) {
    return { name: "python", input: text.slice(at + wrapper.length), form: "element", end: text.length };
  }
  const element = elementAt(text, at);
  if (!element || (tag === undefined && !tools.some((tool) => sameName(tool, element.tag)))) return null;
  const { content, end } = element;
  const quoted = /["'](?:name|tool|action)["']\s*:\s*["']([^"'\n]{1,60})["']/.exec(content.slice(0, 300))?.[1];
  if (tag === undefined) return { name: element.tag, input: contentOf(content), form: "element", end };
  if (quoted !== undefined && ahead.startsWith("{")) return { name: quoted, input: content, form: "element", end };
  if (element.name !== "") return { name: element.name, input: contentOf(content), form: "element", end };
  return { ...callInside(content, tools), form: "element", end };
}

/** `<TOOL_NAME>…</TOOL_NAME><TOOL_ARGS>…</TOOL_ARGS>`, `<function=…>`, `<invoke name=…>` or the tool's own element. */
function callInside(content: string, tools: readonly string[]): { name: string; input: unknown } {
  let name = "";
  let input: unknown = {};
  for (const element of elements(content)) {
    const own = /^(?:function|invoke|tool)$/i.test(element.tag)
      ? element.name
      : tools.find((tool) => sameName(tool, element.tag));
    if (own) return { name: own, input: contentOf(element.content) };
    if (/^(?:tool_?name|name|tool|function)$/i.test(element.tag)) name = element.content.trim();
    else if (/^(?:tool_?args|arguments|args|parameters|input|tool_?input)$/i.test(element.tag))
      input = contentOf(element.content);
    else if (isObject(input)) input = { ...input, [element.tag]: leafOf(element.content) };
  }
  return { name, input };
}

interface Element {
  tag: string;
  /** `=name` or ` name="name"`; empty where there is none. */
  name: string;
  content: string;
  end: number;
}

function elementAt(text: string, at: number): Element | null {
  ELEMENT.lastIndex = at;
  const [opening, tag, attributes = ""] = ELEMENT.exec(text) ?? [];
  if (opening === undefined || tag === undefined) return null;
  const from = at + opening.length;
  const closing = new RegExp(`</${tag.replaceAll(".", "\\.")}\\s*>`, "gi");
  closing.lastIndex = from;
  let close = closing.exec(text);
  // Code may hold its own closing tag in a string, so the last one counts.
  for (let later = close; /^code$/i.test(tag) && later; later = closing.exec(text)) close = later;
  const name = /(?:^=|\bname\s*=)\s*["']?([^"'\s>]+)/.exec(attributes)?.[1] ?? "";
  const end = close ? close.index + close[0].length : text.length;
  return { tag, name, content: text.slice(from, close?.index), end };
}

function* elements(content: string): Generator<Element> {
  for (let at = content.indexOf("<"); at !== -1; at = content.indexOf("<", at)) {
    const element = elementAt(content, at);
    if (element) yield element;
    at = element ? element.end : at + 1;
  }
}

/** What an element holds: its child elements as an object, JSON, or text. */
function contentOf(content: string): unknown {
  const trimmed = content.trimStart();
  if (trimmed.startsWith("{")) return jsonIn(trimmed) ?? content;
  if (!/^<[A-Za-z]/.test(trimmed)) return leafOf(content);
  return Object.fromEntries(
    [...elements(content)].map((child) => [child.name || child.tag.toLowerCase(), leafOf(child.content)]),
  );
}

/** The text of an element: without the line breaks next to the tags, CDATA marks, and the indentation of the XML. */
function leafOf(content: string): string {
  const bare = content.replace(/^\s*<!\[CDATA\[/, "").replace(/\]\]>\s*$/, "");
  const lines = bare.replace(/^[ \t]*\n/, "").replace(/\n[ \t]*$/, "");
  return bare === lines || !/^[ \t]/.test(lines) ? lines : dedentCode(lines, commonIndent(lines));
}
