/** Makes a whole Java file from what a model sent for a task: the file, the class, the method or only its body. */

import { partsAt } from "../compiled_files.ts";
import type { AnsweredFile, ProgramParts } from "../language.ts";
import { findMethod, type Member, membersOf, type Span, type TypeSpan, type Unit, unitOf } from "./members.ts";
import { scan } from "./scan.ts";

/** Null where there is no method or class of that name. The declaration ends with the line of its `{`. */
export function partsAround(source: string, name: string): ProgramParts | null {
  const unit = unitOf(source);
  const method = findMethod(unit, name)?.method;
  const type = unit.types.findLast((one) => one.name === name);
  const span = method ?? type;
  if (!span || span.body === null) return null;
  return partsAt(source, { body: span.body, end: span.end });
}

/** A complete program; an answer that is none comes back as it is. */
export function assemble(file: AnsweredFile, answer: string): string {
  const text = answer.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const whole = file.declaration + file.buggyCode + file.epilogue;
  const own = ownParts(whole, file.entryPoint);
  if (!own) return answer;
  const unit = unitOf(text);
  if (findMethod(unit, file.entryPoint)) return fromFile(own, text, unit, file.entryPoint);
  const members = membersOf(text);
  if (members.some(({ kind, name }) => kind === "method" && name === file.entryPoint))
    return fromMembers(own, text, members);
  return fromBody(file, text) ?? answer;
}

/** The task's file and the class in it whose method is repaired. */
interface Own {
  code: string;
  unit: Unit;
  type: TypeSpan;
  method: Member;
}

function ownParts(code: string, entryPoint: string): Own | null {
  const unit = unitOf(code);
  const found = findMethod(unit, entryPoint);
  return found ? { code, unit, ...found } : null;
}

const cut = (code: string, { start, end }: Span): string => code.slice(start, end);
const flat = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Imports that the answer does not repeat, then the answer's classes with what only the file's class has. */
function fromFile(own: Own, text: string, unit: Unit, entryPoint: string): string {
  const found = findMethod(unit, entryPoint);
  if (!found) return text;
  const imports = missingImports(own, unit, text);
  const known = new Set(found.type.members.map(({ name }) => name));
  const lacking = own.type.members.filter(
    ({ kind, name }) => (kind === "method" || kind === "type") && !known.has(name),
  );
  const added = lacking.map((member) => `\n    ${cut(own.code, member)}\n`).join("");
  const types = unit.types.filter((type) => !isTest(own, type));
  const classes = types.map((type) => withLead(text, unit, type, type === found.type ? added : ""));
  const names = new Set(unit.types.map(({ name }) => name));
  const others = own.unit.types
    .filter((type) => type !== own.type && !names.has(type.name))
    .map((type) => cut(own.code, type));
  const head = [...imports, ...unit.imports.map((one) => cut(text, one))].join("\n");
  return `${head}\n\n${[...classes, ...others].join("\n\n")}\n`.trimStart();
}

/** A class that tries the method: it has a `main`, and the file has none of that name. */
const isTest = (own: Own, type: TypeSpan): boolean =>
  type.members.some(({ name }) => name === "main") &&
  !own.unit.types.some(({ name }) => name === type.name) &&
  type.name !== own.type.name;

const missingImports = (own: Own, unit: Unit, text: string): string[] => {
  const there = new Set(unit.imports.map((one) => flat(cut(text, one))));
  return own.unit.imports.map((one) => cut(own.code, one)).filter((one) => !there.has(flat(one)));
};

/** A class with the comment before it. */
function withLead(text: string, { imports, types, others }: Unit, type: TypeSpan, added: string): string {
  const before = [...imports, ...types, ...others].map(({ end }) => end).filter((end) => end <= type.start);
  const lead = text.slice(Math.max(0, ...before), type.start).trim();
  const code = text.slice(type.start, type.close) + added + text.slice(type.close, type.end);
  return lead === "" ? code : `${lead}\n${code}`;
}

/**
 * The file, in which methods of the answer take the place of those of the same name; new ones stand before the method.
 */
function fromMembers(own: Own, text: string, members: Member[]): string {
  const useful = members.filter(({ kind, name }) => (kind === "method" && name !== "main") || kind === "type");
  const replaced = own.type.members.map((member) => ({
    member,
    by: useful.filter(({ name, kind }) => name === member.name && kind === member.kind),
  }));
  const fresh = useful.filter(({ name }) => !own.type.members.some((member) => member.name === name));
  const imports = [...text.matchAll(/^import\s[^;]*;/gm)]
    .map(([one]) => one)
    .filter((one) => !own.unit.imports.some((span) => flat(cut(own.code, span)) === flat(one)));
  const code = replaced.reduceRight((code, { member, by }) => {
    const pieces = member === own.method ? [...fresh, ...by] : by;
    if (pieces.length === 0) return code;
    const written = pieces.map((piece) => cut(text, piece)).join("\n\n    ");
    return code.slice(0, member.start) + written + code.slice(member.end);
  }, own.code);
  return imports.length === 0 ? code : `${imports.join("\n")}\n${code}`;
}

/** The program with `code` as the method's body, with or without its closing brackets; null where it is no body. */
function fromBody(file: AnsweredFile, code: string): string | null {
  if (!returnsAtTopLevel(code) && file.buggyCode.includes("return ")) return null;
  if (code.trim() === "" || !scan(code).complete) return null;
  const begun = `${file.declaration}${code.trimEnd()}\n`;
  const { depth } = scan(begun);
  // What follows in the file closes what is open behind the method; nothing follows in a benchmark's task.
  const open = scan(file.declaration + file.buggyCode).depth;
  const closing = Array.from({ length: Math.max(0, depth - open) }, (_, i) =>
    "    ".repeat(Math.max(0, depth - 1 - i)),
  );
  return `${begun}${closing.map((indent) => `${indent}}\n`).join("")}${file.epilogue}`;
}

/** True where `code` returns outside of every type: it is a method's body. */
export function returnsAtTopLevel(code: string): boolean {
  const { types, others } = unitOf(code);
  return types.length === 0 && others.some((span) => /\breturn\b/.test(cut(code, span)));
}
