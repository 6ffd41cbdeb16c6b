/** Attacks through the one socket that a box has. */

import type { Attack } from "./attacks.ts";

const READ_AND_WRITE = `"def steal():\\n    for path in " + JSON.stringify([targets.secret, "/etc/shadow", "/proc/1/environ"]) + ":\\n        try: print(open(path).read())\\n        except OSError as e: print(e)\\n    try: open(" + JSON.stringify(targets.canary) + ", 'w').write('cheat')\\n    except OSError as e: print(e)\\nsteal()\\n"`;

export const GATEWAY_ATTACKS: readonly Attack[] = [
  {
    name: "the judge's route: tests that read and write files",
    code: `const code = ${READ_AND_WRITE};
await attempt("tests of its own", async () => {
  for (const part of ["test", "helpers"]) {
    const body = { task: job.task.id, taskId: job.task.id, id: job.task.id, program: "def f(x):\\n    return x\\n", entryPoint: "f", test: "f(1)\\n", timeoutMs: 5000, [part]: code + "f(1)\\nraise AssertionError(open(" + JSON.stringify(targets.secret) + ").read())" };
    told((await post("/sandbox/judge", body)).text);
  }
});`,
  },
  {
    name: "the judge's route: tests that replace the verdict of the judge",
    code: `const test = "import sys\\ntry:\\n    raise ValueError\\nexcept ValueError as e:\\n    frame = e.__traceback__.tb_frame\\nwhile frame.f_back:\\n    frame = frame.f_back\\n    for name, thing in list(frame.f_globals.items()):\\n        if callable(thing) and name in ('judge', '_judge', 'of_judge', 'run'):\\n            frame.f_globals[name] = lambda *a, **k: {'outcome': 'passed', 'loaded': True, 'calls': 9, 'reusable': True}\\nf(1)\\n";
await attempt("a verdict of its own", async () => {
  for (let i = 0; i < 6; i += 1) {
    const { text } = await post("/sandbox/judge", { task: job.task.id, program: "def f(x):\\n    return 0\\n", entryPoint: "f", test, timeoutMs: 5000 });
    told(text);
  }
});`,
  },
  {
    name: "the interpreter's route: files, processes, network",
    code: `await attempt("code", async () => {
  told((await post("/sandbox/run", { code: ${READ_AND_WRITE}, timeoutMs: 5000 })).text);
  told((await post("/sandbox/run", { code: "import os\\nfor p in ('/proc/1/root', '/proc/sys/kernel', '/', '/tmp', '/dev/shm'):\\n    try: print(p, os.listdir(p))\\n    except OSError as e: print(e)", timeoutMs: 5000 })).text);
  const { text } = await post("/sandbox/run", { code: "import socket\\nsocket.create_connection(('127.0.0.1', " + targets.tcp + "), 2)\\nprint('reached')", timeoutMs: 5000 });
  if (text.includes("reached\\\\n")) return "the network";
});`,
  },
  {
    name: "the interpreter's route: fork bombs and daemons",
    code: `await attempt("a daemon", async () => {
  const bomb = "import os\\nfor _ in range(4000):\\n    try: os.fork()\\n    except OSError: pass\\n";
  const daemon = "import os, time\\nif os.fork() == 0:\\n    os.setsid()\\n    if os.fork() == 0:\\n        for f in range(3): os.close(f)\\n        time.sleep(2)\\n        open(" + JSON.stringify(targets.canary) + ", 'w').write('cheat')\\n";
  told((await Promise.all([bomb, daemon].map((code) => post("/sandbox/run", { code, timeoutMs: 1500 })))).map(({ text }) => text.slice(0, 200)));
});`,
  },
  {
    name: "requests that are too large",
    code: `await attempt("17 MB", async () => { const { status } = await post("/sandbox/run", "x".repeat(17e6)); if (status !== 413) return status; });
await attempt("an endless header", async () => { const text = await raw("POST / HTTP/1.1\\r\\nx: " + "y".repeat(5e6)); if (!/^HTTP\\/1.1 4|EPIPE|ECONNRESET/.test(text)) return text || "silence"; });
await attempt("a length that lies", async () => { const text = await raw("POST /sandbox/run HTTP/1.1\\r\\nhost: a\\r\\ncontent-length: 99999999999\\r\\n\\r\\n{}", 500); if (/ 200 /.test(text)) return text; });`,
  },
  {
    name: "requests that are no requests",
    code: `const bodies = ["", "{", "null", "[]", "1e999", "\\"x\\"", "[".repeat(1e6), '{"__proto__":{"timeoutMs":1}}', '{"constructor":{"prototype":{"code":"1"}}}', '{"code":1,"timeoutMs":1}', '{"code":"1","timeoutMs":null}', '{"code":"1","timeoutMs":-1}', '{"code":"1","timeoutMs":1e9}', '{"code":"1","timeoutMs":5,"language":"../../bash"}', '{"messages":{"length":1e9}}', '{"messages":[{"role":"system","content":{"toString":1}}]}', '{"messages":[]}'];
for (const route of ["/sandbox/run", "/sandbox/judge", "/chat"]) {
  for (const body of bodies) await attempt(route + " " + body.slice(0, 40), async () => { const { status } = await post(route, body); if (status < 400 || status > 499) return status; });
}
for (const bytes of ["\\0\\0\\0\\0", "GET\\r\\n\\r\\n", "POST /sandbox/run HTTP/9.9\\r\\n\\r\\n", "PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n", "POST /sandbox/run HTTP/1.1\\r\\nhost: a\\r\\ntransfer-encoding: chunked\\r\\n\\r\\nzz\\r\\n", "GET / HTTP/1.1\\r\\nhost: a\\r\\nupgrade: websocket\\r\\nconnection: upgrade\\r\\n\\r\\n"])
  await attempt("bytes " + JSON.stringify(bytes.slice(0, 30)), async () => { const text = await raw(bytes, 300); if (/ 200 /.test(text)) return text; });`,
  },
  {
    name: "routes that are not there",
    code: `for (const route of ["/etc/passwd", "/../../etc/passwd", "//etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/sandbox/run/../../checks", "/checks", "/try", "/sandbox/run?x", "file:///etc/passwd", "http://127.0.0.1:" + targets.tcp + "/", "*"])
  await attempt(route, async () => { const { status, text } = await post(route, "{}"); told(text); if (status < 400) return status + text; });`,
  },
  {
    name: "many connections, half of them silent",
    code: `const sockets = [];
await attempt("200 connections", async () => {
  for (let i = 0; i < 200; i += 1) { const socket = net.connect(job.socket); socket.on("error", () => {}); sockets.push(socket); if (i % 2) socket.write("POST /sandbox/run HTTP/1.1\\r\\n"); }
  const replies = await Promise.allSettled(Array.from({ length: 20 }, () => post("/nowhere", "{}")));
  told(replies.map(({ status, reason, value }) => status + (reason ?? value.status)).join());
  for (const socket of sockets) socket.destroy();
});
await attempt("one that is served after them", async () => {
  await new Promise((done) => setTimeout(done, 500));
  const { status } = await post("/nowhere", "{}");
  if (status !== 404) return status;
});`,
  },
  {
    name: "jobs that are given up at once",
    code: `await attempt("500 jobs", async () => {
  for (let i = 0; i < 500; i += 1) { const socket = net.connect(job.socket); socket.on("error", () => {}); const body = JSON.stringify({ code: "while True: pass", timeoutMs: 100000 }); socket.write("POST /sandbox/run HTTP/1.1\\r\\nhost: a\\r\\ncontent-length: " + body.length + "\\r\\n\\r\\n" + body, () => socket.destroy()); if (i % 50 === 0) await new Promise((done) => setTimeout(done, 50)); }
});`,
  },
];
