/** `mend doctor`: what works on this machine, what is missing, and the one command that mends it. */

import "../../../utils/program/own_tsconfig.ts";
import { isEntry } from "../../../utils/program/called_as.ts";
import { type Arguments, EXIT, type ExitCode, printDocument, runCommand } from "../../../utils/program/cli.ts";
import { CHECKS, type DoctorFinding, runChecks } from "../checks.ts";

export const command = {
  usage: "[options]",
  summary: "Tells what of mend works on this machine and what to do about the rest.",
  exits: { ok: "mend can repair here", failed: "it cannot" },
  options: { json: { help: "the findings as one JSON document on stdout" } },
  printsOnly: true as const,
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const findings = await runChecks(CHECKS, process.env);
  if (args.flag("json")) printDocument({ findings });
  else for (const finding of findings) console.log(render(finding));
  return findings.some(({ state }) => state === "missing") ? EXIT.failed : EXIT.ok;
}

const MARKS: Record<DoctorFinding["state"], string> = { works: "✓", optional: "·", missing: "✗" };

function render({ name, state, text, fix }: DoctorFinding): string {
  const line = `${MARKS[state]} ${name.padEnd(14)}${text}`;
  return fix === undefined ? line : `${line}\n${" ".repeat(16)}→ ${fix}`;
}

if (isEntry(import.meta.url)) await runCommand(command, main);
