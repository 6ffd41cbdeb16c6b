/** The agent around an attack: it runs the attack, tells what the attack got, and answers. */

/**
 * Source of an agent whose body is `attack`, JavaScript that may use
 * - `job`, `targets` (of this machine: `secret` and `canary` are files, `tcp` a port, `abstract` and `unix` sockets);
 * - `attempt(name, f)`: something that must not succeed. If `f` returns anything but `undefined`, it was `WON`;
 * - `told(text)`: for the host to search for secrets;
 * - `post(route, body)` → `{ status, text }`, `raw(bytes)` → what the gateway answers, `python(code)` → its output.
 */
export const agentSource = (attack: string, targets: object): string => `
import fs from "node:fs";
import net from "node:net";
import http from "node:http";
import path from "node:path";
import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const job = JSON.parse(value);
const targets = ${JSON.stringify(targets)};
const say = (event) => fs.writeSync(1, JSON.stringify({ v: 1, ...event }) + "\\n");
const step = (text) => say({ type: "step", iteration: 1, action: "attack", status: "ok", text, seconds: 0 });
const told = (text) => step("told " + String(text).slice(0, 4000));
async function attempt(name, f) {
  let got;
  try { got = await f(); } catch (error) { got = undefined; step("refused " + name + ": " + error); }
  if (got !== undefined) step("WON " + name + ": " + String(got).slice(0, 500));
  step("tried " + name);
}
const post = (route, body) => new Promise((resolve, reject) => {
  const call = http.request({ socketPath: job.socket, path: route, method: "POST", agent: false }, (reply) => {
    let text = "";
    reply.on("data", (part) => { text += part; }).on("end", () => resolve({ status: reply.statusCode, text }));
  });
  call.on("error", reject);
  call.end(typeof body === "string" ? body : JSON.stringify(body));
});
const raw = (bytes, waitMs = 2000) => new Promise((resolve) => {
  let text = "";
  const socket = net.connect(job.socket, () => socket.write(bytes));
  socket.on("data", (part) => { text += part; }).on("error", (error) => resolve(text + error)).on("close", () => resolve(text));
  setTimeout(() => { socket.destroy(); resolve(text); }, waitMs);
});
const python = (code) => {
  const { stdout, stderr, error } = spawnSync("python3", ["-S", "-c", code], { encoding: "utf8", timeout: 20000 });
  if (error) throw error;
  told(stdout + stderr);
  return stdout;
};
${attack}
say({ type: "result", answer: "def f(x):\\n    return 0\\n", stop: "answered" });
process.exit(0);
`;

/** An agent that answers its task right. */
export const HONEST_ATTACK = `say({ type: "result", answer: job.task.declaration + job.task.buggyCode.replace("x - ", "x + "), stop: "answered" });
process.exit(0);`;
