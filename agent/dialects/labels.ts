/** The labels of the format, however models decorate them, thinking, and the tokens of chat templates. */
import type { REPLY_LABELS } from "../reply.ts";

export type Label = keyof typeof REPLY_LABELS;

const LABELS = ["input", "action", "thought", "observation", "answer"] as const;
const NAMES: Record<Label, string> = {
  input: "(?:action|tool)[ _\\\\-]*(?:input|args|arguments|parameters)",
  action: "(?:action(?:[ _]name)?|tool(?:[ _](?:name|call))?)",
  thought: "(?:thoughts?|thinking|reasoning)",
  observation: "observations?",
  answer: "final[ _\\\\-]*(?:answer|code|solution)",
};
const DECORATION = "[ \\t>#*_`\\-•\\d.)(]{0,60}";
const TAIL = "(?:[ _]?#?\\d{1,3})?[ \\t*_`)]{0,20}";
const labelLine = (names: readonly string[], flags: string) =>
  new RegExp(`^${DECORATION}(?:${names.join("|")})${TAIL}(?:[:：]|\\s*$)`, flags);
/** One of them matches a line with a label, up to the colon or with the line break: for text that has none. */
export const LABEL_LINES = [labelLine(Object.values(NAMES), "i"), labelLine(["Answer"], "")];

/** What may be a label, as `labelIn` tells: at the start of a line, after a sentence or a tag, an input after its action. */
export const LABEL =
  `(?:(?<decoration>^${DECORATION}?)|(?<=[.!?)*][ \\t]{1,3}|>[ \\t]{0,3})|\\b(?=Action[ _]Input))(?<mark>[*_\`]{0,3})` +
  `(?:${LABELS.map((label) => `(?<${label}>${NAMES[label]})`).join("|")}` +
  `|(?<short>input|code|args|arguments|parameters)|(?<bare>answer))${TAIL}(?:(?<colon>[:：])\\k<mark>?|[ \\t]*$)`;

/** The label that a match of `LABEL` is where `current` was the last; null where it is a part of the text. */
export function labelIn(match: Record<string, string | undefined>, current: string, isBareCode: boolean): Label | null {
  const { decoration, mark = "", short, bare, colon } = match;
  const label = LABELS.find((one) => match[one] !== undefined) ?? "answer";
  const isCapital = /^[A-Z]/.test(match[label] ?? bare ?? "");
  if (short !== undefined) return current === "action" && decoration !== undefined ? "input" : null;
  if (bare !== undefined && !isCapital) return null;
  if (decoration === undefined) {
    const before = { input: "action", action: "text thought", answer: "text thought", thought: "", observation: "" }[
      label
    ];
    return isCapital && colon && bare === undefined && before.includes(current) ? label : null;
  }
  // In code without a fence, `action: str = "x"` is a statement.
  return isCapital || /[#*`]/.test(decoration + mark) || (colon && !isBareCode) ? label : null;
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
  for (let token = TOKEN_AT_END.exec(end.slice(-60)); token; token = TOKEN_AT_END.exec(end.slice(-60)))
    end = end.slice(0, -token[0].length).trimEnd();
  return end;
}

const TOKEN_AT_LINE_END = new RegExp(`(?:${TURN_TOKEN.source})[ \\t]*(?=\\n|$)`);

/** What comes before the token that ends a message in the middle of `text`. */
export const beforeTurnToken = (text: string): string => text.slice(0, TOKEN_AT_LINE_END.exec(text)?.index);
