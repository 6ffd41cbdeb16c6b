/** The signature of a C++ function, and the stub that stands for it in the judge. */

import { closingOf, splitAtCommas } from "../tokens.ts";
import { findFunction, type Item, itemsOf } from "./items.ts";
import { scan } from "./scan.ts";

/** What the signature of an untrusted program may hold: names of types, with their parameters. */
const TYPES = /^[\p{ID_Continue}\s<>,:&*()]*$/u;
const SPECIFIERS = /\b(?:static|inline|extern|constexpr|virtual|explicit)\b|\[\[[^\]]*\]\]/g;

export interface Signature {
  name: string;
  /** With the parameters of a template before it. */
  returns: string;
  parameters: { type: string; name: string }[];
}

/** Null where it cannot be read: a template, a pointer to a function, an array, a type that follows. */
export function signatureOf(code: string, item: Item): Signature | null {
  const found = anySignatureOf(code, item);
  return found && isTemplate(found) ? null : found;
}

export const isTemplate = ({ returns }: Signature): boolean => /\btemplate\b/.test(returns);

/** The same with templates. */
export function anySignatureOf(code: string, { start, parameters, body, end, name }: Item): Signature | null {
  const head = withoutComments(code.slice(start, parameters));
  const returns = head.slice(0, head.lastIndexOf(name)).replace(SPECIFIERS, " ").replace(/\s+/g, " ").trim();
  const rest = withoutComments(code.slice(parameters, body === null ? end : body - 1));
  const close = closingOf(scan(rest), rest);
  const list = rest.slice(1, close).trim();
  const isPlain = returns !== "" && !/\bauto\b/.test(returns) && !rest.slice(close + 1).includes("->");
  if (!isPlain) return null;
  const found = list === "" || list === "void" ? [] : splitAtCommas(list).map(parameterOf);
  const read = found.flatMap((one) => one ?? []);
  return read.length === found.length ? { name, returns, parameters: read } : null;
}

function parameterOf(text: string): { type: string; name: string } | null {
  const plain = text.replace(/=[\s\S]*$/, "").trim();
  const [, type = "", name = ""] = /^([\s\S]*[\s>&*])([\p{ID_Start}_][\p{ID_Continue}]*)$/u.exec(plain) ?? [];
  const isType = type.trim() !== "" && !/[[\](]|\bauto\b/.test(plain);
  return isType ? { type: type.replace(/\s+/g, " ").trim(), name } : null;
}

export const withoutComments = (text: string): string => text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " ");

export interface Stub {
  /** What stands in front of the tests: the declaration's other parts, and the function, which asks the program. */
  source: string;
  /** Type of the function, as `mendjudge` takes it. */
  type: string;
  /** The names of types that it may be written in. */
  aliases: string;
}

/**
 * @param declaration of the task: up to the function's `{`, or whole
 * @param isTrusted false for an untrusted program: only its signature is used
 * @returns null where it has no such function, or a signature that cannot be read
 */
export function stubOf(declaration: string, entryPoint: string, isTrusted = true): Stub | null {
  const items = itemsOf(declaration);
  const found = findFunction(items, entryPoint);
  const signature = found && signatureOf(declaration, found);
  if (!signature) return null;
  const { returns, parameters } = signature;
  const types = [returns, ...parameters.map(({ type }) => type)];
  if (!isTrusted && !types.every((type) => TYPES.test(type))) return null;
  const text = ({ start, end }: Item) => declaration.slice(start, end);
  const kept = isTrusted ? items.filter((one) => one !== found && one.name !== "main") : [];
  const type = `${returns}(${parameters.map((one) => one.type).join(", ")})`;
  const list = parameters.map((one) => `${one.type} ${one.name}`).join(", ");
  const call = [`"${entryPoint}"`, ...parameters.map(({ name }) => name)].join(", ");
  const stub = `${returns} ${entryPoint}(${list}) { return mendjudge::Remote<${type}>::call(${call}); }`;
  const before = kept.filter((one) => found && one.start < found.start).map(text);
  const after = kept.filter((one) => found && one.start > found.start).map(text);
  const aliases = kept.filter(({ kind, name }) => kind === "alias" && name !== "").map(text);
  return { source: [...before, stub, ...after].join("\n"), type, aliases: aliases.join("\n") };
}
