/** A registry of modules or crates, as a program in a box reaches it: by a socket, for reading alone. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { readJson } from "../../../base/data/record.ts";
import type { Registry } from "../registry_access.ts";
import { getFrom } from "../registry_client.ts";
import { openDoor, textOf } from "../registry_door.ts";

/** Where cargo finds crates: its index says it in a file. */
const CRATES = "/crates";
const CONFIG = "/config.json";
const Config = z.looseObject({ dl: z.string() });

/** Addresses of the registry are paths of the door. */
export function openModulesDoor(registry: Registry) {
  let crates: URL | null = null;
  const answer = async ({ method, url = "", headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refuse = (status: number, why: string) => void response.writeHead(status).end(why);
    if (method !== "GET" && method !== "HEAD") return refuse(405, "packages are only read here");
    const isCrate = crates !== null && url.startsWith(`${CRATES}/`);
    const place = isCrate ? below(crates, url.slice(CRATES.length)) : below(registry.root, url);
    if (place === null) return refuse(403, "only the registry is read here");
    const reply = await getFrom(place, registry, "*/*");
    const { "content-type": type, "content-length": length } = reply.headers;
    if (url === CONFIG && reply.statusCode === 200) {
      const config = readJson(await textOf(reply), Config);
      const [, host, path] = /^(https?:\/\/[^/]+)(\/.*)?$/.exec(config?.dl ?? "") ?? [];
      if (host === undefined) return refuse(502, "its config.json names no place of crates");
      crates = new URL(host);
      const dl = `http://${headers.host}${CRATES}${path ?? ""}`;
      return void response.end(JSON.stringify({ dl }));
    }
    response.writeHead(reply.statusCode, {
      ...(type === undefined ? {} : { "content-type": String(type) }),
      ...(length === undefined ? {} : { "content-length": String(length) }),
    });
    await pipeline(reply.body, response);
  };
  return openDoor(answer);
}

/** Null for an address that leads out of the registry. */
function below(root: URL | null, path: string): URL | null {
  const text = `${root?.href}${path.replace(/^\/+/, "")}`;
  const place = root !== null && URL.canParse(text) ? new URL(text) : null;
  return root !== null && place?.href.startsWith(root.href) ? place : null;
}
