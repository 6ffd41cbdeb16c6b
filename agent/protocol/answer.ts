/** Finds the answer in what follows "Final Answer:" or was passed to a call of that name. */
import { firstOf, isObject } from "./calls.ts";
import {
  bareCode,
  bestFence,
  codeInBrokenJson,
  codeInCutJson,
  codeInJson,
  definesSomething,
  looksLikeCode,
  markedCode,
  tidy,
} from "./code.ts";
import { parseLenient } from "./lenient-json.ts";
import type { Source } from "./payload.ts";

/** The answer as text; the whole text unless it came as a value. */
export function textOf({ value, text }: Source): string {
  if (value === undefined) return text.trim();
  if (typeof value === "string") return value;
  const found: unknown = isObject(value)
    ? firstOf(value, ["answer", "final_answer", "text", "output", "result", "input", "content"])
    : value;
  return typeof found === "string" ? found : JSON.stringify(found ?? value);
}

/** The answer as a program; null where there is none. */
export function codeOf({ value, fences, text, earlier }: Source): string | null {
  const given = codeInJson(value);
  if (given !== null && given.trim() !== "") return programIn(given);
  const fence = bestFence(fences);
  if (fence && definesSomething(fence.code)) return tidy(fence.code);
  const fenced = fences
    .map(({ code }) => (/^\s*\{/.test(code) ? codeInJson(parseLenient(code, 0)?.value) : null))
    .findLast((code) => code !== null);
  if (fenced) return tidy(fenced);
  if (fence) return tidy(fence.code);
  const own = text.replace(/^[ \t]+(?=\S)/, "");
  const inJson = /^\s*\{/.test(own) ? (codeInCutJson(own) ?? codeInBrokenJson(own)) : null;
  if (inJson !== null && inJson.trim() !== "") return tidy(inJson);
  const bare = bareCode(own);
  if (bare !== null && definesSomething(bare)) return bare;
  const marked = markedCode(own);
  if (marked !== null && marked.trim() !== "") return tidy(marked);
  const shown = bestFence(earlier.filter(({ code }) => definesSomething(code)));
  return shown ? tidy(shown.code) : bare;
}

/** A string that was given as the answer may itself be prose with a fence in it. */
function programIn(given: string): string {
  if (!/[`~]{3}/.test(given) || looksLikeCode(given.trimStart().split("\n", 1)[0] ?? "")) return tidy(given);
  const start = given.search(/[`~]{3}/);
  return tidy(given.slice(start));
}
