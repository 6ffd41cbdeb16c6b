/** Recognizes the labels of the protocol at the start of a line, however they are decorated. */

export type Label = "thought" | "action" | "input" | "observation" | "answer";

export interface FoundLabel {
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
/** Labels that mean the input only right after an action. */
const SHORT_INPUT = /^(?:input|code|args|arguments|parameters)/i;
const POSSIBLE =
  /^[\s>#*_`\-•\d.)(]{0,60}(?:action|tool|thought|thinking|reasoning|observation|final|answer|input|code|arg|param)/i;
const SPACE_IN_LINE = " \\t\\r\\f\\v\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";
/** `POSSIBLE` at the start of any line of a text. */
export const POSSIBLE_LABEL = new RegExp(POSSIBLE.source.replace("\\s", SPACE_IN_LINE), "gim");
const DECORATION = /^[\s>#*_`\-•\d.)(]*/;
const TAIL = /^(?:[ _]?#?\d{1,3})?[\s*_`)]*/;
/** One of them matches a line in which `labelAt` finds a label, up to the colon or with the line break: for text that has none. */
export const LABEL_LINES = NAMES.map(
  ([, { source, flags }]) =>
    new RegExp(`${DECORATION.source}(?:${source.slice(1)})${TAIL.source.slice(1)}(?:[:：]|\\s*$)`, flags),
);

/** The label at the start of `line`; `afterAction` is true where an action was named just before. */
export function labelAt(line: string, afterAction: boolean): FoundLabel | null {
  const head = line.slice(0, 120);
  if (!POSSIBLE.test(head)) return null;
  const decoration = DECORATION.exec(head)?.[0] ?? "";
  const rest = head.slice(decoration.length);
  const [label, name] = nameAt(rest, afterAction);
  if (label === null) return null;
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

function nameAt(text: string, afterAction: boolean): [Label, string] | [null, ""] {
  for (const [label, pattern] of NAMES) {
    const name = pattern.exec(text)?.[0];
    if (name !== undefined) return [label, name];
  }
  const name = afterAction ? SHORT_INPUT.exec(text)?.[0] : undefined;
  return name === undefined ? [null, ""] : ["input", name];
}

/** Tokens that chat templates put between messages and that models leak. */
export const TURN_TOKEN =
  /<\|(?:im_end|im_start|endoftext|end_of_text|begin_of_text|eot_id|eom_id|end|end_of_turn|start_header_id|end_header_id|assistant|user|system)\|>|<\/?s>|<(?:end|start)_of_turn>|<(?:eos|bos|pad|EOT)>|<｜[^｜>\n]{1,40}｜>|\[\/?INST\]/g;

/** `text` without such tokens, and white space, at its end. */
export function withoutTurnTokens(text: string): string {
  const atEnd = new RegExp(`(?:${TURN_TOKEN.source})$`);
  let end = text.trimEnd();
  for (let token = atEnd.exec(end.slice(-60)); token; token = atEnd.exec(end.slice(-60))) {
    end = end.slice(0, -token[0].length).trimEnd();
  }
  return end;
}
