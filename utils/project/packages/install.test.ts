// @module-tag deep
/** Packages are installed in a box that reaches the user's registry alone; nothing of a package or a repository is started. */

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { openCommandBox } from "../../sandbox/command/command_box.ts";
import { temporaryFolder, writeFiles } from "../../testing/command.ts";
import { type MadeUpVersion, startRegistry, TOKEN } from "../../testing/registry.ts";
import { installPackages, notOfRegistry } from "./install.ts";
import { npmSettings } from "./npm_settings.ts";
import { SOCKET } from "./proxy.ts";
import { openRegistryProxy, REGISTRY } from "./registry_proxy.ts";

afterEach(() => vi.unstubAllEnvs());

/** Which this process's npm asks. */
async function usedRegistry(packages: Record<string, MadeUpVersion>) {
  const { variables, ...registry } = await startRegistry(packages);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return registry;
}

/** A repository under git, in which npm starts a program of its own where it is let. */
function hostileRepository(folder: string) {
  const at = (name: string) => join(folder, name);
  const files = {
    "inner/package.json": JSON.stringify({ name: "inner", version: "1.0.0" }),
    "dep/package.json": JSON.stringify({
      name: "dep",
      version: "1.0.0",
      scripts: { prepare: "true" },
      devDependencies: { inner: `git+file://${at("inner")}` },
    }),
    "dep/.npmrc": "git=./evil.sh\nignore-scripts=false\n",
    "dep/evil.sh": `#!/bin/sh\necho x > ${at("started")}\nexec git "$@"\n`,
  };
  writeFiles(folder, files, 0o755);
  const who = ["-c", "user.name=a", "-c", "user.email=a@b"];
  for (const name of ["inner", "dep"])
    for (const words of [
      ["init", "--quiet"],
      ["add", "."],
      [...who, "commit", "--quiet", "-m", "x"],
    ])
      execFileSync("git", ["-C", at(name), ...words], { stdio: "ignore" });
  return { address: `git+file://${at("dep")}`, started: () => existsSync(at("started")) };
}

test.each(["bwrap", "landlock"] as const)(
  "%s: packages of the user's registry, and no script of theirs",
  async (layer) => {
    const { at, asked } = await usedRegistry({
      outer: { dependencies: { inner: "1" }, scripts: { postinstall: "echo x > ran" } },
      inner: {},
    });
    const box = await openCommandBox({ layer });
    const installed = await installPackages(box, { dependencies: { outer: "^1.0.0" }, devDependencies: {} });
    if ("problem" in installed) throw new Error(installed.problem);
    using folder = installed;
    expect(readFileSync(join(folder.path, "node_modules/inner/index.js"), "utf8")).toContain("inner");
    expect(existsSync(join(folder.path, "node_modules/outer/ran"))).toBe(false);
    expect(asked.length).toBeGreaterThanOrEqual(4);
    expect(asked.every((one) => one.startsWith(`Bearer ${TOKEN} `))).toBe(true);
    expect(spawnSync("grep", ["-r", TOKEN, folder.path, at("package")]).status, "the token stays outside").toBe(1);
  },
);

test("a package that comes from git, or wants one that does, is not installed, and its settings start nothing", async () => {
  using folder = temporaryFolder();
  const { address, started } = hostileRepository(folder.path);
  const { asked } = await usedRegistry({ outer: { dependencies: { dep: address } } });
  const box = await openCommandBox();
  const install = (version: string) => installPackages(box, { dependencies: { outer: version }, devDependencies: {} });
  expect(await install(address)).toMatchObject({ problem: expect.stringContaining("only packages of npm's registry") });
  expect(asked).toEqual([]);
  expect(await install("1.0.0")).toMatchObject({ problem: expect.stringMatching(/git/) });
  expect(asked.length).toBeGreaterThan(0);
  expect(started()).toBe(false);
  mkdirSync(join(folder.path, "user"));
  writeFileSync(join(folder.path, "user/package.json"), JSON.stringify({ dependencies: { dep: address } }));
  // Waited for by an event: the registry that npm asks is in this process.
  await once(
    spawn("npm", ["install", "--ignore-scripts", "--allow-git=all"], { cwd: join(folder.path, "user") }),
    "exit",
  );
  expect(started(), "npm alone starts it").toBe(true);
});

test("names and versions that are none of the registry's are named", () => {
  const wanted = (version: string, name = "a") =>
    notOfRegistry({ dependencies: { [name]: version }, devDependencies: {} });
  for (const version of [
    "",
    "*",
    "latest",
    "^1.2.3-beta.1",
    ">=1 <3 || 5.x",
    "~1.2 - 2",
    "npm:b@^1",
    "npm:@s/b@1",
    "1.2.3+x",
  ])
    expect(wanted(version), version).toBeNull();
  const others = ["git+ssh://git@h/r", "git+file:///r", "git://h/r", "u/r", "u/r#main", "github:u/r", "git@h:u/r.git"];
  const more = [
    "file:../x",
    "file:/etc",
    "link:../x",
    "portal:../x",
    "workspace:*",
    "../x",
    "./x",
    "~/x",
    "/etc",
    "https://h/x.tgz",
  ];
  for (const version of [...others, ...more, "npm:../x", "patch:a@1#./p", "catalog:", "a\u0000", "1\n--git=x; rm"])
    expect(wanted(version), version).toContain("only packages of npm's registry");
  for (const name of ["../a", "a/b", "@a", "@a/b/c", "--git=x", ".a"]) expect(wanted("1", name), name).not.toBeNull();
});

test("the proxy reads packages of the registry and nothing else", async () => {
  const { asked } = await usedRegistry({ outer: {} });
  await using proxy = await openRegistryProxy(npmSettings());
  const ask = async (path: string, method = "GET") => {
    const call = request({ socketPath: join(proxy.folder, SOCKET), path, method });
    call.end();
    const [reply] = await once(call, "response");
    const parts: Buffer[] = [];
    for await (const part of reply) parts.push(part);
    return { status: reply.statusCode, text: Buffer.concat(parts).toString("utf8") };
  };
  const { status, text } = await ask("/outer");
  expect(status).toBe(200);
  const packed = String(JSON.parse(text).versions["1.0.0"].dist.tarball);
  expect(packed.startsWith(REGISTRY)).toBe(true);
  expect((await ask(packed.slice(REGISTRY.length - 1))).status).toBe(200);
  const before = asked.length;
  const refused: [string, number][] = [
    ["/-/packed/http%3A%2F%2F127.0.0.1%2Fsecret", 403],
    ["//127.0.0.1/outer", 404],
    ["/outer/../../x", 404],
    ["/-/npm/v1/tokens", 404],
    ["/outer?write=true", 404],
    ["http://127.0.0.1/outer", 404],
  ];
  for (const [path, code] of refused) expect((await ask(path)).status, path).toBe(code);
  expect((await ask("/outer", "PUT")).status).toBe(405);
  expect(asked).toHaveLength(before);
  expect((await ask("/missing")).status).toBe(404);
});

test("a registry behind the user's proxy is asked through it", async () => {
  const { address, asked } = await usedRegistry({ outer: {} });
  const tunnels: string[] = [];
  const proxy = createServer((incoming, response) => {
    tunnels.push(incoming.url ?? "");
    const { host, ...headers } = incoming.headers;
    request(incoming.url ?? "", { headers }, (reply) => reply.pipe(response)).end();
  });
  proxy.on("connect", ({ url = "" }, socket) => {
    tunnels.push(url);
    const [host = "", port = ""] = url.split(":");
    const onwards = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(onwards).pipe(socket);
    });
    onwards.on("error", () => socket.destroy());
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  vi.stubEnv("npm_config_https_proxy", `http://user:word@127.0.0.1:${port}`);
  vi.stubEnv("npm_config_noproxy", "");
  await using own = await openRegistryProxy(npmSettings());
  const call = request({ socketPath: join(own.folder, SOCKET), path: "/outer" });
  call.end();
  const [reply] = await once(call, "response");
  expect(reply.statusCode).toBe(200);
  expect(tunnels).toEqual([`${address}/outer`]);
  expect(asked).toEqual([`Bearer ${TOKEN} /outer`]);
});
