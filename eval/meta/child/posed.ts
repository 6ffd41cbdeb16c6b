/** A benchmark's task as a process of its own is given it, and what it left there as an answer. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Step } from "../../../agent/run/trajectory.ts";
import { filesIn, readPatch, renderPatch } from "../../../fix/project/patch.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import type { BenchmarkTask, FolderAssignment, QuestionAssignment } from "../../benchmark/benchmark.ts";
import type { ChildAssignment } from "../score.ts";
import { takeSnapshot } from "./snapshot.ts";

export interface AgentTask {
  assignment: ChildAssignment;
  /** Of a process that ended well, as long as its folder is there. Null: there is none. */
  answerOf(left: { text: string | null; workspace: string | null }): Promise<string | null>;
  /** What the host's tests said of its answers, in their order, and whether they agreed with the last. */
  tried: { steps: Step[]; agreed: boolean };
}

/** @throws UserError for a task that no process of its own is given */
export function pose({ id, assignment }: BenchmarkTask): AgentTask {
  const tried: AgentTask["tried"] = { steps: [], agreed: false };
  switch (assignment.type) {
    case "solve":
      return { assignment, answerOf: async ({ text }) => text, tried };
    case "question":
      return { assignment: questionInFolder(assignment), answerOf: async ({ text }) => text, tried };
    case "work":
      return { ...inTries(assignment, tried), tried };
    case "repository":
      throw new UserError(`--agent works on functions, exercises and questions, and ${id} is a fix of a repository.`);
  }
}

/** An agent has no job for a question: it gets a folder in which there is nothing. */
const questionInFolder = ({ text, form }: QuestionAssignment): FolderAssignment => ({
  type: "work",
  prepare: async () =>
    `Answer this question. There is nothing in the folder, and nothing to change. The final answer is ${form}.` +
    `\n\n${text}`,
});

const NOT_TOLD = "They are run once you give a final answer.";
const USED_UP = "No try is left: the last one counts.";

/** The tries are counted here, whatever the agent does; what it changes after the last does not count. */
function inTries(
  { prepare, tests, tries }: FolderAssignment,
  tried: AgentTask["tried"],
): Pick<AgentTask, "assignment" | "answerOf"> {
  let counts: string | null = null;
  const said = (output: string) => ({ status: "nothing was run", output, durationMs: 0 });
  const patchOf = async (folder: string): Promise<string | null> => {
    using place = makeTemporaryFolder("answer");
    const [given, work] = [join(place.path, "given"), join(place.path, "work")];
    mkdirSync(given);
    await prepare(given, new AbortController().signal);
    if (takeSnapshot(folder, work, "") !== null) return null;
    const { source, tests: more } = readPatch(given, work, new Set([...filesIn(given), ...filesIn(work)]));
    return renderPatch([...source, ...more]);
  };
  return {
    assignment: {
      type: "work",
      prepare,
      tests: tests && {
        run: (folder, input, signal) =>
          tries === undefined ? tests.run(folder, input, signal) : Promise.resolve(said(NOT_TOLD)),
        verify: async (folder, signal) => {
          if (tries !== undefined && tried.steps.length >= tries) return { accepted: true, observation: said(USED_UP) };
          const patch = await patchOf(folder);
          const verdict = await tests.verify(folder, signal);
          tried.steps.push(stepOf(tried.steps.length + 1, verdict.observation));
          tried.agreed = verdict.accepted;
          if (verdict.accepted || tried.steps.length === tries) counts = patch;
          return { ...verdict, accepted: verdict.accepted || tried.steps.length === tries };
        },
      },
    },
    answerOf: async ({ workspace }) => counts ?? (workspace === null ? null : await patchOf(workspace)),
  };
}

const stepOf = (iteration: number, observation: Step["observation"]): Step => ({
  iteration,
  reply: { kind: "answer", text: "", thought: "" },
  observation,
  usage: null,
  seconds: 0,
});
