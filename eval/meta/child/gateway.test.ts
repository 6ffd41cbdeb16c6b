import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { postJson } from "../../../utils/base/host/socket_http.ts";
import { remoteSandbox } from "../../../utils/sandbox/remote.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { HOST_ROUTES } from "../../../utils/task/process_protocol.ts";
import type { VisibleTask } from "../../../utils/task/task.ts";
import { openBox } from "./box.ts";
import { openGateway } from "./gateway.ts";

const TASK: VisibleTask = {
  id: "Test/1",
  language: "python",
  entryPoint: "f",
  instruction: "",
  declaration: "def double(x):\n    return x * 2\n\ndef f(x):\n",
  buggyCode: "    return x\n",
  epilogue: "",
  exampleTest: "assert f(2) == double(2)",
};

async function socket() {
  const sandbox = await openForTests();
  const gateway = await openGateway({ proxy: null, sandbox, tasks: [TASK] });
  onTestFinished(async () => {
    await gateway[Symbol.asyncDispose]();
  });
  return join(gateway.mount.outside, gateway.socketName);
}

test("the host's sandbox works over the socket as it does at hand", async () => {
  const sandbox = remoteSandbox(await socket());
  expect(await sandbox.run({ code: "print(6 * 7)", timeoutMs: 10_000 })).toMatchObject({
    status: "exited",
    exitCode: 0,
    stdout: "42\n",
  });
  expect(await sandbox.run({ language: "javascript", code: "console.log(6 * 7)", timeoutMs: 10_000 })).toMatchObject({
    stdout: "42\n",
  });
  expect(await sandbox.run({ code: "print(", timeoutMs: 10_000 })).toMatchObject({ status: "syntax_error", line: 1 });
  const job = { task: TASK, timeoutMs: 10_000 };
  expect(await sandbox.judgeVisible({ ...job, program: "def f(x):\n    return x * 2\n" })).toMatchObject({
    passed: true,
    outcome: "passed",
  });
  expect(await sandbox.judgeVisible({ ...job, program: "import os; os._exit(0)" })).toMatchObject({ passed: false });
});

test("an agent is judged by the tests that the host holds, whatever it says of its task", async () => {
  const sandbox = remoteSandbox(await socket());
  const task = { ...TASK, exampleTest: "assert f(2) == 2", entryPoint: "g", declaration: "def g(x):\n" };
  const program = "def f(x):\n    return x\n";
  expect(await sandbox.judgeVisible({ task, program, timeoutMs: 10_000 })).toMatchObject({
    outcome: "failed",
    calls: 1,
  });
});

const JUDGE = { task: TASK.id, program: "", timeoutMs: 1000 };

test.each([
  ["a model that is not offered", HOST_ROUTES.chat, { messages: [{ role: "user", content: "a" }] }, 404],
  ["checks outside of a meta step", HOST_ROUTES.checks, {}, 404],
  ["a try outside of a meta step", HOST_ROUTES.tryTask, { task: TASK.id }, 404],
  ["tests of its own", HOST_ROUTES.judge, { ...JUDGE, test: "import os; os.system('id')" }, 400],
  ["helpers of its own", HOST_ROUTES.judge, { ...JUDGE, helpers: "import os; os.system('id')" }, 400],
  ["an entry point of its own", HOST_ROUTES.judge, { ...JUDGE, entryPoint: "g" }, 400],
  ["a task that it was not given", HOST_ROUTES.judge, { ...JUDGE, task: "Test/2" }, 404],
  ["an unknown route", "/etc/passwd", {}, 404],
  ["a job without a limit", HOST_ROUTES.run, { code: "1" }, 400],
  ["a job with too long a limit", HOST_ROUTES.run, { code: "1", timeoutMs: 1e9 }, 400],
])("%s is refused", async (_, route, body, status) => {
  const reply = await postJson(await socket(), route, body);
  expect(reply.status).toBe(status);
  expect(reply.body).toHaveProperty("error.message");
});

test("a body that is too large is refused", async () => {
  const body = { code: "x".repeat(17_000_000), timeoutMs: 1 };
  expect((await postJson(await socket(), HOST_ROUTES.run, body)).status).toBe(413);
});

test("where bubblewrap is missing, model-written code is refused unless --unsafe is given", async () => {
  const { PATH } = process.env;
  process.env.PATH = "/nowhere";
  try {
    await expect(openBox({ unsafe: false })).rejects.toThrow(
      /bubblewrap is not installed here: install bubblewrap, or give --unsafe/,
    );
    expect((await openBox({ unsafe: true })).isolated).toBe(false);
  } finally {
    process.env.PATH = PATH;
  }
});
