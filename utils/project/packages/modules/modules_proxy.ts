/** A registry of modules or crates, as a program in a box reaches it. */

import { z } from "zod";
import { readJson } from "../../../base/data/record.ts";
import { openProxy, type RegistryProxy, textOf } from "../proxy.ts";
import type { Registry } from "../registry_access.ts";
import { getFrom } from "../registry_client.ts";

/** Where cargo finds crates: its index says it in a file. */
const CRATES = "/crates";
const CONFIG = "/config.json";
const Config = z.looseObject({ dl: z.string() });

/** Addresses of the registry are paths of the proxy. */
export function openModulesProxy(registry: Registry): Promise<RegistryProxy> {
  let crates: URL | null = null;
  return openProxy(async (url, reply, { host: own }) => {
    const isCrate = crates !== null && url.startsWith(`${CRATES}/`);
    const place = isCrate ? below(crates, url.slice(CRATES.length)) : below(registry.root, url);
    if (place === null) return reply.refuse(403, "only the registry is read here");
    const found = await getFrom(place, registry, "*/*");
    if (url !== CONFIG || found.statusCode !== 200) return await reply.passOn(found);
    const config = readJson(await textOf(found), Config);
    const [, host, path] = /^(https?:\/\/[^/]+)(\/.*)?$/.exec(config?.dl ?? "") ?? [];
    if (host === undefined) return reply.refuse(502, "its config.json names no place of crates");
    crates = new URL(host);
    reply.send(200, "application/json", JSON.stringify({ dl: `http://${own}${CRATES}${path ?? ""}` }));
  });
}

/** Null for an address that leads out of the registry. */
function below(root: URL | null, path: string): URL | null {
  const text = `${root?.href}${path.replace(/^\/+/, "")}`;
  const place = root !== null && URL.canParse(text) ? new URL(text) : null;
  return root !== null && place?.href.startsWith(root.href) ? place : null;
}
