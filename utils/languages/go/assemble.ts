/** Makes a whole Go file from what a model sent for a task: the file, the function or only its body. */

import { assembleBy, bodyThat, withLead } from "../assemble_compiled.ts";
import { scan } from "./scan.ts";
import { type Declaration, findCallable, type Unit, unitOf } from "./unit.ts";

/** A complete program; an answer that is not one comes back unchanged. */
export const assemble = assembleBy<Own>({
  scan,
  ownOf: (code) => ({ code, unit: unitOf(code) }),
  fromDefinitions,
  isBody: bodyThat(isBody),
  indent: "",
});

interface Own {
  code: string;
  unit: Unit;
}

/**
 * The answer's declarations with what only the task's file has, and all imports; the judge takes those that are used.
 */
function fromDefinitions({ code, unit: own }: Own, text: string, entryPoint: string): string | null {
  const given = unitOf(text);
  if (!findCallable(given, entryPoint)) return null;
  const known = new Set(own.declarations.flatMap(({ names }) => names));
  const kept = given.declarations.filter((one) => !isTrial(one, known));
  const there = new Set(kept.flatMap(keysOf));
  const lacking = own.declarations.filter(
    (one) => one.kind !== "other" && !keysOf(one).some((name) => there.has(name)),
  );
  const clauses = clausesOf(own, given);
  const leadIn = (source: string, { clauses, declarations }: Unit) => {
    const all = [...clauses, ...declarations];
    return (one: Declaration) => withLead(source, all, one);
  };
  const pieces = [...lacking.map(leadIn(code, own)), ...kept.map(leadIn(text, given))];
  return `${[...clauses, ...pieces].join("\n\n")}\n`;
}

/** Names, for a method with its type. Two declarations with the same key cannot be in one file. */
const keysOf = ({ names, receiver }: Declaration): string[] => names.map((name) => `${receiver ?? ""}.${name}`);

/** What tries the function: a `main` or a test that the file does not have. */
const isTrial = ({ kind, name }: Declaration, known: ReadonlySet<string>): boolean =>
  kind === "func" && /^(?:main|Test\P{Ll}.*)$/u.test(name) && !known.has(name);

function clausesOf(own: Unit, given: Unit): string[] {
  const name = own.packageName ?? given.packageName;
  const imports = [...given.imports, ...own.imports].map(
    ({ path, alias }) => `import ${alias === null ? "" : `${alias} `}${JSON.stringify(path)}`,
  );
  const lines = [...(name === null ? [] : [`package ${name}`]), ...new Set(imports)];
  return lines.length === 0 ? [] : [lines.join("\n")];
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
