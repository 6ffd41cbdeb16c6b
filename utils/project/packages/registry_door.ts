/**
 * The one thing that a package manager in a box reaches: a socket behind which the user's registries answer, for
 * reading. Which hosts there are, and the secrets that they know the user by, stay outside.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { messageOf } from "../../base/data/errors.ts";
import { makeTemporaryFolder } from "../../base/files/temporary.ts";
import type { NpmSettings } from "./npm_settings.ts";
import { getFrom, type RegistryReply } from "./registry_client.ts";
import { type KeptDocuments, viewed, type Wish } from "./registry_view.ts";

/** The registry, as it is called in the box: no host has this name. */
export const REGISTRY = "http://registry.invalid/";
export const SOCKET = "registry";

const MOST_BYTES = 256 * 1024 * 1024;
/** What is known of a package: `/name`, `/@scope/name`, `/@scope%2fname`. */
const PACKAGE = /^\/(?:(@[\w.~-]+)(?:\/|%2f))?([\w.~-]+)$/i;
/** The packed package itself, at an address that the registry told before. */
const PACKED = "/-/packed/";

export interface RegistryDoor extends AsyncDisposable {
  /** Holds the socket. */
  folder: string;
  /** Requested packages without release times in the registry, though the wish limits the time. */
  undated: ReadonlySet<string>;
}

export interface DoorOptions {
  wish?: Wish | undefined;
  /** Documents that the registry sent before. */
  kept?: KeptDocuments | undefined;
}

export async function openRegistryDoor(settings: NpmSettings, options: DoorOptions = {}): Promise<RegistryDoor> {
  const [packed, undated] = [new Set<string>(), new Set<string>()];
  const door = await openDoor((request, response) =>
    answer(request, response, { settings, packed, undated, ...options }),
  );
  return { ...door, undated };
}

/** A socket in a folder of its own that answers until it is disposed of. */
export async function openDoor(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Pick<RegistryDoor, "folder" | typeof Symbol.asyncDispose>> {
  const folder = makeTemporaryFolder("registry");
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(502).end(messageOf(error));
      else response.destroy();
    });
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

interface Door extends DoorOptions {
  settings: NpmSettings;
  packed: Set<string>;
  undated: Set<string>;
}

async function answer(
  { method, url = "", headers }: IncomingMessage,
  response: ServerResponse,
  door: Door,
): Promise<void> {
  const { settings, packed } = door;
  const refuse = (status: number, why: string) => void response.writeHead(status).end(why);
  if (method !== "GET") return refuse(405, "packages are only read here");
  if (url.startsWith(PACKED)) {
    const address = decodeURIComponent(url.slice(PACKED.length));
    if (!packed.has(address)) return refuse(403, "the registry names no such file");
    const reply = await getFrom(new URL(address), settings, "*/*");
    response.writeHead(reply.statusCode, { "content-type": "application/octet-stream" });
    return await pipeline(reply.body, response);
  }
  const [, scope, name] = PACKAGE.exec(url) ?? [];
  if (name === undefined) return refuse(404, "only packages are read here");
  const registry = (scope && settings.scopes.get(scope)) || settings.registry;
  const place = new URL(`${registry.href}${scope ? `${scope}%2f` : ""}${name}`);
  const { status, type, text } = await told(place, headers.accept ?? "application/json", door);
  response.writeHead(status, { "content-type": type });
  response.end(withAddresses(text, packed));
}

/** The registry's document of a package with only the versions that the wish allows. */
async function told(place: URL, accept: string, { settings, wish, kept, undated }: Door) {
  const before = wish?.before ?? null;
  const known = before === null ? null : (kept?.get(place.href, before) ?? null);
  const reply = known === null ? await getFrom(place, settings, accept) : null;
  const whole = reply ? await textOf(reply) : (known ?? "");
  const isFound = reply === null || reply.statusCode === 200;
  const text = reply && isFound && before !== null ? (kept?.keep(place.href, whole) ?? whole) : whole;
  const shown = wish && isFound ? viewed(text, wish) : { text, isUndated: false };
  if (shown.isUndated) undated.add(decodeURIComponent(place.pathname.split("/").at(-1) ?? ""));
  const type = String(reply?.headers["content-type"] ?? "application/json");
  return { status: reply?.statusCode ?? 200, type, text: shown.text };
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

/** The addresses of packed packages lead through the door. */
const withAddresses = (text: string, packed: Set<string>): string =>
  text.replace(/("tarball"\s*:\s*)("(?:[^"\\]|\\.)*")/g, (_, key: string, quoted: string) => {
    const address = String(JSON.parse(quoted));
    if (/^https?:\/\//.test(address)) packed.add(address);
    return `${key}${JSON.stringify(`${REGISTRY}${PACKED.slice(1)}${encodeURIComponent(address)}`)}`;
  });
