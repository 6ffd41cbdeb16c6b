/** For tests: a Redis of their own, on a free port of 127.0.0.1. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { makeTemporaryFolder } from "../../../../utils/base/files/temporary.ts";
import { isRunning } from "../../../../utils/testing/command.ts";

export interface QueueServer extends AsyncDisposable {
  url: string;
  /** What is in it, one name each: nothing after a run. */
  contents(): string[];
  /** Loses all that is in it. */
  flush(): void;
  /** As a machine does that loses its power; what the server has said is done is still there at `start`. */
  kill(): Promise<void>;
  start(): Promise<void>;
  pid(): number;
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

/** Runs a program that says on one of its outputs that it is ready. */
function daemon({ command, args, ready }: { command: string; args: string[]; ready: RegExp }) {
  let running: ChildProcess | null = null;
  return {
    start: async () => {
      const server = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
      running = server;
      const said: string[] = [];
      await new Promise<void>((resolve, reject) => {
        for (const stream of [server.stdout, server.stderr]) {
          createInterface({ input: stream }).on("line", (line) => {
            said.push(line);
            if (ready.test(line)) resolve();
          });
        }
        server.once("exit", () => reject(new Error(`${command} did not start: ${said.join("\n")}`)));
      });
    },
    pid: () => running?.pid ?? 0,
    kill: async () => {
      if (!running || !isRunning(running)) return;
      running.kill("SIGKILL");
      await once(running, "exit");
    },
  };
}

const lines = (text: string) => text.split("\n").filter(Boolean);

/** Files of a server's TLS, and the password that it wants besides. */
interface Guard {
  certificate: string;
  key: string;
  password: string;
}

async function startRedis(guard?: Guard): Promise<QueueServer> {
  const folder = makeTemporaryFolder("redis");
  const port = await freePort();
  const listen = guard
    ? [
        "--port",
        "0",
        "--tls-port",
        `${port}`,
        "--tls-cert-file",
        guard.certificate,
        "--tls-key-file",
        guard.key,
      ].concat(["--tls-ca-cert-file", guard.certificate, "--tls-auth-clients", "no", "--requirepass", guard.password])
    : ["--port", `${port}`];
  const login = guard ? ["--tls", "--cacert", guard.certificate, "--no-auth-warning", "-a", guard.password] : [];
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"];
  const args = [...listen, "--bind", "127.0.0.1", "--save", "", "--dir", folder.path, ...durable];
  const server = daemon({ command: "redis-server", args, ready: /ready to accept connections/i });
  const ask = (...command: string[]) =>
    execFileSync("redis-cli", ["-p", `${port}`, ...login, ...command], { encoding: "utf8" });
  await server.start();
  return {
    ...server,
    url: guard ? `rediss://:${guard.password}@127.0.0.1:${port}` : `redis://127.0.0.1:${port}`,
    // Those that a server removes by itself are no part of what stays.
    contents: () => lines(ask("keys", "*")).filter((key) => Number(ask("ttl", key)) < 0),
    flush: () => void ask("flushall"),
    [Symbol.asyncDispose]: async () => {
      await server.kill();
      folder[Symbol.dispose]();
    },
  };
}

/** A Redis behind TLS, with a certificate that it signed itself, and a password; null where this machine has none that can. */
export async function startGuardedRedis(password: string): Promise<(QueueServer & { certificate: string }) | null> {
  const folder = makeTemporaryFolder("tls");
  const [certificate, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
  const kind = [
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-subj",
    "/CN=queue",
    "-addext",
    "subjectAltName=IP:127.0.0.1",
  ];
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

const isInstalled = (command: string): boolean => {
  try {
    return execFileSync(command, ["--version"], { encoding: "utf8" }) !== "";
  } catch {
    return false;
  }
};

/** The servers that this machine has; warns about missing ones. */
export const SERVERS = [{ name: "redis", command: "redis-server", start: () => startRedis() }].filter(
  ({ name, command }) => {
    const has = isInstalled(command);
    if (!has) console.warn(`${command} is not installed: queues are not tested on ${name}`);
    return has;
  },
);
