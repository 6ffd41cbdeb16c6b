/** Turns what a user wrote into a model: the one place where the rows of the table are asked. */

import { UserError } from "../../utils/base/data/errors.ts";
import type { Model, ModelKind, ModelOptions } from "./model.ts";
import { LAST_RESORT, MODEL_KINDS } from "./table.ts";

export type { Model, ModelOptions } from "./model.ts";

/**
 * What a spec names.
 * @param kinds those that can be named
 * @throws UserError that names the choices
 */
export function parseSpec(spec: string, kinds = MODEL_KINDS): { kind: ModelKind; name: string } {
  const text = spec.trim();
  const usages = kinds.map(({ usage, place }) => `${usage} (${place})`);
  const help = `${usages.slice(0, -1).join(", ")}, or ${usages.at(-1)}`;
  for (const kind of kinds) {
    const name = kind.recognise(text);
    if (name === "") throw new UserError(`"${text}" lacks a name after the colon: give ${help}.`);
    if (name !== null) return { kind, name };
  }
  const hint = text !== "" && !text.includes(":") ? ` For a model of a server write openai:${text}.` : "";
  throw new UserError(`Unknown model "${text}": give ${help}.${hint}`);
}

/**
 * Makes the model that `spec` names, else the one of `MODEL_NAME`, else the best at hand: a server at
 * `OPENAI_BASE_URL`, downloaded weights, the built-in search. Says on `log` what it chose unasked.
 * Each kind is loaded only when chosen: their libraries take a second to import.
 * @throws UserError where the spec names no model or the model's settings are incomplete
 */
export async function createModel(
  spec: string | undefined,
  options: ModelOptions,
  kinds = MODEL_KINDS,
): Promise<Model> {
  const { kind, name } = chosen(spec ?? (await defaultSpec(options)), options, kinds);
  const made = await kind.create(name, options);
  const { contextTokens } = options;
  if (contextTokens !== undefined) Object.assign(made.chat, { contextTokens: async () => contextTokens });
  return { ...made, kind };
}

/**
 * Finds what is wrong with a model before it is needed, and says on `log` which one is taken unasked.
 * @returns its spec
 * @throws UserError as `createModel` does, and where its server refuses the key or has no such model
 */
export async function checkModel(spec: string | undefined, options: ModelOptions): Promise<string> {
  const known = spec ?? (await defaultSpec(options));
  const { kind, name } = chosen(known, options);
  await kind.check?.(name, options);
  return known;
}

function chosen(spec: string, { toolCalls }: ModelOptions, kinds?: readonly ModelKind[]) {
  const { kind, name } = parseSpec(spec, kinds);
  if (toolCalls === "native" && !kind.callsTools)
    throw new UserError(`${kind.title} has no tool calls of its own: leave out --tool-calls native.`);
  return { kind, name };
}

async function defaultSpec(options: ModelOptions): Promise<string> {
  const env = options.env ?? process.env;
  const named = env.MODEL_NAME?.trim();
  if (named) return named;
  for (const { atHand } of MODEL_KINDS) {
    const found = await atHand?.(options);
    if (!found) continue;
    options.log(`model: ${found.spec}, ${found.why}; --model SPEC chooses another`);
    return found.spec;
  }
  options.log(
    `model: ${LAST_RESORT.usage}, the built-in engine, as neither MODEL_NAME nor OPENAI_BASE_URL is set; ` +
      "--model SPEC chooses another",
  );
  return LAST_RESORT.usage;
}
