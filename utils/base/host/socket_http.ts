/** JSON over HTTP over a unix socket: how an agent in its box reaches its host. */

import { request } from "node:http";
import type { z } from "zod";

interface JsonReply {
  status: number;
  body: unknown;
}

/**
 * POSTs `body` as JSON and reads a JSON reply.
 * @throws Error where the socket cannot be reached or the reply is not JSON; the signal's reason once it is aborted
 */
export function postJson(socket: string, path: string, body: unknown, signal?: AbortSignal): Promise<JsonReply> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(signal?.aborted ? signal.reason : error);
    const headers = { "content-type": "application/json" };
    // Each request has its own connection: on a kept one the error of a long write is not caught and ends the process.
    const options = { socketPath: socket, path, method: "POST", headers, signal, agent: false };
    const call = request(options, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part)).on("error", fail);
      response.on("end", () => {
        try {
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString("utf8")) });
        } catch (error) {
          fail(error);
        }
      });
    });
    call.on("error", fail);
    call.end(JSON.stringify(body));
  });
}

/** POSTs `body` and reads the reply by a schema. @throws Error where the host refuses; else as `postJson` */
export async function askHost<T>(
  socket: string,
  path: string,
  body: object,
  schema: z.ZodType<T>,
  signal?: AbortSignal,
): Promise<T> {
  const reply = await postJson(socket, path, body, signal);
  if (reply.status === 200) return schema.parse(reply.body);
  throw new Error(`the host refused ${path} (${reply.status}): ${JSON.stringify(reply.body)}`);
}
