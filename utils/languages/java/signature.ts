/** The signature of a Java method, and the stub that stands for its class in the judge. */

import { closingOf, splitAtCommas } from "../tokens.ts";
import { findMethod, type Member, unitOf } from "./members.ts";
import { scan } from "./scan.ts";

/**
 * What a stub may take over of a signature: types of names, with their parameters and dimensions. Nothing that runs.
 */
const TYPES = /^[\p{ID_Continue}$\s<>,.?&[\]]*$/u;
const MODIFIERS = /\b(?:public|protected|private|static|final|abstract|synchronized|strictfp|native|default)\b/g;

const LETTERS: Record<string, string> = {
  byte: "B",
  short: "S",
  int: "I",
  long: "J",
  float: "F",
  double: "D",
};

/** Imports of a stub that is made from an untrusted program. */
const USUAL_IMPORTS = ["util", "util.function", "util.stream", "math"]
  .map((name) => `import java.${name}.*;`)
  .join(" ");

export interface Signature {
  isStatic: boolean;
  /** With type parameters in front, where it has some. */
  returns: string;
  name: string;
  parameters: { type: string; name: string }[];
  throws: string;
}

/** Null where it holds more than names of types. @param code source in which the method stands */
export function signatureOf(code: string, method: Member): Signature | null {
  const head = withoutAnnotations(code.slice(method.start, method.parameters));
  const returns = head.slice(0, head.lastIndexOf(method.name)).replace(MODIFIERS, " ").replace(/\s+/g, " ").trim();
  const rest = code.slice(method.parameters, method.body ?? method.end);
  const close = closingOf(scan(rest), rest);
  const list = withoutAnnotations(rest.slice(1, close));
  const throws = rest
    .slice(close + 1)
    .replace(/\{\s*$/, "")
    .replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "")
    .trim();
  const parameters = splitAtCommas(list).map((part) => {
    const [, type = "", name = "", dimensions = ""] =
      /^(?:final\s+)?([\s\S]*[\s>\]])([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*((?:\[\s*\])*)$/u.exec(
        part.trim().replace(/\.\.\./, "[] "),
      ) ?? [];
    return { type: (type.trim() + dimensions).replace(/\s+/g, " "), name };
  });
  const texts = [returns, throws, ...parameters.flatMap(({ type, name }) => [type, name])];
  const isPlain =
    texts.every((text) => TYPES.test(text)) && returns !== "" && parameters.every(({ name }) => name !== "");
  return isPlain ? { isStatic: /\bstatic\b/.test(head), returns, name: method.name, parameters, throws } : null;
}

const withoutAnnotations = (text: string): string =>
  text
    .replace(/"(?:\\.|[^"\\])*"/g, "0")
    .replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, " ")
    .replace(/@[\w.]+(?:\s*\([^()]*\))?/g, " ");

export interface Stub {
  /** Of the class under test. */
  className: string;
  source: string;
  /** Import statements on one line, which tests have, too. */
  imports: string;
}

/**
 * The class under test as its tests see it: the other members of the declaration as they are, and in place of the
 * method one that asks the program's process.
 * @param declaration of the task: up to the method's `{`, or whole
 * @param isTrusted false for an untrusted program: only the signature of its method is used
 * @returns null where it has no such method, or a signature that holds more than names of types
 */
export function stubOf(declaration: string, entryPoint: string, isTrusted = true): Stub | null {
  const unit = unitOf(declaration);
  const found = findMethod(unit, entryPoint);
  if (!found) return null;
  const { type, method } = found;
  const signature = signatureOf(declaration, method);
  if (!signature) return null;
  const text = ({ start, end }: { start: number; end: number }) => declaration.slice(start, end);
  const named = unit.imports.map(text).filter((one) => one.startsWith("import"));
  // A program could import a class in place of one that its tests mean.
  const imports = isTrusted ? named.join(" ") : USUAL_IMPORTS;
  const kept = isTrusted ? type.items.filter((one) => one !== method && one.kind !== "constructor") : [];
  const helpers = kept.map(text);
  const others = isTrusted ? unit.types.filter((one) => one !== type).map(text) : [];
  const source = [
    imports,
    ...others,
    `${headOf(declaration, type)} {`,
    "private final int mend$instance = mendjudge.Remote.instance();",
    ...helpers,
    remoteMethod(signature),
    "}",
  ].join("\n");
  return { className: type.name, source, imports };
}

/** `class Solution` without its superclasses: tests do not need them. */
const headOf = (code: string, type: Member): string =>
  `${/\bpublic\b/.test(code.slice(type.start, type.body ?? type.end)) ? "public " : ""}class ${type.name}`;

function remoteMethod({ isStatic, returns, name, parameters, throws }: Signature): string {
  const list = parameters.map((one) => `${one.type} ${one.name}`).join(", ");
  const type = returns.replace(/^<.*?>\s+(?=\S)/, "");
  const wanted = LETTERS[type] ?? "L";
  const passed = [`'${wanted}'`, ...parameters.map((one) => `(Object) ${one.name}`)].join(", ");
  const call = `mendjudge.Remote.call(${isStatic ? "0" : "mend$instance"}, "${name}", ${passed})`;
  const body = type === "void" ? `${call};` : `return (${type}) ${call};`;
  return (
    `@SuppressWarnings("unchecked") public ${isStatic ? "static " : ""}${returns} ${name}(${list}) ` +
    `${throws} { ${body} }`
  );
}
