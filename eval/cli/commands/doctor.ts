/** `mend doctor`: what works on this machine, what is missing, and the one command that mends it. */

import { type Arguments, EXIT, type ExitCode, printDocument } from "../../../utils/program/cli.ts";
import { CHECKS, type DoctorFinding, runChecks } from "../checks.ts";

export const command = {
  usage: "[options]",
  summary: "Checks what works on this machine, and says how to install the rest.",
  exits: { ok: "mend can repair here", failed: "mend cannot repair here" },
  options: { json: { help: "print the findings as one JSON document on stdout" } },
  printsOnly: true as const,
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const findings = await runChecks(CHECKS, process.env);
  if (args.flag("json")) printDocument({ findings });
  else console.log([...findings.map(render), summary(findings)].join("\n"));
  return isAble(findings) ? EXIT.ok : EXIT.failed;
}

const isAble = (findings: readonly DoctorFinding[]): boolean => findings.every(({ state }) => state !== "missing");

function summary(findings: readonly DoctorFinding[]): string {
  const absent = findings.filter(({ state }) => state === "missing").map(({ name }) => name);
  if (absent.length > 0)
    return `mend cannot repair here: ${absent.join(", ")} ${absent.length === 1 ? "is" : "are"} missing.`;
  return findings.some(({ state }) => state === "optional")
    ? "mend can repair here. Lines with · are optional."
    : "mend can repair here.";
}

const MARKS: Record<DoctorFinding["state"], string> = { works: "✓", optional: "·", missing: "✗" };

function render({ name, state, text, fix }: DoctorFinding): string {
  const line = `${MARKS[state]} ${name.padEnd(14)}${text}`;
  return fix === undefined ? line : `${line}\n${" ".repeat(16)}→ ${fix}`;
}
