/** Makes a whole Java file from what a model sent for a task: the file, the class, the method or only its body. */

import { assembleBy, bodyThat, withLead } from "../assemble_compiled.ts";
import { changed, cut } from "../tokens.ts";
import { findMethod, type Member, membersOf, type Unit, unitOf } from "./members.ts";
import { scan } from "./scan.ts";

/** A complete program; an answer that is not one comes back unchanged. */
export const assemble = assembleBy<Own>({
  scan,
  ownOf,
  fromDefinitions,
  isBody: bodyThat(returnsAtTopLevel),
  indent: "    ",
});

/** The task's file and the class in it whose method is repaired. */
interface Own {
  code: string;
  unit: Unit;
  type: Member;
  method: Member;
}

function ownOf(code: string, entryPoint: string): Own | null {
  const unit = unitOf(code);
  const found = findMethod(unit, entryPoint);
  return found ? { code, unit, ...found } : null;
}

function fromDefinitions(own: Own, text: string, entryPoint: string): string | null {
  const unit = unitOf(text);
  const found = findMethod(unit, entryPoint);
  if (found) return fromFile(own, text, unit, found.type);
  const members = membersOf(text);
  const isThere = members.some(({ kind, name }) => kind === "method" && name === entryPoint);
  return isThere ? fromMembers(own, text, members) : null;
}

const flat = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Imports that the answer does not repeat, then the answer's classes with what only the file's class has. */
function fromFile(own: Own, text: string, unit: Unit, found: Member): string {
  const imports = missingImports(own, unit, text);
  const known = new Set(found.items.map(({ name }) => name));
  const lacking = own.type.items.filter(({ kind, name }) => (kind === "method" || kind === "type") && !known.has(name));
  const added = lacking.map((member) => `\n    ${cut(own.code, member)}\n`).join("");
  const types = unit.types.filter((type) => !isTest(own, type));
  const all = [...unit.imports, ...unit.types, ...unit.others];
  const classes = types.map((type) => withLead(text, all, type, withAdded(text, type, type === found ? added : "")));
  const names = new Set(unit.types.map(({ name }) => name));
  const others = own.unit.types
    .filter((type) => type !== own.type && !names.has(type.name))
    .map((type) => cut(own.code, type));
  const head = [...imports, ...unit.imports.map((one) => cut(text, one))].join("\n");
  return `${head}\n\n${[...classes, ...others].join("\n\n")}\n`.trimStart();
}

/** A class that tries the method: it has a `main`, and the file has none of that name. */
const isTest = (own: Own, type: Member): boolean =>
  type.items.some(({ name }) => name === "main") &&
  !own.unit.types.some(({ name }) => name === type.name) &&
  type.name !== own.type.name;

const missingImports = (own: Own, unit: Unit, text: string): string[] => {
  const there = new Set(unit.imports.map((one) => flat(cut(text, one))));
  return own.unit.imports.map((one) => cut(own.code, one)).filter((one) => !there.has(flat(one)));
};

const withAdded = (text: string, { start, close, end }: Member, added: string): string =>
  text.slice(start, close) + added + text.slice(close, end);

/**
 * The file, in which methods of the answer take the place of those of the same name; new ones stand before the method.
 */
function fromMembers(own: Own, text: string, members: Member[]): string {
  const useful = members.filter(({ kind, name }) => (kind === "method" && name !== "main") || kind === "type");
  const replaced = own.type.items.map((member) => ({
    member,
    by: useful.filter(({ name, kind }) => name === member.name && kind === member.kind),
  }));
  const fresh = useful.filter(({ name }) => !own.type.items.some((member) => member.name === name));
  const imports = [...text.matchAll(/^import\s[^;]*;/gm)]
    .map(([one]) => one)
    .filter((one) => !own.unit.imports.some((span) => flat(cut(own.code, span)) === flat(one)));
  const changes = replaced.flatMap(({ member, by }) => {
    const pieces = member === own.method ? [...fresh, ...by] : by;
    const written = pieces.map((piece) => cut(text, piece)).join("\n\n    ");
    return pieces.length === 0 ? [] : [{ start: member.start, end: member.end, text: written }];
  });
  const code = changed(own.code, changes);
  return imports.length === 0 ? code : `${imports.join("\n")}\n${code}`;
}

/** True where `code` returns outside of every type: it is a method's body. */
export function returnsAtTopLevel(code: string): boolean {
  const { types, others } = unitOf(code);
  return types.length === 0 && others.some((span) => /\breturn\b/.test(cut(code, span)));
}
