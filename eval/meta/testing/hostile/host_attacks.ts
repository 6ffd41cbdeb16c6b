/** Attacks on the machine itself: its files, processes, devices, kernel and resources. They start no process. */

import type { Attack } from "./attacks.ts";

const OPEN_TO_WRITE = `const open = (file) => { const fd = fs.openSync(file, fs.constants.O_WRONLY); fs.closeSync(fd); return "opened"; };`;

export const HOST_ATTACKS: readonly Attack[] = [
  {
    name: "reading the host's files",
    code: `for (const file of [targets.secret, "/etc/shadow", "/etc/passwd", "/root/.bashrc", "/proc/1/root" + targets.secret, "/proc/self/root" + targets.secret, "/proc/self/cwd/../.." + targets.secret, "/tmp/.." + targets.secret, "/mend/../.." + targets.secret])
  await attempt(file, () => fs.readFileSync(file, "utf8"));`,
  },
  {
    name: "links in its own /tmp to the host's files",
    code: `fs.symlinkSync(targets.secret, "/tmp/a"); fs.symlinkSync("/proc/1/root" + targets.secret, "/tmp/b");
await attempt("symbolic", () => fs.readFileSync("/tmp/a", "utf8")); await attempt("through proc", () => fs.readFileSync("/tmp/b", "utf8"));
for (const file of ["/usr/bin/node", "/mend/agent/main.js", job.socket]) await attempt("hard, " + file, () => { fs.linkSync(file, "/tmp/c"); return "linked"; });`,
  },
  {
    name: "writing where nothing is to be written",
    code: `for (const folder of ["/", "/box", "/mend", "/mend/agent", "/node_modules", "/usr", "/usr/bin", "/run", path.dirname(job.socket), "/dev", "/dev/shm", "/dev/pts", "/proc", "/lib", "/etc", "/home"])
  await attempt(folder, () => { fs.writeFileSync(path.join(folder, "cheat"), "cheat"); return "wrote"; });
await attempt("its own program", () => { fs.writeFileSync("/mend/agent/main.js", "cheat"); return "wrote"; });
await attempt("the socket", () => { fs.unlinkSync(job.socket); return "removed"; });
await attempt("the socket's rights", () => { fs.chmodSync(path.dirname(job.socket), 0o777); return "changed"; });`,
  },
  {
    name: "the kernel's switches",
    code: `${OPEN_TO_WRITE}
for (const file of ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/kernel/hotplug", "/proc/sys/kernel/hostname", "/proc/sys/vm/overcommit_memory", "/proc/sys/vm/drop_caches", "/proc/sys/fs/binfmt_misc/register", "/proc/sysrq-trigger", "/proc/irq/0/smp_affinity", "/proc/bus/pci/devices", "/proc/timer_list", "/proc/self/oom_score_adj", "/proc/self/uid_map", "/proc/self/mem", "/proc/1/mem", "/proc/1/oom_score_adj", "/proc/kcore", "/proc/kmsg"])
  await attempt(file, () => open(file));`,
  },
  {
    name: "sysfs, cgroups, debugfs",
    code: `${OPEN_TO_WRITE}
for (const folder of ["/sys", "/sys/fs/cgroup", "/sys/kernel", "/sys/kernel/debug", "/sys/firmware"]) await attempt(folder, () => fs.readdirSync(folder).join());
for (const file of ["/sys/fs/cgroup/memory/release_agent", "/sys/kernel/uevent_helper", "/sys/power/state", "/sys/fs/cgroup/cgroup.procs"]) await attempt(file, () => open(file));`,
  },
  {
    name: "devices",
    code: `const known = new Set(["console", "core", "fd", "full", "null", "ptmx", "pts", "random", "shm", "stderr", "stdin", "stdout", "tty", "urandom", "zero"]);
await attempt("more devices", () => fs.readdirSync("/dev").filter((name) => !known.has(name))[0]);
for (const file of ["mem", "kmem", "port", "kmsg", "sda", "vda", "loop0", "loop-control", "fuse", "kvm", "mapper/control", "net/tun", "console", "tty", "tty1"])
  await attempt(file, () => { fs.closeSync(fs.openSync("/dev/" + file, "r+")); return "opened"; });
await attempt("a device's rights", () => { fs.chmodSync("/dev/null", 0); return "changed"; });
await attempt("a device exchanged", () => { fs.renameSync("/dev/null", "/dev/old"); return "renamed"; });
await attempt("/dev/null itself works", () => { fs.writeFileSync("/dev/null", "a"); });`,
  },
  {
    name: "other processes",
    code: `await attempt("processes of the host", () => fs.readdirSync("/proc").filter((name) => Number(name) > 20)[0]);
for (const file of ["environ", "mem", "maps", "fd", "root/etc", "cwd"]) await attempt("/proc/1/" + file, () => { const found = fs.statSync("/proc/1/" + file).isDirectory() ? fs.readdirSync("/proc/1/" + file).join() : fs.readFileSync("/proc/1/" + file, "latin1").slice(0, 200); return found || undefined; });
for (const pid of [1, targets.pid, process.ppid]) for (const signal of ["SIGKILL", "SIGSTOP", "SIGTERM"]) await attempt(signal + " to " + pid, () => { process.kill(pid, signal); });
told("the watcher is alive: " + fs.existsSync("/proc/1"));
await attempt("a process", () => { const { error, stdout } = spawnSync("id"); if (error) throw error; return stdout; });`,
  },
  {
    name: "every process that it may signal",
    code: `await attempt("kill -1", () => { process.kill(-1, "SIGUSR1"); process.kill(-1, "SIGKILL"); });`,
  },
  {
    name: "sockets of the host",
    code: `const connect = (to) => new Promise((resolve, reject) => { const socket = net.connect(to, () => resolve("connected")); socket.on("error", reject); setTimeout(() => reject(new Error("no answer")), 2000); });
await attempt("abstract", () => connect({ path: targets.abstract })); await attempt("unix", () => connect({ path: targets.unix }));
for (const host of ["127.0.0.1", "::1", "1.1.1.1", "169.254.169.254", "0.0.0.0"]) await attempt(host, () => connect({ port: targets.tcp, host }));
await attempt("fetch", async () => (await fetch("http://127.0.0.1:" + targets.tcp)).status);
await attempt("udp", async () => { const { createSocket } = await import("node:dgram"); return new Promise((resolve, reject) => { const socket = createSocket("udp4"); socket.on("error", reject); socket.send("a", 53, "1.1.1.1", (error) => (error ? reject(error) : resolve("sent"))); }); });`,
  },
  {
    name: "memory: 3 GB of buffers",
    code: `const kept = []; await attempt("3 GB", () => { while (kept.length < 30) kept.push(Buffer.alloc(100 * 2 ** 20, 1)); return "had it"; });`,
  },
  {
    name: "memory: a heap without end",
    code: `const kept = []; await attempt("a heap", () => { for (;;) kept.push(new Array(1e5).fill(1.5)); });`,
    dies: true,
  },
  {
    name: "threads without end",
    code: `const { Worker } = await import("node:worker_threads"); for (let i = 0; i < 500; i += 1) new Worker("setInterval(() => {}, 1000)", { eval: true }).on("error", () => {}); await new Promise((done) => setTimeout(done, 1000));`,
    dies: true,
  },
  {
    name: "every file system filled",
    code: `const filled = {};
for (const folder of ["/tmp", "/dev/shm", "/run", "/", "/mend", "/dev"]) await attempt(folder, () => { let size = 0; try { for (let i = 0; i < 100; i += 1) { fs.writeFileSync(folder + "/big" + i, Buffer.alloc(2 ** 23)); size += 8; } } catch {} return size > 300 ? size + " MB" : undefined; });
await attempt("names", () => { let count = 0; try { for (; count < 100000; count += 1) fs.closeSync(fs.openSync("/tmp/n" + count, "w")); } catch {} return count > 10000 ? count : undefined; });
await attempt("one file", () => { fs.truncateSync("/tmp/big0", 2 ** 40); return "1 TB"; });`,
  },
  {
    name: "output without end",
    code: `for (;;) { try { fs.writeSync(1, "x".repeat(65536)); } catch (error) { if (error.code !== "EAGAIN") throw error; } }`,
    dies: true,
  },
  {
    name: "an end that does not come",
    code: `process.on("SIGTERM", () => {}); process.on("SIGINT", () => {}); for (;;) {}`,
    dies: true,
    timeoutMs: 2_000,
  },
];
