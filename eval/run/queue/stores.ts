/** Where BullMQ keeps its jobs: one row a kind of server. The traps are in the README beside this file. */

import { createRequire } from "node:module";
import { connect } from "node:net";
import { createPostgresBackend, type Job, Queue, Worker, type WorkerOptions } from "bullmq";
import { messageOf, UserError } from "../../../utils/base/data/errors.ts";
import { withoutSecrets } from "./broker.ts";

type Process = (job: Job, token?: string) => Promise<unknown>;
type Options = Omit<WorkerOptions, "connection">;

/** BullMQ also writes each result to its stream of events, which mend does not read. */
const STREAMS = { events: { maxLen: 10 } };
/** Connections of each queue and each worker: PostgreSQL has a hundred for all. */
const POOL = { max: 2, idleTimeoutMillis: 5000 };

function onRedis(url: string) {
  const connection = { url, maxRetriesPerRequest: null };
  return {
    queue: (name: string, create: boolean) =>
      new Queue(name, { connection, streams: STREAMS, skipMetasUpdate: !create }),
    worker: (name: string, process: Process, options: Options) => new Worker(name, process, { ...options, connection }),
  };
}

function onPostgres(url: string) {
  // Migrations run once per database; processes that start at the same time wait for a lock.
  const connection = { connectionString: url, migrate: true, ...POOL };
  return {
    queue: (name: string, create: boolean) =>
      new Queue(name, { connection, streams: STREAMS, skipMetasUpdate: !create }, createPostgresBackend),
    worker: (name: string, process: Process, options: Options) =>
      new Worker(name, process, { ...options, connection }, createPostgresBackend),
  };
}

/** `library`: what BullMQ needs for it. */
const KINDS = [
  { protocols: ["redis:", "rediss:"], port: 6379, library: "ioredis", open: onRedis },
  { protocols: ["postgres:", "postgresql:"], port: 5432, library: "pg", open: onPostgres },
];

/** BullMQ's classes on one server. */
type Store = ReturnType<typeof onRedis | typeof onPostgres>;
export type BullQueue = ReturnType<Store["queue"]>;

const CONNECT_MS = 10_000;

/**
 * @throws UserError where no server answers at `url`: the libraries would wait for one for ever
 * @throws MODULE_NOT_FOUND where the library is not installed
 */
export async function openStore(url: string): Promise<Store> {
  const { hostname, port, protocol } = new URL(url);
  const kind = KINDS.find(({ protocols }) => protocols.includes(protocol));
  if (!kind) throw new UserError(`There is no kind of queue for ${protocol}//`);
  createRequire(import.meta.url).resolve(kind.library);
  const socket = connect(Number(port) || kind.port, hostname.replace(/^\[(.*)\]$/, "$1") || "localhost");
  try {
    await new Promise<void>((resolve, reject) => {
      const late = () => reject(new Error(`no answer within ${CONNECT_MS / 1000} s`));
      socket
        .once("connect", () => resolve())
        .once("error", reject)
        .setTimeout(CONNECT_MS, late);
    });
  } catch (error) {
    throw new UserError(`No queue server answers at ${withoutSecrets(url)}: ${messageOf(error)}.`);
  } finally {
    socket.destroy();
  }
  return kind.open(url);
}

/** Of connections that broke, and SQLSTATE 57P0x: the server is ending or starting. Class 08: connection exceptions. */
const AWAY = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|57P0\d|08\d\d\d)$/;

/** Whether an error says that the server is away. Redis' own library waits by itself. */
export function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway);
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return AWAY.test(code) || /^Connection terminated|^Connection is closed/.test(error.message);
}

/** Whether the server answered that it will not do what we asked. */
export const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && (error.name === "ReplyError" || "severity" in error);

/** Whether a key of a queue holds what BullMQ did not put there. It stays so until somebody removes it. */
export const isWrongType = (error: unknown): boolean => error instanceof Error && error.message.includes("WRONGTYPE");
