/** Recognizes the labels of the format at the start of a line, however they are decorated, and tokens of chat templates. */
import type { REPLY_LABELS } from "../reply.ts";

export type Label = keyof typeof REPLY_LABELS;

interface FoundLabel {
  label: Label;
  /** Offset in the line after the label, its colon and its decoration. */
  end: number;
  /** True for a label that a line of code could be mistaken for: lower case and undecorated. */
  isPlain: boolean;
}

const NAMES: [Label, RegExp][] = [
  ["input", /^(?:action|tool)[ _\\-]*(?:input|args|arguments|parameters)/i],
  ["action", /^(?:action(?:[ _]name)?|tool(?:[ _](?:name|call))?)/i],
  ["thought", /^(?:thoughts?|thinking|reasoning)/i],
  ["observation", /^observations?/i],
  ["answer", /^final[ _\\-]*(?:answer|code|solution)/i],
  ["answer", /^Answer/],
];
const AFTER_ACTION: typeof NAMES = [...NAMES, ["input", /^(?:input|code|args|arguments|parameters)/i]];
const DECORATION = /^[\s>#*_`\-•\d.)(]*/;
const TAIL = /^(?:[ _]?#?\d{1,3})?[\s*_`)]*/;
/** One of them matches a line in which `labelAt` finds a label, up to the colon or with the line break: for text that has none. */
export const LABEL_LINES = NAMES.map(
  ([, { source, flags }]) =>
    new RegExp(`${DECORATION.source}(?:${source.slice(1)})${TAIL.source.slice(1)}(?:[:：]|\\s*$)`, flags),
);
/** What a line with a label starts with. */
export const POSSIBLE_LABEL =
  /^(?:(?!\n)[\s>#*_`\-•\d.)(]){0,60}(?:action|tool|thought|thinking|reasoning|observation|final|answer|input|code|arg|param)/im;

/** The label at the start of `line`; `afterAction` is true where an action was named just before. */
export function labelAt(line: string, afterAction: boolean): FoundLabel | null {
  const head = line.slice(0, 120);
  const decoration = DECORATION.exec(head)?.[0] ?? "";
  const rest = head.slice(decoration.length);
  if (decoration.length > 60 || /[`~]{3}/.test(decoration)) return null;
  const [label, pattern] = (afterAction ? AFTER_ACTION : NAMES).find(([, names]) => names.test(rest)) ?? [];
  const name = pattern?.exec(rest)?.[0] ?? "";
  if (label === undefined) return null;
  const tail = TAIL.exec(rest.slice(name.length))?.[0] ?? "";
  let end = decoration.length + name.length + tail.length;
  const isDecorated = /[#*`]/.test(decoration);
  if (/^[:：]/.test(head.slice(end))) {
    end += 1;
    const marks = /[*_`]+$/.exec(decoration)?.[0] ?? "";
    if (marks !== "" && head.startsWith(marks, end)) end += marks.length;
  } else if (head.slice(end).trim() !== "" || line.length > 120 || !(isDecorated || /^[A-Z]/.test(name))) return null;
  return { label, end, isPlain: !isDecorated && /^[a-z]/.test(name) };
}

const THINKING = "(?:think|thinking|thought|reasoning|scratchpad)>";
export const THINK_OPEN = new RegExp(`<${THINKING}`, "iy");
export const THINK_CLOSE = new RegExp(`</${THINKING}`, "gi");

/** Tokens that chat templates put between messages and that models leak. */
export const TURN_TOKEN =
  /<\|(?:im_end|im_start|endoftext|end_of_text|begin_of_text|eot_id|eom_id|end|end_of_turn|start_header_id|end_header_id|assistant|user|system)\|>|<\/?s>|<(?:end|start)_of_turn>|<(?:eos|bos|pad|EOT)>|<｜[^｜>\n]{1,40}｜>|\[\/?INST\]/g;

const TOKEN_AT_END = new RegExp(`(?:${TURN_TOKEN.source})$`);

/** `text` without such tokens, and white space, at its end. */
export function withoutTurnTokens(text: string): string {
  let end = text.trimEnd();
  for (let token = TOKEN_AT_END.exec(end.slice(-60)); token; token = TOKEN_AT_END.exec(end.slice(-60))) {
    end = end.slice(0, -token[0].length).trimEnd();
  }
  return end;
}

const TOKEN_AT_LINE_END = new RegExp(`(?:${TURN_TOKEN.source})[ \\t]*(?=\\n|$)`);

/** `code` of a fence that was left open, up to a token that ends a line and ended the message. */
export function withoutTurn(code: string): string {
  return code.slice(0, TOKEN_AT_LINE_END.exec(code)?.index);
}
