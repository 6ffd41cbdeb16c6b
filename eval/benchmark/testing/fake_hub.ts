/** For tests: an HTTP server that answers as the Hugging Face hub does for dataset repositories. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { vi } from "vitest";
import { startWebServer } from "../../../utils/testing/web_server.ts";

export interface FakeHub extends AsyncDisposable {
  url: string;
  /** `METHOD path` of every request, in order. */
  requests: string[];
  /** Access tokens that came with the requests. */
  tokens: (string | undefined)[];
  close(): Promise<void>;
}

export interface FakeRepo {
  commit: string;
  files: Record<string, string | Buffer>;
  /** Answers every request with this status. */
  status?: number;
  /** Accepts requests and never answers. */
  hangs?: boolean;
  /** Sends only the first half of a file's content, then drops the connection. */
  cutsDownloads?: boolean;
  /** Address of another server, which holds the content. Default: this one. */
  storage?: string;
  /** Lists a hash that the content does not have. */
  wrongHash?: boolean;
}

const COMMIT = "9a41762f73a8cc7a8d9a3f9c3c3f2e5ac4a0b0d1";
const PYTHON_FILE = "data/python/data/humanevalpack.jsonl";
const content = readFileSync(new URL("../fixtures/two_tasks.jsonl", import.meta.url), "utf8");

/** A repository that is laid out as HumanEvalPack is, with two Python tasks. */
export const PACK = {
  id: "bigcode/humanevalpack",
  commit: COMMIT,
  file: PYTHON_FILE,
  content,
  repo: {
    commit: COMMIT,
    files: { "README.md": "# pack", [PYTHON_FILE]: content, "data/js/data/humanevalpack.jsonl": "{}\n" },
  } satisfies FakeRepo,
};

/** Clears the user's settings, so that they do not affect the tests. Undo with `vi.unstubAllEnvs`. */
export function clearHubSettings(): void {
  const names = ["HF_TOKEN", "HF_HUB_OFFLINE", "HF_ENDPOINT", "HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"];
  for (const name of names) vi.stubEnv(name, undefined);
}

/** From now on the one that is asked. @param repos by id; any other id is not found */
export async function startFakeHub(repos: Record<string, FakeRepo>): Promise<FakeHub> {
  const requests: string[] = [];
  const tokens: (string | undefined)[] = [];
  const server = await startWebServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://hub").pathname);
    requests.push(`${request.method} ${path}`);
    tokens.push(request.headers.authorization);
    const [, id = "", rest = ""] = /^\/(?:api\/)?datasets\/([^/]+\/[^/]+)\/?(.*)$/.exec(path) ?? [];
    const repo = repos[id];
    if (repo?.hangs) return;
    const status = repo ? repo.status : 404;
    if (status) sendJson(response, status, { error: `status ${status}` });
    else if (repo) answer(id, repo, rest, response);
  });
  vi.stubEnv("HF_ENDPOINT", server.url);
  return { ...server, requests, tokens, close: () => server[Symbol.asyncDispose]() };
}

function answer(id: string, repo: FakeRepo, rest: string, response: ServerResponse): void {
  const { commit, files } = repo;
  const [, kind, path = ""] = /^(resolve|content)\/[0-9a-f]{40}\/(.+)$/.exec(rest) ?? [];
  const content = files[path];
  if (rest === "") {
    sendJson(response, 200, { id, sha: commit, siblings: Object.keys(files).map((path) => sibling(path, repo)) });
  } else if (content === undefined) {
    sendJson(response, 404, { error: "Entry not found" }, { "X-Error-Code": "EntryNotFound" });
  } else if (kind === "resolve") {
    // Large files are stored elsewhere: the hub redirects.
    response.writeHead(302, { Location: `${repo.storage ?? ""}/datasets/${id}/content/${commit}/${path}` }).end();
  } else {
    sendContent(response, Buffer.from(content), repo.cutsDownloads ?? false);
  }
}

function sibling(path: string, { files, wrongHash }: FakeRepo) {
  const content = Buffer.from(files[path] ?? "");
  const sha256 = createHash("sha256")
    .update(wrongHash ? "something else" : content)
    .digest("hex");
  return { rfilename: path, size: content.length, ...(path.endsWith(".jsonl") ? { lfs: { sha256 } } : {}) };
}

function sendContent(response: ServerResponse, content: Buffer, cut: boolean): void {
  const headers = { ETag: '"e"', "Content-Type": "application/octet-stream" };
  response.writeHead(200, { ...headers, "Content-Length": content.length });
  if (cut) response.write(content.subarray(0, content.length / 2), () => response.destroy());
  else response.end(content);
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(value));
}
