import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { writeAgent } from "../testing/mini_agent.ts";
import { findBox, temporaryFolder } from "../testing/test_run.ts";
import type { AgentBox } from "./box.ts";
import { openBuilder } from "./build.ts";

const box = await findBox();

/** Builds an agent in the box, where the first starts of esbuild get one thread alone; it needs several to begin. */
async function build(of: AgentBox, starved: number) {
  let starts = 0;
  const start: AgentBox["start"] = (command, ...others) => {
    const isStarved = basename(command[0] ?? "") === "esbuild" && ++starts <= starved;
    const limited = ["bash", "-c", 'ulimit -u 1 && exec "$@"', "-", ...command];
    return of.start(isStarved ? limited : command, ...others);
  };
  using folder = temporaryFolder();
  const agent = join(folder.path, "agent");
  writeAgent(agent);
  const builder = openBuilder({ ...of, start }, join(folder.path, "builds"));
  const built = await builder.build(agent, "tree", new AbortController().signal).catch((error: unknown) => error);
  return { built, starts };
}

test.skipIf(box === null).for([
  { starved: 1, built: { program: expect.any(String) } },
  {
    starved: 2,
    built: {
      name: "UserError",
      message: expect.stringMatching(
        /^The agent could not be compiled, which says nothing of it: .* no thread left .*OS thread.* run again to go on\.$/,
      ),
    },
  },
])("a compiler without threads is started once more, then the machine is named: $starved", DEEP, async (row) => {
  if (box) expect(await build(box, row.starved)).toMatchObject({ built: row.built, starts: 2 });
});
