// @module-tag ci

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { makeImage, podmanForTests } from "../../testing/container_image.ts";
import { DEEP } from "../../testing/repeats.ts";
import { openCommandBox } from "../command/command_box.ts";
import { openSandbox } from "../sandbox.ts";
import { demand } from "./engine.ts";

const engine = await podmanForTests();
const image = engine && (await makeImage(engine, {}));
afterAll(() => image?.[Symbol.asyncDispose]());

describe.skipIf(!engine || !image)("functions in a container", DEEP, () => {
  const left = async () => {
    if (!engine || !image) throw new Error("unreachable");
    return await demand(engine, ["ps", "--all", "--filter", `ancestor=${image.name}`, "--format", "{{.Names}}"]);
  };

  test("are judged and run as elsewhere, reach nothing, and leave nothing", async () => {
    await using sandbox = await openSandbox({ layer: `container:${image?.name}` });
    expect(sandbox.info).toMatchObject({ layer: "container", pythonVersion: expect.stringMatching(/^3\./) });
    const judged = (program: string) =>
      sandbox.judge({ program, entryPoint: "half", test: "assert half(4) == 2", timeoutMs: 10_000 });
    expect(await judged("def half(x):\n    return x / 2\n")).toMatchObject({ outcome: "passed" });
    expect(await judged("def half(x):\n    return x\n")).toMatchObject({ outcome: "failed" });
    const forging = "import os\ndef half(x):\n    os._exit(0)\n";
    expect((await judged(forging)).passed).toBe(false);
    const code = [
      "import os, socket",
      "print(os.getuid() == 0)",
      "for what in (lambda: socket.create_connection(('1.1.1.1', 53), 2), lambda: open('/box/x', 'w')):",
      "    try: what(); print('done')",
      "    except OSError: print('refused')",
    ].join("\n");
    expect((await sandbox.run({ code, timeoutMs: 10_000 })).stdout).toBe("False\nrefused\nrefused\n");
    const slow = await sandbox.run({ code: "while True: pass", timeoutMs: 500 });
    expect(slow.status).toBe("timeout");
    const other = await sandbox.run({ code: "1", language: "javascript", timeoutMs: 1000 });
    expect(other).toMatchObject({ status: "sandbox_error", explanation: expect.stringContaining("not javascript") });
    await sandbox.close();
    expect(await left()).toBe("");
  });

  test("an image that claims a folder of this machine for its own loses nothing", async () => {
    if (!engine) throw new Error("unreachable");
    using folder = temporaryFolder();
    const victim = join(folder.path, "victim");
    mkdirSync(victim);
    const ready = JSON.stringify({ ready: { root: victim, pid: 1, boxPid: 2 } });
    const python = JSON.stringify({ executable: "/usr/bin/python3", version: "3.12.0" });
    const script = `#!/bin/sh\ncase "$*" in *supervisor.py*) echo '${ready}';; *) echo '${python}';; esac\n`;
    await using other = await makeImage(engine, { "usr/bin/python3": script });
    await expect(openSandbox({ layer: `container:${other.name}` })).rejects.toThrow(/In containers of/);
    expect(existsSync(victim)).toBe(true);
  });
});

test("a project learns where its containers are", async () => {
  await expect(openCommandBox({ layer: "container" })).rejects.toThrow("mend fix --container IMAGE");
});
