/** Makes a whole Go file from what a model sent for a task: the file, the function or only its body. */

import { partsAt } from "../compiled_files.ts";
import type { AnsweredFile, ProgramParts } from "../language.ts";
import { scan } from "./scan.ts";
import { type Declaration, findFunction, type Unit, unitOf } from "./unit.ts";

/** Null where there is no function or type of that name. The declaration ends with the line of its `{`. */
export function partsAround(source: string, name: string): ProgramParts | null {
  const unit = unitOf(source);
  const found =
    findFunction(unit, name) ??
    unit.declarations.findLast(({ kind, names }) => kind === "type" && names.includes(name));
  if (!found) return null;
  const opens = found.body ?? source.indexOf("{", found.start) + 1;
  if (opens === 0 || opens > found.end) return null;
  return partsAt(source, { body: opens, end: found.end });
}

/** A complete program; an answer that is none comes back as it is. */
export function assemble(file: AnsweredFile, answer: string): string {
  const text = answer.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const whole = file.declaration + file.buggyCode + file.epilogue;
  if (findFunction(unitOf(text), file.entryPoint)) return fromFile(whole, text);
  return fromBody(file, text) ?? answer;
}

/**
 * The answer's declarations with what only the task's file has, and all imports; the judge takes those that are used.
 */
function fromFile(whole: string, text: string): string {
  const [own, given] = [unitOf(whole), unitOf(text)];
  const known = new Set(own.declarations.flatMap(({ names }) => names));
  const kept = given.declarations.filter((one) => !isTrial(one, known));
  const there = new Set(kept.filter(({ hasReceiver }) => !hasReceiver).flatMap(({ names }) => names));
  const lacking = own.declarations.filter(
    ({ names, hasReceiver, kind }) => kind !== "other" && !hasReceiver && !names.some((name) => there.has(name)),
  );
  const clauses = clausesOf(own, given);
  const pieces = [...lacking.map((one) => withLead(whole, own, one)), ...kept.map((one) => withLead(text, given, one))];
  return `${[...clauses, ...pieces].join("\n\n")}\n`;
}

/** What tries the function: a `main` or a test that the file does not have. */
const isTrial = ({ kind, names: [name = ""] }: Declaration, known: ReadonlySet<string>): boolean =>
  kind === "func" && /^(?:main|Test\P{Ll}.*)$/u.test(name) && !known.has(name);

function clausesOf(own: Unit, given: Unit): string[] {
  const name = own.packageName ?? given.packageName;
  const imports = [...given.imports, ...own.imports].map(
    ({ path, alias }) => `import ${alias === null ? "" : `${alias} `}${JSON.stringify(path)}`,
  );
  const lines = [...(name === null ? [] : [`package ${name}`]), ...new Set(imports)];
  return lines.length === 0 ? [] : [lines.join("\n")];
}

/** A declaration with the comment before it. */
function withLead(text: string, { clauses, declarations }: Unit, one: Declaration): string {
  const before = [...clauses, ...declarations].map(({ end }) => end).filter((end) => end <= one.start);
  const lead = text.slice(Math.max(0, ...before), one.start).trim();
  const code = text.slice(one.start, one.end);
  return lead === "" ? code : `${lead}\n${code}`;
}

/** The program with `code` as the function's body, with or without its closing bracket; null where it is no body. */
function fromBody(file: AnsweredFile, code: string): string | null {
  if (!isBody(code) && file.buggyCode.includes("return ")) return null;
  if (code.trim() === "" || !scan(code).complete) return null;
  const begun = `${file.declaration}${code.trimEnd()}\n`;
  // What follows in the file closes what is open behind the function; nothing follows in a benchmark's task.
  const open = scan(file.declaration + file.buggyCode).depth;
  return `${begun}${"}\n".repeat(Math.max(0, scan(begun).depth - open))}${file.epilogue}`;
}

/** True where `code` returns outside of every function. */
export function isBody(code: string): boolean {
  const { declarations } = unitOf(code);
  const statements = declarations.filter(({ kind }) => kind === "other" || kind === "var" || kind === "const");
  return (
    !declarations.some(({ kind }) => kind === "func") &&
    statements.some(({ start, end }) => /\breturn\b|\bpanic\(/.test(code.slice(start, end)))
  );
}
