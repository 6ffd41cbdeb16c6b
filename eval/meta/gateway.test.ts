import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { HOST_ROUTES } from "../../utils/process_protocol.ts";
import { remoteSandbox } from "../../utils/sandbox/remote.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import { postJson } from "../../utils/socket_http.ts";
import { openBox } from "./box.ts";
import { openGateway } from "./gateway.ts";

async function socket() {
  const sandbox = await openSandbox();
  const gateway = await openGateway({ proxy: null, sandbox });
  onTestFinished(async () => {
    await gateway[Symbol.asyncDispose]();
    await sandbox.close();
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
  expect(await sandbox.run({ code: "print(", timeoutMs: 10_000 })).toMatchObject({ status: "syntax_error", line: 1 });
  const job = { entryPoint: "f", test: "assert f(2) == 4", timeoutMs: 10_000 };
  expect(await sandbox.judge({ ...job, program: "def f(x):\n    return x * 2\n" })).toMatchObject({
    passed: true,
    outcome: "passed",
  });
  expect(await sandbox.judge({ ...job, program: "import os; os._exit(0)" })).toMatchObject({ passed: false });
});

test.each([
  ["a model that is not offered", HOST_ROUTES.chat, { messages: [{ role: "user", content: "a" }] }, 404],
  ["checks outside of a meta step", HOST_ROUTES.checks, {}, 404],
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
