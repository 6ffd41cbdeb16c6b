/** The files of a model repository on the Hugging Face hub, and errors of the hub as sentences. */

import { z } from "zod";
import { UserError } from "../../errors.ts";
import type { Env } from "./folders.ts";

export interface RepoFile {
  path: string;
  size: number;
  /** Of large files. */
  sha256?: string | undefined;
}

export interface Repo {
  id: string;
  /** Commit that the files belong to. */
  revision: string;
  files: RepoFile[];
}

const repoSchema = z.object({
  sha: z.string(),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      size: z.number().default(0),
      lfs: z.object({ sha256: z.string() }).nullish(),
    }),
  ),
});

export class Hub {
  readonly #endpoint: string;
  readonly #headers: Record<string, string>;

  constructor(env: Env) {
    this.#endpoint = (env.HF_ENDPOINT?.trim() || "https://huggingface.co").replace(/\/+$/, "");
    const token = env.HF_TOKEN?.trim();
    this.#headers = token ? { authorization: `Bearer ${token}` } : {};
  }

  /** @throws UserError where the repository cannot be listed */
  async list(id: string): Promise<Repo> {
    const response = await this.#fetch(id, `${this.#endpoint}/api/models/${id}?blobs=true`, {});
    const repo = repoSchema.safeParse(await response.json().catch(() => undefined));
    if (!repo.success)
      throw new UserError(`${this.#endpoint} does not answer like the Hugging Face hub: correct HF_ENDPOINT.`);
    const files = repo.data.siblings.map(({ rfilename, size, lfs }) => ({
      path: rfilename,
      size,
      sha256: lfs?.sha256,
    }));
    return { id, revision: repo.data.sha, files };
  }

  /** The rest of a file from byte `from` on. `partial` is false where the hub sends it from the start. */
  async open(repo: Repo, path: string, from: number): Promise<{ body: ReadableStream<Uint8Array>; partial: boolean }> {
    const range: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
    const response = await this.#fetch(repo.id, `${this.#endpoint}/${repo.id}/resolve/${repo.revision}/${path}`, range);
    if (!response.body) throw new Error("the answer has no body");
    return { body: response.body, partial: response.status === 206 };
  }

  async #fetch(id: string, url: string, headers: Record<string, string>): Promise<Response> {
    const response = await fetch(url, { headers: { ...this.#headers, ...headers } }).catch((error: unknown) => {
      throw new UserError(this.#unreachable(id, error));
    });
    if (response.ok) return response;
    await response.body?.cancel();
    throw new UserError(this.#refused(id, response));
  }

  #unreachable(id: string, error: unknown): string {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? ("code" in cause ? String(cause.code) : cause.message) : String(cause);
    return `${id} cannot be downloaded, as ${this.#endpoint} cannot be reached (${reason}): connect to the network, or give the folder of a model that is already here.`;
  }

  #refused(id: string, response: Response): string {
    const { status } = response;
    const code = response.headers.get("x-error-code");
    const token = "authorization" in this.#headers;
    if (status === 404 || code === "RepoNotFound") {
      return `There is no model ${id} on the hub${token ? "" : " (or it is private: then set HF_TOKEN)"}: check its name.`;
    }
    if (status === 401 || status === 403) {
      return token
        ? `HF_TOKEN may not read ${id}: accept its terms at ${this.#endpoint}/${id} and use a token of that account.`
        : `${id} is gated: accept its terms at ${this.#endpoint}/${id} and set HF_TOKEN.`;
    }
    return `The hub failed with status ${status} for ${id}: try again later.`;
  }
}
