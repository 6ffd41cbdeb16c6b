/** What is taken as a whole where it starts: JSON, a call, a thinking block. */
import { type Call, callInJson, callInPython, callInXml } from "./calls.ts";
import type { Cutter } from "./cutter.ts";
import { parseLenient } from "./lenient_json.ts";
import { toolNamed } from "./tool_names.ts";

const THINK_OPEN = /<(?:think|thinking|thought|reasoning|scratchpad)>/iy;

/** Takes the JSON or the call right after a label. */
export function readPayload(cutter: Cutter): void {
  const { current } = cutter;
  if (current.label === "thought" || current.label === "observation") return;
  if (current.label === "answer" && cutter.answerIsText) return;
  if (current.label === "action") {
    const call = cutter.spend(() => callInPython(cutter.text, cutter.at));
    if (call && toolNamed(call.name, cutter.tools) !== null) {
      current.call = call;
      cutter.at = call.end;
      return;
    }
  }
  readJson(cutter);
}

/** Takes a thinking block, an XML-style call or JSON; false where the line that ends at `end` does not start with one. */
export function readBlock(cutter: Cutter, end: number): boolean {
  const { text, at } = cutter;
  const from = at + (/^[ \t]*/.exec(text.slice(at, Math.min(end, at + 200)))?.[0].length ?? 0);
  const char = text.charAt(from);
  if (text.slice(cutter.lineStart, from).trim() !== "") return false;
  if (char === "{") return readLooseJson(cutter, from);
  if (char !== "<" && char !== "[") return false;
  if (readThinking(cutter, from)) return true;
  const call = cutter.spend(() => callInXml(text, from, cutter.tools));
  if (call !== null) addCall(cutter, call, from);
  return call !== null;
}

function readThinking(cutter: Cutter, from: number): boolean {
  const { text } = cutter;
  THINK_OPEN.lastIndex = from;
  const opening = THINK_OPEN.exec(text);
  if (!opening) return false;
  const inside = from + opening[0].length;
  const close = cutter.thinkEnd.next(inside, text.length);
  cutter.begin("think", cutter.at, inside);
  cutter.close(close?.at ?? text.length);
  cutter.resume(close?.end ?? text.length);
  cutter.lineStart = cutter.at;
  return true;
}

/** Takes a JSON object or list if one starts here. */
function readJson(cutter: Cutter): boolean {
  const { text, current, at } = cutter;
  const from = at + (/^\s*/.exec(text.slice(at, at + 200))?.[0].length ?? 0);
  const isList = text.charAt(from) === "[" && current.label !== "answer";
  if (current.json !== null || !(text.charAt(from) === "{" || isList)) return false;
  const json = cutter.spend(() => parseLenient(text, from));
  if (json === null || json.cutInString) return false;
  current.json = json;
  cutter.at = json.end;
  return true;
}

/** JSON on lines of its own: the input of the action before it, or a call without any label. */
function readLooseJson(cutter: Cutter, from: number): boolean {
  const { current, tools } = cutter;
  const { label } = current;
  if (label === "observation" || label === "answer" || !readJson(cutter)) return false;
  const json = label === "text" || label === "thought" ? current.json : null;
  const call = json && callInJson(json.value, tools);
  if (!json || !call || toolNamed(call.name, tools) === null) return true;
  current.json = null;
  addCall(cutter, { ...call, end: json.end, closed: json.closed }, from);
  return true;
}

/** A call that starts at `from` and needs no label. */
function addCall(cutter: Cutter, call: Call, from: number): void {
  const { current } = cutter;
  if (current.label === "action" || current.label === "input") {
    current.call ??= call;
    cutter.at = call.end;
    return;
  }
  cutter.begin("call", from, from);
  cutter.current.call = call;
  cutter.close(call.end);
  cutter.resume(call.end);
}
