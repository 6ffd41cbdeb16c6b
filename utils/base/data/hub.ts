/** Repositories of the Hugging Face hub: what they hold, and their files. The caller explains a refusal. */

import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { UserError } from "./errors.ts";
import { readJson } from "./record.ts";
import { secretFrom } from "./secret.ts";

export type Env = Record<string, string | undefined>;

export interface RepoFile {
  path: string;
  /** In bytes; 0 where the hub does not say. */
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

/** What Hugging Face tools share on this machine: `$HF_HOME`, by default `~/.cache/huggingface`. */
export const huggingFaceHome = (env: Env): string =>
  env.HF_HOME?.trim() || join(env.XDG_CACHE_HOME?.trim() || join(homedir(), ".cache"), "huggingface");

/** Hugging Face's switch for working without a network. */
export const isOffline = (env: Env): boolean => /^(?:1|true|yes|on)$/i.test(env.HF_HUB_OFFLINE?.trim() ?? "");

/** The hub, or where it stores contents, answered with an error. */
export class HubRefusal extends Error {
  readonly status: number;
  /** The hub's own word for it, e.g. `RepoNotFound`. */
  readonly code: string | null;

  readonly url: string;

  constructor({ status, headers, url }: Response) {
    super(`the hub answered with HTTP ${status}`);
    this.status = status;
    this.url = url;
    this.code = headers.get("x-error-code");
  }
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

/** A part of the hub as `env` names it and logs in: HF_ENDPOINT, by default the public hub, and HF_TOKEN. */
export class Hub {
  readonly endpoint: string;
  /** True where requests carry a token. */
  readonly isLoggedIn: boolean;
  /** What it holds. */
  readonly noun: "model" | "dataset";
  readonly #headers: Record<string, string>;

  /** @throws UserError if HF_ENDPOINT is not an address or HF_TOKEN not a token */
  constructor(noun: "model" | "dataset", env: Env) {
    this.noun = noun;
    this.endpoint = (env.HF_ENDPOINT?.trim() || "https://huggingface.co").replace(/\/+$/, "");
    if (!/^https?:/.test(this.endpoint) || !URL.canParse(this.endpoint)) {
      throw new UserError(
        `HF_ENDPOINT must be the address of a hub such as https://huggingface.co, not "${this.endpoint}".`,
      );
    }
    const token = secretFrom(env, "HF_TOKEN");
    this.isLoggedIn = Boolean(token);
    this.#headers = token ? { authorization: `Bearer ${token}` } : {};
  }

  /** Of a repository, below the endpoint. */
  page = (id: string): string => (this.noun === "model" ? id : `datasets/${id}`);

  /** @throws HubRefusal, what `fetch` throws, and UserError if this is not a hub */
  async list(id: string, signal?: AbortSignal): Promise<Repo> {
    const response = await this.#fetch(`${this.endpoint}/api/${this.noun}s/${id}?blobs=true`, {}, signal);
    const repo = readJson(await response.text(), repoSchema);
    if (!repo) throw new UserError(`${this.endpoint} does not answer like the Hugging Face hub: correct HF_ENDPOINT.`);
    const files = repo.siblings.map(({ rfilename, size, lfs }) => ({ path: rfilename, size, sha256: lfs?.sha256 }));
    return { id, revision: repo.sha, files };
  }

  /**
   * A file from byte `from` on, which the hub may ignore: 206 is its yes. @throws HubRefusal and what `fetch` throws
   */
  async open({ id, revision }: Repo, path: string, from: number, signal?: AbortSignal): Promise<Response> {
    const range: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
    const name = path.split("/").map(encodeURIComponent).join("/");
    return await this.#fetch(`${this.endpoint}/${this.page(id)}/resolve/${revision}/${name}`, range, signal);
  }

  /** Redirects lead to where contents are stored; `fetch` does not take the token there. */
  async #fetch(url: string, headers: Record<string, string>, signal: AbortSignal | undefined): Promise<Response> {
    const response = await fetch(url, { headers: { ...this.#headers, ...headers }, signal: signal ?? null });
    if (response.ok) return response;
    await response.body?.cancel();
    throw new HubRefusal(response);
  }
}
