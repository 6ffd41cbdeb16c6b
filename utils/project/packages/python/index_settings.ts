/** Where this machine's user gets Python packages: the index, who it knows the user by, certificates and proxy. */

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../../base/data/errors.ts";
import { type Registry, registryAt, setIn } from "../registry_access.ts";

const VARIABLES = ["UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"];
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
export function indexSettings(usual: string | undefined, env = process.env): Registry {
  const texts = FILES.map((file) => (existsSync(file) ? readFileSync(file, "utf8") : ""));
  const inFiles = texts.flatMap((text) => IN_FILE.map((pattern) => pattern.exec(text)?.[1])).find(Boolean);
  const told = setIn(env, VARIABLES) ?? inFiles ?? usual ?? "";
  const index = registryAt(told, env);
  if (index !== null) return index;
  throw new UserError(`The index of Python packages "${told}" is not an address: set UV_DEFAULT_INDEX.`);
}
