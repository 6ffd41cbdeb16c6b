/** Which OpenAI-compatible server to use, as the environment says, and which of its models. */

import { UserError } from "../../../utils/base/data/errors.ts";
import { secretFrom } from "../../../utils/base/data/secret.ts";
import { explainHttpError } from "../../run/model_errors.ts";
import { listModels } from "./wire.ts";

export interface ModelServer {
  /** Without credentials and without a trailing slash. */
  address: string;
  key: string | undefined;
  /** Sent with each request beside the key. */
  headers: Record<string, string>;
}

const OPENAI = "https://api.openai.com/v1";

/**
 * Reads `OPENAI_BASE_URL` (default OpenAI's own) and `OPENAI_API_KEY`. A user and password in the URL are sent as
 * basic authentication, as browsers do.
 * @throws UserError for a URL or key that is none, and for OpenAI's own address without a key
 */
export function serverFrom(env: Record<string, string | undefined>): ModelServer {
  const given = env.OPENAI_BASE_URL?.trim() || OPENAI;
  const key = secretFrom(env, "OPENAI_API_KEY");
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search) {
    throw new UserError(
      "OPENAI_BASE_URL must be an http(s) address without a query, such as http://localhost:8080/v1.",
    );
  }
  if (given === OPENAI && !key) {
    throw new UserError(
      "An openai: model needs OPENAI_API_KEY, or OPENAI_BASE_URL with the address of a server of yours.",
    );
  }
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers: Record<string, string> = {};
  if (login !== ":") headers.authorization = `Basic ${Buffer.from(login).toString("base64")}`;
  return { address: `${url.origin}${url.pathname}`.replace(/\/+$/, ""), key, headers };
}

/**
 * The first model that the server offers and that is no embedding model.
 * @throws UserError where the server offers none or does not say
 */
export async function firstModel(server: ModelServer, timeoutMs: number): Promise<{ spec: string; why: string }> {
  const limitMs = Math.min(timeoutMs, 10_000);
  const headers = { ...(server.key ? { authorization: `Bearer ${server.key}` } : {}), ...server.headers };
  const names = await listModels(server.address, headers, AbortSignal.timeout(limitMs)).catch((error: unknown) => {
    if (isAbsent(error)) {
      throw new UserError(
        `${server.address} lists no models (no /models there): name one with --model openai:NAME; ` +
          "OPENAI_BASE_URL usually ends in /v1.",
      );
    }
    const context = { model: "its list of models", address: server.address, key: server.key, timeoutMs: limitMs };
    throw new UserError(explainHttpError(error, context).message);
  });
  const name = names.find((candidate) => !/embed/i.test(candidate));
  if (name === undefined) {
    throw new UserError(`${server.address} offers no model: load one there, or name one with --model openai:NAME.`);
  }
  const others = names.length > 1 ? ` (of ${names.slice(0, 8).join(", ")}${names.length > 8 ? ", …" : ""})` : "";
  return { spec: `openai:${name}`, why: `the first that ${server.address} offers${others}` };
}

/** Whether a server has no such page. */
const isAbsent = (error: unknown): boolean =>
  error instanceof Error && "status" in error && (error.status === 404 || error.status === 405);
