/** Where this machine's user gets Python packages: the index, who it knows the user by, certificates and proxy. */

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../../base/data/errors.ts";
import type { RegistryAccess } from "../registry_client.ts";

export interface IndexSettings extends RegistryAccess {
  /** Its address ends with a slash. */
  index: URL;
}

const VARIABLES = ["UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"];
const CERTIFICATES = ["SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE"];
const PROXIES = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"];
const CONFIG = process.env.XDG_CONFIG_HOME || join(homedir(), ".config");
/** Settings of uv and of pip: the user's before the machine's. */
const FILES = [join(CONFIG, "uv/uv.toml"), join(CONFIG, "pip/pip.conf"), join(homedir(), ".pip/pip.conf")].concat([
  "/etc/uv/uv.toml",
  "/etc/pip.conf",
]);
/** `index-url` of either; in uv's also the table `[[index]]` that is the default. */
const IN_FILE = [
  /^\s*index-url\s*=\s*["']?(https?:\/\/[^\s"']+)/m,
  /\[\[index\]\](?=[^[]*\bdefault\s*=\s*true)[^[]*?\burl\s*=\s*"([^"]+)"/,
];

/** @param usual the index that uv asks by default. @throws UserError where that is not an address */
export function indexSettings(usual: string | undefined, env = process.env): IndexSettings {
  const set = (names: readonly string[]) => names.map((name) => env[name]?.trim()).find(Boolean);
  const texts = FILES.map((file) => (existsSync(file) ? readFileSync(file, "utf8") : ""));
  const inFiles = texts.flatMap((text) => IN_FILE.map((pattern) => pattern.exec(text)?.[1])).find(Boolean);
  const told = set(VARIABLES) ?? inFiles ?? usual ?? "";
  if (!/^https?:/.test(told) || !URL.canParse(told))
    throw new UserError(`The index of Python packages "${told}" is not an address: set UV_DEFAULT_INDEX.`);
  const index = new URL(told.endsWith("/") ? told : `${told}/`);
  const { username, password } = index;
  index.username = "";
  index.password = "";
  const secret = Buffer.from(decodeURIComponent(`${username}:${password}`)).toString("base64");
  const certificates = set(CERTIFICATES);
  const proxy = set(PROXIES);
  return {
    index,
    ca: certificates && existsSync(certificates) ? [readFileSync(certificates, "utf8")] : undefined,
    strictSsl: true,
    proxy: proxy && URL.canParse(proxy) ? new URL(proxy) : undefined,
    noProxy: (set(["NO_PROXY", "no_proxy"]) ?? "").split(/[\s,]+/).filter(Boolean),
    secrets: new Map(username ? [[`//${index.host}${index.pathname}`, `Basic ${secret}`]] : []),
  };
}
