import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type FakeReply, startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { makeRepository } from "../../fix/testing/repositories.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { hasPytest } from "../../utils/testing/needs.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { right, taskOf } from "../testing/fake_repairer.ts";

test(
  "how tools are called decides a result: it is in the manifest as it was, and a run is resumed as itself",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    await using server = await startFakeOpenAI({
      reply: (request) => (request.body.tools === undefined ? "Where are my tools?" : right(taskOf(request))),
    });
    const env = { OPENAI_BASE_URL: server.url };
    const common = ["--model", "openai:any", "--dataset", "builtin", "--num", "1", "--few-shot-k", "0", "--run", "r"];
    const first = await run("eval/pass1.ts", common, folder.path, env);
    expect(first.lines.at(-1)).toMatchObject({ successes: 1 });
    const manifest = JSON.parse(readFileSync(join(folder.path, "runs/r/manifest.json"), "utf8"));
    expect(manifest.decides.model.parameters).toMatchObject({ toolCalls: "native" });
    const other = await run("eval/pass1.ts", [...common, "--tool-calls", "text"], folder.path, env);
    expect(other).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("model.parameters.toolCalls: native → text"),
    });
    const meta = await run("eval/meta_loop.ts", ["--model", "openai:any", "--tool-calls", "native"], folder.path, env);
    expect(meta).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--tool-calls") });
  },
);

const SHELF = {
  "shelf/__init__.py": "",
  "shelf/stock.py": "def low(count):\n    return count > 3\n\n\ndef label(name):\n    return name.lower()\n",
  "tests/test_stock.py":
    "from shelf import stock\n\n\ndef test_low():\n    assert stock.low(2)\n\n\ndef test_label():\n    assert stock.label('tea') == 'TEA'\n",
};
const editOf = (old: string, now: string) => ({
  name: "edit",
  args: JSON.stringify({ path: "shelf/stock.py", old, new: now }),
});

/** Tokens of a native call that say nothing of the task: a token has about four bytes. */
const MOST_TOKENS = 700;
/** Headings of the first message. */
const FIXED_BYTES = 100;

test.skipIf(!(await hasPytest()))(
  "a repository is repaired as models of servers do it: several calls in a reply, and words at the end",
  DEEP,
  async () => {
    using repository = makeRepository(SHELF);
    const replies: FakeReply[] = [
      "I look at the code first.",
      "",
      {
        text: "Both.",
        toolCalls: [editOf("count > 3", "count < 3"), editOf("lower()", "upper()"), { name: "zap", args: "{}" }],
      },
      "I turned the comparison round and made labels upper case.",
    ];
    await using server = await startFakeOpenAI({ reply: (_, turn) => replies[turn] ?? "" });
    const options = ["--model", "openai:any", "--tool-calls", "native", "--no-store", "--json"];
    const command = [".", "--test", "python3 -m pytest tests", ...options];
    const { stdout, stderr } = await run("mend fix", command, repository.path, {
      OPENAI_BASE_URL: server.url,
    });
    expect(JSON.parse(stdout), stderr).toMatchObject({ outcome: "fixed", turns: 4 });
    expect(stderr).toContain(`sends the code, the tests and their failure messages to ${server.url}\n`);
    const [first, ...later] = server.requests.map(({ body }) => body);
    expect(
      later.map(({ messages }) =>
        messages
          .map(({ role }) => role)
          .slice(2)
          .join(" "),
      ),
    ).toEqual([
      "assistant user",
      "assistant user assistant user",
      "assistant user assistant user assistant tool tool tool",
    ]);
    expect(later.at(-1)?.messages.at(-1)?.content).toMatch(/^There is no tool "zap"; the tools are run, view, /);
    for (const body of [first, ...later])
      expect(JSON.stringify(body)).not.toMatch(/Action|Observation|Thought:|Final Answer/);
    const beside = JSON.stringify(first?.tools) + (first?.messages[0]?.content ?? "");
    expect((Buffer.byteLength(beside) + FIXED_BYTES) / 4).toBeLessThanOrEqual(MOST_TOKENS);
  },
);
