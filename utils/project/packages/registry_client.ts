/** Asks a registry of packages as the user's own programs would: with certificates, secrets and proxy. */

import { type IncomingMessage, request as requestPlain } from "node:http";
import { Agent, type RequestOptions, request as requestSecure } from "node:https";
import type { Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
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

/**
 * GETs an address, through redirects. A secret is sent only to the addresses that it is for.
 * @throws Error if the server does not answer
 */
export async function getFrom(
  url: URL,
  settings: RegistryAccess,
  accept: string,
  redirects = MOST_REDIRECTS,
): Promise<IncomingMessage> {
  const reply = await ask(url, settings, { accept, ...secretFor(url, settings) });
  const { statusCode = 0, headers } = reply;
  if (statusCode < 300 || statusCode > 399 || headers.location === undefined) return reply;
  reply.resume();
  if (redirects === 0) throw new Error(`${url.host} redirects without end`);
  const next = new URL(headers.location, url);
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

const agents = new WeakMap<RegistryAccess, Agent>();

/** Connections are kept: an installation asks hundreds of times. */
function agentOf(settings: RegistryAccess): Agent {
  const { ca, strictSsl } = settings;
  const agent = agents.get(settings) ?? new Agent({ keepAlive: true, ca, rejectUnauthorized: strictSsl });
  agents.set(settings, agent);
  return agent;
}

async function ask(url: URL, settings: RegistryAccess, headers: Record<string, string>): Promise<IncomingMessage> {
  const { proxy, noProxy, ca, strictSsl } = settings;
  const isSecure = url.protocol === "https:";
  const byProxy =
    proxy !== undefined && !noProxy.some((end) => `.${url.hostname}`.endsWith(`.${end.replace(/^\./, "")}`));
  if (!byProxy) return await sent(url, isSecure ? { headers, agent: agentOf(settings) } : { headers });
  if (!isSecure)
    return await sent(proxy, { path: url.href, headers: { ...headers, host: url.host, ...knownTo(proxy) } });
  const tunnel = await tunnelTo(`${url.hostname}:${url.port || 443}`, proxy);
  const socket = connectSecure({ socket: tunnel, servername: url.hostname, ca, rejectUnauthorized: strictSsl });
  return await sent(url, { headers, agent: false, createConnection: () => socket });
}

function sent(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? requestSecure : requestPlain;
    const call = request(url, { ...options, timeout: SILENCE_MS }, resolve);
    call.on("timeout", () => call.destroy(new Error(`${url.host} does not answer`)));
    call.on("error", reject).end();
  });
}

const knownTo = ({ username, password }: URL): Record<string, string> =>
  username === ""
    ? {}
    : {
        "proxy-authorization": `Basic ${Buffer.from(decodeURIComponent(`${username}:${password}`)).toString("base64")}`,
      };

function tunnelTo(host: string, proxy: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const request = proxy.protocol === "https:" ? requestSecure : requestPlain;
    const call = request(proxy, {
      method: "CONNECT",
      path: host,
      headers: { host, ...knownTo(proxy) },
      timeout: SILENCE_MS,
    });
    call.on("connect", ({ statusCode }, socket: Socket) =>
      statusCode === 200
        ? resolve(socket)
        : reject(new Error(`the proxy ${proxy.host} refuses ${host} (${statusCode})`)),
    );
    call.on("timeout", () => call.destroy(new Error(`the proxy ${proxy.host} does not answer`)));
    call.on("error", reject).end();
  });
}
