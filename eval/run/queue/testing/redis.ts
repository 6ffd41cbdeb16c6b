/** For tests: a Redis of their own, on a free port of 127.0.0.1. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { makeTemporaryFolder } from "../../../../utils/base/files/temporary.ts";
import { findProgram } from "../../../../utils/base/host/host_programs.ts";
import { isRunning } from "../../../../utils/testing/command.ts";

/** Warns where this machine has none. */
export const hasRedis = findProgram("redis-server") !== undefined;
if (!hasRedis) console.warn("redis-server is not installed: queues are not tested");

export interface QueueServer extends AsyncDisposable {
  url: string;
  /** What is in it, one name each: nothing after a run. */
  contents(): string[];
  /** Loses all that is in it. */
  flush(): void;
  /** As a machine does that loses its power; what the server has said is done is still there at `start`. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || !address) throw new Error("no free port");
  return address.port;
}

/** Files of a server's TLS, and the password that it wants besides. */
interface Guard {
  certificate: string;
  key: string;
  password: string;
}

export async function startRedis(guard?: Guard): Promise<QueueServer> {
  const folder = makeTemporaryFolder("redis");
  const port = await freePort();
  const words = guard
    ? `--port 0 --tls-port ${port} --tls-cert-file ${guard.certificate} --tls-key-file ${guard.key} ` +
      `--tls-ca-cert-file ${guard.certificate} --tls-auth-clients no --requirepass ${guard.password}`
    : `--port ${port}`;
  const login = guard ? ["--tls", "--cacert", guard.certificate, "--no-auth-warning", "-a", guard.password] : [];
  const durable = "--appendonly yes --appendfsync always --maxmemory-policy noeviction";
  const args = [...`${words} --bind 127.0.0.1 ${durable}`.split(" "), "--save", "", "--dir", folder.path];
  const ask = (...command: string[]) =>
    execFileSync("redis-cli", ["-p", `${port}`, ...login, ...command], { encoding: "utf8" });
  let server: ChildProcess | undefined;
  const start = async () => {
    const started = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
    server = started;
    const said: string[] = [];
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: started.stdout }).on("line", (line) => {
        said.push(line);
        if (/ready to accept connections/i.test(line)) resolve();
      });
      started.once("exit", () => reject(new Error(`redis-server did not start: ${said.join("\n")}`)));
    });
  };
  const kill = async () => {
    if (!server || !isRunning(server)) return;
    server.kill("SIGKILL");
    await once(server, "exit");
  };
  await start();
  return {
    ...{ start, kill },
    url: guard ? `rediss://:${guard.password}@127.0.0.1:${port}` : `redis://127.0.0.1:${port}`,
    // Those that a server removes by itself are no part of what stays.
    contents: () =>
      ask("keys", "*")
        .split("\n")
        .filter((key) => key !== "" && Number(ask("ttl", key)) < 0),
    flush: () => void ask("flushall"),
    [Symbol.asyncDispose]: async () => {
      await kill();
      folder[Symbol.dispose]();
    },
  };
}

/** A Redis behind TLS, with a certificate that it signed itself, and a password; null where this machine has none that can. */
export async function startGuardedRedis(password: string): Promise<(QueueServer & { certificate: string }) | null> {
  const folder = makeTemporaryFolder("tls");
  const [certificate, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
  const kind = "-x509 -newkey rsa:2048 -nodes -subj /CN=queue -addext subjectAltName=IP:127.0.0.1".split(" ");
  try {
    execFileSync("openssl", ["req", ...kind, "-keyout", key, "-out", certificate], { stdio: "ignore" });
    const server = await startRedis({ certificate, key, password });
    const end = async () => {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    };
    return { ...server, certificate, [Symbol.asyncDispose]: end };
  } catch (error) {
    folder[Symbol.dispose]();
    console.warn(`queues are not tested behind TLS: ${error}`);
    return null;
  }
}
