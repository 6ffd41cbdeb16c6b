/** What a `--model` value names. */

import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { UserError } from "../../utils/errors.ts";

export type ModelSpec =
  | { kind: "openai"; name: string }
  | { kind: "script"; file: string }
  | { kind: "search" }
  /** A hub id or a folder with weights. */
  | { kind: "local"; id: string };

export const SPEC_HELP =
  "openai:NAME (a server at OPENAI_BASE_URL), search (built in), script:FILE (canned replies), or a hub id or folder (on this machine)";

/** @throws UserError that names the choices */
export function parseSpec(spec: string): ModelSpec {
  const text = spec.trim();
  const [, scheme, rest] = /^(openai|script):(.*)$/s.exec(text) ?? [];
  if (scheme !== undefined && !rest) throw new UserError(`"${text}" lacks a name after the colon: give ${SPEC_HELP}.`);
  if (rest && scheme === "openai") return { kind: "openai", name: rest };
  if (rest && scheme === "script") return { kind: "script", file: rest };
  if (text === "search") return { kind: "search" };
  if (HUB_ID.test(text) || /^\.\.?(\/|$)/.test(text) || isAbsolute(text) || isFolder(text)) {
    return { kind: "local", id: text };
  }
  const hint = text !== "" && !text.includes(":") ? ` For a model of a server write openai:${text}.` : "";
  throw new UserError(`Unknown model "${text}": give ${SPEC_HELP}.${hint}`);
}

const HUB_ID = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
