/** `npx tsx eval/lab/bench_turn.ts`: CPU of one turn of the agent, beside LangGraph's own agent and the AI SDK. */

import "../../utils/program/own_tsconfig.ts";
import { execFile, spawn } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { UserError } from "../../utils/base/data/errors.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { tsxEnvironment, tsxWords } from "../../utils/base/host/tsx.ts";
import { type Arguments, EXIT, type ExitCode, runCommand } from "../../utils/program/cli.ts";

const HERE = fileURLToPath(new URL("./turn/", import.meta.url));
const execute = promisify(execFile);

const command = {
  usage: "[options]",
  summary:
    "CPU milliseconds of one turn (a native call of one tool; the model is a stub server in another process),\n" +
    "through mend's createRepairGraph, LangGraph's createReactAgent and the AI SDK's generateText, which npm\n" +
    "installs into a temporary folder. Each figure is the median of rounds in which the libraries take turns.",
  options: {
    turns: { value: "N", help: "turns of a conversation (default 40)" },
    conversations: { value: "N", help: "conversations of a round (default 8)" },
    rounds: { value: "N", help: "rounds (default 3)" },
    "without-ai-sdk": { help: "measures mend and LangGraph alone; needs no network" },
  },
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const [turns, conversations] = [args.count("turns", 3) ?? 40, args.count("conversations", 1) ?? 8];
  using folder = makeTemporaryFolder("bench-turn");
  const programs = { mend: join(HERE, "mend.ts"), createReactAgent: join(HERE, "react_agent.ts") };
  const all = Object.entries(args.flag("without-ai-sdk") ? programs : { ...programs, ai: await aiSdk(folder.path) });
  const measured = new Map<string, number[]>(all.map(([name]) => [name, []]));
  await using server = await startStub();
  for (let round = 0; round < (args.count("rounds", 1) ?? 3); round += 1)
    for (const [name, file] of all) {
      const words = [...tsxWords(), file, server.url, String(turns), String(conversations)];
      const { stdout } = await execute(process.execPath, words, { env: tsxEnvironment() });
      measured.get(name)?.push(Number(stdout));
      console.error(`round ${round + 1} ${name} ${Number(stdout).toFixed(2)}`);
    }
  const figures = Object.fromEntries([...measured].map(([name, values]) => [name, median(values)]));
  const { mend = Number.NaN } = figures;
  for (const [name, ms] of Object.entries(figures))
    console.log(
      `${name.padEnd(17)} ${ms.toFixed(2).padStart(6)} ms a turn  mend takes ${(mend / ms).toFixed(2)} of it`,
    );
  return EXIT.ok;
}

/** Installs the AI SDK. @throws UserError if npm cannot install it */
async function aiSdk(folder: string): Promise<string> {
  for (const name of ["package.json", "ai_sdk.mjs", "measure.ts"]) copyFileSync(join(HERE, name), join(folder, name));
  console.error("installing the AI SDK from npm …");
  await execute("npm", ["install", "--ignore-scripts", "--no-audit"], { cwd: folder }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`npm cannot install the AI SDK: ${why}. Without it: --without-ai-sdk.`);
  });
  if (!existsSync(join(folder, "node_modules"))) throw new Error("npm installed nothing");
  return join(folder, "ai_sdk.mjs");
}

async function startStub() {
  const words = [...tsxWords(), join(HERE, "stub.ts")];
  const stub = spawn(process.execPath, words, { env: tsxEnvironment(), stdio: ["ignore", "pipe", "inherit"] });
  for await (const url of createInterface({ input: stub.stdout }))
    return { url, [Symbol.asyncDispose]: async () => void stub.kill() };
  throw new Error("the stub server did not start");
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

await runCommand(command, main);
