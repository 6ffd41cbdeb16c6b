/** npm's registry, as npm in a box reaches it. */

import type { NpmSettings } from "./npm_settings.ts";
import { type DatedProxy, openProxy, type Reply, textOf } from "./proxy.ts";
import { getFrom } from "./registry_client.ts";
import { type DocumentCache, viewed, type Wish } from "./registry_view.ts";

/** The registry, as it is called in the box: no host has this name. */
export const REGISTRY = "http://registry.invalid/";

/** What is known of a package: `/name`, `/@scope/name`, `/@scope%2fname`. */
const PACKAGE = /^\/(?:(@[\w.~-]+)(?:\/|%2f))?([\w.~-]+)$/i;
/** The packed package itself, at an address that the registry told before. */
const PACKED = "/-/packed/";

export interface ProxyOptions {
  wish?: Wish | undefined;
  /** Documents that the registry sent before. */
  kept?: DocumentCache | undefined;
}

interface ServedRegistry extends ProxyOptions {
  settings: NpmSettings;
  packed: Set<string>;
  /** Only where the wish limits the time. */
  undated: Set<string>;
}

export async function openRegistryProxy(settings: NpmSettings, options: ProxyOptions = {}): Promise<DatedProxy> {
  const served: ServedRegistry = { settings, packed: new Set(), undated: new Set(), ...options };
  const proxy = await openProxy((url, reply, { accept }) => answer(url, reply, accept ?? "application/json", served));
  return { ...proxy, undated: served.undated };
}

async function answer(url: string, reply: Reply, accept: string, served: ServedRegistry): Promise<void> {
  const { settings, packed } = served;
  if (url.startsWith(PACKED)) {
    const address = decodeURIComponent(url.slice(PACKED.length));
    if (!packed.has(address)) return reply.refuse(403, "the registry names no such file");
    return await reply.pass(new URL(address), settings);
  }
  const [, scope, name] = PACKAGE.exec(url) ?? [];
  if (name === undefined) return reply.refuse(404, "only packages are read here");
  const registry = (scope && settings.scopes.get(scope)) || settings.registry;
  const place = new URL(`${registry.href}${scope ? `${scope}%2f` : ""}${name}`);
  const { status, type, text } = await documentOf(place, accept, served);
  reply.send(status, type, withAddresses(text, packed));
}

/** The registry's document of a package with only the versions that the wish allows. */
async function documentOf(place: URL, accept: string, { settings, wish, kept, undated }: ServedRegistry) {
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

/** The addresses of packed packages lead through the proxy. */
const withAddresses = (text: string, packed: Set<string>): string =>
  text.replace(/("tarball"\s*:\s*)("(?:[^"\\]|\\.)*")/g, (_, key: string, quoted: string) => {
    const address = String(JSON.parse(quoted));
    if (/^https?:\/\//.test(address)) packed.add(address);
    return `${key}${JSON.stringify(`${REGISTRY}${PACKED.slice(1)}${encodeURIComponent(address)}`)}`;
  });
