/** Finds the answer in what follows "Final Answer:" or was passed to a call of that name. */
import type { Language } from "../../utils/languages/language.ts";
import { firstOf, isObject } from "./calls.ts";
import { bestFence, codeInBrokenJson, codeInCutJson, codeInJson, markedCode, tidy } from "./code.ts";
import { parseLenient } from "./lenient_json.ts";
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
export function codeOf({ value, fences, text, earlier, language }: Source): string | null {
  const given = codeInJson(value);
  if (given !== null && given.trim() !== "") return programIn(given, language);
  const fence = bestFence(fences, language);
  if (fence && language.definesSomething(fence.code)) return tidy(fence.code, language);
  const fenced = fences
    .map(({ code }) => (/^\s*\{/.test(code) ? codeInJson(parseLenient(code, 0)?.value) : null))
    .findLast((code) => code !== null);
  if (fenced) return tidy(fenced, language);
  if (fence) return tidy(fence.code, language);
  const own = text.replace(/^[ \t]+(?=\S)/, "");
  const inJson = /^\s*\{/.test(own) ? (codeInCutJson(own) ?? codeInBrokenJson(own)) : null;
  if (inJson !== null && inJson.trim() !== "") return tidy(inJson, language);
  const bare = language.bareCode(own);
  if (bare !== null && language.definesSomething(bare)) return bare;
  const marked = markedCode(own, language);
  if (marked !== null && marked.trim() !== "") return tidy(marked, language);
  const shown = bestFence(
    earlier.filter(({ code }) => language.definesSomething(code)),
    language,
  );
  return shown ? tidy(shown.code, language) : bare;
}

/** A string that was given as the answer may itself be prose with a fence in it. */
function programIn(given: string, language: Language): string {
  if (!/[`~]{3}/.test(given) || language.looksLikeCode(given.trimStart().split("\n", 1)[0] ?? ""))
    return tidy(given, language);
  const start = given.search(/[`~]{3}/);
  return tidy(given.slice(start), language);
}
