/**
 * The one thing that a package manager in a box reaches: a socket behind which the user's registries answer, for
 * reading. Which hosts there are, and the secrets that they know the user by, stay outside.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { messageOf } from "../../base/data/errors.ts";
import { makeTemporaryFolder } from "../../base/files/temporary.ts";
import { getFrom, type RegistryAccess, type RegistryReply } from "./registry_client.ts";

export const SOCKET = "registry";

const MOST_BYTES = 256 * 1024 * 1024;

export interface RegistryProxy extends AsyncDisposable {
  /** Holds the socket. */
  folder: string;
}

/** Of a registry that may tell release times. */
export interface DatedProxy extends RegistryProxy {
  /** Requested packages without release times in the registry. */
  undated: ReadonlySet<string>;
}

/** What is sent back. */
export class Reply {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  refuse(status: number, why: string): void {
    this.#response.writeHead(status).end(why);
  }

  send(status: number, type: string, text: string): void {
    this.#response.writeHead(status, { "content-type": type });
    this.#response.end(text);
  }

  /** A file of a registry, as it comes. */
  async pass(place: URL, access: RegistryAccess): Promise<void> {
    await this.passOn(await getFrom(place, access, "*/*"));
  }

  async passOn({ statusCode, headers, body }: RegistryReply): Promise<void> {
    const kept = ["content-type", "content-length"].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    );
    this.#response.writeHead(statusCode, Object.fromEntries(kept));
    await pipeline(body, this.#response);
  }
}

/** A socket in a folder of its own that answers until it is disposed of. @param answer gets requests to read */
export async function openProxy(
  answer: (url: string, reply: Reply, headers: IncomingMessage["headers"]) => Promise<void> | void,
): Promise<RegistryProxy> {
  const folder = makeTemporaryFolder("registry");
  const server = createServer(async ({ method, url = "", headers }, response) => {
    const reply = new Reply(response);
    try {
      if (method === "GET" || method === "HEAD") await answer(url, reply, headers);
      else reply.refuse(405, "packages are only read here");
    } catch (error) {
      if (!response.headersSent) reply.refuse(502, messageOf(error));
      else response.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(join(folder.path, SOCKET), resolve));
  return {
    folder: folder.path,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      folder[Symbol.dispose]();
    },
  };
}

/** The text of a reply, which has a limit. */
export async function textOf({ body }: RegistryReply): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    const chunk: Buffer = part;
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`the registry sends more than ${MOST_BYTES} bytes of one package`);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString("utf8");
}
