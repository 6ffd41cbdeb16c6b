// @module-tag ci

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fileTools } from "../../agent/tools/editor_table.ts";
import { type Registry, registry } from "../../agent/tools/tool.ts";
import { Workspace } from "../../agent/tools/workspace.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { linkTree } from "../../utils/base/files/trees/copy_tree.ts";
import { toolchain } from "../../utils/languages/go/toolchain.ts";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import type { Preparation } from "../attempts/prepare.ts";
import { makeRepository, PYTHON_FILES } from "../testing/repositories.ts";
import { prepareForTests } from "../testing/scripted.ts";
import { openShell } from "./shell.ts";

const sandbox = await openForTests();
const repository = makeRepository({ ...PYTHON_FILES, ".gitignore": "build/\n" });
let prepared: Preparation;
beforeAll(async () => {
  const more = { environment: {}, testSeconds: 3 };
  prepared = await prepareForTests(repository.path, "python3 tests/test_rates.py", more);
});
afterAll(() => {
  prepared[Symbol.dispose]();
  repository[Symbol.dispose]();
});

function open({ base, suite }: Pick<Preparation, "base" | "suite"> = prepared) {
  const work = makeTemporaryFolder("work");
  linkTree(base, work.path);
  const workspace = Workspace.ofAnyFiles(work.path);
  const shell = openShell(suite, base, workspace);
  const tools: Registry = registry(fileTools(workspace, sandbox, shell));
  const use = async (tool: string, input: Record<string, unknown>) => {
    const observation = await tools.get(tool)?.run(input);
    if (!observation) throw new Error(`there is no tool ${tool}`);
    return observation;
  };
  const close = () => {
    shell[Symbol.dispose]();
    work[Symbol.dispose]();
  };
  return { workspace, use, [Symbol.dispose]: close };
}

describe("the tool run", () => {
  test("what a command changes stays for the next one and for the patch, and undo takes it back", DEEP, async () => {
    using work = open();
    const fix =
      "sed -i 's/percent \\/ 10/percent \\/ 100/' shop/rates.py && rm shop/stock.py && echo 'A = 1' > shop/new.py";
    const { status, output } = await work.use("run", { command: fix });
    expect([status, output]).toEqual([
      "exit code 0",
      "(no output)\n(changed: shop/new.py, shop/rates.py)\n(removed: shop/stock.py)",
    ]);
    const next = 'python -c "from shop.rates import total; print(total([50], 10))"; git diff --stat';
    expect((await work.use("run", { command: next })).output).toMatch(
      /^45(\.0)?\n shop\/rates\.py +\| 2 \+-\n shop\/stock/,
    );
    expect([...work.workspace.changed]).toEqual(["shop/new.py", "shop/rates.py", "shop/stock.py"]);
    expect((await work.use("diff", {})).output).toContain("percent / 100");
    await work.use("undo", {});
    expect(work.workspace.changed.size).toBe(0);
    expect((await work.use("run", { command: "git status --short" })).output).toBe("(no output)");
  });

  test("of a long output head and tail are shown, and all of it can be viewed", DEEP, async () => {
    using work = open();
    const { output } = await work.use("run", { command: "seq 10000 14000; exit 3" });
    expect(output.length).toBeLessThan(10_500);
    const [, file = ""] = /^10000\n[\s\S]*\n14000\n\(all 4,?001 lines: (\S+)\)$/.exec(output) ?? [];
    expect((await work.use("view", { path: file, start: 2001, end: 2001 })).output).toContain("2001  12000");
    expect((await work.use("search", { pattern: "^12000$" })).status).toBe("refused");
    expect((await work.use("run", { command: "git status --short" })).output).toBe("(no output)");
  });

  test("files that git ignores, hidden ones and links are left out", async () => {
    using work = open();
    const command =
      "mkdir build; echo 1 | tee build/out.py .hidden.py; ln -s /etc/passwd shop/link.py; touch shop/rates.py";
    expect((await work.use("run", { command })).output).toBe("1");
    expect(work.workspace.changed.size).toBe(0);
  });

  test("a command has neither network nor endless time, and tells how it ended", DEEP, async () => {
    using work = open();
    const connect = "import socket; socket.create_connection(('192.0.2.1', 80), 2)";
    expect((await work.use("run", { command: `python3 -c "${connect}"` })).output).toMatch(/OSError|unreachable/);
    expect((await work.use("run", { command: "while :; do :; done" })).status).toMatch(/processor time/);
    expect(await work.use("run", { command: "nothing-like-it" })).toMatchObject({ status: "exit code 127" });
  });
});

test.skipIf(toolchain() === null)("commands find the compiler that the tests take", DEEP, async () => {
  using go = makeRepository({
    "go.mod": "module example.com/half\n\ngo 1.18\n",
    "half.go": "package half\n\nfunc Half(x int) int { return x * 2 }\n",
    "half_test.go":
      'package half\n\nimport "testing"\n\nfunc TestHalf(t *testing.T) {\n\tif Half(4) != 2 {\n\t\tt.Error("wrong")\n\t}\n}\n',
  });
  using project = await prepareForTests(go.path, "go test ./...", { environment: {} });
  using work = open(project);
  expect((await work.use("run", { command: "go env GOROOT GOPROXY" })).output).toBe(`${toolchain()?.root}\noff`);
});
