/**
 * `npx tsx eval/lab/bench_turn.ts`: CPU of one turn of an agent and memory of many conversations, beside other
 * libraries.
 */

import "../../utils/program/own_tsconfig.ts";
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { UserError } from "../../utils/base/data/errors.ts";
import { readJson } from "../../utils/base/data/record.ts";
import { tsxEnvironment, tsxWords } from "../../utils/base/host/tsx.ts";
import { isEntry } from "../../utils/program/called_as.ts";
import { type Arguments, type ExitCode, runCommand } from "../../utils/program/cli.ts";
import { figuresKeeper, figuresOptions } from "./figures/figures.ts";
import type { Format, Job } from "./turn/measure.ts";

const HERE = fileURLToPath(new URL("./turn/", import.meta.url));

const command = {
  usage: "[options]",
  summary:
    "CPU milliseconds of one turn (a model call to a stub server in a process of its own, one tool): the " +
    "slope between\n" +
    "conversations of 2 and of --turns turns, the median of rounds in which all libraries take turns. " +
    "Peers are installed\n" +
    "from npm into a folder of their own at first use.",
  options: {
    turns: { value: "N", help: "of the longer conversations (default 42)" },
    conversations: { value: "N", help: "of each length (default 20)" },
    rounds: { value: "N", help: "each with new processes (default 3)" },
    format: { value: "NAME", help: "how mend's calls are written: native (default) or text; peers call natively" },
    stream: { help: "replies are streamed" },
    warm: { help: "as many conversations again before those that are measured; without it a process is as it starts" },
    memory: { value: "N", help: "instead: most memory of a process with N conversations of --turns turns at once" },
    only: { value: "NAME", help: "without peers: mend alone" },
    ...figuresOptions,
  },
};

const Measured = z.object({ cpuMs: z.array(z.number()), mostMb: z.number() });

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const turns = args.count("turns", 3) ?? 42;
  const conversations = args.count("conversations", 1) ?? 20;
  const atOnce = args.count("memory", 1);
  const format = args.choice("format", ["native", "text"]) ?? "native";
  const only = args.choice("only", ["mend"]);
  const keep = figuresKeeper(args);
  const programs = [{ name: "mend", file: join(HERE, "mend.ts") }, ...(only ? [] : await peers())];
  const length = (turns: number) => ({ turns, conversations, atOnce: 1 });
  const groups = atOnce
    ? [{ turns, conversations: atOnce, atOnce }]
    : [...(args.flag("warm") ? [length(turns)] : []), length(2), length(turns)];
  const measured = new Map<string, number[]>();
  await using server = await startStub();
  for (let round = 0; round < (args.count("rounds", 1) ?? 3); round += 1)
    for (const { name, file } of programs) {
      const { cpuMs, mostMb } = await run(file, { url: server.url, format, isStreamed: args.flag("stream"), groups });
      const [long = 0, short = 0] = cpuMs.toReversed();
      const figure = atOnce ? mostMb : (long - short) / (conversations * (turns - 2));
      measured.set(name, [...(measured.get(name) ?? []), figure]);
      console.error(`round ${round + 1} ${name} ${figure.toFixed(2)}`);
    }
  const figures = Object.fromEntries([...measured].map(([name, values]) => [name, median(values)]));
  const unit = atOnce ? "MB" : "ms a turn";
  for (const [name, figure] of Object.entries(figures))
    console.log(`${name.padEnd(12)} ${figure.toFixed(2).padStart(8)} ${unit}  ${shareOf(figures.mend, figure)}`);
  const [, peer] = Object.keys(figures);
  return keep({ unit, figures, ...(peer !== undefined && { peerOf: (name) => (name === "mend" ? peer : undefined) }) });
}

const shareOf = (mend = 0, figure: number): string => `mend has ${(mend / figure).toFixed(2)} of it`;

/** The peers in a folder that holds their packages. @throws UserError where npm cannot install them */
async function peers(): Promise<{ name: string; file: string }[]> {
  const wanted = readFileSync(join(HERE, "peers/package.json"));
  const key = createHash("sha256").update(wanted).digest("hex").slice(0, 12);
  const folder = join(tmpdir(), `mend-bench-turn-${process.getuid?.() ?? 0}-${key}`);
  if (!existsSync(join(folder, "node_modules"))) {
    console.error("installing the peers from npm …");
    const making = `${folder}-${process.pid}`;
    mkdirSync(making, { recursive: true, mode: 0o700 });
    writeFileSync(join(making, "package.json"), wanted);
    await promisify(execFile)("npm", ["install", "--ignore-scripts", "--no-audit"], { cwd: making }).catch((error) => {
      throw new UserError(`npm cannot install the peers: ${error.message}. Without them: --only mend.`);
    });
    renameSync(making, folder);
  }
  const names = readdirSync(join(HERE, "peers")).filter((name) => name.endsWith(".mjs"));
  for (const name of names) copyFileSync(join(HERE, "peers", name), join(folder, name));
  copyFileSync(join(HERE, "measure.ts"), join(folder, "measure.ts"));
  return names.map((name) => ({ name: name.replace(".mjs", ""), file: join(folder, name) }));
}

async function run(file: string, job: Job & { format: Format }): Promise<z.infer<typeof Measured>> {
  const words = [...tsxWords(), file, JSON.stringify(job)];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: tsxEnvironment() });
  const measured = readJson(stdout, Measured);
  if (!measured) throw new Error(`${file} printed no figures: ${stdout}`);
  return measured;
}

async function startStub() {
  const words = [...tsxWords(), join(HERE, "stub.ts")];
  const stub = spawn(process.execPath, words, { env: tsxEnvironment(), stdio: ["ignore", "pipe", "inherit"] });
  for await (const url of createInterface({ input: stub.stdout }))
    return { url, [Symbol.asyncDispose]: async () => void stub.kill() };
  throw new Error("the stub server did not start");
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

if (isEntry(import.meta.url)) await runCommand(command, main);
