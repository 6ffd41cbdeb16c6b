/** Runs probes, as a suite's programs are run: outside of a box, or in one. */

import { spawnSync } from "node:child_process";
import type { CommandBox } from "../../command/command_box.ts";
import type { Probe } from "./probe.ts";

const PROGRAMS = { shell: ["sh", "-c"], python: ["python3", "-c"], javascript: ["node", "-e"] } as const;

/** Runs each word list it reads, with a limit of a minute; tells its exit code and the end of what it said. */
const DRIVER = `
import json, subprocess, sys
for words in json.loads(sys.argv[1]):
    try:
        ran = subprocess.run(words, input=b"", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        said, code = ran.stdout, ran.returncode
    except Exception as error:
        said, code = str(error).encode(), -1
    print(json.dumps([code, said.decode("utf-8", "replace")[-300:]]), flush=True)
`;
export interface ProbeResult {
  name: string;
  works: boolean;
  said: string;
}

const argvOf = (probes: readonly Probe[]): string[] => [
  "/usr/bin/python3",
  "-c",
  DRIVER,
  JSON.stringify(probes.map(({ language, code }) => [...PROGRAMS[language], code])),
];

export function probeOutside(probes: readonly Probe[], environment: NodeJS.ProcessEnv, cwd: string): ProbeResult[] {
  const [command = "", ...args] = argvOf(probes);
  return results(probes, spawnSync(command, args, { encoding: "utf8", env: environment, cwd }).stdout);
}

/** @param together how many to a box, whose start costs as much as most of them; one: it is the box's own first process */
export async function probeInside(probes: readonly Probe[], box: CommandBox, together: number): Promise<ProbeResult[]> {
  const found: ProbeResult[] = [];
  for (let from = 0; from < probes.length; from += together) {
    const [first, ...more] = probes.slice(from, from + together);
    if (first)
      found.push(...(more.length === 0 ? [await probeAlone(first, box)] : await probeTogether([first, ...more], box)));
  }
  return found;
}

const LIMITS = { diskMb: 1024 };

async function probeTogether(probes: readonly Probe[], box: CommandBox): Promise<ProbeResult[]> {
  const { stdout } = await box.run({ stdin: "", start: () => ({ argv: argvOf(probes) }), limits: LIMITS });
  return results(probes, stdout);
}

async function probeAlone(probe: Probe, box: CommandBox): Promise<ProbeResult> {
  const { ending, exitCode, stdout, stderr, explanation } = await box.run({
    stdin: "",
    start: () => ({ argv: [...PROGRAMS[probe.language], probe.code] }),
    limits: LIMITS,
  });
  const said = `${stdout}${stderr}${explanation}`.trim().slice(-300);
  return { name: probe.name, works: ending === "exited" && exitCode === 0, said };
}

const results = (probes: readonly Probe[], stdout: string): ProbeResult[] => {
  const lines = stdout.trim().split("\n");
  return probes.map(({ name }, i) => {
    const [code, said]: [number, string] = JSON.parse(lines[i] ?? '[-1, "the driver ended"]');
    return { name, works: code === 0, said };
  });
};
