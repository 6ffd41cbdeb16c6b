/** `mend doctor`: what works on this machine, what is missing, and the one command that mends it. */

import { isEntry } from "../utils/called_as.ts";
import { type Arguments, EXIT, type ExitCode, runCommand } from "../utils/cli.ts";
import { CHECKS, type Finding, runChecks } from "./checks.ts";

export const command = {
  usage: "[options]",
  summary:
    "Tells what of mend works on this machine and what to do about the rest. Exit codes: 0 mend can repair here, 1 it cannot.",
  options: { json: { help: "the findings as one JSON document" } },
  printsOnly: true as const,
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const findings = await runChecks(CHECKS, process.env);
  if (args.flag("json")) console.log(JSON.stringify({ findings }));
  else for (const finding of findings) console.log(render(finding));
  return findings.some(({ state }) => state === "missing") ? EXIT.failed : EXIT.ok;
}

const MARKS: Record<Finding["state"], string> = { works: "✓", optional: "·", missing: "✗" };

function render({ name, state, text, fix }: Finding): string {
  const line = `${MARKS[state]} ${name.padEnd(14)}${text}`;
  return fix === undefined ? line : `${line}\n${" ".repeat(16)}→ ${fix}`;
}

if (isEntry(import.meta.url)) await runCommand(command, main);
