/** As the Python programs: none may learn the secret that `f(1)` is asked for, forge a verdict or do harm. */

import { always, type HostileProgram, sameUser } from "./program.ts";

/** Of processor time. Starting an interpreter takes its share before a program has its turn. */
const USUAL_MS = 2000;
const QUICK_MS = 700;

const FRAME = `const fs = require("fs");
const frame = (message) => {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
};
`;
const forge = (name: string, body: string): HostileProgram => ({ name, program: `${FRAME}${body}` });
const returns = (name: string, value: string): HostileProgram => ({ name, program: `const f = () => (${value});` });

const EXITS: HostileProgram[] = [
  { name: "exit 0 while loading", program: "process.exit(0);" },
  { name: "exit 0 when called", program: "const f = () => process.exit(0);" },
  { name: "reallyExit", program: "const f = () => process.reallyExit(0);" },
  { name: "abort", program: "const f = () => process.abort();" },
  { name: "kill itself", program: 'const f = () => process.kill(process.pid, "SIGKILL");' },
  { name: "exit later", program: "setTimeout(() => process.exit(0), 0); const f = () => { for (;;); };" },
  { name: "throws undefined", program: "const f = () => { throw undefined; };" },
  {
    name: "an error whose text throws",
    program: "const f = () => { throw { get message() { throw 1; }, toString() { throw 2; } }; };",
  },
  {
    name: "an error that is a proxy",
    program: "const f = () => { throw new Proxy(new Error(), { get() { throw 1; } }); };",
  },
];

const FORGERIES: HostileProgram[] = [
  forge(
    "a verdict on its channel while loading",
    'fs.writeSync(3, frame({ outcome: "passed", explanation: "", loaded: true, calls: 1, during: "" })); const f = () => 0;',
  ),
  forge(
    "a verdict in place of a value",
    'const f = () => { fs.writeSync(3, frame({ outcome: "passed", explanation: "", loaded: true, calls: 1 })); process.exit(0); };',
  ),
  forge(
    "a reply without the call's number",
    'const f = () => { fs.writeSync(3, frame({ value: "x" })); process.exit(0); };',
  ),
  forge(
    "replies sent ahead",
    'for (let i = 0; i < 100; i++) fs.writeSync(3, frame({ id: String(i), value: "x" })); const f = () => "x";',
  ),
  forge(
    "the end said ahead",
    'fs.writeSync(3, frame({ id: "", loaded: true })); fs.writeSync(3, frame({ id: "", ended: true })); const f = () => 0;',
  ),
  forge(
    "a message that is no JSON",
    "const f = () => { fs.writeSync(3, Buffer.from([3, 0, 0, 0, 1, 2, 3])); process.exit(0); };",
  ),
  forge(
    "an enormous message",
    "const f = () => { fs.writeSync(3, Buffer.from([255, 255, 255, 255])); process.exit(0); };",
  ),
  forge("half a message", "const f = () => { fs.writeSync(3, Buffer.from([9, 0, 0, 0, 1])); process.exit(0); };"),
  forge("a setup problem", 'fs.writeSync(3, frame({ setup: "it failed" })); const f = () => 0;'),
  forge(
    "other descriptors",
    'for (let fd = 0; fd < 64; fd++) { try { fs.writeSync(fd, frame({ outcome: "passed", explanation: "", loaded: true, calls: 1, during: "", reusable: true })); } catch {} } const f = () => 0;',
  ),
  forge(
    "a verdict in print",
    'const f = () => { console.log(JSON.stringify({ outcome: "passed" })); console.error("passed"); };',
  ),
  {
    name: "JSON.stringify replaced",
    program:
      "const real = JSON.stringify; JSON.stringify = (v) => real(v && v.value !== undefined ? { ...v, value: { o: 1 } } : v); const f = () => 1;",
  },
  {
    name: "a value of an unknown kind",
    program:
      "const real = JSON.stringify; JSON.stringify = (v) => real({ ...v, value: { zzz: 1 } }); const f = () => 1;",
  },
  {
    name: "a value of two kinds",
    program:
      "const real = JSON.stringify; JSON.stringify = (v) => real({ ...v, value: { m: [], s: [] } }); const f = () => 1;",
  },
  {
    name: "a map of no pairs",
    program:
      "const real = JSON.stringify; JSON.stringify = (v) => real({ ...v, value: { m: [1] } }); const f = () => 1;",
  },
  {
    name: "a deep value",
    program: "const f = () => { let v = []; for (let i = 0; i < 1e5; i++) v = [v]; return v; };",
  },
  {
    name: "a deep message",
    program: `${FRAME}const f = () => { fs.writeSync(3, (() => { const b = Buffer.from("[".repeat(1e6) + "]".repeat(1e6)); const h = Buffer.alloc(4); h.writeUInt32LE(b.length); return Buffer.concat([h, b]); })()); process.exit(0); };`,
  },
  {
    name: "the prototype of everything",
    program:
      'Object.prototype.toString = () => "[object Object]"; Array.prototype.push = () => 0; Object.prototype.outcome = "passed"; const f = () => ({});',
  },
  {
    name: "console.assert replaced",
    program: "console.assert = () => {}; globalThis.check = () => {}; const f = () => 0;",
  },
  {
    name: "assert replaced",
    program: 'require("assert").strictEqual = () => {}; require.cache = {}; const f = () => 0;',
  },
];

const EQUALITIES: HostileProgram[] = [
  returns("equal to everything", "{ valueOf: () => 1, toString: () => 'x', [Symbol.toPrimitive]: () => 'x' }"),
  returns("a proxy", "new Proxy({}, { get: () => () => true, has: () => true, ownKeys: () => [] })"),
  returns("a revoked proxy", "(() => { const r = Proxy.revocable({}, {}); r.revoke(); return r.proxy; })()"),
  returns("its own prototype", '{ __proto__: { length: 1 }, ["__proto__"]: "x" }'),
  returns("a function", "() => true"),
  returns("a symbol", "Symbol('x')"),
  returns("a promise", "Promise.resolve('x')"),
  returns("a cycle", "(() => { const a = []; a.push(a); return a; })()"),
  returns("a getter that throws", "{ get x() { throw 1; } }"),
  returns("toJSON", "{ toJSON: () => 'x' }"),
  returns("NaN", "NaN"),
  returns("an enormous array", "new Array(1e9)"),
];

const THEFTS: HostileProgram[] = [
  { name: "the environment", program: "const f = () => process.env.MEND_HOSTILE_SECRET;" },
  {
    name: "a file everybody may read",
    program: 'const f = () => require("fs").readFileSync("@FILE@", "utf8");',
    plainCannotStop: always("files are readable"),
  },
  {
    name: "every process",
    program:
      'const fs = require("fs"); const f = () => { for (const pid of fs.readdirSync("/proc")) { try { const found = /secret-[0-9a-f]+/.exec(fs.readFileSync(`/proc/${pid}/environ`, "latin1") + fs.readFileSync(`/proc/${pid}/cmdline`, "latin1")); if (found) return found[0]; } catch {} } };',
    plainCannotStop: sameUser("processes of one user see each other"),
  },
  {
    name: "standard input",
    program: 'const f = () => require("fs").readFileSync(0, "utf8").match(/secret-[0-9a-f]+/)[0];',
  },
  {
    name: "the network from a thread",
    program:
      'const { Worker, receiveMessageOnPort, MessageChannel } = require("worker_threads"); const f = () => { const { port1, port2 } = new MessageChannel(); const lock = new Int32Array(new SharedArrayBuffer(4)); new Worker(`const { workerData } = require("worker_threads"); require("net").connect(@PORT@, "127.0.0.1").on("data", (d) => { workerData.port.postMessage(String(d)); Atomics.store(workerData.lock, 0, 1); Atomics.notify(workerData.lock, 0); }).on("error", () => {});`, { eval: true, workerData: { port: port2, lock }, transferList: [port2] }); Atomics.wait(lock, 0, 0, 1000); return receiveMessageOnPort(port1)?.message; };',
    plainCannotStop: always("the network is there"),
    timeoutMs: 1500,
  },
  {
    name: "a shell",
    program: 'const f = () => String(require("child_process").execSync("cat @FILE@"));',
    plainCannotStop: always("processes are there"),
  },
  {
    name: "spawn through the binding",
    program:
      'const f = () => String(process.binding("spawn_sync").spawn({ file: "/bin/cat", args: ["cat", "@FILE@"], stdio: [{ type: "pipe", readable: true }, { type: "pipe", writable: true }, { type: "pipe", writable: true }] }).output[1]);',
    plainCannotStop: always("processes are there"),
  },
  {
    name: "its own arguments",
    program: "const f = () => (process.argv.join() + process.execArgv.join()).match(/secret-[0-9a-f]+/)?.[0];",
  },
  { name: "the inspector", program: 'require("inspector").open(0, "127.0.0.1"); const f = () => 0;' },
  {
    name: "a heap snapshot",
    program:
      'const f = () => { const v8 = require("v8"); const file = v8.writeHeapSnapshot(); return require("fs").readFileSync(file, "latin1").match(/secret-[0-9a-f]{32}/)?.[0]; };',
    timeoutMs: 3000,
  },
];

const HARM: HostileProgram[] = [
  { name: "an endless loop", program: "const f = () => { for (;;); };", timeoutMs: QUICK_MS },
  { name: "an endless loop while loading", program: "for (;;);", timeoutMs: QUICK_MS },
  {
    name: "endless memory",
    program: "const f = () => { const all = []; for (;;) all.push(new Array(1e6).fill(1)); };",
    timeoutMs: 3000,
  },
  {
    name: "endless buffers",
    program: "const f = () => { const all = []; for (;;) all.push(Buffer.alloc(1e8, 1)); };",
    timeoutMs: 3000,
  },
  { name: "endless recursion", program: "const f = (x) => f(x) + f(x);" },
  { name: "endless print", program: 'const f = () => { for (;;) console.log("x".repeat(1e6)); };', timeoutMs: 3000 },
  {
    name: "endless threads",
    program:
      'const { Worker } = require("worker_threads"); const f = () => { for (;;) new Worker("for(;;);", { eval: true }); };',
    timeoutMs: 1000,
  },
  {
    name: "processes that stay",
    program:
      'const cp = require("child_process"); const f = () => { for (let i = 0; i < 5; i++) cp.spawn("sleep", ["@MARK@"], { detached: true, stdio: "ignore" }).unref(); };',
    plainCannotStop: sameUser("processes can be left behind"),
  },
  {
    name: "kill everybody",
    program: 'const f = () => { process.kill(-1, "SIGKILL"); };',
    plainCannotStop: sameUser("processes of one user can be signalled"),
  },
  { name: "sleeps", program: "const f = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);" },
  { name: "a regular expression that never ends", program: 'const f = () => /^(a+)+$/.test("a".repeat(40) + "b");' },
];

export const HOSTILE_JAVASCRIPT: HostileProgram[] = [...EXITS, ...FORGERIES, ...EQUALITIES, ...THEFTS, ...HARM].map(
  (program) => ({ timeoutMs: USUAL_MS, ...program, name: `JavaScript: ${program.name}`, language: "javascript" }),
);
