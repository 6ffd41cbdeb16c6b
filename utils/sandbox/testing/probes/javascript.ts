/** Probes that Node.js runs. */

import { NO_MOUNTS, NO_SOCKETS, type Probe, probes } from "./probe.ts";

const WORKERS = `
const { Worker } = require("node:worker_threads");
let left = 8;
for (let i = 0; i < 8; i++) new Worker("setTimeout(() => {}, 300)", { eval: true }).on("exit", (code) => { if (code) process.exit(1); left--; });
process.on("exit", () => { if (left) process.exitCode = 1; });
`;

export const JAVASCRIPT_PROBES: readonly Probe[] = [
  ...probes("javascript", {
    "os.hostname, os.cpus, os.totalmem":
      "const os = require('os'); if (!os.hostname() || !os.cpus().length || !os.totalmem() || !os.freemem()) process.exit(1)",
    "os.tmpdir can be written": "const fs = require('fs'), os = require('os'); fs.mkdtempSync(os.tmpdir() + '/x-')",
    "os.availableParallelism, loadavg, uptime":
      "const os = require('os'); if (!(os.availableParallelism() >= 1) || os.loadavg().length !== 3 || !(os.uptime() > 0)) process.exit(1)",
    "eight workers": WORKERS,
    WebAssembly: "new WebAssembly.Memory({ initial: 1, maximum: 65536 })",
    "child_process.fork with messages":
      "const { fork } = require('child_process'), fs = require('fs'), os = require('os'); const f = os.tmpdir() + '/c.js'; fs.writeFileSync(f, 'process.send(1); process.disconnect()'); let got; fork(f).on('message', (m) => { got = m; }).on('exit', () => process.exit(got === 1 ? 0 : 1))",
    "execSync with a shell":
      "if (require('child_process').execSync('echo a | cat').toString() !== 'a\\n') process.exit(1)",
    "spawn with stdio inherit":
      "if (require('child_process').spawnSync('echo', ['x'], { stdio: 'inherit' }).status) process.exit(1)",
    "eight children at a time":
      "const { spawn } = require('child_process'); for (let i = 0; i < 8; i++) spawn(process.execPath, ['-e', 'setTimeout(() => {}, 100)']).on('exit', (c) => { if (c !== 0) process.exit(1); })",
    "fs.watch":
      "const fs = require('fs'), os = require('os'); const d = fs.mkdtempSync(os.tmpdir() + '/w-'); const w = fs.watch(d, () => { w.close(); process.exit(0); }); setTimeout(() => fs.writeFileSync(d + '/x', ''), 50); setTimeout(() => process.exit(1), 20000)",
    "fs.cp, rm, symlink, utimes":
      "const fs = require('fs'), os = require('os'); const d = fs.mkdtempSync(os.tmpdir() + '/w-'); fs.mkdirSync(d + '/a/b', { recursive: true }); fs.cpSync(d + '/a', d + '/c', { recursive: true }); fs.symlinkSync('a', d + '/l'); fs.utimesSync(d + '/a', 1, 1); if (fs.statSync(d + '/a').mtimeMs !== 1000) process.exit(1); fs.rmSync(d, { recursive: true })",
    "writing to /dev/stdout": "require('fs').writeFileSync('/dev/stdout', 'x')",
    "reading /dev/stdin": "require('fs').readFileSync('/dev/stdin')",
    "reading fd 0": "require('fs').readFileSync(0)",
    "crypto: keys, scrypt, random":
      "const c = require('crypto'); c.generateKeyPairSync('ec', { namedCurve: 'P-256' }); c.scryptSync('a', 'b', 16); c.randomUUID()",
    "Intl with zones":
      "if (new Date(0).toLocaleString('en', { timeZone: 'Europe/Berlin', hour: 'numeric', hour12: false }) !== '01') process.exit(1)",
    "process.setuid is refused or harmless, getuid works":
      "if (!(process.getuid() >= 0) || !process.title) process.exit(1)",
    "process.report and memoryUsage": "process.report.getReport(); process.memoryUsage.rss()",
    "signals to oneself":
      "process.on('SIGUSR2', () => process.exit(0)); process.kill(process.pid, 'SIGUSR2'); setTimeout(() => process.exit(1), 20000)",
    "800 MB of buffers":
      "const b = []; for (let i = 0; i < 8; i++) b.push(Buffer.alloc(1e8, 1)); if (b.length !== 8) process.exit(1)",
    "inspector opens in process":
      "const i = require('inspector'); const s = new i.Session(); s.connect(); s.post('Profiler.enable', (e) => process.exit(e ? 1 : 0))",
  }),
  ...probes(
    "javascript",
    {
      "os.networkInterfaces": "if (!require('os').networkInterfaces().lo) process.exit(1)",
      "dns.lookup of localhost": "require('dns').lookup('localhost', (e) => process.exit(e ? 1 : 0))",
      "a server on localhost, asked by fetch":
        "const s = require('http').createServer((q, r) => r.end('x')).listen(0, 'localhost', async () => { const r = await fetch('http://localhost:' + s.address().port); process.exit((await r.text()) === 'x' ? 0 : 1); })",
      "a server without a host, asked on 127.0.0.1":
        "const s = require('net').createServer((c) => c.end('x')).listen(0, () => require('net').connect(s.address().port, '127.0.0.1').on('data', () => process.exit(0)).on('error', () => process.exit(1)))",
      "a unix socket":
        "const p = require('os').tmpdir() + '/n.sock'; const s = require('net').createServer((c) => c.end('x')).listen(p, () => require('net').connect(p).on('data', () => process.exit(0)))",
      cluster:
        "const { execFileSync } = require('child_process'), fs = require('fs'); const f = require('os').tmpdir() + '/cl.js'; fs.writeFileSync(f, 'const c = require(`cluster`); if (c.isPrimary) c.fork().on(`exit`, (code) => process.exit(code)); else process.exit(0)'); execFileSync(process.execPath, [f])",
      dgram:
        "const s = require('dgram').createSocket('udp4'); s.on('message', () => process.exit(0)); s.bind(0, '127.0.0.1', () => s.send('x', s.address().port, '127.0.0.1'))",
      "dns of a foreign name fails with a code":
        "require('dns').lookup('example.invalid', (e) => process.exit(e && e.code ? 0 : 1))",
      "tls with a certificate of its own":
        "const { execSync } = require('child_process'), os = require('os'), fs = require('fs'); const d = os.tmpdir(); execSync('openssl req -x509 -newkey rsa:2048 -nodes -keyout ' + d + '/k.pem -out ' + d + '/c.pem -days 1 -subj /CN=localhost -config /etc/ssl/openssl.cnf', { stdio: 'ignore' }); const t = require('tls'); const s = t.createServer({ key: fs.readFileSync(d + '/k.pem'), cert: fs.readFileSync(d + '/c.pem') }, (c) => c.end('x')).listen(0, () => t.connect(s.address().port, 'localhost', { rejectUnauthorized: false }).on('data', () => process.exit(0)).on('error', () => process.exit(1)))",
    },
    NO_SOCKETS,
  ),
  ...probes(
    "javascript",
    {
      "os.userInfo":
        "const { userInfo, homedir } = require('os'); if (!userInfo().username || userInfo().homedir !== homedir()) process.exit(1)",
    },
    NO_MOUNTS,
  ),
];
