/** For tests: an index of made-up Python packages on this machine, which requires a password. */

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./command.ts";

export const PASSWORD = "password-of-the-user";

/** `published` is when it came. */
export interface MadeUpWheel {
  version: string;
  published?: string;
}

/** Writes a wheel with one module that knows its version. */
const WHEEL = `
import sys, zipfile
path, name, version = sys.argv[1:]
with zipfile.ZipFile(path, "w") as wheel:
    info = f"{name}-{version}.dist-info/"
    wheel.writestr(f"{name}.py", f"version = {version!r}\\n")
    wheel.writestr(info + "METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(info + "RECORD", f"{name}.py,,\\n{info}METADATA,,\\n{info}WHEEL,,\\n{info}RECORD,,\\n")
`;

/** Serves them until the test ends. @returns `variables`: those that set up the user's uv for it */
export async function startIndex(packages: Record<string, readonly MadeUpWheel[]>) {
  const folder = temporaryFolder();
  const asked: string[] = [];
  const fileOf = (name: string, version: string) => `${name}-${version}-py3-none-any.whl`;
  const allowed = `Basic ${Buffer.from(`user:${PASSWORD}`).toString("base64")}`;
  const server = createServer(({ url = "", headers }, response) => {
    asked.push(url);
    const [, kind, name = ""] = url.split("/");
    if (kind === "files" && name !== "") return response.end(readFileSync(join(folder.path, name)));
    const wheels = packages[name];
    if (headers.authorization !== allowed || wheels === undefined) return response.writeHead(404).end();
    const files = wheels.map(({ version, published }) => {
      const filename = fileOf(name, version);
      return { filename, url: `../../files/${filename}`, hashes: {}, ...(published && { "upload-time": published }) };
    });
    response.setHeader("content-type", "application/vnd.pypi.simple.v1+json");
    response.end(JSON.stringify({ meta: { "api-version": "1.1" }, name, files }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  for (const [name, wheels] of Object.entries(packages))
    for (const { version } of wheels)
      execFileSync("python3", ["-c", WHEEL, join(folder.path, fileOf(name, version)), name, version]);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    folder[Symbol.dispose]();
  });
  return { asked, port, variables: { UV_DEFAULT_INDEX: `http://user:${PASSWORD}@127.0.0.1:${port}/simple` } };
}
