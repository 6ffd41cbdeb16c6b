/** For tests: a Redis of their own, on a free port of 127.0.0.1. */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { makeTemporaryFolder } from "../../../../utils/files/temporary.ts";

/** Whether this machine has one. */
export const hasRedis = ((): boolean => {
  try {
    return execFileSync("redis-server", ["--version"], { encoding: "utf8" }).includes("Redis");
  } catch {
    return false;
  }
})();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || !address) throw new Error("no free port");
  return address.port;
}

/** Starts it; use with `await using`. */
export async function startRedis() {
  const folder = makeTemporaryFolder("redis");
  const port = await freePort();
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--dir", folder.path];
  const server = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(server, "exit");
  const lines = createInterface({ input: server.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => (/ready to accept connections/i.test(line) ? resolve() : undefined));
    exited.then(() => reject(new Error("redis-server did not start")), reject);
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    /** What it answers to a command. */
    ask: (...command: string[]) =>
      execFileSync("redis-cli", ["-p", `${port}`, ...command], { encoding: "utf8" }).trim(),
    [Symbol.asyncDispose]: async () => {
      server.kill("SIGKILL");
      await exited;
      folder[Symbol.dispose]();
    },
  };
}
