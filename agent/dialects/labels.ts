/** The labels of the format, however models decorate them, thinking, and the tokens of chat templates. */
import { oneOf } from "../../utils/base/text/patterns.ts";
import type { REPLY_LABELS } from "./reply.ts";

export type Label = keyof typeof REPLY_LABELS;

/** In the order in which they are tried. */
const NAMES: readonly (readonly [Label, string])[] = [
  ["input", "(?:action|tool)[ _\\\\-]*(?:input|args|arguments|parameters)"],
  ["action", "(?:action(?:[ _]name)?|tool(?:[ _](?:name|call))?)"],
  ["thought", "(?:thoughts?|thinking|reasoning)"],
  ["observation", "observations?"],
  ["answer", "final[ _\\\\-]*(?:answer|code|solution)"],
];
const DECORATION = "[ \\t>#*_`\\-•\\d.)(]{0,60}";
const TAIL = "(?:[ _]?#?\\d{1,3})?[ \\t*_`)]{0,20}";
const ANY_NAME = NAMES.map(([, name]) => name).join("|");
const labelLine = (names: string, flags: string) =>
  new RegExp(`^${DECORATION}(?:${names})${TAIL}(?:[:：]|\\s*$)`, flags);
/** Match a line with a label, up to its colon or line break. For writers of text that must hold no label. */
export const LABEL_LINES = [labelLine(ANY_NAME, "i"), labelLine("Answer", "")];

/** What may be a label (`labelIn` decides): at a line's start, after a sentence or a tag, an input after its action. */
export const LABEL =
  `(?:(?<decoration>^${DECORATION}?)|(?<=[.!?)*][ \\t]{1,3}|>[ \\t]{0,3})|\\b(?=Action[ _]Input))(?<mark>[*_\`]{0,3})` +
  `(?:${NAMES.map(([label, name]) => `(?<${label}>${name})`).join("|")}` +
  `|(?<short>input|code|args|arguments|parameters)|(?<bare>answer))${TAIL}(?:(?<colon>[:：])\\k<mark>?|[ \\t]*$)`;

/** Labels that may stand in the middle of a line, and after which labels. */
const INLINE: Partial<Record<Label, readonly string[]>> = {
  input: ["action"],
  action: ["text", "thought"],
  answer: ["text", "thought"],
};

/** The label that a match of `LABEL` is where `current` was the last; null where it is a part of the text. */
export function labelIn(match: Record<string, string | undefined>, current: string, isBareCode: boolean): Label | null {
  const { decoration, mark = "", short, bare, colon } = match;
  if (short !== undefined) return current === "action" && decoration !== undefined ? "input" : null;
  const label = NAMES.find(([one]) => match[one] !== undefined)?.[0] ?? "answer";
  const isCapital = /^[A-Z]/.test(match[label] ?? bare ?? "");
  if (bare !== undefined && !isCapital) return null;
  const isClear =
    decoration === undefined
      ? isCapital && colon && bare === undefined && INLINE[label]?.includes(current)
      : // In code without a fence, `action: str = "x"` is a statement.
        isCapital || /[#*`]/.test(decoration + mark) || (colon && !isBareCode);
  return isClear ? label : null;
}

export const THINK = "(?:think|thinking|thought|reasoning|scratchpad)>";

const TOKEN_NAMES = [
  /im_end|im_start|endoftext|end_of_text|begin_of_text|eot_id|eom_id|end|end_of_turn/,
  /start_header_id|end_header_id|assistant|user|system/,
];
const CHAT_TOKEN = `<\\|${oneOf(...TOKEN_NAMES)}\\|>`;
const SENTENCE_TOKEN = /<\/?s>|<(?:end|start)_of_turn>|<(?:eos|bos|pad|EOT)>/;

/** Tokens that chat templates put between messages and that models leak. */
export const TURN_TOKEN = new RegExp(oneOf(CHAT_TOKEN, SENTENCE_TOKEN, /<｜[^｜>\n]{1,40}｜>/, /\[\/?INST\]/), "g");
const TURN = `(?:${TURN_TOKEN.source})`;
const AROUND = new RegExp(`^\\s*(?:${TURN}\\s{0,20}(?:assistant\\s*?(?:\\n|(?=<)))?)+|(?:${TURN}\\s{0,20}){1,9}$`, "g");
const AT_LINE_END = new RegExp(`${TURN}[ \\t]*(?=\\n|$)`);

/** `text` without the tokens that open and end the message. */
export const withoutTurnTokens = (text: string): string => text.trimEnd().replace(AROUND, "");

/** What comes before the token that ends a message in the middle of `text`. */
export const beforeTurnToken = (text: string): string => text.slice(0, AT_LINE_END.exec(text)?.index);
