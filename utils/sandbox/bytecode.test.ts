import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { findPython } from "../base/host/python.ts";
import { PYTHON_FOLDER } from "./bwrap.ts";
import { keepBytecode } from "./bytecode.ts";

test("what servers import of ours is compiled once, and read as long as its source is the same", async () => {
  const python = await findPython();
  keepBytecode(python);
  const code = `import sys; sys.path.insert(0, ${JSON.stringify(PYTHON_FOLDER)}); import roles.judge`;
  const { stderr } = spawnSync(python.executable, ["-S", "-B", "-v", "-c", code], { encoding: "utf8" });
  const ours = stderr.split("\n").filter((line) => line.includes(`code object from '${PYTHON_FOLDER}`));
  expect(stderr).toMatch(/judge\.\S+\.pyc matches .*judge\.py/);
  // Python says that of a source that it compiles.
  expect(ours.filter((line) => !line.includes(".pyc"))).toEqual([]);
});
