/** Writes the archive for an editor into a folder: results on dev. */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPLY_LABELS } from "../../../agent/dialects/reply.ts";
import type { ArchiveBrief } from "../../../utils/task/archive_brief.ts";
import { isOpen } from "../gates/gates.ts";
import { meanUtility, type UtilityOptions, utilityOf } from "../gates/utility.ts";
import { type AgentAdded, type Judgement, type MeasuredLine, traceFile } from "../log.ts";
import type { Workbench } from "../workbench.ts";

/**
 * @param iteration agents made in it or later are left out, so that a step repeated after a kill sees the same archive
 * @param folder emptied first
 */
export async function writeBrief(
  bench: Workbench,
  { editor, iteration, options }: { editor: AgentAdded; iteration: number; options: UtilityOptions },
  folder: string,
): Promise<void> {
  const { log, evaluator } = bench.parts;
  const [{ state }, { priced }] = [log, evaluator];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "traces"), { recursive: true });
  const agents: ArchiveBrief["agents"] = [];
  for (const agent of state.agents.filter((candidate) => candidate.iteration < iteration)) {
    agents.push(await briefOf(agent, bench, options, folder));
  }
  const brief: ArchiveBrief = {
    editor: editor.n,
    champion: championBefore(state.verdicts, iteration),
    solver: { name: priced.model.name, readsPrompts: !priced.model.kind.isSearch },
    failed: failedBy(editor, bench),
    agents,
  };
  writeFileSync(join(folder, "brief.json"), JSON.stringify(brief));
}

function failedBy(agent: AgentAdded, bench: Workbench): ArchiveBrief["failed"] {
  const samples = bench.samples("dev");
  const measured = bench.known(agent, samples) ?? [];
  return samples.flatMap(({ task: { assignment } }, i) =>
    assignment.type === "solve" && (measured[i]?.score ?? 1) < 1 ? assignment.visible : [],
  );
}

async function briefOf(
  agent: AgentAdded,
  bench: Workbench,
  options: UtilityOptions,
  folder: string,
): Promise<ArchiveBrief["agents"][number]> {
  const { archive, log } = bench.parts;
  const verdict = log.state.verdictOn(agent.n);
  const measured = bench.known(agent, bench.samples("dev"));
  const utility = meanUtility((measured ?? []).map((one) => utilityOf(one, options)));
  const mean = (value: (one: MeasuredLine) => number) =>
    measured && measured.length > 0 ? measured.reduce((sum, one) => sum + value(one), 0) / measured.length : null;
  return {
    n: agent.n,
    parent: agent.parent,
    verdict: verdict?.verdict ?? null,
    gate: verdict?.gate ?? null,
    message: verdict && isOpen(verdict.gate) ? verdict.message : "",
    hypothesis: agent.hypothesis,
    changes: agent.changes,
    diff: agent.parent === null ? "" : await archive.diff(log.state.agent(agent.parent).sha, agent.sha),
    utility: utility?.value ?? null,
    score: mean(({ score }) => score),
    seconds: mean(({ seconds }) => seconds),
    costUsd: mean(({ costUsd }) => costUsd),
    tasks: (measured ?? []).map((one) => {
      const file = traceFile(one.key);
      const trace = bench.trace(one) ?? "(no trace was kept)";
      writeFileSync(join(folder, file), trace);
      const { task: id, score, outcome, seconds, costUsd, modelCalls } = one;
      return { id, score, outcome, seconds, costUsd, modelCalls, said: lastThought(trace), traceFile: file };
    }),
  };
}

const championBefore = (verdicts: readonly Judgement[], iteration: number): number =>
  verdicts.findLast((judged) => judged.verdict === "accepted" && judged.iteration < iteration)?.agent ?? 0;

const SAID_CHARS = 300;

/** What an agent said last in its account of an attempt: of the search engine the edit, with the row that made it. */
export const lastThought = (trace: string): string =>
  (trace.match(THOUGHT)?.at(-1) ?? "").replace(REPLY_LABELS.thought, "").trim().slice(0, SAID_CHARS);

const THOUGHT = new RegExp(`^${REPLY_LABELS.thought} .*$`, "gm");
