/** Where a registry is, and how the variables of this machine's user say that registries are asked. */

import { existsSync, readFileSync } from "node:fs";
import type { RegistryAccess } from "./registry_client.ts";

export interface Registry extends RegistryAccess {
  /** Its address ends with a slash. */
  root: URL;
}

const CERTIFICATES = ["SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE"];
const PROXIES = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"];

/** The first of these variables that says something. */
export const setIn = (env: NodeJS.ProcessEnv, names: readonly string[]): string | undefined =>
  names.map((name) => env[name]?.trim()).find(Boolean);

/** @param address may hold a name and a password; null where it is no address */
export function registryAt(address: string, env = process.env): Registry | null {
  if (!/^https?:/.test(address) || !URL.canParse(address)) return null;
  const root = new URL(address.endsWith("/") ? address : `${address}/`);
  const { username, password } = root;
  root.username = "";
  root.password = "";
  const secret = Buffer.from(decodeURIComponent(`${username}:${password}`)).toString("base64");
  const certificates = setIn(env, CERTIFICATES);
  const proxy = setIn(env, PROXIES);
  return {
    root,
    ca: certificates && existsSync(certificates) ? [readFileSync(certificates, "utf8")] : undefined,
    strictSsl: true,
    proxy: proxy && URL.canParse(proxy) ? new URL(proxy) : undefined,
    noProxy: (setIn(env, ["NO_PROXY", "no_proxy"]) ?? "").split(/[\s,]+/).filter(Boolean),
    secrets: new Map(username ? [[`//${root.host}${root.pathname}`, `Basic ${secret}`]] : []),
  };
}
