/** A Hugging Face hub on this machine: real HTTP, ranges, tokens, and connections that break on purpose. */

import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { startWebServer } from "../../testing/web_server.ts";

export interface FakeRepo {
  files: Record<string, Buffer>;
  /** Only this token may read. */
  token?: string;
  /** Bytes of a file after which the connection breaks, once. */
  breakAfter?: number;
  /** Sends other bytes than it announces. */
  damaged?: boolean;
}

export interface FakeHub extends AsyncDisposable {
  url: string;
  /** Path and first byte of every file that was asked for. */
  readonly requests: string[];
}

export async function startFakeHub(repos: Record<string, FakeRepo>): Promise<FakeHub> {
  const requests: string[] = [];
  const broken = new Set<string>();
  const server = await startWebServer((request, response) => {
    const [, id = "", path = ""] =
      /^\/(?:api\/models\/)?([^/]+\/[^/?]+)(?:\/resolve\/abc\/(.*))?/.exec(request.url ?? "") ?? [];
    const repo = repos[id];
    if (!repo) return void response.writeHead(401, { "x-error-code": "RepoNotFound" }).end();
    if (repo.token && request.headers.authorization !== `Bearer ${repo.token}`)
      return void response.writeHead(401).end();
    if (path === "") return void response.end(JSON.stringify(listing(repo)));
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    requests.push(`${path}@${from}`);
    sendFile(request, response, repo, path, from, broken);
  });
  return { ...server, requests };
}

function listing({ files }: FakeRepo) {
  const siblings = Object.entries(files).map(([rfilename, bytes]) => ({
    rfilename,
    size: bytes.length,
    ...(rfilename.startsWith("onnx/") ? { lfs: { sha256: createHash("sha256").update(bytes).digest("hex") } } : {}),
  }));
  return { sha: "abc", siblings };
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  repo: FakeRepo,
  path: string,
  from: number,
  broken: Set<string>,
): void {
  const whole = repo.files[path];
  if (!whole) return void response.writeHead(404).end();
  const bytes = repo.damaged && path.startsWith("onnx/") ? Buffer.alloc(whole.length) : whole;
  response.writeHead(from > 0 ? 206 : 200, { "content-length": bytes.length - from });
  if (repo.breakAfter !== undefined && bytes.length > repo.breakAfter && !broken.has(path)) {
    broken.add(path);
    response.write(bytes.subarray(from, repo.breakAfter), () => request.socket.destroy());
    return;
  }
  response.end(bytes.subarray(from));
}
