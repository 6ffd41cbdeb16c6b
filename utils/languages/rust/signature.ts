/** The signature of a Rust function, and the stubs by which its tests and its program meet. */

import { findFunction, type Item, itemsOf } from "./items.ts";
import { scan, type Token } from "./scan.ts";

/** What the signature of an untrusted program may hold: names of types and their parameters. */
const TYPE = /^[\p{ID_Continue}\s<>,:&()[\];'-]*$/u;
/** Which of these a function has is decided by its tests' numbers, not by their text. */
const NUMBER_TYPE = /\b(?:[iu](?:8|16|32|64|128|size)|f32|f64)\b/g;

export interface Signature {
  name: string;
  /** `<'a>`, `<T: Clone>`; empty for none. */
  generics: string;
  parameters: string[];
  /** `()` for none, with the `where` behind it. */
  returns: string;
  /** Whether the function has one type: no type parameters, no `impl`. */
  isPlain: boolean;
}

/** Null where the function has no type of its own. @param code in which it stands */
export function signatureOf(code: string, item: Item): Signature | null {
  const found = anySignatureOf(code, item);
  return found?.isPlain ? found : null;
}

/** The same with type parameters. Null where it cannot be read: `self`, `async`, `impl` as the result. */
export function anySignatureOf(code: string, { start, keyword, body, end }: Item): Signature | null {
  const qualifiers = scan(code.slice(start, keyword)).tokens.map(({ text }) => text);
  const head = code.slice(keyword, body === null ? end : body - 1);
  const { tokens } = scan(head);
  const open = openingOf(tokens);
  const close = tokens.findIndex(({ text, depth }, at) => at > open && depth === 0 && text === ")");
  if (open === -1 || close === -1 || qualifiers.includes("async")) return null;
  const textOf = (part: readonly Token[]) => part.map(({ text }) => text).join(" ");
  const generics = tokens.slice(2, open);
  const parameters = parametersOf(tokens.slice(open + 1, close)).map(textOf);
  const behind = tokens.slice(close + 1).filter(({ text }) => text !== ";");
  const returns = behind[0]?.text === "->" ? textOf(behind.slice(1)) : `() ${textOf(behind)}`.trim();
  const whole = [...generics, ...tokens.slice(open + 1)];
  if (whole.some(({ text }) => /^[sS]elf$/.test(text)) || parameters.includes("") || /\bimpl\b/.test(returns))
    return null;
  const isPlain =
    generics.every(({ kind, text }) => kind === "lifetime" || /^[<>,:+]$/.test(text)) &&
    !whole.some(({ text }) => /^(?:impl|where|const)$/.test(text));
  return { name: tokens[1]?.text ?? "", generics: textOf(generics), parameters, returns, isPlain };
}

/** Where the parameters begin: behind those of types, which may have `Fn(i32)` among them. */
function openingOf(tokens: readonly Token[]): number {
  let angles = 0;
  return tokens.findIndex(({ text }) => {
    if (text === "<") angles += 1;
    if (text === ">") angles -= 1;
    return text === "(" && angles === 0;
  });
}

/** The type of each parameter, behind the `:` of its pattern; none for what has no type. */
function parametersOf(tokens: readonly Token[]): Token[][] {
  const depth = tokens[0]?.depth;
  const parts: Token[][] = [[]];
  let angles = 0;
  for (const token of tokens) {
    if (token.text === "<") angles += 1;
    if (token.text === ">") angles -= 1;
    if (token.text === "," && token.depth === depth && angles === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts
    .filter((part) => part.length > 0)
    .map((part) => {
      const colon = part.findIndex(({ text, depth: own }) => text === ":" && own === depth);
      return colon === -1 ? [] : part.slice(colon + 1);
    });
}

export interface Stubs {
  /** The declaration's other parts, and the function as its tests see it: it asks the program's process. */
  declared: string;
  /** The function's type; the program's function must have it, too. */
  type: string;
  signature: Signature;
}

/**
 * @param declaration of the task: up to the function's `{`, or whole
 * @param isTrusted false for an untrusted program: only its signature is used
 * @returns null where it has no such function, or a signature that cannot be read
 */
export function stubsOf(declaration: string, entryPoint: string, isTrusted = true): Stubs | null {
  const items = itemsOf(declaration);
  const found = findFunction(items, entryPoint);
  const signature = found && signatureOf(declaration, found);
  if (!found || !signature) return null;
  const { parameters, returns } = signature;
  if (!isTrusted && ![...parameters, returns].every((type) => TYPE.test(type))) return null;
  const kept = items.filter((one) => isTrusted && one !== found && one.name !== "main" && one.kind !== "inner");
  const text = kept.map(({ start, end }) => declaration.slice(start, end));
  return {
    declared: [...text, remoteOf(signature)].join("\n"),
    type: typeOf(signature),
    signature,
  };
}

const isChanged = (type: string): boolean => /^& (?:'\w+ )?mut /.test(type);
const isSlice = (type: string): boolean => /^& (?:'\w+ )?mut \[[^;]*\]$/.test(type);

/** The function's type. */
export function typeOf({ generics, parameters, returns }: Signature): string {
  return `${generics === "" ? "" : `for${generics} `}fn(${parameters.join(", ")}) -> ${returns}`;
}

/** The head of a function of this signature, whose parameters are `p0`, `p1`, … */
export function stubOf({ name, generics, parameters, returns }: Signature): string {
  const given = parameters.map((type, i) => `p${i}: ${type}`).join(", ");
  return `#[track_caller] pub fn ${name}${generics}(${given}) -> ${returns}`;
}

/** A function `answer` that reads arguments of these types, calls what stands around it, and writes what comes back. */
export function entryOf({ name, parameters }: Signature, type: string): string {
  const names = parameters.map((_, i) => `a${i}`).join(", ");
  const read = parameters.map((one, i) =>
    isChanged(one) ? `let (a${i}, k${i}) = ::mend_wire::kept(input)?;` : `let a${i} = ::mend_wire::Get::get(input)?;`,
  );
  const kept = parameters.flatMap((one, i) => (isChanged(one) ? [`k${i}.put(out);`] : []));
  const result = "::std::result::Result<(), ::mend_wire::Wrong>";
  return [
    `fn answer(input: &mut ::mend_wire::Reader, out: &mut ::mend_wire::Writer) -> ${result} {`,
    `let function: ${type} = super::${name};`,
    ...[...read, `let result = function(${names});`, "::mend_wire::Put::put(&result, out);", ...kept],
    "::std::result::Result::Ok(()) }",
  ].join(" ");
}

function remoteOf(signature: Signature): string {
  const { name, parameters } = signature;
  const given = parameters.map((_, i) => `call.give(&p${i});`);
  const changed = parameters.flatMap((type, i) => {
    if (!isChanged(type)) return [];
    return isSlice(type) ? [`::mend_judge::copied(p${i}, reply.take());`] : [`*p${i} = reply.take();`];
  });
  return [
    `${stubOf(signature)} {`,
    ...[`let mut call = ::mend_judge::Call::of("${name}");`, ...given, "let mut reply = call.ask();"],
    ...["let result = reply.take();", ...changed, "reply.end();", "result"],
    "}",
  ].join("\n");
}

/**
 * The type that the program's function has to have: the declared one, in the program's own types of numbers where it
 * differs in these alone, as the numbers that tests write have any.
 */
export function wantedType(declared: Stubs, program: string, entryPoint: string): string {
  const found = findFunction(itemsOf(program), entryPoint);
  const own = found && signatureOf(program, found);
  if (!own || ![...own.parameters, own.returns].every((type) => TYPE.test(type))) return declared.type;
  const plain = (type: string) =>
    type
      .replace(NUMBER_TYPE, "number")
      .replace(/'\w+\s?/g, "")
      .replace(/^for<[^>]*> /, "");
  return plain(typeOf(own)) === plain(declared.type) ? typeOf(own) : declared.type;
}
