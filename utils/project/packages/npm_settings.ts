/**
 * Where this machine's npm gets packages, as its user has set it up: registries, who they know the user by, proxies.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { messageOf, UserError } from "../../base/data/errors.ts";
import { readJson } from "../../base/data/record.ts";
import { makeTemporaryFolder } from "../../base/files/temporary.ts";
import { hostPath, hostProgram } from "../../base/host/host_programs.ts";
import type { RegistryAccess } from "./registry_client.ts";

export interface NpmSettings extends RegistryAccess {
  /** npm's own program, a file of JavaScript. */
  program: string;
  registry: URL;
  /** By scope, with its `@`. */
  scopes: ReadonlyMap<string, URL>;
}

const Text = z.string().nullish().catch(null);
const Told = z.looseObject({
  registry: z.string(),
  ca: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  cafile: Text,
  "strict-ssl": z.boolean().catch(true),
  "https-proxy": Text,
  proxy: Text,
  noproxy: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  userconfig: Text,
  globalconfig: Text,
});

/**
 * Asked in an empty folder: a project's own settings name programs and hosts, and are nothing of the user's. @throws
 * UserError
 */
export function npmSettings(): NpmSettings {
  const program = npmProgram();
  using folder = makeTemporaryFolder("npm");
  writeFileSync(join(folder.path, "package.json"), "{}");
  let text: string;
  try {
    text = execFileSync(process.execPath, [program, "config", "list", "--long", "--json"], {
      cwd: folder.path,
      encoding: "utf8",
      env: { ...process.env, PATH: hostPath() },
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    throw new UserError(`npm does not tell its settings: ${messageOf(error).split("\n")[0]}`);
  }
  const told = readJson(text, Told);
  if (told === null || !URL.canParse(told.registry)) throw new UserError("npm does not tell which registry it uses.");
  const own = [told.globalconfig, told.userconfig].map((file) => textOf(file)).join("\n");
  const proxy = told["https-proxy"] || told.proxy || proxyIn(own, process.env);
  const ca = [told.ca ?? []].flat();
  return {
    program,
    registry: folderUrl(told.registry),
    scopes: new Map(Object.entries(told).flatMap(([key, value]) => scopeOf(key, value))),
    ca: ca.length > 0 ? ca : told.cafile && existsSync(told.cafile) ? [readFileSync(told.cafile, "utf8")] : undefined,
    strictSsl: told["strict-ssl"],
    proxy: proxy && URL.canParse(proxy) ? new URL(proxy) : undefined,
    noProxy: [told.noproxy ?? []]
      .flat()
      .flatMap((hosts) => hosts.split(/[\s,]+/))
      .filter(Boolean),
    secrets: secretsIn(own),
  };
}

const scopeOf = (key: string, value: unknown): [string, URL][] => {
  const [, scope] = /^(@[\w.~-]+):registry$/.exec(key) ?? [];
  return scope && typeof value === "string" && URL.canParse(value) ? [[scope, folderUrl(value)]] : [];
};

const folderUrl = (text: string): URL => new URL(text.endsWith("/") ? text : `${text}/`);

const textOf = (file: string | null | undefined): string =>
  file && existsSync(file) ? readFileSync(file, "utf8") : "";

/** A proxy with its password, which npm's list leaves out; else the proxy of the usual environment variables. */
function proxyIn(text: string, env: NodeJS.ProcessEnv): string | undefined {
  const lines = [...text.matchAll(/^\s*(?:https-)?proxy\s*=\s*(\S+)/gm)].map(([, value = ""]) => expanded(value));
  const told = ["npm_config_https_proxy", "npm_config_proxy"].map((name) => env[name]);
  const usual = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].map((name) => env[name]);
  return [...told, lines.at(-1), ...usual].find(Boolean);
}

/** As npm reads a value of its files. */
const expanded = (raw: string): string =>
  raw.replace(/^(["'])(.*)\1$/, "$2").replace(/\$\{(\w+)\??\}/g, (_, name) => process.env[name] ?? "");

/** What npm keeps from its list of settings: lines of its files such as `//registry/:_authToken=${TOKEN}`. */
function secretsIn(text: string): Map<string, string> {
  const lines = [...text.matchAll(/^\s*(\/\/\S+?):(_authToken|_auth|username|_password)\s*=\s*(.+?)\s*$/gm)];
  const byPlace = new Map<string, Record<string, string>>();
  for (const [, place = "", key = "", raw = ""] of lines) {
    byPlace.set(place, { ...byPlace.get(place), [key]: expanded(raw) });
  }
  const entries = [...byPlace].map(([place, { _authToken, _auth, username, _password = "" }]): [string, string] => {
    if (_authToken !== undefined) return [place, `Bearer ${_authToken}`];
    const password = Buffer.from(_password, "base64").toString("utf8");
    return [place, `Basic ${_auth ?? Buffer.from(`${username ?? ""}:${password}`).toString("base64")}`];
  });
  return new Map(entries);
}

/** npm's file: behind its command, or beside this Node.js where the command is another program's. */
function npmProgram(): string {
  const beside = join(dirname(realpathSync(process.execPath)), "../lib/node_modules/npm/bin/npm-cli.js");
  const found = [realpathSync(hostProgram("npm")), beside].find(
    (path) => basename(path) === "npm-cli.js" && existsSync(path),
  );
  if (found === undefined) throw new UserError("npm's own files were not found: install npm beside Node.js.");
  return found;
}
