// @module-tag ci

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { copyProject, filesOf } from "../../project/copy.ts";
import { reported } from "../../project/test_command.ts";
import { temporaryFolder } from "../../testing/command.ts";
import { makeImage, podmanForTests } from "../../testing/container_image.ts";
import { DEEP } from "../../testing/repeats.ts";
import { copyFromImage, openContainerBox, pullImage } from "./container_box.ts";
import { demand, sweep } from "./engine.ts";

const engine = await podmanForTests();

/** Prints what would be an environment, and more than one. */
const ACTIVATE = `printf 'PATH=/evil\\0LD_PRELOAD=/evil.so\\0'; echo evil >&2; export BASH_ENV=/evil "A B=c"\n`;
const SETTINGS = [
  'ENTRYPOINT ["/bin/sh", "-c", "echo entered"]',
  'CMD ["/evil"]',
  "ENV LD_PRELOAD=/evil.so DOCKER_HOST=tcp://evil CONTAINERS_CONF=/evil",
  "USER 0",
  "VOLUME /volume",
  `LABEL mend.host=${hostname()}`,
  "STOPSIGNAL SIGCONT",
];

function fill(root: string): void {
  const at = (name: string) => join(root, "testbed", name);
  mkdirSync(join(root, "volume"));
  symlinkSync("/etc", join(root, "linked"));
  symlinkSync("/etc", at("out"));
  symlinkSync("../../../../../../etc/hostname", at("up"));
  chmodSync(at("a.py"), 0o6755);
  writeFileSync(at("-rf *"), "");
  writeFileSync(at("two\nlines"), "");
  writeFileSync(at(".git"), "gitdir: /root\n");
  execFileSync("mkfifo", [at("pipe")]);
  if (process.getuid?.() === 0) execFileSync("mknod", [at("disk"), "b", "8", "0"]);
}

const files = {
  ...{ "testbed/a.py": "", "home/fix.patch": "the answer", "home/other.patch": "other" },
  "opt/miniconda3/bin/activate": ACTIVATE,
};
const image = engine && (await makeImage(engine, files, { more: fill, settings: SETTINGS }));
afterAll(() => image?.[Symbol.asyncDispose]());
const place = engine && image && { engine, name: image.name, root: "/testbed" };
const box = place && (await openContainerBox(place));

describe.skipIf(!box)("a hostile image", DEEP, () => {
  const told = async (script: string, mounts: { outside: string }[] = []) => {
    const result = await box?.run({
      start: () => ({ argv: ["/bin/sh", "-c", script] }),
      mounts: mounts.map(({ outside }) => ({ kind: "write", inside: "/results", outside })),
    });
    return result?.stdout;
  };

  test("its files are plain files of a project", async () => {
    if (!place) throw new Error("unreachable");
    using folder = temporaryFolder();
    await copyFromImage(place, folder.path);
    using tree = temporaryFolder();
    copyProject(filesOf(folder.path, "all"), tree.path, "container");
    expect(readdirSync(tree.path).sort()).toEqual(["-rf *", "a.py", "out", "two\nlines", "up"]);
    expect(lstatSync(join(tree.path, "out")).isSymbolicLink()).toBe(true);
    expect(statSync(join(tree.path, "a.py")).mode & 0o7000).toBe(0);
    using other = temporaryFolder();
    await copyFromImage({ ...place, root: "/linked" }, other.path).catch(() => {});
    expect(existsSync(join(other.path, "shadow")), "a link for a project leads nowhere").toBe(false);
  });

  test.each([
    "ls /run/podman /var/run/docker.sock /proc/1/root/root",
    "mount -t tmpfs none /tmp",
    "unshare -r true",
    "python3 -c 'import os; os.setuid(0)'",
    "python3 -c 'import os; os.mknod(\"/tmp/d\", 0o60600, os.makedev(8, 0))'",
    "cat /proc/1/environ | grep -a OPENAI",
    'python3 -c \'open("/proc/sys/kernel/core_pattern", "w").write("|/evil")\'',
    'python3 -c \'open("/sys/fs/cgroup/memory/x", "w")\'',
    "python3 -c 'import socket; socket.create_connection((\"1.1.1.1\", 53), 2)'",
    "python3 -c 'import socket; socket.getaddrinfo(\"example.com\", 80)'",
    "touch /volume/a",
    'python3 -c \'open("/tmp/a", "wb").write(bytes(3 << 30))\'',
  ])("its programs do not get through: %s", async (command) => {
    expect(await told(`(${command}) >/dev/null 2>&1 && echo reached`)).toBe("");
  });

  test("neither its settings nor its environment decide what is started, or where", async () => {
    const environment = await told("env");
    expect(environment).not.toContain("entered");
    expect(process.env.LD_PRELOAD).toBeUndefined();
    expect(await told("id -u")).not.toBe("0\n");
  });

  test("a file that tells the answer is empty, whether it is there or not", async () => {
    if (!place) throw new Error("unreachable");
    const hiding = await openContainerBox({ ...place, hides: ["/home/fix.patch", "/home/none.patch"] });
    const start = () => ({ argv: ["/bin/sh", "-c", "cat /home/other.patch /home/fix.patch /home/none.patch"] });
    expect(await hiding.run({ start })).toMatchObject({ exitCode: 0, stdout: "other" });
  });

  test("what it leaves in the place of a report is not followed", async () => {
    using folder = temporaryFolder();
    const code = "import os; os.symlink('/etc/passwd', '/results/report'); os.symlink('/', '/results/coverage')";
    await told(`python3 -c "${code}"`, [{ outside: folder.path }]);
    expect(lstatSync(join(folder.path, "report")).isSymbolicLink()).toBe(true);
    expect(["report", "coverage"].map((name) => reported(join(folder.path, name), 1000))).toEqual([null, null]);
  });

  test("a label of ours removes no container of others, and no volume is left", async () => {
    if (!engine || !image) throw new Error("unreachable");
    const name = "other-of-mend-test";
    await demand(engine, ["create", "--name", name, "--entrypoint", "sh", image.name]);
    await sweep(engine);
    expect(await demand(engine, ["rm", "--volumes", name])).not.toBe("");
    const mounted = async () => await demand(engine, ["volume", "ls", "--quiet"]);
    const before = await mounted();
    await told("true");
    expect(await mounted()).toBe(before);
  });
});

test.each([
  "--privileged",
  "-v=/:/host",
  "--help",
  "dir:/etc",
  "dir:5000/etc",
  "docker-archive:/etc/passwd",
  "oci:/home",
  "dir:etc",
  "containers-storage:a",
  "a b",
  "a\nb",
  "a;touch /tmp/x",
  "$(touch /tmp/x)",
  "../a",
  "",
])("a row's image is a name, and nothing starts for %j", async (name) => {
  const nothing = { name: "podman", program: "/nonexistent", isRootless: false } as const;
  await expect(pullImage(nothing, name, { say: () => {} })).rejects.toThrow("is not the name of an image");
});

test.each([
  "swebench/sweb.eval.x86_64.sphinx-doc_1776_sphinx-9698:latest",
  "python",
  "localhost/mend-rows:a__b-1",
  "localhost:5000/a/b:1.0",
  "registry.example.com:443/a/b@sha256:0123456789abcdef",
])("%s is a name of an image", async (name) => {
  const nothing = { name: "podman", program: "/nonexistent", isRootless: false } as const;
  await expect(pullImage(nothing, name, { say: () => {} })).rejects.toThrow("podman pull failed");
});
