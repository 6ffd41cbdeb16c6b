/** The gates a child passes before it may become the champion, cheapest first. Each one lets it through or decides. */

import { checkSurface, protectedHash } from "../archive/surface.ts";
import { problemAtStart } from "../child/child.ts";
import type { Sample } from "../evaluate.ts";
import type { AgentAdded, Finding, MeasuredLine, PairedTest, Ruling } from "../log.ts";
import type { Workbench } from "../workbench.ts";
import {
  chanceOfWins,
  decidingOrder,
  type EarlyVerdict,
  nextLevel,
  type Scores,
  signTest,
  standingOf,
} from "./sign_test.ts";

export interface GateOptions {
  /** Tasks that the parent solves, tried first. */
  smokeTasks: number;
  screenTasks: number;
  /** Net losses on the screen at which a child is dropped. */
  screenLosses: number;
  /** Chance that a run promotes a child that is not better. */
  alpha: number;
  /** Tests on validation that a run may make. */
  family: number;
  /** Paths whose contents must be the same after an agent has run. */
  protectedPaths: readonly string[];
}

/** An agent to be judged, and the one that it was made from. */
export interface Child {
  agent: AgentAdded;
  parent: AgentAdded;
}

/** What an editor left, before there is an agent. */
export interface EditorWork {
  workspace: string;
  /** Why the step ended early; empty where it did not. */
  problem: string;
}

interface GateRow<Subject> {
  name: string;
  /** Whether the editor may try once more with this gate's message. Who tampered may not. */
  mendable: boolean;
  /** Whether later editors may read its message: it rests on dev or on nothing measured. */
  open: boolean;
  check: Subject;
}

/** Null where the work may become an agent. */
export type WorkGate = GateRow<(work: EditorWork) => Finding | null>;
/** Null where the child may go on. */
export type Gate = GateRow<(child: Child, bench: Workbench, options: GateOptions) => Promise<Finding | null>>;

/** A ruling, and whether the editor may act on it. */
export type Decision = Ruling & { mendable: boolean };

/** Tasks measured before a gate looks again whether that is enough: the same tasks, however many run at a time. */
const SCREEN_STEP = 4;
const REGRESSION_LEVEL = 0.05;

const changed: Gate["check"] = async ({ agent }, { parts: { log } }) => {
  const same = log.state.agents.find(({ tree, n }) => tree === agent.tree && n < agent.n);
  if (!same) return null;
  const earlier = log.state.verdictOn(same.n);
  const isSound = earlier === null || earlier.verdict === "accepted";
  const fate = earlier ? `, which was ${earlier.verdict} at ${earlier.gate}` : "";
  return {
    verdict: isSound ? "inconclusive" : earlier.verdict,
    message: `it is the same as agent ${same.n}${fate}: nothing to measure`,
  };
};

const types: Gate["check"] = async ({ agent }, bench) => {
  const built = await bench.program(agent);
  return "problem" in built ? { verdict: "broken", message: `the compiler says:\n${built.problem}` } : null;
};

const version: Gate["check"] = async ({ agent }, bench) => {
  const built = await bench.program(agent);
  if ("problem" in built) return { verdict: "broken", message: built.problem };
  const { evaluator, signal } = bench.parts;
  const problem = await problemAtStart(built.program, { box: evaluator.box, signal });
  return problem === null ? null : { verdict: "broken", message: problem };
};

const smoke: Gate["check"] = async ({ agent, parent }, bench, { smokeTasks }) => {
  const before = await bench.scores(parent, bench.samples("dev"));
  const solved = bench.samples("dev").filter(({ task }) => (before.get(task.id) ?? 0) > 0);
  const samples = (solved.length > 0 ? solved : bench.samples("dev")).slice(0, smokeTasks);
  for (const sample of samples) {
    const [measured] = await bench.measured(agent, [sample]);
    if (measured && measured.status !== "ok") {
      return {
        verdict: "broken",
        message: `on ${sample.task.id} it ended with "${measured.status}":\n${bench.trace(measured) ?? ""}`,
      };
    }
  }
  const now = bench.known(agent, samples) ?? [];
  if (solved.length === 0 || now.some(({ score }) => score > 0)) return null;
  return { verdict: "broken", message: `it solves none of ${names(now)}, which its parent solves` };
};

const screen: Gate["check"] = async ({ agent, parent }, bench, { screenTasks, screenLosses }) => {
  const samples = bench.samples("dev", 0, screenTasks);
  for (let count = SCREEN_STEP; count < samples.length + SCREEN_STEP; count += SCREEN_STEP) {
    const tried = samples.slice(0, count);
    const before = await bench.scores(parent, tried);
    const after = await bench.scores(agent, tried);
    const { wins, losses } = signTest(before, after);
    if (losses - wins >= screenLosses) {
      const message =
        `of ${tried.length} dev tasks it lost ${losses} that its parent solves and won ${wins}: ` +
        `${lost(before, after)}`;
      return { verdict: "regressed", message };
    }
  }
  return null;
};

const dev: Gate["check"] = async ({ agent }, bench) => {
  const { wins, losses, p } = await againstChampion(bench, agent, "dev");
  const count = `${wins} won, ${losses} lost on dev against the champion`;
  if (chanceOfWins(losses, wins) <= REGRESSION_LEVEL) return { verdict: "regressed", message: count };
  // Without a gain on dev a test on validation would only use up a part of the error that is allowed.
  return wins > losses
    ? null
    : { verdict: "inconclusive", message: `${count} (p = ${p.toFixed(3)}): no gain to confirm` };
};

const validation: Gate["check"] = async ({ agent }, bench, { alpha, family }) => {
  const { log } = bench.parts;
  if (log.state.tests.length >= family) {
    return { verdict: "inconclusive", message: `all ${family} tests on validation that this run may make are made` };
  }
  const against = log.state.champion;
  const level = nextLevel(alpha, family, log.state.tests);
  const before = await bench.scores(log.state.agent(against), bench.samples("validation"));
  const samples = decidingOrder(bench.samples("validation"), ({ task }) => before.get(task.id) ?? 0);
  const { verdict, test, tried } = await decide(bench, agent, { before, samples, level });
  const message =
    `${test.wins} won, ${test.losses} lost on ${tried} of ${samples.length} validation tasks against ` +
    `agent ${against}: p ${SIGNS[verdict]} ${test.p.toPrecision(2)}, needed ${level.toPrecision(2)}`;
  const evidence = { ...test, alpha: level, against };
  if (verdict === "better") return { verdict: "accepted", message, test: evidence };
  const isWorse = chanceOfWins(test.losses, test.wins + samples.length - tried) <= REGRESSION_LEVEL;
  return { verdict: isWorse ? "regressed" : "inconclusive", message, test: evidence };
};

/** How the p of a test that may have been stopped reads. */
const SIGNS = { better: "≤", "not better": "≥", open: "=" } as const;

/** Measures task by task until the test's verdict is certain. */
async function decide(
  bench: Workbench,
  agent: AgentAdded,
  { before, samples, level }: { before: Scores; samples: readonly Sample[]; level: number },
): Promise<EarlyVerdict & { tried: number }> {
  for (let tried = 0; ; tried = Math.min(samples.length, tried + SCREEN_STEP)) {
    const after = await bench.scores(agent, samples.slice(0, tried));
    const standing = standingOf(before, after, level);
    if (standing.verdict !== "open" || tried === samples.length) return { ...standing, tried };
  }
}

const surface: WorkGate["check"] = ({ workspace }) => checkSurface(workspace);
const step: WorkGate["check"] = ({ problem }) => (problem ? { verdict: "broken", message: problem } : null);

/** They decide whether there is an agent at all. */
export const WORK_GATES: readonly WorkGate[] = [
  { name: "surface", mendable: true, open: true, check: surface },
  { name: "step", mendable: false, open: true, check: step },
];

/** In the order of their cost. */
export const GATES: readonly Gate[] = [
  { name: "changed", mendable: false, open: true, check: changed },
  { name: "types", mendable: true, open: true, check: types },
  { name: "version", mendable: true, open: true, check: version },
  { name: "smoke", mendable: true, open: true, check: smoke },
  { name: "screen", mendable: true, open: true, check: screen },
  { name: "dev", mendable: false, open: true, check: dev },
  { name: "validation", mendable: false, open: false, check: validation },
];

/** Whether editors may read what this gate said. */
export const isOpen = (gate: string): boolean =>
  [...WORK_GATES, ...GATES].some(({ name, open }) => open && name === gate);

const decided = (finding: Finding, { name, mendable }: Pick<Gate, "name" | "mendable">): Decision => ({
  test: null,
  ...finding,
  gate: name,
  mendable: mendable && finding.verdict !== "tampered",
});

/** What is wrong with an editor's work: the first finding; null where it may become an agent. */
export function judgeWork(work: EditorWork, gates: readonly WorkGate[] = WORK_GATES): Decision | null {
  for (const gate of gates) {
    const finding = gate.check(work);
    if (finding) return decided(finding, gate);
  }
  return null;
}

const TAMPERED = { verdict: "tampered", message: "files that no agent may change were changed while it ran" } as const;
const UNDECIDED = { verdict: "inconclusive", message: "no gate decided" } as const;

/** What the gates say in the end: the first finding, or tampering, which is looked for after every gate. */
export async function judge(
  child: Child,
  bench: Workbench,
  options: GateOptions,
  gates: readonly Gate[] = GATES,
): Promise<Decision> {
  const before = protectedHash(options.protectedPaths);
  for (const gate of gates) {
    const finding = await gate.check(child, bench, options);
    if (protectedHash(options.protectedPaths) !== before)
      return decided(TAMPERED, { name: "protected", mendable: false });
    if (finding) return decided(finding, gate);
  }
  return decided(UNDECIDED, { name: "none", mendable: false });
}

async function againstChampion(bench: Workbench, agent: AgentAdded, split: "dev" | "validation"): Promise<PairedTest> {
  const samples = bench.samples(split);
  const { state } = bench.parts.log;
  return signTest(await bench.scores(state.agent(state.champion), samples), await bench.scores(agent, samples));
}

const names = (measured: readonly MeasuredLine[]): string => measured.map(({ task }) => task).join(", ");

const lost = (before: Scores, after: Scores): string =>
  [...after].flatMap(([task, score]) => (score < (before.get(task) ?? 0) ? task : [])).join(", ");
