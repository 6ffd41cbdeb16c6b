/**
 * The first gate: what came back from an editor may differ from its parent in `agent/` and `prompts/` and nowhere else.
 */

import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { Finding } from "../log.ts";
import { SURFACE } from "./archive.ts";

export const MAX_FILE_BYTES = 256 * 1024;
export const MAX_TOTAL_BYTES = 4 * 1024 * 1024;
/** No hidden files: git would obey a `.gitattributes`. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
export const isName = (name: string): boolean => NAME.test(name);

/** Null where the folder holds an agent and nothing else. */
export function checkSurface(folder: string): Finding | null {
  let total = 0;
  const visit = (path: string): Finding | null => {
    const name = relative(folder, path);
    const stat = lstatSync(path);
    const [top = ""] = name.split("/");
    if (name !== "" && !SURFACE.some((allowed) => allowed === top)) {
      return tampered(`${name} is outside of ${SURFACE.join("/ and ")}/`);
    }
    if (stat.isSymbolicLink()) return tampered(`${name} is a link`);
    if (stat.isDirectory())
      return firstOf(readdirSync(path).sort(), (entry) => named(join(path, entry), entry) ?? visit(join(path, entry)));
    if (!stat.isFile()) return tampered(`${name} is neither a file nor a folder`);
    if (stat.nlink > 1) return tampered(`${name} is a second name of another file`);
    total += stat.size;
    if (stat.size > MAX_FILE_BYTES) return broken(`${name} is larger than ${MAX_FILE_BYTES / 1024} KB`);
    if (total > MAX_TOTAL_BYTES) return broken(`the agent is larger than ${MAX_TOTAL_BYTES / 1024 / 1024} MB`);
    return null;
  };
  const named = (path: string, entry: string) =>
    isName(entry)
      ? null
      : broken(`${relative(folder, path)}: use letters, digits and ._- in names, not starting with a dot`);
  const problem = readable(() => visit(folder));
  if (problem) return problem;
  const isThere = statSync(join(folder, "agent/main.ts"), { throwIfNoEntry: false })?.isFile();
  return isThere ? null : broken("agent/main.ts is missing: it is how an agent is started");
}

/** What a hostile writer made unreadable (too deep, locked) is a problem of its own. */
export function readable(look: () => Finding | null): Finding | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && "code" in error) return broken(`the workspace cannot be read: ${error.message}`);
    throw error;
  }
}

function firstOf<T>(items: readonly T[], check: (item: T) => Finding | null): Finding | null {
  for (const item of items) {
    const problem = check(item);
    if (problem) return problem;
  }
  return null;
}

export const tampered = (message: string): Finding => ({ verdict: "tampered", message });
export const broken = (message: string): Finding => ({ verdict: "broken", message });

/**
 * SHA-256 over names and contents of what no agent may change: the evaluator, the helpers, the dataset. The same code
 * in another folder has the same.
 */
export function protectedHash(paths: readonly string[]): string {
  const hash = createHash("sha256");
  const visit = (path: string, name: string): void => {
    const stat = statSync(path, { throwIfNoEntry: false });
    hash.update(`${name}\0`);
    if (!stat) return;
    if (stat.isFile()) hash.update(readFileSync(path)).update("\0");
    else if (stat.isDirectory())
      for (const entry of readdirSync(path).sort())
        if (entry !== "__pycache__") visit(join(path, entry), `${name}/${entry}`);
  };
  for (const path of paths) visit(path, basename(path));
  return hash.digest("hex");
}
