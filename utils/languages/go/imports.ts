/** Imports as the reference harness has them: those that a program uses and no others, whatever it says itself. */

import { blanked } from "../tokens.ts";
import { scan } from "./scan.ts";
import { type Import, type Unit, unitOf } from "./unit.ts";

/** Packages that are found by their names where a program does not import them. */
const FOUND = `bufio bytes container/heap container/list context crypto/md5 crypto/sha1 crypto/sha256 encoding/binary
  encoding/hex encoding/json errors fmt math math/big math/bits math/cmplx math/rand os reflect regexp runtime sort
  strconv strings sync sync/atomic time unicode unicode/utf8 github.com/stretchr/testify/assert
  github.com/stretchr/testify/require testing`.split(/\s+/);
/** Tests have variables of these names, which hold what the package gave: `assert := assert.New(t)`. */
const SHADOWED = /^(?:assert|require)$/;

const nameOf = ({ path, alias }: Import): string => alias ?? path.split("/").at(-1) ?? path;

/** The imports of `code` that it uses, and those that it lacks. @param more imports that it may have, too */
export function neededImports(code: string, more: readonly Import[] = []): Import[] {
  const { used, bare } = usesOf(code);
  const own = [...unitOf(code).imports, ...more].filter(
    (one, at, all) => all.findIndex((other) => other.path === one.path && other.alias === one.alias) === at,
  );
  const kept = own.filter((one) => /^[._]$/.test(one.alias ?? "") || used.has(nameOf(one)));
  const there = new Set(kept.map(nameOf));
  const lacking = FOUND.map((path): Import => ({ path, alias: null })).filter((one) => {
    const name = nameOf(one);
    return used.has(name) && !there.has(name) && (!bare.has(name) || SHADOWED.test(name));
  });
  return [...kept, ...lacking];
}

/** Names before a dot, and names that stand for themselves: a variable of that name is no package. */
function usesOf(code: string): { used: Set<string>; bare: Set<string> } {
  const { tokens } = scan(withoutClauses(code, unitOf(code)));
  const [used, bare] = [new Set<string>(), new Set<string>()];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== "word" || tokens[at - 1]?.text === ".") continue;
    (tokens[at + 1]?.text === "." ? used : bare).add(text);
  }
  return { used, bare };
}

/** `code` without its clauses; all lines stay where they are. */
export const withoutClauses = (code: string, { clauses }: Pick<Unit, "clauses">): string => blanked(code, clauses);

export const importClauses = (imports: readonly Import[]): string =>
  imports.map(({ path, alias }) => `import ${alias === null ? "" : `${alias} `}${JSON.stringify(path)}; `).join("");

/** `code` as a file of a package with the imports that it needs, each of its lines where it was. */
export const asFileOf = (packageName: string, code: string, more: readonly Import[] = []): string =>
  `package ${packageName}; ${importClauses(neededImports(code, more))}${withoutClauses(code, unitOf(code))}\n`;
