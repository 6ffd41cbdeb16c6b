/** Asks a registry of packages as the user's own programs would: with certificates, secrets and proxy. */

import { Agent, type Dispatcher, ProxyAgent, request } from "undici";

/** How a user's registries are asked. */
export interface RegistryAccess {
  /** Certificates that the registries are known by, in place of the usual ones. */
  ca: string[] | undefined;
  strictSsl: boolean;
  proxy: URL | undefined;
  /** Hosts, and ends of hosts, that are asked without the proxy. */
  noProxy: string[];
  /** What a registry, named by the beginning of its addresses without the protocol, is sent as `authorization`. */
  secrets: ReadonlyMap<string, string>;
}

const SILENCE_MS = 60_000;
const MOST_REDIRECTS = 5;

export type RegistryReply = Dispatcher.ResponseData;

/**
 * GETs an address, through redirects. A secret is sent only to the addresses that it is for.
 * @throws Error if the server does not answer
 */
export async function getFrom(
  url: URL,
  settings: RegistryAccess,
  accept: string,
  redirects = MOST_REDIRECTS,
): Promise<RegistryReply> {
  const headers = { accept, ...secretFor(url, settings) };
  const reply = await request(url, { dispatcher: dispatcherFor(url, settings), headers });
  const { location } = reply.headers;
  if (reply.statusCode < 300 || reply.statusCode > 399 || location === undefined) return reply;
  await reply.body.dump();
  if (redirects === 0) throw new Error(`${url.host} redirects without end`);
  const next = new URL(String(location), url);
  if (!/^https?:$/.test(next.protocol)) throw new Error(`${url.host} redirects to ${next.protocol}`);
  return getFrom(next, settings, accept, redirects - 1);
}

function secretFor(url: URL, { secrets }: RegistryAccess): { authorization?: string } {
  const address = `//${url.host}${url.pathname}`;
  const [found] = [...secrets]
    .filter(([place]) => address.startsWith(place.endsWith("/") ? place : `${place}/`))
    .sort(([a], [b]) => b.length - a.length);
  return found ? { authorization: found[1] } : {};
}

/** Their connections are kept: an installation asks hundreds of times. */
const dispatchers = new WeakMap<RegistryAccess, { direct: Dispatcher; proxied: Dispatcher | null }>();

function dispatcherFor({ hostname }: URL, settings: RegistryAccess): Dispatcher {
  const { ca, strictSsl, proxy, noProxy } = settings;
  const tls = { ca, rejectUnauthorized: strictSsl };
  const limits = { headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS };
  const { direct, proxied } = dispatchers.get(settings) ?? {
    direct: new Agent({ ...limits, connect: tls }),
    proxied: proxy ? new ProxyAgent({ ...limits, uri: proxy.href, proxyTunnel: false, requestTls: tls }) : null,
  };
  dispatchers.set(settings, { direct, proxied });
  const isDirect = noProxy.some((end) => `.${hostname}`.endsWith(`.${end.replace(/^\./, "")}`));
  return (isDirect ? null : proxied) ?? direct;
}
