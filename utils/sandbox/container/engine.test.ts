import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { pullImage } from "./container_box.ts";
import { findEngine } from "./engine.ts";

test("an engine that does not answer is named as such", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "docker"), "#!/bin/sh\nexec sleep 1000\n", { mode: 0o755 });
  vi.stubEnv("PATH", `${folder.path}:${process.env.PATH}`);
  try {
    await expect(findEngine("docker", 300)).rejects.toThrow("docker does not answer within 0.3 s");
  } finally {
    vi.unstubAllEnvs();
  }
});

test.each([
  ["swebench/sweb.eval.x86_64.a_1776_b-1:latest", "docker.io/swebench/sweb.eval.x86_64.a_1776_b-1:latest"],
  ["python:3.12", "docker.io/python:3.12"],
  ["ghcr.io/a/b:1", "ghcr.io/a/b:1"],
  ["localhost:5000/a:1", "localhost:5000/a:1"],
  ["localhost/a:1", "localhost/a:1"],
])("of a name without a registry Docker's own is asked, by Podman, too: %s", async (name, pulled) => {
  using folder = temporaryFolder();
  const [program, log] = [join(folder.path, "podman"), join(folder.path, "log")];
  writeFileSync(program, `#!/bin/sh\n[ "$1" = pull ] && echo "$3" > '${log}'\n`, { mode: 0o755 });
  await pullImage({ name: "podman", program, isRootless: false }, name, { say: () => {} });
  expect(readFileSync(log, "utf8").trim()).toBe(pulled);
});
