/** For tests: a registry of made-up packages on this machine, which requires a token. */

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./command.ts";

export const TOKEN = "secret-of-the-user";

/** A version's manifest; `published` is when it came, `files` are more than its `index.js`. */
export interface MadeUpVersion extends Record<string, unknown> {
  version?: string;
  published?: string;
  files?: Record<string, string>;
}

/**
 * Serves them until the test ends.
 * @returns `asked`: token and address of each request; `variables`: those that set up the user's npm for it
 */
export async function startRegistry(packages: Record<string, MadeUpVersion | readonly MadeUpVersion[]>) {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const versionsOf = (name: string) =>
    [packages[name] ?? []].flat().map(({ version = "1.0.0", ...more }: MadeUpVersion) => ({ version, ...more }));
  const asked: string[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    asked.push(`${headers.authorization} ${url}`);
    const name = decodeURIComponent(url.slice(1).split("/-/")[0] ?? "");
    const versions = versionsOf(name);
    if (headers.authorization !== `Bearer ${TOKEN}` || versions.length === 0) return response.writeHead(404).end("{}");
    if (url.includes("/-/")) return response.end(readFileSync(at(url.split("/-/")[1] ?? "")));
    const told = versions.map(({ published: _, files: __, ...manifest }) => {
      const dist = { tarball: `${address}/${name}/-/${packed(name, manifest.version)}` };
      return [manifest.version, { name, ...manifest, dist }];
    });
    const times = versions.flatMap(({ version, published }) => (published ? [[version, published]] : []));
    response.end(
      JSON.stringify({
        name,
        "dist-tags": { latest: versions.at(-1)?.version },
        versions: Object.fromEntries(told),
        ...(times.length > 0 ? { time: Object.fromEntries(times) } : {}),
      }),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  for (const name of Object.keys(packages)) for (const version of versionsOf(name)) pack(at, name, version);
  writeFileSync(at("npmrc"), `registry=${address}/\n//127.0.0.1:${port}/:_authToken=\${MEND_TEST_TOKEN}\n`);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    folder[Symbol.dispose]();
  });
  return { at, asked, address, variables: { npm_config_userconfig: at("npmrc"), MEND_TEST_TOKEN: TOKEN } };
}

const packed = (name: string, version: string): string => `${name.replace("/", "-")}-${version}.tgz`;

function pack(
  at: (name: string) => string,
  name: string,
  { files = {}, published: _, version, ...manifest }: MadeUpVersion & { version: string },
): void {
  mkdirSync(at("package"), { recursive: true });
  const all = {
    "package.json": JSON.stringify({ name, version, ...manifest }),
    "index.js": `module.exports = ${JSON.stringify(name)};\n`,
    ...files,
  };
  for (const [file, text] of Object.entries(all)) writeFileSync(at(`package/${file}`), text);
  execFileSync("tar", ["-czf", at(packed(name, version)), "package"], { cwd: at(".") });
}
