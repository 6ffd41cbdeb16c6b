/** For tests: repairs the file of a made-up project with a scripted model. */

import { existsSync, readFileSync } from "node:fs";
import { parseRules, ScriptedChat } from "../../../agent/models/script.ts";
import { parseSpec } from "../../../agent/models/table.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { topLevelBlocks } from "../../../utils/languages/javascript/blocks.ts";
import { extractFunction } from "../../../utils/languages/python/parts.ts";
import { type CommandBox, openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { modulesWith } from "../../../utils/testing/modules.ts";
import { missingPackage } from "../../../utils/testing/needs.ts";
import { repairOwnFile } from "../../fix.ts";
import type { OwnFileRequest } from "../own_file.ts";
import { makeProject, type TestProject } from "./project.ts";

export interface RepairCase extends Partial<OwnFileRequest> {
  /** The text of the file. */
  target: string;
  /** The texts that the model makes of it, one after the other while they are refused; of each it answers with the function. */
  answers?: readonly string[];
  /** Instead of the project's tests. */
  tests?: string;
}

/** What repairs need, opened once for many. */
export async function openRepairs() {
  const sandbox = await openForTests();
  const commandBox = await openCommandBox();

  async function repairIn(
    project: TestProject,
    { target, answers = [target], tests, ...request }: RepairCase,
    box: CommandBox = commandBox,
  ) {
    const files = {
      ...project.files,
      ...(tests === undefined ? {} : { [project.tests]: tests }),
      [project.target]: target,
    };
    using folder = makeProject({ files }, modulesFor(project));
    const model = scripted(
      project.fails,
      answers.map((text) => definition(project, text)),
    );
    const observations: string[] = [];
    const options: OwnFileRequest = {
      file: folder.at(project.target),
      name: project.function,
      tests: folder.at(project.tests),
      maxIterations: 2,
      timeoutMs: 300_000,
      testSeconds: 60,
      ...request,
    };
    const outcome = await repairOwnFile(options, {
      openModel: model.open,
      openSandbox: async () => sandbox,
      openBox: async () => box,
      onStep: ({ iteration, observation }) => iteration > 0 && observations.push(observation.output),
    }).catch((error: unknown) => {
      if (error instanceof UserError) return error.message;
      throw error;
    });
    const backup = folder.at(`${project.target}.orig`);
    return {
      outcome,
      /** What the model saw after each answer. */
      observations,
      after: readFileSync(folder.at(project.target), "utf8"),
      backup: existsSync(backup) ? readFileSync(backup, "utf8") : null,
      asked: model.opened.count,
    };
  }

  return { sandbox, commandBox, repairIn };
}

const reply = (code: string) => `Thought: I see.\nFinal Answer:\n\`\`\`\n${code}\n\`\`\``;

/** A model that answers if its prompt names the failing test, and counts how often it is opened. */
function scripted(fails: string, codes: readonly string[]) {
  const rules = codes.map((code, i) => ({
    seen: fails,
    reply: reply(code),
    ...(i < codes.length - 1 ? { turn: i + 1 } : {}),
  }));
  const chat = new ScriptedChat("script", parseRules(JSON.stringify(rules), "rules"));
  const opened = { count: 0 };
  const open = async () => {
    opened.count += 1;
    return { name: "script", kind: parseSpec("script:rules").kind, chat };
  };
  return { opened, open };
}

/** The definition of the function as a model would answer with it. */
function definition(project: TestProject, text: string): string {
  const name = project.function.split(".")[0] ?? "";
  if (project.target.endsWith(".py")) return extractFunction(text, name)?.text ?? "";
  return (
    topLevelBlocks(text).blocks.findLast(({ names, kind }) => names.includes(name) && kind !== "import")?.text ?? ""
  );
}

const modulesFor = ({ needs }: Pick<TestProject, "needs">): string | null =>
  needs?.npm === undefined ? null : modulesWith(needs.npm);

/** Why the project cannot run here; empty where it can. */
export async function missing({ needs }: TestProject, layer: CommandBox["layer"]): Promise<string> {
  if (needs?.npm && modulesFor({ needs }) === null) {
    return `${needs.npm} is not installed (name a node_modules folder that has it in MEND_TEST_MODULES)`;
  }
  return needs?.python === undefined ? "" : await missingPackage(needs.python, layer);
}
