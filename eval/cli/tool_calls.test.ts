import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { right, taskOf } from "../testing/fake_repairer.ts";

test(
  "how tools are called decides a result: it is in the manifest as it was, and a run is resumed as itself",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    await using server = await startFakeOpenAI({
      reply: (request, turn) =>
        turn === 0
          ? { toolCalls: [{ name: "ready", args: "{}" }] }
          : request.body.tools === undefined
            ? "Where are my tools?"
            : right(taskOf(request)),
    });
    const env = { OPENAI_BASE_URL: server.url };
    const common = ["--model", "openai:any", "--dataset", "builtin", "--num", "1", "--few-shot-k", "0", "--run", "r"];
    const first = await run("eval/pass1.ts", [...common, "--tool-calls", "auto"], folder.path, env);
    expect(first.lines.at(-1)).toMatchObject({ successes: 1 });
    const manifest = JSON.parse(readFileSync(join(folder.path, "runs/r/manifest.json"), "utf8"));
    expect(manifest.decides.model.parameters).toMatchObject({ toolCalls: "native" });
    const other = await run("eval/pass1.ts", common, folder.path, env);
    expect(other).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("model.parameters.toolCalls: native → text"),
    });
    const meta = await run("eval/meta_loop.ts", ["--model", "openai:any", "--tool-calls", "auto"], folder.path, env);
    expect(meta).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--tool-calls") });
  },
);
