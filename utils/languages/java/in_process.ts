/** A Java program that is judged in one process with its tests: when it has to be, and what it is compiled from. */

import type { DeclaredTask } from "../language.ts";
import type { JudgedProgram, JudgeSources } from "../runtime.ts";
import { changed, cut } from "../tokens.ts";
import { literal, withChecks } from "./checks.ts";
import { findMethod, type Member, unitOf } from "./members.ts";
import { scan } from "./scan.ts";
import { signatureOf } from "./signature.ts";

/** Types of Java itself whose objects cannot be sent between the processes of tests and program. */
const NEVER_CROSSES =
  /\b(?:\w*(?:Function|Operator|Predicate|Supplier|Consumer|Stream)|Comparator|Runnable|Callable|Itera(?:tor|ble))\b/;
const LOOKS_AT_OUTPUT = /\bSystem\.(?:setOut|setErr)\b/;

export function whyInProcess({ program, declaration, entryPoint, test }: DeclaredTask): string | null {
  const unit = unitOf(program);
  const found = findMethod(unit, entryPoint);
  const signature = found && signatureOf(program, found.method);
  if (!found || !signature) return null;
  const { type, method } = found;
  const own = [
    ...unit.types.map(({ name }) => name),
    ...type.items.flatMap((one) => (one.kind === "type" ? one.name : [])),
  ];
  const types = [signature.returns, ...signature.parameters.map((one) => one.type)];
  const crosses = (text: string) => !NEVER_CROSSES.test(text) && !own.some((name) => wordIn(name).test(text));
  const odd = types.find((text) => !crosses(text));
  if (odd !== undefined) return `\`${entryPoint}\` takes or gives a \`${odd}\``;
  if (new RegExp(`\\bnew\\s+${type.name}\\s*(?:<[^>]*>)?\\s*\\(\\s*[^)\\s]`).test(test))
    return `its tests make a \`${type.name}\` of values`;
  const others = type.items.filter((one) => one !== method && one.kind === "method" && one.name !== entryPoint);
  const called = others.find(({ name }) => wordIn(name, "\\.\\s*", "\\s*\\(").test(test));
  if (called && hasState(program, type)) return `its tests call \`${called.name}\` of an object that keeps a state`;
  const declared = unitOf(declaration);
  const behind = called && !findMethod(declared, called.name) ? called.name : null;
  if (behind !== null) return `its tests use \`${behind}\`, which stands behind \`${entryPoint}\``;
  const caught = own.find((name) => name !== type.name && wordIn(name, "\\bcatch\\s*\\([^)]*").test(test));
  if (caught !== undefined) return `its tests catch a \`${caught}\``;
  const later = unit.types.find(
    ({ name }) => !declared.types.some((one) => one.name === name) && wordIn(name).test(test),
  );
  if (later) return `its tests use \`${later.name}\`, which stands behind \`${entryPoint}\``;
  return LOOKS_AT_OUTPUT.test(test) ? "its tests look at what it prints" : null;
}

const wordIn = (name: string, before = "", after = ""): RegExp =>
  new RegExp(`${before}(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])${after}`);

/** Whether objects of a class have fields. */
const hasState = (code: string, { items }: Member): boolean =>
  items.some((one) => {
    const text = cut(code, one).replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "");
    return one.kind === "other" && /;\s*$/.test(text) && !/^[^=]*\bstatic\b/.test(text);
  });

/** The tests are compiled against what the task declares, and so without a word of the program. */
export function inProcessSources({ program, helpers, test }: JudgedProgram): JudgeSources {
  const { imports, types } = unitOf(helpers);
  const named = imports.map((one) => cut(helpers, one)).filter((one) => one.startsWith("import"));
  return {
    program: [{ file: "Program.java", text: program }],
    tests:
      test.trim() === ""
        ? []
        : [
            [
              { file: "Declared.java", text: helpers, isOurs: true },
              { file: "Tests.java", text: `${named.join(" ")} ${counted(test)}` },
            ],
          ],
    entryPoint: types.map(({ name }) => name).join(","),
    trustsProgram: false,
  };
}

/**
 * Tests with a count at each check: in lists of Booleans, before an `if` that may throw, before an `assert`; each line
 * where it was.
 */
function counted(test: string): string {
  const { tokens } = scan(test);
  const text = (at: number) => test.slice(tokens[at]?.start, tokens[at]?.end);
  const changes = tokens.flatMap(({ start, depth }, i) => {
    const reached = { start, end: start, text: "mendjudge.Checks.reached(); " };
    const word = text(i);
    if (!/^(?:if|assert)$/.test(word) || !/^[{};]$/.test(text(i - 1))) return [];
    if (word === "assert") return [reached];
    const closes = tokens.findIndex((one, j) => j > i + 1 && one.depth === depth && text(j) === ")");
    const isBlock = text(closes + 1) === "{";
    const ends = tokens.findIndex(
      (one, j) => j > closes + 1 && one.depth === depth && text(j) === (isBlock ? "}" : ";"),
    );
    const inside = test.slice(tokens[closes]?.end, tokens[ends]?.end);
    return closes !== -1 && /\bthrow\b/.test(inside) ? [reached] : [];
  });
  return withChecks(
    changed(test, changes),
    (check, line) => `mendjudge.Checks.held(${literal(`line ${line}: ${flat(check)}`)}, ${check})`,
  );
}

const flat = (check: string): string => check.replace(/\s+/g, " ").slice(0, 220);
